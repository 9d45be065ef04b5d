"""The commands of an ESC/POS customer display, as messages and back.

The display never answers, so ``receive`` serves those who listen to the line: it reads what the host sends.
A character that this convention gives no meaning is skipped and counted.
"""

from collections.abc import Mapping

from sabot.drivers.convention import Statistics
from sabot.drivers.options import Value
from sabot.rules import display
from sabot.rules.frozen import frozen

WIDTH, HEIGHT = display.WIDTH, display.LINES
ESC, US = 0x1B, 0x1F
CHUNK = 256


@frozen
class DisplayText:
    """Characters at the cursor, as bytes of code page 437."""

    characters: bytes


@frozen
class Plain:
    """A command without an argument: initialise, clear, home, clear_line."""

    name: str


@frozen
class Move:
    """Put the cursor on a cell, counted from 1."""

    column: int
    row: int


@frozen
class Brightness:
    """The brightness, 1 to 4."""

    level: int


@frozen
class Cursor:
    """Show the cursor, or do not."""

    on: bool


Message = DisplayText | Plain | Move | Brightness | Cursor
_PLAIN = {"initialise": bytes((ESC, 0x40)), "clear": b"\x0c", "home": b"\x0b", "clear_line": b"\x18"}
_NAMES = {code: name for name, code in _PLAIN.items()}
# How long a command behind US is, itself and its arguments counted. Sizes come from the letter and never from
# a search for the next control code: columns 11 and 12 have the values of home and clear.
_US_SIZES = {0x24: 4, 0x58: 3, 0x43: 3}
_FIRST, _DELETE = 0x20, 0x7F


def is_character(code: int) -> bool:
    """Return whether a byte shows something."""
    return code >= _FIRST and code != _DELETE


class EscposCodec:
    """The codec of one line."""

    def __init__(self, _options: Mapping[str, Value] | None = None) -> None:
        self.statistics = Statistics()
        self._buffer = bytearray()

    def encode(self, message: Message) -> bytes:
        """Return the bytes of one message."""
        self.statistics.frames_out += 1
        match message:
            case DisplayText(characters):
                return characters
            case Plain(name):
                return _PLAIN[name]
            case Move(column, row):
                return bytes((US, 0x24, column, row))
            case Brightness(level):
                return bytes((US, 0x58, level))
        return bytes((US, 0x43, message.on))

    def receive(self, data: bytes) -> list[Message]:
        """Return the messages that these bytes complete."""
        found: list[Message] = []
        # In pieces: however much comes at once, the buffer stays small.
        for start in range(0, len(data), CHUNK):
            self._buffer += data[start : start + CHUNK]
            size = len(self._buffer)
            self.statistics.buffer_high_water = max(self.statistics.buffer_high_water, size)
            self._drain(found)
        return found

    def _drain(self, found: list[Message]) -> None:
        """Take every complete message from the head of the buffer."""
        while self._buffer:
            size = self._size()
            if size > len(self._buffer):
                break
            message = self._read(bytes(self._buffer[:size]))
            del self._buffer[:size]
            self.statistics.resyncs += message is None
            if message is not None:
                self.statistics.frames_in += 1
                found.append(message)

    def _size(self) -> int:
        """Return how long the message at the head is, as far as it can be told."""
        head = self._buffer[0]
        # Text has no end of its own: a run of characters is a message, as far as it has come.
        if is_character(head):
            return next(
                (at for at, code in enumerate(self._buffer) if not is_character(code)), len(self._buffer)
            )
        if head == US and len(self._buffer) > 1:
            return _US_SIZES.get(self._buffer[1], 1)
        return 2 if head in (ESC, US) else 1

    def _read(self, raw: bytes) -> Message | None:
        if raw in _NAMES:
            return Plain(_NAMES[raw])
        if is_character(raw[0]):
            return DisplayText(raw)
        if raw[0] != US or len(raw) == 1:
            return None
        if raw[1] == 0x24:  # noqa: PLR2004 - the letter of the command
            return Move(raw[2], raw[3])
        return Brightness(raw[2]) if raw[1] == 0x58 else Cursor(bool(raw[2]))  # noqa: PLR2004


def describe(message: Message, _show_cards: bool) -> str:  # noqa: FBT001 - the protocol of a convention
    """Return a message in words."""
    match message:
        case DisplayText(characters):
            return f"text {characters.decode('cp437')!r}"
        case Plain(name):
            return name.replace("_", " ")
        case Move(column, row):
            return f"cursor to column {column}, row {row}"
        case Brightness(level):
            return f"brightness {level}"
    return f"cursor {'on' if message.on else 'off'}"


def message_of(words: str) -> Message:
    """Return the message for a technician's ``text HELLO``, ``clear``, ``move 1 2`` or ``brightness 4``."""
    verb, _, rest = words.strip().partition(" ")
    numbers = [int(word) for word in rest.split() if word.isdigit()]
    if verb == "text" and rest:
        return DisplayText(rest.encode("cp437", "replace"))
    if verb in _PLAIN:
        return Plain(verb)
    if verb == "move" and len(numbers) == HEIGHT:
        return Move(numbers[0] & 0xFF, numbers[1] & 0xFF)
    if verb == "brightness" and numbers:
        return Brightness(numbers[0] & 0xFF)
    known = ", ".join(_PLAIN)
    raise ValueError(f"{words!r} is none of: text WORDS, {known}, move COLUMN ROW, brightness N")
