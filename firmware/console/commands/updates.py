"""An update of a board that starts from an image: ordered here by two people, carried out by root.

The bundle lies ready already: a stick brought it. The program may write no slot, so it leaves a note of who
agreed to which bundle, and a unit of root's that waits for the note hands both to RAUC.
"""

import asyncio

from sabot.firmware.console.call import Call
from sabot.firmware.console.command import TECHNICIAN, Command
from sabot.firmware.console.commands.people import WITNESSES
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.credentials import update_agreement
from sabot.statemachine.state.phases import Phase

BRINGS = "update that lies ready: a stick named SABOTUPDATE with the file update.raucb brings one"


def verify_update(call: Call) -> None:
    """Raise where somebody may play, the technician is not at work, or no bundle lies ready."""
    if not update_agreement.SLOT_FILE.exists():
        raise ConsoleError("E-CONS-010", "console", why="this board does not start from an image")
    table = call.table
    if table.state.play.phase is not Phase.CLOSED or not table.rooms.orders.in_service():
        why = "an update is installed with the table closed and in service mode"
        raise ConsoleError("E-CONS-010", "console", why=why)
    if not update_agreement.INCOMING.exists():
        raise ConsoleError("E-CONS-011", "console", what=BRINGS, command="help update")


async def update(call: Call) -> None:
    """Note who agreed; root's unit does the rest and starts the board anew."""
    assert call.second is not None  # the dispatcher has asked for one
    by = f"{call.person} ({call.person.role.value}) and {call.second} ({call.second.role.value})"
    state, bundle = call.program.rooms.root, update_agreement.INCOMING
    await asyncio.to_thread(update_agreement.note, state, bundle, by, call.request.why)
    await call.say("agreed: the other slot is written, then the board starts anew", by=by)


COMMANDS = (
    Command(
        "update",
        "install the update that lies ready and start anew; two people, table closed, in service mode",
        update,
        TECHNICIAN,
        second=WITNESSES,
        needs_why=True,
        needs_table=True,
        orders=True,
        verify=verify_update,
    ),
)
