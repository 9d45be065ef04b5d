"""Which libraries a program asks for: read from its ELF headers, so that no program of the board is run."""

import struct

from sabot.image.errors import ImageError
from sabot.image.tree import PROGRAM, Tree

LOAD, DYNAMIC, INTERPRETER = 1, 2, 3
NEEDED, STRINGS, END = 1, 5, 0
FOLDERS = ("usr/lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu/systemd", "usr/lib")
_HEAD, _SEGMENT, _ENTRY = struct.Struct("<32xQ14xHH6x"), struct.Struct("<IIQQQQQQ"), struct.Struct("<qQ")


def is_elf(data: bytes) -> bool:
    """Return whether a file is a program or a library of a 64-bit machine, little end first."""
    return data.startswith(b"\x7fELF\x02\x01")


def needs(data: bytes) -> tuple[list[str], str]:
    """Return the names of the libraries that a program asks for, and the path of its loader or nothing."""
    at, size, count = _HEAD.unpack_from(data)
    rows = [_SEGMENT.unpack_from(data, at + size * number) for number in range(count)]
    loads = [(row[3], row[2], row[5]) for row in rows if row[0] == LOAD]
    entries = [
        entry
        for row in rows
        if row[0] == DYNAMIC
        for entry in _ENTRY.iter_unpack(data[row[2] : row[2] + row[5]])
    ]
    loader = next(
        (data[row[2] : row[2] + row[5]].rstrip(b"\0").decode() for row in rows if row[0] == INTERPRETER), ""
    )
    strings = next((value for tag, value in entries if tag == STRINGS), 0)
    start = next(
        (
            offset + strings - memory
            for memory, offset, length in loads
            if memory <= strings < memory + length
        ),
        0,
    )
    return [_text(data, start + value) for tag, value in entries if tag == NEEDED], loader


def _text(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode()


def carry(source: Tree, path: str, into: Tree, place: str) -> None:
    """Copy a program with every library it needs, and theirs, to where its loader finds them."""
    if place in into:
        return
    data = source.read(path)
    into.write(place, data, PROGRAM)
    libraries, loader = needs(data)
    if loader:
        carry(source, loader, into, loader.removeprefix("/"))
    for name in libraries:
        found = next((f"{folder}/{name}" for folder in FOLDERS if f"{folder}/{name}" in source), None)
        if found is None:
            raise ImageError(f"{path} needs {name}, and no package of the recipe has it")
        is_loader = name.startswith("ld-linux")
        carry(source, found, into, f"lib/{name}" if is_loader else f"lib/aarch64-linux-gnu/{name}")
