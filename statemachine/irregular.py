"""Irregularities: what the law says when cards go wrong (x.13), one row a kind.

A row says in which phases a kind can occur and whether the dealer's menu has it; what it does to the round is
the chapter's. A void round gives every stake back, reverses its contributions by name, and lists what was
already paid to be taken back.
"""

from typing import TYPE_CHECKING, NamedTuple

from sabot.rules.chapter import Fate
from sabot.rules.round import Line
from sabot.statemachine.action import Action, phases
from sabot.statemachine.effects import (
    CollectWager,
    ReturnWager,
    TakeBackPayment,
    VoidRound,
)
from sabot.statemachine.events import (
    Role,
)
from sabot.statemachine.ledger import REVERSAL, Cause
from sabot.statemachine.phases import Phase

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

P = Phase


DEAL_TO_REVEAL = phases(P.DEALING, P.STUB, P.STUB_WRONG, P.DECIDING, P.TURNING)


AFTER_CARDS = DEAL_TO_REVEAL | phases(P.DECLARING, P.SETTLING, P.VALIDATING, P.DOCUMENTS)


class IrregularityRow(NamedTuple):
    """Where an irregularity may be met, by which methods, and its title in the menu (empty: not there)."""

    kind: str
    phases: frozenset[Phase]
    methods: str
    title: str


IRREGULARITIES = (
    IrregularityRow("one_face_up", phases(P.DEALING), "", ""),
    IrregularityRow("several_face_up", phases(P.DEALING), "", ""),
    IrregularityRow("drawn_in_error", phases(P.DEALING), "", ""),
    IrregularityRow("wrong_count", AFTER_CARDS, "", "WRONG NUMBER"),
    IrregularityRow("dealer_exposed", DEAL_TO_REVEAL, "", "DEALER CARD SEEN"),
    IrregularityRow("community_exposed", DEAL_TO_REVEAL, "", "COMMUNITY CARD SEEN"),
    IrregularityRow("shoe_jam", phases(P.DEALING), "auto_shoe", ""),
    IrregularityRow("stub_misdealt", phases(P.STUB_WRONG), "", ""),
    IrregularityRow("stub_short", phases(P.STUB_WRONG), "", ""),
    IrregularityRow("exposed_other", DEAL_TO_REVEAL, "", "OTHER CARD SEEN"),
)


IRREGULARITY_ROWS = {row.kind: row for row in IRREGULARITIES}


def irregular(table: "Table", kind: str) -> None:
    """Meet an irregularity: note it, and do to the round what the chapter says."""
    found = table.chapter.irregularities[kind]
    round_ = table.round
    round_.note(table.now, kind.replace("_", " "), found.cite, table.state.dealer)
    if found.fate is Fate.GOES_ON:
        return
    when = "before_raise" if _before_last_decision(table) else "after_raise"
    if found.only_when and when != found.only_when:
        round_.note(table.now, "after the raises: the round goes on", found.cite)
        return
    round_.irregularity, round_.when = kind, when
    if found.fate is Fate.VOID or not _optional_alive(table):
        void(table, kind.replace("_", " "), found.cite, remove=found.then == "deck_removed")
    elif table.state.phase in (Phase.DECIDING, Phase.STUB_WRONG):
        table.clear_pending()
        round_.asking = 0
        if table.state.phase is Phase.DECIDING:
            table.phases.reveal()


def _before_last_decision(table: "Table") -> bool:
    return table.state.phase in (Phase.DEALING, Phase.STUB, Phase.STUB_WRONG, Phase.DECIDING)


def _optional_alive(table: "Table") -> bool:
    """Whether an optional wager still competes; in a void contest a player who left is like any other."""
    base, round_ = table.chapter.contest.wagers, table.round
    return any(
        wager not in base
        and (seat not in round_.folded or table.house.keeps_after_fold(table.chapter.wagers[wager]))
        for seat, bets in round_.bets.items()
        for wager in bets
    )


def void(table: "Table", why: str, cite: str, *, remove: bool = False) -> None:
    """Every stake goes back, contributions are reversed, payments are listed to be taken back."""
    round_ = table.round
    settled = round_.order[: round_.settled]
    hit_paid = any(hit.seat in settled for hit in round_.hits)
    round_.void = cite
    table.emit(VoidRound(why=why, cite=cite))
    _give_back(table, [line for line in round_.lines if line.seat in settled], cite)
    list(table.state.ledger.reverse_round(Cause(REVERSAL, round_.number)))
    table.state.day.voids += 1
    table.clear_pending()
    round_.asking = 0
    table.phases.void()
    if remove:
        table.remove_deck(round_.deck, why, cite)
    if hit_paid:
        table.hold("contradiction", "table", "a meter hit of a void round was paid", cite)


def _give_back(table: "Table", carried_out: list[Line], cite: str) -> None:
    """Each stake by what the law says of it in a void round, with regard to what the dealer did already."""
    for line in carried_out:
        if line.result == "win" and line.paid != 0:
            table.emit(TakeBackPayment(seat=line.seat, wager=line.wager, cents=line.paid, cite=cite))
    table.settle_known()
    went_back = {(line.seat, line.wager) for line in carried_out if _went_back(line)}
    taken = {(line.seat, line.wager) for line in carried_out if line.result in ("lose", "forfeit")}
    taken |= {(seat, wager) for seat in table.round.collected for wager in table.chapter.contest.wagers}
    for line in table.round.lines:
        spot = line.seat, line.wager
        if line.result == "returned" and spot not in went_back:
            table.emit(ReturnWager(seat=line.seat, wager=line.wager, cents=line.stake, cite=line.cite))
        elif line.result != "returned" and spot not in taken:
            table.emit(CollectWager(seat=line.seat, wager=line.wager, cents=line.stake, cite=line.cite))


def _went_back(line: Line) -> bool:
    """Whether the stake of a line is the player's again; where it is not known its odds tell."""
    if line.result == "win" and line.stake is None:
        return " to " in (line.odds or "")
    return line.result in ("returned", "push") or bool(line.back)


def declare_irregular(table: "Table", kind: str) -> None:
    """The dealer declares an irregularity from the menu."""
    if kind == "exposed_other":
        table.round.note(table.now, "card exposed, no rule for it", table.cite("13(d)"), table.state.dealer)
        if table.readings.get("exposed_other") == "held":
            table.hold("exposed_other", "table", "a card was exposed for which there is no rule")
        return
    irregular(table, kind)


def irregularities_now(table: "Table") -> list[str]:
    """The irregularities that may be declared now."""
    known = set(table.chapter.irregularities) | {"exposed_other"}
    return [
        row.kind
        for row in IRREGULARITIES
        if row.title and row.kind in known and table.state.phase in row.phases
    ]


def returned(table: "Table", _value: str) -> None:
    """All wagers were given back."""
    table.phases.returned()


ACTIONS = (
    Action(
        "irregular",
        "IRREGULARITY",
        Role.DEALER,
        AFTER_CARDS,
        "13",
        declare_irregular,
        values=irregularities_now,
        while_held=True,
    ),
    Action(
        "returned", "WAGERS RETURNED", Role.DEALER, phases(Phase.RETURNING), "13", returned, while_held=True
    ),
)
