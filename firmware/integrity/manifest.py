"""The manifest of a release: which files it consists of, which drivers may load, for what board it was made.

It is one JSON file, signed as its bytes stand; whoever reads it checks the signature over the same bytes
first and only then believes a word of it. Paths are relative to the place where packages are installed
(``files``) or to the bundle (``bundle``), so that one manifest holds for every board.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from dataclasses import fields as fields_of
from pathlib import Path, PurePosixPath

from sabot.drivers import hashing
from sabot.firmware.integrity.errors import VerifyError
from sabot.rules.frozen import frozen
from sabot.rules.json_fields import RoundError, fields, items, out_of_bounds, required, text, texts, whole

FORMAT = 1
MANIFEST, SIGNATURE = "manifest.json", "manifest.sig"
# The parts of a wheel that go beside its packages; scripts and headers have no place on a board.
IN_SITE = ("purelib", "platlib")
CHUNK = 1 << 20


@dataclass(frozen=True, slots=True, order=True)
class Listed:
    """A file as it must be."""

    path: str
    size: int
    sha256: str


@frozen
class Manifest:
    """A release's statement about itself."""

    version: str
    python: str
    machine: str
    journal_format: int
    drivers: Mapping[str, str]
    files: tuple[Listed, ...]
    bundle: tuple[Listed, ...]


KEYS = frozenset({"format", *(each.name for each in fields_of(Manifest))})
ROW = frozenset(each.name for each in fields_of(Listed))


def to_bytes(manifest: Manifest) -> bytes:
    """Return the bytes of the file, the same for the same release."""
    return json.dumps({"format": FORMAT, **asdict(manifest)}, indent=1, sort_keys=True).encode() + b"\n"


def from_bytes(data: bytes, place: str = MANIFEST) -> Manifest:
    """Read a manifest, understood to the last key."""
    try:
        found = fields(json.loads(data), "manifest", KEYS)
        whole(required(found, "format", ""), "format", f"{FORMAT}", FORMAT, FORMAT)
        return Manifest(
            version=text(required(found, "version", ""), "version"),
            python=text(required(found, "python", ""), "python"),
            machine=text(required(found, "machine", ""), "machine"),
            journal_format=whole(required(found, "journal_format", ""), "journal_format", "a whole number"),
            drivers=texts(required(found, "drivers", ""), "drivers"),
            files=tuple(_listed_at(found, "files")),
            bundle=tuple(_listed_at(found, "bundle")),
        )
    except (ValueError, RecursionError, RoundError) as error:
        why = f"{error.place}: {error.what}" if isinstance(error, RoundError) else error
        raise VerifyError("E-VERIFY-002", place, why=why) from error


def _listed_at(found: Mapping[str, object], name: str) -> Iterator[Listed]:
    for number, each in enumerate(items(required(found, name, ""), name)):
        yield _listed(each, f"{name}[{number}]")


def _listed(each: object, place: str) -> Listed:
    row = fields(each, place, ROW)
    name = text(required(row, "path", place), f"{place}.path")
    path = PurePosixPath(name)
    # A path that leaves its folder is refused, also in what was signed.
    if path.is_absolute() or ".." in path.parts or str(path) != name or not path.parts:
        raise out_of_bounds(f"{place}.path", name, "a path of a release")
    size = whole(required(row, "size", place), f"{place}.size", "a size in bytes")
    return Listed(str(path), size, text(required(row, "sha256", place), f"{place}.sha256"))


def describe(root: Path, paths: Iterable[Path]) -> tuple[Listed, ...]:
    """Return files as they are now, in the order of their paths."""
    found = ((path.relative_to(root).as_posix(), *measure(path)) for path in paths)
    return tuple(Listed(*each) for each in sorted(found))


def measure(path: Path) -> tuple[int, str]:
    """Return size and SHA-256 of a file."""
    digest, size = hashing.Sum(), 0
    with path.open("rb", buffering=0) as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
    return size, digest.hexdigest()


def place_in_site(name: str) -> str:
    """Return where a member of a wheel goes below site-packages, nothing where it goes elsewhere."""
    first, _, rest = name.partition("/")
    # pip writes its own RECORD in place of the wheel's.
    if name.endswith(("/", ".dist-info/RECORD")):
        return ""
    if not first.endswith(".data"):
        return name
    kind, _, place = rest.partition("/")
    return place if kind in IN_SITE else ""
