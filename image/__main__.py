"""The image from the command line: build it, build it twice and compare, look into one."""

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from sabot.image import wheel
from sabot.image.build import NAME, ImageBuild, Order, compare
from sabot.image.errors import ImageError
from sabot.image.recipe import EPOCH, PYTHON
from sabot.image.run import run, verify_here
from sabot.image.wheel import COMPILER
from sabot.rules.errors import SabotError

MAKER = Path(__file__).resolve().parents[1] / "tools" / "make_bundle.py"
# What pip calls the machines whose wheels a board with Debian's libc runs.
PLATFORMS = ("manylinux_2_34_aarch64", "manylinux_2_28_aarch64", "manylinux2014_aarch64", "linux_aarch64")
NEEDED = (
    "mmdebstrap",
    "mksquashfs",
    "veritysetup",
    "mkfs.vfat",
    "mcopy",
    "mkimage",
    "fdtput",
    "zstd",
    "depmod",
    "dpkg-deb",
    "rauc",
)


def main(words: Sequence[str] | None = None) -> int:
    """Build the image; return 2 where something is missing or wrong, and print the cure."""
    parser = argparse.ArgumentParser(
        prog="python -m sabot.image", description=(__doc__ or "").splitlines()[0]
    )
    parser.add_argument(
        "--bundle", type=Path, help="the signed bundle for the board (else it is made of this tree)"
    )
    parser.add_argument("--key", type=Path, required=True, help="the release key")
    parser.add_argument(
        "--work", type=Path, default=Path("build/image"), help="where packages are kept unpacked"
    )
    parser.add_argument("--out", type=Path, default=Path("dist"))
    parser.add_argument("--once", action="store_true", help="do not build a second time to compare")
    args = parser.parse_args(words)
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", EPOCH))
    try:
        verify_here(NEEDED)
        bundle = args.bundle or make_bundle(args.key, args.work.absolute(), epoch)
        order = Order(bundle, args.key, args.work.absolute(), args.out.absolute(), epoch)
        made = ImageBuild(order, print).run()
        if not args.once:
            _again(order, made)
    except (ImageError, SabotError, OSError) as error:
        print(f"image: {error}", file=sys.stderr)
        return 2
    print(made)
    return 0


def make_bundle(key: Path, work: Path, epoch: int) -> Path:
    """Return the bundle of this tree for the board, with a wheel of lgpio built for it."""
    verify_here(("swig", COMPILER))
    wheels = work / "wheels"
    wheel.make(work, wheels, epoch)
    folder = work / "bundles"
    # A bundle of another version may lie there, and the newest is not known by its name.
    shutil.rmtree(folder, ignore_errors=True)
    words = [f"--platform={each}" for each in PLATFORMS]
    words += [
        f"--python={PYTHON}",
        "--extra=gpio",
        f"--wheels={wheels}",
        f"--key={key.absolute()}",
        f"--out={folder}",
    ]
    run(sys.executable, MAKER, *words)
    return next(folder.glob("*.bundle"))


def _again(order: Order, made: Path) -> None:
    """Build once more from packages fetched anew; raise ImageError where a byte differs."""
    with tempfile.TemporaryDirectory(dir=order.work) as folder:
        second = ImageBuild(
            Order(order.bundle, order.key, Path(folder, "work"), Path(folder), order.epoch), print
        ).run()
        difference = compare(made, second)
    if difference:
        raise ImageError(f"the second image is another one: {difference}")
    print(f"{NAME}.img was built twice: the same bytes")


if __name__ == "__main__":
    sys.exit(main())
