"""A simulated table with a linked meter: the program's own core, journal and end of the link, people who play.

    python -m tests.uplink.linked_table FOLDER TABLE CHAPTER METER LINK FLOOR_KEY

It plays rounds until the file ``stop`` is in its folder; where the file ``hit`` is there, the next round has a hit
on the linked meter. It may be killed at any instant, and goes on from its journal.
"""

import asyncio
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sabot.config.table_file import DaySettings, FloorTerms
from sabot.drivers.device import DeviceStatus
from sabot.firmware.credentials.board import SIMULATED, Rooms, load, prepare
from sabot.firmware.journal.content import Handled
from sabot.firmware.journal.writer import Writer
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.floor_link import FloorLink
from sabot.firmware.run.open_journal import first_event, open_journal
from sabot.firmware.run.runner import Runner
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import Dispense, Effect, StartShuffle
from sabot.statemachine.vocabulary.events import DealerSignedOn, Event
from tests.floor.making import key
from tests.statemachine.tables import table_setup
from tests.statemachine.test_linked import LOW, ROYAL, Linked, setup_of

PAUSE_S = 0.15
DEVICES = [
    DeviceStatus("shoe", "sabot-link", "simulated", is_up=True),
    DeviceStatus("pads", "sabot-pads", "simulated", is_up=True),
]
SETUPS: dict[str, Callable[[str], Any]] = {
    "pa641a": lambda link: setup_of(
        links={"prog5": link}, letters={**table_setup("pa641a").options.paytables, "prog5": "D"}
    ),
    "md4cp": lambda link: table_setup(
        "md4cp", links={"progressive": link}, meters={}, letters={"progressive": "D"}
    ),
}


class Felt:
    """Devices that do what they are told, and break over what breaks."""

    def durable(self, number: int) -> None:
        self.runner.durable(number)

    def stuck(self, reason: str) -> None:
        self.runner.stuck(reason)

    def unstuck(self) -> None:
        self.runner.unstuck()

    def broke(self, error: BaseException) -> None:
        raise error

    runner: Runner


class Live(Linked):
    """A shift whose events go through the program."""

    most = 10**9

    def __init__(self, runner: Runner, clock: Clock) -> None:
        super().__init__(setup=runner.table.law.setup)
        self.table, self._runner, self._clock = runner.table, runner, clock
        runner.onlookers.append(self._seen)

    def _seen(self, _number: int, handled: Handled) -> None:
        self.last = list(handled.effects)
        self.effects = self.effects[-500:] + self.last

    def send(self, kind: Callable[..., Event], **fields: Any) -> list[Effect]:
        return self.handle(kind(at=self._clock.now(), **fields))

    def handle(self, event: Event) -> list[Effect]:
        self._runner.post(event)
        for effect in self.last:
            if isinstance(effect, Dispense):
                self.wanted = effect.count
            elif isinstance(effect, StartShuffle) and effect.deck not in self.in_shuffler:
                self.in_shuffler.append(effect.deck)
        return self.last


class Table:
    """One table and its people."""

    def __init__(self, folder: Path, name: str, chapter: str, meter: str, link: str, floor_key: str) -> None:
        self.folder, self.meter, self.chance = folder, meter, random.Random(name)
        rooms, clock = Rooms(folder), Clock()
        if not rooms.journal.exists():
            prepare(rooms, SIMULATED)
            (rooms.keys / "sign.key").write_bytes(key(name).private_bytes_raw())
        board = load(rooms, SIMULATED)
        opened = open_journal(rooms, SETUPS[chapter](link), board)
        felt = Felt()
        self.writer = Writer(rooms.journal, asyncio.get_running_loop(), felt)
        self.runner = felt.runner = Runner(opened.table, self.writer, board, clock)
        self.writer.start()
        self.shift = Live(self.runner, clock)
        self.runner.post(first_event(opened.last, clock))
        terms = FloorTerms(floor_key, folder / "link", {meter: link})
        self.link = FloorLink(
            name,
            terms,
            DaySettings(360, "UTC"),
            board,
            rooms,
            self.runner,
            clock,
            self._broke,
            lambda: DEVICES,
        )
        self.link.begin()

    def _broke(self, error: BaseException) -> None:
        raise error

    async def run(self) -> None:
        """Open, play until told to stop, leave."""
        shift = self.shift
        try:
            if shift.phase is not Phase.CLOSED:
                await self._finish_what_was_begun()
            elif not shift.table.state.crew.dealer:
                shift.open_table()
                shift.send(DealerSignedOn, person=str(self.chance.randint(4000, 4999)))
            while not (self.folder / "stop").exists():
                await self._round()
        finally:
            self.link.stop()
            self.runner.stop()
            self.writer.close()

    async def _finish_what_was_begun(self) -> None:
        """A round that a kill interrupted is taken over, its shares reversed."""
        shift = self.shift
        if shift.table.state.play.round is not None:
            shift.floor("TAKE OVER", "reversed")
            shift.clear()
        shift.get_ready()

    async def _round(self) -> None:
        shift = self.shift
        await asyncio.sleep(PAUSE_S)
        seats = sorted(self.chance.sample(range(1, 7), self.chance.randint(2, 4)))
        is_open = not shift.table.rooms.linked_meters.shut_words()
        for seat in seats:
            shift.bet(seat, ante=1000, **({self.meter: 100} if is_open else {}))
        shift.lock()
        await asyncio.sleep(PAUSE_S)
        shift.deal(**self._hands(seats, is_open=is_open))
        shift.reveal({})
        await self._settle()
        shift.next_round()

    def _hands(self, seats: list[int], *, is_open: bool) -> dict[str, str]:
        """A hit waits for a round in which there is a wager for it."""
        if not is_open or not (self.folder / "hit").exists():
            return {}
        (self.folder / "hit").unlink()
        return {f"seat{seats[0]}": ROYAL, "dealer": LOW}

    async def _settle(self) -> None:
        shift = self.shift
        while shift.phase in (Phase.SETTLING, Phase.VALIDATING):
            await asyncio.sleep(PAUSE_S / 5)
            if shift.phase is Phase.SETTLING:
                shift.ok()
            elif not shift.table.rooms.linked_hits.does_wait():
                await asyncio.sleep(1.0)
                shift.floor("VALIDATE HIT", person="21")
        if shift.phase is Phase.DOCUMENTS:
            await asyncio.sleep(1.0)
            shift.floor("DOCUMENTS DONE", person="21")


async def main() -> None:
    """Play."""
    folder, *words = sys.argv[1:]
    await Table(Path(folder), *words).run()


if __name__ == "__main__":
    asyncio.run(main())
