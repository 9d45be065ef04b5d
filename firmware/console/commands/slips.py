"""Commands about slips: what the program stumbled over, and the technician's word that it may start again."""

from sabot.firmware.console.call import Call
from sabot.firmware.console.command import TECHNICIAN, Command
from sabot.firmware.console.commands.state import pair
from sabot.firmware.run.slips import Slip
from sabot.statemachine.action import Refused


async def slips(call: Call) -> None:
    """Show every slip that is kept, the newest first: what broke, where, over what, and when."""
    register = call.program.slips
    for slip in reversed(register.slips):
        await call.say(slip.words, **_data(slip))
        await call.say(
            pair("  when", f"{slip.stamp.utc}{'' if slip.stamp.trusted else ' (clock not trusted)'}")
        )
        await call.say(pair("  counts", "no, lifted" if slip.is_lifted else "yes"))
        for frame in slip.frames:
            await call.say(pair("  through", frame))
    if register.damage:
        await call.say(register.damage, damage=register.damage)
    elif not register.slips:
        await call.say("the program has never stumbled", slips=0)


def _data(slip: Slip) -> dict[str, object]:
    return {
        "error": slip.error,
        "place": slip.place,
        "over": slip.over,
        "utc": slip.stamp.utc,
        "is_lifted": slip.is_lifted,
    }


def verify_lift(call: Call) -> None:
    """Raise where no slip counts."""
    register = call.program.slips
    if not register.damage and all(slip.is_lifted for slip in register.slips):
        raise Refused("lift slips: no slip counts")


async def lift_slips(call: Call) -> None:
    """Let no slip count any more, and start the program anew."""
    # Said first: the program ends with the next line.
    await call.say("no slip counts any more; the program starts anew", lifted=True)
    call.program.lift_slips(call.by, call.request.why)


COMMANDS = (
    Command("slips", "what the program stumbled over, and where", slips),
    Command(
        "lift slips",
        "slips are looked into and count no more; the program starts anew",
        lift_slips,
        TECHNICIAN,
        needs_why=True,
        verify=verify_lift,
    ),
)
