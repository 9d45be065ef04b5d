"""An evidence pack: one round or one fault, with everything that a stranger needs to believe it.

A zip of plain files: the slice of the journal with its links and the head that covers it, the record, the
set-up of the table and the digests of the program as they were told when the pack was made, a page for
people, and the checker that needs no Sabot. A manifest has the digest of every file, and the board signs the
manifest.
"""

import hashlib
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from sabot import __version__
from sabot.desk.evidence.page import PageProof, page
from sabot.firmware.credentials.board import SIMULATED, Board
from sabot.firmware.journal import export, store
from sabot.firmware.journal.checkpoints import HEAD, Signer, is_signed
from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry
from sabot.firmware.journal.errors import ERRORS as OF_JOURNAL
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.firmware.journal.retain import start_at
from sabot.firmware.journal.verify import Verifier
from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-EVID-001",
        "the pack cannot be read ({why})",
        "The file is no evidence pack, or it was not copied whole.",
        "Copy it again from where it was made.",
    ),
    (
        "E-EVID-002",
        "the pack does not hold: {why}",
        "Something in it was changed after the board had signed it, or it is of another board.",
        "Keep it as it is and make a new one from the journal.",
    ),
)


class EvidenceError(SabotError):
    """A pack that proves nothing."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)


FORMAT = 1
MANIFEST, SIGNATURE, JOURNAL = "manifest.json", "manifest.sig", "journal.jsonl"
CHECKER = Path(__file__).with_name("check_journal.py")
# The first date that a zip can have. When a pack was made stands in its manifest, where it is signed.
DATE = (1980, 1, 1, 0, 0, 0)


class About(NamedTuple):
    """The subject of a pack, and the entries that tell of it."""

    what: str
    number: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Pack:
    """The files of a pack before they are signed."""

    about: About
    files: Mapping[str, bytes]


def about_round(db: sqlite3.Connection, number: int) -> About:
    """Return the entries of a closed round, up to the head that covers its record."""
    span = store.entries_of_round(db, number)
    if span is None:
        raise JournalError(OF_JOURNAL["E-JRNL-008"], "evidence", what=f"record of round {number}")
    return About("round", number, span[0], covering(db, span[1]))


def about_fault(db: sqlite3.Connection, number: int) -> About:
    """Return a fault's entries, from the round before the entry that latched it until it was cleared."""
    entry = store.entry(db, number)
    raised = _effects(entry, "RaiseFault") if entry is not None else []
    if not raised:
        raise JournalError(
            OF_JOURNAL["E-JRNL-008"], "evidence", what=f"fault that was latched in entry {number}"
        )
    before = [each for _, each in store.rounds(db) if each < number]
    first = max([*before, store.first_of(db) - 1, 0]) + 1
    return About("fault", number, first, covering(db, _cleared(db, number, raised[0])))


def _cleared(db: sqlite3.Connection, number: int, raised: Mapping[str, object]) -> int:
    """Return the entry in which a fault was cleared, or the newest if it still holds."""
    last = number
    for entry in store.entries(db, number):
        last = entry.number
        for cleared in _effects(entry, "ClearFault"):
            if (cleared["fault"], cleared["device"]) == (raised["fault"], raised["device"]):
                return last
    return last


def _effects(entry: Entry, name: str) -> list[dict[str, object]]:
    if entry.kind != EVENT:
        return []
    return [each for each in json.loads(entry.body)["effects"] if each["effect"] == name]


def covering(db: sqlite3.Connection, number: int) -> int:
    """Return the number of the first signed head after an entry, or of the entry itself if none came yet."""
    heads = store.numbers(db, "head", number + 1, 2**62)
    return heads[0] if heads else number


def collect(db: sqlite3.Connection, about: About, board: Board, digests: Callable[[], Iterable[str]]) -> Pack:
    """Return every file but the manifest."""
    slice_ = b"".join(export.lines(db, export.ExportPart(about.first, about.last), board))
    entries = list(store.entries(db, about.first, about.last))
    records = [body["record"] for body in map(_body, entries) if "record" in body]
    start = json.loads(start_at(db, about.first) or "{}")
    made = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
    digest = hashlib.sha256(slice_).hexdigest()
    heads = [each for each in entries if each.kind == HEAD]
    head, version = heads[-1] if heads else None, str(start.get("version", ""))
    proof = PageProof(board.public_key.hex(), head, digest, made, version, board.kind == SIMULATED)
    files = {
        JOURNAL: slice_,
        "record.json": _pretty(records[-1] if records else {}),
        "setup.json": _pretty(start),
        "program.txt": "".join(f"{line}\n" for line in digests()).encode(),
        # The checker travels with what it checks: who gets a pack may have nothing of ours.
        "check_journal.py": CHECKER.read_bytes(),
        "page.html": page(about.what, about.number, entries, records, start, proof).encode(),
    }
    return Pack(about, files)


def _body(entry: Entry) -> dict[str, object]:
    found: dict[str, object] = json.loads(entry.body)
    return found


def _pretty(value: object) -> bytes:
    return json.dumps(value, indent=1, ensure_ascii=False).encode() + b"\n"


def signed_text(manifest: bytes) -> bytes:
    """Return the text that a pack's signature signs."""
    # It says what it is, so that no signature of the board for another purpose can be put under a pack.
    return b"sabot evidence\n" + hashlib.sha256(manifest).hexdigest().encode()


def write(target: Path, pack: Pack, board: Signer) -> int:
    """Write a new zip, and return its size; nothing is ever overwritten."""
    manifest = _pretty(
        {
            "sabot_evidence": FORMAT,
            "about": pack.about._asdict(),
            "made": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            "program": __version__,
            "board": board.public_key.hex(),
            "files": {
                name: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
                for name, content in pack.files.items()
            },
        }
    )
    signature = board.sign(signed_text(manifest)).hex().encode() + b"\n"
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in {**pack.files, MANIFEST: manifest, SIGNATURE: signature}.items():
            archive.writestr(zipfile.ZipInfo(name, DATE), content, zipfile.ZIP_DEFLATED)
    return export.write(target, [buffer.getvalue()])


# Unpacked: a small zip can be made to fill any memory.
MOST_BYTES = 512_000_000


class Checked(NamedTuple):
    """A pack that holds."""

    board: str
    about: dict[str, Any]
    files: list[str]
    chain: Verifier


def check(path: Path, key: bytes | None) -> Checked:
    """Return a pack that holds; raise EvidenceError or JournalError at the first thing that does not."""
    content = _unpack(path)
    manifest = content.pop(MANIFEST, b"")
    signature = content.pop(SIGNATURE, b"")
    said = _manifest(path, manifest)
    # The manifest names the key that it is proved by. Whose key that is, only ``key`` can say.
    board = bytes.fromhex(said["board"])
    if key is not None and board != key:
        _wrong(path, f"it is of board {said['board'][:16]}...")
    if not is_signed(board, _hex(signature), signed_text(manifest)):
        _wrong(path, "its manifest is not signed by the board")
    _verify_files(path, said["files"], content)
    return Checked(said["board"], said["about"], sorted(content), _chain(content[JOURNAL], board))


def _unpack(path: Path) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            size = sum(each.file_size for each in archive.infolist())
            if len(set(names)) != len(names) or size > MOST_BYTES:
                _wrong(path, "it names a file twice, or is far too large")
            return {name: archive.read(name) for name in names}
    except (OSError, zipfile.BadZipFile, RuntimeError, EOFError) as error:
        raise EvidenceError("E-EVID-001", str(path), why=error) from error


def _manifest(path: Path, manifest: bytes) -> dict[str, Any]:
    try:
        said: dict[str, Any] = json.loads(manifest)
        # Read once for its shape: what is missing is an unreadable pack, not a traceback later.
        _ = bytes.fromhex(said["board"]), dict(said["files"]), dict(said["about"]), said["files"][JOURNAL]
    except (ValueError, KeyError, TypeError) as error:
        raise EvidenceError("E-EVID-001", str(path), why="it has no manifest") from error
    return said


def _hex(text: bytes) -> bytes:
    try:
        return bytes.fromhex(text.decode("ascii").strip())
    except ValueError:
        return b""


def _verify_files(path: Path, listed: dict[str, Any], content: dict[str, bytes]) -> None:
    for name in sorted(listed.keys() ^ content.keys()):
        _wrong(path, f"{name} is {'missing' if name in listed else 'in it, but nobody signed for it'}")
    for name, data in content.items():
        if hashlib.sha256(data).hexdigest() != listed[name].get("sha256"):
            _wrong(path, f"{name} was changed")


def _chain(data: bytes, board: bytes) -> Verifier:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / JOURNAL
        file.write_bytes(data)
        return ImportedExport(file, board).verify(lambda _more: None)


def _wrong(path: Path, why: str) -> NoReturn:
    raise EvidenceError("E-EVID-002", str(path), why=why)
