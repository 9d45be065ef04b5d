"""`sabot sim`: a technician's simulated device, a process of its own that a program opens like a real one."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from calling import sabot, without_the_rig
from sabot.drivers.convention import LineSettings
from sabot.drivers.serial_port import close_port, open_port
from sabot.hil.simulators.device_kinds import KINDS, WORDS

WITHIN_S = 20.0


class Simulator:
    """A running ``sabot sim``."""

    def __init__(self, words: tuple[str, ...], out: Path) -> None:
        self.out = out
        self.process = subprocess.Popen(
            [sys.executable, "-Im", "sabot", "sim", *words],
            stdin=subprocess.PIPE,
            stdout=out.open("w"),
            stderr=subprocess.STDOUT,
            text=True,
        )

    def type(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def until(self, is_true: Callable[[], object]) -> None:
        end = time.monotonic() + WITHIN_S
        while not is_true():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < end, self.said()
            time.sleep(0.01)

    def until_said(self, words: str) -> None:
        self.until(lambda: words in self.said())

    def said(self) -> str:
        return self.out.read_text()


@contextmanager
def simulator(tmp_path: Path, *words: str) -> Iterator[Simulator]:
    running = Simulator(words, tmp_path / "said")
    try:
        yield running
    finally:
        running.process.kill()
        running.process.communicate()


def _read(descriptor: int, count: int) -> bytes:
    data, end = b"", time.monotonic() + WITHIN_S
    while len(data) < count:
        assert time.monotonic() < end
        try:
            data += os.read(descriptor, count)
        except BlockingIOError:
            time.sleep(0.005)
    return data


def test_the_list_names_every_device_and_what_can_be_chosen() -> None:
    answer = sabot("sim")

    assert answer.code == 0
    assert all(name in answer.out for name in (*KINDS, *WORDS))
    assert "drop=0.0" in answer.out


def test_what_is_typed_is_done_to_the_device_and_it_is_not_for_play(tmp_path: Path) -> None:
    path = tmp_path / "shoe"
    with simulator(tmp_path, "shoe", "--pty", str(path), "--option", "baud=0") as shoe:
        shoe.until_said("NOT FOR PLAY")
        port = open_port(str(path), LineSettings(baud=4800))
        shoe.type("draw Kh")
        report = _read(port.fileno(), 8)
        close_port(port)
        assert (report[0], report[2:3], report[4]) == (0x05, b"D", 0x4D)

        shoe.type("frobnicate")
        shoe.until_said("there is no 'frobnicate'")
        shoe.type("draw Zz")
        shoe.until_said("not done")
        shoe.type("help")
        shoe.until_said("unplug: pull the cable")
        first = path.readlink()
        shoe.type("unplug")
        shoe.until(lambda: not path.is_symlink())
        shoe.type("plug")
        shoe.until(path.is_symlink)
        assert path.readlink() != first
        shoe.type("quit")
        assert shoe.process.wait(WITHIN_S) == 0
    assert not path.is_symlink()


def test_a_script_is_done_first_and_a_line_that_fails_is_no(tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text("# an evening\n\nwait 0.05\nfrobnicate\nquit\n")
    answer = sabot("sim", "sign", "--script", str(script))

    assert answer.code == 1
    assert "there is no 'frobnicate'" in answer.out
    script.write_text("wait a while\nquit\n")
    answer = sabot("sim", "sign", "--script", str(script))
    assert (answer.code, "no number of seconds" in answer.out, answer.err) == (1, True, "")
    script.write_text("show\nquit\n")
    assert sabot("sim", "sign", "--script", str(script)).code == 0


@pytest.mark.parametrize("kind", [*KINDS, *WORDS])
def test_every_device_lives_alone_and_ends_when_it_is_told_to(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "here"
    with simulator(tmp_path, kind, "--pty", str(path), "--seed", "7") as device:
        device.until_said("seed 7")
        assert str(path) in device.said()
        device.process.terminate()
        assert device.process.wait(WITHIN_S) == 0
    assert not path.exists()


@pytest.mark.parametrize(
    "line", ["noise zz", "stall up", "liar always", "light 1 999", "chips -1 5", "jump x"]
)
def test_nonsense_is_refused_at_once_and_does_not_wait_in_the_pads(line: str, tmp_path: Path) -> None:
    script = tmp_path / "script"
    script.write_text(f"{line}\nquit\n")
    answer = sabot("sim", "pads", "--socket", str(tmp_path / "pads.sock"), "--script", str(script))

    assert (answer.code, "not done" in answer.out, answer.err) == (1, True, "")


@pytest.mark.parametrize("kind", KINDS)
def test_every_device_says_which_call_finds_it_and_that_call_does(kind: str, tmp_path: Path) -> None:
    with simulator(tmp_path, kind, "--pty", str(tmp_path / "here")) as device:
        device.until_said("try: ")
        call = next(line for line in device.said().splitlines() if line.startswith("try: "))
        words = shlex.split(call.removeprefix("try: "))
        environment = {**os.environ, "RUNTIME_DIRECTORY": "/nonexistent"}
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            environment[name] = value
        assert words.pop(0) == "sabot"
        called = [sys.executable, "-Im", "sabot", *words]
        done = subprocess.run(called, capture_output=True, text=True, env=environment, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("toaster",), "E-CLI-003"),
        (("shoe", "--option", "bawd=1"), "E-CONF-002"),
        (("shoe", "--option", "drop=-1"), "E-CONF-004"),
        (("shoe", "--script", "/no/such/file"), "E-CLI-001"),
    ],
)
def test_a_slip_is_one_error(words: tuple[str, ...], code: str) -> None:
    answer = sabot("sim", *words)

    assert answer.code == 2
    assert code in answer.err


@pytest.mark.parametrize("kind", ["shoe", "pads", "lines"])
def test_a_place_that_is_taken_is_not_taken_away_and_one_that_was_left_is_free(
    kind: str, tmp_path: Path
) -> None:
    path = tmp_path / "here"
    with simulator(tmp_path, kind, "--pty", str(path)) as first:
        first.until_said("try: ")
        second = sabot("sim", kind, "--pty", str(path))
        assert (second.code, "there already" in second.err) == (2, True)
        assert path.exists()
    # It was killed, and could not clean up.
    assert path.is_symlink() or path.is_socket()
    end = time.monotonic() + WITHIN_S
    while path.is_symlink() and path.exists():  # the kernel gave its number to another program meanwhile
        assert time.monotonic() < end
        time.sleep(0.05)
    with simulator(tmp_path, kind, "--pty", str(path)) as third:
        third.until_said("try: ")


def test_a_file_is_no_place_for_a_simulator(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.write_text("of the evening")
    for kind, path in (("shoe", notes), ("pads", notes), ("pads", tmp_path / "no" / "such" / "folder")):
        answer = sabot("sim", kind, "--pty", str(path))
        assert (answer.code, "E-CLI-005" in answer.err) == (2, True), answer
    assert notes.read_text() == "of the evening"


def test_the_bundle_for_the_floor_has_no_simulators_and_says_so() -> None:
    answer = without_the_rig("sim", "shoe")

    assert answer.code == 2
    assert "E-CLI-010" in answer.err
