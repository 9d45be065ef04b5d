"""The reference devices built, running, and put under the kit."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sabot.hil.conformance.certify import CheckTelling, certify
from sabot.hil.conformance.hands import SocketHands
from sabot.hil.conformance.kit import Setting

if TYPE_CHECKING:
    from sabot.hil.conformance.record import Record

ROOT = Path(__file__).resolve().parents[3]
HOME = ROOT / "hil/reference"
PAGE = ROOT / "docs/reference-device.md"
COMMON = ("bytes.c", "sha.c", "curve.c")
LINE, CABLE = ("--speed", "20", "--pty"), ("--usb",)
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror")
SANITIZERS = ("-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
PLAIN = {"memcpy", "memmove", "memset", "memcmp", "strlen"}
# Every limit of the page many times over: the machine that runs tests has other things to do.
SLACK = 25.0
PATIENCE_S = 30.0
CC = shutil.which("cc") or shutil.which("gcc")
ARM = shutil.which("arm-none-eabi-gcc")
needs_compiler = pytest.mark.skipif(CC is None, reason="no C compiler: sudo apt-get install gcc")
needs_arm = pytest.mark.skipif(
    ARM is None,
    reason="no compiler for Cortex-M: sudo apt-get install gcc-arm-none-eabi libnewlib-arm-none-eabi",
)


def run_compiler(*words: str) -> None:
    subprocess.run([str(CC), *words], check=True, capture_output=True, text=True)


def compiled(into: Path, *sources: str) -> Path:
    program = into / "device"
    run_compiler(*STRICT, "-O1", *(str(HOME / name) for name in sources), "-o", str(program))
    return program


def sanitized(into: Path, harness: str, *sources: str) -> Path:
    """A program of the test's own around the core, under the sanitizers."""
    (into / "harness.c").write_text(harness)
    program = into / "harness"
    parts = [str(into / "harness.c"), *(str(HOME / name) for name in sources)]
    run_compiler("-std=c99", *SANITIZERS, f"-I{HOME}", *parts, "-o", str(program))
    return program


def foreign_calls(into: Path, *sources: str) -> set[str]:
    """What the core calls that is not its own."""
    ours: set[str] = set()
    wanted: set[str] = set()
    for name in sources:
        made = into / f"{name}.o"
        run_compiler(*STRICT, "-O1", "-fno-stack-protector", "-c", str(HOME / name), "-o", str(made))
        listed = subprocess.run(["nm", str(made)], check=True, capture_output=True, text=True).stdout
        for line in listed.splitlines():
            kind, symbol = line.split()[-2:]
            (wanted if kind == "U" else ours).add(symbol)
    return wanted - ours - {"_GLOBAL_OFFSET_TABLE_"}


class Running:
    """The device, its line or cable, its key and its hands."""

    def __init__(self, program: Path, home: Path, *words: str) -> None:
        self.port, self.hands = str(home / "line"), str(home / "hands")
        place = next(at for at, word in enumerate(words) if word in ("--pty", "--usb"))
        command = [str(program), *words[: place + 1], self.port, *words[place + 1 :], "--hands", self.hands]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.key = bytes.fromhex(self._process.stdout.readline().split()[1])
        while not Path(self.hands).exists():
            assert self._process.poll() is None

    def close(self) -> int | None:
        """Its exit code where it had ended by itself."""
        code = self._process.poll()
        self._process.kill()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()
        return code


def hands_at(where: str) -> SocketHands:
    """Its hands; a socket has its name a moment before it listens."""
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            return SocketHands(where)
        except ConnectionRefusedError:
            assert time.monotonic() < end
            time.sleep(0.005)


def certified(convention: str, device: Running) -> Record:
    hands = hands_at(device.hands)
    with contextlib.closing(hands._socket), contextlib.closing(hands._stream):
        quiet = CheckTelling(lambda *_: None, lambda _: None, lambda _: None)
        options: dict[str, Any] = {"baud": 115200}
        port = device.port
        if convention == "sabot-pads":
            over = f"sabot.hil.simulators.usb_backend:over_stream:{device.port}"
            options, port = {"backend": over}, "1209:0001"
        setting = Setting(key=device.key, slack=SLACK, options=options)
        return certify(convention, port, setting, hands, quiet)
