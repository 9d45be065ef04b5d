"""The tables that can be played and locked at all: a file may be right in each key and describe none.

At a table for play each of these is an error. A simulated one may lack what a desk does not have, and is only
told so.
"""

from collections.abc import Callable, Iterator, Mapping
from os.path import realpath
from pathlib import Path

from sabot.config.table_file import TableFile
from sabot.drivers.device import Spoken
from sabot.firmware.run.table_errors import TableError
from sabot.statemachine.vocabulary.events import Key

Spoke = Mapping[str, Spoken]
Look = Callable[[TableFile, Spoke], Iterator[TableError]]

NEEDED_KEYS = {
    Key.OK: "nothing is confirmed, and the table stands still at its first prompt",
    Key.LOCK: 'nothing says "no more bets", and the table would take wagers for ever',
    Key.FLOOR: "nobody opens the floor's list: no cards are verified, and no table opens",
    Key.FOLD: "no hand can be folded, and the table asks that seat for ever",
}
NEEDED_OUTPUTS = {
    "lock_open": "a controller that is dead locks nothing but what pads lock by themselves",
    "healthy": "no red lamp burns when the controller is dead",
}
COUNTS = frozenset({"counting", "reshuffler"})
SHOES = {
    "each_card": 'driver = "angel-eye"',
    "stack": 'driver = "sabot-link" and identities = true',
    "count_only": 'driver = "sabot-link"',
}


def is_for_play(file: TableFile) -> bool:
    """Return whether people wager at it."""
    return not (file.is_simulated or file.submission.simulated)


def amiss(file: TableFile, spoke: Spoke) -> Iterator[TableError]:
    """Yield everything that keeps the table from being played or locked."""
    for look in LOOKS:
        yield from look(file, spoke)


def _display(file: TableFile, spoke: Spoke) -> Iterator[TableError]:
    if not any(each.shows_prompts for each in spoke.values()):
        yield TableError("E-TABLE-016", f"{file.file} [device]")


def _keys(file: TableFile, spoke: Spoke) -> Iterator[TableError]:
    had = {key for each in spoke.values() for key in each.keys}
    for key, why in NEEDED_KEYS.items():
        if key not in had:
            facts = {"key": key, "line": f"key_{key.lower()}", "why": why}
            yield TableError("E-TABLE-017", f"{file.file} [device]", **facts)


def _outputs(file: TableFile, spoke: Spoke) -> Iterator[TableError]:
    driven = {
        "lock_open": any(each.holds_lock for each in spoke.values()),
        "healthy": any(each.shows_health for each in spoke.values()),
    }
    for line, why in NEEDED_OUTPUTS.items():
        if not driven[line]:
            yield TableError("E-TABLE-018", f"{file.file} [device]", line=line, why=why)


def _cards(file: TableFile, spoke: Spoke) -> Iterator[TableError]:
    told = {word for each in spoke.values() for word in each.knows}
    if file.knowledge in SHOES and file.knowledge not in told:
        words = ", ".join(sorted(told))
        can = f"the devices that are listed tell {words}" if told else "none that is listed tells of cards"
        facts = {"knowledge": file.knowledge, "can": can, "known": SHOES[file.knowledge]}
        yield TableError("E-TABLE-019", f"{file.file} [cards]", **facts)


def _shuffler(file: TableFile, spoke: Spoke) -> Iterator[TableError]:
    if file.shuffler in COUNTS and not any(each.counts_shuffles for each in spoke.values()):
        yield TableError("E-TABLE-020", f"{file.file} [cards]", shuffler=file.shuffler)


def _second(file: TableFile, _spoke: Spoke) -> Iterator[TableError]:
    """Yield a second medium within the first, links and dots followed: two names may be one folder."""
    if file.storage.second is None:
        return
    second, state = (Path(realpath(each)) for each in (file.storage.second, file.storage.state))
    if second.is_relative_to(state) or state.is_relative_to(second):
        facts = {"second": file.storage.second, "state": file.storage.state}
        yield TableError("E-TABLE-021", f"{file.file} [storage]", **facts)


LOOKS: tuple[Look, ...] = (_display, _keys, _outputs, _cards, _shuffler, _second)
