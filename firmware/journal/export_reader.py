"""Reading an export again, with every proof that it carries: header, chain, heads, digest, closing line.

Theory of operation. It is read once, a line at a time, for it may be larger than memory. Each entry is proved
by its link before it is handed on; digest and closing line are proved when all lines were read. Whoever stops
early has entries that follow from each other, and no word of the board for the last of them: what relies on
an export reads it to its end.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from sabot.firmware.errors import CommandError
from sabot.firmware.journal import anchor
from sabot.firmware.journal.books import Moves
from sabot.firmware.journal.checkpoints import is_signed
from sabot.firmware.journal.entry import GENESIS, Entry, Stamp, digest
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.firmware.journal.export import FORMAT, Closing, signed_text
from sabot.firmware.journal.verify import Verifier
from sabot.rules.frozen import mutable

FIELDS = {"number", "kind", "boot", "at", "utc", "trusted", "body", "seal", "link"}


@mutable
class ImportedExport:
    """An export, proved while it is read; ``board`` is the key it must be of, None to take its own word."""

    path: Path
    board: bytes | None = None
    key: bytes = b""
    verifier: Verifier | None = None
    carried: str = ""

    @property
    def carried_moves(self) -> Moves:
        """Return the movements of the meters before the first entry; known once the header was read."""
        found: Moves = json.loads(self.carried)["carried"] if self.carried else {}
        return found

    def entries(self) -> Iterator[Entry]:
        """Yield every entry, each proved before it is given; the closing line is proved before the end."""
        for entry, _size in self._proved(_lines(self.path)):
            yield entry

    def verify(self, tick: Callable[[int], None]) -> Verifier:
        """Prove the whole export; return the verifier with its counts."""
        for _, size in self._proved(_lines(self.path)):
            tick(size)
        assert self.verifier is not None  # a file without a header was refused
        return self.verifier

    def _proved(self, rows: Iterator[tuple[int, bytes]]) -> Iterator[tuple[Entry, int]]:
        whole = hashlib.sha256()
        number, raw = next(rows, (1, b""))
        verifier = self.verifier = self._header(_object(self.path, number, raw), number)
        while True:
            # The bytes of the lines, not what they mean: that is what the board signed.
            whole.update(raw)
            number, raw = next(rows, (number + 1, b""))
            value = (
                _object(self.path, number, raw) if raw else self._wrong(number, "the closing line is missing")
            )
            if "closing" in value:
                break
            entry = self._entry(value, number)
            verifier.take(entry)
            yield entry, len(raw)
        self._close(value["closing"], number, whole.hexdigest())
        if next(rows, None) is not None:
            self._wrong(number + 1, "something follows the closing line")

    def _header(self, value: dict[str, Any], number: int) -> Verifier:
        if value.get("sabot_journal") != FORMAT:
            self._wrong(number, "the first line is not that of an export this program knows")
        try:
            self.key = _digits(value["board"])
            first, before = int(value["first"]), _digits(value["before"])
            self.carried = str(value.get("anchor", ""))
        except (KeyError, ValueError, TypeError):
            self._wrong(number, "a field of the first line is missing or wrong")
        if self.board is not None and self.key != self.board:
            self._wrong(number, "it is of another board")
        # An export that claims the beginning must have it: else entries before it could be left out unseen.
        if first == 1 and before != GENESIS:
            self._wrong(number, "a journal begins with a link of zeros")
        if self.carried and anchor.verify_body(first - 1, self.carried, self.key) != (first - 1, before):
            self._wrong(number, "its anchor speaks of other entries")
        return Verifier(first - 1, before, self.key)

    def _entry(self, value: dict[str, Any], number: int) -> Entry:
        if value.keys() - {"sealed"} != FIELDS:
            self._wrong(number, "a line does not have the fields of an entry")
        try:
            entry = _entry_of(value)
        except (ValueError, TypeError):
            self._wrong(number, "a field of an entry is not what it should be")
        if entry.sealed and digest(entry.sealed) != entry.seal_digest:
            raise JournalError(
                ERRORS["E-JRNL-004"], f"{self.path}:{number}", number=entry.number, why="its seal was changed"
            )
        return entry

    def _close(self, said: Any, number: int, found: str) -> None:  # noqa: ANN401 (any JSON)
        verifier = self.verifier
        assert verifier is not None  # made from the header
        try:
            closing = Closing(said["first"], said["last"], _digits(said["link"]), said["digest"])
            key, signature = _digits(said["key"]), bytes.fromhex(said["signature"])
        except (KeyError, ValueError, TypeError):
            self._wrong(number, "the closing line is not whole")
        if (closing.last, closing.link) != (verifier.number, verifier.link):
            self._wrong(
                number, f"the closing line speaks of entry {closing.last}, the last is {verifier.number}"
            )
        if closing.digest != found:
            self._wrong(number, "the digest of the lines is another")
        if key != self.key or not is_signed(key, signature, signed_text(closing)):
            self._wrong(number, "the closing line is not signed by the board")

    def _wrong(self, number: int, why: str) -> NoReturn:
        raise JournalError(ERRORS["E-JRNL-011"], f"{self.path}:{number}", why=why)


def _entry_of(value: dict[str, Any]) -> Entry:
    texts = [value[name] for name in ("kind", "boot", "at", "utc", "body", "seal", "link")]
    # By type: to Python true is a number too, and the text that is hashed would say another thing.
    if type(value["number"]) is not int or type(value["trusted"]) is not bool:
        raise TypeError
    if not all(isinstance(each, str) for each in (*texts, value.get("sealed", ""))):
        raise TypeError
    stamp = Stamp(value["boot"], value["at"], value["utc"], value["trusted"])
    sealed, link = bytes.fromhex(value.get("sealed", "")), _digits(value["link"])
    return Entry(value["number"], value["kind"], stamp, value["body"], sealed, link, value["seal"])


def _digits(text: str) -> bytes:
    """Read lower-case digits without a gap: what is signed as text has one spelling."""
    found = bytes.fromhex(text)
    # A second spelling would have a second digest under one meaning.
    if found.hex() != text:
        message = "not spelt as it is written"
        raise ValueError(message)
    return found


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    try:
        with path.open("rb") as file:
            yield from enumerate(file, 1)
    except OSError as error:
        raise CommandError("E-CLI-001", str(path), why=error.strerror or str(error)) from error


def _object(path: Path, number: int, raw: bytes) -> dict[str, Any]:
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        why = "the line is not JSON"
        raise JournalError(ERRORS["E-JRNL-011"], f"{path}:{number}", why=why) from error
    if not isinstance(value, dict):
        raise JournalError(ERRORS["E-JRNL-011"], f"{path}:{number}", why="the line is not an object")
    return value
