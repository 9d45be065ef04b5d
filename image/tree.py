"""A file system in memory: read from a tar, changed by path, written as a tar or as an initramfs.

Nothing of an image is unpacked on the machine that makes it: no rights are needed for another's files, no
file of the machine slips in, and the same tree gives the same bytes, sorted, with one time for all.
"""

import io
import stat
import tarfile
from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from sabot.image.errors import ImageError

FOLDER, FILE, PROGRAM, LINK = 0o40755, 0o100644, 0o100755, 0o120777
MOST_LINKS = 9
CPIO_END = "TRAILER!!!"


class TreeNode(NamedTuple):
    """A file, a folder or a link; the data of a link is where it leads."""

    mode: int
    data: bytes = b""
    user: int = 0
    group: int = 0

    @property
    def kind(self) -> int:
        """Return what it is, as stat names it."""
        return stat.S_IFMT(self.mode)


class Tree:
    """Paths without a leading slash, and what lies there."""

    def __init__(self) -> None:
        self._nodes: dict[str, TreeNode] = {}

    def __contains__(self, path: str) -> bool:
        return self._key(path) in self._nodes

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._nodes))

    def __getitem__(self, path: str) -> TreeNode:
        return self._nodes[self._key(path)]

    def __len__(self) -> int:
        return len(self._nodes)

    # ------------------------------------------------------------ changing

    def put(self, path: str, node: TreeNode) -> None:
        """Lay something at a path, with the folders above it; what lay there goes."""
        parts = PurePosixPath(self._key(path)).parts
        for count in range(1, len(parts)):
            self._nodes.setdefault("/".join(parts[:count]), TreeNode(FOLDER))
        self._nodes["/".join(parts)] = node

    def write(self, path: str, data: bytes | str, mode: int = FILE) -> None:
        """Lay a file at a path."""
        self.put(path, TreeNode(mode, data.encode() if isinstance(data, str) else data))

    def link(self, path: str, to: str) -> None:
        """Lay a link at a path."""
        self.put(path, TreeNode(LINK, to.encode()))

    def folder(self, path: str, mode: int = FOLDER) -> None:
        """Make a folder, or give it other rights."""
        self.put(path, TreeNode(mode))

    def drop(self, patterns: Iterable[str]) -> int:
        """Take away what these patterns name, with everything below; return how many went."""
        wanted = tuple(patterns)
        gone = [path for path in self._nodes if _is_below_any(path, wanted)]
        for path in gone:
            del self._nodes[path]
        return len(gone)

    # ------------------------------------------------------------ reading

    def below(self, folder: str) -> Iterator[str]:
        """Return an iterator over every path below a folder, sorted."""
        start = f"{self._key(folder)}/"
        return (path for path in self if path.startswith(start))

    def resolve(self, path: str) -> str:
        """Return the path to which a path leads when every link on the way is followed inside the tree."""
        done: list[str] = []
        left = list(PurePosixPath(self._key(path)).parts)
        links = 0
        while left:
            done.append(left.pop(0))
            node = self._nodes.get("/".join(done))
            if node is not None and node.kind == stat.S_IFLNK:
                links += 1
                if links > MOST_LINKS:
                    raise ImageError(f"{path} leads in a circle")
                to = PurePosixPath(node.data.decode())
                done = [] if to.is_absolute() else done[:-1]
                left = [part for part in to.parts if part != "/"] + left
            # After the links: the folder above is that of where a link leads, and not of the link.
            while ".." in done:
                at = done.index("..")
                del done[max(at - 1, 0) : at + 1]
        return "/".join(done)

    def read(self, path: str) -> bytes:
        """Return the content of a file, links followed."""
        found = self._nodes.get(self.resolve(path))
        if found is None or found.kind != stat.S_IFREG:
            raise ImageError(f"{path} is no file of the tree")
        return found.data

    # ------------------------------------------------------------ tar and initramfs

    @classmethod
    def from_tar(cls, file: Path) -> "Tree":
        """Return the tree of a tar; devices stay behind, for the kernel makes them."""
        tree = cls()
        with tarfile.open(file) as tar:
            for member in tar:
                node = _from_member(tar, member, tree)
                if node is not None and cls._key(member.name):
                    tree.put(member.name, node)
        return tree

    def to_tar(self, epoch: int) -> bytes:
        """Return a tar of the tree."""
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for path in self:
                tar.addfile(_to_member(path, self._nodes[path], epoch), io.BytesIO(self._nodes[path].data))
        return out.getvalue()

    def to_cpio(self, epoch: int) -> bytes:
        """Return an initramfs of the tree, as the kernel unpacks it."""
        parts = [_cpio(number, path, self._nodes[path], epoch) for number, path in enumerate(self, 1)]
        return b"".join([*parts, _cpio(0, CPIO_END, TreeNode(0), epoch)])

    @staticmethod
    def _key(path: str) -> str:
        return str(PurePosixPath("/", path))[1:] if not path.startswith("./") else path[2:].rstrip("/")


def _is_below_any(path: str, patterns: tuple[str, ...]) -> bool:
    """Return whether a pattern names a path or a folder above it."""
    # A * matches slashes too, so a pattern with one reaches deeper than a shell's would.
    return any(fnmatchcase(path, each) or fnmatchcase(path, f"{each}/*") for each in patterns)


def _from_member(tar: tarfile.TarFile, member: tarfile.TarInfo, so_far: Tree) -> TreeNode | None:
    if member.isdir():
        return TreeNode(stat.S_IFDIR | member.mode, b"", member.uid, member.gid)
    if member.issym():
        return TreeNode(LINK, member.linkname.encode(), member.uid, member.gid)
    # A hard link is one more copy of the file here: it comes behind what it is a link of.
    if member.islnk():
        return so_far[member.linkname]
    stream = tar.extractfile(member) if member.isreg() else None
    if stream is None:
        return None
    return TreeNode(stat.S_IFREG | member.mode, stream.read(), member.uid, member.gid)


def _to_member(path: str, node: TreeNode, epoch: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(path)
    member.mode, member.mtime = stat.S_IMODE(node.mode), epoch
    member.uid, member.gid = node.user, node.group
    member.type = {stat.S_IFDIR: tarfile.DIRTYPE, stat.S_IFLNK: tarfile.SYMTYPE}.get(
        node.kind, tarfile.REGTYPE
    )
    if node.kind == stat.S_IFLNK:
        member.linkname = node.data.decode()
    elif node.kind == stat.S_IFREG:
        member.size = len(node.data)
    return member


# The form "newc", which the kernel unpacks: a mark, thirteen numbers of eight hexadecimal digits
# (the inode, mode, user, group, links, time, size, four of devices, the length of the name, no checksum), the
# name, the data; name and data are filled up to multiples of four.
def _cpio(number: int, path: str, node: TreeNode, epoch: int) -> bytes:
    name = path.encode() + b"\0"
    words = (number, node.mode, node.user, node.group, 1, epoch, len(node.data), 0, 0, 0, 0, len(name), 0)
    head = b"070701" + b"".join(b"%08X" % each for each in words) + name
    return _padded(head) + _padded(node.data)


def _padded(data: bytes) -> bytes:
    return data + b"\0" * (-len(data) % 4)
