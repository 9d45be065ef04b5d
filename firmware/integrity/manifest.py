"""The manifest of a release: which files it consists of, which drivers may load, for what board it was made.

It is one JSON file, signed as its bytes stand; whoever reads it checks the signature over the same bytes
first and only then believes a word of it. Paths are relative to the place where packages are installed
(``files``) or to the bundle (``bundle``), so that one manifest holds for every board.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath

from sabot.firmware.integrity.errors import VerifyError

FORMAT = 1
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, order=True)
class Listed:
    """A file as it must be."""

    path: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a release says of itself."""

    version: str
    python: str
    machine: str
    journal_format: int
    drivers: Mapping[str, str]
    files: tuple[Listed, ...]
    bundle: tuple[Listed, ...]


def to_bytes(manifest: Manifest) -> bytes:
    """The file, the same for the same release."""
    return json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1, sort_keys=True).encode() + b"\n"


def from_bytes(data: bytes, place: str = MANIFEST) -> Manifest:
    """A manifest, understood to the last key."""
    try:
        found = json.loads(data)
        if found.pop("format") != FORMAT:
            raise VerifyError("E-VERIFY-002", place, why="its format is unknown")
        manifest = Manifest(
            version=_text(found.pop("version")),
            python=_text(found.pop("python")),
            machine=_text(found.pop("machine")),
            journal_format=_number(found.pop("journal_format")),
            drivers={_text(name): _text(value) for name, value in found.pop("drivers").items()},
            files=tuple(map(_listed, found.pop("files"))),
            bundle=tuple(map(_listed, found.pop("bundle"))),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise VerifyError("E-VERIFY-002", place, why=f"{type(error).__name__}: {error}") from error
    if found:
        raise VerifyError("E-VERIFY-002", place, why=f"unknown key {min(found)!r}")
    return manifest


def _listed(each: Mapping[str, object]) -> Listed:
    if set(each) != {"path", "size", "sha256"}:
        message = f"a file is described by {sorted(each)}"
        raise ValueError(message)
    path = PurePosixPath(_text(each["path"]))
    if path.is_absolute() or ".." in path.parts or str(path) != each["path"] or not path.parts:
        message = f"{each['path']!r} is no path of a release"
        raise ValueError(message)
    return Listed(str(path), _number(each["size"]), _text(each["sha256"]))


def _text(value: object) -> str:
    if not isinstance(value, str):
        message = f"{value!r} is no text"
        raise TypeError(message)
    return value


def _number(value: object) -> int:
    if type(value) is not int or value < 0:
        message = f"{value!r} is no size"
        raise TypeError(message)
    return value


def describe(root: Path, paths: Iterable[Path]) -> tuple[Listed, ...]:
    """Files as they are now, in the order of their paths."""
    found = ((path.relative_to(root).as_posix(), *measure(path)) for path in paths)
    return tuple(Listed(*each) for each in sorted(found))


def measure(path: Path) -> tuple[int, str]:
    """Size and SHA-256 of a file."""
    digest, size = hashlib.sha256(), 0
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return size, digest.hexdigest()
