"""Compiled files of Python that are the same bytes in every process: ``python -B -P pyc.py FOLDER PLACE``.

What marshal writes depends on what else the compiling process holds. The name of a class stands in its body
as a constant and in its code as an interned string: one object, or two where a loaded module has had that
name before. So compileall wrote functools in two ways, by whether it had been loaded from its source or from
a file compiled before. And an object is marked for a second use where anybody else holds it at that moment.
Here such constants are interned, and everything that a code is made of is held while it is written. It is run
by the board's Python unpacked, so it imports nothing of Sabot.
"""

import marshal
import sys
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
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
    found = compile(source, name, "exec", dont_inherit=True)
    code = _settled(found, set(_qualified(found)))
    held: list[Any] = []
    _hold(code, held)
    return MAGIC_NUMBER + UNCHECKED_HASH + source_hash(source) + marshal.dumps(code)


def _qualified(code: CodeType) -> Iterator[str]:
    """Yield the qualified name of a code and of all inside it."""
    yield code.co_qualname
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield from _qualified(each)


def _settled(code: CodeType, names: AbstractSet[str]) -> CodeType:
    """Return a code in which a constant that is a name somewhere is one object with it."""
    consts = tuple(_constant(each, names) for each in code.co_consts)
    return code.replace(co_consts=consts, co_qualname=sys.intern(code.co_qualname))


def _constant(found: Any, names: AbstractSet[str]) -> Any:  # noqa: ANN401 - constants have any type
    if isinstance(found, CodeType):
        return _settled(found, names)
    return sys.intern(found) if type(found) is str and found in names else found


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
