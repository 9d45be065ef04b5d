"""A customer display of 2 x 20 cells, written from the page and from nothing else: a grid that can be read.

It answers nothing, as the real one. Where the cursor goes behind the last cell of a line differs between
models, so it is an option here. Whoever watches is told of every picture that stood on the glass, in order,
however short it stood: a picture is whole where the bytes of one write end, where the display is cleared, and
where the next one begins above or before the cell that was written last.
"""

from collections.abc import Callable, Mapping

COLUMNS, ROWS = 20, 2
# Two-byte openings and how many bytes follow each of them.
ARGUMENTS = {b"\x1b@": 0, b"\x1f$": 2, b"\x1fX": 1, b"\x1fC": 1}
Action = tuple[str, Callable[[str], None]]


class EscposDisplay:
    """The display; ``wraps`` says whether the cursor goes on in the next line."""

    def __init__(self, *, wraps: bool = True) -> None:
        self.wraps = wraps
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.column = self.row = 0
        self.brightness = 4
        self.has_cursor = True
        self.is_on = True
        self.bytes_in = self.cells_written = self.unknown = 0
        self._kept = b""
        self._behind = 0
        self._told = self.lines()
        self.on_picture: Callable[[tuple[str, str]], None] = lambda _lines: None

    # ---------------------------------------------------------------- the line

    def attached(self, _write: Callable[[bytes], None]) -> None:
        """Do nothing: nothing is ever written to the line."""

    def detached(self) -> None:
        """Forget half a command; the picture stays."""
        self._kept = b""

    def received(self, data: bytes) -> None:
        """Take bytes of the host; without power nobody takes them."""
        if not self.is_on:
            return
        self.bytes_in += len(data)
        for code in data:
            self._kept += bytes([code])
            if self._is_whole():
                whole, self._kept = self._kept, b""
                self._obey(whole)
        if not self._kept:
            self._is_whole_picture()

    def _is_whole(self) -> bool:
        kept = self._kept
        if kept[:1] not in (b"\x1b", b"\x1f"):
            return True
        return len(kept) > 1 and len(kept) == 2 + ARGUMENTS.get(kept[:2], 0)

    def _obey(self, whole: bytes) -> None:
        opening, rest = whole[:2], whole[2:]
        if whole[0] >= 0x20:  # noqa: PLR2004 - below are controls
            self._put(whole.decode("cp437"))
        elif whole in (b"\x0c", b"\x1b@"):
            self._clear()
        elif whole == b"\x0b":
            self._go(0, 0)
        elif whole == b"\x18":
            self.cells[self.row] = [" "] * COLUMNS
            self.column = 0
        elif opening == b"\x1f$" and 1 <= rest[0] <= COLUMNS and 1 <= rest[1] <= ROWS:
            self._go(rest[0] - 1, rest[1] - 1)
        elif opening == b"\x1fX" and 1 <= rest[0] <= 4:  # noqa: PLR2004 - the levels of a display
            self.brightness = rest[0]
        elif opening == b"\x1fC":
            self.has_cursor = bool(rest[0])
        else:
            self.unknown += 1

    def _clear(self) -> None:
        """Show nothing, which is a picture as well."""
        self._is_whole_picture()
        self.cells = [[" "] * COLUMNS for _ in range(ROWS)]
        self.column = self.row = 0
        self._is_whole_picture()

    def _go(self, column: int, row: int) -> None:
        """Move the cursor; a picture is written downwards, so backwards the next one begins."""
        if row * COLUMNS + column < self._behind:
            self._is_whole_picture()
        self.column, self.row = column, row

    def _is_whole_picture(self) -> None:
        self._behind = 0
        if (lines := self.lines()) != self._told:
            self._told = lines
            self.on_picture(lines)

    def _put(self, character: str) -> None:
        self.cells[self.row][self.column] = character
        self._behind = self.row * COLUMNS + self.column + 1
        self.cells_written += 1
        self.column += 1
        if self.column == COLUMNS:
            self.column = 0 if self.wraps else COLUMNS - 1
            self.row = (self.row + 1) % ROWS if self.wraps else self.row

    # ---------------------------------------------------------------- what it shows

    def lines(self) -> tuple[str, str]:
        """Return the two lines as a person reads them."""
        first, second = ("".join(row) for row in self.cells)
        return first, second

    def shows(self) -> dict[str, object]:
        """Return what is visible, in words."""
        return {"lines": list(self.lines()), "cursor": "a cursor" if self.has_cursor else "no cursor"}

    def modem_lines(self) -> dict[str, bool]:
        """Return the modem lines of a cable that has them: they stand and fall with the power."""
        return dict.fromkeys(("dsr", "cts", "cd"), self.is_on)

    def picture(self) -> str:
        """Return the display with a frame around it."""
        edge = "+" + "-" * COLUMNS + "+"
        return "\n".join([edge, *(f"|{line}|" for line in self.lines()), edge])

    # ---------------------------------------------------------------- a technician's words

    def actions(self) -> Mapping[str, Action]:
        """Return the actions that can be typed, with their help."""
        return {
            "show": ("show: what stands on the display", lambda _: print(self.picture())),  # noqa: T201
            "power": ("power: it was off and is on again, dark and empty", lambda _: self.power()),
            "off": ("off: it is without power, dark", lambda _: self.off()),
            "on": ("on: power is back", lambda _: self.power()),
            "spoil": ("spoil: a character is bent on the line", lambda _: self.spoil()),
        }

    def power(self) -> None:
        """Bring power back: nothing is remembered."""
        self.is_on, self._kept = True, b""
        self.brightness, self.has_cursor = 4, True
        self._clear()

    def off(self) -> None:
        """Take power away."""
        self.is_on, self.has_cursor = False, False
        self._clear()

    def spoil(self, column: int = 0, row: int = 0) -> None:
        """Show a character that was not sent."""
        self.cells[row][column] = "#"
        self._is_whole_picture()
