"""No card leaves the table before it is public on the felt.

At every event of whole rounds everything is walked that leaves the table: effects, the views of each role,
the record of the round, the reasons of refusals, and what events and the state write of themselves. The
cards found there must be among those that lie face up, which is computed here from the order in which cards
left and from what the chapter turns when, not from what the table says is public.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.action import Refused
from sabot.statemachine.events import CardDrawn, DrawMade, Role, Secret, ShuffleCompleted, StackDispensed
from sabot.statemachine.phases import Phase

from .amounts import SEEDS
from .audit_cards import CardAuditor
from .marked import LeakError, Marked, cards_in_text, cards_within
from .random_shift import RandomShift
from .setups import WAYS, Way

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sabot.statemachine.effects import Effect
    from sabot.statemachine.events import Event
    from sabot.statemachine.state import RoundState

READ_WAYS = [way for way in WAYS if way.knowledge in ("each_card", "stack")]
ROUNDS = 5
TURNED_UP = (Phase.SETTLING, Phase.VALIDATING, Phase.DOCUMENTS, Phase.CLEARING)
SIXTH_FACE_UP = ("pa641a", "md4cp")


class FaceUp:
    """What everybody at the table can see, found from what was dealt and done."""

    def __init__(self, shift: RandomShift) -> None:
        self.shift = shift
        self.cards = CardAuditor(shift.table)
        self.was: set[int] = set()
        self.drawn: set[int] = set()
        self.revealed = 0

    def see(self, event: Event, effects: list[Effect]) -> set[int]:
        """The open cards after an event, those of a round that just ended included."""
        self.cards.see(event, effects)
        if isinstance(event, DrawMade) and event.magic_card is not None:
            self.drawn.add(int(event.magic_card))
        round_ = self.shift.table.state.round
        if round_ is not None:
            self.was = set(self._open(round_))
        return self.was | self.drawn

    def _open(self, round_: RoundState) -> Iterator[int]:
        phase = self.shift.table.state.phase
        if phase is Phase.SETTLING:
            self.revealed = round_.number
        is_revealed = self.revealed == round_.number and phase in TURNED_UP and not round_.void
        for place, cards in self._places(round_).items():
            known = [(nth, card) for nth, card in cards if card is not None]
            yield from (
                card for nth, card in known if self._is_open(round_, place, nth, revealed=is_revealed)
            )

    def _places(self, round_: RoundState) -> dict[str, list[tuple[int, int | None]]]:
        places: dict[str, list[tuple[int, int | None]]] = {}
        for each in round_.plan:
            if each.position <= len(self.cards.out):
                places.setdefault(each.place, []).append((each.nth, self.cards.out[each.position - 1]))
        return places

    def _is_open(self, round_: RoundState, place: str, nth: int, *, revealed: bool) -> bool:
        if place == "community":
            return nth <= round_.turned
        if place == "dealer" and nth == 6 and self.shift.way.chapter in SIXTH_FACE_UP:
            return True
        if not revealed or place == "discard":
            return False
        if not place.startswith("seat"):
            return True
        seat = int(place.partition(":")[0].removeprefix("seat"))
        return seat in round_.order[: round_.settled + 1] and self._competes(round_, seat)

    def _competes(self, round_: RoundState, seat: int) -> bool:
        """A folded hand is never turned, but where a wager of it is still alive."""
        if seat in round_.left:
            return False
        wagers = self.shift.table.chapter.wagers
        keeps = self.shift.table.house.keeps_after_fold
        return seat not in round_.folded or any(keeps(wagers[name]) for name in round_.bets[seat])


def look_everywhere(shift: RandomShift, event: Event, effects: list[Effect]) -> Iterator[tuple[str, int]]:
    """The cards in all that leaves the table, with where they were found."""
    table = shift.table
    yield from (("effects", card) for card in cards_within(effects))
    yield from (("effects as text", card) for card in cards_in_text(repr(effects)))
    for role in Role:
        yield from ((f"view of the {role}", card) for card in cards_within(table.view(role)))
    if not isinstance(event, DrawMade):
        yield from (("an event as text", card) for card in cards_in_text(repr(event) + str(event)))
    yield from (("the state as text", card) for card in cards_in_text(repr(table.state)))
    for name in table.actions:
        try:
            table.verify(name)
        except Refused as refusal:
            yield from ((f"why not {name}", card) for card in cards_in_text(repr(refusal)))


@pytest.mark.parametrize("way", READ_WAYS, ids=str)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_card_leaves_the_table_before_it_is_public(way: Way, seed: int) -> None:
    shift = RandomShift(seed, way, noise=0.03, whims=0.03, mark=Marked)
    felt = FaceUp(shift)
    shown: set[int] = set()
    for event, effects in shift.rounds(ROUNDS):
        face_up = felt.see(event, effects)
        for where, card in look_everywhere(shift, event, effects):
            assert card in face_up, (shift, where, card, event)
            shown.add(card)
        record = shift.table.last_record
        if shift.table.state.round is None and record is not None:
            assert set(cards_within(record)) <= face_up, (shift, record.number, record)
    assert shown or shift.table.state.knowledge == "none", shift


@pytest.mark.parametrize(
    "event",
    [
        CardDrawn(at=1.0, card=Secret(Marked(50))),
        StackDispensed(at=1.0, count=1, cards=(Secret(Marked(50)),)),
        ShuffleCompleted(at=1.0, deck="A", count=52, composition=(Secret(Marked(50)),)),
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_may_be_logged_and_its_card_may_not(event: Event) -> None:
    assert not list(cards_in_text(f"{event!r} {event}"))
    with pytest.raises(LeakError):
        list(cards_within(event))


def test_the_walk_finds_a_card_however_it_is_hidden() -> None:
    assert list(cards_within({"a": [(1, {Marked(50)})]})) == [50]
    assert list(cards_within(f"drawn: {Marked(50)}")) == [50]
    assert list(cards_within("drawn: Ah and 10d, not Ahead")) == [50, 33]
    with pytest.raises(LeakError):
        list(cards_within([object()]))
