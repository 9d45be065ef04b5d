"""A device whose single messages are in order, and which contradicts what it said or was told before."""

from collections.abc import Callable
from typing import Any

import pytest

from sabot.drivers.sabot_link.card_machine import CardMachineTalk
from sabot.hil.simulators.sabot_link import Machine, Who
from sabot.statemachine.vocabulary.events import (
    DeviceFaulted,
    Event,
    ShuffleBlocked,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
    StackDispensed,
    StackTaken,
    StubEjected,
)

from .link_pair import Pair, options

NO_SENSOR = 0x2FF


class Bent(Machine):
    """One word of it is another than it should be; ``bent`` is called in place of ``say``."""

    bent: Callable[..., dict[str, Any]] = staticmethod(lambda _name, values: values)

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **self.bent(name, values))


def bent(word: str, **changes: int) -> Pair:
    machine = Bent(speed=20.0)
    machine.bent = lambda name, values: values | (changes if name == word else {})
    return Pair(machine=machine).up()


def contradictions(pair: Pair) -> list[str]:
    return [each.detail for each in pair.said(DeviceFaulted) if each.fault == "contradiction"]


def shuffled(pair: Pair) -> Pair:
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    return pair


# ---------------------------------------------------------------- the exit


@pytest.mark.parametrize("changes", [{"order": 9}, {"deck": ord("B")}])
def test_what_was_taken_is_what_lay_there(changes: dict[str, int]) -> None:
    pair = shuffled(bent("TAKEN", **changes))
    before = len(pair.said(StackTaken))
    pair.dispense(4)
    pair.run(5)
    assert contradictions(pair) == ["something was taken from its exit that did not lie there"]
    assert len(pair.said(StackTaken)) == before


def test_what_was_taken_is_taken_once() -> None:
    pair = shuffled(Pair().up())
    pair.dispense(4)
    pair.run(2)
    pair.device.machine.say("TAKEN", pair.now, order=1, deck=65)
    pair.run(2)
    assert contradictions(pair) == ["something was taken from its exit that did not lie there"]


def test_a_device_without_a_sensor_knows_nothing_of_its_exit() -> None:
    pair = shuffled(Pair(who=Who(capabilities=NO_SENSOR)).up())
    pair.dispense(4)
    pair.run(2)
    pair.device.machine.say("TAKEN", pair.now, order=1, deck=65)
    pair.run(2)
    assert contradictions(pair) == ["it tells of its exit, for which it has no sensor"]
    pair.device.machine._refusal = lambda *_: 9  # type: ignore[method-assign]
    pair.dispense(4)
    assert pair.wait(DeviceFaulted).detail == "it does not dispense: its exit is occupied"


def test_nothing_comes_out_on_top_of_a_stack() -> None:
    pair = shuffled(Pair().up())
    pair.act("lift never")
    pair.dispense(4)
    pair.wait(StackDispensed)
    pair.device.machine.inside.lying = None
    pair.dispense(4)
    pair.run(5)
    assert contradictions(pair) == ["a stack came out on top of another"]


def test_what_lay_in_the_exit_before_this_program_began_may_be_taken() -> None:
    pair = shuffled(Pair().up())
    pair.act("lift never")
    pair.dispense(4)
    pair.wait(StackDispensed)
    begin_anew(pair)
    pair.act("lift")
    pair.wait(StackTaken)
    assert contradictions(pair) == []


# ---------------------------------------------------------------- orders


def test_a_stack_of_an_order_from_before_a_hold_does_not_answer_a_newer_one() -> None:
    pair = shuffled(Pair(who=Who(capabilities=NO_SENSOR)).up())
    pair.dispense(4)
    pair.host.halt(pair.now)
    pair.flush()
    pair.run(1)
    pair.host.free(pair.now)
    pair.dispense(5)
    pair.run(0.02)
    pair.device.machine.say("STACK", pair.now, order=1, deck=65, size=5, cards=b"")
    pair.run(5)
    assert contradictions(pair) == ["a stack for order 1, which does not wait"]
    assert [each.count for each in pair.said(StackDispensed)] == [5]


def test_a_stack_of_an_order_that_was_refused_answers_nothing() -> None:
    pair = shuffled(Pair().up())
    pair.dispense(4, "B")
    pair.wait(DeviceFaulted)
    pair.device.machine.say("STACK", pair.now, order=1, deck=66, size=4, cards=b"")
    pair.run(2)
    assert contradictions(pair) == ["a stack for order 1, which does not wait"]


def test_the_stub_is_that_of_the_deck_that_was_ordered_out() -> None:
    pair = shuffled(bent("EJECTED", deck=ord("B")))
    pair.host.eject("A", pair.now)
    pair.flush()
    pair.run(5)
    assert contradictions(pair) == ["the stub of deck B came out, ordered was that of A"]
    assert pair.said(StubEjected) == []


def test_a_stub_may_be_ordered_out_again_before_it_came() -> None:
    pair = shuffled(Pair().up())
    pair.host.eject("A", pair.now)
    pair.host.eject("", pair.now)
    pair.flush()
    pair.run(5)
    assert (contradictions(pair), pair.said(StubEjected)[0].deck) == ([], "A")


# ---------------------------------------------------------------- a cycle


@pytest.mark.parametrize("name", ["B", "Z"])
def test_a_cycle_of_a_deck_that_nobody_ordered_ends_the_shuffle(name: str) -> None:
    """The table waited at SHUFFLING for ever."""
    pair = bent("CYCLE_STARTED", deck=ord(name))
    pair.shuffle()
    assert pair.wait(ShufflerStopped).deck == "A"
    assert contradictions(pair) == [f"it begins to shuffle deck {name}, which was not ordered"]
    assert pair.said(ShuffleStarted) == []
    pair.run(60)
    assert pair.said(ShuffleCompleted) == []
    assert len(contradictions(pair)) == 1


def test_a_cycle_ends_under_the_name_that_it_began_with() -> None:
    pair = bent("CYCLE_COMPLETED", deck=ord("B"))
    pair.shuffle()
    assert pair.wait(ShufflerStopped, 60.0).deck == "A"
    assert contradictions(pair) == ["it ends a cycle of deck B and began one of deck A"]
    assert pair.said(ShuffleCompleted) == []


def test_a_cycle_that_is_stopped_has_the_name_that_it_began_with() -> None:
    pair = bent("CYCLE_STOPPED", deck=ord("B"))
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.act("door 3 open")
    assert pair.wait(ShufflerStopped).deck == "A"
    assert contradictions(pair) == ["it ends a cycle of deck B and began one of deck A"]


def begin_anew(pair: Pair) -> None:
    """The program starts anew, while the device goes on."""
    pair.host = CardMachineTalk("shuffler", options(), lambda: pair.enrolled, pair.chance.randbytes)
    pair.host.opened(pair.now)
    pair.flush()
    assert pair.run(30, lambda: pair.host.is_up)


def test_a_cycle_whose_beginning_this_program_never_heard_is_made_again_and_is_no_contradiction() -> None:
    pair = Pair().up()
    pair.shuffle()
    pair.wait(ShuffleStarted)
    begin_anew(pair)
    pair.run(60)
    assert pair.said(ShufflerStopped)[-1].cause == (
        "its beginning was not heard: this program started meanwhile"
    )
    assert (contradictions(pair), len(pair.said(ShufflerStopped))) == ([], 1)
    assert pair.said(ShuffleCompleted) == []


# ---------------------------------------------------------------- STATE


def relink(pair: Pair) -> Pair:
    pair.is_cut = True
    pair.run(4)
    pair.is_cut = False
    assert pair.run(30, lambda: pair.host.is_up)
    return pair


def test_a_deck_that_became_smaller_untold_is_a_contradiction() -> None:
    pair = shuffled(Pair().up())
    pair.dispense(4)
    pair.run(2)
    relink(pair)
    assert contradictions(pair) == []
    del pair.device.machine.inside.decks[0].cards[:3]
    relink(pair)
    assert contradictions(pair) == ["45 cards of deck A lie in it, by what it told there are 48"]


def test_one_deck_does_not_lie_in_it_twice() -> None:
    pair = shuffled(Pair().up())
    decks = pair.device.machine.inside.decks
    decks.append(type(decks[0])(65, decks[0].cards[26:]))
    del decks[0].cards[26:]
    relink(pair)
    assert contradictions(pair)[-1] == "deck A lies in it twice"


def test_kept_reports_that_were_promised_and_do_not_come_end_the_session_with_the_reason() -> None:
    """It was silent for ever, and the words said to plug it in."""
    pair = Pair().up()
    honest = pair.device.machine.questions["QUERY"][1]
    pair.device.machine.questions = {"QUERY": ("STATE", lambda now: honest(now) | {"kept": 3})}
    pair.is_cut = True
    pair.run(4)
    pair.is_cut = False
    pair.run(10)
    assert pair.host.why == "3 of the reports that it kept did not come"


# ---------------------------------------------------------------- numbers and order


def test_the_first_report_after_a_start_of_the_device_has_number_1() -> None:
    pair = shuffled(Pair().up())
    pair.act("reboot")
    pair.run(20, lambda: pair.host.is_up)
    pair.run(5)
    pair.device.link.events += 4
    pair.act("door 1 open")
    pair.run(2)
    assert contradictions(pair) == ["4 report(s) of it are missing"]


def test_a_stack_is_told_before_what_is_wrong_with_it() -> None:
    """The record said that it came while the table was held, and it was held for this very stack."""
    machine = Bent(speed=20.0)
    machine.bent = lambda name, values: values | ({"cards": b"\xff" * 4} if name == "STACK" else {})
    pair = shuffled(Pair(machine=machine).up())
    pair.dispense(4)
    pair.wait(DeviceFaulted)
    told: list[type[Event]] = [type(each) for each in pair.events[-2:]]
    assert told == [StackDispensed, DeviceFaulted]


def test_the_end_of_a_cycle_alone_is_no_contradiction_for_a_program_that_started_meanwhile() -> None:
    pair = Pair().up()
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.run(0.6)
    pair.is_cut = True
    assert pair.run(60, lambda: pair.device.machine.cycle == 0)
    pair.run(3)
    pair.is_cut = False
    begin_anew(pair)
    pair.run(5)
    assert (contradictions(pair), pair.said(ShuffleCompleted)) == ([], [])


def test_a_cycle_that_was_passed_over_and_stops_is_told_once() -> None:
    pair = Pair().up()
    pair.shuffle()
    pair.wait(ShuffleStarted)
    begin_anew(pair)
    pair.act("door 3 open")
    pair.run(5)
    assert (contradictions(pair), len(pair.said(ShufflerStopped))) == ([], 1)


@pytest.mark.parametrize("why", ["empty", "lid"])
def test_a_deck_that_nobody_lays_in_is_asked_for_once(why: str) -> None:
    """The display read WAIT for as long as anybody cared to look."""
    pair = Pair().up()
    if why == "lid":
        pair.act("door 1 open")
    else:
        pair.device.machine.intake.clear()
    pair.shuffle()
    pair.run(9)
    assert pair.said(ShuffleBlocked) == []
    pair.run(30)
    (told,) = pair.said(ShuffleBlocked)
    assert (told.deck, told.is_empty) == ("A", True)
    pair.act("door 1 close")
    pair.act("load")
    pair.wait(ShuffleCompleted)
    assert pair.said(DeviceFaulted) == []
