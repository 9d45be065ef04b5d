"""The kernel's rig in an image's root: the board's own kernel, libraries, Python and service manager.

An image has no rig, no far ends of devices and no share of files. So its root is unpacked beside the card,
which is only read, and what the rig wants is laid into that copy: the tree, compiled by the board's Python,
and a busybox. Modules of the board's kernel that no image has come by the rig's own initramfs.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from sabot.hil.kernel import initramfs
from sabot.hil.kernel.initramfs import LoadedModule
from sabot.hil.kernel.machine import COUNTED, MachineHost, MachineKind
from sabot.hil.kernel.prepare import PATH_FILE, PLACE, copy_tree
from sabot.hil.kernel.prepare import TREE as OURS
from sabot.image import card, gpio_sim
from sabot.image.build import kernel_of
from sabot.image.compiler import Compiler
from sabot.image.emulator import CardImage
from sabot.image.errors import ImageError
from sabot.image.fetch import native_machine
from sabot.image.initramfs import BUSYBOX
from sabot.image.modules import Modules
from sabot.image.recipe import EPOCH, PYTHON
from sabot.image.run import run
from sabot.image.tree import Tree

VIRT = MachineKind(("qemu-system-aarch64", "-machine", "virt"), "ttyAMA0", "")
EMULATED = (*COUNTED, "-cpu", "cortex-a53")
TREE, VENV = "opt/sabot-rig", "opt/sabot/current/venv"
# The tree's program before the release's: only a tree that nobody signed opens a simulated table.
PATH_LINE = f"import sys; sys.path.insert(0, {PLACE!r})\n"
CHIP = gpio_sim.NAME.removesuffix(".ko")


def make(found: CardImage, packages: Path, folder: Path) -> MachineHost:
    """Return the parts of a machine with the root of a card, laid into a folder."""
    if os.geteuid() != 0:
        raise ImageError("the machine is shown a root with all its owners, for which this must be root")
    boot = Tree.from_tar(packages / "boot.tar")
    kernel, busybox = kernel_of(boot), boot.read(BUSYBOX)
    root = unpack(found, kernel, folder / "root")
    tree = copy_tree(OURS, root / TREE)
    _compile(root, Compiler(packages / "compiler"))
    _write(root / BUSYBOX, busybox, 0o755)
    _write(root / VENV / f"lib/python{PYTHON}/site-packages" / PATH_FILE, PATH_LINE.encode())
    chip = gpio_sim.make(packages, kernel, native_machine(), EPOCH)
    start = folder / "initramfs.gz"
    modules = Modules(boot, f"usr/lib/modules/{kernel}")
    initramfs.build(loaded(modules, chip.read_bytes()), busybox, start)
    image = folder / kernel / "Image.gz"
    image.parent.mkdir()
    shutil.copyfile(found.take("boot-a", "Image.gz"), image)
    return MachineHost(image, start, tree, root / VENV, root / "usr", EMULATED, VIRT, root)


def unpack(found: CardImage, kernel: str, root: Path) -> Path:
    """Unpack the root of a card's first slot, which must have been made for this kernel."""
    offset = str(card.part("root-a").start)
    run("unsquashfs", "-quiet", "-no-progress", "-offset", offset, "-dest", root, found.image)
    if not (root / "usr/lib/modules" / kernel).is_dir():
        raise ImageError(f"this image was not made of these packages: its root is for no kernel {kernel}")
    return root


def loaded(modules: Modules, chip: bytes) -> Iterator[LoadedModule]:
    """Yield what the rig wants of the board's kernel, and the chip of lines that this kernel has not got."""
    told = {name.replace("-", "_"): words for name, words in initramfs.MODULES.items()}
    for name in modules.closure(each for each in initramfs.MODULES if each != CHIP):
        yield LoadedModule(name, told.get(name, ""), modules.content(name))
    yield LoadedModule(CHIP, "", chip)


def _compile(root: Path, compiler: Compiler) -> None:
    """Compile the tree beforehand: an emulated board would do it at each start of a program."""
    tree = Tree()
    for path in (root / TREE).rglob("*.py"):
        if path.is_symlink():  # what it leads to is compiled where it is
            continue
        tree.write(path.relative_to(root).as_posix(), path.read_bytes())
    for made in compiler.compile(tree, TREE):
        _write(root / made, tree.read(made))


def _write(path: Path, data: bytes, mode: int = 0o644) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    path.chmod(mode)
