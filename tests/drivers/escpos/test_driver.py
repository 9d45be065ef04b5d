"""The dealer's display on a real pseudo-terminal: prompts, what is sent for them, running lines, a bad line."""

import asyncio
from pathlib import Path

import pytest

from sabot.drivers.escpos import KIND
from sabot.drivers.options import Value
from sabot.drivers.serial_port import ModemLines
from sabot.hil.simulators.escpos import EscposDisplay
from sabot.hil.simulators.lossy import Lossy
from sabot.statemachine.vocabulary.effects import LightSeat, ShowPrompt
from sabot.statemachine.vocabulary.events import DeviceRetested, LinkLost, LinkRestored
from tests.drivers.waiting import until
from tests.drivers.wired_host import at_work, run

FAST: dict[str, Value] = {"presence_s": 0.05, "refresh_s": 1.0, "scroll_s": 0.05}


def prompt(first: str, second: str) -> ShowPrompt:
    return ShowPrompt(first=first, second=second)


def shows(display: EscposDisplay, first: str, second: str) -> bool:
    return display.lines() == (first.ljust(20), second.ljust(20))


def test_a_prompt_is_shown_and_the_next_sends_only_what_changed(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display", {"brightness": 2}) as bench:
            bench.driver.perform(prompt("BETS OPEN", "LOCK=NO MORE BETS"))
            bench.driver.perform(LightSeat(seat=1))
            await bench.paper.has(LinkRestored)
            await until(lambda: shows(display, "BETS OPEN", "LOCK=NO MORE BETS"))
            assert (display.brightness, display.has_cursor) == (2, False)
            before = display.cells_written
            bench.driver.perform(prompt("BETS OVER", "LOCK=NO MORE BETS"))
            await until(lambda: shows(display, "BETS OVER", "LOCK=NO MORE BETS"))
            assert display.cells_written - before == 3  # OPEN, OVER: the E between two changes is one of them
            assert display.unknown == 0
            sent = len(bench.paper.wire)
            bench.driver.perform(prompt("BETS OVER", "LOCK=NO MORE BETS"))
            assert len(bench.paper.wire) == sent
            assert bench.driver.status().state["first"] == "BETS OVER"
        assert shows(display, "", "")  # no prompt without a controller

    run(work)


def test_the_first_lines_are_drawn_when_the_display_is_ready_and_not_before(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        display.received(b"OLD PICTURE")
        async with at_work(KIND, display, tmp_path / "display") as bench:
            await bench.paper.has(LinkRestored)
            await until(lambda: shows(display, "", ""))
            bench.driver.perform(prompt("CLOSED", ""))
            await until(lambda: shows(display, "CLOSED", ""))

    run(work)


def test_a_line_that_does_not_fit_runs_until_another_takes_its_place(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display", FAST) as bench:
            await bench.paper.has(LinkRestored)
            bench.driver.perform(prompt("VALIDATE THE HIT OF SEAT 7", "FLOOR"))
            await until(lambda: display.lines()[0].endswith("HIT OF SEAT 7"))
            assert display.lines()[1] == "FLOOR".ljust(20)
            bench.driver.perform(prompt("DONE", "FLOOR"))
            await until(lambda: shows(display, "DONE", "FLOOR"))
            assert bench.driver._step is None

    run(work)


def test_a_character_that_the_line_bent_is_put_right_by_the_next_refresh(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display", FAST) as bench:
            bench.driver.perform(prompt("BETS OPEN", "LOCK=NO MORE BETS"))
            await until(lambda: shows(display, "BETS OPEN", "LOCK=NO MORE BETS"))
            display.spoil()
            await until(lambda: shows(display, "BETS OPEN", "LOCK=NO MORE BETS"))

    run(work)


def test_a_display_that_was_without_power_is_as_it_should_be_after_the_next_refresh(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display", FAST | {"brightness": 2}) as bench:
            bench.driver.perform(prompt("BETS OPEN", "LOCK=NO MORE BETS"))
            await until(lambda: shows(display, "BETS OPEN", "LOCK=NO MORE BETS"))
            display.off()
            display.power()
            assert (display.brightness, display.has_cursor) == (4, True)
            await until(lambda: shows(display, "BETS OPEN", "LOCK=NO MORE BETS"))
            assert (display.brightness, display.has_cursor) == (2, False)

    run(work)


def test_behind_half_a_command_one_refresh_puts_everything_right(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display", FAST | {"brightness": 2}) as bench:
            bench.driver.perform(prompt("BETS OPEN", "LOCK=NO MORE BETS"))
            await until(lambda: shows(display, "BETS OPEN", "LOCK=NO MORE BETS"))
            sent = len(bench.paper.wire)
            await until(lambda: len(bench.paper.wire) >= sent + 2)
            refresh = b"".join(data for _, data in bench.paper.wire[sent : sent + 2])
        for half in (b"\x1f", b"\x1b", b"\x1f\x24", b"\x1f\x24\x07", b"\x1f\x58", b"\x1f\x43"):
            other = EscposDisplay()
            other.received(b"AN OLD PICTURE" + half + refresh)
            assert shows(other, "BETS OPEN", "LOCK=NO MORE BETS"), half
            assert not other.has_cursor, half

    run(work)


def test_unplugged_and_back_under_another_name_it_shows_the_prompt_of_now(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display") as bench:
            bench.driver.perform(prompt("BETS OPEN", ""))
            await until(lambda: shows(display, "BETS OPEN", ""))
            name = bench.port.terminal
            bench.port.unplug()
            await bench.paper.has(LinkLost)
            bench.driver.perform(prompt("DEAL", ""))
            display.power()
            bench.port.plug_in()
            assert bench.port.terminal != name
            await bench.paper.has(LinkRestored, 2)
            await until(lambda: shows(display, "DEAL", ""))

    run(work)


def test_a_port_without_the_modem_line_that_should_tell_is_no_display(tmp_path: Path) -> None:
    async def work() -> None:
        async with at_work(KIND, EscposDisplay(), tmp_path / "display", {"presence": "dsr"}) as bench:
            (lost,) = await bench.paper.has(LinkLost)
            assert "no modem lines" in lost.reason
            assert bench.paper.said(LinkRestored) == []

    run(work)


@pytest.mark.parametrize("line", ["dsr", "cts", "cd"])
def test_a_modem_line_that_falls_is_a_lost_display_and_one_that_rises_a_found_one(
    tmp_path: Path, line: str
) -> None:
    async def work() -> None:
        # A pseudo-terminal has no modem lines, so these are said in its place.
        up, down = ModemLines(cts=True, dsr=True, ri=False, cd=True), ModemLines(*[False] * 4)
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display", FAST | {"presence": line}) as bench:
            bench.driver.link.modem_lines = lambda: up
            await bench.paper.has(LinkRestored)
            bench.driver.link.modem_lines = lambda: down
            (lost,) = await bench.paper.has(LinkLost)
            assert f"{line.upper()} is down" in lost.reason
            bench.driver.link.modem_lines = lambda: up
            await bench.paper.has(LinkRestored, 2)

    run(work)


def test_a_slip_in_the_driver_is_a_lost_link_and_not_silence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with at_work(KIND, EscposDisplay(), tmp_path / "display", FAST) as bench:
            await bench.paper.has(LinkRestored)
            with monkeypatch.context() as patch:
                patch.setattr("sabot.drivers.escpos.driver.WIDTH", "20")
                (lost,) = await bench.paper.has(LinkLost)
            assert "the driver broke: TypeError" in lost.reason
            await bench.paper.has(LinkRestored, 2)

    run(work)


def test_what_a_display_says_is_noise(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display") as bench:
            await bench.paper.has(LinkRestored)
            bench.port._to_program.send(b"noise\x0c")
            await until(lambda: bench.driver.status().statistics.refused == 2)

    run(work)


def test_a_retest_and_the_technicians_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabot.drivers.escpos.driver.PATTERN_S", 0.05)

    async def work() -> None:
        display = EscposDisplay()
        async with at_work(KIND, display, tmp_path / "display") as bench:
            bench.driver.perform(prompt("BETS OPEN", ""))
            await bench.paper.has(LinkRestored)
            bench.driver.retest("lost_link")
            (retested,) = await bench.paper.has(DeviceRetested)
            assert retested.good
            said: list[str] = []
            assert await bench.driver.test(said.append)
            assert said[0] == "shows 0123456789ABCDEFGHIJ / KLMNOPQRSTUVWXYZ.:/-"
            await until(lambda: shows(display, "BETS OPEN", ""))
            bench.port.unplug()
            await bench.paper.has(LinkLost)
            assert not await bench.driver.test(said.append)
            assert "not there" in said[-1]

    run(work)


def test_on_a_bad_line_one_refresh_on_a_good_one_puts_everything_right(tmp_path: Path) -> None:
    async def work() -> None:
        display = EscposDisplay()
        bad = Lossy(seed=5, drop=0.2, flip=0.02, is_byte_at_a_time=True, delay_s=0.0005)
        async with at_work(KIND, display, tmp_path / "display", FAST, bad) as bench:
            await bench.paper.has(LinkRestored)
            for number in range(20):
                bench.driver.perform(prompt(f"SEAT {number}", "PLAY OR FOLD"))
            bench.port._to_device._way = None
            await until(lambda: shows(display, "SEAT 19", "PLAY OR FOLD"))

    run(work)


def test_every_word_of_a_technician_does_something(capsys: pytest.CaptureFixture[str]) -> None:
    display = EscposDisplay()
    display.received(b"BETS OPEN")
    for word, (help_words, act) in display.actions().items():
        before = display.picture(), display.is_on
        act("")
        assert (display.picture(), display.is_on) != before or word == "show"
        assert help_words.startswith(word)
    assert "|BETS OPEN           |" in capsys.readouterr().out


def test_the_simulated_display_counts_what_it_does_not_know() -> None:
    display = EscposDisplay()
    display.received(b"\x01\x1b\x41\x1f$\x30\x01\x1fX\x09")
    assert display.unknown == 4
    display.detached()
    assert display.lines()[0].strip() == ""


def test_what_a_driver_does_beside_its_line_is_heard_of_where_it_breaks(tmp_path: Path) -> None:
    async def work() -> None:
        heard: list[object] = []
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _loop, context: heard.append(context["exception"]))
        async with at_work(KIND, EscposDisplay(), tmp_path / "display") as bench:
            error = KeyError("a slip")

            async def break_down() -> None:
                raise error

            bench.driver.spawn(break_down())
            await until(lambda: heard)
            assert heard == [error]
            await until(lambda: not bench.driver._others)

    run(work)
