"""All commands of the console, by name, and the help that is made of them."""

from sabot.firmware.console.call import Call
from sabot.firmware.console.command import Argument, Command, role_words
from sabot.firmware.console.commands import (
    devices,
    faults,
    felt,
    follow,
    money,
    people,
    records,
    retention,
    slips,
    state,
    updates,
)
from sabot.firmware.console.errors import ConsoleError

WIDTH = 16


async def show_help(call: Call) -> None:
    """Show every command in a line, or one in full."""
    wanted = call.get("command")
    if not wanted:
        for command in COMMANDS.values():
            await call.say(f"{command.name:<{WIDTH}} {command.help}", command=command.name, help=command.help)
        return
    found = [each for name, each in COMMANDS.items() if name == wanted or name.split()[0] == wanted]
    if not found:
        raise ConsoleError("E-CONS-011", "console", what=f"command {wanted}", command="help")
    for command in found:
        await call.say(command.usage, command=command.name, usage=command.usage, help=command.help)
        await call.say(f"    {command.help}")
        await call.say(f"    {terms(command)}")


def terms(command: Command) -> str:
    """Return who may give a command, and what it asks for, in words."""
    words = [f"by a {role_words(command.roles)}" if command.roles else "by anybody"]
    if command.second:
        words.append("confirmed by a second person of another role")
    if command.needs_why:
        words.append("with a reason")
    if command.asks:
        words.append("a PIN is asked for")
    return ", ".join(words)


HELP = Command(
    "help",
    "every command, or one in full",
    show_help,
    takes=(Argument("command", offer=lambda _program: sorted(COMMANDS), may_lack=True, takes_rest=True),),
)
ROOMS = (state, felt, follow, devices, faults, slips, money, records, retention, people, updates)
_ALL: tuple[Command, ...] = (HELP, *(each for room in ROOMS for each in room.COMMANDS))
COMMANDS: dict[str, Command] = {command.name: command for command in _ALL}
