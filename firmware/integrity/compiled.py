"""The compiled files of a release: made once on the board, by the installer, after the sources were checked.

Python runs them in place of the sources, so a changed one is a changed program that every check of sources
would pass. No signature can cover them, since they are made here; their digests are kept in a file that only
root may write, and the check at start holds them to it. `sabot verify --recompile` goes without that file:
it compiles every source again and compares.
"""

import importlib.util
import json
import marshal
import struct
from collections.abc import Iterator
from pathlib import Path
from types import CodeType

from sabot.firmware.integrity.file_walk import files_below, is_compiled
from sabot.firmware.integrity.manifest import describe

RECORD = "compiled.json"
# Magic number, flags, time and size of the source (PEP 552).
_HEAD_BYTES = 16


def keep_record(release: Path, site: Path) -> None:
    """Write down what was compiled; the installer's last step."""
    found = describe(site, (path for path in files_below(site) if is_compiled(path)))
    rows = {each.path: [each.size, each.sha256] for each in found}
    (release / RECORD).write_text(json.dumps(rows, indent=1, sort_keys=True), encoding="utf-8")


def recorded(release: Path) -> dict[str, tuple[int, str]]:
    """Return the files that the installer compiled.

    Nothing where its record is gone, and then every file is one too many.
    """
    try:
        rows = json.loads((release / RECORD).read_bytes())
        return {str(name): (int(row[0]), str(row[1])) for name, row in rows.items()}
    except (OSError, ValueError, TypeError, AttributeError, LookupError):
        return {}


def not_of_their_source(folder: Path) -> Iterator[Path]:
    """Yield compiled files that Python would run and that are not what their source compiles to."""
    for path in files_below(folder):
        if is_compiled(path) and not _is_of_its_source(path):
            yield path


def _is_of_its_source(path: Path) -> bool:
    try:
        source = Path(importlib.util.source_from_cache(str(path)))
        content = path.read_bytes()
        # Python runs neither: what it passes over changes nothing.
        if not source.exists() or _is_stale(content[:_HEAD_BYTES], source):
            return True
        made = compile(source.read_bytes(), str(source), "exec", dont_inherit=True, optimize=_level(path))
        kept = marshal.loads(content[_HEAD_BYTES:])  # noqa: S302 (compared, never run)
    except (OSError, ValueError, EOFError, TypeError, SyntaxError, struct.error):
        return False
    return isinstance(kept, CodeType) and _same(made, kept)


def _is_stale(head: bytes, source: Path) -> bool:
    """Return whether Python passes it over: made by another Python, or from another source."""
    magic, flags, when, size = struct.unpack("<4sIII", head)
    found = source.stat()
    is_of_now = (when, size) == (int(found.st_mtime) & 0xFFFFFFFF, found.st_size & 0xFFFFFFFF)
    return bool(magic != importlib.util.MAGIC_NUMBER or (flags == 0 and not is_of_now))


def _level(path: Path) -> int:
    """Return the level of optimisation that the file tells."""
    return int(path.name.rpartition(".opt-")[2].partition(".")[0]) if ".opt-" in path.name else 0


def _same(made: CodeType, kept: CodeType) -> bool:
    """Return whether two code objects do the same; where they lie does not count."""
    return _plain(made) == _plain(kept)


def _plain(code: CodeType) -> object:
    """Return a code object as plain values: every field that decides what it does."""
    # Compared as values: the bytes of marshal differ by what the compiling process held.
    return (
        [repr(getattr(code, name)) for name in _FIELDS],
        [_plain(each) if isinstance(each, CodeType) else _constant(each) for each in code.co_consts],
    )


def _constant(value: object) -> str:
    """Return a constant as text; a set has no order, so it is given one."""
    if isinstance(value, frozenset):
        return f"frozenset{sorted(map(_constant, value))}"
    if isinstance(value, tuple):
        return f"tuple{[_constant(each) for each in value]}"
    return f"{type(value).__name__} {value!r}"


# Not ``co_filename``: a release is compiled at one place and may lie at another.
_FIELDS = (
    "co_code", "co_names", "co_varnames", "co_cellvars", "co_freevars", "co_name", "co_qualname", "co_flags",
    "co_argcount", "co_kwonlyargcount", "co_posonlyargcount", "co_nlocals", "co_stacksize", "co_firstlineno",
    "co_linetable", "co_exceptiontable",
)  # fmt: skip
