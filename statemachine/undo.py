"""Taking back the last declaration: an irregularity, a card face up, a player who left, boxes joined.

Before such an entry the round is kept as it stood. BACK puts it there again until the next step is confirmed
or the next card leaves; a round that became void is the floor's to restore, as long as no payment, no account
and no deck stands against it. What was declared stays in the record, and so does that it was taken back.
"""

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.effects import RestoreRound
from sabot.statemachine.events import Role
from sabot.statemachine.hits import Hits
from sabot.statemachine.law import Law
from sabot.statemachine.ledger import STANDS, Cause
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.offers import ACCOUNT
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.parts import OpenWagers
from sabot.statemachine.people import EntryState, TableCrew
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.round import Play, Undo
from sabot.statemachine.settled import begun
from sabot.statemachine.settling import Settling
from sabot.statemachine.stock import Stock

if TYPE_CHECKING:
    from collections.abc import Mapping

VOID, BY_FLOOR = "the round is void: only the floor can undo it", "only the floor can undo it"

_BACK: "Mapping[tuple[Phase, Phase], tuple[str, ...]]" = {
    (Phase.DEALING, Phase.STUB): ("dealt",),
    (Phase.TURNING, Phase.DECIDING): ("ask",),
    (Phase.SETTLING, Phase.DECLARING): ("declare_again",),
    # Without the words of whoever left a hand may be open again that had followed from them.
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
        """Keep what stands before a declaration."""
        undo = Undo(words, self.play.phase, dict(self.layout.boxes))
        if self.play.round is not None:
            undo.round = deepcopy(self.play.round)
            undo.contributions = list(self.books.ledger.contributions)
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
        """BACK: the last declaration was a mistake."""
        undo = self.play.undo
        assert undo is not None  # the caller looked
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
        """The round as it stood, but for what the record and the shoe have had since."""
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
        """From where a declaration led to where it was made."""
        for trigger in _BACK.get((self.play.phase, phase), ()):
            getattr(self.phases, trigger)()

    def _forget(self, undo: Undo, by: str) -> None:
        self.out.note(f"{undo.words} taken back", self.law.cite("13" if undo.round else "7(e)"), by)
        self.play.confirm()
        if self.play.phase is Phase.DEALING:
            self.dealing.order_stack()

    # ---------------------------------------------------------------- by the floor

    def verify_undo(self, _value: str) -> None:
        """Nothing that cannot be put back: a payment, an account, a deck that left."""
        undo = self.play.undo
        if undo is None or undo.round is None:
            raise Refused("the round was not made void by the last entry")
        if not self.play.current.void:
            return
        wagers = self.law.chapter.wagers
        if begun(undo.round):
            raise Refused("seats were settled before the void")
        if any(wagers[wager].device == ACCOUNT for bets in undo.round.bets.values() for wager in bets):
            raise Refused("account wagers went back to their accounts")
        if undo.round.deck not in self.stock.decks:
            raise Refused(f"the deck has left the table ({self.law.cite('8(h)')})")

    def undo_void(self, _value: str) -> None:
        """The floor finds that there was nothing to void: the round stands where it stood."""
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


ACTIONS = (
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
