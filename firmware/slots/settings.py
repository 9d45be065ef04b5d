"""Settings from the card: files that somebody wrote on a laptop, checked before anything believes them.

Nothing of the card is executed or followed: files are taken by their names, which are few and plain, as text
of a bounded length, copied where only root may write, and the table file among them must pass `sabot check`
there. Only then do they replace what the board had, and only while the table is closed.
"""

import re
import stat
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.update.errors import UpdateError

TABLE = "table.toml"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}\.(toml|sig|pem)|usb-allow-list", re.ASCII)
FOLDER = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}", re.ASCII)
# Part of the root and never of a card: whose programs a board trusts no stick can change.
KEPT = frozenset({"release.pub"})
MOST_BYTES, MOST_FILES = 256_000, 64
OPEN = 0o644


def read(card: Path) -> dict[str, bytes]:
    """Return the files of a card by their names; UpdateError for one that no settings have."""
    found: dict[str, bytes] = {}
    for path in _files(card):
        name = path.relative_to(card).as_posix()
        if len(found) == MOST_FILES:
            raise _wrong(card, f"it has more than {MOST_FILES} files")
        found[name] = _content(card, path, name)
    return found


def _files(card: Path) -> Iterator[Path]:
    """Yield the files to be taken, one folder deep; what a laptop leaves behind is passed over."""
    for path in sorted(card.iterdir()):
        if path.name.startswith((".", "System Volume", "$", "._")) or path.name == "README.TXT":
            continue
        if path.is_dir() and not path.is_symlink():
            if not FOLDER.fullmatch(path.name):
                raise _wrong(card, f"a folder is named {path.name!r}")
            yield from (each for each in sorted(path.iterdir()) if not each.name.startswith("."))
        else:
            yield path


def _content(card: Path, path: Path, name: str) -> bytes:
    """Return the content of a file, or raise where it may not be taken."""
    if not NAME.fullmatch(path.name) or path.name in KEPT:
        raise _wrong(card, f"no settings are named {name!r}")
    # Not followed: a link on a card could lead anywhere on the board.
    seen = path.lstat()
    if not stat.S_ISREG(seen.st_mode) or seen.st_size > MOST_BYTES:
        raise _wrong(card, f"{name} is no file of at most {MOST_BYTES:,} bytes")
    data = path.read_bytes()[: MOST_BYTES + 1]
    if path.suffix == ".toml":
        _verify_toml(card, name, data)
    return data


def _verify_toml(card: Path, name: str, data: bytes) -> None:
    try:
        tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise _wrong(card, f"{name} is no TOML: {error}") from error


def now(settings: Path) -> dict[str, bytes]:
    """Return the settings that a board has."""
    paths = (path for path in sorted(settings.rglob("*")) if path.is_file() and path.name not in KEPT)
    return {path.relative_to(settings).as_posix(): path.read_bytes() for path in paths}


def lay(files: Mapping[str, bytes], folder: Path) -> None:
    """Write settings into a folder, each whole, the table file last: a cut leaves the old or the new."""
    for name in sorted(files, key=lambda each: (each == TABLE, each)):
        path = folder / name
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        write_whole(path, files[name], OPEN)
        # The mask of whoever runs this may have taken away what the program needs: it reads as another user.
        path.chmod(OPEN)


def clear(folder: Path, kept: Mapping[str, bytes]) -> None:
    """Take away the settings that the card no longer has."""
    for path in sorted(folder.rglob("*"), reverse=True):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name not in kept and path.name not in KEPT:
            path.unlink()
        elif path.is_dir() and not any(path.iterdir()):
            path.rmdir()


def _wrong(card: Path, why: str) -> UpdateError:
    return UpdateError("E-UPDATE-016", str(card), why=why)
