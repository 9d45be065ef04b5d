"""The first root of the machine: busybox and the modules that were named, packed as the kernel reads it.

Everything else the machine takes from this machine's own files, which it is shown read-only; so there is no
image to build, and what is tested is the working tree as it is.
"""

import gzip
import lzma
import stat
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from sabot.hil.kernel.packages import Kernel
from sabot.hil.kernel.results import CannotRunError

# Modules in the order in which they are wanted, with what they are told.
MODULES: Mapping[str, str] = {
    "9p": "",
    "9pnet_virtio": "",
    "overlay": "",
    "ext4": "",
    "virtio_blk": "",
    "configfs": "",
    "gpio-sim": "",
    "vhci-hcd": "",
    "dummy_hcd": "num=6",
    "libcomposite": "",
    "usb_f_acm": "",
    "cdc-acm": "",
    "i6300esb": "",
}
FOLDERS = ("bin", "m", "proc", "sys", "dev", "new", "ro", "rw")
INIT = Path(__file__).with_name("guest") / "init.sh"
_BLOCK = 4


class LoadedModule(NamedTuple):
    """A module that is loaded at the start: its name, what it is told, its bytes."""

    name: str
    told: str
    content: bytes


def build(modules: Iterable[LoadedModule], busybox: bytes, place: Path) -> None:
    """Write the archive, modules in the order in which they are loaded."""
    names: dict[str, tuple[int, bytes]] = dict.fromkeys(FOLDERS, (stat.S_IFDIR | 493, b""))
    names["bin/busybox"] = (stat.S_IFREG | 0o755, busybox)
    names["bin/sh"] = (stat.S_IFLNK | 0o777, b"busybox")
    names["init"] = (stat.S_IFREG | 0o755, INIT.read_bytes())
    order = []
    for each in modules:
        if f"m/{each.name}.ko" not in names:
            names[f"m/{each.name}.ko"] = (stat.S_IFREG | 0o644, each.content)
            order.append(f"{each.name}.ko {each.told}".strip())
    names["m/order"] = (stat.S_IFREG | 0o644, ("\n".join(order) + "\n").encode())
    # Without a time in it, the same names give the same bytes.
    place.write_bytes(gzip.compress(archive(names), 1, mtime=0))


def modules_of(kernel: Kernel) -> Iterator[LoadedModule]:
    """Yield every module of a kernel that must be loaded, those it depends on first."""
    for module, told in MODULES.items():
        question = ["/sbin/modprobe", "-d", str(kernel.root), "-S", kernel.version, "--show-depends", module]
        done = subprocess.run(question, capture_output=True, text=True, check=False)  # noqa: S603 (our words)
        if done.returncode:
            raise CannotRunError(f"kernel {kernel.version} has no module {module}: {done.stderr.strip()}")
        paths = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("insmod ")]
        for path in map(Path, paths):
            is_last = path == Path(paths[-1])
            yield LoadedModule(path.name.partition(".ko")[0], told if is_last else "", _plain(path))


def _plain(path: Path) -> bytes:
    content = path.read_bytes()
    return lzma.decompress(content) if path.suffix == ".xz" else content


def archive(names: Mapping[str, tuple[int, bytes]]) -> bytes:
    """Return a cpio archive in the form that the kernel unpacks: mode and content by name."""
    rows = [*names.items(), ("TRAILER!!!", (0, b""))]
    return b"".join(_member(number, *row) for number, row in enumerate(rows, 1))


def _member(number: int, name: str, kept: tuple[int, bytes]) -> bytes:
    mode, content = kept
    raw = name.encode() + b"\0"
    fields = (number, mode, 0, 0, 1, 0, len(content), 0, 0, 0, 0, len(raw), 0)
    head = b"070701" + b"".join(b"%08X" % field for field in fields)
    return _padded(head + raw) + _padded(content)


def _padded(data: bytes) -> bytes:
    return data + bytes(-len(data) % _BLOCK)
