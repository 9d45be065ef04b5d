"""A hit that people paid by hand, after the floor took the round over.

The table did not carry out the payment, but its meter paid it: the floor says which share was paid, to whom,
and the ledger has it under a cause of its own. What the round's lines had said already is paid as it stood
there; of a hand that no device read it is the share of the meter as it stands. Where the contributions went
back there was no progressive wager, and so no hit.
"""

from typing import TYPE_CHECKING

from sabot.rules.payouts import PayKind, Payout
from sabot.statemachine.action import Action, phases
from sabot.statemachine.events import Role
from sabot.statemachine.labels import wager_words
from sabot.statemachine.ledger import BY_HAND
from sabot.statemachine.phases import Phase
from sabot.statemachine.shares import draw_cents, hit_cents, share_of, share_payout
from sabot.statemachine.state import Hit

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

MAIN = "main"


def frozen_hits(table: "Table", done: list[int]) -> list[Hit]:
    """The hits on a meter that the lines of seats not yet settled have."""
    return [
        Hit(line.seat, line.wager, line.row or "", hit_cents(table, line), needs_documents=True)
        for line in table.round.lines
        if line.seat not in done and share_payout(table, line) is not None
    ]


def _rows(table: "Table", wager: str) -> dict[str, Payout]:
    """The rows of a wager that are paid from a meter."""
    settles = table.chapter.wagers[wager].settles
    if settles is None:
        return {}
    hits = table.house.column(settles.paytable).hits
    return {row: hit.payout for row, hit in hits.items() if hit.payout.kind is PayKind.METER}


def hits_by_hand(table: "Table") -> list[str]:
    """Whose wager may have been paid which share: a seat that was not settled, and each wager once."""
    round_ = table.round
    if not round_.by_hand or round_.gave_back:
        return []
    done = {(hit.seat, hit.wager) for hit in round_.hits}
    settled = round_.order[: round_.settled]
    return [
        f"{seat} {wager} {row}"
        for seat, bets in sorted(round_.bets.items(), reverse=True)
        for wager in bets
        if seat not in settled and (seat, wager) not in done
        for row in _rows(table, wager)
    ]


def _hit_words(table: "Table", value: str) -> str:
    """Seat, wager, and the meter's level or the part of it that is paid."""
    seat, wager, row = value.split()
    payout = _rows(table, wager)[row]
    share = payout.level.upper() if payout.level != MAIN else f"{payout.rate * 100}%"
    return f"S{seat} {wager_words(wager, table.chapter)} {share}"


def hit_by_hand(table: "Table", value: str) -> None:
    """The floor says that a hit was paid by hand: it leaves the meter now."""
    seat_text, wager, row = value.split()
    seat, payout, by = int(seat_text), _rows(table, wager)[row], table.person(Role.FLOOR)
    known = {(hit.seat, hit.wager, hit.row): hit.cents for hit in table.round.frozen}
    cents = known.get((seat, wager, row), share_of(table, wager, payout))
    draw_cents(table, (seat, wager), payout, cents, BY_HAND)
    table.round.hits.append(Hit(seat, wager, row, cents, needs_documents=True, validated_by=by))
    words = f"seat {seat} {wager}: {row} of {cents} cents paid by hand"
    table.round.note(table.now, words, table.cite("11(c)(5)(iii)"), by)


ACTIONS = (
    Action(
        "hit_by_hand",
        "HIT PAID BY HAND",
        Role.FLOOR,
        phases(Phase.CLEARING),
        "11(c)(5)(iii)",
        hit_by_hand,
        values=hits_by_hand,
        say=_hit_words,
        while_held=True,
    ),
)
