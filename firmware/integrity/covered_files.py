"""Everything that decides what this board does, file by file, in a fixed order under fixed names.

Names do not depend on where a release lies, so that two boards with the same release give the same digest
group by group. The order is that of the groups here, then of the names as bytes; a tool of one file
(``tools/digest_medium.py``) walks the same files from another machine and knows nothing of this module.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.file_walk import files_below, is_compiled
from sabot.firmware.integrity.installation import Installation

PACKAGES = frozenset({"site-packages", "dist-packages"})
DATA = ("config/chapters/", "config/submissions/", "config/stated.toml")
UNIT_FOLDERS = ("etc/systemd/system", "usr/local/lib/systemd/system", "usr/lib/systemd/system")
OTHER_FOLDERS = ("etc/sysusers.d", "etc/tmpfiles.d", "etc/udev/rules.d")
MAPS = Path("/proc/self/maps")


class Covered(NamedTuple):
    """A file and the name under which it is covered."""

    name: str
    path: Path


def groups(where: Installation, also: Iterable[Path] = ()) -> Iterator[tuple[str, list[Covered]]]:
    """Yield every group with its files, in the order in which they are digested.

    ``also`` are libraries that another process of this program has mapped.
    """
    seen: set[Path] = set()
    for name, find in GROUPS.items():
        found = set(find(where, seen))
        if name == "native":
            found |= {Covered(str(path), path) for path in also if path.resolve() not in seen}
        # As ``tools/digest_medium.py`` sorts them on another machine.
        rows = sorted(found, key=lambda row: row.name.encode())
        seen |= {row.path.resolve() for row in rows}
        yield name, rows


def _interpreter(where: Installation, _seen: set[Path]) -> Iterator[Covered]:
    yield Covered(f"/{where.interpreter.relative_to(where.root).as_posix()}", where.interpreter)


def _library(where: Installation, _seen: set[Path]) -> Iterable[Covered]:
    return _named(where.library.parent, files_below(where.library, leave_out=PACKAGES), compiled=False)


def _dependencies(where: Installation, _seen: set[Path]) -> Iterator[Covered]:
    for row in _named(where.site, files_below(where.site), compiled=False):
        if not row.path.is_relative_to(where.program):
            yield row


def _program(where: Installation, _seen: set[Path]) -> Iterable[Covered]:
    return (row for row in _own(where) if not _is_data(row))


def _chapters(where: Installation, _seen: set[Path]) -> Iterable[Covered]:
    return (row for row in _own(where) if _is_data(row))


def _own(where: Installation) -> Iterable[Covered]:
    return _named(where.program.parent, files_below(where.program), compiled=False)


def _is_data(row: Covered) -> bool:
    return row.name.removeprefix("sabot/").startswith(DATA)


def _tables(where: Installation, _seen: set[Path]) -> Iterator[Covered]:
    """Yield the table files of the board and the pinned key, whatever the folder is called."""
    for row in _named(where.settings, files_below(where.settings), compiled=True):
        yield Covered(f"settings/{row.name}", row.path)


def _units(where: Installation, _seen: set[Path]) -> Iterator[Covered]:
    for folder in UNIT_FOLDERS:
        for path in (where.root / folder).glob("sabot*"):
            yield from _named(where.root, files_below(path) if path.is_dir() else [path], compiled=True)
    for folder in OTHER_FOLDERS:
        yield from _named(where.root, (where.root / folder).glob("*sabot*"), compiled=True)


def _native(_where: Installation, seen: set[Path]) -> Iterator[Covered]:
    """Yield the libraries of this very process that no other group has."""
    for path in mapped_libraries():
        if path.resolve() not in seen:
            yield Covered(str(path), path)


def _compiled(where: Installation, _seen: set[Path]) -> Iterator[Covered]:
    # A source tree has its program outside of the packages, a release among them: it is walked once.
    folders = {where.site: where.site, where.program: where.program.parent}
    if where.program.is_relative_to(where.site):
        del folders[where.program]
    for folder, above in folders.items():
        yield from (row for row in _named(above, files_below(folder), compiled=True) if is_compiled(row.path))
    library = files_below(where.library, leave_out=PACKAGES)
    yield from (row for row in _named(where.library.parent, library, compiled=True) if is_compiled(row.path))


def _release(where: Installation, _seen: set[Path]) -> Iterator[Covered]:
    """Yield the rest of a release: manifest, signature, units as they came, the environment's own files."""
    if where.release is None:
        return
    for path in files_below(where.release, leave_out=PACKAGES):
        # A link of an environment leads to a file that another group has, such as the interpreter.
        if not path.is_symlink():
            yield Covered(f"release/{path.relative_to(where.release).as_posix()}", path)


def _named(above: Path, paths: Iterable[Path], *, compiled: bool) -> Iterator[Covered]:
    for path in paths:
        if compiled or not is_compiled(path):
            yield Covered(path.relative_to(above).as_posix(), path)


def mapped_libraries(maps: Path = MAPS) -> list[Path]:
    """Return the files that this process runs code from."""
    found = set()
    for line in maps.read_text(encoding="utf-8").splitlines():
        # Address, rights, offset, device, inode, path (proc(5)); the path may have blanks.
        fields = line.split(maxsplit=5)
        is_code = len(fields) > _PATH and "x" in fields[1] and fields[_PATH].startswith("/")
        # Code runs that nobody can look at any more.
        if is_code and fields[_PATH].endswith(" (deleted)"):
            raise VerifyError("E-VERIFY-010", fields[_PATH].removesuffix(" (deleted)"))
        if is_code:
            found.add(Path(fields[_PATH]))
    return sorted(found)


_PATH = 5
Find = Callable[[Installation, set[Path]], Iterable[Covered]]
# In this order: ``native`` comes last, as it leaves out what another group has.
GROUPS: dict[str, Find] = {
    "interpreter": _interpreter,
    "library": _library,
    "dependencies": _dependencies,
    "program": _program,
    "chapters": _chapters,
    "tables": _tables,
    "units": _units,
    "release": _release,
    "compiled": _compiled,
    "native": _native,
}
