"""Commands about what holds the table: the faults, their release, and service mode.

A release goes through the table's own action with its own reasons against. Service mode is a hold like any
other: a technician begins and ends it, and play goes on only when a floorperson releases it.
"""

from collections.abc import Callable, Iterable, Iterator

from sabot.firmware.console.call import SOURCE, Call
from sabot.firmware.console.command import DECIDERS, TECHNICIAN, Argument, Command
from sabot.firmware.console.commands.devices import fault_kinds, name_of
from sabot.firmware.console.commands.state import pair
from sabot.firmware.console.program import ConsoleProgram
from sabot.statemachine import cures
from sabot.statemachine.action import Refused
from sabot.statemachine.state.snapshot import HeldFault
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.events import ReleaseOrdered, ServiceModeChanged
from sabot.statemachine.vocabulary.fault_kinds import FAULT_ROWS

NOTHING = "nothing holds the table"


async def faults(call: Call) -> None:
    """Show every latched fault: its cause, its paragraph, and the steps that are left to do."""
    table = call.table
    for held in table.state.trouble.holds:
        steps = list(steps_left(table, held, lambda held: name_of(call, held)))
        data: dict[str, object] = {**_data(held), "steps": steps}
        for line in printed(table, held, steps):
            await call.say(line, **data)
            # With its first line alone: a program counts each fault once.
            data = {}
    if not table.state.trouble.holds:
        await call.say(NOTHING)


def printed(table: Table, held: HeldFault, steps: Iterable[str]) -> Iterator[str]:
    """Yield the lines of one fault."""
    yield f"{held.kind} {held.device}: {FAULT_ROWS[held.kind].words}"
    yield pair("  cause", held.why)
    yield pair("  paragraph", held.cite)
    for number, words in enumerate(steps, 1):
        yield pair(f"  step {number}", words)
    for step in table.rooms.cures.instead(held):
        yield pair("  instead", step.text)


def _data(held: HeldFault) -> dict[str, object]:
    return {
        "fault": held.kind,
        "device": held.device,
        "why": held.why,
        "cite": held.cite,
        "releases": held.role.value,
        "may_be_lifted": held.may_be_lifted,
    }


def steps_left(table: Table, held: HeldFault, tested_by: Callable[[HeldFault], str]) -> Iterator[str]:
    """Yield the steps that are left, each with the console's own order where there is one."""
    if table.rooms.faults.is_set_aside(held.kind, held.device):
        yield f"nothing now: the {held.device} is out of order, until a technician takes it BACK IN SERVICE"
        return
    for step in table.rooms.cures.steps(held):
        order = _order(held, step, tested_by)
        yield f"{step.text}; or here: {order}" if order else step.text


def _order(held: HeldFault, step: cures.CureStep, tested_by: Callable[[HeldFault], str]) -> str:
    """Return the console's own order for a line of the floor's list; a machine has one name here."""
    if step.action == cures.RETEST:
        return f"`retest {tested_by(held)} {held.kind}`"
    return f"`clear {held.kind} {held.device}`" if step.action == cures.RELEASE else ""


# ---------------------------------------------------------------- release


def _release(call: Call) -> ReleaseOrdered:
    fault, device = call.get("fault"), call.get("device")
    person = call.person
    return ReleaseOrdered(
        at=call.now, source=SOURCE, fault=fault, device=device, role=person.role, person=str(person)
    )


def verify_clear(call: Call) -> None:
    """Raise the table's own reasons against the release."""
    call.table.rooms.orders.verify_release(_release(call))


async def clear(call: Call) -> None:
    """Release a fault, and say what still holds the table."""
    await call.order(_release(call))
    held = call.table.rooms.faults.held
    words = f"still held: {held.why}" if held else "nothing holds the table any more"
    await call.say(f"released; {words}", held=held.why if held else "")


def _devices_with_faults(program: ConsoleProgram) -> list[str]:
    return (
        sorted({held.device for held in program.runner.table.state.trouble.holds}) if program.runner else []
    )


# ---------------------------------------------------------------- service mode


def _service(call: Call, *, on: bool) -> ServiceModeChanged:
    return ServiceModeChanged(at=call.now, source=SOURCE, on=on, person=call.by, why=call.request.why)


def verify_no_round(call: Call) -> None:
    """Raise within a round: service begins between rounds."""
    if call.table.state.play.round is not None:
        raise Refused("service mode: not within a round")


async def service_on(call: Call) -> None:
    """Hold the table for service."""
    await call.order(_service(call, on=True))
    await call.say(
        "service mode: the table is held until it is ended and a floorperson releases it", service=True
    )


def verify_service(call: Call) -> None:
    """Raise where service mode is off."""
    if not call.table.rooms.orders.in_service():
        raise Refused("service mode is off")


async def service_off(call: Call) -> None:
    """End service for the technician; the floor has the last word."""
    await call.order(_service(call, on=False))
    await call.say("service ended; a floorperson releases it: `clear service controller`", service=False)


COMMANDS = (
    Command("faults", "what holds the table: cause, paragraph, how to clear it", faults, needs_table=True),
    Command(
        "clear",
        "release a fault whose cause was tested again",
        clear,
        DECIDERS,
        (
            Argument("fault", offer=fault_kinds),
            Argument("device", offer=_devices_with_faults, takes_rest=True),
        ),
        needs_why=True,
        needs_table=True,
        orders=True,
        verify=verify_clear,
    ),
    Command(
        "service on",
        "hold the table for service",
        service_on,
        TECHNICIAN,
        needs_why=True,
        needs_table=True,
        orders=True,
        verify=verify_no_round,
    ),
    Command(
        "service off",
        "end service; then a floorperson releases the table",
        service_off,
        TECHNICIAN,
        needs_why=True,
        needs_table=True,
        orders=True,
        verify=verify_service,
    ),
)
