"""Taking back: the last declaration, because it was a mistake, or the whole round, because it is void.

Before an irregularity, a card face up, a player who left or boxes joined, the round is kept as it stood.
BACK puts it there again until the next step is confirmed or the next card leaves; a round that became void is
the floor's to restore, as long as no payment, no account and no deck stands against it. What was declared
stays in the record, and so does that it was taken back.

Of a void round every stake goes back by what the law says of it, and nothing of it stays on a meter:
contributions are reversed and hits restored by name. What was paid before the round turned out void is listed
to be taken back. Beside the irregularities that void by law, a floorperson may void a round that is held by
what no law names: a deck proven bad, a shoe that gives no more cards.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.rules.round import Line
from sabot.statemachine.action import HOLD, ROUND_PHASES, Action, Refused, phases
from sabot.statemachine.chips import Answering, ChipCount
from sabot.statemachine.contest import begun, carried_out
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.hits import Hits
from sabot.statemachine.law import ACCOUNT, Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.outcome import Settlements
from sabot.statemachine.settling import Settling
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.ledger import REVERSAL, STANDS, Cause
from sabot.statemachine.state.parts import EntryState, OpenWagers, TableClock, TableCrew
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import Payment, Play, Undo
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.effects import CollectWager, RestoreRound, TakeBackPayment, VoidRound
from sabot.statemachine.vocabulary.events import Key, Role
from sabot.statemachine.vocabulary.fault_kinds import POLICY

if TYPE_CHECKING:
    from collections.abc import Mapping


VOID, BY_FLOOR = "the round is void: only the floor can undo it", "only the floor can undo it"

_BACK: "Mapping[tuple[Phase, Phase], tuple[str, ...]]" = {
    (Phase.DEALING, Phase.STUB): ("dealt",),
    (Phase.TURNING, Phase.DECIDING): ("ask",),
    (Phase.SETTLING, Phase.DECLARING): ("declare_again",),
    # Once the words about a player who left are gone, a hand that had followed from them may be open again.
    (Phase.DECLARING, Phase.SETTLING): ("settle",),
    (Phase.DECLARING, Phase.VALIDATING): ("settle", "hit"),
    (Phase.SETTLING, Phase.VALIDATING): ("hit",),
}


@dataclass(slots=True, eq=False, repr=False)
class TakingBack:
    """Take back the last declaration."""

    law: Law
    phases: Phases
    out: Outbox
    crew: TableCrew
    entry: EntryState
    stock: Stock
    layout: OpenWagers
    books: MoneyBooks
    play: Play
    dealing: Dealing
    hits: Hits
    linked_meters: LinkedMeters
    settling: Settling

    def remember(self, words: str) -> None:
        """Keep the round and the boxes as they stand before a declaration."""
        undo = Undo(words, self.play.phase, dict(self.layout.boxes))
        if self.play.round is not None:
            # Whole, not what changes: a declaration may reach into plan, wagers, settlement and hits alike.
            undo.round = deepcopy(self.play.round)
            undo.contributions = list(self.books.ledger.given())
        self.play.remember(undo)

    def may_take_back(self) -> bool:
        """Return whether the last thing that happened was a declaration."""
        return self.play.undo is not None

    def is_the_floors(self) -> bool:
        """Return whether the last declaration may void something: then it is the floor's in every chapter."""
        undo, now = self.play.undo, self.play.round
        if undo is None or undo.round is None or now is None:
            return False
        before = undo.round
        return any(
            getattr(now, name) != getattr(before, name) for name in ("void", "irregularity", "exposed")
        )

    def take_back(self) -> None:
        """Take back the last declaration, as BACK does: it was a mistake."""
        undo = self.play.undo
        assert undo is not None  # the caller looked
        # Boxes are joined between rounds: there is nothing else to put back.
        if undo.round is None:
            self.layout.part_boxes(undo.boxes)
            self._forget(undo, self.crew.dealer)
            return
        if self.play.current.void:
            raise Refused(VOID)
        if self.is_the_floors():
            raise Refused(BY_FLOOR)
        self._restore(undo, self.play.current.dealer)

    def _restore(self, undo: Undo, by: str) -> None:
        """Put the round back as it stood, but for what the record and the shoe have had since."""
        before, now = undo.round, self.play.current
        assert before is not None  # the caller looked
        before.go_on_from(now)
        self.play.begin(before)
        self._move_back(undo.phase)
        # A new outcome may have let go of a hit that was announced; of a round with one no void is undone.
        self.hits.tell_again(now.frozen)
        self.settling.claim_again()
        self.entry.clear_pending()
        self._forget(undo, by)

    def _move_back(self, phase: Phase) -> None:
        """Go back from where a declaration led to the phase in which it was made."""
        for trigger in _BACK.get((self.play.phase, phase), ()):
            getattr(self.phases, trigger)()

    def _forget(self, undo: Undo, by: str) -> None:
        self.out.note(f"{undo.words} taken back", self.law.cite("13" if undo.round else "7(e)"), by)
        self.play.confirm()
        if self.play.phase is Phase.DEALING:  # the declaration had recalled the shoe's order
            self.dealing.order_stack()

    # ---------------------------------------------------------------- by the floor

    def verify_undo(self, _value: str) -> None:
        """Raise where something cannot be put back: a payment, an account, a deck that left."""
        undo = self.play.undo
        if undo is None or undo.round is None:
            raise Refused("the round was not made void by the last entry")
        if not self.play.current.void:
            return
        wagers = self.law.chapter.wagers
        # Money has changed hands by the old outcome: the void stands (reading V22).
        if begun(undo.round):
            raise Refused("seats were settled before the void")
        # A wager that is back on an account is the player's: the table cannot take it out again.
        if any(wagers[wager].device == ACCOUNT for bets in undo.round.bets.values() for wager in bets):
            raise Refused("account wagers went back to their accounts")
        if undo.round.deck not in self.stock.decks:
            raise Refused(f"the deck has left the table ({self.law.cite('8(h)')})")

    def undo_void(self, _value: str) -> None:
        """Restore a round where it stood, for the floor finds that there was nothing to void."""
        undo, by = self.play.undo, self.crew.person(Role.FLOOR)
        assert undo is not None  # verified
        if not self.play.current.void:
            self._restore(undo, by)
            return
        cause = Cause(STANDS, self.play.current.number)
        self.books.ledger.feed_again(undo.contributions, cause)
        self.linked_meters.give_again()
        self.books.day.count_void(-1)
        self.out.emit(RestoreRound(why=f"{undo.words} taken back", cite=self.law.cite("13")))
        self.dealing.free_recalled(self.law.cite("13"))
        getattr(self.phases, f"stand_{undo.phase.value}")()
        self._restore(undo, by)


UNDO_ACTIONS = (
    Action(
        "undo_void",
        "UNDO VOID",
        Role.FLOOR,
        phases(Phase.RETURNING, Phase.DEALING, Phase.STUB, Phase.DECIDING, Phase.TURNING),
        "13",
        TakingBack.undo_void,
        TakingBack.verify_undo,
        when=TakingBack.is_the_floors,
        while_held=True,
    ),
)


# ------------------------------------------------------------ the whole round


def _went_back(line: Line) -> bool:
    """Return whether the stake of a line is the player's again; where it is not known its odds tell."""
    # "To 1" leaves the stake with the player, "for 1" does not (reading P8).
    if line.result == "win" and line.stake is None:
        return " to " in (line.odds or "")
    return line.result in ("returned", "push") or bool(line.back)


# ---------------------------------------------------------------- by the floor

PROVEN_BAD = ("composition", "deck_color")
PAID_FIRST = "paid_first"
# Faults that leave it open whether an automated shoe gives all its cards; one that is certain has voided the
# round.
IN_DOUBT = ("short_stack", "contradiction", "lost_link", "device", "sort_mode", "not_emptied", "exit_sensor")


@dataclass(slots=True, eq=False, repr=False)
class Voiding:
    """Void a round."""

    law: Law
    phases: Phases
    out: Outbox
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    books: MoneyBooks
    play: Play
    answering: Answering
    chip_count: ChipCount
    dealing: Dealing
    deck_room: Decks
    faults: FaultLatch
    hits: Hits
    linked_meters: LinkedMeters
    linked_hits: LinkedHits
    settlements: Settlements

    def void(self, why: str, cite: str, *, remove: bool = False) -> None:
        """Void the round: stakes go back, contributions are reversed, payments listed to be taken back."""
        round_, ledger = self.play.current, self.books.ledger
        # Asked before anything goes back: afterwards the books say that nothing was drawn.
        hit_paid, cause = bool(ledger.draws) or self.linked_hits.was_paid(), Cause(REVERSAL, round_.number)
        # Set first: what follows asks whether the round is void, and by which paragraph.
        round_.void = cite
        self.out.emit(VoidRound(why=why, cite=cite))
        # Before the phase changes: only while players are asked is it known whose chips those are.
        self.answering.return_chips(why)
        # A stack that came now would be of no round.
        self.dealing.recall_order(cite)
        self.hits.drop(round_.frozen)
        # What was carried out is taken down here, for the void settles the round once more, with other lines.
        self._give_back(carried_out(round_), cite)
        # Hits first, contributions after them: what wagers gave may have been in what a hit took.
        # Both are walked to their end: each entry is posted as it is asked for.
        list(ledger.restore_draws(cause))
        list(ledger.reverse_round(cause))
        self.linked_meters.take_back(cite)
        self.books.day.count_void(1)
        self.entry.clear_pending()
        round_.turn_to(0)
        self.phases.void()
        if remove:
            self.deck_room.remove_deck(round_.deck, why, cite)
        if hit_paid:
            self.faults.hold("hit_paid", "table", "a meter hit of a void round was paid", cite)

    def void_with_deck(self, why: str, cite: str) -> None:
        """End the round with its deck: every stake goes back, and the deck leaves the table."""
        self.play.current.meet("stub_short")
        self.void(why, cite, remove=True)

    def _give_back(self, carried_out: list[Line], cite: str) -> None:
        """Give back or collect each stake as the law says of a void round, less what was done already."""
        shares = [hit for hit in self.play.current.hits if hit.needs_documents]
        for line in carried_out:
            if line.result == "win" and line.paid != 0:
                cents = next((hit.cents for hit in shares if (hit.seat, hit.wager) == line[:2]), line.paid)
                self._list_payment(Payment(line.seat, line.wager, cents), cite)
        # By the law's own settlement of a void round: which
        # stake goes back, and by which paragraph, it knows.
        self.settlements.settle_known()
        went_back = {(line.seat, line.wager) for line in carried_out if _went_back(line)}
        taken = {(line.seat, line.wager) for line in carried_out if line.result in ("lose", "forfeit")}
        taken |= {
            (seat, wager) for seat in self.play.current.collected for wager in self.law.chapter.contest.wagers
        }
        for line in self.play.current.lines:
            spot = line.seat, line.wager
            if line.result == "returned" and spot not in went_back:
                self.chip_count.give_back(line.seat, line.wager, line.stake, line.cite)
            elif line.result != "returned" and spot not in taken:
                self.out.emit(
                    CollectWager(seat=line.seat, wager=line.wager, cents=line.stake, cite=line.cite)
                )

    def _list_payment(self, paid: Payment, cite: str) -> None:
        """Put a payment that was made on the dealer's list, and in the record."""
        self.play.current.take_back.append(paid)
        self.out.emit(TakeBackPayment(seat=paid.seat, wager=paid.wager, cents=paid.cents, cite=cite))
        what = "chips" if paid.cents is None else paid.cents
        self.play.current.note(
            self.clock.now, f"seat {paid.seat} {paid.wager}: {what} paid is to be taken back", cite
        )

    def look_at_payments(self, key: Key) -> None:
        """Walk through the list of what is to be taken back."""
        count = len(self.play.current.take_back)
        if not count:
            raise Refused(f"{key} means nothing now")
        way, pending = 1 if key is Key.RIGHT else -1, self.entry.pending
        pending.move_to((pending.choice + way) % count)

    def void_reason(self) -> tuple[str, str]:
        """Return the irregularity as which a held round may be voided, and why; both empty for none."""
        holding = self.faults.holding()
        if not holding:
            return "", ""
        is_clearing = self.play.phase is Phase.CLEARING
        # A void round is not voided again, and a round by hand is the people's.
        if is_clearing and (self.play.current.void or self.play.current.by_hand):
            return "", ""
        kinds = {PAID_FIRST: "wrong_count"}
        if not is_clearing:
            kinds |= dict.fromkeys(PROVEN_BAD, "stub_short")
        for held in holding:
            if held.kind in kinds:
                return kinds[held.kind], held.why
            if held.kind in IN_DOUBT and held.device == "shoe" and self._may_lack_cards(held.kind):
                return "shoe_jam", held.why
        return "", ""

    def _may_lack_cards(self, kind: str) -> bool:
        """Return whether the shoe has cards to give yet, or put out a stack that nobody has counted."""
        is_stack = kind == "short_stack" and self.play.phase in (Phase.DEALING, Phase.STUB)
        # A shoe that is drawn from by hand may say so too, and gives no stacks.
        return (is_stack and self.dealing.has_automated_shoe()) or self.dealing.waits_for_shoe()

    def may_void(self) -> bool:
        """Return whether anything that holds the round voids it."""
        return any(self.void_reason())

    def verify_void(self, _value: str) -> None:
        """Raise unless a bad deck, a shoe without more cards, or a void left to the floor holds it."""
        if not self.may_void():
            raise Refused("nothing that holds the round voids it")

    def void_round(self, _value: str) -> None:
        """Void a held round for the floor; a deck that is proven bad leaves the table (our own policy)."""
        kind, why = self.void_reason()
        found = self.law.chapter.irregularities[kind]
        self.play.current.meet(kind)
        self.out.note(f"void: {why}", found.cite, self.crew.person(Role.FLOOR))
        # The law names no deck that was read as impossible; we void by what it says of a deck that is short.
        is_ours = kind == "stub_short"
        self.void(why, POLICY if is_ours else found.cite, remove=is_ours)


ACTIONS = (
    Action(
        "void_round",
        "VOID ROUND",
        Role.FLOOR,
        ROUND_PHASES | phases(Phase.CLEARING),
        "13",
        Voiding.void_round,
        Voiding.verify_void,
        when=Voiding.may_void,
        while_held=True,
        needs=HOLD,
    ),
)
