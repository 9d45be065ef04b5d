"""The program as the console needs it: all that it sees, and the little that it may do.

There is no way here to bring an input of a device, and none to change the table but by events of people that
the runner handles like any other. Out of service there is no runner, and the console says why.
"""

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from sabot.config.loader import ChapterLaw
from sabot.config.table_file import Storage
from sabot.drivers.device import Driver
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.credentials.devices import EnrolledDevices
from sabot.firmware.credentials.people import People
from sabot.firmware.run.clock import Clock
from sabot.firmware.run.runner import Runner
from sabot.firmware.run.slips import SlipRegister
from sabot.rules.errors import SabotError

if TYPE_CHECKING:
    import asyncio

KEY_SWITCH, DOOR = "key_switch", "door"


class ConsoleProgram(Protocol):
    """The program, as the console sees it."""

    @property
    def name(self) -> str:
        """The table's name."""

    @property
    def is_simulated(self) -> bool:
        """Return whether the table is not for play."""

    @property
    def status(self) -> str:
        """Return the state of the program in one line."""

    @property
    def fault(self) -> SabotError | None:
        """Return the fault that keeps the table out of service."""

    @property
    def troubles(self) -> Sequence[str]:
        """Return the findings of the self-test, a line each."""

    @property
    def runner(self) -> Runner | None:
        """The runner, with the table; None out of service."""

    @property
    def drivers(self) -> Sequence[Driver]:
        """The devices at work."""

    @property
    def people(self) -> People:
        """Return the enrolled people."""

    @property
    def keyring(self) -> EnrolledDevices:
        """Return the enrolled devices."""

    @property
    def rooms(self) -> Rooms:
        """Return the places of everything."""

    @property
    def storage(self) -> Storage:
        """Return the table file's settings of the journal's media."""

    @property
    def law(self) -> ChapterLaw:
        """The chapters in force."""

    @property
    def clock(self) -> Clock:
        """The clocks."""

    def is_line_active(self, name: str) -> bool:
        """Return whether a line is active that is no event of the table: the key switch, the door."""

    def figures(self) -> Mapping[str, object]:
        """Return the figures of the statistics line, as they are now."""

    def configuration(self) -> Sequence[tuple[str, str]]:
        """Return the settings of table file and submission, a name and words each; called on a thread."""

    def verify(self, challenge: bytes) -> Iterator[str]:
        """Yield the digests of everything that runs, a line each; slow, so on a thread."""

    @property
    def slips(self) -> SlipRegister:
        """The slips of the program, and which a technician has lifted."""

    def lift_slips(self, by: str, why: str) -> None:
        """Lift the slips that a technician has looked into; the program starts anew."""

    def spawn(
        self, work: Coroutine[Any, Any, Any], name: str, *expects: type[Exception]
    ) -> "asyncio.Task[Any]":
        """Begin a task; what it raises stops the program, but what its caller waits for (``expects``)."""

    def set_log_level(self, level: str) -> None:
        """Set how much the log says from now on."""
