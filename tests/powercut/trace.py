"""What a process wrote, in order: the system calls that strace saw, as operations on files.

Strace prints each call with its whole data (``-xx``) and the path of its file (``-y``). A write counts from
the moment it was asked for, a sync from the moment it came back: so the order here is the order in which
other threads could have relied on them.
"""

import re
import shutil
import subprocess
import sys
from base64 import b64decode, b64encode
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.powercut.shift import ACKNOWLEDGED

ROOT = Path(__file__).parents[2]
WRITE, TRUNCATE, CREATE, LINK, RENAME, UNLINK = "write", "truncate", "create", "link", "rename", "unlink"
SYNC, SYNC_FOLDER, ACKNOWLEDGE = "sync", "sync folder", "acknowledge"
CALLS = (
    "open,openat,creat,write,pwrite64,writev,pwritev,ftruncate,truncate,fallocate,fsync,fdatasync,sync_file_range,"
    "rename,renameat,renameat2,unlink,unlinkat,link,linkat,mmap,copy_file_range,sendfile"
)
MISSING = "strace is not installed: sudo apt-get install strace"
_LINE = re.compile(r"(\d+) +(.*)")
_CALL = re.compile(r"(\w+)\((.*)\) += (-?\d+)")
_BEGUN = re.compile(r"(\w+)\((.*?)(?:,)? <unfinished \.\.\.>$")
_RESUMED = re.compile(r"<\.\.\. (\w+) resumed>(.*)\) += (-?\d+)")
_FILE = re.compile(r"\d+<([^>]*)>")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass(frozen=True, slots=True)
class Op:
    """One operation; ``path`` is below the root of what is recorded."""

    kind: str
    path: str
    data: bytes = b""
    offset: int = 0
    target: str = ""
    number: int = 0

    def as_json(self) -> list[object]:
        """For a trace that is kept."""
        return [self.kind, self.path, b64encode(self.data).decode(), self.offset, self.target, self.number]

    @classmethod
    def of_json(cls, row: list[str | int]) -> "Op":
        """From a trace that was kept."""
        kind, path, data, offset, target, number = row
        return cls(str(kind), str(path), b64decode(str(data)), int(offset), str(target), int(number))


def is_there() -> bool:
    """Whether this machine has strace."""
    return shutil.which("strace") is not None


def record(root: Path, recording: Path, events: int, synchronous: str) -> list[Op]:
    """Play a recording under strace; what it wrote."""
    out = root.with_name(f"{root.name}.strace")
    order = ["strace", "-f", "-y", "-xx", "-s", "1000000", "-e", f"trace={CALLS}", "-o", str(out)]
    program = [
        sys.executable,
        "-m",
        "tests.powercut.shift",
        str(root),
        str(recording),
        str(events),
        synchronous,
    ]
    subprocess.run([*order, *program], check=True, cwd=ROOT)
    with out.open(encoding="ascii") as lines:
        found = list(operations(lines, root))
    out.unlink()
    return found


def operations(lines: Iterable[str], root: Path) -> Iterator[Op]:
    """The operations below a folder, each where it takes its place in the order."""
    begun: dict[str, tuple[str, str]] = {}
    told: set[str] = set()
    for line in lines:
        match = _LINE.match(line.strip())
        if match is None:
            continue
        thread, text = match.groups()
        if half := _BEGUN.match(text):
            begun[thread] = half.group(1), half.group(2)
            name, words, result = half.group(1), half.group(2), "0"
            is_whole = name not in _SYNCS  # what is asked for may reach the medium at once
        elif rest := _RESUMED.match(text):
            name, words = begun.pop(thread)
            result, is_whole = rest.group(3), name in _SYNCS
            words += rest.group(2)
        elif call := _CALL.match(text):
            (name, words, result), is_whole = call.groups(), True
        else:
            continue
        if is_whole and not result.startswith("-"):
            yield from _operations(name, words, str(root), told)


_SYNCS = ("fsync", "fdatasync", "openat", "open")


def _operations(name: str, words: str, root: str, known: set[str]) -> Iterator[Op]:
    files = [_decoded(each) for each in _FILE.findall(words)]
    texts = [bytes.fromhex(each.replace("\\x", "")) for each in _TEXT.findall(words)]
    if name in ("openat", "open"):
        yield from _opened(texts[0].decode(), words, root, known)
    elif name in ("link", "linkat", "rename", "renameat", "renameat2"):
        first, second = (_below(each.decode(), root) for each in texts[:2])
        if first and second:
            known.add(second)
            if name.startswith("rename"):
                known.discard(first)
            yield Op(LINK if name.startswith("link") else RENAME, first, target=second)
    elif name in ("unlink", "unlinkat"):
        if path := _below(texts[0].decode(), root):
            known.discard(path)
            yield Op(UNLINK, path)
    elif files and (path := _below(files[0], root)):
        yield from _on_file(name, path, words, texts)


def _opened(path: str, words: str, root: str, known: set[str]) -> Iterator[Op]:
    """A name that is new, or a file whose content is thrown away."""
    below = _below(path, root)
    if not below or "O_DIRECTORY" in words:
        return
    if "O_CREAT" in words and below not in known:
        known.add(below)
        yield Op(CREATE, below)
    if "O_TRUNC" in words:
        yield Op(TRUNCATE, below)


def _on_file(name: str, path: str, words: str, texts: list[bytes]) -> Iterator[Op]:
    numbers = [int(each) for each in re.findall(r"(?<![\w\\])(\d+)(?=[,)]|$)", words.rsplit('"', 1)[-1])]
    if path == ACKNOWLEDGED:
        yield from (Op(ACKNOWLEDGE, "", number=int(each)) for text in texts for each in text.split())
    elif name in ("fsync", "fdatasync"):
        yield Op(SYNC, path)
    elif name == "pwrite64":
        yield Op(WRITE, path, texts[0], numbers[-1])
    elif name == "write":
        yield Op(WRITE, path, texts[0], -1)
    elif name == "ftruncate":
        yield Op(TRUNCATE, path, offset=int(words.rsplit(",", 1)[1]))
    elif name not in ("mmap", "fallocate"):
        message = f"{name} on {path}: this way of writing is not known here"
        raise ValueError(message)


def _decoded(text: str) -> str:
    return bytes.fromhex(text.replace("\\x", "")).decode() if text.startswith("\\x") else text


def _below(path: str, root: str) -> str:
    """The path below the root, empty where it is not there; files that have no name any more do not count."""
    is_below = path.startswith(f"{root}/") and not path.endswith("(deleted)") and not path.endswith("-shm")
    return path.removeprefix(f"{root}/") if is_below else ""
