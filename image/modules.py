"""Kernel modules: those that a board needs, what they stand on, and no others; so no radio has a driver."""

import lzma
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from sabot.image.errors import ImageError
from sabot.image.tree import Tree

_ENDING = re.compile(r"\.ko(\.xz|\.gz|\.zst)?$")


def name_of(path: str) -> str:
    """Return the name of a module's file, as modprobe says it."""
    return _ENDING.sub("", PurePosixPath(path).name).replace("-", "_")


def depends(data: bytes) -> list[str]:
    """Return the modules on which a module says that it stands."""
    found = re.search(rb"(?:^|\0)depends=([^\0]*)\0", data)
    return [each.replace("-", "_") for each in found[1].decode().split(",") if each] if found else []


def plain(data: bytes, path: str) -> bytes:
    """Return a module unpacked."""
    return lzma.decompress(data) if path.endswith(".xz") else data


class Modules:
    """The modules of one kernel in a tree."""

    def __init__(self, tree: Tree, folder: str) -> None:
        self._tree = tree
        files = [path for path in tree.below(f"{folder}/kernel") if _ENDING.search(path)]
        self._paths = {name_of(path): path for path in files}
        built_in = tree.read(f"{folder}/modules.builtin").decode().split()
        self._built_in = {name_of(path) for path in built_in}

    def content(self, name: str) -> bytes:
        """Return a module, unpacked."""
        path = self._paths[name]
        return plain(self._tree.read(path), path)

    def path(self, name: str) -> str:
        """Return the path of a module."""
        return self._paths[name]

    def closure(self, names: Iterable[str]) -> list[str]:
        """Return these modules and those they stand on, in an order in which they can be loaded."""
        order: list[str] = []
        for name in names:
            self._add(name.replace("-", "_"), order)
        return order

    def _add(self, name: str, order: list[str]) -> None:
        if name in order or name in self._built_in:
            return
        if name not in self._paths:
            raise ImageError(f"the kernel has no module {name}")
        for each in (*_BEFORE.get(name, ()), *depends(self.content(name))):
            self._add(each, order)
        order.append(name)


# What a module wants loaded and does not say: libcrc32c asks the crypto layer for crc32c by name.
_BEFORE = {"libcrc32c": ("crc32c_generic",), "ext4": ("crc32c_generic",), "dm_verity": ("sha256_arm64",)}
