"""The parts of a machine, got ready: tools, kernel, first root, a copy of the tree, and its Python.

The tree is copied, so that whoever edits it meanwhile does not change what is tested. Its Python is an
environment of the rig's own in the cache, with what a board has and nothing of development; it is made anew
when the project asks for other packages.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
import time
from pathlib import Path

from sabot.hil.kernel import initramfs
from sabot.hil.kernel.machine import NATIVE, MachineHost, can_accelerate
from sabot.hil.kernel.packages import have_kernel, install_tools
from sabot.hil.kernel.results import CannotRunError

TREE = Path(__file__).resolve().parents[2]
# What of the tree a machine needs.
PARTS = (
    "config",
    "desk",
    "drivers",
    "firmware",
    "hil",
    "rules",
    "statemachine",
    "src",
    "systemd",
    "tests/data",
)
FILES = ("pyproject.toml", "README.md", "LICENSE")
# Where a machine finds the tree, whoever may look into homes there; before whatever else names the package.
PLACE, PATH_FILE = "/opt/sabot/tree/src", "0-sabot-rig.pth"
BUSYBOX = Path("/bin/busybox")
LEAST_FREE_GB = 2
GB = 1 << 30
OLD_S = 7 * 86_400.0


def cache_folder() -> Path:
    """Return where the rig keeps what it has fetched: the user's cache."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sabot" / "kernel-rig"


def verify_machine() -> None:
    """Raise CannotRunError if this machine can never run the rig."""
    if platform.machine() != "x86_64" or platform.system() != "Linux":
        raise CannotRunError(f"the rig is made for x86-64 Linux, this is {platform.platform()}")
    if os.geteuid() != 0:
        raise CannotRunError("the machine is shown this machine's files, for which the rig must be root")
    if shutil.which("apt-get") is None:
        raise CannotRunError("the kernel comes from Debian's packages, and there is no apt-get here")


def prepare(cache: Path, folder: Path) -> MachineHost:
    """Get everything ready, from nothing or from the cache; this run's own things go to its folder."""
    verify_machine()
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        # Two rigs at once would fetch into the same place.
        fcntl.flock(lock, fcntl.LOCK_EX)
        host = _prepare(cache, folder)
    return host._replace(accelerator=NATIVE) if can_accelerate(host) else host


def _prepare(cache: Path, folder: Path) -> MachineHost:
    if shutil.disk_usage(cache).free < LEAST_FREE_GB * GB:
        raise CannotRunError(f"{cache} has less than {LEAST_FREE_GB} GB free")
    install_tools()
    kernel = have_kernel(cache)
    image = folder / "initramfs.gz"
    initramfs.build(initramfs.modules_of(kernel), BUSYBOX.read_bytes(), image)
    tree = copy_tree(TREE, folder / "tree")
    _run([sys.executable, "-m", "compileall", "-q", "-j", "0", str(tree)])
    return MachineHost(kernel.image, image, tree, have_environment(tree, cache), Path(sys.base_prefix))


def copy_tree(tree: Path, place: Path) -> Path:
    """Copy what a machine needs of the tree, and return the copy."""
    for part in PARTS:
        shutil.copytree(tree / part, place / part, symlinks=True)
    for name in FILES:
        shutil.copy2(tree / name, place / name)
    return place


def have_environment(tree: Path, cache: Path) -> Path:
    """Return an environment with the libraries that a board has, made if there is none."""
    wanted = f"{sys.version}{(tree / 'pyproject.toml').read_text(encoding='utf-8')}"
    venv = cache / f"venv-{hashlib.sha256(wanted.encode()).hexdigest()[:12]}"
    if (venv / "whole").exists():
        (venv / "whole").touch()
        return venv
    shutil.rmtree(venv, ignore_errors=True)
    _forget_old(cache)
    _run([sys.executable, "-m", "venv", str(venv)])
    words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--editable", f"{tree}[gpio]"]
    _run([str(venv / "bin" / "python"), *words])
    (site,) = venv.glob("lib/python3*/site-packages")
    (site / PATH_FILE).write_text(f"{PLACE}\n", encoding="ascii")
    (venv / "whole").touch()
    return venv


def _forget_old(cache: Path) -> None:
    """Remove what no run has used for a week."""
    # Not everything but ours: another run may be using any other.
    for mark in cache.glob("venv-*/whole"):
        if time.time() - mark.stat().st_mtime > OLD_S:
            shutil.rmtree(mark.parent)


def _run(words: list[str]) -> None:
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603 (our own words)
    if done.returncode:
        raise CannotRunError(f"{' '.join(words[:4])} failed: {done.stderr.strip()[-400:]}")
