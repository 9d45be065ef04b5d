"""Commands about what holds the table: the faults, their release, and service mode.

A release goes through the table's own action with its own reasons against. Service mode is a hold like any
other: a technician begins and ends it, and play goes on only when a floorperson releases it.
"""

from sabot.firmware.console.call import SOURCE, Call
from sabot.firmware.console.command import DECIDERS, TECHNICIAN, Argument, Command
from sabot.firmware.console.commands.devices import fault_kinds
from sabot.firmware.console.commands.state import pair
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.program import Program
from sabot.statemachine import orders
from sabot.statemachine.action import Refused
from sabot.statemachine.events import ReleaseOrdered, ServiceModeChanged
from sabot.statemachine.faultrows import FAULT_ROWS
from sabot.statemachine.state import Hold


async def faults(call: Call) -> None:
    """Every latched fault: what, why, the paragraph, and how it is cleared."""
    table = call.table
    for held in table.state.holds:
        row = FAULT_ROWS[held.kind]
        await call.say(f"{held.kind} {held.device}: {row.words}", **_data(held))
        await call.say(pair("  cause", held.why))
        await call.say(pair("  paragraph", held.cite))
        await call.say(pair("  to do", row.cure))
        await call.say(pair("  then", _then(held, _tested_by(call, held))))
    if not table.state.holds:
        await call.say("nothing holds the table")


def _data(held: Hold) -> dict[str, object]:
    return {
        "fault": held.kind,
        "device": held.device,
        "why": held.why,
        "cite": held.cite,
        "releases": held.role.value,
        "may_be_lifted": held.may_be_lifted,
    }


def _tested_by(call: Call, held: Hold) -> str:
    """The device that tests the cause: where one machine shuffles and deals, by the name that it has here."""
    try:
        return call.driver(held.device).name
    except ConsoleError:
        return held.device


def _then(held: Hold, tested_by: str) -> str:
    test = "" if held.may_be_lifted else f"`retest {tested_by} {held.kind}`, then "
    if held.kind == orders.SERVICE and not held.may_be_lifted:
        test = "`service off`, then "
    return f"{test}`clear {held.kind} {held.device}` by a {held.role}, or RELEASE at the table"


# ---------------------------------------------------------------- release


def _release(call: Call) -> ReleaseOrdered:
    fault, device = call.get("fault"), call.get("device")
    person = call.person
    return ReleaseOrdered(
        at=call.now, source=SOURCE, fault=fault, device=device, role=person.role, person=str(person)
    )


def verify_clear(call: Call) -> None:
    """The table's own reasons against it."""
    orders.verify_release(call.table, _release(call))


async def clear(call: Call) -> None:
    """Release a fault."""
    await call.order(_release(call))
    held = call.table.held
    words = f"still held: {held.why}" if held else "nothing holds the table any more"
    await call.say(f"released; {words}", held=held.why if held else "")


def _devices_with_faults(program: Program) -> list[str]:
    return sorted({held.device for held in program.runner.table.state.holds}) if program.runner else []


# ---------------------------------------------------------------- service mode


def _service(call: Call, *, on: bool) -> ServiceModeChanged:
    return ServiceModeChanged(at=call.now, source=SOURCE, on=on, person=call.by, why=call.request.why)


def verify_no_round(call: Call) -> None:
    """Service begins between rounds."""
    if call.table.state.round is not None:
        raise Refused("service mode: not within a round")


async def service_on(call: Call) -> None:
    """The table is held for service."""
    await call.order(_service(call, on=True))
    await call.say(
        "service mode: the table is held until it is ended and a floorperson releases it", service=True
    )


def verify_service(call: Call) -> None:
    """Service is going on."""
    if not orders.in_service(call.table):
        raise Refused("service mode is off")


async def service_off(call: Call) -> None:
    """The technician is done; the floor has the last word."""
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
