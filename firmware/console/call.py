"""A command being carried out: what it was given, and its way back to the console."""

import asyncio
from collections.abc import Sequence
from typing import Protocol, TypeVar

from sabot.drivers.device import Driver
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.program import ConsoleProgram
from sabot.firmware.console.session import ConsoleSession
from sabot.firmware.console.wire import Request
from sabot.firmware.credentials.people import Person
from sabot.firmware.journal.content import Handled
from sabot.firmware.run.driver_host import driver_of
from sabot.firmware.run.runner import Runner
from sabot.rules.frozen import mutable
from sabot.statemachine.action import Refused
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import RefuseInput
from sabot.statemachine.vocabulary.events import Event

DURABLE_S = 5.0
SOURCE = "console"
T = TypeVar("T")


class CallWire(Protocol):
    """The way to the console; each word waits until there is room, and ends the call where there never is."""

    async def send(self, **said: object) -> None:
        """Say something."""


@mutable
class Call:
    """One command of one console."""

    program: ConsoleProgram
    session: ConsoleSession
    wire: CallWire
    request: Request
    arguments: dict[str, str]
    second: Person | None = None
    is_of_table: bool = False

    async def say(self, text: str = "", **data: object) -> None:
        """Send a line for people and the same as data for programs; what it shows is on the medium first."""
        # Whoever reads a line may act on it: a cut of power must not take back what was shown.
        if self.is_of_table:
            await self.on_medium()
        await self.tell(text, **data)

    async def tell(self, text: str = "", **data: object) -> None:
        """Send a line that tells nothing of the table, or what is on the medium already."""
        await self.wire.send(id=self.request.id, text=text, data=data)

    async def on_medium(self) -> None:
        """Wait until all that the table has handled is on the medium, or raise E-CONS-018."""
        runner = self.program.runner
        if runner is None or not runner.is_ahead:
            return
        try:
            await asyncio.wait_for(runner.on_medium(), DURABLE_S)
        except TimeoutError as error:
            raise ConsoleError("E-CONS-018", "console", seconds=DURABLE_S) from error

    async def put(self, line: bytes) -> None:
        """Send a line of a file as it is, to people and programs alike."""
        await self.wire.send(id=self.request.id, line=line.decode().removesuffix("\n"))

    async def show(self, lines: Sequence[str], data: object) -> None:
        """Send a whole screen of the table, once all that it shows is on the medium."""
        await self.on_medium()
        await self.wire.send(id=self.request.id, frame=lines, data=data)

    def get(self, name: str, default: str = "") -> str:
        """Return the value of an argument."""
        return self.arguments.get(name, default)

    # ------------------------------------------------------------ what a command may rely on

    @property
    def runner(self) -> Runner:
        """The runner of a table in service."""
        runner = self.program.runner
        if runner is None:
            why = str(self.program.fault or self.program.status).removesuffix(".")
            raise ConsoleError("E-CONS-005", "console", why=why)
        return runner

    @property
    def table(self) -> Table:
        """The table in service."""
        return self.runner.table

    @property
    def person(self) -> Person:
        """Return the person who gives the order."""
        person = self.session.person
        assert person is not None  # the command's roles were checked
        return person

    @property
    def by(self) -> str:
        """Return the name of the person who gives the order, for an event."""
        return str(self.person)

    def driver(self, name: str) -> Driver:
        """Return a device at work; one machine that shuffles and deals answers to both names."""
        runner = self.program.runner
        is_one = runner is not None and runner.table.law.setup.one_machine
        driver = driver_of(self.program.drivers, name, is_one_machine=is_one)
        if driver is not None:
            return driver
        raise ConsoleError("E-CONS-011", "console", what=f"device {name}", command="devices")

    # ------------------------------------------------------------ orders to the table

    @property
    def now(self) -> float:
        """The clock of events."""
        return self.program.clock.now()

    async def order(self, event: Event) -> Sequence[object]:
        """Post an event of a person; return its effects once they are on the medium, or raise why not."""
        heard: asyncio.Future[Handled] = asyncio.get_running_loop().create_future()

        def listen(_number: int, handled: Handled) -> None:
            # The very object: two people may order the same thing at once.
            if handled.event is event and not heard.done():
                heard.set_result(handled)

        runner = self.runner
        # Before the event is posted: on a quick medium it may be durable within the same turn.
        runner.subscribers.append(listen)
        try:
            runner.post(event)
            handled = await asyncio.wait_for(heard, DURABLE_S)
        except TimeoutError as error:
            raise ConsoleError("E-CONS-007", "console", seconds=DURABLE_S) from error
        finally:
            runner.subscribers.remove(listen)
        for effect in handled.effects:
            if isinstance(effect, RefuseInput):
                raise Refused(effect.why)
        return handled.effects
