"""Hands kept events to a table under an instruction counter, which is told where each event begins and ends.

It is told by ``getppid``, which nothing else here calls: callgrind writes what it has counted since the last
mark whenever that function of the C library is entered. Between two events the table rests. The kept rounds
go to one table first, which fills the ranking tables; then to another, and the last of them are counted. What
is printed is the name of each event that was counted: the step from phase to phase that it made, else its own
kind.
"""

import gc
import json
import sys
from os import getppid
from pathlib import Path

from resting import rest

from sabot.config import load_chapter
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.state.snapshot import read_setup
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.codec import read_event
from sabot.statemachine.vocabulary.events import Event


def kept(path: Path) -> tuple[Setup, list[list[Event]]]:
    """The set-up, and the events of the opening and of each round."""
    first, *rest = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return read_setup(first, load_chapter), [[read_event(each) for each in part] for part in rest]


def play(table: Table, parts: list[list[Event]]) -> None:
    """Events that are not counted."""
    for event in (event for part in parts for event in part):
        table.handle(event)
        rest(table)


def counted(table: Table, events: list[Event]) -> list[str]:
    """A mark before each event and one after it."""
    names = []
    for event in events:
        rest(table)
        before = table.state.play.phase
        getppid()
        table.handle(event)
        getppid()
        after = table.state.play.phase
        names.append(f"{before.value} > {after.value}" if after is not before else type(event).__name__)
    return names


def counted_rounds(path: Path, last: int) -> list[str]:
    """The names of the events of the last rounds of a file, each between two marks."""
    setup, parts = kept(path)
    play(Table(setup), parts)
    table = Table(setup)
    play(table, parts[:-last])
    events = [event for part in parts[-last:] for event in part]
    gc.collect()
    gc.freeze()
    return counted(table, events)


def main() -> None:
    """Print the names of the events that were counted, file by file."""
    last, *paths = sys.argv[1:]
    print(json.dumps([counted_rounds(Path(path), int(last)) for path in paths]))


if __name__ == "__main__":
    main()
