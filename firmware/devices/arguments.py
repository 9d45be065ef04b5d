"""What the device commands are told, and what becomes of it: a driver, its options, a line's settings."""

import argparse
import math
import re
from dataclasses import replace

from sabot.config.driver_options import options_of_words
from sabot.drivers import registry
from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.device import DriverKind
from sabot.drivers.enrolment import KEY_BYTES
from sabot.drivers.options import Schema, Value
from sabot.firmware.errors import CommandError

_LINE = re.compile(r"(\d+)(?:,([5-8])([NEOMS])([12]))?")
Options = dict[str, Value]


def add_choice(parser: argparse.ArgumentParser, *, is_port_needed: bool) -> None:
    """The port, the driver and its options."""
    parser.add_argument("port", nargs=None if is_port_needed else "?", metavar="PORT", help="a serial port")
    parser.add_argument("--as", dest="driver", required=True, metavar="DRIVER", help="what the device is")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the driver"
    )


def add_line(parser: argparse.ArgumentParser) -> None:
    """Another setting of the line than the usual one."""
    parser.add_argument("--line", default="", metavar="BAUD[,8N1]", help="another speed, another frame")


def chosen_driver(args: argparse.Namespace) -> tuple[DriverKind, Options]:
    """The driver that was named, with checked options."""
    kind = registry.load(args.driver)
    return kind, _options(kind.schema, args)


def chosen_convention(args: argparse.Namespace) -> tuple[Convention, Options, LineSettings]:
    """How the line is to be read, and how it is to be opened."""
    convention = registry.load_convention(args.driver)
    schema = registry.load(args.driver).schema if args.driver in registry.installed() else ()
    options = _options(_asked_for(schema, args), args)
    baud, frame = options.get("baud", convention.line.baud), options.get("frame", "")
    dtr = bool(options.get("dtr", convention.line.dtr))
    usual = _line(f"{baud},{frame}" if frame else str(baud), replace(convention.line, dtr=dtr))
    return convention, options, _line(args.line, usual) if args.line else usual


def _asked_for(schema: Schema, args: argparse.Namespace) -> Schema:
    """What must be said to put a device to work need not be said to listen to it."""
    given = {word.partition("=")[0] for word in args.option}
    return tuple(each for each in schema if each.default is not None or each.name in {"port", *given})


def _options(schema: Schema, args: argparse.Namespace) -> Options:
    """The port is an option like any other, where the driver has one."""
    has_port = any(option.name == "port" for option in schema)
    words = [f"port={args.port}"] if args.port and has_port else []
    return options_of_words([*words, *args.option], schema, f"{args.driver} --option")


def _line(text: str, usual: LineSettings) -> LineSettings:
    found = _LINE.fullmatch(text.upper())
    if found is None:
        wanted = "a speed such as 9600 or 9600,7E1"
        raise CommandError("E-CLI-003", "--line", text=text, wanted=wanted, command="device")
    baud, bits, parity, stop = found.groups()
    line = replace(usual, baud=int(baud))
    return line if bits is None else replace(line, bits=int(bits), parity=parity, stop=int(stop))


def seconds(text: str) -> float:
    """A time that can be waited."""
    found = float(text)
    if not (math.isfinite(found) and found > 0):
        raise ValueError
    return found


def key_of_hex(text: str) -> bytes:
    """A public key, whole: a piece of one would only look like another device's."""
    key = bytes_of_hex(text, "--key")
    if len(key) != KEY_BYTES:
        wanted = f"a public key of {KEY_BYTES} bytes ({2 * KEY_BYTES} hex digits)"
        raise CommandError("E-CLI-003", "--key", text=text, wanted=wanted, command="device")
    return key


def bytes_of_hex(text: str, option: str) -> bytes:
    """Bytes that somebody wrote in hexadecimal."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        wanted = "bytes in hexadecimal such as '05 01 0d'"
        raise CommandError("E-CLI-003", option, text=text, wanted=wanted, command="device") from error
