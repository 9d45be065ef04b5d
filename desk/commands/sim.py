"""``sabot sim``: a simulated device by itself, to try a console, a driver or a third party's host on."""

import argparse
import secrets
import socket
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType

from sabot.config.driver_options import options_of_words
from sabot.firmware.errors import CommandError

EPILOG = """\
NOT FOR PLAY. The device lives until Ctrl-C or quit; what is typed is done to it, and help lists what can be.
With --seed the same things happen again. A script holds the same lines, and `wait SECONDS`.

examples:
  sabot sim                                          the devices and what can be chosen of each
  sabot sim shoe --pty /tmp/shoe                     then type: draw Kh
  sabot sim shuffler --pty /tmp/mixer --option speed=20
  sabot sim sign --pty /tmp/sign --option drop=0.2 --option flip=0.001 --seed 7
  sabot sim pads --socket /tmp/pads.sock --script evening.txt
  sabot sim lines --socket /tmp/gpio.sock            a program finds it with SABOT_GPIO_SOCKET
  sabot sim shoe --pty /tmp/shoe --hands /tmp/hands  for `sabot hil conform /tmp/shoe --hands /tmp/hands`
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument(
        "kind", nargs="?", default="", metavar="KIND", help="which device; without it, a list"
    )
    parser.add_argument(
        "--pty",
        "--socket",
        dest="path",
        type=Path,
        metavar="PATH",
        help="where it is found, unplugged or not",
    )
    parser.add_argument(
        "--hands", type=Path, metavar="PATH", help="a socket on which a program does what could be typed"
    )
    parser.add_argument("--seed", type=int, metavar="N", help="what happens by chance, again")
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help="a choice")
    parser.add_argument("--script", default="", metavar="FILE", help="lines that are done first")


def run(args: argparse.Namespace) -> int:
    """List the devices, or let one live."""
    kinds = _rig("device_kinds")
    if not args.kind:
        print("\n".join(_list(kinds)))
        return 0
    name = kinds.WORDS.get(args.kind, args.kind)
    if name not in kinds.KINDS:
        wanted = f"one of {', '.join([*kinds.KINDS, *kinds.WORDS])}"
        raise CommandError("E-CLI-003", "KIND", text=args.kind, wanted=wanted, command="sim")
    kind = kinds.KINDS[name]
    chosen = options_of_words(args.option, kind.choices, f"{name} --option")
    script = _read(args.script) if args.script else []
    _verify_free(args.path)
    _verify_free(args.hands)
    seed = secrets.randbits(32) if args.seed is None else args.seed
    live = _rig("standalone").live
    try:
        code: int = live(kind, args.path, seed, chosen, script, reads_keys=True, hands=args.hands)
    except OSError as error:
        raise CommandError("E-CLI-005", str(args.path or "."), why=error) from error
    finally:
        if args.hands:
            args.hands.unlink(missing_ok=True)
    return code


def _verify_free(path: Path | None) -> None:
    """Raise CommandError unless the path is free, or has only what a dead simulator left."""
    if not path or not path.exists():
        return
    if not (path.is_symlink() or path.is_socket()):
        raise CommandError("E-CLI-005", str(path), why="there is a file of this name that is no port")
    # A link whose terminal is there, or a socket that somebody answers: not what a killed simulator left.
    if not path.is_socket() or _is_answered(path):
        raise CommandError(
            "E-CLI-005", str(path), why="a device is there already; end it, or take another name"
        )


def _is_answered(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        return probe.connect_ex(str(path)) == 0


def _rig(module: str) -> ModuleType:
    """Return a module of the rig, which the bundle for the floor leaves out."""
    try:
        return import_module(f"sabot.hil.simulators.{module}")
    except ModuleNotFoundError as error:
        raise CommandError("E-CLI-010", "sim", why=error) from error


def _list(kinds: ModuleType) -> Iterator[str]:
    words = {name: word for word, name in kinds.WORDS.items()}
    for name, kind in kinds.KINDS.items():
        yield f"{name:<11} {words.get(name, ''):<9} {kind.title}"
        yield f"{'':<22}" + " ".join(f"{each.name}={each.default}" for each in kind.choices)


def _read(name: str) -> list[str]:
    try:
        return Path(name).read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise CommandError("E-CLI-001", name, why=error) from error
