"""``sabot hil conform``: a device through the page of its convention, to a certificate or what to fix."""

import argparse
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from sabot.config.driver_options import options_of_words
from sabot.firmware.devices.open_table import is_table_open
from sabot.firmware.errors import CommandError

COMMAND = "hil conform"
SUMMARY = "a device through its convention: a certificate, or what to fix with the section of the page"
EPILOG = """\
The kit plays the host. It goes through the whole page: who the device is, whether it can prove it, every
message, times, damage, noise, repetition, power cuts. It takes the device for itself and writes to it; do it
on a bench, not at a table. Checks that need hands (draw a card, lay a chip, pull the plug) ask for them on
the terminal with --person, or tell a simulator with --hands; without either they are not tried, and what was
not tried is never a pass. PORT is a serial port; of pads VID:PID[:SERIAL], or a simulated bus's socket.

examples:
  sabot hil conform /dev/ttyUSB0 --as sabot-link --key HEX --person --json mixer.json
  sabot hil conform 1209:0001 --as sabot-pads --key HEX --person
  sabot hil conform usb-serial:A10X --as angel-eye --option baud=9600 --person
  sabot hil conform /dev/ttyUSB1 --as alpha --option frame=8N1 --person
  sabot hil conform /dev/ttyUSB2 --as escpos --option presence=dsr --person
  sabot sim shuffler --pty /tmp/mixer --hands /tmp/mixer.hands --option speed=20     and elsewhere
  sabot hil conform /tmp/mixer --as sabot-link --hands /tmp/mixer.hands --key HEX    (it prints its key)

exit codes: 0 a certificate, 1 something to fix, 2 bad input, 3 nothing wrong, but not all tried
"""
NAMES = ("sabot-link", "sabot-accounts", "sabot-pads", "angel-eye", "alpha", "escpos")
CODES = {"certificate": 0, "to fix": 1, "incomplete": 3}
KEY_BYTES, SLACK_MOST = 32, 1000.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("port", metavar="PORT", help="where the device is")
    parser.add_argument("--as", dest="convention", required=True, choices=NAMES, help="what it is to speak")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="as the driver's")
    proof = parser.add_mutually_exclusive_group()
    proof.add_argument("--key", default="", metavar="HEX", help="the public key that was enrolled for it")
    proof.add_argument(
        "--no-authentication",
        action="store_true",
        help="a device that proves nothing; the certificate says so",
    )
    hands = parser.add_mutually_exclusive_group()
    hands.add_argument("--person", action="store_true", help="somebody is at the device and at this terminal")
    hands.add_argument(
        "--hands",
        default="",
        metavar="SOCKET[:DEVICE]",
        help="a simulator's control socket does what hands do",
    )
    parser.add_argument(
        "--json", default="", metavar="FILE", help="the record, with the bytes of what was wrong"
    )
    parser.add_argument(
        "--slack", default="1", metavar="FACTOR", help="widen every limit of time; the certificate says so"
    )


def run(args: argparse.Namespace) -> int:
    """Put the device under test, and return the exit code of its verdict."""
    if is_table_open():
        raise CommandError("E-CLI-008", COMMAND)
    rig = _rig("certify")
    words = _rig("certificate")
    setting = _setting(args, rig.KINDS[args.convention])
    _verify_port(args)
    keep = _kept(args.json)
    progress = Progress(sys.stderr)
    telling = rig.CheckTelling(
        progress.begins, progress.waits, lambda each: progress.ended(words.line_of(each))
    )
    record = rig.certify(args.convention, args.port, setting, _hands(args), telling)
    print(words.verdict_of(record))
    if keep:
        keep.write_text(record.as_json(), encoding="utf-8")
    return CODES[record.verdict]


def _rig(module: str) -> ModuleType:
    """Return a module of the kit, which the bundle for the floor leaves out."""
    try:
        return import_module(f"sabot.hil.conformance.{module}")
    except ModuleNotFoundError as error:
        raise CommandError("E-CLI-010", COMMAND, why=error) from error


def _setting(args: argparse.Namespace, kind: Any) -> Any:  # noqa: ANN401 - of a module that may be absent
    options = options_of_words(args.option, kind.choices, f"{args.convention} --option")
    is_authenticated = kind.can_prove and not args.no_authentication
    if args.key and not kind.can_prove:
        raise _bad("--key", args.key, f"of use: {args.convention} cannot prove who it is")
    return _rig("kit").Setting(_key(args.key), is_authenticated, _slack(args.slack), options)


def _key(text: str) -> bytes | None:
    try:
        key = bytes.fromhex(text)
    except ValueError:
        # Not hexadecimal: of a wrong length too, so that there is one refusal for both.
        key = b"?"
    if text and len(key) != KEY_BYTES:
        raise _bad("--key", text, f"a public key of {KEY_BYTES} bytes ({2 * KEY_BYTES} hex digits)")
    return key or None


def _slack(text: str) -> float:
    try:
        factor = float(text)
    except ValueError:
        factor = 0.0
    if not 1.0 <= factor <= SLACK_MOST:
        raise _bad("--slack", text, f"a factor from 1 to {SLACK_MOST:g}")
    return factor


def _verify_port(args: argparse.Namespace) -> None:
    """Refuse a port of pads that is not named as a USB device is."""
    lines = _rig("lines")
    if args.convention != "sabot-pads" or lines.is_socket(args.port):
        return
    try:
        lines.usb_name(args.port)
    except ValueError:
        raise _bad("PORT", args.port, "VID:PID, VID:PID:SERIAL or the socket of a simulated bus") from None


def _hands(args: argparse.Namespace) -> Any:  # noqa: ANN401
    hands = _rig("hands")
    if args.person:
        return hands.CheckPerson()
    if not args.hands:
        return None
    try:
        return hands.SocketHands(args.hands)
    except OSError as error:
        raise _bad("--hands", args.hands, f"a control socket that answers ({error})") from error


def _kept(name: str) -> Path | None:
    """Return the path of the record, opened once now rather than failing after a run of minutes."""
    if not name:
        return None
    path = Path(name)
    try:
        path.open("a", encoding="utf-8").close()
    except OSError as error:
        raise CommandError("E-CLI-005", name, why=error) from error
    return path


class Progress:
    """The progress of the checks: the one under way with its time, then a line for each."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_watched = stream.isatty()
        self._words = ""
        self._shown_s = 0

    def begins(self, number: int, total: int, check: Any) -> None:  # noqa: ANN401
        """Show the next check."""
        self._words, self._shown_s = f"{number} of {total}: {check.title}", 0
        self._show(self._words)

    def waits(self, seconds: float) -> None:
        """Show how long the check has taken, once a second at most."""
        if int(seconds) > self._shown_s:
            self._shown_s = int(seconds)
            self._show(f"{self._words}, {self._shown_s} s")

    def ended(self, line: str) -> None:
        """Print the outcome of a check."""
        self._show("")
        print(line, flush=True)

    def _show(self, words: str) -> None:
        if self._is_watched:
            # Over the line before: the cursor goes to its start and the rest of it is erased.
            self._stream.write(f"\r\033[K{words}")
            self._stream.flush()


def _bad(place: str, text: str, wanted: str) -> CommandError:
    return CommandError("E-CLI-003", place, text=text, wanted=wanted, command=COMMAND)
