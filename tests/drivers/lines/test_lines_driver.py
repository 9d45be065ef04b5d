"""The lines at work, over a module that behaves as the real one does, its thread and its artefacts included."""

import asyncio
import io
import json
import os
import subprocess
import sys
import time
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from sabot import cli
from sabot.drivers.lines.driver import LinesDriver
from sabot.drivers.lines.errors import LineError, LinesGoneError
from sabot.drivers.lines.gpio import Pins, poster
from sabot.drivers.lines.plan import INPUTS, KEYS, OUTPUTS, make_plan
from sabot.drivers.threads import LoopDoor
from sabot.hil.simulators import gpio
from sabot.hil.simulators.gpio.chip import Chip
from sabot.hil.simulators.gpio.remote import ChipServer, RemoteChip
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary.events import (
    DeviceFaulted,
    DeviceRetested,
    Key,
    KeyPressed,
    LinkLost,
    LinkRestored,
    Role,
)

from .linehost import MODULE, PIN, LinesHost, with_lines

ANTE = (1, "ante")


def levels(host: LinesHost) -> dict[str, int]:
    return {name: host.chip.level(PIN[name]) for name in OUTPUTS}


def outputs_of(test_effects: list[ef.Effect]) -> dict[str, int]:
    found: list[dict[str, int]] = []

    async def test(host: LinesHost) -> None:
        for effect in test_effects:
            host.driver.perform(effect)
        found.append(levels(host))

    with_lines(test)
    return found[0]


# ---------------------------------------------------------------- keys


@pytest.mark.parametrize("name", KEYS)
def test_each_key_is_its_event_once(name: str) -> None:
    async def test(host: LinesHost) -> None:
        before = host.now()
        host.press(name)
        pressed = await host.first(KeyPressed)
        assert before <= pressed.at <= host.now()
        host.release(name)
        await host.until(lambda: not host.driver.status().state[name])
        assert host.pressed() == [KEYS[name]]

    with_lines(test, lock_at_rest=-1)


def test_lock_counts_with_its_first_touch_and_bounces_are_one_press() -> None:
    async def test(host: LinesHost) -> None:
        host.press("key_lock")
        await host.first(KeyPressed)
        for level in (1, 0, 1, 0):
            host.chip.drive(PIN["key_lock"], level)
            await asyncio.sleep(0.001)
        host.chip.drive(PIN["lock_at_rest"], 1)
        host.press("key_ok")
        await host.until(lambda: Key.OK in host.pressed())
        assert host.pressed() == [Key.LOCK, Key.OK]

    with_lines(test)


def test_an_edge_that_was_never_told_is_seen_by_looking() -> None:
    async def test(host: LinesHost) -> None:
        gpio.remove_event_detect(PIN["key_ok"])
        host.press("key_ok")
        await host.first(KeyPressed)

    with_lines(test)


def test_a_key_that_is_down_at_the_start_is_no_press() -> None:
    host = LinesHost(pull="off")
    host.chip.drive(PIN["key_back"], 0)
    for name in INPUTS:
        if name != "key_back":
            host.chip.drive(PIN[name], int(name not in ("door", "lock_at_rest")))

    async def test() -> None:
        await host.driver.start()
        await host.until(lambda: host.driver.status().state["key_back"])
        host.press("key_ok")
        await host.first(KeyPressed)
        await host.driver.stop()

    asyncio.run(test())
    gpio.reset()
    assert host.pressed() == [Key.OK]


def test_a_stuck_key_is_a_fault_once_and_good_when_it_is_free() -> None:
    async def test(host: LinesHost) -> None:
        host.press("key_menu")
        await host.until(lambda: host.driver._inputs.active_since.get("key_menu"))
        host.driver._inputs.active_since["key_menu"] -= 60  # a minute ago
        faulted = await host.first(DeviceFaulted)
        assert (faulted.fault, faulted.detail) == ("contradiction", "the key MENU is stuck")
        host.driver.retest("contradiction")
        host.release("key_menu")
        await host.until(lambda: not host.driver.status().state["key_menu"])
        host.driver.retest("contradiction")
        assert [each.good for each in host.of(DeviceRetested)] == [False, True]
        assert len(host.of(DeviceFaulted)) == 1

    with_lines(test)


def test_three_keys_at_once_are_no_persons_word() -> None:
    async def test(host: LinesHost) -> None:
        for name in ("key_ok", "key_back", "key_menu"):
            host.press(name)
        assert (await host.first(DeviceFaulted)).detail == "the keys OK, BACK, MENU at once"

    with_lines(test)


def test_a_button_whose_contacts_contradict_each_other_is_a_fault() -> None:
    async def test(host: LinesHost) -> None:
        host.press("key_lock")
        assert (await host.first(DeviceFaulted)).detail == "the two contacts of LOCK contradict each other"

    with_lines(test)


@pytest.mark.parametrize("order", [("key_lock", "lock_at_rest"), ("lock_at_rest", "key_lock")])
def test_a_look_while_a_held_button_is_let_go_finds_nothing_wrong(order: tuple[str, str]) -> None:
    """LOCK is up at its first touch and its other contact has still to settle, however long it was held."""
    pushed, free = {"key_lock": 0, "lock_at_rest": 1}, {"key_lock": 1, "lock_at_rest": 0}

    async def test(host: LinesHost) -> None:
        def is_active(name: str) -> bool:
            return bool(host.driver.status().state[name])

        for name in order:
            host.chip.drive(PIN[name], pushed[name])
        await host.until(lambda: all(map(is_active, order)))
        await asyncio.sleep(0.15)  # longer than the contacts may differ
        for name in order:
            host.chip.drive(PIN[name], free[name])
        host.driver._look()
        await host.until(lambda: not any(map(is_active, order)))
        host.driver._look()
        assert host.of(DeviceFaulted) == []

    with_lines(test)


def test_switches_are_told_to_the_host_and_an_open_door_is_a_fault() -> None:
    async def test(host: LinesHost) -> None:
        host.press("key_switch")
        host.press("cover")
        await host.until(lambda: host.lines["key_switch"] and host.lines["cover"])
        host.chip.drive(PIN["door"], 1)
        faulted = await host.first(DeviceFaulted)
        assert (faulted.fault, faulted.detail) == ("device", "the service door is open")
        host.driver.retest("device")
        host.chip.drive(PIN["door"], 0)
        await host.until(lambda: not host.lines["door"])
        host.driver.retest("device")
        assert [each.good for each in host.of(DeviceRetested)] == [False, True]
        assert host.pressed() == []

    with_lines(test)


# ---------------------------------------------------------------- outputs


def test_outputs_follow_the_effects() -> None:
    opened, locked = ef.OpenSpots(spots=(ANTE,)), ef.LockWagers(spots=(ANTE,))
    raised = ef.RaiseFault(fault="device", device="shoe", why="")
    hit = ef.FreezeHit(seat=1, wager="bonus", row="", cents=1)

    assert outputs_of([]) == {"lock_open": 0, "healthy": 1, "hit": 0, "call": 0}
    assert outputs_of([opened])["lock_open"] == 1
    assert outputs_of([opened, locked])["lock_open"] == 0
    assert outputs_of([opened, ef.LockWagers()])["lock_open"] == 0
    assert outputs_of([ef.OpenSpots(spots=((1, "play"),))])["lock_open"] == 0
    assert outputs_of([raised])["healthy"] == 0
    assert outputs_of([raised, ef.ClearFault(fault="device", device="shoe", by="")])["healthy"] == 1
    assert outputs_of([hit])["hit"] == 1
    call = ef.RequireRole(role=Role.FLOOR, why="the dealer calls")
    assert outputs_of([call])["call"] == 1
    assert outputs_of([call, ef.EndCall(role=Role.TECHNICIAN)])["call"] == 1
    assert outputs_of([call, ef.EndCall(role=Role.FLOOR)])["call"] == 0
    assert outputs_of([hit, ef.DropHit(seat=1, wager="bonus")])["hit"] == 0
    assert outputs_of([hit, ef.PayWager(seat=1, wager="bonus", paid=1, back=0)])["hit"] == 0
    assert outputs_of([hit, ef.RecordRound(number=1), ef.LightSeat(seat=1)])["hit"] == 0


def test_outputs_are_safe_before_anything_else_and_after_the_end() -> None:
    async def test(host: LinesHost) -> None:
        host.driver.perform(ef.OpenSpots(spots=(ANTE,)))
        assert levels(host) == {"lock_open": 1, "healthy": 1, "hit": 0, "call": 0}

    host = with_lines(test)

    assert levels(host) == dict.fromkeys(OUTPUTS, 0)
    assert not host.driver.status().is_up


def test_an_inverted_output_rests_high() -> None:
    async def test(host: LinesHost) -> None:
        assert host.chip.level(PIN["lock_open"]) == 1
        host.driver.perform(ef.OpenSpots(spots=(ANTE,)))
        assert host.chip.level(PIN["lock_open"]) == 0

    with_lines(test, inverted="lock_open")


def test_the_technicians_test_walks_outputs_and_keys() -> None:
    async def test(host: LinesHost) -> None:
        said: list[str] = []

        def say(words: str) -> None:
            said.append(words)
            if words.startswith("press each"):
                for number, name in enumerate(("key_ok", "key_back")):
                    host.driver._loop.call_later(0.05 * number, host.press, name)

        assert await host.driver.test(say)
        assert said == [
            "lock_open is energised",
            "healthy is energised",
            "hit is energised",
            "call is energised",
            "press each of the 2 keys",
            "OK works",
            "BACK works",
        ]
        assert host.pressed() == []
        assert {pin for _, pin, level in host.chip.history if level} == {PIN[name] for name in OUTPUTS}

    unwired = {name: -1 for name in KEYS if name not in ("key_ok", "key_back")}
    with_lines(test, lock_at_rest=-1, **unwired)


def test_a_walk_that_nobody_walks_ends_and_names_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabot.drivers.lines.driver._WALK_S", 0.05)
    said: list[str] = []

    async def test(host: LinesHost) -> None:
        assert not await host.driver.test(said.append)
        assert host.driver._walk is None

    with_lines(test, lock_at_rest=-1, **{name: -1 for name in KEYS if name != "key_ok"})
    assert said[-2:] == ["press each of the 1 keys", "OK was not pressed"]


# ---------------------------------------------------------------- the library and its chip


def test_a_chip_that_vanishes_is_one_event_and_the_program_is_told_to_restart() -> None:
    noise = io.StringIO()

    async def test(host: LinesHost) -> None:
        host.chip.vanish()
        host.driver.perform(ef.OpenSpots(spots=(ANTE,)))
        lost = await host.first(LinkLost)
        assert "E-LINE-005" in lost.reason
        assert host.restarts == [lost.reason]
        assert host.driver._timers == {}, "nobody looks at a chip that is gone"
        await host.until(lambda: "lgPthAlert: read error 19" in noise.getvalue())
        host.driver.retest("lost_link")
        assert not host.of(DeviceRetested)[0].good
        assert not await host.driver.test(lambda _: None)
        assert len(host.of(LinkLost)) == 1

    with redirect_stderr(noise):
        with_lines(test)


def test_a_chip_that_is_not_there_yet_is_looked_for() -> None:
    host = LinesHost()
    host.chip.vanish()

    async def test() -> None:
        await host.driver.start()
        assert "E-LINE-004" in host.of(LinkLost)[0].reason
        host.chip.come_back()
        await host.first(LinkRestored)
        await host.driver.stop()

    asyncio.run(test())
    gpio.reset()


def test_a_pin_that_another_program_holds_is_said() -> None:
    host = LinesHost()
    host.chip.claim_output("another program", PIN["hit"], 1)

    async def test() -> None:
        await host.driver.start()
        assert "GPIO not allocated" in host.of(LinkLost)[0].reason
        await host.driver.stop()

    asyncio.run(test())
    gpio.reset()


def test_the_real_library_without_a_chip_is_a_clear_event() -> None:
    """In a process of its own: what is imported here stays imported."""
    script = """
import asyncio, os, tempfile, time
os.chdir(tempfile.mkdtemp())
os.environ["RPI_LGPIO_REVISION"], os.environ["RPI_LGPIO_CHIP"] = "c03114", "250"
from sabot.drivers.lines.driver import LinesDriver
class Host:
    keyring, now = None, staticmethod(time.monotonic)
    def post(self, event): print(type(event).__name__, event.reason)
    def overhear(self, *_): pass
async def main():
    driver = LinesDriver("lines", {}, Host())
    await driver.start()
    assert not driver.status().is_up
    await driver.stop()
asyncio.run(main())
"""
    ran = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, timeout=60, check=True
    )

    assert ran.stdout.startswith("LinkLost E-LINE-00")
    assert ran.stdout.count("\n") == 1
    assert "gpio" in ran.stdout


def test_a_module_that_is_not_there_is_a_clear_event() -> None:
    host = LinesHost(module="no.such.module")

    async def test() -> None:
        await host.driver.start()
        assert "E-LINE-003" in host.of(LinkLost)[0].reason
        await host.driver.stop()

    asyncio.run(test())


def test_a_callback_cannot_raise_whatever_happens() -> None:
    loop, line = asyncio.new_event_loop(), make_plan({}, "lines").inputs[0]
    heard: list[type[BaseException]] = []
    loop.set_exception_handler(lambda _loop, context: heard.append(type(context["exception"])))

    def no_clock() -> float:
        raise ZeroDivisionError

    poster(LoopDoor(loop), no_clock, lambda _line, _at: None)(line)(line.pin)
    loop.run_until_complete(asyncio.sleep(0))

    assert heard == [ZeroDivisionError]  # whoever watches over the loop hears of it
    edge = poster(LoopDoor(loop), time.monotonic, lambda _line, _at: None)(line)
    loop.close()
    edge(line.pin)


def test_pins_that_are_closed_say_so_and_outputs_that_refuse_are_named() -> None:
    pins = Pins(MODULE, make_plan({}, "lines"))
    pins.close()

    with pytest.raises(LinesGoneError, match="not open"):
        pins.is_active(make_plan({}, "lines").inputs[0])
    assert pins.make_safe() == list(OUTPUTS)


@pytest.mark.parametrize(
    ("options", "code"),
    [({"hit": 4}, "E-LINE-001"), ({"inverted": "nothing"}, "E-LINE-002")],
)
def test_a_plan_that_cannot_be_is_an_error(options: dict[str, int], code: str) -> None:
    with pytest.raises(LineError, match=code):
        LinesDriver("lines", options, LinesHost())  # type: ignore[arg-type]


# ---------------------------------------------------------------- the simulated module


def test_the_module_has_the_errors_of_the_real_one() -> None:
    LinesHost()
    with pytest.raises(RuntimeError, match="set pin numbering mode"):
        gpio.setup(4, gpio.IN)
    gpio.setmode(gpio.BCM)
    assert gpio.getmode() == gpio.BCM
    with pytest.raises(RuntimeError, match="must setup"):
        gpio.input(4)
    with pytest.raises(RuntimeError, match="as an OUTPUT"):
        gpio.output(4, 1)
    with pytest.raises(RuntimeError, match="as an input first"):
        gpio.add_event_detect(4, gpio.BOTH)
    with pytest.raises(ValueError, match="invalid"):
        gpio.setup(99, gpio.IN)
    with pytest.raises(ValueError, match="different mode"):
        gpio.setmode(gpio.BOARD)
    gpio.setup([4, 5], gpio.OUT, initial=1)
    with pytest.raises(RuntimeError, match="Number of channels"):
        gpio.output([4, 5], [1, 0, 1])
    gpio.output([4, 5], [0, 1])
    assert (gpio.input(4), gpio.input(5), gpio.gpio_function(4)) == (0, 1, gpio.OUT)
    gpio.cleanup()
    assert gpio.getmode() is None


def test_a_bias_drives_a_line_anew_and_what_a_callback_raises_is_printed() -> None:
    host, said = LinesHost(), io.StringIO()
    host.chip.drive(4, 0)
    gpio.setmode(gpio.BCM)
    gpio.setup(4, gpio.IN, pull_up_down=gpio.PUD_UP)
    assert gpio.input(4) == 1
    seen: list[int] = []

    def bad(_pin: int) -> None:
        raise ValueError("of no importance")

    gpio.add_event_detect(4, gpio.FALLING, callback=bad)
    gpio.add_event_callback(4, seen.append)
    with redirect_stderr(said):
        for level in (0, 1, 0, 1, 0):
            host.chip.drive(4, level)
        end = time.monotonic() + 5
        while not seen and time.monotonic() < end:
            time.sleep(0.001)
        gpio.reset()
    assert seen == [4]  # three edges at once were told as one
    assert "of no importance" in said.getvalue()


# ---------------------------------------------------------------- another process


def test_lines_may_be_driven_from_another_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chip, path = Chip(), str(tmp_path / "gpio")
    server = ChipServer(chip, path)
    server.serve()
    monkeypatch.setenv("SABOT_GPIO_SOCKET", path)

    async def test(host: LinesHost) -> None:
        world = await asyncio.to_thread(RemoteChip, path)
        await asyncio.to_thread(world.drive, PIN["key_ok"], 0)
        await host.first(KeyPressed)
        assert await asyncio.to_thread(world.level, PIN["healthy"]) == 1
        world.left(None)

    async def whole() -> None:
        host = LinesHost()
        host.chip = chip
        await host.up()
        await test(host)
        await host.driver.stop()

    asyncio.run(whole())
    gpio.reset()
    server.shutdown()
    server.server_close()
    assert chip.level(PIN["healthy"]) == 0


HANGING = """
import asyncio, os, sys, time
from sabot.drivers.lines.driver import LinesDriver
from sabot.statemachine.vocabulary.effects import OpenSpots
class Host:
    keyring, now = None, staticmethod(time.monotonic)
    def post(self, event): pass
    def overhear(self, *_): pass
async def main():
    driver = LinesDriver("lines", {"module": "sabot.hil.simulators.gpio"}, Host())
    await driver.start()
    driver.perform(OpenSpots(spots=((1, "ante"),)))
    print("open", flush=True)
    time.sleep(60)
asyncio.run(main())
"""


def test_a_program_that_is_killed_leaves_every_output_at_rest(tmp_path: Path) -> None:
    chip, path = Chip(), str(tmp_path / "gpio")
    server = ChipServer(chip, path)
    server.serve()
    environment = {**os.environ, "SABOT_GPIO_SOCKET": path}
    with subprocess.Popen(
        [sys.executable, "-I", "-c", HANGING], stdout=subprocess.PIPE, env=environment
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"open\n"
        assert chip.level(PIN["lock_open"]) == 1
        program.kill()
    end = time.monotonic() + 5
    while chip.level(PIN["lock_open"]) and time.monotonic() < end:
        time.sleep(0.005)
    server.shutdown()
    server.server_close()

    assert [chip.level(PIN[name]) for name in OUTPUTS] == [0, 0, 0, 0]


# ---------------------------------------------------------------- sabot safe-outputs


def test_safe_outputs_drives_every_output_to_rest(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    host = LinesHost()
    table = tmp_path / "table.toml"
    table.write_text(
        f'[devices.lines]\ndriver = "lines"\nhit = 27\ninverted = "hit door"\nmodule = "{MODULE}"\n'
    )

    assert cli.main(["safe-outputs", "--file", str(table), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "safe": {"lock_open": 0, "healthy": 0, "hit": 1, "call": 0}
    }
    assert (27, 1) in {(pin, level) for _, pin, level in host.chip.history}
    assert cli.main(["safe-outputs", "hit=-1", "lock_open=5", "--module", MODULE]) == 0
    assert capsys.readouterr().out == (
        "lock_open (pin 5): 0, safe\nhealthy (pin 24): 0, safe\ncall (pin 26): 0, safe\n"
    )
    gpio.reset()


def test_safe_outputs_finds_the_pins_of_an_included_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    LinesHost()
    (tmp_path / "pit.toml").write_text(
        f'[device.lines]\ndriver = "lines"\nlock_open = 5\nmodule = "{MODULE}"\n'
    )
    table = tmp_path / "table.toml"
    table.write_text('include = "pit.toml"\n[device.lines]\nhit = -1\n')

    assert cli.main(["safe-outputs", "--file", str(table)]) == 0
    assert capsys.readouterr().out == (
        "lock_open (pin 5): 0, safe\nhealthy (pin 24): 0, safe\ncall (pin 26): 0, safe\n"
    )
    gpio.reset()


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["lock=5"], "E-LINE-002"),
        (["hit=x"], "E-LINE-006"),
        (["--file", "/nowhere.toml"], "E-LINE-007"),
        (["--file", "pyproject.toml"], "E-LINE-007"),
        (["hit=23"], "E-LINE-001"),
        (["--module", "no.such"], "E-LINE-003"),
    ],
)
def test_safe_outputs_says_what_is_wrong(
    words: list[str], code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["safe-outputs", *words]) == 2
    assert code in capsys.readouterr().err


def test_safe_outputs_names_an_output_that_stays_up(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    LinesHost()
    monkeypatch.setattr(gpio, "input", lambda _pin: 1)

    assert cli.main(["safe-outputs", "--module", MODULE]) == 2
    assert "E-LINE-008" in capsys.readouterr().err
    gpio.reset()
