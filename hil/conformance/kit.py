"""The bench that every convention's host stands on: a line with its log, hands, and measurements.

A check is a function that talks to the device and says what is wrong by raising. What it measures is kept
with the limits of the page.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from sabot.hil.conformance.hands import Act, CheckHands
from sabot.hil.conformance.record import Measure

LOGGED = 60
IDLE_S = 0.05


class WrongError(Exception):
    """Raised where the device breaks its page."""


class NotClaimedError(Exception):
    """Raised for something the device does not claim: not wrong, and not part of its certificate."""


class KitLine(Protocol):
    """The device's wire, and the clock by which it is judged."""

    def now(self) -> float:
        """Return the time in seconds."""

    def send(self, data: bytes) -> None:
        """Put bytes on the wire."""

    def read(self, until: float) -> bytes:
        """Return what has come, waiting until then for something."""

    def reopen(self) -> None:
        """Open it anew, because the device was away."""

    def facts(self) -> dict[str, Any]:
        """Return the facts that the wire itself tells of the device."""

    def close(self) -> None:
        """Let go of it."""


class Setting(NamedTuple):
    """The settings from the command line."""

    key: bytes | None = None
    is_authenticated: bool = True
    slack: float = 1.0
    options: dict[str, Any] = {}  # noqa: RUF012 - nobody writes to it


class Kit(ABC):
    """The tools of a check, whatever the convention."""

    def __init__(self, line: KitLine, hands: CheckHands, setting: Setting) -> None:
        self.line, self.hands, self.setting = line, hands, setting
        self.measures: list[Measure] = []
        self.log: deque[str] = deque(maxlen=LOGGED)
        self.device: dict[str, str] = {}
        self.wrong: list[str] = []
        self.is_cut = self.is_lost = self.is_asking = False
        self.began = line.now()
        self.waits: Callable[[float], None] = _nobody_watches
        # How long the machine let the kit stand still since this was asked last; never in a simulator's time.
        self.stood_still_s: Callable[[], float] = float

    # ---------------------------------------------------------------- the wire

    def send(self, data: bytes) -> float:
        """Put bytes on the wire, and return when that was."""
        self._note("H>", data)
        at = self.line.now()
        self.line.send(data)
        return at

    def read(self, until: float) -> bytes:
        """Return what comes until then."""
        # Not while a person is asked: the progress of the check would be written over the question.
        if not self.is_asking:
            self.waits(self.line.now() - self.began)
        data = self.line.read(until)
        if data:
            self._note("D>", data)
        return data

    def _note(self, way: str, data: bytes) -> None:
        self.log.append(f"{self.line.now():.4f} {way} {data.hex()}")

    @abstractmethod
    def pump(self, until: float) -> None:
        """Read once, and keep the conversation alive; each convention has its own."""

    def idle(self) -> None:
        """Keep the line going while a person is busy, who may just have pulled the cable."""
        if self.is_cut:
            return
        self.is_asking = True
        try:
            self.pump(self.line.now() + IDLE_S)
        except OSError:
            self.is_cut = True
        finally:
            self.is_asking = False

    def revive(self) -> None:
        """Open the line anew if it broke off."""
        self.idle()
        if self.is_cut:
            self.line.reopen()
            self.is_cut = False

    def wait(self, for_s: float) -> None:
        """Let the conversation go on for that long."""
        end = self.line.now() + for_s
        while self.line.now() < end:
            self.pump(end)

    def until(self, is_so: Callable[[], Any], within_s: float) -> Any:  # noqa: ANN401 - whatever was found
        """Wait until something is so; return what it found, or something empty when the time is over."""
        end = self.line.now() + within_s * self.setting.slack
        while not (found := is_so()) and self.line.now() < end:
            self.pump(end)
        return found

    # ---------------------------------------------------------------- judging

    def demand(self, is_so: object, words: str) -> None:
        """Raise WrongError unless it is so."""
        if not is_so:
            raise WrongError(words)

    def measure(
        self, name: str, seconds: float, *, most_s: float | None = None, least_s: float | None = None
    ) -> None:
        """Keep a time with its limits."""
        most = None if most_s is None else most_s * 1000 * self.setting.slack
        # A slow host makes times longer, never shorter: only the upper limit is widened.
        least = None if least_s is None else least_s * 1000
        self.measures.append(Measure(name, round(seconds * 1000, 3), "ms", least, most))

    def count(self, name: str, number: int, unit: str = "") -> None:
        """Keep a number that has no limit."""
        self.measures.append(Measure(name, number, unit))

    def act(self, act: Act, **facts: object) -> None:
        """Let the hands do something."""
        self.hands.do(act.at(**facts), self.idle)

    @abstractmethod
    def begin(self) -> None:
        """Forget what the check before left behind."""


def _nobody_watches(_seconds: float) -> None:
    return None


def middle(values: list[float]) -> float:
    """Return the median: what a host is late now and then is not the device's doing."""
    ordered = sorted(values)
    return ordered[len(ordered) // 2]
