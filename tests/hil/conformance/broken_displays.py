"""Displays that are wrong in one thing each, by overriding the simulator that is right."""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.hil.simulators.escpos import COLUMNS, ROWS, EscposDisplay

from .virtual import Clock

INITIALISE, CLEAR, HOME, CLEAR_LINE = b"\x1b@", b"\x0c", b"\x0b", b"\x18"
# What some displays can take before they have shown it.
SMALL_BUFFER = 256


class Dark(EscposDisplay):
    """It takes everything and shows nothing."""

    def lines(self) -> tuple[str, str]:
        return " " * COLUMNS, " " * COLUMNS


class StaysInItsLine(EscposDisplay):
    """Home is the beginning of the line that the cursor is in."""

    def _obey(self, whole: bytes) -> None:
        if whole == HOME:
            self.column = 0
        else:
            super()._obey(whole)


class Scrolls(EscposDisplay):
    """Behind the last cell of all the lines move up."""

    def _put(self, character: str) -> None:
        is_last = (self.column, self.row) == (COLUMNS - 1, ROWS - 1)
        super()._put(character)
        if is_last:
            self.cells = [self.cells[1], [" "] * COLUMNS]


class Yen(EscposDisplay):
    """The characters of another country."""

    def _put(self, character: str) -> None:
        super()._put({"\\": "\u00a5"}.get(character, character))


class OtherPage(EscposDisplay):
    """High codes of another page."""

    def _put(self, character: str) -> None:
        super()._put(character if character.isascii() else "\u00b3")


class ObeysArguments(EscposDisplay):
    """A column that has the value of clear clears."""

    def _obey(self, whole: bytes) -> None:
        if whole[:2] == b"\x1f$" and whole[2:3] == CLEAR:
            super()._obey(CLEAR)
        super()._obey(whole)


class Inserts(EscposDisplay):
    """A character pushes what stood there to the right."""

    def _put(self, character: str) -> None:
        cells = self.cells[self.row]
        cells.insert(self.column, " ")
        cells.pop()
        super()._put(character)


class ClearsWhereItIs(EscposDisplay):
    """Clear leaves the cursor where it was."""

    def _obey(self, whole: bytes) -> None:
        at = self.column, self.row
        super()._obey(whole)
        if whole == CLEAR:
            self.column, self.row = at


class ClearsBoth(EscposDisplay):
    """To clear a line is to clear both."""

    def _obey(self, whole: bytes) -> None:
        super()._obey(whole)
        if whole == CLEAR_LINE:
            self.cells = [[" "] * COLUMNS for _ in range(ROWS)]


class KeepsItsPicture(EscposDisplay):
    """To initialise changes no cell."""

    def _obey(self, whole: bytes) -> None:
        cells = self.cells
        super()._obey(whole)
        if whole == INITIALISE:
            self.cells = cells


class DarkAtOne(EscposDisplay):
    """At the lowest brightness nobody reads it."""

    def lines(self) -> tuple[str, str]:
        return super().lines() if self.brightness > 1 else (" " * COLUMNS, " " * COLUMNS)


class LightsItsCursor(EscposDisplay):
    """To set the brightness brings the cursor back."""

    def _obey(self, whole: bytes) -> None:
        super()._obey(whole)
        self.has_cursor = self.has_cursor or whole[:2] == b"\x1fX"


class OnePiece(EscposDisplay):
    """A command has to come at once."""

    def received(self, data: bytes) -> None:
        super().received(data)
        # Half a command at the end of more is remembered, so that this is its only fault.
        if len(data) == 1:
            self._kept = b""


class WaitsForGood(EscposDisplay):
    """An argument that cannot be leaves it waiting for one that can, until it is initialised."""

    is_stuck = False

    def _obey(self, whole: bytes) -> None:
        self.is_stuck = whole != INITIALISE and (self.is_stuck or whole == b"\x1f\x24\x1f\x58")
        if not self.is_stuck:
            super()._obey(whole)


class SmallBuffer(EscposDisplay):
    """What comes faster than it shows is lost."""

    def received(self, data: bytes) -> None:
        super().received(data[:SMALL_BUFFER])


class NoLine(EscposDisplay):
    """Its cable has no such wire."""

    def modem_lines(self) -> dict[str, bool]:
        return {"dsr": False, "cts": True, "cd": True}


class LineOfThePort(EscposDisplay):
    """The line is that of the adapter, which has power of its own."""

    def modem_lines(self) -> dict[str, bool]:
        return dict.fromkeys(("dsr", "cts", "cd"), True)


class WantsItsGreeting(EscposDisplay):
    """After power it shows nothing until it is initialised."""

    is_asleep = False

    def power(self) -> None:
        super().power()
        self.is_asleep = True

    def _obey(self, whole: bytes) -> None:
        self.is_asleep = self.is_asleep and whole != INITIALISE
        if not self.is_asleep:
            super()._obey(whole)


class Talks(EscposDisplay):
    """It says that it was initialised."""

    def attached(self, write: Callable[[bytes], None]) -> None:
        self.write = write

    def _obey(self, whole: bytes) -> None:
        super()._obey(whole)
        if whole == INITIALISE:
            self.write(b"\x06")


DISPLAYS: Mapping[str, tuple[Callable[[Clock], Any], str]] = {
    "dark": (lambda _: Dark(), "display.shows"),
    "home in its line": (lambda _: StaysInItsLine(), "display.home"),
    "scrolls behind the last cell": (lambda _: Scrolls(), "display.edge"),
    "characters of another country": (lambda _: Yen(), "display.characters"),
    "another code page": (lambda _: OtherPage(), "display.high"),
    "obeys an argument": (lambda _: ObeysArguments(), "display.cells"),
    "inserts": (lambda _: Inserts(), "display.change"),
    "clears and stays": (lambda _: ClearsWhereItIs(), "display.clear"),
    "clears both lines": (lambda _: ClearsBoth(), "display.line"),
    "initialises and keeps its picture": (lambda _: KeepsItsPicture(), "display.initialise"),
    "dark at the lowest brightness": (lambda _: DarkAtOne(), "display.brightness"),
    "a cursor that comes back": (lambda _: LightsItsCursor(), "display.cursor"),
    "commands in pieces lost": (lambda _: OnePiece(), "display.pieces"),
    "stuck behind half a command": (lambda _: WaitsForGood(), "display.half"),
    "bytes dropped": (lambda _: SmallBuffer(), "display.flow"),
    "no modem line": (lambda _: NoLine(), "display.there"),
    "a modem line that never falls": (lambda _: LineOfThePort(), "display.there"),
    "wants to be greeted after power": (lambda _: WantsItsGreeting(), "display.power"),
    "talks": (lambda _: Talks(), "display.silent"),
}
