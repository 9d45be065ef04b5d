"""Commands about how the program is: status, figures, configuration, digests, the log's level."""

import asyncio
from collections.abc import Iterator, Mapping, Sequence

from sabot import __version__
from sabot.firmware.console.call import Call
from sabot.firmware.console.command import TECHNICIAN, Argument, Command, hexadecimal, one_of
from sabot.firmware.console.errors import ConsoleError

LEVELS = ("debug", "info", "warning", "error")
NAME_WIDTH = 18


def pair(name: object, words: object) -> str:
    """Return a name and its words in two columns."""
    return f"{str(name).replace('_', ' '):<{NAME_WIDTH}} {words}"


async def status(call: Call) -> None:
    """Show the state of the program in a few lines."""
    program = call.program
    await call.say(pair("table", program.name), table=program.name)
    if program.is_simulated:
        await call.say(pair("", "NOT FOR PLAY: a simulated table"), simulated=True)
    for words, name, value in await _table(call):
        await call.say(pair(words, "nobody" if value == "" else value), **{name: value})
    for trouble in program.troubles:
        await call.say(pair("self-test", trouble), trouble=trouble)
    down = [driver.name for driver in program.drivers if not driver.status().is_up]
    await call.say(pair("devices down", ", ".join(down) or "none"), down=down)
    await call.say(pair("version", __version__), version=__version__)
    await call.say(pair("this console", call.session.who), who=call.session.who)


async def _table(call: Call) -> Sequence[tuple[str, str, object]]:
    """Return the table's state once that is on the medium; where the journal takes nothing, that alone."""
    program, runner = call.program, call.program.runner
    if runner is None:
        return ("status", "status", program.status), ("out of service", "fault", str(program.fault))
    state, chapter = runner.table.state, runner.table.law.chapter.id
    rows = (
        ("status", "status", program.status),
        ("chapter", "chapter", chapter),
        ("dealer", "dealer", state.crew.dealer),
        *(("called", "called", f"{role}: {why}") for role, why in state.crew.calls.items()),
        ("rounds", "rounds", state.books.rounds),
        ("faults", "faults", len(state.trouble.holds)),
    )
    try:
        await call.on_medium()
    except ConsoleError as error:
        return (("status", "status", error.what),)
    return rows


async def stats(call: Call) -> None:
    """Show the figures as they are now."""
    for name, value in call.program.figures().items():
        words = _figures(value) if isinstance(value, Mapping) else [str(value)]
        await call.say(pair(name, words[0] if words else "none"), **{str(name): value})
        for more in words[1:]:
            await call.say(pair("", more))


def _figures(value: Mapping[str, object]) -> list[str]:
    return [f"{name}: {_row(each)}" for name, each in value.items()]


def _row(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {each}" for name, each in value.items())
    return str(value)


async def config(call: Call) -> None:
    """Show the settings of the table file and the submission."""
    for name, words in await asyncio.to_thread(call.program.configuration):
        await call.say(pair(name, words), **{name: words})


async def verify(call: Call) -> None:
    """Show the digests of everything that runs, made on a thread one after the other."""
    lines = call.program.verify(bytes.fromhex(call.get("challenge")))
    while (line := await asyncio.to_thread(_next, lines)) is not None:
        await call.say(line, line=line)


def _next(lines: Iterator[str]) -> str | None:
    # With a default: a StopIteration finds no way out of a thread into a coroutine.
    return next(lines, None)


async def log_level(call: Call) -> None:
    """Set how much the log says."""
    level = call.get("level")
    call.program.set_log_level(level)
    await call.say(f"the log says {level} and what is worse", level=level)


COMMANDS = (
    Command("status", "how the program is, in a few lines", status),
    Command("stats", "figures: loop, journal, memory, temperature, frames by device", stats),
    Command("config", "what the table file and the Rules Submission say", config),
    Command(
        "verify",
        "digests of everything that runs; with a challenge also their keyed sum",
        verify,
        takes=(Argument("challenge", hexadecimal(8, 64), may_lack=True),),
    ),
    Command(
        "log level",
        "how much the log says",
        log_level,
        TECHNICIAN,
        (Argument("level", one_of(*LEVELS), lambda _program: LEVELS),),
    ),
)
