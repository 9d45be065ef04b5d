"""Looking into an image as somebody who was given it: tables, signed slot, root, and what may not be there.

Nothing is believed because the build says so: partitions are found by the tables, the slot file is read out
of its FAT, dm-verity's hashes are computed anew, and the list of the root is that of the compressed file
system.
"""

import argparse
import hashlib
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from sabot.firmware.integrity.signature import read_public_key
from sabot.image import card, digests, slot_file
from sabot.image.errors import ImageError
from sabot.image.recipe import NEVER
from sabot.image.run import run, verify_here
from sabot.image.slot_file import SlotFile
from sabot.image.tree import FILE, Tree, TreeNode
from sabot.rules.errors import SabotError

TOOLS = ("mcopy", "veritysetup", "unsquashfs")
_HEAD = card.SIZE


class Seen(NamedTuple):
    """A thing that was looked at, and what is wrong with it, or nothing."""

    name: str
    wrong: str


class ImageInspection:
    """One image under inspection; ``work`` is a folder for what is taken out of it."""

    def __init__(self, image: Path, key: Ed25519PublicKey, work: Path) -> None:
        self._image, self._key, self._work = image, key, work

    def all(self) -> list[Seen]:
        """Look at everything in order, and return what was found."""
        rows: tuple[tuple[str, Callable[[], None]], ...] = (
            ("tables", self._tables),
            ("slot file", lambda: void(self.slot())),
            ("boot files", self._boot_files),
            ("root", self.root),
            ("contents", self._contents),
            ("state", self._state),
        )
        return [Seen(name, _wrong(test)) for name, test in rows]

    def slot(self, letter: str = "a") -> SlotFile:
        """Return what the signed file of a slot says; raise ImageError where it is not signed."""
        boot = self._out(f"boot-{letter}")
        data, signature = (self._of_fat(boot, name) for name in (slot_file.NAME, slot_file.SIGNATURE))
        return slot_file.read_signed(data, signature, self._key)

    def _tables(self) -> None:
        with self._image.open("rb") as stream:
            data = stream.read(_HEAD)
        found = [each._replace(name="") for each in card.read_tables(data)]
        if found != [each._replace(name="") for each in card.PARTS]:
            raise ImageError(f"the partitions are others: {found}")

    def _boot_files(self) -> None:
        """Raise ImageError where kernel or initramfs has another digest than the slot file signs."""
        slot, boot = self.slot(), self._out("boot-a")
        for name, digest in (("Image.gz", slot.kernel), ("initrd", slot.initramfs)):
            if hashlib.sha256(self._of_fat(boot, name)).hexdigest() != digest:
                raise ImageError(f"{name} is not the one that was signed")

    def root(self, letter: str = "a") -> None:
        """Compute every hash of a root anew; raise ImageError where one is another."""
        slot, root = self.slot(letter), self._out(f"root-{letter}")
        run("veritysetup", "verify", root, root, slot.root_hash, f"--hash-offset={slot.hash_offset}")

    def _contents(self) -> None:
        """Raise ImageError where the root has what no board may have."""
        listed = run("unsquashfs", "-l", "-d", "", self._out("root-a")).splitlines()
        tree = Tree()
        for path in listed:
            tree.put(path, TreeNode(FILE))
        # By the patterns and the code that the build itself drops by: what they would take away must not be
        # there.
        before = len(tree)
        tree.drop(NEVER)
        if len(tree) != before or before == 0:
            raise ImageError("the root has what no board may have, or nothing at all")

    def _state(self) -> None:
        """Raise ImageError where the state is not empty: only the first boot makes it."""
        if self._out("state").read_bytes().strip(b"\0"):
            raise ImageError("the state partition is not empty")

    def _out(self, name: str) -> Path:
        to = self._work / name
        if not to.exists():
            with self._image.open("rb") as stream:
                stream.seek(card.part(name).start)
                to.write_bytes(stream.read(card.part(name).size))
        return to

    def _of_fat(self, fat: Path, name: str) -> bytes:
        to = self._work / f"{fat.name}.{name}"
        run("mcopy", "-o", "-n", "-i", fat, f"::{name}", to)
        return to.read_bytes()


def void(_: object) -> None:
    """Take a value that is not wanted."""


def _wrong(test: Callable[[], None]) -> str:
    try:
        test()
    except (ImageError, OSError) as error:
        return str(error) or type(error).__name__
    return ""


def main() -> int:
    """Look into an image; return 1 where something is wrong, 2 where it cannot be looked at."""
    parser = argparse.ArgumentParser(prog="python -m sabot.image.inspection")
    parser.add_argument("image", type=Path)
    parser.add_argument("release_key", type=Path, help="the public half of the release key")
    args = parser.parse_args()
    try:
        verify_here(TOOLS)
        key = read_public_key(args.release_key)
    except (ImageError, SabotError) as error:
        print(f"look: {error}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        seen = ImageInspection(args.image, key, Path(folder)).all()
    listed = args.image.with_suffix(".sha256")
    seen.append(Seen("digests", _wrong(lambda: digests.verify(listed, key))))
    for each in seen:
        print(f"{each.name:<10} {each.wrong or 'good'}")
    return int(any(each.wrong for each in seen))


if __name__ == "__main__":
    sys.exit(main())
