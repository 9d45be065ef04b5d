"""Updates for trials, made from a card: a good one, and such as a board must refuse or leave again.

The root of each has a tree of hashes with a salt of its own, so that it is another root than the one that
has proved good; everything is signed as a release is, but for the one that is not.
"""

import hashlib
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.image import card, slot_file, update
from sabot.image.build import VERITY_ID, ImageBuild, Order
from sabot.image.emulator import CardImage
from sabot.image.next_format import make_next
from sabot.image.recipe import EPOCH
from sabot.image.run import run
from sabot.image.slot_file import SlotFile
from sabot.image.tree import Tree

STICK, STICK_BYTES = "SABOTUPDATE", 128 << 20
# Before the last step of the initramfs, where /dev has moved: this slot's program cannot be loaded.
LAST_STEP = "exec switch_root"
SPOILED = (
    'for each in /newroot/opt/sabot/releases/*/venv/lib/python*/site-packages/sabot/firmware/program.py; do\n'
    '  mount -o bind /newroot/dev/null "$each"\n'
    '  mount -o bind /newroot/dev/null "${each%/*}/__pycache__/program.cpython-313.pyc"\ndone\n'
)  # fmt: skip


class TrialRoot(NamedTuple):
    """A root with its tree of hashes: its file, where that begins, and the hash of the root."""

    image: Path
    hash_offset: int
    root_hash: str


class TrialBundles:
    """Bundles from one card; ``key`` is the release key's file."""

    def __init__(self, found: CardImage, start: str, key: Path, work: Path) -> None:
        self._found, self._start, self._work = found, start, work
        self._build = ImageBuild(Order(Path(), key, work / "build", work / "bundles"))
        data = found.take("boot-a", slot_file.NAME).read_bytes()
        self.version, self._slot = slot_file.from_bytes(data).version, slot_file.from_bytes(data)

    def good(self, version: str) -> Path:
        """Return the bundle of the same system as a newer release."""
        return self._bundle(version, self._root("01" * 32))

    def dead(self, version: str) -> Path:
        """Return the bundle of a release whose root cannot be mounted: it does not boot."""
        return self._bundle(version, self._root("02" * 32, _without_head))

    def mute(self, version: str) -> Path:
        """Return the bundle of a release whose program cannot be loaded: it boots and is never ready."""
        tree = Tree()
        tree.write("bin/start", self._start.replace(LAST_STEP, SPOILED + LAST_STEP), 0o100755)
        return self._bundle(version, self._root("03" * 32), tree.to_cpio(EPOCH))

    def next_format(self, version: str) -> Mapping[str, Path]:
        """Return the files of a slot whose release knows the format after today's, and the way to it."""
        folder, packed = self._work / "next.files", self._work / "next.tar"
        run("unsquashfs", "-no-progress", "-d", folder, self._plain("next.squashfs"))
        with tarfile.open(packed, "w") as tar:
            tar.add(folder, ".")
        tree = Tree.from_tar(packed)
        make_next(tree, self._build.key)
        root = TrialRoot(*self._build.root_image(tree, self._work / "05.root"))
        return self._slot_of(version, root, b"", self._build.key)

    def foreign(self, version: str) -> Path:
        """Return the bundle of a release that somebody else's key has signed."""
        return self._bundle(
            version, self._root("04" * 32), key=Ed25519PrivateKey.from_private_bytes(bytes(32))
        )

    def stick(self, bundle: Path) -> Path:
        """Return a stick with this bundle on it."""
        file = self._work / f"{bundle.stem}.stick"
        with file.open("wb") as stream:
            stream.truncate(STICK_BYTES)
        run("mkfs.vfat", "-n", STICK, file)
        run("mcopy", "-i", file, bundle, "::update.raucb")
        return file

    def _plain(self, name: str) -> Path:
        """Return the card's root without its tree of hashes."""
        to = self._work / name
        with self._found.image.open("rb") as stream:
            stream.seek(card.part("root-a").start)
            to.write_bytes(stream.read(self._slot.hash_offset))
        return to

    def _root(self, salt: str, spoil: Callable[[bytes], bytes] = lambda data: data) -> TrialRoot:
        """Return the root with another tree of hashes."""
        to, offset = self._plain(f"{salt[:2]}.root"), self._slot.hash_offset
        to.write_bytes(spoil(to.read_bytes()))
        words = (f"--hash-offset={offset}", f"--salt={salt}", f"--uuid={VERITY_ID}")
        said = run("veritysetup", "format", to, to, *words)
        return TrialRoot(to, offset, said.partition("Root hash:")[2].split()[0])

    def _bundle(
        self, version: str, root: TrialRoot, more: bytes = b"", key: Ed25519PrivateKey | None = None
    ) -> Path:
        """Return a bundle, signed by the release key where nobody else's is given."""
        signer = key or self._build.key
        to = self._work / f"{root.image.stem}-{version}.raucb"
        return update.write(self._slot_of(version, root, more, signer), version, signer, EPOCH, to)

    def _slot_of(
        self, version: str, root: TrialRoot, more: bytes, signer: Ed25519PrivateKey
    ) -> Mapping[str, Path]:
        """Return the two files of a slot, with more behind its initramfs."""
        kernel, start = (self._found.take("boot-a", name).read_bytes() for name in ("Image.gz", "initrd"))
        # The kernel unpacks archives one behind the other, each from a multiple of four bytes on.
        start += bytes(-len(start) % 4) + more if more else b""
        digests = [hashlib.sha256(each).hexdigest() for each in (kernel, start)]
        said = slot_file.to_bytes(
            SlotFile(self._slot.compatible, version, root.root_hash, root.hash_offset, *digests)
        )
        files: Mapping[str, bytes] = {
            "Image.gz": kernel, "initrd": start, slot_file.NAME: said,
            slot_file.SIGNATURE: slot_file.sign(said, signer),
        }  # fmt: skip
        boot = self._build.fat(
            self._work / f"{root.image.stem}.boot", "boot", card.part("boot-a").size, dict(files)
        )
        return {"boot": boot, "root": root.image}


def _without_head(data: bytes) -> bytes:
    # The first block has the superblock of squashfs. The hashes are made after this, so they are right.
    return bytes(4096) + data[4096:]
