"""The initramfs: what checks a slot before anything of it runs, and nothing else.

Programs come from the packages of the root with the libraries they need, so that one list of packages says
all. What a program asks for is read from its ELF headers, so that no program of the board is run.
"""

import struct
from collections.abc import Sequence

from sabot.image.errors import ImageError
from sabot.image.modules import Modules
from sabot.image.tree import PROGRAM, Tree

LOAD, DYNAMIC, INTERPRETER = 1, 2, 3
NEEDED, STRINGS, END = 1, 5, 0
LIBRARIES = ("usr/lib/aarch64-linux-gnu", "usr/lib/aarch64-linux-gnu/systemd", "usr/lib")
# Of ELF with 64 bits, little-endian: where the segments are described, one of them, one entry of the dynamic
# one.
_HEAD, _SEGMENT, _ENTRY = struct.Struct("<32xQ14xHH6x"), struct.Struct("<IIQQQQQQ"), struct.Struct("<qQ")


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
    # The table of strings is given by its place in memory; the loaded segment around it says where in the
    # file that is.
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
    # Libraries need each other, and may need each other in a circle.
    if place in into:
        return
    data = source.read(path)
    into.write(place, data, PROGRAM)
    libraries, loader = needs(data)
    if loader:
        carry(source, loader, into, loader.removeprefix("/"))
    for name in libraries:
        found = next((f"{folder}/{name}" for folder in LIBRARIES if f"{folder}/{name}" in source), None)
        if found is None:
            raise ImageError(f"{path} needs {name}, and no package of the recipe has it")
        is_loader = name.startswith("ld-linux")
        carry(source, found, into, f"lib/{name}" if is_loader else f"lib/aarch64-linux-gnu/{name}")


# What the initramfs's program (board/start.sh) runs.
PROGRAMS = (
    "usr/sbin/veritysetup",
    "usr/bin/openssl",
    "usr/sbin/mke2fs",
    "usr/sbin/e2fsck",
)
FOLDERS = ("proc", "sys", "dev", "run", "newroot", "slot", "etc", "bin", "tmp", "lib/modules")
BUSYBOX = "usr/bin/busybox"


def make(root: Tree, boot: Tree, modules: Modules, early: Sequence[str], init: str, key: bytes) -> Tree:
    """Return the tree of the initramfs; ``init`` is its program, ``key`` the release key that it pins."""
    tree = Tree()
    for name in FOLDERS:
        tree.folder(name)
    tree.link("sbin", "bin")
    carry(boot, BUSYBOX, tree, "bin/busybox")
    tree.link("bin/sh", "busybox")
    for path in PROGRAMS:
        carry(root, path, tree, f"bin/{path.rpartition('/')[2]}")
    order = modules.closure(early)
    for name in order:
        tree.write(f"lib/modules/{name}.ko", modules.content(name))
    tree.write("lib/modules/order", "".join(f"{name}\n" for name in order))
    tree.write("etc/release.pub", key)
    tree.write("etc/openssl.cnf", "")
    tree.write("etc/mke2fs.conf", root.read("etc/mke2fs.conf"))
    tree.write("bin/start", init, 0o100755)
    # What starts is a line of its own, so that a machine of the tests can put another before it.
    tree.write("init", "#!/bin/busybox sh\nexec /bin/busybox sh /bin/start\n", 0o100755)
    return tree
