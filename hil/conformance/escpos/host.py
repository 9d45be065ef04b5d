"""The kit's host of a display: it writes, and believes only what eyes have seen, for a display never answers.

Each check begins with the greeting of the page, so that what the one before left behind is gone. Eyes compare
both lines, cell by cell: what nobody wrote may not stand there.
"""

from sabot.hil.conformance.hands import CheckHands
from sabot.hil.conformance.kit import Kit, KitLine, Setting, WrongError

COLUMNS, ROWS, BITS_A_BYTE = 20, 2, 10
SETTLE_S = 0.5
INITIALISE, CLEAR, HOME, CLEAR_LINE = b"\x1b@", b"\x0c", b"\x0b", b"\x18"
CURSOR_OFF = b"\x1fC\x00"
PICTURE = "  >>   |{:<20}|"


def move(column: int, row: int) -> bytes:
    """Return the command that moves the cursor to a cell, counted from 1."""
    return bytes((0x1F, 0x24, column, row))


def brightness(level: int) -> bytes:
    """Return the command that sets the brightness."""
    return bytes((0x1F, 0x58, level))


def coded(text: str) -> bytes:
    """Return characters as the display has them, in code page 437."""
    return text.encode("cp437")


class DisplayKit(Kit):
    """A host on one display."""

    def __init__(self, line: KitLine, hands: CheckHands, setting: Setting) -> None:
        super().__init__(line, hands, setting)
        options = setting.options
        self.high_codes = str(options.get("high_codes", ""))
        self.presence = str(options.get("presence", "none"))
        self.level = int(options.get("brightness", 4))
        self.byte_s = BITS_A_BYTE / int(options.get("baud", 9600))
        self.device = {"claims": "nothing: the convention has no identity"}
        self.heard = b""
        self._unsettled = 0

    def begin(self) -> None:
        """Send the greeting, before each check."""
        self.say(INITIALISE, CLEAR, HOME, CURSOR_OFF, brightness(self.level))

    def pump(self, until: float) -> None:
        """Keep what comes, although a display never answers."""
        self.heard += self.read(until)

    # ---------------------------------------------------------------- saying

    def say(self, *parts: bytes) -> None:
        """Send bytes, without a pause."""
        data = b"".join(parts)
        self._unsettled += len(data)
        self.send(data)

    def refresh(self, first: str, second: str) -> bytes:
        """Return both lines anew, every cell of them, as the page has a refresh."""
        cells = (coded(f"{line:<{COLUMNS}}") for line in (first, second))
        return b"".join((brightness(self.level), CURSOR_OFF, HOME, next(cells), move(1, ROWS), next(cells)))

    # ---------------------------------------------------------------- looking

    def settle(self) -> None:
        """Wait until all of it has gone over the line, and a little for the display."""
        # Writing returns when the port has taken the bytes; at 2400 baud two lines need a sixth of a second.
        self.wait(self._unsettled * self.byte_s + SETTLE_S)
        self._unsettled = 0

    def shows(self, first: str, second: str, after: str) -> None:
        """Raise WrongError unless exactly these two lines stand there."""
        self.settle()
        picture = "\n".join(PICTURE.format(line) for line in (first, second))
        question = f"{after}: does it show this and nothing else?\n{picture}\n  >>"
        shown = f"{first:<{COLUMNS}}\n{second:<{COLUMNS}}"
        if not self.hands.sees(question, shown, self.idle):
            raise WrongError(f"{after}: it does not show {first!r} over {second!r}")

    def hides_its_cursor(self, after: str) -> None:
        """Raise WrongError if a cursor is to be seen."""
        self.settle()
        seen = self.hands.sees(f"{after}: is it true that no cursor is to be seen?", "no cursor", self.idle)
        self.demand(seen, f"{after}: a cursor is to be seen, which was put out")

    def is_there(self) -> bool:
        """Return whether its modem line is up."""
        lines = self.line.facts().get("modem", {})
        return bool(lines.get(self.presence))
