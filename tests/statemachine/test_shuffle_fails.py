"""x.13(e): a shuffle that failed, by whatever word the device says it, is begun again before its cards are dealt."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Policies, Shuffler
from sabot.statemachine.vocabulary.effects import StartShuffle, VoidRound
from sabot.statemachine.vocabulary.events import (
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    DeviceModeChanged,
    DeviceRetested,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
)

from .shift import Shift
from .tables import CHAPTERS, law

if TYPE_CHECKING:
    from collections.abc import Callable

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
NO_POLICY = Policies(**dict.fromkeys(Policies.__dataclass_fields__, False))
# Every word in which a shuffler says that it stopped, or did not complete its cycle.
FAILURES: dict[str, Callable[[Shift], object]] = {
    "stopped": lambda shift: shift.send(ShufflerStopped, deck="A", cause="jam"),
    "stopped with a deck nobody knows": lambda shift: shift.send(ShufflerStopped, deck="", cause="door"),
    "jam": lambda shift: shift.send(DeviceJammed, device="shuffler", cause="card stuck"),
    "motor": lambda shift: shift.send(DeviceFaulted, device="shuffler", fault="motor"),
    "cycle not completed": lambda shift: shift.send(
        DeviceFaulted, device="shuffler", fault="shuffler_jam", detail="no end of the cycle"
    ),
    "cards left inside": lambda shift: shift.send(
        DeviceEmptied, device="shuffler", cards_in=52, cards_out=36
    ),
}
each_failure = pytest.mark.parametrize("failure", FAILURES)


def shuffling(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.receive()
    shift.verify_cards()
    shift.wash()
    assert shift.is_in(Phase.SHUFFLING)
    shift.in_shuffler.clear()
    return shift


def release_all(shift: Shift) -> None:
    for held in list(shift.table.state.trouble.holds):
        if held.unaccounted:
            shift.send(DeviceEmptied, device=held.device, cards_in=16, cards_out=16)
        shift.send(DeviceRetested, device=held.device, fault="all", good=True)
        (shift.technician if held.role.value == "technician" else shift.floor)("RELEASE")


def completed(shift: Shift, deck: str = "A") -> None:
    shift.send(ShuffleCompleted, deck=deck, count=52)


@each_failure
@each_chapter
def test_x_13e_a_shuffle_that_failed_is_begun_again_and_only_then_played(chapter: str, failure: str) -> None:
    shift = shuffling(chapter)
    FAILURES[failure](shift)
    release_all(shift)
    assert shift.table.rooms.faults.held is None
    cite = law(chapter).irregularities["shuffler_jam"].cite
    completed(shift)
    assert shift.why == f"deck A failed, and no new shuffle began ({cite})"
    assert shift.is_in(Phase.SHUFFLING)
    assert [each.deck for each in shift.said(StartShuffle)][-1:] == ["A"]
    shift.send(ShuffleStarted, deck="A")
    completed(shift)
    assert shift.is_in(Phase.BETS_OPEN)


@each_failure
def test_641a_13e_no_policy_switches_the_paragraph_off(failure: str) -> None:
    shift = shuffling(policies=NO_POLICY)
    FAILURES[failure](shift)
    release_all(shift)
    completed(shift)
    assert shift.is_in(Phase.SHUFFLING)


def test_641a_13e_what_begins_before_the_fault_was_tested_is_no_new_start() -> None:
    shift = shuffling()
    shift.send(ShufflerStopped, deck="A", cause="jam")
    shift.send(ShuffleStarted, deck="A")
    completed(shift)
    assert "no new shuffle began" in shift.why
    shift.send(DeviceRetested, device="shuffler", fault="shuffler_jam", good=True)
    shift.send(ShuffleStarted, deck="A")
    completed(shift)
    assert shift.table.state.stock.decks["A"].ready


def test_641a_13e_a_failed_deck_that_is_counted_short_leaves_the_table_all_the_same() -> None:
    shift = shuffling()
    shift.send(ShufflerStopped, deck="A", cause="jam")
    shift.send(ShuffleCompleted, deck="A", count=51)
    assert "A" not in shift.table.state.stock.decks


@each_failure
def test_641a_13e_with_two_decks_the_one_that_failed_is_shuffled_again(failure: str) -> None:
    """B is in the shuffler while A is dealt; the round on the felt goes on (V15)."""
    shift = Shift(decks=2)
    shift.quick_shuffler = False
    shift.receive()
    shift.verify_cards()
    shift.wash()
    shift.shuffler_done()
    shift.in_shuffler.clear()
    shift.bet(2, ante=1000)
    shift.lock()
    if failure.startswith("stopped"):
        shift.send(ShufflerStopped, deck="B", cause="jam")
    else:
        FAILURES[failure](shift)
    assert shift.table.rooms.faults.held is None
    completed(shift, "B")
    assert "no new shuffle began" in shift.why
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert shift.table.rooms.faults.held is not None
    shift.mark()
    release_all(shift)
    assert [each.deck for each in shift.said(StartShuffle)] == ["B"]
    assert shift.prompt == ("SHUFFLING DECK B", "WAIT")
    shift.in_shuffler.clear()
    shift.shuffler_done("B")
    assert shift.is_in(Phase.BETS_OPEN)
    assert shift.table.state.stock.in_play == "B"


def test_641a_13e_a_jam_with_a_shuffled_deck_inside_has_it_shuffled_again() -> None:
    """The device jams, whatever it was about: the cards shall be reshuffled."""
    shift = Shift(decks=2)
    shift.open_table()
    decks = shift.table.state.stock.decks
    assert (decks["A"].ready, decks["B"].ready) == (True, True)
    shift.send(DeviceJammed, device="shuffler", cause="exit blocked")
    assert (decks["A"].ready, decks["B"].ready) == (True, False)
    shift.mark()
    release_all(shift)
    assert [each.deck for each in shift.said(StartShuffle)] == ["B"]


def test_641a_13e_a_fault_that_is_no_jam_leaves_a_shuffled_deck_as_it_is() -> None:
    shift = Shift(decks=2)
    shift.open_table()
    shift.send(DeviceFaulted, device="shuffler", fault="lamp")
    assert shift.table.state.stock.decks["B"].ready


def test_641a_13e_a_jam_touches_no_deck_that_is_spread_on_the_felt() -> None:
    shift = Shift()
    shift.receive()
    shift.send(DeviceJammed, device="shuffler", cause="jam")
    assert not shift.table.state.stock.decks["A"].failed


def test_641a_13e_a_deck_that_failed_beside_the_one_that_is_shuffled_comes_next() -> None:
    shift = Shift(decks=2)
    shift.quick_shuffler = False
    shift.receive()
    shift.verify_cards()
    shift.wash()
    shift.shuffler_done()
    shift.shuffler_done()
    shift.floor("RESHUFFLE")
    shift.in_shuffler.clear()
    shift.send(ShufflerStopped, deck="B", cause="jam")
    release_all(shift)
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")
    shift.mark()
    completed(shift)
    assert shift.is_in(Phase.BETS_OPEN)
    assert [each.deck for each in shift.said(StartShuffle)] == ["B"]


@each_chapter
@pytest.mark.parametrize("word", ["jam", "motor"])
@pytest.mark.parametrize("cycle", [True, False])
def test_x_13e_is_the_paragraph_in_a_cycle_and_outside_of_one(chapter: str, word: str, cycle: bool) -> None:
    shift = shuffling(chapter)
    if not cycle:
        shift.shuffler_done("A")
    FAILURES[word](shift)
    (held,) = shift.table.state.trouble.holds
    assert held.cite == law(chapter).irregularities["shuffler_jam"].cite
    assert held.kind == ("shuffler_jam" if word == "jam" else "device")


@pytest.mark.parametrize("word", [DeviceJammed, DeviceFaulted])
@pytest.mark.parametrize("machine", [{"one_machine": True}, {"method": "auto_shoe_reshuffle"}])
def test_641a_13e_the_one_machine_that_fails_in_a_shuffle_is_no_shoe_that_failed(
    word: type, machine: dict[str, Any]
) -> None:
    shift = shuffling(**({"method": "auto_shoe"} | machine))
    what = {"cause": "jam"} if word is DeviceJammed else {"fault": "motor"}
    shift.send(word, device="shoe", **what)
    assert [(held.kind, held.cite) for held in shift.table.state.trouble.holds] == [("device", "641a.13(e)")]
    release_all(shift)
    completed(shift)
    assert "no new shuffle began" in shift.why


def test_641a_13e_a_jam_of_the_shuffler_voids_nothing() -> None:
    shift = Shift(method="auto_shoe", decks=2)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.mark()
    shift.send(DeviceJammed, device="shuffler", cause="jam")
    assert not shift.said(VoidRound)
    assert shift.table.rooms.faults.held is None


def test_641a_13e_the_dealer_may_shuffle_what_the_device_did_not() -> None:
    shift = shuffling(shuffler=Shuffler.PLAIN)
    shift.send(ShufflerStopped, deck="A", cause="jam")
    shift.menu("OUT OF ORDER", "shuffler")
    shift.floor("DEVICE COVERED", "shuffler")
    shift.floor("RELEASE")
    assert shift.prompt == ("SHUFFLE DECK A", "THEN OK")
    shift.ok(2)
    assert shift.is_in(Phase.BETS_OPEN)
    assert not shift.table.state.stock.decks["A"].failed


def test_policy_a_device_in_another_mode_fails_no_shuffle_that_a_new_start_would_not_mend() -> None:
    shift = shuffling()
    shift.send(DeviceModeChanged, device="shuffler", mode="sort")
    shift.send(DeviceModeChanged, device="shuffler", mode="play")
    shift.floor("RELEASE")
    shift.send(ShuffleStarted, deck="A")
    completed(shift)
    assert shift.is_in(Phase.BETS_OPEN)
