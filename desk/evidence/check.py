"""Checking an evidence pack: its signature, its files, the chain of its slice."""

import hashlib
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from sabot.desk.evidence.errors import EvidenceError
from sabot.desk.evidence.pack import JOURNAL, MANIFEST, SIGNATURE, signed_text
from sabot.firmware.journal.heads import is_signed
from sabot.firmware.journal.imported import Export
from sabot.firmware.journal.verify import Verifier

MOST_BYTES = 512_000_000


class Checked(NamedTuple):
    """A pack that holds."""

    board: str
    about: dict[str, Any]
    files: list[str]
    chain: Verifier


def check(path: Path, key: bytes | None) -> Checked:
    """All of a pack; EvidenceError or JournalError at the first thing that does not hold."""
    content = _unpack(path)
    manifest = content.pop(MANIFEST, b"")
    signature = content.pop(SIGNATURE, b"")
    said = _manifest(path, manifest)
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
        return Export(file, board).verify(lambda _more: None)


def _wrong(path: Path, why: str) -> NoReturn:
    raise EvidenceError("E-EVID-002", str(path), why=why)
