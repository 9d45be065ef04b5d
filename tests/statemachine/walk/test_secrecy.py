"""No card leaves the table before it is public on the felt.

At every event of whole rounds everything is walked that leaves the table: effects, the views of each role,
the record of the round, the reasons of refusals, and what events and the state write of themselves. The
cards found there must be among those that lie face up, which is computed here from the order in which cards
left and from what the chapter turns when, not from what the table says is public.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.vocabulary.events import CardDrawn, Secret, ShuffleCompleted, StackDispensed

from .amounts import SEEDS
from .felt import FaceUp, look_everywhere
from .marked import LeakError, Marked, cards_in_text, cards_within
from .random_shift import RandomShift
from .setups import WAYS, Way

if TYPE_CHECKING:
    from sabot.statemachine.vocabulary.events import Event

READ_WAYS = [way for way in WAYS if way.knowledge in ("each_card", "stack")]
ROUNDS = 5


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
        record = shift.table.rooms.recorded.last
        if shift.table.state.play.round is None and record is not None:
            assert set(cards_within(record)) <= face_up, (shift, record.number, record)
    assert shown or shift.table.state.devices.knowledge == "none", shift


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
