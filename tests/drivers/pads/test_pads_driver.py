"""The pads at work: the real pyusb over a simulated bus, the real threads, and a pad that does what pads do."""

import asyncio
import errno
import sys
import threading
from collections.abc import Callable, Coroutine

import pytest

from sabot.drivers.pads import usb
from sabot.drivers.pads.driver import PadsDriver
from sabot.drivers.pads.errors import ERRORS, PadError, PadGoneError
from sabot.hil.simulators import pads_wire
from sabot.hil.simulators.pads import Build, Pad
from sabot.hil.simulators.usb_bus import IN, OUT
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary.events import (
    DeviceFaulted,
    DeviceRetested,
    LinkLost,
    LinkRestored,
    WagerSensed,
)

from .padhost import PadHost, run

ANTE, PLAY, BONUS = (1, "ante"), (1, "play"), (1, "bonus")
# The numbers of these spots on the pad.
ANTE_SPOT, PLAY_SPOT, BONUS_SPOT = 0, 1, 2
Test = Callable[[PadHost], Coroutine[None, None, None]]


def with_pads(test: Test, host: PadHost | None = None) -> None:
    """Run a test with pads that are up, and see that they end as they should."""
    host = host or PadHost()

    async def whole() -> None:
        try:
            await host.up()
            await test(host)
        finally:
            await host.driver.stop()
        assert host.driver.status().why == "stopped"
        for thread in [each for each in threading.enumerate() if each.name.startswith("pads-")]:
            thread.join(1.0)  # its event was its last act
            assert not thread.is_alive()

    run(whole)


async def opened(host: PadHost, *spots: tuple[int, str]) -> None:
    host.driver.perform(ef.OpenSpots(spots=spots))
    number = host.driver._chosen.spots.numbers[spots[0]]
    await host.until(lambda: not host.pad.locked & 1 << number)


async def locked(host: PadHost) -> None:
    host.driver.perform(ef.LockWagers())
    await host.until(lambda: host.pad.locked & 63 == 63)


async def wagers(host: PadHost, count: int) -> list[tuple[int, str, int | None]]:
    await host.until(lambda: len(host.of(WagerSensed)) >= count)
    return [(each.seat, each.wager, each.cents) for each in host.of(WagerSensed)]


async def a_report(host: PadHost) -> None:
    """Two reports that were made after now have been read."""
    frames = host.driver.status().statistics.frames_in
    await host.until(lambda: host.driver.status().statistics.frames_in >= frames + 2)


def lost(host: PadHost) -> list[str]:
    """Why the link was lost, but for a machine so busy that the pad heard nothing for a second."""
    return [each.reason for each in host.of(LinkLost) if "locked itself" not in each.reason]


def test_a_pad_proves_itself_and_tells_its_whole_state_before_it_is_up() -> None:
    async def test(host: PadHost) -> None:
        status = host.driver.status()
        assert status.identity.authenticated
        assert (status.identity.maker, status.identity.serial) == ("Sabot", "SIM0001")
        assert status.state["locked"] == 6
        assert host.events == []

    with_pads(test)


def test_wagers_on_open_spots_are_heard_changed_and_lifted() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE, BONUS)
        host.pad.chips(ANTE_SPOT, 2500)
        await wagers(host, 1)
        await host.until(lambda: host.pad._burning() == 1)
        host.pad.chips(ANTE_SPOT, 3000)
        await wagers(host, 2)
        host.pad.chips(ANTE_SPOT, 0)
        assert await wagers(host, 3) == [(*ANTE, 2500), (*ANTE, 3000), (*ANTE, 0)]

    with_pads(test)


def test_presence_alone_is_a_wager_of_unknown_value() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.chips(ANTE_SPOT, 2500)
        assert await wagers(host, 1) == [(*ANTE, None)]

    with_pads(test, PadHost(Pad(Build(spots=6, has_values=False))))
    with_pads(test, PadHost(sensing="presence"))


def test_a_late_chip_is_told_while_its_spot_is_closed_with_the_pads_time_and_never_lit() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE, BONUS)
        await locked(host)
        before = host.now()
        host.pad.chips(BONUS_SPOT, 500)
        await wagers(host, 1)
        (late,) = host.of(WagerSensed)
        assert (late.seat, late.wager, late.cents) == (*BONUS, 500)
        assert before - 0.01 <= late.at <= host.now()
        assert host.pad._burning() == 0

    with_pads(test)


def test_a_refused_chip_is_no_wager_when_its_spot_opens_until_it_is_lifted() -> None:
    async def test(host: PadHost) -> None:
        await locked(host)
        host.pad.chips(BONUS_SPOT, 500)
        await wagers(host, 1)
        await opened(host, BONUS)
        # The table may have opened the spot while the news was on its way: it hears that nothing counts.
        assert await wagers(host, 2) == [(*BONUS, 500), (*BONUS, 0)]
        host.pad.chips(BONUS_SPOT, 600)
        await a_report(host)
        host.pad.chips(BONUS_SPOT, 0)
        await a_report(host)
        host.pad.chips(BONUS_SPOT, 700)
        assert await wagers(host, 3) == [(*BONUS, 500), (*BONUS, 0), (*BONUS, 700)]

    with_pads(test)


def test_a_refused_chip_on_an_open_spot_is_told_at_the_lock() -> None:
    async def test(host: PadHost) -> None:
        await locked(host)
        host.pad.chips(BONUS_SPOT, 500)
        await wagers(host, 1)
        await opened(host, BONUS)
        await wagers(host, 2)
        await locked(host)
        assert (await wagers(host, 3))[2] == (*BONUS, 500)

    with_pads(test)


def test_a_late_lifting_and_a_late_change_are_told() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE, BONUS)
        host.pad.chips(ANTE_SPOT, 2500)
        await wagers(host, 1)
        host.pad.chips(BONUS_SPOT, 500)
        await wagers(host, 2)
        await locked(host)
        host.pad.chips(ANTE_SPOT, 5000)
        await wagers(host, 3)
        host.pad.chips(BONUS_SPOT, 0)
        assert (await wagers(host, 4))[2:] == [(*ANTE, 5000), (*BONUS, 0)]

    with_pads(test)


@pytest.mark.parametrize(
    "told",
    [
        ef.CollectWager(seat=1, wager="ante", cents=2500),
        ef.ReturnWager(seat=1, wager="ante", cents=2500),
        ef.PayWager(seat=1, wager="ante", paid=2500, back=2500),
        ef.RefuseWager(seat=1, wager="ante", why="late"),
    ],
    ids=lambda effect: type(effect).__name__,
)
def test_the_dealers_own_hand_is_expected(told: ef.Effect) -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.chips(ANTE_SPOT, 2500)
        await wagers(host, 1)
        await locked(host)
        host.driver.perform(told)
        await host.until(lambda: host.pad.expected == 1)
        host.pad.chips(ANTE_SPOT, 0)
        await a_report(host)
        assert len(host.of(WagerSensed)) == 1
        await opened(host, ANTE)
        assert host.pad.expected == 0

    with_pads(test)


def test_a_wager_that_the_table_refuses_loses_its_light_and_has_it_again_in_the_next_round() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.chips(ANTE_SPOT, 2500)
        await host.until(lambda: host.pad._burning() == 1)
        await locked(host)
        host.driver.perform(ef.RefuseWager(seat=1, wager="ante", why="after no more bets"))
        await host.until(lambda: host.pad._burning() == 0)
        await opened(host, ANTE)
        await host.until(lambda: host.pad._burning() == 1)

    with_pads(test)


def test_a_wager_that_the_lock_would_refuse_has_no_light_until_it_would_stand() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.chips(ANTE_SPOT, 2500)
        await host.until(lambda: host.pad._burning() == 1)
        host.driver.perform(ef.DarkenSpots(spots=(ANTE,)))
        await host.until(lambda: host.pad._burning() == 0)
        host.driver.perform(ef.DarkenSpots(spots=()))
        await host.until(lambda: host.pad._burning() == 1)

    with_pads(test)


def test_the_dealers_hand_is_expected_for_a_time() -> None:
    async def test(host: PadHost) -> None:
        host.driver.perform(ef.CollectWager(seat=1, wager="ante", cents=1))
        await host.until(lambda: host.pad.expected == 1)
        await host.until(lambda: host.pad.expected == 0)

    with_pads(test, PadHost(expect_s=1.0))


def test_a_stake_that_stayed_is_a_wager_of_the_next_round() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.chips(ANTE_SPOT, 2500)
        await wagers(host, 1)
        await locked(host)
        await opened(host, ANTE)
        assert await wagers(host, 2) == [(*ANTE, 2500)] * 2

    with_pads(test)


def test_the_lamps_follow_seat_and_hit() -> None:
    async def test(host: PadHost) -> None:
        host.driver.perform(ef.LightSeat(seat=2))
        await host.until(lambda: host.pad.seats == [0, 1, 0, 0, 0, 0, 0, 0])
        host.driver.perform(ef.FreezeHit(seat=1, wager="bonus", row="flush", cents=1))
        await host.until(lambda: host.pad.seats[0] == 3)
        host.driver.perform(ef.DropHit(seat=1, wager="bonus"))
        await host.until(lambda: host.pad.seats[0] == 0)
        host.driver.perform(ef.FreezeHit(seat=1, wager="bonus", row="flush", cents=1))
        host.driver.perform(ef.RecordRound(number=1))
        host.driver.perform(ef.ShowPrompt(first="", second=""))
        host.driver.perform(ef.LightSeat(seat=0))
        await host.until(lambda: host.pad.seats == [0] * 8)

    with_pads(test)


def test_the_technicians_test_walks_the_lamps_and_names_the_spots() -> None:
    async def test(host: PadHost) -> None:
        said: list[str] = []
        assert await host.driver.test(said.append)
        assert said[0] == "the lamp of seat 1 is on"
        assert said[-1] == "spot 5, seat 2 bonus: empty, light 90"
        assert {tuple(order["seats"]) for order in host.pad.orders} >= {
            tuple(int(each == seat) for each in range(8)) for seat in range(8)
        }

    with_pads(test)


# ---------------------------------------------------------------- links


def test_a_pad_that_is_not_there_is_one_event_and_is_looked_for() -> None:
    async def test() -> None:
        host = PadHost()
        await host.up(plugged=False)
        lost = await host.first(LinkLost)
        assert "E-PAD-006" in lost.reason
        assert not await host.driver.test(lambda _: None)
        host.driver.retest("lost_link")
        assert not (await host.first(DeviceRetested)).good
        host.bus.plug(host.pad)
        await host.first(LinkRestored)
        assert len(host.of(LinkLost)) == 1
        await host.driver.stop()

    run(test)


def test_an_unplugged_pad_is_lost_and_found_under_another_address() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        where = host.driver.status().port
        host.bus.unplug(host.pad)
        assert "unplugged" in (await host.first(LinkLost)).reason
        host.bus.plug(host.pad)
        await host.first(LinkRestored)
        assert host.driver.status().port != where
        await host.until(lambda: not host.pad.locked & 1)

    with_pads(test)


def test_orders_while_the_cable_is_out_do_not_stop_the_looking() -> None:
    async def test(host: PadHost) -> None:
        host.bus.unplug(host.pad)
        await host.first(LinkLost)
        for seat in range(200):
            host.driver.perform(ef.LightSeat(seat=seat % 2))
            await asyncio.sleep(0.01)
        host.bus.plug(host.pad)
        await host.first(LinkRestored)
        assert len(host.of(LinkLost)) == 1

    with_pads(test)


def test_a_restarted_pad_cannot_vouch_and_no_dealer_is_told_to_hand_wagers_back() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE, BONUS)
        host.pad.chips(ANTE_SPOT, 2500)
        await wagers(host, 1)
        await locked(host)
        host.bus.unplug(host.pad)
        await host.first(LinkLost)
        host.pad.restart()
        host.pad.chips(BONUS_SPOT, 500)
        host.bus.plug(host.pad)
        faulted = await host.first(DeviceFaulted)
        assert (faulted.fault, faulted.detail) == (
            "contradiction",
            "the pad was restarted and cannot vouch for 1 wager(s) that lie there",
        )
        assert (await wagers(host, 2))[1:] == [(*BONUS, 500)]
        await opened(host, ANTE)
        assert (await wagers(host, 3))[2:] == [(*ANTE, 0)]

    with_pads(test)


def test_a_host_that_sleeps_finds_every_spot_locked_by_the_pad_itself() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        for timer in host.driver._link.timers.values():
            timer.cancel()
        await host.until(lambda: host.pad.selflocks == 1)
        assert "locked itself" in (await host.first(LinkLost)).reason
        await host.first(LinkRestored)
        await host.until(lambda: not host.pad.locked & 1)

    with_pads(test)


def test_a_mute_pad_is_lost_within_a_second_and_found_again() -> None:
    async def test(host: PadHost) -> None:
        host.pad.garble.append("mute")
        before = host.now()
        assert "no report for a second" in (await host.first(LinkLost)).reason
        assert host.now() - before < 2
        host.pad.garble.clear()
        await host.first(LinkRestored)

    with_pads(test)


def test_a_pad_that_takes_no_orders_is_lost() -> None:
    async def test(host: PadHost) -> None:
        assert host.pad.session is not None
        host.pad.session.is_fit = lambda order: not order  # type: ignore[method-assign]
        await host.until(lambda: any("acknowledges no order" in each.reason for each in host.of(LinkLost)))

    with_pads(test)


def test_a_damaged_and_a_lost_report_cost_nothing() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.garble.extend(["crc", "drop", "noise 5350010203", "crc"])
        host.pad.chips(ANTE_SPOT, 2500)
        assert await wagers(host, 1) == [(*ANTE, 2500)]
        # A damaged report that nobody has read yet is replaced by the next one: at least one was read.
        await host.until(lambda: host.driver.status().statistics.crc_errors >= 1)
        host.pad.jump(1000)
        host.pad.chips(ANTE_SPOT, 0)
        assert (await wagers(host, 2))[1] == (*ANTE, 0)
        assert not lost(host)

    with_pads(test)


class SlowPad(Pad):
    """A pad that answers when it may."""

    def __init__(self) -> None:
        super().__init__(Build(spots=6))
        self.may_answer = threading.Event()

    def read(self) -> bytes | None:
        return super().read() if self.may_answer.is_set() else None


def test_nothing_is_ordered_before_a_pad_has_answered_its_greeting() -> None:
    pad = SlowPad()
    host = PadHost(pad)

    def said() -> list[int]:
        ear = pads_wire.PadsWireEar()
        return [frame["kind"] for way, data in host.bytes if way == "pads out" for frame in ear.hear(data)]

    async def test() -> None:
        host.bus.plug(pad)
        await host.driver.start()
        try:
            await host.until(said)
            host.driver.perform(ef.OpenSpots(spots=(ANTE,)))
            await host.until(lambda: len(said()) > 1)
            assert set(said()) == {pads_wire.HELLO}
            pad.may_answer.set()
            await host.until(lambda: not pad.locked & 1 << ANTE_SPOT)
        finally:
            await host.driver.stop()

    run(test)


def test_an_order_that_was_acknowledged_leaves_no_timer_to_ring_for_it() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        timers = host.driver._link.timers
        host.driver._link.order()
        assert "again" in timers
        await host.until(lambda: "again" not in timers)
        assert "beat" in timers
        assert host.driver.status().statistics.retries == 0

    with_pads(test)


@pytest.mark.parametrize("endpoint", [IN, OUT])
def test_a_stall_is_cleared_and_many_end_the_port(endpoint: int) -> None:
    async def test(host: PadHost) -> None:
        host.bus.stall(host.pad, endpoint)
        await opened(host, ANTE)
        assert not lost(host)
        host.bus.stall(host.pad, endpoint, 99)
        assert "stalls" in (await host.first(LinkLost)).reason
        host.bus.stall(host.pad, endpoint, 0)
        await host.first(LinkRestored)

    with_pads(test)


class WireIsOnFireError(Exception):
    """What nobody thought of."""


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("error", [WireIsOnFireError("hot"), MemoryError(), KeyError("x"), SystemExit()])
def test_whatever_ends_the_thread_ends_in_an_event(error: BaseException) -> None:
    heard: list[BaseException] = []

    async def test(host: PadHost) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: heard.append(context["exception"]))
        host.bus.failing.append(error)
        assert (await host.first(LinkLost)).reason
        await host.first(LinkRestored)
        if isinstance(error, Exception):
            await host.until(lambda: heard)
            assert heard == [error], "whoever watches over the loop hears of a slip in the thread"

    with_pads(test)


@pytest.mark.parametrize(
    ("backend", "code"),
    [
        ("sabot.nowhere:make", "E-PAD-004"),
        ("sabot.hil.simulators.usb_backend:nothing", "E-PAD-004"),
        ("nocolon", "E-PAD-004"),
    ],
)
def test_a_backend_that_cannot_be_had_is_an_event(backend: str, code: str) -> None:
    async def test() -> None:
        host = PadHost(backend=backend)
        await host.up(plugged=False)
        assert code in (await host.first(LinkLost)).reason
        await host.driver.stop()

    run(test)


@pytest.mark.parametrize("missing", ["usb", "usb.core"])
def test_a_python_without_pyusb_is_an_event(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)

    async def test() -> None:
        host = PadHost()
        await host.up(plugged=False)
        assert "E-PAD-005" in (await host.first(LinkLost)).reason
        await host.driver.stop()

    run(test)


def test_the_backend_may_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    host = PadHost()
    monkeypatch.setenv("SABOT_USB_BACKEND", str(host.options["backend"]))
    host.driver = PadsDriver("pads", {**host.options, "backend": ""}, host)

    async def test(_host: PadHost) -> None:
        assert host.driver.status().is_up

    with_pads(test, host)


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENODEV, "x"), "it was unplugged"),
        (OSError(errno.EIO, "x"), "input or output fails"),
        (OSError(errno.ENOMEM, "no room"), "OSError: [Errno 12] no room"),
        (ValueError("odd"), "ValueError: odd"),
        (PadGoneError(ERRORS["E-PAD-006"], "usb", serial=""), "E-PAD-006"),
    ],
)
def test_why_a_pad_is_gone_is_said_in_words_where_there_are_some(error: Exception, said: str) -> None:
    assert said in usb._reason(error, "usb 1:2")


def test_a_second_program_on_the_pad_is_refused_with_the_reason() -> None:
    async def test(host: PadHost) -> None:
        second = PadsDriver("second", host.options, host)
        await second.start()
        lost = await host.first(LinkLost)
        assert lost.device == "second"
        assert "another program uses it" in lost.reason
        await second.stop()
        await a_report(host)
        assert host.driver.status().is_up

    with_pads(test)


# ---------------------------------------------------------------- identity


def refused(host: PadHost, words: str) -> None:
    async def test() -> None:
        await host.up(plugged=False)
        host.bus.plug(host.pad)
        faulted = await host.first(DeviceFaulted)
        assert faulted.fault == "device"
        assert words in faulted.detail
        assert not host.driver.status().is_up
        await host.driver.stop()
        assert len(host.of(DeviceFaulted)) == 1

    run(test)


def test_a_pad_with_another_key_is_a_fault() -> None:
    host = PadHost()
    host.keys["pads"] = Build(signing_key=bytes(32)).public
    refused(host, "another pad is enrolled here")


def test_a_pad_that_nobody_enrolled_is_a_fault() -> None:
    host = PadHost()
    host.keys.clear()
    refused(host, "no pad is enrolled here")


def test_a_pad_that_shows_a_key_it_has_not_is_a_fault() -> None:
    class Thief(Build):
        @property
        def public(self) -> bytes:
            return Build().public

    refused(PadHost(Pad(Thief(spots=6, signing_key=bytes(32)))), "its proof is wrong")


def test_a_pad_that_is_not_the_pinned_one_is_a_fault() -> None:
    refused(PadHost(pin_model="Felt 3"), "pinned is 'Felt 3'")


def test_a_pad_with_too_few_spots_is_a_fault() -> None:
    refused(PadHost(Pad(Build(spots=5))), "it has 5 spots, and 6 are named")


def test_an_exchanged_pad_stays_out_until_it_is_enrolled() -> None:
    async def test(host: PadHost) -> None:
        other = Pad(Build(spots=6, signing_key=bytes(32)))
        host.bus.unplug(host.pad)
        host.bus.plug(other)
        await host.first(DeviceFaulted)
        host.keys["pads"] = other.build.public
        host.driver._link.attempts = 0
        assert (await host.first(DeviceRetested)).good
        assert host.driver.status().is_up

    with_pads(test)


def test_without_keys_an_exchanged_pad_stays_out_until_somebody_asks_for_it() -> None:
    async def test(host: PadHost) -> None:
        host.bus.unplug(host.pad)
        host.bus.plug(Pad(Build(spots=6, serial="SIM0002")))
        assert "its serial was 'SIM0001'" in (await host.first(DeviceFaulted)).detail
        host.driver.retest("device")
        await host.until(lambda: host.driver.status().is_up)
        assert [each.good for each in host.of(DeviceRetested)] == [False, True]
        assert not host.driver.status().identity.authenticated

    with_pads(test, PadHost(authenticated=False))


def test_forged_reports_end_the_session_with_a_fault() -> None:
    async def test(host: PadHost) -> None:
        host.pad.garble.extend(["mac"] * 12)
        assert "somebody else is on the line" in (await host.first(DeviceFaulted)).detail

    with_pads(test)


# ---------------------------------------------------------------- a pad that lies


async def lied(host: PadHost, words: str) -> None:
    faulted = await host.first(DeviceFaulted)
    assert faulted.fault == "contradiction"
    assert words in faulted.detail


def test_a_pad_that_unrefuses_a_late_wager_is_a_contradiction_and_no_wager() -> None:
    async def test(host: PadHost) -> None:
        await locked(host)
        host.pad.chips(BONUS_SPOT, 500)
        await wagers(host, 1)
        host.pad.lie(BONUS_SPOT)
        await lied(host, "seat 1 bonus: counts a")
        host.driver.perform(ef.OpenSpots(spots=(BONUS, ANTE)))
        await host.until(lambda: not host.pad.locked & 1)
        assert host.pad.locked & 1 << BONUS_SPOT  # a spot in doubt stays locked
        assert len(host.of(WagerSensed)) == 1
        host.driver.retest("contradiction")
        retested = await host.first(DeviceRetested)
        assert not retested.good
        assert retested.detail == (
            "seat 1 bonus: was in doubt and has chips on it (lift the chips there until it was tested again)"
        )
        host.pad.chips(BONUS_SPOT, 0)
        await a_report(host)
        host.driver.retest("contradiction")
        await host.until(lambda: not host.pad.locked & 1 << BONUS_SPOT)
        assert host.of(DeviceRetested)[1].good
        # The table was told of the late chip, and hears that it is gone: RETURN SEAT 1 would stand for ever.
        assert await wagers(host, 2) == [(1, "bonus", 500), (1, "bonus", 0)]

    with_pads(test)


def test_a_pad_that_ignores_the_lock_is_a_contradiction() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.liar.add("lock")
        host.driver.perform(ef.LockWagers(spots=(ANTE,)))
        await lied(host, "seat 1 ante: leaves open what was locked")

    with_pads(test)


def test_a_lamp_on_a_refused_wager_is_a_contradiction() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.chips(ANTE_SPOT, 100)
        await host.until(lambda: host.pad.lit == 1)
        host.pad.liar.add("lamp")
        await locked(host)
        host.pad.chips(ANTE_SPOT, 200)
        await lied(host, "lamp")

    with_pads(test)


def test_a_retest_that_stays_bad_names_the_doubts_that_remain_and_what_lifts_them() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        for number in range(4):
            host.pad.blind(number)
        await lied(host, "its sensor cannot tell")
        await a_report(host)
        host.driver.retest("contradiction")
        retested = await host.first(DeviceRetested)
        assert not retested.good
        first, *_, last = retested.detail.split("; ")
        assert first == (
            "seat 1 ante: its sensor cannot tell (take away what covers or blinds it, else replace the pad)"
        )
        assert last == "and 1 more"

    with_pads(test)


def test_a_blind_sensor_is_a_contradiction_until_it_sees() -> None:
    async def test(host: PadHost) -> None:
        await opened(host, ANTE)
        host.pad.blind(ANTE_SPOT)
        await lied(host, "its sensor cannot tell")
        host.pad.see(ANTE_SPOT)
        await a_report(host)
        host.driver.retest("")
        assert (await host.first(DeviceRetested)).good
        await host.until(lambda: not host.pad.locked & 1)

    with_pads(test)


@pytest.mark.parametrize(
    ("spots", "seats", "code"),
    [
        ("", 7, "E-PAD-002"),
        ("a b c d e f g h i j", 7, "E-PAD-002"),
        ("1.ante ante", 7, "E-PAD-001"),
        ("9.ante", 7, "E-PAD-001"),
        ("1.ante 1.ante", 7, "E-PAD-003"),
    ],
)
def test_a_map_that_cannot_be_is_an_error(spots: str, seats: int, code: str) -> None:
    with pytest.raises(PadError, match=code):
        PadsDriver("pads", {"spots": spots, "seats": seats}, PadHost())


def test_a_map_may_leave_spots_out_and_name_each() -> None:
    driver = PadsDriver("pads", {"spots": "ante - bonus", "seats": 2}, PadHost())
    assert driver._chosen.spots.numbers == {(1, "ante"): 0, (1, "bonus"): 2, (2, "ante"): 3, (2, "bonus"): 5}
    driver = PadsDriver("pads", {"spots": "2.ante - 1.ante", "seats": 2}, PadHost())
    assert driver._chosen.spots.numbers == {(2, "ante"): 0, (1, "ante"): 2}


def test_nothing_is_raised_before_the_start_and_after_the_end() -> None:
    async def test() -> None:
        host = PadHost()
        host.driver.perform(ef.LockWagers())
        host.driver.retest("device")
        assert not host.driver.status().is_up
        await host.up()
        await host.driver.stop()
        host.driver.perform(ef.OpenSpots(spots=(ANTE,)))
        await asyncio.sleep(0)
        assert host.pad.locked & 63 == 63

    run(test)
