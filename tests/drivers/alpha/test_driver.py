"""The meter sign on a real pseudo-terminal: amounts without a blank, read back, and what goes wrong with them."""

import re
from pathlib import Path

import pytest

from sabot.drivers.alpha import KIND
from sabot.drivers.options import Value
from sabot.hil.simulators.alpha import AlphaSign
from sabot.hil.simulators.lossy import Lossy
from sabot.statemachine.vocabulary.effects import DropHit, FreezeHit, LightSeat, RecordRound, SetMeter
from sabot.statemachine.vocabulary.events import DeviceFaulted, DeviceRetested, LinkLost, LinkRestored
from tests.drivers.waiting import until
from tests.drivers.wired_host import Bench, at_work, run

QUICK: dict[str, Value] = {
    "meters": "prog5.mega=MEGA, prog5.major=MAJOR",
    "deadline_s": 0.3,
    "settle_s": 0.0,
    "check_s": 600.0,
}
CHECKING: dict[str, Value] = {**QUICK, "check_s": 0.05}


def meter(cents: int, level: str = "mega") -> SetMeter:
    return SetMeter(meter="prog5", level=level, cents=cents)


def proved(bench: Bench) -> bool:
    state = bench.driver.status().state
    return bench.driver.is_up and not state["waiting"] and not state["wrong"]


def test_an_amount_is_shown_without_a_blank_and_proved(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", QUICK) as bench:
            bench.driver.perform(meter(5_000_000))
            bench.driver.perform(meter(12_345, "major"))
            bench.driver.perform(SetMeter(meter="prog4", level="mega", cents=1))
            bench.driver.perform(LightSeat(seat=2))
            await bench.paper.has(LinkRestored)
            await until(lambda: proved(bench))
            assert sign.shown() == ["MEGA $50,000.00", "MAJOR $123.45"]
            blanks, answers = sign.blanks, sign.answers
            for cents in range(5_000_100, 5_001_000, 100):
                bench.driver.perform(meter(cents))
            await until(lambda: proved(bench))
            assert sign.shown()[0] == "MEGA $50,009.00"
            assert (sign.blanks, bench.paper.said(DeviceFaulted)) == (blanks, [])
            assert sign.answers > answers
            assert bench.driver.status().state["prog5.mega"] == "$50,009.00"
            assert bench.driver.status().identity.capabilities == ("reads back", "cannot authenticate")

    run(work)


class Repeating(AlphaSign):
    """A sign that gives its last answer once more before each answer."""

    before = b""

    def send(self, data: bytes) -> None:
        last, self.before = self.before, data
        super().send(last + data)


@pytest.mark.parametrize("sign", [AlphaSign(), Repeating()], ids=["answers", "answers to other questions"])
def test_a_sign_that_has_its_files_is_not_erased_again(tmp_path: Path, sign: AlphaSign) -> None:
    async def work() -> None:
        async with at_work(KIND, sign, tmp_path / "sign", QUICK) as bench:
            bench.driver.perform(meter(100))
            await until(lambda: proved(bench))
            blanks = sign.blanks
            bench.port.unplug()
            await bench.paper.has(LinkLost)
            bench.driver.perform(meter(200))
            bench.port.plug_in()
            await bench.paper.has(LinkRestored, 2)
            # What it should show was there before it counted as back.
            assert sign.shown()[0] == "MEGA $2.00"
            assert sign.blanks == blanks

    run(work)


def test_a_sign_that_lost_its_memory_gets_everything_again(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", QUICK) as bench:
            bench.driver.perform(meter(100))
            await until(lambda: proved(bench))
            bench.port.unplug()
            sign.wipe()
            bench.port.plug_in()
            await bench.paper.has(LinkRestored, 2)
            assert sign.shown() == ["MEGA $1.00", "MAJOR "]

    run(work)


def test_a_hit_stands_over_everything_until_it_is_dropped_or_its_round_recorded(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", QUICK) as bench:
            bench.driver.perform(meter(100))
            bench.driver.perform(FreezeHit(seat=3, wager="prog5", row="royal_flush", cents=500_000))
            await until(lambda: sign.shown() == ["SEAT 3 WINS $5,000.00"])
            bench.driver.perform(FreezeHit(seat=5, wager="prog5", row="flush", cents=200))
            await until(lambda: sign.shown() == ["SEAT 3 WINS $5,000.00  SEAT 5 WINS $2.00"])
            bench.driver.perform(DropHit(seat=3, wager="prog5"))
            await until(lambda: sign.shown() == ["SEAT 5 WINS $2.00"])
            bench.driver.perform(RecordRound(number=7))
            await until(lambda: sign.shown()[0] == "MEGA $1.00")
            sent = len(bench.paper.wire)
            bench.driver.perform(RecordRound(number=8))
            assert len(bench.paper.wire) == sent

    run(work)


def test_more_hits_than_a_sign_takes_are_the_newest_and_none_is_cut(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_work(KIND, AlphaSign(), tmp_path / "sign", QUICK) as bench:
            for seat in range(1, 8):
                bench.driver.perform(FreezeHit(seat=seat, wager="prog5", row="x", cents=123_456_789))
            words = bench.driver.status().state["priority"]
            assert re.fullmatch(r"(SEAT \d WINS \$1,234,567\.89( {2})?)+", words)
            assert words.endswith("SEAT 7 WINS $1,234,567.89")

    run(work)


def test_a_packet_that_the_sign_dropped_is_written_again(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", QUICK) as bench:
            await bench.paper.has(LinkRestored)
            sign.drop_next = 1
            bench.driver.perform(meter(777))
            await until(lambda: proved(bench))
            assert sign.shown()[0] == "MEGA $7.77"
            assert bench.paper.said(DeviceFaulted) == []

    run(work)


def test_a_sign_that_will_not_show_what_was_ordered_is_a_fault_and_its_retest_tells(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", QUICK) as bench:
            bench.driver.perform(meter(100))
            await until(lambda: proved(bench))
            sign.stuck.add("a")
            bench.driver.perform(meter(200))
            (fault,) = await bench.paper.has(DeviceFaulted)
            assert (fault.fault, fault.detail) == (
                "contradiction",
                "the sign does not show what was ordered: $2.00",
            )
            bench.driver.retest("contradiction")
            await bench.paper.has(DeviceRetested)
            sign.stuck.clear()
            bench.driver.retest("contradiction")
            await bench.paper.has(DeviceRetested, 2)
            assert [each.good for each in bench.paper.said(DeviceRetested)] == [False, True]
            assert sign.shown()[0] == "MEGA $2.00"
            assert len(bench.paper.said(DeviceFaulted)) == 1

    run(work)


def test_a_sign_that_stays_wrong_is_told_once(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", CHECKING) as bench:
            bench.driver.perform(meter(100))
            await until(lambda: proved(bench))
            sign.stuck.add("a")
            bench.driver.perform(meter(200))
            await bench.paper.has(DeviceFaulted)
            answers = sign.answers
            await until(lambda: sign.answers > answers + 30)  # looked at again and again
            assert len(bench.paper.said(DeviceFaulted)) == 1

    run(work)


def test_an_amount_that_changed_by_itself_is_a_fault_and_is_put_right(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", CHECKING) as bench:
            bench.driver.perform(meter(100))
            await until(lambda: proved(bench) and sign.shown()[:1] == ["MEGA $1.00"])
            sign.corrupt("a", "$9,999.00")
            await bench.paper.has(DeviceFaulted)
            await until(lambda: sign.shown()[0] == "MEGA $1.00" and proved(bench))
            assert len(bench.paper.said(DeviceFaulted)) == 1

    run(work)


def test_a_sign_that_does_not_take_its_memory_is_a_fault(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        sign.takes_special = False
        sign.sequence = sign.memory = b"\x20"
        async with at_work(KIND, sign, tmp_path / "sign", QUICK) as bench:
            await bench.paper.has(DeviceFaulted, 2)
            details = [each.detail for each in bench.paper.said(DeviceFaulted)]
            assert details[:2] == [
                "the sign does not take its memory",
                "the sign does not take its order of pages",
            ]

    run(work)


def test_a_mute_sign_is_a_lost_link(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", CHECKING | {"deadline_s": 0.05}) as bench:
            await bench.paper.has(LinkRestored)
            sign.is_mute = True
            (lost,) = await bench.paper.has(LinkLost)
            assert "no answer" in lost.reason
            sign.is_mute = False
            await bench.paper.has(LinkRestored, 2)

    run(work)


class Unchecked(AlphaSign):
    """A sign that answers without checksums."""

    def send(self, data: bytes) -> None:
        super().send(data[:-6] + b"\x04")


def test_answers_without_a_checksum_prove_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        sign = Unchecked()
        async with at_work(KIND, sign, tmp_path / "sign", QUICK | {"deadline_s": 0.05}) as bench:
            (lost,) = await bench.paper.has(LinkLost)
            assert "no answer" in lost.reason
            assert sign.answers
            assert bench.paper.said(DeviceFaulted) == []

    run(work)


def test_a_model_that_answers_nothing_is_written_to_and_proves_nothing(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign(is_dumb=True)
        async with at_work(KIND, sign, tmp_path / "sign", CHECKING | {"read_back": False}) as bench:
            bench.driver.perform(meter(100))
            await bench.paper.has(LinkRestored)
            await until(lambda: sign.shown()[:1] == ["MEGA $1.00"])
            assert bench.driver.status().identity.capabilities[0] == "proves nothing"
            sign.corrupt("a", "$9.00")
            await until(lambda: sign.shown()[0] == "MEGA $1.00")  # said again now and then
            assert bench.paper.said(DeviceFaulted) == []
            said: list[str] = []
            assert await bench.driver.test(said.append)
            assert "proves nothing" in said[0]

    run(work)


def test_the_technicians_test_shows_a_pattern_and_goes_back(tmp_path: Path) -> None:
    async def work() -> None:
        sign = AlphaSign()
        async with at_work(KIND, sign, tmp_path / "sign", QUICK) as bench:
            bench.driver.perform(meter(100))
            await until(lambda: proved(bench))
            said: list[str] = []
            assert await bench.driver.test(said.append)
            assert ["read back" in line for line in said] == [True, True]
            assert sign.shown()[0] == "MEGA $1.00"
            sign.is_mute = True
            assert not await bench.driver.test(said.append)
            await until(lambda: not bench.driver.is_up or said[-1])
            bench.port.unplug()
            await bench.paper.has(LinkLost)
            assert not await bench.driver.test(said.append)
            assert "not there" in said[-1]

    run(work)


LINES = [
    Lossy(seed=1, drop=0.2),
    Lossy(seed=2, drop=0.1, is_byte_at_a_time=True, delay_s=0.0005),
    Lossy(seed=3, flip=0.002, noise=0.1, duplicate=0.1),
]


@pytest.mark.parametrize("line", LINES, ids=["loss", "bytes", "flips"])
def test_on_a_bad_line_what_counts_as_shown_is_shown_or_the_link_is_lost(tmp_path: Path, line: Lossy) -> None:
    async def work() -> None:
        sign = AlphaSign()
        options = QUICK | {"tries": 12, "deadline_s": 0.15}
        async with at_work(KIND, sign, tmp_path / "sign", options, line) as bench:
            await bench.paper.has(LinkRestored)
            for cents in range(1_000, 1_010):
                bench.driver.perform(meter(cents))
                lost = len(bench.paper.said(LinkLost))
                await until(lambda seen=lost: proved(bench) or len(bench.paper.said(LinkLost)) > seen, 40)  # type: ignore[misc]
                if proved(bench):
                    assert sign.shown()[0] == f"MEGA $10.{cents - 1_000:02}"

    run(work)
