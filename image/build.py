"""The image, from packages and a signed bundle to a card: each step a function of the ones before it.

Nothing here runs a program of the board, so no emulator is wanted and no rights but mmdebstrap's. Everything
that would tell where and when it was made is set: times, numbers of file systems, the salt of dm-verity, the
order of all.
"""

# Theory of operation. Packages are unpacked once into tars (``fetch``) and read into trees in memory;
# whatever an installation would do to them is done to the tree as data (``root``, ``release``,
# ``initramfs``). A slot is two partitions: the root, a compressed file system with its tree of hashes behind
# it, and a FAT with kernel, initramfs and the signed slot file that names the hash of the root. So one
# signature holds every byte of a slot: the slot file is signed, the initramfs checks it and opens dm-verity
# by the hash in it. The card is the firmware's FAT, slot A, room for slot B, an empty FAT for settings, and a
# state that the first boot makes.
#
# The same bytes twice is a rule of each step, not of the last one: sorted paths, one time for all files
# (``epoch``), numbers of file systems and a salt that are written here.

import gzip
import hashlib
import json
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sabot.firmware.integrity.signature import read_private_key
from sabot.firmware.update.bundle import WHEELS, Bundle
from sabot.image import (
    card,
    certificate,
    device_tree,
    digests,
    fetch,
    initramfs,
    recipe,
    release,
    root,
    sbom,
    slot_file,
    update,
)
from sabot.image.compiler import Compiler
from sabot.image.errors import ImageError
from sabot.image.modules import Modules
from sabot.image.run import run, run_raw
from sabot.image.slot_file import SlotFile
from sabot.image.tree import Tree

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

NAME = "sabot-pi-arm64"
VOLUMES = {"firmware": "5AB07001", "boot": "5AB07002", "settings": "5AB07007"}
# Fixed, for the same root must give the same hash. The salt need not be secret: the hash is signed.
SALT, VERITY_ID = "5a" * 32, "00000000-0000-4000-8000-5ab070010002"
FIRMWARE = ("bootcode.bin", "start.elf", "fixup.dat", "start4.elf", "fixup4.dat")
UBOOTS = {
    "u-boot-3.bin": "usr/lib/u-boot/rpi_3/u-boot.bin",
    "u-boot-4.bin": "usr/lib/u-boot/rpi_4/u-boot.bin",
}
BLOCK = 4096
README = """\
SABOT: SETTINGS OF THIS TABLE\r
\r
Put here: table.toml, and the submission (and chapters) that it names.\r
The board checks them at its next start, copies them, and runs nothing of this card.\r
It takes them while the table is closed. What it says of them is on its console.\r
"""


@dataclass(frozen=True, slots=True)
class Order:
    """An order for an image: its bundle, its signing key, its working folder and its place."""

    bundle: Path
    key: Path
    work: Path
    out: Path
    epoch: int = recipe.EPOCH


class ImageBuild:
    """One image in the making."""

    def __init__(self, order: Order, say: Callable[[str], None] = lambda _: None) -> None:
        self._order, self._say = order, say
        self.key: Ed25519PrivateKey = read_private_key(order.key)
        self._began = time.monotonic()
        order.work.mkdir(parents=True, exist_ok=True)
        order.out.mkdir(parents=True, exist_ok=True)

    # ------------------------------------------------------------ from packages to trees

    def fetch(self) -> None:
        """Fetch and unpack what the recipe names; what is there already stays."""
        wanted = {
            "root.tar": (recipe.PACKAGES, recipe.MACHINE, recipe.COMPONENTS),
            "boot.tar": (recipe.BOOT_PACKAGES, recipe.MACHINE, recipe.COMPONENTS),
            "compiler": (recipe.COMPILER_PACKAGES, fetch.native_machine(), ("main",)),
        }
        for name, (names, machine, components) in wanted.items():
            to = self._at(name)
            if not to.exists():
                fetch.unpack(names, machine, components, to, self._order.epoch)
                self._say_step(f"{name} unpacked")

    def trees(self, bundle: Bundle) -> tuple[Tree, Tree]:
        """Return the trees of the root and the initramfs."""
        packages, boot = Tree.from_tar(self._at("root.tar")), Tree.from_tar(self._at("boot.tar"))
        kernel = kernel_of(boot)
        early = initramfs.make(
            packages, boot, Modules(boot, f"usr/lib/modules/{kernel}"), recipe.EARLY_MODULES,
            root.board_file("start.sh"), self._public_key(),
        )  # fmt: skip
        early.write("etc/compatible", f"{recipe.COMPATIBLE}\n")
        compiler = Compiler(self._at("compiler"))
        self._lay_release(packages, bundle, compiler)
        root.set_up(packages, boot, kernel, self._public_key(), certificate.make(self.key, self._order.epoch))
        self._write_module_lists(packages, kernel)
        self._say_step(f"root of {len(packages)} files")
        return packages, early

    def _lay_release(self, tree: Tree, bundle: Bundle, compiler: Compiler) -> None:
        """Drop what no board wants, compile Python's own library, and lay the release in whole."""
        tree.drop(recipe.DROPPED)
        compiler.compile(tree, f"usr/lib/python{recipe.PYTHON}")
        release.lay(tree, bundle, compiler, python_version(self._at("root.tar")))

    def _write_module_lists(self, tree: Tree, kernel: str) -> None:
        """Let depmod write the lists that modprobe reads."""
        folder = self._at("depmod")
        place = f"usr/lib/modules/{kernel}"
        _clean(folder)
        for path in tree.below(place):
            if tree[path].mode & 0o100000 and not tree[path].mode & 0o40000:
                to = folder / path.removeprefix("usr/")
                to.parent.mkdir(parents=True, exist_ok=True)
                to.write_bytes(tree.read(path))
        run("depmod", "-b", folder, kernel)
        for made in sorted((folder / "lib/modules" / kernel).glob("modules.*")):
            tree.write(f"{place}/{made.name}", made.read_bytes())

    # ------------------------------------------------------------ from trees to a slot

    def slot(self, tree: Tree, early: Tree, version: str, name: str = "slot") -> dict[str, Path]:
        """Return the two files of a slot: the root with its tree of hashes, and the boot files."""
        image, offset, root_hash = self.root_image(tree, self._at(f"{name}.root"))
        boot = Tree.from_tar(self._at("boot.tar"))
        kernel = gzip.compress(boot.read(f"boot/vmlinuz-{kernel_of(boot)}"), 9, mtime=0)
        start = _zstd(early.to_cpio(self._order.epoch))
        digests = [hashlib.sha256(each).hexdigest() for each in (kernel, start)]
        said = slot_file.to_bytes(SlotFile(recipe.COMPATIBLE, version, root_hash, offset, *digests))
        files = {
            "Image.gz": kernel, "initrd": start, slot_file.NAME: said,
            slot_file.SIGNATURE: slot_file.sign(said, self.key),
        }  # fmt: skip
        fat = self.fat(self._at(f"{name}.boot"), "boot", card.part("boot-a").size, files)
        self._say_step(f"slot {version}: root of {image.stat().st_size:,} bytes, hash {root_hash}")
        return {"root": image, "boot": fat}

    def root_image(self, tree: Tree, to: Path) -> tuple[Path, int, str]:
        """Write the compressed root and its tree of hashes; return it, where that begins, the root's hash."""
        to.unlink(missing_ok=True)
        epoch = str(self._order.epoch)
        run(
            "mksquashfs", "-", to, "-tar", "-comp", "zstd", "-Xcompression-level", "15", "-b", "256K",
            "-no-progress", "-quiet", "-all-time", epoch, "-mkfs-time", epoch,
            data=tree.to_tar(self._order.epoch),
        )  # fmt: skip
        # The hashes lie behind the root in the same file, from the next whole block on.
        offset = -(-to.stat().st_size // BLOCK) * BLOCK
        os.truncate(to, offset)
        said = run(
            "veritysetup",
            "format",
            to,
            to,
            f"--hash-offset={offset}",
            f"--salt={SALT}",
            f"--uuid={VERITY_ID}",
        )
        return to, offset, said.partition("Root hash:")[2].split()[0]

    def fat(self, to: Path, name: str, size: int, files: dict[str, bytes]) -> Path:
        """Write and return a FAT with these files; the same files give the same bytes."""
        folder = self._at(f"{to.name}.files")
        _clean(folder)
        to.unlink(missing_ok=True)
        with to.open("wb") as file:
            file.truncate(size)
        # Invariant and with a number of ours: else the time at which it was made would be in it.
        run("mkfs.vfat", "--invariant", "-i", VOLUMES[name], "-n", name.upper(), to, epoch=self._order.epoch)
        for path in sorted({each.rpartition("/")[0] for each in files if "/" in each}):
            run("mmd", "-i", to, f"::{path}", epoch=self._order.epoch)
        for path, data in files.items():
            source = folder / path
            source.parent.mkdir(parents=True, exist_ok=True)
            source.write_bytes(data)
            # The file has the one time of the image, and -m keeps it.
            os.utime(source, (self._order.epoch, self._order.epoch))
            run("mcopy", "-m", "-i", to, source, f"::{path}", epoch=self._order.epoch)
        return to

    # ------------------------------------------------------------ from a slot to a card

    def firmware(self) -> Path:
        """Return the partition that the boot ROM reads: firmware, device trees, U-Boot and its script."""
        boot = Tree.from_tar(self._at("boot.tar"))
        files = {name: boot.read(f"usr/lib/raspi-firmware/{name}") for name in FIRMWARE}
        files |= {name: boot.read(path) for name, path in UBOOTS.items()}
        files |= {"config.txt": root.board_file("config.txt").encode(), "boot.scr": self._boot_script()}
        for name, source in device_tree.BOARDS.items():
            files[name] = self._device_tree(boot, name, source)
        files["uboot.env"] = NO_VARIABLES
        return self.fat(self._at("firmware.fat"), "firmware", card.part("firmware").size, files)

    def _device_tree(self, boot: Tree, name: str, source: str) -> bytes:
        before, after = self._at(source), self._at(name)
        before.write_bytes(boot.read(f"usr/lib/linux-image-{kernel_of(boot)}/broadcom/{source}"))
        device_tree.make(before, after)
        return after.read_bytes()

    def _boot_script(self) -> bytes:
        text, script = self._at("boot.cmd"), self._at("boot.scr")
        text.write_text(root.board_file("boot.cmd"), encoding="ascii")
        run("mkimage", "-A", "arm64", "-T", "script", "-d", text, script, epoch=self._order.epoch)
        return script.read_bytes()

    def image(self, slot: dict[str, Path], to: Path) -> Path:
        """Write and return the card: slot A, slot B and settings empty, a state that the first boot makes."""
        settings = self.fat(
            self._at("settings.fat"), "settings", card.part("settings").size, {"README.TXT": README.encode()}
        )
        content = {
            "firmware": self.firmware(),
            "boot-a": slot["boot"],
            "root-a": slot["root"],
            "settings": settings,
        }
        card.write(to, content)
        self._say_step(f"{to.name} written")
        return to

    # ------------------------------------------------------------ all of it

    def run(self) -> Path:
        """Make and return the image, with its update, its list of packages and their signed digests."""
        self.fetch()
        folder = self._at("bundle")
        _clean(folder)
        bundle = release.open_bundle(self._order.bundle, self._public_key_file(), folder)
        tree, early = self.trees(bundle)
        slot = self.slot(tree, early, bundle.manifest.version)
        made = self.image(slot, self._order.out / f"{NAME}.img")
        version, epoch = bundle.manifest.version, self._order.epoch
        update.write(slot, version, self.key, epoch, self._order.out / f"{NAME}-{version}.raucb")
        self.write_lists(made, bundle)
        return made

    def write_lists(self, image: Path, bundle: Bundle) -> None:
        """Write the list of packages, and the signed digests of image and list."""
        digest = digests.digest(image)
        listed = self._order.out / f"{NAME}.spdx.json"
        listed.write_text(
            sbom.document(NAME, digest, self._listed(bundle), self._order.epoch), encoding="utf-8"
        )
        digests.write((image, listed), self.key, self._order.out / f"{NAME}.sha256")
        self._say_step(f"sha256 {digest}")

    def _listed(self, bundle: Bundle) -> list[sbom.ListedPackage]:
        rows = []
        for name in ("root.tar", "boot.tar"):
            found = fetch.packages(fetch.archives_of(self._at(name)))
            texts = sbom.copyrights(Tree.from_tar(self._at(name)))
            taken = recipe.TAKEN_OF_BOOT if name == "boot.tar" else ("",)
            rows += [sbom.debian(each, texts) for each in found if each.name.startswith(taken)]
        return [*rows, *(sbom.wheel(path) for path in sorted((bundle.folder / WHEELS).glob("*.whl")))]

    def _public_key(self) -> bytes:
        return self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def _public_key_file(self) -> Path:
        path = self._at("release.pub")
        path.write_bytes(self._public_key())
        return path

    def _at(self, name: str) -> Path:
        return self._order.work / name

    def _say_step(self, words: str) -> None:
        self._say(f"{time.monotonic() - self._began:6.1f} s  {words}")


# Nothing that U-Boot would take for its variables: it begins with its own, which say how to start, and the
# script saves them with ours. A file with ours alone would leave it at its prompt. The length is that of a
# full one, so that writing it never moves a file.
NO_VARIABLES = bytes(0x4000)


def kernel_of(boot: Tree) -> str:
    """Return the version of the one kernel in a tree."""
    found = [path for path in boot.below("boot") if path.startswith("boot/vmlinuz-")]
    if len(found) != 1:
        raise ImageError(f"one kernel is wanted, found {len(found)}")
    return found[0].removeprefix("boot/vmlinuz-")


def python_version(root_tar: Path) -> str:
    """Return the exact version of the board's Python."""
    found = [
        each
        for each in fetch.packages(fetch.archives_of(root_tar))
        if each.name == f"python{recipe.PYTHON}-minimal"
    ]
    if not found:
        raise ImageError(f"{root_tar} has no archives beside it: remove it, and it is fetched anew")
    return found[0].version.partition("-")[0]


def _zstd(data: bytes) -> bytes:
    return run_raw("zstd", "-q", "-12", "-T1", "-c", data=data)


def _clean(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def compare(first: Path, second: Path) -> str:
    """Return in words what differs between two images, nothing where every byte is the same."""
    if digests.digest(first) == digests.digest(second):
        return ""
    return json.dumps(_where(first, second))


def _where(first: Path, second: Path) -> list[str]:
    """Return the partitions in which two images differ."""
    different = []
    with first.open("rb") as one, second.open("rb") as other:
        for each in card.PARTS:
            one.seek(each.start)
            other.seek(each.start)
            if one.read(each.size) != other.read(each.size):
                different.append(each.name)
    return different or ["the tables"]
