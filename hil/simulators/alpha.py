"""A meter sign that speaks the Alpha protocol, written from the page and from nothing else.

It keeps its files as the real one does, drops without a word whatever has a wrong checksum or no file,
answers questions, and renders what stands on it as text. It blanks where a real one blanks, and counts that.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

SIZE_MOST = 4096
TEXT, STRING = "A", "B"
Action = tuple[str, Callable[[str], None]]


@dataclass(slots=True)
class SignFile:
    """A file of the sign's memory."""

    kind: str
    size: int
    is_locked: bool
    content: bytes = b""


def total(block: bytes) -> bytes:
    """Return the sum of all bytes in sixteen bits, as four digits."""
    return f"{sum(block) % 65536:04X}".encode("ascii")


class AlphaSign:
    """The sign; ``is_dumb`` models answer no question."""

    def __init__(self, *, is_dumb: bool = False) -> None:
        self.is_dumb = is_dumb
        self.is_mute = False
        self.files: dict[str, SignFile] = {}
        self.memory = b""
        self.sequence = b""
        self.priority: bytes | None = None
        self.blanks = self.dropped = self.taken = self.answers = 0
        self.stuck: set[str] = set()
        self.lies: dict[str, bytes] = {}
        self.drop_next = 0
        self.takes_special = True
        self._write: Callable[[bytes], None] | None = None
        self._kept = b""

    # ---------------------------------------------------------------- the line

    def attached(self, write: Callable[[bytes], None]) -> None:
        """Take the way to the line."""
        self._write = write

    def detached(self) -> None:
        """Lose the line, and what was half heard; the memory stays."""
        self._write, self._kept = None, b""

    def send(self, data: bytes) -> None:
        """Send these bytes, right or wrong."""
        if self._write is not None:
            self._write(data)

    def received(self, data: bytes) -> None:
        """Take bytes of the host: each transmission ends with EOT."""
        self._kept = (self._kept + data)[-SIZE_MOST:]
        while b"\x04" in self._kept:
            raw, _, self._kept = self._kept.partition(b"\x04")
            # From the last SOH: what stands before it is half a transmission, or noise.
            self._transmission(raw[raw.rfind(b"\x01") :] if b"\x01" in raw else b"")

    def _transmission(self, raw: bytes) -> None:
        """Take a transmission: type, address, STX, command, data, ETX, four digits."""
        head, stx, block = raw.partition(b"\x02")
        body, etx, digits = block.rpartition(b"\x03")
        is_whole = len(head) == 4 and stx and etx and body  # noqa: PLR2004 - SOH, type and address
        is_mine = head[1:2] in (b"Z", b"!") and head[2:4] in (b"00", b"01")
        if not is_whole or not is_mine or total(stx + body + etx) != digits or self.drop_next:
            self.dropped += 1
            self.drop_next = max(0, self.drop_next - 1)
            return
        self.taken += 1
        self._obey(chr(body[0]), body[1:])

    # ---------------------------------------------------------------- what it is told

    def _obey(self, command: str, data: bytes) -> None:
        label, content = data[:1].decode("latin-1"), data[1:]
        if command in "BHF":
            self._answer(command, label)
        elif command == "E":
            self._special(label, content)
        elif command == "A" and label == "0":
            self.blanks += 1
            self.priority = content or None
        elif command in "AG" and self._takes(label, TEXT if command == "A" else STRING, content):
            # A text that is written anew blanks the sign; a string does not.
            self.blanks += command == "A"
            if label not in self.stuck:
                self.files[label].content = content

    def _takes(self, label: str, kind: str, content: bytes) -> bool:
        file = self.files.get(label)
        return file is not None and file.kind == kind and len(content) <= file.size

    def _special(self, function: str, content: bytes) -> None:
        if not self.takes_special:
            self.dropped += 1
        elif function == "$":
            self.blanks += 1
            self.memory, self.files, self.priority = content, _configured(content), None
        elif function == ".":
            self.sequence = content
        elif function == ",":
            self.blanks += 1

    def _answer(self, command: str, label: str) -> None:
        """Answer with what was asked for, in the form in which it would be written."""
        if self.is_dumb or self.is_mute:
            return
        if command == "F":
            found = {"$": self.memory, ".": self.sequence}.get(label)
        elif label == "0":
            found = self.priority or b""
        else:
            file = self.files.get(label)
            found = self.lies.get(label, file.content) if file else None
        if found is None:
            return
        block = (
            b"\x02" + {"B": b"A", "H": b"G", "F": b"E"}[command] + label.encode("latin-1") + found + b"\x03"
        )
        self.answers += 1
        self.send(bytes(20) + b"\x01" + b"000" + block + total(block) + b"\x04")

    # ---------------------------------------------------------------- what it shows

    def shown(self) -> list[str]:
        """Return the pages as a person reads them."""
        if self.priority:
            return [self._rendered(self.priority)]
        order = [chr(code) for code in self.sequence[2:]] or sorted(self.files)
        pages = [self.files[label] for label in order if label in self.files]
        return [self._rendered(file.content) for file in pages if file.kind == TEXT and file.content]

    def shows(self) -> dict[str, object]:
        """Return what is visible, in words."""
        return {"pages": self.shown()}

    def _rendered(self, text: bytes) -> str:
        """Return a text with its strings in their places and its control codes gone."""
        words, at = "", 0
        while at < len(text):
            code = text[at]
            if code == 0x1B:  # noqa: PLR2004 - position and mode follow
                at += 3
                continue
            if code == 0x10:  # noqa: PLR2004 - a string is called
                file = self.files.get(chr(text[at + 1]))
                words += file.content.decode("latin-1") if file else ""
                at += 2
                continue
            words += chr(code) if code >= 0x20 else ""  # noqa: PLR2004 - other control codes show nothing
            at += 1
        return words

    # ---------------------------------------------------------------- what happens to it

    def remote(self, label: str, words: str) -> None:
        """Write with a remote control; a locked file does not take it."""
        file = self.files[label]
        if not file.is_locked:
            file.content = words.encode("latin-1")

    def corrupt(self, label: str, words: str) -> None:
        """Put something else into the memory, for whatever reason."""
        self.files[label].content = words.encode("latin-1")

    def wipe(self) -> None:
        """Lose the memory, as with an empty battery."""
        self.files, self.memory, self.sequence, self.priority = {}, b"", b"", None

    # ---------------------------------------------------------------- a technician's words

    def actions(self) -> Mapping[str, Action]:
        """Return the actions that can be typed, with their help."""
        return {
            "show": ("show: what stands on the sign", lambda _: print("\n".join(self.shown()))),  # noqa: T201
            "remote": ("remote LABEL WORDS: write with a remote control", self._pair(self.remote)),
            "corrupt": ("corrupt LABEL WORDS: the memory holds this", self._pair(self.corrupt)),
            "stick": (
                "stick LABEL: this file takes nothing new",
                lambda words: self.stuck.add(words.strip()),
            ),
            "free": ("free: no file sticks", lambda _: self.stuck.clear()),
            "wipe": ("wipe: the memory is lost", lambda _: self.wipe()),
            "drop": ("drop N: the next transmissions are lost", self._drop),
            "mute": ("mute on|off: answer nothing", self._mute),
            "noise": ("noise HEX: bytes that mean nothing", lambda words: self.send(bytes.fromhex(words))),
        }

    def _pair(self, function: Callable[[str, str], None]) -> Callable[[str], None]:
        def take(words: str) -> None:
            label, _, rest = words.partition(" ")
            if label not in self.files:
                raise ValueError(f"there is no file {label!r}; there are {' '.join(self.files)}")
            function(label, rest)

        return take

    def _drop(self, words: str) -> None:
        self.drop_next = int(words)

    def _mute(self, words: str) -> None:
        self.is_mute = words.strip() != "off"


def _configured(content: bytes) -> dict[str, SignFile]:
    """Return the files of a memory configuration, eleven characters each."""
    files = {}
    for at in range(0, len(content) - 10, 11):
        label, kind, lock, size = (content[at + a : at + b].decode("latin-1") for a, b in _FIELDS)
        if kind in (TEXT, STRING):
            files[label] = SignFile(kind, int(size, 16), lock == "L")
    return files


_FIELDS = ((0, 1), (1, 2), (2, 3), (3, 7))
