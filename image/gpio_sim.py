"""A kernel module for an emulated board only: lines that a trial can move.

QEMU drives no input of a board, and Debian's arm64 kernel has no gpio-sim. So the module is built from
Debian's own sources of that kernel, by Debian's own compiler, in a folder that is nobody's system. The
interrupts that it makes are built in with it, for the kernel has none of those either; one call that modules
may not make is replaced by the two of which it consists. No image has it.
"""

import re
import shutil
import tarfile
from pathlib import Path

from sabot.image import fetch
from sabot.image.errors import ImageError
from sabot.image.run import run

NAME = "gpio-sim.ko"
SOURCES = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")
TOOLS = (
    "base-files", "bash", "dash", "coreutils", "sed", "grep", "mawk", "findutils", "make", "perl-base",
    "gcc-aarch64-linux-gnu", "xz-utils", "kmod", "diffutils",
)  # fmt: skip
_NOT_EXPORTED = re.compile(r"irq_to_desc\((\w+)\)")
MAKEFILE = "obj-m += gpio-sim-all.o\ngpio-sim-all-y := gpio-sim.o irq_sim.o\n"


def make(work: Path, kernel: str, machine: str, epoch: int) -> Path:
    """Return the module for a kernel, built in the working folder; one that is there stays."""
    made = work / NAME
    if made.exists():
        return made
    root = work / "kernel-build"
    version, series = kernel.removesuffix("-arm64"), ".".join(kernel.split(".")[:2])
    if not root.exists():
        fetch.unpack((*TOOLS, f"linux-kbuild-{version}"), machine, ("main",), root, epoch)
        names = (f"linux-headers-{kernel}", f"linux-headers-{version}-common", f"linux-source-{series}")
        for archive in fetch.download(names, "arm64", work / "kernel-archives", epoch):
            run("dpkg-deb", "-x", archive, root)
    folder = root / "mod"
    _lay_sources(root / f"usr/src/linux-source-{series}.tar.xz", folder)
    _build(root, kernel)
    shutil.copyfile(folder / "gpio-sim-all.ko", made)
    return made


def _lay_sources(archive: Path, folder: Path) -> None:
    """Take the files out of the kernel's sources, and replace the one call that a module may not make."""
    folder.mkdir(exist_ok=True)
    wanted = {f"{archive.name.removesuffix('.tar.xz')}/{each}" for each in SOURCES}
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.name in wanted and (stream := tar.extractfile(member)):
                (folder / Path(member.name).name).write_bytes(stream.read())
    file = folder / "irq_sim.c"
    text = file.read_text(encoding="utf-8")
    file.write_text(_NOT_EXPORTED.sub(r"irq_data_to_desc(irq_get_irq_data(\1))", text), encoding="utf-8")
    (folder / "Makefile").write_text(MAKEFILE, encoding="ascii")


def _build(root: Path, kernel: str) -> None:
    """Run the kernel's own makefile in the folder, with nothing of this machine but its /dev/null."""
    awk, null = root / "usr/bin/awk", root / "dev/null"
    if not awk.is_symlink():
        awk.symlink_to("mawk")
    null.parent.mkdir(exist_ok=True)
    if not null.exists():
        run("mknod", "-m", "666", null, "c", "1", "3")
    words = ("make", "-C", f"/usr/src/linux-headers-{kernel}", "M=/mod", "ARCH=arm64")
    run(
        "chroot",
        root,
        "/usr/bin/env",
        "PATH=/usr/bin:/usr/sbin",
        *words,
        "CROSS_COMPILE=aarch64-linux-gnu-",
        "modules",
    )
    if not (root / "mod/gpio-sim-all.ko").exists():
        raise ImageError("the kernel's makefile made no module")
