"""Compiled files of Python that are the same bytes in every process: ``python -P pyc.py FOLDER PLACE``.

marshal marks an object for a second use where anybody else holds it at that moment. Names are shared by the
whole process, and the interpreter's cache of attributes holds some of them or not, by their addresses: of
5,465 files compileall wrote one in two ways. So everything that a code is made of is held here while it is
written, and is marked each time. It is run by the board's Python unpacked, so it imports nothing of Sabot.
"""

import marshal
import sys
from importlib.util import MAGIC_NUMBER, cache_from_source, source_hash
from pathlib import Path
from types import CodeType
from typing import Any

# A hash in place of a time, which nobody compares: the root cannot change.
UNCHECKED_HASH = (1).to_bytes(4, "little")
_PARTS = (
    "co_code", "co_consts", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_filename", "co_name",
    "co_qualname", "co_linetable", "co_exceptiontable",
)  # fmt: skip


def compiled(source: bytes, name: str) -> bytes:
    """Return the compiled file of a source; SyntaxError for one that is none."""
    code = compile(source, name, "exec", dont_inherit=True)
    held: list[Any] = []
    _hold(code, held)
    return MAGIC_NUMBER + UNCHECKED_HASH + source_hash(source) + marshal.dumps(code)


def _hold(found: Any, held: list[Any]) -> None:  # noqa: ANN401 - constants have any type
    """Hold an object and everything inside it."""
    held.append(found)
    if isinstance(found, CodeType):
        for name in _PARTS:
            _hold(getattr(found, name), held)
    elif isinstance(found, tuple | frozenset):
        for each in found:
            _hold(each, held)


def main(folder: Path, place: str) -> None:
    """Compile every file below a place; one that does not compile is a template that nothing imports."""
    for path in sorted((folder / place).rglob("*.py")):
        try:
            data = compiled(path.read_bytes(), f"/{path.relative_to(folder).as_posix()}")
        except (SyntaxError, ValueError):
            continue
        to = Path(cache_from_source(str(path)))
        to.parent.mkdir(exist_ok=True)
        to.write_bytes(data)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
