"""The arguments of the device commands, made into a driver, its options, a line's settings.

A device is named in one of two ways. With ``--as`` it is a driver, a port and options, and there need be no
table file: a technician has a device on a bench. Without it the name or the port is that of a device of the
table file, and driver and options are what stands there. From here on nobody asks which way it was.
"""

import argparse
import math
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sabot.config.driver_options import options_of_words
from sabot.config.includes import read_merged
from sabot.drivers import registry
from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.device import DriverKind
from sabot.drivers.enrolment import KEY_BYTES
from sabot.drivers.options import Schema, Value
from sabot.firmware.common_arguments import TABLE
from sabot.firmware.errors import CommandError
from sabot.firmware.integrity.drivers import load, load_convention

_LINE = re.compile(r"(\d+)(?:,([5-8])([NEOMS])([12]))?")
Options = dict[str, Value]


def add_choice(parser: argparse.ArgumentParser, *, is_port_needed: bool) -> None:
    """Add the arguments for the port, the driver and its options."""
    parser.add_argument(
        "port",
        nargs=None if is_port_needed else "?",
        metavar="PORT",
        help="a serial port, or the name of a device of the table file",
    )
    parser.add_argument(
        "--as",
        dest="driver",
        default="",
        metavar="DRIVER",
        help="what the device is (default: the table file's)",
    )
    parser.add_argument("--table", type=Path, default=TABLE, help=f"the table file (default {TABLE})")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="an option of the driver"
    )


def add_line(parser: argparse.ArgumentParser) -> None:
    """Add the option for another setting of the line than the usual one."""
    parser.add_argument("--line", default="", metavar="BAUD[,8N1]", help="another speed, another frame")


def take_from_table(args: argparse.Namespace) -> None:
    """Take driver and options from the table file where there is no --as; given options go before."""
    if args.driver:
        return
    part = next(
        (each for each in _devices(args.table) if args.port in (each.name, each.options.get("port"))), None
    )
    if part is None:
        if not args.port:
            facts = {"missing": "PORT, or --as DRIVER", "example": f"sabot device {args.action} --as lines"}
            raise CommandError("E-CLI-016", "device", **facts, command=f"sabot device {args.action}")
        wanted = f"the name or port of a device in {args.table}; for any other say --as DRIVER"
        raise CommandError("E-CLI-003", "device", text=args.port, wanted=wanted, command="device")
    args.driver, args.port = part.driver, part.options.get("port")
    # Those of the command line last: of two the later counts.
    args.option = [f"{name}={_written(value)}" for name, value in part.options.items()] + args.option


class _Named(NamedTuple):
    """A device of the table file, its options as they are written."""

    name: str
    driver: str
    options: dict[str, object]


def _devices(table: Path) -> Iterator[_Named]:
    if not table.exists():
        return
    for name, part in read_merged(table).section(str(table)).section("device").sections():
        yield _Named(name, part.text("driver"), {key: part.data[key] for key in part.data if key != "driver"})


def _written(value: object) -> str:
    """Return a value as a command line has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def chosen_driver(args: argparse.Namespace) -> tuple[DriverKind, Options]:
    """Return the driver that was named, with checked options."""
    kind = load(args.driver)
    return kind, _options(kind.schema, args)


def chosen_convention(args: argparse.Namespace) -> tuple[Convention, Options, LineSettings]:
    """Return the convention to read a line by, its options, and the settings to open it with."""
    convention = load_convention(args.driver)
    schema = load(args.driver).schema if args.driver in registry.installed() else ()
    options = _options(_asked_for(schema, args), args)
    baud, frame = options.get("baud", convention.line.baud), options.get("frame", "")
    dtr = bool(options.get("dtr", convention.line.dtr))
    usual = _line(f"{baud},{frame}" if frame else str(baud), replace(convention.line, dtr=dtr))
    return convention, options, _line(args.line, usual) if args.line else usual


def _asked_for(schema: Schema, args: argparse.Namespace) -> Schema:
    """Return the options that are asked for.

    Those that put a device to work are not needed to listen to it.
    """
    given = {word.partition("=")[0] for word in args.option}
    return tuple(each for each in schema if each.default is not None or each.name in {"port", *given})


def _options(schema: Schema, args: argparse.Namespace) -> Options:
    """Read the options; the port is one like any other, where the driver has one."""
    has_port = any(option.name == "port" for option in schema)
    words = [f"port={args.port}"] if args.port and has_port else []
    return options_of_words([*args.option, *words], schema, f"{args.driver} --option")


def _line(text: str, usual: LineSettings) -> LineSettings:
    found = _LINE.fullmatch(text.upper())
    if found is None:
        wanted = "a speed such as 9600 or 9600,7E1"
        raise CommandError("E-CLI-003", "--line", text=text, wanted=wanted, command="device")
    baud, bits, parity, stop = found.groups()
    line = replace(usual, baud=int(baud))
    return line if bits is None else replace(line, bits=int(bits), parity=parity, stop=int(stop))


def seconds(text: str) -> float:
    """Read a time that can be waited."""
    # The error that a person sees goes by the name of this function (``WANTED`` in command_line.py).
    found = float(text)
    if not (math.isfinite(found) and found > 0):
        raise ValueError
    return found


def key_of_hex(text: str) -> bytes:
    """Read a public key, whole: a piece of one would only look like another device's."""
    key = bytes_of_hex(text, "--key")
    if len(key) != KEY_BYTES:
        wanted = f"a public key of {KEY_BYTES} bytes ({2 * KEY_BYTES} hex digits)"
        raise CommandError("E-CLI-003", "--key", text=text, wanted=wanted, command="device")
    return key


def bytes_of_hex(text: str, option: str) -> bytes:
    """Read bytes that somebody wrote in hexadecimal."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        wanted = "bytes in hexadecimal such as '05 01 0d'"
        raise CommandError("E-CLI-003", option, text=text, wanted=wanted, command="device") from error
