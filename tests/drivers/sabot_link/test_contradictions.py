"""What a device says twice, or of what nobody ordered, is never taken for the answer that was awaited."""

from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from sabot.hil.simulators.sabot_link import Machine, SabotLinkDevice, Who
from sabot.hil.simulators.sabot_link.link import DeviceLink
from sabot.statemachine.vocabulary.events import (
    DecksFound,
    DeviceEmptied,
    DeviceFaulted,
    DeviceRetested,
    Exit,
    ShuffleBlocked,
    ShuffleCompleted,
    ShufflerStopped,
    ShuffleStarted,
    StackDelayed,
    StackDispensed,
    StackTaken,
    StubEjected,
)

from .link_pair import Pair


@pytest.fixture
def pair() -> Pair:
    pair = Pair().up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    return pair


def contradictions(pair: Pair) -> list[str]:
    return [each.detail for each in pair.said(DeviceFaulted) if each.fault == "contradiction"]


def with_link(link: type[DeviceLink], **given: Any) -> Pair:
    pair = Pair(**given)
    pair.device.link = link(pair.device.who, pair.device.machine, pair.chance.randbytes)
    pair.device.machine.link = pair.device.link
    return pair.up()


# ---------------------------------------------------------------- numbers of events


def test_a_stuck_counter_is_a_contradiction_and_does_not_disarm_the_deadline(pair: Pair) -> None:
    had = pair.device.link.events
    pair.device.link.events -= 1
    pair.act("lift never")
    pair.dispense(5)
    pair.run(2)
    assert contradictions(pair) == [f"its event {had} comes a second time, as another"]
    assert pair.said(StackDispensed) == []
    pair.run(15)
    assert "a stack was accepted and did not come" in [each.detail for each in pair.said(DeviceFaulted)]


def test_the_same_boot_after_a_restart_is_a_contradiction_and_the_shuffle_is_not_waited_for_for_ever() -> (
    None
):
    pair = Pair().up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    boot = pair.device.link.boot
    pair.device.now = pair.now
    pair.device.reboot()
    pair.device.link.boot = boot
    pair.device.machine.inside.take_out(0)
    pair.run(20)
    assert pair.host.is_up
    pair.act("load")
    pair.shuffle()
    pair.run(300)
    assert contradictions(pair)
    assert (
        pair.said(ShufflerStopped)[-1].cause
        == "it does not shuffle: a shuffle was accepted and did not begin"
    )
    assert len(pair.said(ShuffleStarted)) == 1


def test_an_event_whose_acknowledgement_was_lost_with_the_link_is_passed_over() -> None:
    class TellsAgain(DeviceLink):
        """It does not heed ``event`` of HELLO."""

        def _prepare(self, hello: Any) -> None:
            hello["boot"] = 0
            super()._prepare(hello)

    pair = with_link(TellsAgain)
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    pair.tamper = lambda to, data: b"" if to == "device" and len(data) < 50 else data
    pair.dispense(5)
    pair.tamper = lambda to, data: b"" if to == "device" else data
    pair.run(5)
    pair.tamper = lambda _to, data: data
    pair.run(20, lambda: pair.host.is_up)
    assert contradictions(pair) == []
    assert len(pair.said(ShuffleCompleted)) == 1


def test_another_event_under_a_number_of_the_session_before_is_a_contradiction() -> None:
    class Rewrites(DeviceLink):
        """What it keeps it tells anew, otherwise."""

        def _prepare(self, hello: Any) -> None:
            if self.events:
                self.kept.appendleft(("DOOR", {"event": self.events, "time": 5, "door": 1, "open": 1}))
                hello["boot"] = 0
            super()._prepare(hello)

    pair = with_link(Rewrites)
    pair.act("door 1 close")
    pair.run(2)
    pair.host.closed("unplugged", pair.now)
    pair.host.opened(pair.now)
    pair.flush()
    pair.run(5)
    assert contradictions(pair) == ["its event 1 comes a second time, as another"]


# ---------------------------------------------------------------- orders and decks


class Twice(Machine):
    """One stack, told twice under numbers of its own."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values)
        if name == "STACK":
            super().say(name, now, **values)


class OtherOrder(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values | ({"order": 77} if name == "STACK" else {}))


class OtherDeck(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values | ({"deck": ord("B")} if name == "STACK" else {}))


@pytest.mark.parametrize(
    ("machine", "stacks", "words"),
    [
        (Twice, 1, "a stack for order 1, which does not wait"),
        (OtherOrder, 0, "a stack for order 77, which does not wait"),
        (OtherDeck, 0, "a stack out of deck B, ordered out of another"),
    ],
)
def test_a_stack_is_of_the_order_that_waits_once_and_out_of_its_deck(
    machine: Callable[..., Machine], stacks: int, words: str
) -> None:
    pair = Pair(machine=machine(speed=20.0)).up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    pair.dispense(4)
    pair.run(5)
    assert contradictions(pair) == [words]
    assert len(pair.said(StackDispensed)) == stacks


def test_a_stack_that_was_kept_for_a_host_that_forgot_its_order_is_taken() -> None:
    pair = Pair().up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    machine = pair.device.machine
    pair.dispense(4)
    pair.run(0.02)
    pair.is_cut = True
    pair.run(3)
    fresh = Pair(seed=2)
    fresh.device = pair.device
    fresh.now = pair.now
    fresh.host._next_try = fresh.now
    fresh.flying.clear()
    assert fresh.run(30, lambda: fresh.host.is_up)
    assert (machine.stacks, len(fresh.said(StackDispensed))) == (1, 1)
    assert contradictions(fresh) == []


def test_it_deals_out_of_the_deck_that_is_named_whatever_was_shuffled_since(pair: Pair) -> None:
    top = pair.device.machine.ready[0]
    pair.act("load blue")
    pair.shuffle("B")
    pair.wait(ShuffleCompleted)
    pair.dispense(1, "A")
    assert pair.wait(StackDispensed).cards[0].card == top.code
    assert [deck.name for deck in pair.device.machine.inside.decks] == [65, 66]


# ---------------------------------------------------------------- tests of a fault


def test_a_good_test_that_nobody_asked_for_lifts_nothing(pair: Pair) -> None:
    pair.device.machine.say("RETESTED", pair.now, fault=0, good=1)
    pair.run(2)
    assert pair.said(DeviceRetested) == []


def test_a_good_test_of_another_fault_is_not_the_one_that_was_asked_for(pair: Pair) -> None:
    machine = pair.device.machine

    def tests_another(values: dict[str, int], now: float) -> None:
        machine.say("RETESTED", now, fault=values["fault"] + 7, good=1)

    machine._do_retest = tests_another  # type: ignore[method-assign]
    pair.host.retest("all", pair.now)
    pair.flush()
    told = pair.wait(DeviceRetested)
    assert (told.good, told.detail) == (False, "it tested its fault 7 alone")


# ---------------------------------------------------------------- the exit and the stub


def test_a_stack_lies_in_the_exit_until_it_is_taken(pair: Pair) -> None:
    pair.act("lift never")
    pair.dispense(4)
    assert pair.wait(StackDispensed).exit is Exit.SENSED
    before = len(pair.said(StackTaken))
    pair.dispense(4)
    delayed = pair.wait(StackDelayed)
    assert delayed.by_exit
    pair.run(100)
    assert len(pair.said(StackDelayed)) == 1
    assert pair.said(DeviceFaulted) == []
    pair.act("lift")
    pair.wait(StackDispensed, 2.0)
    assert len(pair.said(StackTaken)) == before + 1


def stuck() -> Pair:
    """A stack lies in an exit, of which nothing more is told."""
    pair = Pair(taken_s=20.0).up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    pair.act("lift never")
    pair.dispense(4)
    assert pair.wait(StackDispensed).exit is Exit.SENSED
    return pair


def exit_faults(pair: Pair) -> list[tuple[str, str]]:
    return [(each.device, each.detail) for each in pair.said(DeviceFaulted) if each.fault == "exit_sensor"]


def test_an_exit_that_is_never_told_as_empty_is_a_fault_in_time() -> None:
    pair = stuck()
    pair.run(19)
    assert exit_faults(pair) == []
    pair.run(3)
    assert exit_faults(pair) == [("shoe", "its exit was told as occupied for 20 s")]
    pair.run(60)
    assert len(exit_faults(pair)) == 1


def test_a_sensor_in_doubt_is_believed_again_when_it_tells_that_a_stack_was_taken() -> None:
    pair = stuck()
    pair.run(25)
    pair.device.machine.inside.lying = None
    pair.dispense(4)
    pair.run(3)
    assert pair.said(StackDispensed)[-1].exit is Exit.UNSENSED
    pair.run(60)
    assert len(exit_faults(pair)) == 1
    pair.act("lift")
    pair.act("lift soon")
    pair.dispense(4)
    pair.run(3)
    assert pair.said(StackDispensed)[-1].exit is Exit.SENSED


def test_a_shoe_that_refuses_for_its_exit_without_an_end_is_the_fault_again() -> None:
    pair = stuck()
    pair.run(25)
    pair.dispense(4)
    pair.run(25)
    assert len(exit_faults(pair)) == 2


@pytest.mark.parametrize("has_deck", [False, True])
def test_the_exit_of_a_machine_that_only_shuffles_is_timed_by_nobody(has_deck: bool) -> None:
    pair = Pair(duty="shuffle", taken_s=20.0).up()
    if has_deck:
        pair.shuffle()
        pair.wait(ShuffleCompleted)
    pair.host.free(pair.now)
    pair.flush()
    pair.run(60)
    assert pair.said(DeviceFaulted) == []


def test_a_held_table_is_not_timed_and_a_new_session_is() -> None:
    pair = stuck()
    pair.host.halt(pair.now)
    pair.flush()
    pair.run(60)
    assert exit_faults(pair) == []
    pair.host.free(pair.now)
    pair.flush()
    pair.run(10)
    pair.device.link._close()
    pair.run(15)
    assert exit_faults(pair) == []
    pair.run(15)
    assert len(exit_faults(pair)) == 1


def test_a_device_without_a_sensor_leaves_it_to_the_dealer() -> None:
    pair = Pair(who=Who(capabilities=0xFF)).up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    pair.dispense(4)
    assert pair.wait(StackDispensed).exit is Exit.UNSENSED
    assert pair.said(StackTaken) == []


def test_a_stub_is_ordered_out_of_its_deck(pair: Pair) -> None:
    pair.dispense(4)
    pair.wait(StackDispensed)
    pair.host.eject("A", pair.now)
    pair.flush()
    out = pair.wait(StubEjected)
    assert (out.deck, out.count) == ("A", 48)
    pair.host.eject("A", pair.now)
    pair.flush()
    pair.run(20)
    assert (pair.said(DeviceFaulted), len(pair.said(StubEjected))) == ([], 1)


def test_a_stub_waits_for_the_exit_and_a_halt_recalls_it(pair: Pair) -> None:
    pair.act("lift never")
    pair.dispense(4)
    pair.wait(StackDispensed)
    pair.host.eject("A", pair.now)
    pair.flush()
    pair.run(5)
    assert pair.said(StubEjected) == []
    pair.host.halt(pair.now)
    pair.act("lift soon")
    pair.act("lift")
    pair.run(5)
    assert pair.said(StubEjected) == []
    assert pair.said(DeviceFaulted) == []


def test_a_stub_that_was_promised_and_does_not_come_is_a_fault(pair: Pair) -> None:
    pair.device.machine._eject = lambda *_: None  # type: ignore[method-assign]
    pair.host.eject("A", pair.now)
    pair.flush()
    assert pair.wait(DeviceFaulted).detail == "a stub was ordered out and did not come"


def test_a_device_that_cannot_eject_is_not_asked_to() -> None:
    pair = Pair(who=Who(capabilities=0x37F)).up()
    pair.host.eject("A", pair.now)
    pair.flush()
    pair.run(2)
    assert [name for name, _ in pair.commands if name == "EJECT_STUB"] == []


# ---------------------------------------------------------------- what lies inside


def test_each_session_begins_with_the_decks_that_are_found(pair: Pair) -> None:
    assert pair.said(DecksFound)[0].decks == ()
    pair.is_cut = True
    pair.run(4)
    pair.is_cut = False
    pair.run(20, lambda: pair.host.is_up)
    assert pair.said(DecksFound)[-1].decks == ("A",)


class Tells(Machine):
    """STATE as a test wants it."""

    wrong: ClassVar[dict[str, int]] = {}

    def state(self, now: float) -> dict[str, int]:
        return super().state(now) | self.wrong


@pytest.mark.parametrize(
    ("wrong", "capabilities", "words"),
    [
        ({"exit": 1}, 0x2FF, "it tells of its exit, for which it has no sensor"),
        ({"inside": 40}, 0x3FF, "52 cards of ready decks among 40 inside"),
        (
            {"first_cards": 0, "second": 66, "second_cards": 5},
            0x3FF,
            "it tells of a second deck and of no first",
        ),
        ({"second": 66, "second_cards": 5, "inside": 57}, 0x1FF, "two decks lie in it, it holds one"),
        ({"first_cards": 40}, 0x3FF, "40 cards of deck A lie in it, by what it told there are 52"),
    ],
)
def test_a_state_that_contradicts_itself_holds_the_table(
    wrong: dict[str, int], capabilities: int, words: str
) -> None:
    machine = Tells(speed=20.0, capabilities=capabilities)
    pair = Pair(who=Who(capabilities=capabilities), machine=machine).up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    assert contradictions(pair) == []
    machine.wrong = wrong  # type: ignore[misc]
    pair.device.link._close()
    pair.run(10)
    assert any(each.startswith(words) for each in contradictions(pair)), contradictions(pair)


def test_after_a_start_of_the_device_nothing_is_found_and_nothing_dealt(pair: Pair) -> None:
    pair.act("reboot")
    pair.run(20)
    assert pair.said(DecksFound)[-1].decks == ()
    assert pair.device.machine.state(pair.now)["inside"] == 52
    pair.dispense(4)
    pair.run(2)
    assert pair.said(DeviceFaulted)[-1].detail == "it does not dispense: not enough cards"


def test_a_shuffle_over_cards_that_lie_inside_waits_and_says_so_once(pair: Pair) -> None:
    pair.device.machine.intake = list(pair.device.machine.ready)
    pair.shuffle("A")
    assert pair.wait(ShuffleBlocked).deck == "A"
    pair.run(5)
    assert len(pair.said(ShuffleBlocked)) == 1
    pair.host.eject("A", pair.now)
    pair.flush()
    assert pair.wait(ShuffleCompleted).deck == "A"
    assert pair.said(DeviceFaulted) == []


def test_cards_that_still_lie_in_the_way_are_told_again_when_others_were_taken_out(pair: Pair) -> None:
    pair.shuffle("A")
    pair.wait(ShuffleBlocked)
    pair.device.machine.say("EMPTIED", pair.now, deck=0, cards_in=1, cards_out=1)
    pair.run(5)
    assert len(pair.said(ShuffleBlocked)) == 2


def test_an_emptied_deck_is_no_longer_inside(pair: Pair) -> None:
    inside = pair.host.reporter.insides
    inside.cards = {65: 52, 66: 52}
    pair.device.machine.say("EMPTIED", pair.now, deck=65, cards_in=52, cards_out=52)
    pair.wait(DeviceEmptied)
    assert 65 not in inside.cards


def test_an_emptying_names_its_deck(pair: Pair) -> None:
    pair.act("load blue")
    pair.shuffle("B")
    pair.wait(ShuffleCompleted)
    pair.act("load red")
    assert pair.wait(DeviceEmptied).deck == "A"


def test_a_shuffler_hands_whole_decks_out() -> None:
    pair = Pair(duty="shuffle").up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    assert pair.device.machine.state(pair.now)["inside"] == 0
    assert pair.said(DecksFound) == []
    pair.act("load")
    pair.shuffle()
    pair.wait(ShuffleCompleted)


def test_leaving_play_loosens_what_lies_inside(pair: Pair) -> None:
    pair.act("mode sort")
    pair.act("mode play")
    assert pair.device.machine.state(pair.now)["first_cards"] == 0
    assert pair.device.machine.state(pair.now)["inside"] == 52


def test_a_device_with_room_for_one_deck_takes_no_other() -> None:
    device = SabotLinkDevice(Who(capabilities=0x1FF), Machine(speed=20.0))
    pair = Pair(who=device.who).up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    pair.act("load blue")
    pair.shuffle("B")
    assert pair.wait(ShuffleBlocked).deck == "B"
