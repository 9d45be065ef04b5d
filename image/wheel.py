"""lgpio's wheel for the board: no index has one for Python 3.13, so a cross compiler builds it.

The sources come from the package index, the headers from Debian; nothing of the board is run. The same
sources and the same compiler give the same wheel.
"""

import base64
import hashlib
import sys
import tarfile
import zipfile
from pathlib import Path

from sabot.image import fetch
from sabot.image.errors import ImageError
from sabot.image.recipe import HEADER_PACKAGES, MACHINE, PYTHON
from sabot.image.run import run

SOURCE, VERSION = "lgpio", "0.2.2.0"
COMPILER = "aarch64-linux-gnu-gcc"
TAG = f"cp{PYTHON.replace('.', '')}"
WHEEL = f"lgpio-{VERSION}-{TAG}-{TAG}-linux_aarch64.whl"
EXTENSION = f"_lgpio.cpython-{TAG[2:]}-aarch64-linux-gnu.so"
PARTS = (EXTENSION, "lgpio.py", "lgpio_extra.py")
WHEEL_HEAD = f"""\
Wheel-Version: 1.0
Generator: sabot-image
Root-Is-Purelib: false
Tag: {TAG}-{TAG}-linux_aarch64
"""
# One time for every file, so that the same sources give the same wheel.
TIME = (2025, 1, 1, 0, 0, 0)


def make(work: Path, to: Path, epoch: int) -> Path:
    """Return the wheel, built into a folder; one that lies there already stays."""
    wheel = to / WHEEL
    if wheel.exists():
        return wheel
    to.mkdir(parents=True, exist_ok=True)
    headers = work / "headers"
    if not headers.exists():
        fetch.unpack(HEADER_PACKAGES, MACHINE, ("main",), headers, epoch)
    source = _source(work / "lgpio")
    _compile(source, headers / "usr/include")
    _pack(source, wheel)
    return wheel


def _source(folder: Path) -> Path:
    """Fetch and unpack the sources, and return their folder."""
    folder.mkdir(parents=True, exist_ok=True)
    words = (
        "-Im",
        "pip",
        "download",
        "--quiet",
        "--disable-pip-version-check",
        "--no-deps",
        "--no-binary",
        SOURCE,
    )
    run(sys.executable, *words, "--dest", folder, f"{SOURCE}=={VERSION}")
    archive = next(folder.glob(f"{SOURCE}-*.tar.gz"), None)
    if archive is None:
        raise ImageError(f"the package index has no sources of {SOURCE} {VERSION}")
    with tarfile.open(archive) as tar:
        tar.extractall(folder, filter="data")
    return folder / archive.name.removesuffix(".tar.gz")


def _compile(source: Path, include: Path) -> None:
    # What lgpio.i takes in lies beside it, and swig looks where it was started.
    places: list[str | Path] = ["-outdir", source, "-o", source / "lgpio_wrap.c", f"-I{source}"]
    run("swig", "-python", *places, source / "lgpio.i")
    files = [*sorted((source / "src").glob("lg*.c")), source / "src/rgpiod.c", source / "lgpio_wrap.c"]
    options = ["-O2", "-fPIC", "-pthread", "-w", f"-ffile-prefix-map={source}=.", f"-I{source / 'src'}"]
    # Python's headers before the compiler's own, the rest of Debian's behind: only what the compiler lacks.
    options += [f"-I{include}/python{PYTHON}", "-idirafter", str(include)]
    objects = [source / f"{each.stem}.o" for each in files]
    for each, made in zip(files, objects, strict=True):
        run(COMPILER, *options, "-c", each, "-o", made)
    run(COMPILER, "-shared", "-o", source / EXTENSION, *objects, "-pthread", "-lrt", "-ldl")


def _pack(source: Path, wheel: Path) -> None:
    about = f"lgpio-{VERSION}.dist-info"
    head = WHEEL_HEAD
    files = {name: (source / name).read_bytes() for name in PARTS if (source / name).exists()}
    files |= {f"{about}/METADATA": (source / "PKG-INFO").read_bytes(), f"{about}/WHEEL": head.encode()}
    rows = [f"{name},sha256={_digest(data)},{len(data)}" for name, data in files.items()]
    files[f"{about}/RECORD"] = ("\n".join([*rows, f"{about}/RECORD,,"]) + "\n").encode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            info = zipfile.ZipInfo(name, TIME)
            info.external_attr, info.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(info, data)


def _digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
