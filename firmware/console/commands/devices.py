"""Commands about devices: how each is, its test, and testing the cause of a fault again."""

import asyncio
from collections.abc import Iterator

from sabot.drivers.device import DeviceStatus
from sabot.firmware.console.call import Call
from sabot.firmware.console.command import DECIDERS, TECHNICIAN, Argument, Command, device_names
from sabot.firmware.console.commands.state import pair
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.program import ConsoleProgram
from sabot.statemachine.state.parts import HeldFault
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.fault_kinds import FAULT_ROWS

NAME = Argument("name", offer=device_names)


async def devices(call: Call) -> None:
    """Show every device in a line, or one with all that it says."""
    if call.get("name"):
        await _one(call, call.driver(call.get("name")).status())
        return
    for driver in call.program.drivers:
        each, held = driver.status(), _held(call, driver.name)
        how = ", held: ".join(filter(None, ("up" if each.is_up else f"DOWN: {each.why}", held)))
        await call.say(f"{each.name:<14} {each.driver:<12} {each.port:<24} {how}", **_data(each), held=held)


def _held(call: Call, name: str) -> str:
    """Return in words which faults hold a device: their cure begins with a look at it."""
    runner = call.program.runner
    holds = runner.table.state.trouble.holds if runner is not None else []
    over = [held for held in holds if name_of(call, held) == name]
    return "; ".join(f"{FAULT_ROWS[held.kind].words}: {held.why}" for held in over)


def name_of(call: Call, held: HeldFault) -> str:
    """Return the name that the device of a fault has here: a machine that shuffles and deals has one."""
    try:
        return call.driver(held.device).name
    except ConsoleError:
        return held.device


async def _one(call: Call, status: DeviceStatus) -> None:
    for name, words in (*_facts(status), ("latched", _held(call, status.name))):
        await call.say(pair(name, words), **{name: words})


def _data(status: DeviceStatus) -> dict[str, object]:
    return {
        "device": status.name,
        "driver": status.driver,
        "port": status.port,
        "up": status.is_up,
        "why": status.why,
    }


def _facts(status: DeviceStatus) -> Iterator[tuple[str, object]]:
    yield from _data(status).items()
    for name in ("maker", "model", "serial", "firmware", "authenticated"):
        yield name, getattr(status.identity, name)
    for name in status.statistics.__slots__:
        yield name, getattr(status.statistics, name)
    yield from status.state.items()


# ---------------------------------------------------------------- tests


def verify_nobody_plays(call: Call) -> None:
    """Raise where the named device may not be tested: a test moves it."""
    call.driver(call.get("name"))
    verify_idle(call.table, "a device is tested with the table closed or in service mode")


def verify_idle(table: Table, why: str) -> None:
    """Raise at a table where somebody may play."""
    # A test moves cards or lamps: nobody may be at the table for it.
    if table.state.play.phase is not Phase.CLOSED and not table.rooms.orders.in_service():
        raise ConsoleError("E-CONS-010", "console", why=why)
    if table.state.play.round is not None:
        raise ConsoleError("E-CONS-010", "console", why="a round is on the felt")


async def device_test(call: Call) -> None:
    """Make the technician's test of a device, and show its steps as they are made."""
    steps: asyncio.Queue[str | None] = asyncio.Queue()
    name = call.get("name")
    test = call.program.spawn(call.driver(name).test(steps.put_nowait), f"the test of {name}")
    test.add_done_callback(lambda _test: steps.put_nowait(None))
    try:
        while (step := await steps.get()) is not None:
            await call.say(step, step=step)
    finally:
        test.cancel()  # a console that goes away ends its test; nothing where the test is over
    good = await test
    words = "the test went well" if good else "the test FAILED"
    await call.say(words, good=good)


def verify_device(call: Call) -> None:
    """Raise where there is no such device."""
    call.driver(call.get("name"))


async def retest(call: Call) -> None:
    """Let the driver test the cause of a fault again; its answer is an event of the device."""
    name, fault = call.get("name"), call.get("fault", "all")
    call.driver(name).retest(fault)
    await call.say(f"{name} tests the cause again; `faults` shows the answer", device=name, fault=fault)


def fault_kinds(program: ConsoleProgram) -> list[str]:
    """Return the kinds of fault that are latched now."""
    return sorted({held.kind for held in program.runner.table.state.trouble.holds}) if program.runner else []


COMMANDS = (
    Command(
        "devices",
        "every device in a line, or one with all that it says",
        devices,
        takes=(Argument("name", offer=device_names, may_lack=True),),
    ),
    Command(
        "device test",
        "test a device, step by step; with the table closed or in service mode",
        device_test,
        TECHNICIAN,
        (NAME,),
        needs_why=True,
        needs_table=True,
        orders=True,
        verify=verify_nobody_plays,
    ),
    Command(
        "retest",
        "let a device test the cause of its fault again",
        retest,
        DECIDERS,
        (NAME, Argument("fault", offer=fault_kinds, may_lack=True)),
        needs_table=True,
        orders=True,
        verify=verify_device,
    ),
)
