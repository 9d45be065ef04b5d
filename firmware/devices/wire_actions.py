"""`sabot device wire`: the lines of a board found by pressing and looking, and written into the table file.

Keys and lamps on a board of their own (a keyboard, a panel on a serial line) have no pins here: their driver
says which key was pressed, so the walk asks for each key and each lamp, and has nothing to write.

Such a board maps its keys by itself, so no file is changed: what is found is a key that is mute, or one that
says another's name.
"""

import argparse
import asyncio
from pathlib import Path

from sabot.config.includes import read_merged
from sabot.drivers.device import Driver
from sabot.drivers.lines.plan import OUTPUTS, WIRING
from sabot.drivers.lines.probe import Probe
from sabot.drivers.options import Value, defaults
from sabot.firmware.devices.arguments import chosen_driver
from sabot.firmware.devices.open_table import is_table_open
from sabot.firmware.devices.single_driver import SingleDriverHost, at_work
from sabot.firmware.devices.table_section import section_text, write_section
from sabot.firmware.devices.wire_lines import LOOK_S, SKIP, STOP, Walk
from sabot.firmware.devices.wire_person import Gone, Terminal, WiringPerson
from sabot.firmware.devices.wiring import STEPS, Wiring, keep, kept_beside, load
from sabot.firmware.errors import CommandError
from sabot.statemachine.vocabulary.events import Key, KeyPressed


async def walk_keys(driver: Driver, host: SingleDriverHost, person: WiringPerson) -> int:
    """Ask for each key, then let the driver show its lamps; return 1 where anything is not good."""
    status = driver.status()
    if not status.is_up:
        person.tell(f"{driver.name} is not there: {status.why}", good=False)
        return 1
    person.tell(f"{driver.name} names its keys by itself: nothing is written, each key is only proved")
    said = dict[str, str]()
    try:
        for number, key in enumerate(Key, 1):
            seen = len(host.events)
            person.tell(f"{number}/{len(Key)}  press {key} (s: it has none, q: stop)", key=key)
            said[key] = await _pressed(host, person, seen)
            _judge(person, key, said[key])
        person.tell("now its lamps; look at each")
        good = await driver.test(lambda words: person.tell(f"  {words}"))
    except Gone:
        person.tell("stopped; nothing was changed", keys=said)
        return 1
    mute = [key for key, heard in said.items() if not heard]
    wrong = [key for key, heard in said.items() if heard not in ("", key)]
    words = f"without: {', '.join(mute) or 'none'}; wrong: {', '.join(wrong) or 'none'}"
    person.tell(words, keys=said, good=good and not wrong)
    return 0 if good and not wrong else 1


def _judge(person: WiringPerson, key: Key, heard: str) -> None:
    if not heard:
        person.tell(f"  {key}: none here", key=key, heard="")
    elif heard == key:
        person.tell(f"  {key} works", key=key, heard=heard)
    else:
        person.tell(
            f"  it says {heard}: the label, or the board's own key map, is wrong", key=key, heard=heard
        )


async def _pressed(host: SingleDriverHost, person: WiringPerson, seen: int) -> str:
    """Return the key that the driver says was pressed next, empty where there is none."""
    while True:
        pressed = [event.key for event in host.events[seen:] if isinstance(event, KeyPressed)]
        if pressed:
            return pressed[0]
        typed = person.typed()
        if typed == STOP:
            raise Gone
        if typed == SKIP:
            return ""
        await asyncio.sleep(LOOK_S)


DRIVER = "lines"


async def wire(args: argparse.Namespace) -> int:
    """Walk along the lines, or along the keys of another board; return 1 where something is left."""
    if is_table_open():
        raise CommandError("E-CLI-008", "device wire")
    person = Terminal(as_json=args.json)
    if args.driver not in ("", DRIVER):
        return await _wire_board(args, person)
    return await wire_lines(args, person)


async def _wire_board(args: argparse.Namespace, person: WiringPerson) -> int:
    kind, options = chosen_driver(args)
    async with at_work(kind, options, None, args.patience) as (driver, host):
        return await walk_keys(driver, host, person)


async def wire_lines(args: argparse.Namespace, person: WiringPerson, shown_s: float = 1.0) -> int:
    """Make the whole walk: go on where one was stopped, find what is left, write the part."""
    name, path = args.port or DRIVER, kept_beside(args.table, args.port or DRIVER)
    before = _options_of(args.table, name)
    if args.again:
        path.unlink(missing_ok=True)
    wiring = load(path)
    if wiring.pins:
        words = f"{len(wiring.pins)} lines are known from {path}; --again begins anew"
        person.tell(words, resumed=sorted(wiring.pins))
    try:
        await _walk(args, person, wiring, before, shown_s)
    except (Gone, asyncio.CancelledError):
        left = [step.line for step in STEPS if step.line not in wiring.pins]
        words = f"stopped; {len(left)} lines are left, the rest is kept: the same command goes on"
        person.tell(words, kept=str(path), left=left)
        return 1
    return _finish(args, person, wiring, before, path)


async def _walk(
    args: argparse.Namespace,
    person: WiringPerson,
    wiring: Wiring,
    before: dict[str, Value],
    shown_s: float,
) -> None:
    given = defaults(WIRING) | before
    proposed = {line: int(given[line]) for line in OUTPUTS if int(given[line]) >= 0}
    path = kept_beside(args.table, args.port or DRIVER)
    probe = Probe(args.module or str(given["module"]))
    # A pin that a walk found to be an input is never driven, whatever the file says of it.
    outputs = [pin for line, pin in proposed.items() if wiring.owner_of(pin) in ("", line)]
    probe.open(str(given["pull"]), [*outputs, *(wiring.found[n] for n in OUTPUTS if n in wiring.found)])
    try:
        await Walk(probe, person, wiring, proposed, lambda: keep(path, wiring), shown_s).whole()
    finally:
        probe.close()


def _finish(
    args: argparse.Namespace, person: WiringPerson, wiring: Wiring, before: dict[str, Value], path: Path
) -> int:
    name, values = args.port or DRIVER, wiring.options(before)
    text = section_text(name, DRIVER, values)
    if args.only_print:
        person.tell(text, section=text)
    else:
        try:
            write_section(args.table, name, DRIVER, values)
        except CommandError:
            # Printed where it cannot be written: somebody has pressed every key for it.
            person.tell(text, section=text)
            raise
        person.tell(f"[device.{name}] is written into {args.table}: now sabot check {args.table}")
        path.unlink(missing_ok=True)
    missing = wiring.not_found
    words = f"not found, and written as -1: {', '.join(missing)}" if missing else "every line was found"
    person.tell(words, wired=wiring.found, not_found=missing, inverted=wiring.inverted)
    return 1 if missing else 0


def _options_of(table: Path, name: str) -> dict[str, Value]:
    """Return the file's options of the lines so far, none where there is no file yet."""
    if not table.exists():
        return {}
    devices = read_merged(table).data.get("device", {})
    part = devices.get(name, {}) if isinstance(devices, dict) else {}
    if not isinstance(part, dict) or part.get("driver", DRIVER) != DRIVER:
        wanted = f"a part of {table} whose driver is {DRIVER}; for another board say --as DRIVER"
        raise CommandError("E-CLI-003", "device wire", text=name, wanted=wanted, command="device wire")
    schema = {option.name: option.type for option in WIRING}
    return {
        key: value
        for key, value in part.items()
        if isinstance(value, (str, int, float)) and schema.get(key) is type(value)
    }
