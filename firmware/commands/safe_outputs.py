"""``sabot safe-outputs``: drive every output to its safe level, as the service's second line.

The first line is the wiring: without a program every output rests, and resting is safe. This command is for
the moment after the program has gone, so that a chip which keeps its outputs (some do) is told to let go. It
needs the plan of the lines and nothing else: no table, no journal, no loop.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from sabot.config.errors import ConfigError
from sabot.config.includes import read_merged
from sabot.drivers.lines.errors import ERRORS, LineError
from sabot.drivers.lines.gpio import Pins
from sabot.drivers.lines.plan import INPUTS, NOT_WIRED, OUTPUTS, LinePlan, make_plan
from sabot.drivers.options import Value

EPILOG = """\
examples:
  sabot safe-outputs                          the usual pins (docs/wiring.md)
  sabot safe-outputs --file table.toml        the pins of a table file
  sabot safe-outputs lock_open=23 hit=-1      these pins; -1 is not wired

As the second line of a service:  ExecStopPost=sabot safe-outputs --file /etc/sabot/table.toml
Exit code 0: every output is at its safe level. 2: at least one is not, or the plan is wrong.
"""

_NO_INPUTS: dict[str, Value] = dict.fromkeys(INPUTS, NOT_WIRED)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare what the command takes."""
    parser.add_argument("pins", nargs="*", metavar="LINE=PIN", help=f"outputs: {', '.join(OUTPUTS)}")
    parser.add_argument("--file", metavar="TABLE.toml", help="the plan of this table file")
    parser.add_argument("--inverted", default="", metavar="LINES", help="outputs that are active low")
    parser.add_argument("--module", help="the GPIO library (RPi.GPIO)")
    parser.add_argument("--json", action="store_true", help="the levels as JSON")


def run(args: argparse.Namespace) -> int:
    """Drive the outputs to their safe levels, and print them."""
    options = _from_file(args.file) if args.file else {}
    options |= _from_words(args.pins)
    options |= {"inverted": args.inverted} if args.inverted else {}
    options |= {"module": args.module} if args.module else {}
    # A table file names inverted inputs too, which are no part of this plan.
    kept = set(str(options.get("inverted", "")).split()) & set(OUTPUTS)
    plan = make_plan(options | _NO_INPUTS | {"inverted": " ".join(sorted(kept))}, "safe-outputs")
    _make_safe(plan, str(options.get("module", "RPi.GPIO")))
    levels = {line.name: int(not line.is_active_high) for line in plan.outputs}
    if args.json:
        print(json.dumps({"safe": levels}))
    else:
        print("\n".join(f"{line.name} (pin {line.pin}): {levels[line.name]}, safe" for line in plan.outputs))
    return 0


def _make_safe(plan: LinePlan, module: str) -> None:
    pins = Pins(module, plan)
    # To open them is to drive them safe. Each is then read back, and driven once more: a pin may refuse
    # either.
    pins.open(lambda _line: lambda _pin: None)
    failed = [line.name for line in plan.outputs if pins.is_driven(line)] + pins.make_safe()
    pins.close()
    if failed:
        raise LineError(ERRORS["E-LINE-008"], "safe-outputs", failed=", ".join(sorted(set(failed))))


def _from_words(words: list[str]) -> dict[str, Value]:
    pins: dict[str, Value] = {}
    for word in words:
        name, _, pin = word.partition("=")
        if name not in OUTPUTS:
            raise LineError(ERRORS["E-LINE-002"], word, name=name, known=", ".join(OUTPUTS))
        if not pin.removeprefix("-").isdecimal():
            raise LineError(ERRORS["E-LINE-006"], word, text=word)
        pins[name] = int(pin)
    return pins


def _from_file(name: str) -> dict[str, Value]:
    """Return the options of the lines, which may stand in a part that the file includes."""
    try:
        found = read_merged(Path(name)).data
    except ConfigError as error:
        raise LineError(ERRORS["E-LINE-007"], name, why=error.what) from error
    for each in _tables(found):
        if each.get("driver") == "lines":
            return {key: value for key, value in each.items() if isinstance(value, str | int | float | bool)}
    raise LineError(ERRORS["E-LINE-007"], name, why="no lines in this file")


def _tables(value: object) -> Iterator[dict[str, object]]:
    """Yield every table of a TOML file, however deep."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from _tables(each)
    if isinstance(value, list):
        for each in value:
            yield from _tables(each)
