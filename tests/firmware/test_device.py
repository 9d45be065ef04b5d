"""`sabot device` as a technician calls it: a process of its own, and simulated devices on real terminals."""

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.simulator_thread import SimulatorThread

from calling import Answer, sabot
from sabot.drivers import registry
from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.registry import load_convention
from sabot.drivers.serial_port import close_port, open_port
from sabot.firmware.devices.analyser import AmountShown, Analyser
from sabot.firmware.devices.open_table import SOCKET, is_table_open
from sabot.hil.simulators.angel_eye import AngelEyeShoe
from sabot.hil.simulators.escpos import EscposDisplay
from sabot.hil.simulators.gpio.chip import Chip
from sabot.hil.simulators.gpio.remote import ChipServer
from sabot.hil.simulators.pty_port import SimulatedPort
from sabot.hil.simulators.sabot_link import Machine, SabotLinkDevice, Who
from sabot.hil.simulators.sabot_link.on_port import DeviceOnPort

KING_OF_HEARTS = "4d"  # suit 4, rank 13


@dataclass
class Shoe:
    """A shoe on a terminal, in a thread of its own."""

    device: AngelEyeShoe
    port: SimulatedPort
    thread: SimulatorThread

    def again_and_again(self, function: Callable[[], object], every_s: float = 0.05) -> None:
        """Do this for as long as the shoe is plugged in: whoever listens will hear it."""

        def once() -> None:
            if self.port.is_plugged_in:
                function()
                asyncio.get_running_loop().call_later(every_s, once)

        self.thread.call(once)


@pytest.fixture
def shoe(tmp_path: Path) -> Iterator[Shoe]:
    device = AngelEyeShoe()
    port = SimulatedPort(device, path=tmp_path / "shoe")
    with SimulatorThread(port) as thread:
        yield Shoe(device, port, thread)


def device(*words: str, runtime: Path | None = None, patience_s: float = 60) -> Answer:
    environment = {**os.environ, "RUNTIME_DIRECTORY": str(runtime or "/nonexistent")}
    done = subprocess.run(
        [sys.executable, "-Im", "sabot", "device", *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=patience_s,
        stdin=subprocess.DEVNULL,
        env=environment,
    )
    return Answer(done.returncode, done.stdout, done.stderr)


def test_the_list_shows_what_is_there_and_says_what_is_missing() -> None:
    answer = device("list")

    assert answer.code == 0
    assert "angel-eye" in answer.out
    listing = json.loads(device("list", "--json").out)
    assert set(listing) == {"ports", "usb", "lines", "drivers", "missing"}
    assert {row["name"] for row in listing["drivers"]} >= {"angel-eye", "sabot-link", "sabot-pads"}
    for what, words in (("ports", "serial port"), ("usb", "USB"), ("lines", "lines")):
        assert listing[what] or any(words in missing for missing in listing["missing"])


WITHOUT_HARDWARE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("RPi", "usb", "lgpio"):
            raise ModuleNotFoundError(f"no module named {name}", name=name)

sys.meta_path.insert(0, Blocked())
from serial.tools import list_ports
list_ports.comports = lambda *_: []
from sabot.cli import main
sys.exit(main(["device", "list", "--json"]))
"""


def test_without_any_hardware_or_its_libraries_the_program_starts_and_says_what_is_missing() -> None:
    done = subprocess.run(
        [sys.executable, "-Ic", WITHOUT_HARDWARE], capture_output=True, text=True, check=True, timeout=60
    )

    listing = json.loads(done.stdout)
    assert (listing["ports"], listing["usb"]) == ([], [])
    assert any("serial port" in words for words in listing["missing"])
    assert any("USB cannot be looked at" in words for words in listing["missing"])
    assert any("lines" in words for words in listing["missing"])
    assert len(listing["drivers"]) >= 6


def test_no_driver_needs_its_hardware_library_to_be_imported() -> None:
    script = WITHOUT_HARDWARE.replace(
        'sys.exit(main(["device", "list", "--json"]))',
        "from sabot.drivers import registry\n"
        "print(*[registry.load(name).title for name in registry.installed()], sep='\\n')\n"
        "print(*[registry.load_convention(n).title for n in registry.installed(registry.CONVENTIONS)], sep='\\n')",
    )
    done = subprocess.run(
        [sys.executable, "-Ic", script], capture_output=True, text=True, check=False, timeout=60
    )

    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) >= 10


def test_identify_says_who_and_how_a_device_is(shoe: Shoe) -> None:
    answer = device("identify", shoe.port.name, "--as", "angel-eye")
    assert answer.code == 0, answer
    assert "not proved" in answer.out

    told = json.loads(device("identify", shoe.port.name, "--as", "angel-eye", "--json").out)
    assert told["is_up"] is True
    assert told["identity"]["authenticated"] is False
    assert told["statistics"]["frames_in"] > 0


def test_identify_of_a_device_that_does_not_answer_is_no(shoe: Shoe) -> None:
    shoe.device.is_mute = True
    answer = device("identify", shoe.port.name, "--as", "angel-eye", "--patience", "1.5")

    assert answer.code == 1
    assert "DOWN" in answer.out


def test_a_device_is_tested_step_by_step(shoe: Shoe) -> None:
    answer = device("test", shoe.port.name, "--as", "angel-eye", "--json")
    told = json.loads(answer.out)

    assert answer.code == 0, answer
    assert told["good"] is True
    assert len(told["steps"]) >= 2


def test_one_card_goes_through_a_shoe_and_is_not_named(shoe: Shoe) -> None:
    shoe.again_and_again(lambda: shoe.device.draw("Kh"), every_s=0.4)
    answer = device("test", shoe.port.name, "--as", "angel-eye", "--cycle")

    assert answer.code == 0, answer
    assert "draw one card by hand" in answer.out
    assert "done" in answer.out
    assert "Kh" not in answer.out + answer.err


def test_a_card_that_cannot_be_read_fails_the_cycle(shoe: Shoe) -> None:
    shoe.again_and_again(shoe.device.draw_unread, every_s=0.4)
    answer = device("test", shoe.port.name, "--as", "angel-eye", "--cycle")

    assert (answer.code, "NOT GOOD" in answer.out) == (1, True)


def test_one_card_goes_through_a_shuffler(tmp_path: Path) -> None:
    machine = Machine(speed=200.0)
    port = SimulatedPort(DeviceOnPort(SabotLinkDevice(machine=machine)), path=tmp_path / "mixer")
    with SimulatorThread(port):
        public = Ed25519PrivateKey.from_private_bytes(Who().secret).public_key().public_bytes_raw()
        key = ("--key", public.hex())
        answer = device("test", port.name, "--as", "sabot-link", "--cycle", *key)
        assert answer.code == 0, answer
        assert answer.out.count("done") == 2
        end = time.monotonic() + 1.0  # a device that is only left alone holds after two seconds
        while not machine.held and time.monotonic() < end:
            time.sleep(0.01)
        assert machine.held


def test_a_display_has_no_card_to_give(tmp_path: Path) -> None:
    port = SimulatedPort(EscposDisplay(), path=tmp_path / "display")
    with SimulatorThread(port):
        answer = device("test", port.name, "--as", "escpos", "--cycle")
    assert (answer.code, "it gives no cards" in answer.out) == (1, True)


def test_a_device_that_refuses_fails_its_test(shoe: Shoe) -> None:
    shoe.device.refusals = [6] * 20
    answer = device("test", shoe.port.name, "--as", "angel-eye")

    assert answer.code == 1
    assert "NOT GOOD" in answer.out


def monitor(shoe: Shoe, *words: str, runtime: Path | None = None) -> list[dict[str, str]]:
    called = ("monitor", shoe.port.name, "--as", "angel-eye", "--seconds", "1.5", "--json", *words)
    answer = device(*called, runtime=runtime)
    assert answer.code == 0, answer
    return [json.loads(line) for line in answer.out.splitlines()]


def test_the_monitor_shows_a_card_neither_in_words_nor_in_bytes(shoe: Shoe) -> None:
    shoe.again_and_again(lambda: shoe.device.draw("Kh"))
    heard = [line for line in monitor(shoe) if line["bytes"]]

    assert len(heard) >= 2
    assert all(line["hex"] is None for line in heard)
    assert "Kh" not in json.dumps(heard)


def test_the_monitor_shows_bytes_where_there_is_no_card(shoe: Shoe) -> None:
    shoe.again_and_again(lambda: shoe.device.say(b"C"))
    shown = [line["hex"] for line in monitor(shoe) if line["hex"]]

    assert shown
    assert all(re.match(r"05 .. 43 .* ?03 ", line) for line in shown)


def test_a_copy_of_a_card_is_no_way_to_it(shoe: Shoe) -> None:
    """A copy completes no message: its bytes must not come out with the next message that holds no card."""
    shoe.device.copies = 3

    def draw_and_cut() -> None:
        shoe.device.draw("Kh")
        shoe.device.say(b"C")

    shoe.again_and_again(draw_and_cut)
    shown = [line["hex"] for line in monitor(shoe) if line["hex"]]

    # A whole report of the cut card and nothing before it; 4d alone may well be a sequence byte.
    assert all(re.fullmatch(r"05 .. 43 03 .. ..", line) for line in shown), shown


def test_the_monitor_shows_cards_to_whoever_asks_while_no_table_is_open(shoe: Shoe) -> None:
    shoe.again_and_again(lambda: shoe.device.draw("Kh"))
    heard = monitor(shoe, "--show-cards")

    assert any(KING_OF_HEARTS in (line["hex"] or "").split() for line in heard)
    assert any("Kh" in line["words"] for line in heard)


@pytest.fixture
def open_table(tmp_path: Path) -> Iterator[Path]:
    """A runtime directory with a program that listens."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(tmp_path / SOCKET))
        listening.listen()
        yield tmp_path


def test_while_a_table_is_open_no_bytes_and_no_cards_are_shown_whatever_is_said(
    shoe: Shoe, open_table: Path
) -> None:
    shoe.again_and_again(lambda: (shoe.device.draw("Kh"), shoe.device.say(b"C")))
    heard = monitor(shoe, "--show-cards", runtime=open_table)

    assert any(line["bytes"] for line in heard)
    assert all(line["hex"] is None for line in heard)
    assert "Kh" not in json.dumps(heard)


def test_while_a_table_is_open_nothing_is_sent_or_tested(shoe: Shoe, open_table: Path) -> None:
    for words in (
        ("test", shoe.port.name, "--as", "angel-eye"),
        ("identify", shoe.port.name, "--as", "angel-eye"),
        ("send", shoe.port.name, "--as", "angel-eye", "--message", "lock", "--yes"),
    ):
        answer = device(*words, runtime=open_table)
        assert answer.code == 2
        assert "E-CLI-008" in answer.err
    assert shoe.device.orders == []


def test_an_open_table_is_a_program_that_listens_and_every_doubt(tmp_path: Path) -> None:
    assert not is_table_open(tmp_path)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listening:
        listening.bind(str(tmp_path / SOCKET))
        listening.listen()
        assert is_table_open(tmp_path)
    assert not is_table_open(tmp_path)  # the file of a program that died is still there
    assert (tmp_path / SOCKET).exists()
    assert is_table_open(tmp_path / ("x" * 200))  # a path that no socket can have: in doubt, open


def test_a_message_is_sent_and_its_answer_shown(shoe: Shoe) -> None:
    answer = device(
        "send",
        shoe.port.name,
        "--as",
        "angel-eye",
        "--message",
        "lock",
        "--yes",
        "--seconds",
        "0.7",
        "--json",
    )

    assert answer.code == 0, answer
    assert "4f 50 4c 4b 30 32 03" in answer.err
    assert any(line["hex"] == "06" for line in map(json.loads, answer.out.splitlines()))
    assert shoe.device.is_locked


def test_raw_bytes_are_sent_as_they_are(shoe: Shoe) -> None:
    raw = "02 4f 50 4c 4b 30 32 03 31 42"
    answer = device("send", shoe.port.name, "--as", "angel-eye", "--hex", raw, "--yes", "--seconds", "0.7")

    assert answer.code == 0, answer
    assert shoe.device.is_locked


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--message", "lock"), "E-CLI-007"),
        (("--message", "frobnicate", "--yes"), "E-CLI-009"),
        (("--hex", "0g", "--yes"), "E-CLI-003"),
        (("--message", "lock", "--yes", "--line", "fast"), "E-CLI-003"),
        (("--message", "lock", "--yes", "--option", "buad=9600"), "E-CONF-002"),
        (("--message", "lock", "--yes", "--seconds", "-3"), "--seconds"),
        (("--message", "lock", "--yes", "--seconds", "nan"), "--seconds"),
    ],
)
def test_what_cannot_be_sent_is_one_error_and_reaches_no_device(
    shoe: Shoe, words: tuple[str, ...], code: str
) -> None:
    answer = device("send", shoe.port.name, "--as", "angel-eye", *words)

    assert answer.code == 2
    assert code in answer.err
    assert answer.out == ""
    assert shoe.device.orders == []


def test_a_port_that_is_not_there_and_one_that_is_taken_are_different_errors(shoe: Shoe) -> None:
    gone = device("monitor", "/dev/no-such-port", "--as", "angel-eye")
    assert (gone.code, "E-LINK-001" in gone.err) == (2, True)

    ours = open_port(shoe.port.name, LineSettings())
    taken = device("monitor", shoe.port.name, "--as", "angel-eye")
    close_port(ours)
    assert (taken.code, "E-LINK-002" in taken.err) == (2, True)


@pytest.mark.parametrize("name", registry.installed())
def test_every_option_of_a_driver_is_listed_with_what_it_may_be(name: str) -> None:
    told = json.loads(device("list", "--as", name, "--json").out)
    words = device("list", "--as", name).out

    assert [each["name"] for each in told] == [option.name for option in registry.load(name).schema]
    assert [each["default"] for each in told] == [option.default for option in registry.load(name).schema]
    assert all(f"  {each['name']} " in words and each["words"] in words for each in told)
    assert ("must be given" in words) == any(each["default"] is None for each in told)


def test_a_piece_of_a_key_is_no_other_devices_key(shoe: Shoe) -> None:
    answer = device("identify", shoe.port.name, "--as", "sabot-link", "--key", "ff")

    assert (answer.code, "E-CLI-003" in answer.err) == (2, True)


def test_a_test_that_is_ended_leaves_the_outputs_at_rest(tmp_path: Path) -> None:
    chip = Chip()
    server = ChipServer(chip, str(tmp_path / "gpio.sock"))
    server.serve()
    environment = {**os.environ, "SABOT_GPIO_SOCKET": str(tmp_path / "gpio.sock")}
    words = ["test", "--as", "lines", "--option", "module=sabot.hil.simulators.gpio"]
    called = [sys.executable, "-Im", "sabot", "device", *words]
    with subprocess.Popen(called, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as testing:
        assert testing.stdout is not None
        assert b"lock_open is energised" in testing.stdout.readline()
        testing.terminate()
        _, said = testing.communicate(timeout=20)
    server.shutdown()
    server.server_close()
    assert (testing.returncode, b"Traceback" in said) == (130, False)
    pins = {pin for _, pin, _ in chip.history}
    assert pins
    assert all(chip.level(pin) == 0 for pin in pins)


def test_a_port_is_missing_where_the_driver_needs_one() -> None:
    answer = device("identify", "--as", "angel-eye")

    assert (answer.code, "E-CONF-003" in answer.err) == (2, True)


class Speed:
    """A shoe whose bytes make sense only to whoever has set the line to its speed."""

    def __init__(self, baud: int) -> None:
        self.baud = baud
        self.port: SimulatedPort | None = None
        self.write: Callable[[bytes], None] = print

    def attached(self, write: Callable[[bytes], None]) -> None:
        self.write = write
        self.say()

    def received(self, data: bytes) -> None:
        """It hears nothing."""

    def detached(self) -> None:
        self.port = None

    def say(self) -> None:
        if self.port is None:
            return
        is_right = termios.tcgetattr(self.port._slave)[5] == getattr(termios, f"B{self.baud}")
        self.write(b"\x05\x01C\x0341" if is_right else bytes(range(0x80, 0x90)))
        asyncio.get_running_loop().call_later(0.01, self.say)


def test_a_scan_finds_the_speed_that_makes_sense(tmp_path: Path) -> None:
    speed = Speed(9600)
    port = speed.port = SimulatedPort(speed, path=tmp_path / "shoe")
    with SimulatorThread(port):
        called = ("monitor", port.name, "--as", "angel-eye", "--scan", "--seconds", "0.4", "--json")
        answer = device(*called)
        wrong = device("monitor", port.name, "--as", "angel-eye", "--seconds", "1", "--line", "4800")
    rows = [json.loads(line) for line in answer.out.splitlines()]

    assert answer.code == 0, answer
    assert rows[0]["baud"] == 9600
    assert rows[0]["share"] > 0.9
    assert all(row["messages"] == 0 for row in rows[1:])
    assert wrong.code == 1
    assert "look wrong" in wrong.out


@pytest.mark.parametrize("name", ["alpha", "angel-eye", "escpos", "sabot-link"])
def test_every_line_can_be_listened_to_without_an_option(shoe: Shoe, name: str) -> None:
    answer = device("monitor", shoe.port.name, "--as", name, "--seconds", "0.3")

    assert answer.code == 0, answer
    assert "the port is open" in answer.out


def test_options_of_the_driver_set_the_line(shoe: Shoe) -> None:
    called = ("monitor", shoe.port.name, "--as", "alpha", "--seconds", "0.3")
    usual = device(*called)
    newer = device(*called, "--option", "frame=8N1", "--option", "baud=19200")
    other = device(*called, "--option", "frame=8N1", "--line", "2400,7O2")

    assert "9600 7E1" in usual.out
    assert "19200 8N1" in newer.out
    assert "2400 7O2" in other.out


def convention() -> Convention:
    return load_convention("angel-eye")


def test_nothing_heard_and_little_understood_are_said_in_words() -> None:
    analyser = Analyser(convention(), {}, AmountShown.NO_CARDS)
    assert "nothing was heard" in analyser.verdict()
    analyser.take(b"\x80" * 200, 0.0)
    assert analyser.looks_wrong
    assert "look wrong" in analyser.verdict()


def test_noise_is_shown_only_where_cards_may_be(shoe: Shoe) -> None:  # noqa: ARG001 - the same device's bytes
    half = bytes.fromhex("0501440141")
    hidden = Analyser(convention(), {}, AmountShown.NO_CARDS)
    hidden.take(half, 0.0)
    assert [line.data for line in hidden.rest(1.0)] == [None]
    shown = Analyser(convention(), {}, AmountShown.ALL)
    shown.take(half, 0.0)
    assert [line.data for line in shown.rest(1.0)] == [half]


def test_the_help_of_every_action_is_there() -> None:
    for action in ("list", "identify", "monitor", "test", "send"):
        assert sabot("device", action, "--help").code == 0


# ---------------------------------------------------------------- devices of a table file


TABLE = """
[device.shoe]
driver = "angel-eye"
port = "{port}"
shoe_game = "none"
gap_is_fault = false
tries = 2
[device.sign]
driver = "alpha"
port = "/nowhere"
meters = "prog4.main=FOUR CARD, prog5.main"
"""


@pytest.fixture
def table(shoe: Shoe, tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(TABLE.format(port=shoe.port.name), encoding="utf-8")
    return path


@pytest.mark.parametrize("by", ["shoe", "its port"])
def test_a_device_of_the_table_file_needs_no_driver_to_be_said(shoe: Shoe, table: Path, by: str) -> None:
    name = "shoe" if by == "shoe" else str(shoe.port.name)

    found = device("identify", name, "--table", str(table), "--json")
    heard = device("monitor", name, "--table", str(table), "--seconds", "0.3")

    told = json.loads(found.out)
    assert (found.code, told["driver"], told["port"]) == (0, "angel-eye", str(shoe.port.name))
    assert heard.out.startswith(f"reading shoe (Angel Eye II-EX dialect) on {shoe.port.name}, 4800 8N1")


def test_what_is_typed_goes_before_what_the_table_file_says(table: Path) -> None:
    wrong = device("identify", "shoe", "--table", str(table), "--option", "tries=99")

    assert wrong.code == 2
    assert re.search(r"tries.* 99.* from 1 to 20", wrong.err)


@pytest.mark.parametrize("file", ["there", "missing"])
def test_a_device_that_the_table_file_does_not_name_needs_its_driver(table: Path, file: str) -> None:
    path = table if file == "there" else table.with_name("none.toml")

    answer = device("monitor", "/dev/ttyUSB9", "--table", str(path))

    assert (answer.code, answer.out) == (2, "")
    assert f"a device in {path}" in answer.err
    assert "--as DRIVER" in answer.err
