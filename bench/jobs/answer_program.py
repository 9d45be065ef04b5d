"""The program's end: the reading shoe's driver, the runner, the journal on a medium, the display's driver.

Recorded rounds are posted; before a card the program says so on its output, and the card comes by the shoe's
line. Its prompt goes out by the display's line when event and effects are durable. At the end it says how
long each commit took.
"""

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from journalling import Desk
from playing import full_shift

from sabot.drivers.device import Driver, Keyring
from sabot.drivers.options import Value, defaults
from sabot.drivers.registry import load
from sabot.firmware.journal.writer import EntryListener, Writer
from sabot.rules.cards import show
from sabot.statemachine.vocabulary.effects import Effect, ShowPrompt
from sabot.statemachine.vocabulary.events import CardDrawn, Event

SEED, UP_S, PATIENCE_S = 641, 0.02, 20.0
SHOE: Mapping[str, Value] = {"poll_s": 60.0, "gap_is_fault": False, "shoe_game": "none"}
DISPLAY: Mapping[str, Value] = {"refresh_s": 3600.0}


class Host:
    """The program for its drivers: a card that comes takes the place of the recorded one."""

    keyring: Keyring

    def __init__(self, desk: Desk) -> None:
        self.keyring, self.desk = self, desk
        self.wanted: CardDrawn | None = None
        self.prompts = 0

    def key_of(self, _device: str) -> None:
        """Neither has a key."""

    def now(self) -> float:
        """Monotonic seconds."""
        return time.monotonic()

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Nobody watches."""

    def post(self, event: Event) -> None:
        """The card, at the time that the recorded one has."""
        if isinstance(event, CardDrawn) and self.wanted is not None:
            wanted, self.wanted = self.wanted, None
            self.desk.runner.post(replace(event, at=wanted.at, source=wanted.source))

    def perform(self, effect: Effect) -> None:
        """Prompts, counted."""
        self.prompts += isinstance(effect, ShowPrompt)


class TimedWriter(Writer):
    """A writer that notes how long each commit takes."""

    def __init__(self, path: Path, loop: asyncio.AbstractEventLoop, keeper: EntryListener) -> None:
        super().__init__(path, loop, keeper)
        self.commits_us: list[float] = []

    def _write(self, batch: list[Any]) -> bool:
        start = time.perf_counter()
        try:
            return super()._write(batch)
        finally:
            self.commits_us.append((time.perf_counter() - start) * 1e6)


def driver(name: str, port: str, options: Mapping[str, Value], host: Host) -> Driver:
    """A driver on its line."""
    kind = load(name)
    known = {each.name for each in kind.schema}
    chosen = {key: value for key, value in options.items() if key in known}
    return kind.make(name, {**defaults(kind.schema), "port": port, **chosen}, host)


async def main() -> None:
    """Play the rounds; each card when the other end is ready for it."""
    root, shoe_port, display_port, rounds = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    shift = full_shift("manual_shoe", rounds, SEED)
    desk = Desk(root, shift.setup, writer=TimedWriter)
    assert isinstance(desk.writer, TimedWriter)
    host, commits = Host(desk), desk.writer.commits_us
    shoe, display = driver("angel-eye", shoe_port, SHOE, host), driver("escpos", display_port, DISPLAY, host)
    desk.runner.performers += [host, shoe, display]
    for each in (shoe, display):
        await each.start()
    while not (shoe.status().is_up and display.status().is_up):  # noqa: ASYNC110
        await asyncio.sleep(UP_S)
    desk.begin()
    await desk.play(shift.opening)
    for event in (event for events in shift.rounds for event in events):
        if not isinstance(event, CardDrawn) or event.card is None:
            await desk.play([event])
            continue
        host.wanted, before, prompts = event, len(commits), host.prompts
        print(json.dumps({"card": show([event.card.card])}), flush=True)
        while host.wanted is not None or desk.writer.waiting:  # noqa: ASYNC110
            await asyncio.sleep(0.0005)
        print(json.dumps({"commit_us": sum(commits[before:]), "shown": host.prompts > prompts}), flush=True)
    for each in (shoe, display):
        await each.stop()
    await desk.end()


if __name__ == "__main__":
    asyncio.run(main())
