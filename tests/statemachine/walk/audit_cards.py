"""Fifty-two cards are always somewhere, each once, and none is taken before the lock.

The order in which cards left the deck is kept here from the events; the table must have the same cards in
the same order, its plan must have a place for each of them and for no other, and what is left is the stub.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sabot.rules.cards import PACK_SIZE
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import Dispense, RecordRound
from sabot.statemachine.vocabulary.events import CardDrawn, Event, KeyPressed, StackDispensed

from .auditor import Auditor, is_refused, of_kind

if TYPE_CHECKING:
    from sabot.rules.plan import Placement
    from sabot.statemachine.table import Table
    from sabot.statemachine.vocabulary.effects import Effect


BEFORE_DEAL = (Phase.BETS_OPEN, Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, Phase.CUTTING, Phase.DEALING)


def _cards_of(event: Event) -> list[int | None]:
    """The cards that a shoe says left it, as far as it read them."""
    if isinstance(event, CardDrawn):
        return [event.card.card if event.card else None]
    if not isinstance(event, StackDispensed):
        return []
    is_read = len(event.cards) == event.count
    return [card.card for card in event.cards] if is_read else [None] * event.count


class CardAuditor(Auditor):
    """Keeps the order in which cards left."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.out: list[int | None] = []
        self.early: list[int | None] = []
        self.number = 0
        self.wanted = 0
        self.is_accused = False
        self.plan: list[Placement] = []
        self.length = 0

    def look(self, event: Event, effects: list[Effect]) -> None:
        round_ = self.table.state.play.round
        if of_kind(effects, RecordRound):
            self._compare_record()
        self._early(event, effects)
        if round_ is None:
            self.out = []
            return
        if round_.number != self.number:
            self.number, self.out, self.is_accused, self.wanted = round_.number, [], False, 0
            early = len(self.early)
            self.hold_that(round_.drawn <= early, "a card of this round left before the lock unseen")
        self.out += self.early[: round_.drawn - len(self.out)]
        self.early = [] if round_.drawn else self.early
        if self.phase is Phase.DEALING and not is_refused(effects):
            self.out += self._left(event, round_.drawn - len(self.out))
        if isinstance(event, KeyPressed):
            self._by_hand(round_.drawn)
        self.is_accused |= any(held.kind == "composition" for held in self.table.state.trouble.holds)
        self._compare(round_.seen, round_.drawn)
        for order in of_kind(effects, Dispense):
            self.wanted = order.count

    def _early(self, event: Event, effects: list[Effect]) -> None:
        """Cards out of a deck that lies ready before its deal are the first of it (x.13(b))."""
        state = self.table.state
        if state.play.phase not in BEFORE_DEAL:
            if state.play.round is None or not state.play.round.drawn:
                self.early = []
            return
        is_ready = state.stock.in_play in state.stock.decks and state.stock.decks[state.stock.in_play].ready
        is_due = state.play.round is not None and state.play.round.drawn
        if not (is_ready or is_due):  # they go with their deck, which the floor has had shuffled again
            self.early = []
        if self.phase in BEFORE_DEAL and is_ready and not is_due and not is_refused(effects):
            self.early += _cards_of(event)

    def _left(self, event: Event, taken: int) -> list[int | None]:
        """The cards that a device reports; of a stack that is too large the table takes what the plan wants."""
        if isinstance(event, CardDrawn) and taken:
            return [event.card.card if event.card else None]
        if isinstance(event, StackDispensed) and taken:
            if event.count != self.wanted and self._counts_by_floor():
                self.hold_that(taken == self.wanted, taken, "taken of", self.wanted, "that were ordered")
                return [None] * taken
            least = min(event.count, self.wanted, len(self.table.state.play.current.plan) - len(self.out))
            self.hold_that(
                least <= taken <= event.count, taken, "taken of", event.count, "wanted", self.wanted
            )
            is_read = len(event.cards) == event.count
            return [card.card for card in event.cards[:taken]] if is_read else [None] * taken
        return []

    def _counts_by_floor(self) -> bool:
        """By reading V18 the floor counts a wrong stack: what it releases is whole, and no card of it known."""
        table = self.table
        return table.law.readings["stack_count"] == "held" and table.law.setup.policies.short_stack

    def _by_hand(self, drawn: int) -> None:
        """Without a reader cards leave, and the last ones are taken back, by the dealer's keys."""
        while len(self.out) > drawn:
            self.hold_that(self.out.pop() is None, "a card that was read is forgotten")
        self.out += [None] * (drawn - len(self.out))

    def _compare(self, seen: Sequence[object], drawn: int) -> None:
        ours = [None if card is None else card.card for card in seen]  # type: ignore[attr-defined]
        self.hold_that(ours == self.out, "cards left", self.out, "the table has", ours)
        read = [card for card in self.out if card is not None]
        is_proof = self.table.law.setup.policies.composition
        is_proper = not is_proof or self.is_accused or len(read) == len(set(read))
        self.hold_that(is_proper, "a card left twice and the deck is not accused", read)
        self.hold_that(drawn == len(self.out), drawn, "cards drawn,", len(self.out), "left")
        length = len(self.table.state.play.current.plan)
        self.hold_that(length <= PACK_SIZE and (not length or drawn <= length), drawn, length)
        if self.table.state.play.current.plan is not self.plan or length != self.length:
            self._compare_plan()

    def _compare_plan(self) -> None:
        """A place for each card and for no other; looked at again when the plan is another one."""
        self.plan, self.length = self.table.state.play.current.plan, len(self.table.state.play.current.plan)
        places = [each.position for each in self.plan]
        self.hold_that(sorted(places) == list(range(1, len(places) + 1)), "the plan's positions", places)

    def _compare_record(self) -> None:
        record = self.table.rooms.recorded.last
        assert record is not None
        shown = sum(len(cards) for cards in record.public.values())
        hidden = sum(record.hidden.values())
        self.hold_that(
            shown + hidden == len(self.out), shown, "shown,", hidden, "hidden,", len(self.out), "left"
        )
