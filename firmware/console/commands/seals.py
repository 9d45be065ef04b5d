"""Opening seals at a running table: `sabot journal unseal`, through the program's own writer."""

import asyncio
from contextlib import closing
from functools import partial

from sabot.firmware.console.call import Call
from sabot.firmware.console.command import CONTROLLERS, Argument, Command, count
from sabot.firmware.console.journal_access import RunnerAppender, read
from sabot.firmware.journal import store, unseal
from sabot.firmware.journal.authority import two
from sabot.firmware.pages.journal_text import unsealed_line

LONGEST_NUMBER = 10**9


async def open_seals(call: Call) -> None:
    """The cards of a closed round that never became public."""
    runner, loop = call.runner, asyncio.get_running_loop()
    assert call.second is not None  # the desk has asked for one
    authority = two((call.person, call.second), call.request.why)
    number, path = int(call.get("round")), call.program.rooms.journal
    await read(path, partial(unseal.verify_closed, number=number))
    stamp = call.program.clock.stamp(call.now)

    def opened() -> list[unseal.UnsealedRound]:
        with closing(store.open_for_reading(path)) as db:
            appender = RunnerAppender(runner, loop)
            return asyncio.run(unseal.unseal(appender, db, runner.seal, number, authority, stamp))

    for each in await asyncio.to_thread(opened):
        await call.say(unsealed_line(each), **each._asdict())


COMMANDS = (
    Command(
        "unseal",
        "the cards of a closed round that never became public",
        open_seals,
        roles=CONTROLLERS,
        takes=(Argument("round", count(LONGEST_NUMBER)),),
        second=CONTROLLERS,
        needs_why=True,
        needs_table=True,
        orders=True,
    ),
)
