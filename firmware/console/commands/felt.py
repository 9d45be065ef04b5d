"""``watch``: the felt and the devices on one screen, as they change.

It shows what everybody at the table may see and counts of the rest. A screen is made when something happened
and at most twice a second; a console that is slower than that gets fewer of them.
"""

import asyncio
from collections.abc import Iterator, Mapping
from typing import Any, cast

from sabot.firmware.console.call import Call
from sabot.firmware.console.command import Argument, Command, count
from sabot.firmware.journal.content import Handled
from sabot.rules.payouts import dollars, dollars_or
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import RefuseInput, ShowPrompt
from sabot.statemachine.vocabulary.events import Role

PAUSE_S, LONGEST_S = 0.5, 3600
QUIET_S = 1.0
# One column and one line less than a VT100 has: a full one would wrap, and the cursor rests in the last.
WIDTH = 79
LINES = 23


async def watch(call: Call) -> None:
    """Show a screen whenever something happened, until it is stopped."""
    changed, runner, refused = asyncio.Event(), call.runner, ""

    def listen(_number: int, handled: Handled) -> None:
        nonlocal refused
        refused = next((each.why for each in handled.effects if isinstance(each, RefuseInput)), "")
        changed.set()

    end = call.now + int(call.get("seconds", str(LONGEST_S)))
    runner.subscribers.append(listen)
    try:
        while call.now < end:
            # Before the screen is made: what happens while it is sent makes another.
            changed.clear()
            await call.show(screen(call, refused), runner.table.rooms.views.view(Role.DEALER))
            await asyncio.sleep(min(PAUSE_S, max(0.0, end - call.now)))
            await _wait(changed, min(QUIET_S, max(0.0, end - call.now)))
    finally:
        runner.subscribers.remove(listen)


async def _wait(changed: asyncio.Event, seconds: float) -> None:
    try:
        await asyncio.wait_for(changed.wait(), seconds)
    except TimeoutError:
        return  # devices come and go without an event of the table too


def screen(call: Call, refused: str = "") -> list[str]:
    """Return the whole screen, as many lines as a small terminal has, with the last refusal."""
    lines = [*_table(call, refused), *_devices(call)]
    return [line[:WIDTH] for line in lines[:LINES]]


def _table(call: Call, refused: str) -> Iterator[str]:
    table = call.table
    seen = cast("dict[str, Any]", table.rooms.views.view(Role.DEALER))
    simulated = "  NOT FOR PLAY" if call.program.is_simulated else ""
    round_, dealer = seen["round"] or "-", seen["dealer"] or "-"
    yield f"{call.program.name}  {seen['chapter']}  round {round_}  dealer {dealer}{simulated}"
    yield f"{seen['phase'].replace('_', ' ')}, deck {seen['deck'] or '-'}"
    prompt = table.rooms.last_told.effects.get("prompt")
    if isinstance(prompt, ShowPrompt):
        yield f"  [{prompt.first:<20}] [{prompt.second:<20}] {prompt.cite}"
    if refused:
        yield f"? refused: {refused}"
    for role, why in seen["called"].items():
        yield f"> {role} called: {why}"
    for held in seen["held"]:
        yield f"! {held['device']}: {held['why']} ({held['cite']}), {held['releases']} releases"
    yield from _seats(table, seen)
    yield from _places(seen)
    for meter, levels in seen["meters"].items():
        yield f"meter {meter}: " + ", ".join(f"{name} {dollars(cents)}" for name, cents in levels.items())


def _seats(table: Table, seen: Mapping[str, Any]) -> Iterator[str]:
    for seat in range(1, table.law.setup.seat_count + 1):
        bets = seen["bets"].get(seat, {})
        words = [f"{wager} {dollars_or(cents)}" for wager, cents in bets.items()]
        words += [f"raise {dollars_or(cents)}" for cents in seen.get("raises", {}).get(seat, [])]
        mark = ">" if seen.get("asking") == seat else " "
        folded = "  folded" if seat in seen.get("folded", []) else ""
        yield f"{mark}{seat}  {_cards(seen, f'seat{seat}'):<22}{', '.join(words)}{folded}"


def _places(seen: Mapping[str, Any]) -> Iterator[str]:
    for place in seen.get("counts", {}):
        if not place.startswith("seat") or ":" in place:
            yield f"    {place}: {_cards(seen, place)}"


def _cards(seen: Mapping[str, Any], place: str) -> str:
    """Return the cards that are public, with a dot for each that is not."""
    public = seen.get("public", {}).get(place, [])
    hidden = seen.get("counts", {}).get(place, 0) - len(public)
    return " ".join([*public, *["."] * hidden])


def _devices(call: Call) -> Iterator[str]:
    yield ""
    found = [driver.status() for driver in call.program.drivers]
    yield "devices: " + (
        "  ".join(f"{each.name} {'up' if each.is_up else 'DOWN'}" for each in found) or "none"
    )


COMMANDS = (
    Command(
        "watch",
        "the felt and the devices, live; any key ends it",
        watch,
        takes=(Argument("seconds", count(LONGEST_S), may_lack=True),),
        needs_table=True,
    ),
)
