"""``sabot device``: list, identify, watch, test and wire devices, without the program of a table."""

import argparse
import asyncio
import json
import signal
import sys
from importlib import import_module

from sabot.firmware.command_line import add_each
from sabot.firmware.devices.arguments import add_choice, add_line, seconds, take_from_table
from sabot.firmware.devices.listing import everything, listing_text, options_of, options_text

EPILOG = """\
PORT is a path, a stable name of /dev/serial/by-id, or usb-serial:NUMBER; without --as it is a device of the
table file, by its name or its port, with the driver and the options that stand there. Cards are left out of
what the monitor shows unless --show-cards is said, and always while a table is open here.

examples:
  sabot device list                                        ports, USB devices, lines, drivers
  sabot device list --as alpha                             what --option can say to this driver
  sabot device identify /dev/ttyUSB0 --as sabot-link       who it is and how it is
  sabot device monitor /dev/ttyUSB0 --as angel-eye --option shoe_game=baccarat
  sabot device monitor shoe --table table.toml             as the table file says it
  sabot device monitor /dev/ttyUSB0 --as angel-eye --scan  which speed makes sense
  sabot device test --as lines --option call=17            step by step, in words
  sabot device test /dev/ttyUSB0 --as angel-eye --cycle    and one card, drawn by hand
  sabot device send /dev/ttyUSB0 --as angel-eye --message lock --yes
  sabot device wire                                        find lines by pressing; writes [device.lines]
  sabot device wire /dev/ttyUSB1 --as call-lamp            keys and lamps of a board that names them itself
"""


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--as", dest="driver", default="", metavar="DRIVER", help="the options of this driver"
    )


def _add_driver(parser: argparse.ArgumentParser) -> None:
    add_choice(parser, is_port_needed=False)
    parser.add_argument("--key", default="", metavar="HEX", help="the public key enrolled for this device")
    parser.add_argument(
        "--patience", type=seconds, default=5.0, metavar="S", help="seconds until it must answer"
    )


def _add_test(parser: argparse.ArgumentParser) -> None:
    _add_driver(parser)
    parser.add_argument("--cycle", action="store_true", help="also one card through a shoe or a shuffler")


def _add_monitor(parser: argparse.ArgumentParser) -> None:
    add_choice(parser, is_port_needed=True)
    add_line(parser)
    parser.add_argument("--show-cards", action="store_true", help="show cards, where no table is open")
    parser.add_argument("--scan", action="store_true", help="try the usual speeds, and say which makes sense")
    parser.add_argument(
        "--seconds", type=seconds, metavar="S", help="end after so long (a scan: at each speed)"
    )


def _add_send(parser: argparse.ArgumentParser) -> None:
    add_choice(parser, is_port_needed=True)
    add_line(parser)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--message", default="", metavar="WORDS", help="a message in the convention's words")
    what.add_argument("--hex", default="", metavar="BYTES", help="raw bytes, such as '05 01 0d'")
    parser.add_argument("--yes", action="store_true", help="do not ask first")
    parser.add_argument("--seconds", type=seconds, default=1.0, metavar="S", help="wait so long for answers")
    parser.set_defaults(show_cards=False)


def _add_wire(parser: argparse.ArgumentParser) -> None:
    add_choice(parser, is_port_needed=False)
    parser.add_argument("--module", default="", help="the GPIO library, if it is not the table file's")
    parser.add_argument("--again", action="store_true", help="begin anew, not where it was stopped")
    parser.add_argument(
        "--print", dest="only_print", action="store_true", help="print the part, write nothing"
    )
    parser.add_argument(
        "--patience", type=seconds, default=5.0, metavar="S", help="seconds until it must answer"
    )


ACTIONS = {
    "list": ("what is connected, and what is missing; with --as, the options of a driver", _add_list),
    "identify": ("start the driver of a device and say who and how it is", _add_driver),
    "monitor": ("everything that a line says, as bytes and in words", _add_monitor),
    "test": ("the driver's own test of its device", _add_test),
    "send": ("one message or raw bytes to a device, and what it answers", _add_send),
    "wire": ("find keys and lamps by pressing and looking, and write [device.lines]", _add_wire),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, action in add_each(actions, EPILOG, ((name, each[0]) for name, each in ACTIONS.items())):
        ACTIONS[name][1](action)
        action.add_argument("--json", action="store_true", help="for other programs")


def run(args: argparse.Namespace) -> int:
    """Do what was asked."""
    if args.action == "list":
        return _list(args)
    if args.action != "wire":  # the lines that it looks for need not stand in a file yet
        take_from_table(args)
    # To be ended is to be stopped: the driver lets go of its device, outputs safe, as it does at Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    room = import_module(f"sabot.firmware.devices.{_ROOMS.get(args.action, 'driver')}_actions")
    code: int = asyncio.run(getattr(room, args.action)(args))
    return code


_ROOMS = {"monitor": "line", "send": "line", "wire": "wire"}


def _list(args: argparse.Namespace) -> int:
    if args.driver:
        print(json.dumps(options_of(args.driver)) if args.json else options_text(args.driver))
        return 0
    listing = everything()
    print(json.dumps(listing._asdict()) if args.json else listing_text(listing))
    sys.stdout.flush()
    return 0
