"""``follow``: each event as it is on the medium, what followed from it, and the table after it.

``watch`` shows how the table is, this shows how it came to be so: one event after the other and none left
out, for whoever stands beside a table with a fault that comes and goes, and for programs that draw a felt.
It tells what the journal's open part has, which is no card that nobody may see yet, and the view of the role
that was proved when the command was given.
"""

import asyncio
from collections import deque
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sabot.firmware.console.call import Call
from sabot.firmware.console.command import Command
from sabot.firmware.journal.content import Handled
from sabot.firmware.pages.replay_text import plain, words
from sabot.statemachine.state.snapshot import Note
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary import codec
from sabot.statemachine.vocabulary.effects import ShowPrompt
from sabot.statemachine.vocabulary.events import Role

MOST_WAITING = 1000


class _Told(NamedTuple):
    """An event, and the table right after it, which is told when the event is on the medium."""

    number: int
    handled: Handled
    notes: list[Note]
    view: Mapping[str, object]


class _Notes:
    """The additions to a round's record since the last look."""

    def __init__(self, table: Table) -> None:
        self._table, self._round, self._read = table, 0, 0
        self.new()

    def new(self) -> list[Note]:
        """Return the notes that came since."""
        round_ = self._table.state.play.round
        if round_ is None:
            return []
        if round_.number != self._round:
            self._round, self._read = round_.number, 0
        found = round_.notes[self._read :]
        self._read = len(round_.notes)
        return found


async def follow(call: Call) -> None:
    """Tell one event after the other, until it is stopped."""
    runner, notes = call.runner, _Notes(call.table)
    role = call.session.person.role if call.session.person else Role.DEALER
    waiting: asyncio.Queue[_Told] = asyncio.Queue(MOST_WAITING)
    seen: deque[_Told] = deque()

    def look(number: int, handled: Handled) -> None:
        seen.append(_Told(number, handled, notes.new(), runner.table.rooms.views.view(role)))

    def listen(number: int, _handled: Handled) -> None:
        if not seen or seen[0].number != number:  # handled before the first word, which has it
            return
        if waiting.full():
            waiting.get_nowait()  # a console that is so far behind misses the oldest
        waiting.put_nowait(seen.popleft())

    # The table is seen right after the event, but told once the event is on the medium. By then the table may
    # have gone on, and what is told must be the table of that event.
    runner.onlookers.append(look)
    runner.subscribers.append(listen)
    try:
        await _begin(call, role)
        while True:
            # Without a wait for the medium: ``listen`` heard of it from there.
            await _tell(call, await waiting.get())
    finally:
        runner.onlookers.remove(look)
        runner.subscribers.remove(listen)


async def _begin(call: Call, role: Role) -> None:
    """Begin with the table's phase and the lines of the display."""
    prompt = call.table.rooms.last_told.effects.get("prompt")
    told = [codec.effect_json(prompt)] if isinstance(prompt, ShowPrompt) else []
    phase = call.table.state.play.phase.value.replace("_", " ")
    await call.say(
        phase, number=0, event=None, effects=told, notes=[], view=call.table.rooms.views.view(role)
    )


async def _tell(call: Call, told: _Told) -> None:
    event = codec.event_json(told.handled.event)
    effects = [codec.effect_json(effect) for effect in told.handled.effects]
    notes = [{"words": note.words, "cite": note.cite} for note in told.notes]
    await call.tell(
        f"{told.number} {words(event)}",
        number=told.number,
        event=event,
        effects=effects,
        notes=notes,
        view=told.view,
    )
    for line in _more(effects, told.notes):
        await call.tell(f"    {line}")


def _more(effects: list[dict[str, object]], notes: list[Note]) -> Iterator[str]:
    yield from map(words, effects)
    for note in notes:
        yield plain(f"on record: {note.words}" + (f" [{note.cite}]" if note.cite else ""))


COMMANDS = (
    Command(
        "follow",
        "each event as it is on the medium, what followed, and the table after it; Ctrl-C ends it",
        follow,
        needs_table=True,
    ),
)
