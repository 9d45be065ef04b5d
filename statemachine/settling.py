"""Settling seat by seat, hits, documents (x.11(c)).

The whole round is settled at the reveal; here its lines are carried out one confirmed seat at a time, so
that the money on the felt follows the chapter's order. A progressive hit, and a large payment of a hand that
was declared, waits for the floor when all before it is paid; a hand whose payout is not from the tray stays
until its documents are done.
"""

# Theory of operation. The outcome is a list of lines in the chapter's order. ``settled`` counts the seats
# that are closed, ``carried`` the lines of the next seat that were carried out. OK carries out lines as far
# as the first that waits for the floor, announces that one and those that are looked at together with it, and
# the table is validating. VALIDATE HIT leads back, and the next OK goes on. So between two OKs a seat may be
# begun, and what takes back, declares again or finishes by hand leaves lines alone that were carried out.

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from sabot.rules.cards import NAMES
from sabot.rules.frozen import frozen
from sabot.rules.round import Line, Stake
from sabot.statemachine import outcome
from sabot.statemachine.accounts import SETTLED, GameAccounts
from sabot.statemachine.action import Action, Refused, of_way, phases
from sabot.statemachine.chips import ChipCount
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.hits import Hits, Shares
from sabot.statemachine.law import Law
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.outbox import Calling, Outbox
from sabot.statemachine.outcome import LargePayments
from sabot.statemachine.state.parts import TableClock, TableCrew
from sabot.statemachine.state.phases import DECLARING, VALIDATING, Phase, Phases
from sabot.statemachine.state.round import Hit, Play
from sabot.statemachine.vocabulary.effects import (
    CollectWager,
    CreditAccount,
    FreezeHit,
    PayWager,
)
from sabot.statemachine.vocabulary.events import DrawMade, Key, Role


@frozen
class Sorted:
    """The lines of a round, and those of each seat in their order."""

    lines: list[Line]
    by_seat: dict[int, list[Line]]


def sort_lines(lines: list[Line]) -> Sorted:
    """Return lines made easy to look up by their seat."""
    by_seat: dict[int, list[Line]] = {}
    for line in lines:
        by_seat.setdefault(line.seat, []).append(line)
    return Sorted(lines, by_seat)


# Orders are values, and the same ones come round after round: players bet alike. To make one takes five times
# as long as to find it.
MOST_KEPT = 256


@lru_cache(maxsize=MOST_KEPT)
def _collect(seat: int, wager: str, cents: Stake, cite: str) -> CollectWager:
    return CollectWager(seat=seat, wager=wager, cents=cents, cite=cite)


@lru_cache(maxsize=MOST_KEPT)
def _pay(
    seat: int,
    wager: str,
    paid: Stake,
    back: Stake,
    odds: str,
    from_tray: bool,  # noqa: FBT001 (by place, for a cache finds names slower)
    cite: str,
) -> PayWager:
    return PayWager(seat=seat, wager=wager, paid=paid, back=back, odds=odds, from_tray=from_tray, cite=cite)


Spot = tuple[int, str]
# The seat whose turn it is, how many of its lines were carried out, and which of its hits were looked at.
Turn = tuple[int, int, tuple[Spot, ...]]


class Due(NamedTuple):
    """The lines that OK carries out, and those that the floor must validate when they are.

    OK goes as far as the first that waits for the floor. The floor looks at that one and at those that follow
    it; envy is paid between, and before what is won on an account is looked at (11(c)(5)(v), (7)).
    """

    now: list[Line]
    awaited: list[Line]


@dataclass(slots=True, eq=False, repr=False)
class Settling:
    """Settle seat by seat."""

    law: Law
    phases: Phases
    out: Outbox
    clock: TableClock
    crew: TableCrew
    play: Play
    accounts: GameAccounts
    calling: Calling
    chip_count: ChipCount
    declaring: Declaring
    hits: Hits
    large: LargePayments
    linked_hits: LinkedHits
    shares: Shares
    sorted_cache: Sorted = field(default_factory=lambda: sort_lines([]))
    # What the last answer to ``due`` followed from, and that answer.
    _due_by: tuple[object, ...] = field(init=False, default=())
    _due: Due = field(init=False, default=Due([], []))
    # What will be due at each seat, found ahead, and what it followed from.
    _ahead_by: tuple[object, ...] = field(init=False, default=())
    _ahead: dict[Turn, Due] = field(init=False, default_factory=dict)

    def prepare(self, lines: list[Line], order: list[int]) -> None:
        """Find what will be due at each seat of an outcome: of the one that stands, or of the one to come."""
        by = lines, order, self.large.cards.read_cards(), self.play.current.plan
        if by == self._ahead_by:
            return
        by_seat = sort_lines(lines).by_seat
        self._ahead = {turn: due for seat in order for turn, due in self._turns(seat, by_seat.get(seat, []))}
        self._ahead_by = by

    def _turns(self, seat: int, lines: list[Line]) -> Iterator[tuple[Turn, Due]]:
        """Yield what is due at a seat when its turn comes, and after each hit that the floor looks at."""
        carried = 0
        looked_at: tuple[Spot, ...] = ()
        while True:
            due = self._found_due(lines[carried:], looked_at)
            yield (seat, carried, looked_at), due
            if not due.awaited:
                return
            # OK pays as far as the hit and announces it, then the floor validates it.
            carried += len(due.now)
            if not due.now:
                looked_at += tuple((line.seat, line.wager) for line in due.awaited)

    def ahead(self) -> Mapping[Turn, Due]:
        """Return what will be due at each turn, as it was found ahead."""
        return self._ahead

    def current_seat(self) -> int:
        """Return the seat that is settled next (0: none is left)."""
        round_ = self.play.current
        return round_.order[round_.settled] if round_.settled < len(round_.order) else 0

    def sorted_lines(self) -> Sorted:
        """Return the lines of the round by seat, sorted once an outcome: one decided anew is a new list."""
        lines = self.play.current.lines
        if self.sorted_cache.lines is not lines:
            self.sorted_cache = sort_lines(lines)
        return self.sorted_cache

    def lines_left(self) -> list[Line]:
        """Return the lines of the current seat that are not carried out yet."""
        return self.sorted_lines().by_seat.get(self.current_seat(), [])[self.play.current.carried :]

    def due(self) -> Due:
        """Return what is due at the current seat."""
        round_, read = self.play.current, self.large.cards.read_cards()
        looked_at = [(hit.seat, hit.wager) for hit in round_.hits]
        # Asked up to four times an event, and by the next one again. What is decided anew is a new list.
        by = round_.lines, round_.order, round_.settled, round_.carried, looked_at, read, round_.plan
        if by != self._due_by:
            self._due_by, self._due = by, self._due_now(looked_at, read)
        return self._due

    def _due_now(self, looked_at: list[Spot], read: Mapping[int, int]) -> Due:
        round_, seat = self.play.current, self.current_seat()
        turn = seat, round_.carried, tuple([spot for spot in looked_at if spot[0] == seat])
        if turn in self._ahead and self._ahead_by == (round_.lines, round_.order, read, round_.plan):
            return self._ahead[turn]
        return self._found_due(self.lines_left(), looked_at)

    def _found_due(self, left: list[Line], looked_at: Sequence[Spot]) -> Due:
        # Asked of wins alone: this is asked of each line twice, and most of them are lost.
        waits = [line.result == "win" and self.is_awaited(line, looked_at) for line in left]
        if True not in waits:
            return Due(left, [])
        first = waits.index(True)
        # A hit on a meter and one on an account are looked at apart: envy
        # is paid between them (641a.11(c)(5)(v), (7)).
        on_account = self.is_on_account(left[first])
        run = takewhile(
            lambda at: (
                (waits[at] or left[at].wager.startswith(outcome.ENVY))
                and self.is_on_account(left[at]) == on_account
            ),
            range(first, len(left)),
        )
        return Due(left[:first], [left[at] for at in run if waits[at]])

    def is_awaited(self, line: Line, looked_at: Sequence[Spot]) -> bool:
        """Return whether a win waits for the floor, which has looked at these."""
        return self.large.wants_floor(line) and (line.seat, line.wager) not in looked_at

    def is_share(self, line: Line) -> bool:
        """Return whether a line is paid from a meter."""
        return self.shares.share_payout(line) is not None

    def is_on_account(self, line: Line) -> bool:
        """Return whether a line is of a wager on a game account, or of a bonus on one."""
        return line.wager.partition(":")[0] in self.law.account_wagers

    def pay_seat(self, _value: str) -> None:
        """Carry out the lines of the current seat up to the first hit that waits (641a.11(c)(3)-(5))."""
        round_ = self.play.current
        # Money moves now: what was declared before is no more BACK's to open.
        round_.say("")
        now, awaited = self.due()
        for line in now:
            self.carry_out(line)
            round_.carried += 1
        if awaited:
            self._call_floor(awaited)
            return
        round_.settled += 1
        round_.carried = 0
        if not self.current_seat():
            self._end_of_settlement()

    def _call_floor(self, waiting: list[Line]) -> None:
        """Announce a win by the device's light, freeze it and call the floor."""
        for line in (line for line in waiting if self.large.is_on_device(line)):
            if self.linked_hits.claim(line):
                continue  # its amount is the floor's to say
            cents, row = self.shares.hit_cents(line), line.row or ""
            self.play.current.freeze(Hit(line.seat, line.wager, row, cents, self.is_share(line)))
            self.out.emit(FreezeHit(seat=line.seat, wager=line.wager, row=row, cents=cents, cite=line.cite))
        why = f"validate seat {self.current_seat()}"
        self.calling.call(Role.FLOOR, why, waiting[0].cite)
        self.phases.hit()

    def is_collected(self, line: Line) -> bool:
        """Return whether a fold's stake was taken before the reveal."""
        if line.result not in LOST:
            return False
        return line.seat in self.play.current.collected and line.wager in self.law.chapter.contest.wagers

    def carry_out(self, line: Line) -> None:
        """Carry out one line; a share of a meter leaves the meter now."""
        stake, cite, collected = line.stake, line.cite, self.play.current.collected
        if line.result in ("returned", "push"):
            self.chip_count.give_back(line.seat, line.wager, line.back, cite)
            return
        if line.result in ("lose", "forfeit"):
            # A fold's forfeits were taken before the reveal (x.11(c)): nobody takes them twice.
            if not (collected and self.is_collected(line)):
                self.out.emit(_collect(line.seat, line.wager, stake, cite))
            return
        share, paid = self.shares.share_payout(line), line.paid
        if share:
            # Read before it leaves the meter, which shows its seed afterwards.
            paid = self.shares.hit_cents(line)
            self.shares.draw(line, share)
        # A share of a meter is paid by the meter, also where its wager was made on an account.
        if self.is_on_account(line) and not share:
            self.out.emit(CreditAccount(seat=line.seat, wager=line.wager, cents=line.paid or 0, cite=cite))
            self.accounts.owe(line.seat, line.wager, line.paid or 0, cite, is_stake=False)
            return
        # The tray pays for odds; a meter's money is no chip of the tray.
        self.out.emit(_pay(line.seat, line.wager, paid, line.back, line.odds or "", share is None, cite))

    def validate_hit(self, _value: str) -> None:
        """Validate, for the floor, the hits of the current seat that are settled next."""
        by = self.crew.person(Role.FLOOR)
        for line in self.due().awaited:
            needs, cents = self.is_share(line), self.shares.hit_cents(line)
            self.play.current.look_at(Hit(line.seat, line.wager, line.row or "", cents, needs, by))
            self.linked_hits.validated(line, by)
        self.phases.hit_validated()

    def look_again(self) -> None:
        """Hold announced hits against lines decided anew; those that changed are announced in their turn."""
        round_, stands = (
            self.play.current,
            {(*line[:2], self.shares.hit_cents(line)) for line in self.lines_left()},
        )
        open_ = self.hits.waiting()
        gone = [hit for hit in open_ if (hit.seat, hit.wager, hit.cents) not in stands]
        now, awaited = self.due()
        if self.play.phase is VALIDATING and (gone or now or not awaited):
            # One of them has changed: OK announces them all anew.
            gone = open_
            self.phases.hit_validated()
        self.hits.drop(gone)
        round_.announce([hit for hit in round_.frozen if hit not in gone])
        spots = {(hit.seat, hit.wager) for hit in gone}
        round_.keep_hits(lambda hit: (hit.seat, hit.wager) not in spots)
        self.claim_again()

    def settle_again(self) -> None:
        """Decide anew what is not carried out yet, after somebody left or did not leave after all."""
        if self.play.phase is DECLARING:
            self.declaring.go_on()
        else:
            self.declaring.settle_again()
            self.look_again()

    def claim_again(self) -> None:
        """Claim what is awaited now and was not before, where another outcome stands."""
        if self.play.phase is VALIDATING:
            for line in self.due().awaited:
                self.linked_hits.claim(line)

    def _end_of_settlement(self) -> None:
        if any(hit.needs_documents for hit in self.play.current.hits):
            # The hand stays until its documents are done (641a.11(c)(5)(iv)).
            self.calling.call(Role.FLOOR, "documents of the hit", self.law.cite("11(c)(5)(iv)"))
            self.phases.await_documents()
        else:
            self.phases.all_settled()

    def documents_done(self, _value: str) -> None:
        """Go on after the documents are done; the hand may be cleared."""
        self.play.current.note(
            self.clock.now, "documents done", self.law.cite("11(c)(5)(iv)"), self.crew.person(Role.FLOOR)
        )
        self.phases.all_settled()

    def _verify_draw(self, event: DrawMade) -> None:
        """Raise unless a card of the pack, a position of the table, or both were drawn."""
        card, position = event.magic_card, event.lucky
        if card is None and position is None:
            raise Refused("nothing was drawn")
        if card is not None and not 0 <= card < self.law.chapter.deck.pack:
            raise Refused("there is no such card")
        is_seat = isinstance(position, int) and 1 <= position <= self.law.setup.seat_count
        if position is not None and position != "dealer" and not is_seat:
            raise Refused(f"there is no position {position}")

    def _unseal(self, event: DrawMade) -> None:
        """Open a draw; one with a number that was not under seal is no draw of this round."""
        sealed = self.play.current.sealed
        if event.draw and all(each.draw != event.draw for each in sealed):
            raise Refused(f"draw {event.draw} was not sealed for this round")
        self.play.current.unseal(event.draw)

    def on_draw(self, event: DrawMade) -> None:
        """Take a card or a position that the table game system drew, before the settlement."""
        if self.play.round is None or self.play.phase in SETTLED:
            raise Refused("a draw belongs to a round that is not yet settled")
        if not self.law.chapter.extras:
            raise Refused(f"{self.law.chapter.id} has no draws")
        # All that may refuse it comes before anything changes.
        self._verify_draw(event)
        self.play.confirm()
        self._unseal(event)
        self.play.current.magic_card = (
            # Card and position may come as two draws: neither wipes out the other.
            event.magic_card if event.magic_card is not None else self.play.current.magic_card
        )
        self.play.current.lucky = event.lucky if event.lucky is not None else self.play.current.lucky
        words = f"drawn by {event.source or 'the game system'}: "
        card = NAMES[event.magic_card] if event.magic_card is not None else ""
        self.play.current.note(
            self.clock.now, f"{words}{card} {event.lucky or ''}".strip(), self.law.cite("12(g)(3)")
        )


LOST = ("forfeit", "lose")
ACTIONS = (
    Action(
        "pay_seat",
        "SEAT SETTLED",
        Role.DEALER,
        phases(Phase.SETTLING),
        "11(c)",
        Settling.pay_seat,
        key=Key.OK,
    ),
    Action(
        "validate_hit",
        "VALIDATE HIT",
        Role.FLOOR,
        *of_way("hit_validated"),
        Settling.validate_hit,
        lambda room, value: room.linked_hits.verify_heard(value),
    ),
    Action(
        "documents",
        "DOCUMENTS DONE",
        Role.FLOOR,
        phases(Phase.DOCUMENTS),
        "11(c)(5)(iv)",
        Settling.documents_done,
    ),
)
