"""Running the programs that make an image; a missing one is named with the package that has it."""

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from sabot.image.errors import ImageError

# Where each comes from, in Debian's words.
PACKAGE_OF = {
    "mmdebstrap": "mmdebstrap", "mksquashfs": "squashfs-tools", "unsquashfs": "squashfs-tools",
    "veritysetup": "cryptsetup-bin",
    "mkfs.vfat": "dosfstools", "mcopy": "mtools", "mmd": "mtools", "mkimage": "u-boot-tools",
    "fdtput": "device-tree-compiler",
    "fdtget": "device-tree-compiler", "dtc": "device-tree-compiler", "zstd": "zstd", "depmod": "kmod",
    "rauc": "rauc",
    "swig": "swig", "aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu",
    "qemu-system-aarch64": "qemu-system-arm", "setpriv": "util-linux",
    "openssl": "openssl", "dpkg-deb": "dpkg", "debugfs": "e2fsprogs",
    "e2fsck": "e2fsprogs", "dumpe2fs": "e2fsprogs",
}  # fmt: skip
PLACES = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PATIENCE_S = 3600


def missing(names: Sequence[str]) -> list[str]:
    """Return the packages of those of these programs that are not here."""
    return sorted({PACKAGE_OF[name] for name in names if shutil.which(name, path=PLACES) is None})


def verify_here(names: Sequence[str]) -> None:
    """Raise ImageError where one of these programs is missing, with the way to get all of them."""
    wanted = missing(names)
    if wanted:
        raise ImageError(
            f"programs are missing: sudo apt-get install --no-install-recommends {' '.join(wanted)}"
        )


def run(*words: str | Path, data: bytes | None = None, epoch: int = 0, codes: tuple[int, ...] = (0,)) -> str:
    """Run a program to its end and return what it printed, as text."""
    return run_raw(*words, data=data, epoch=epoch, codes=codes).decode(errors="replace")


def run_raw(
    *words: str | Path, data: bytes | None = None, epoch: int = 0, codes: tuple[int, ...] = (0,)
) -> bytes:
    """Run a program to its end and return what it printed; raise ImageError with its last words."""
    # Nothing of the caller's but pip's settings: a locale, a time zone or a path would show in the image.
    environment = {
        "PATH": PLACES,
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "HOME": "/root",
        "MTOOLS_SKIP_CHECK": "1",
    }
    environment |= {"SOURCE_DATE_EPOCH": str(epoch)} if epoch else {}
    environment |= {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
    name = shutil.which(str(words[0]), path=PLACES)
    if name is None:
        verify_here([str(words[0])])
    done = subprocess.run(  # noqa: S603 (our own words)
        [str(name), *map(str, words[1:])], input=data, capture_output=True, check=False, env=environment,
        timeout=PATIENCE_S,
    )  # fmt: skip
    if done.returncode not in codes:
        last = (done.stderr.strip() or done.stdout.strip()).decode(errors="replace")[-600:]
        raise ImageError(f"{words[0]} failed: {last}")
    return done.stdout
