"""The environment of a release, made at its final path from the wheels of a bundle and from nothing else.

pip installs without an index, without a cache and without resolving anything: the bundle names every package.
Then pip itself goes, so that a board holds nothing that could install more; what is left is compared with the
manifest file by file, compiled once, and written down.
"""

import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from sabot.firmware.integrity.check import raise_differences
from sabot.firmware.integrity.compiled import keep_record
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.manifest import Manifest
from sabot.firmware.update.bundle import WHEELS
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.layout import python_of

PATIENCE_S = 900
WRAPPER = """\
#!/bin/sh
exec "$(dirname -- "$(readlink -f -- "$0")")/python" -I -m sabot "$@"
"""
QUIET = ("--quiet", "--disable-pip-version-check", "--no-input", "--no-cache-dir")


def python_here() -> str:
    """Return the version of this Python, as a manifest names it."""
    return f"{sys.version_info.major}.{sys.version_info.minor}"


def machine_here() -> str:
    """Return the machine, as a manifest names it."""
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")


def verify_fits(manifest: Manifest, place: str) -> None:
    """Raise where a bundle is for another board."""
    here = f"Python {python_here()} on {machine_here()}"
    found = f"Python {manifest.python} on {manifest.machine}"
    if found != here:
        raise UpdateError("E-UPDATE-011", place, found=found, here=here)


def make(release: Path, folder: Path, manifest: Manifest) -> None:
    """Make the environment of a release; its folder is there, empty but for what came with the bundle."""
    # The interpreter of the system: an environment of the running release would go with that release.
    base = getattr(sys, "_base_executable", sys.executable)
    _run([base, "-I", "-m", "venv", str(release / "venv")])
    python = str(python_of(release))
    wheels = sorted((folder / WHEELS).glob("*.whl"))
    names = ["==".join(wheel.name.split("-")[:2]) for wheel in wheels]
    source = ("--no-index", "--find-links", str(folder / WHEELS))
    _run([python, "-I", "-m", "pip", "install", *QUIET, "--no-deps", "--no-compile", *source, *names])
    _run([python, "-I", "-m", "pip", "check", *QUIET[:2]])
    _run([python, "-I", "-m", "pip", "uninstall", *QUIET[:3], "--yes", "setuptools", "pip"])
    _tidy(release / "venv")
    _finish(release, manifest)


def _finish(release: Path, manifest: Manifest) -> None:
    """Compare with the manifest, compile, write down what was compiled."""
    site = site_of(release)
    try:
        raise_differences(release, site, manifest)
    except VerifyError as error:
        raise UpdateError("E-UPDATE-008", str(release), why=error.what) from error
    # Unchecked: Python takes a compiled file whatever the time of its source, and the record vouches for it.
    mode = ("-q", "-q", "--invalidation-mode", "unchecked-hash")
    # What does not compile (some packages bring templates) is no error: nothing imports it.
    subprocess.run(  # noqa: S603 (the interpreter of the release)
        [python_of(release), "-I", "-m", "compileall", *mode, str(site)], check=False, timeout=PATIENCE_S
    )
    keep_record(release, site)


def site_of(release: Path) -> Path:
    """Return where a release has its packages."""
    return release / "venv" / "lib" / f"python{python_here()}" / "site-packages"


def _tidy(venv: Path) -> None:
    """Take away what tells where an environment was made, and every command but our own."""
    for path in (venv / "bin").iterdir():
        if not path.name.startswith("python"):
            path.unlink()
    (venv / "bin" / "sabot").write_text(WRAPPER, encoding="ascii")
    (venv / "bin" / "sabot").chmod(0o755)
    rows = (venv / "pyvenv.cfg").read_text(encoding="utf-8").splitlines(keepends=True)
    kept = [row for row in rows if not row.startswith("command")]
    (venv / "pyvenv.cfg").write_text("".join(kept), encoding="utf-8")


def _run(words: Sequence[str]) -> None:
    """Run a step of the installation; its last words are in the error."""
    environment = {"PATH": "/usr/bin:/bin", "PYTHONDONTWRITEBYTECODE": "1", "LC_ALL": "C.UTF-8"}
    try:
        done = subprocess.run(  # noqa: S603 (our own words)
            words, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpdateError("E-UPDATE-008", words[0], why=error) from error
    if done.returncode:
        last = (done.stderr.strip() or done.stdout.strip()).rpartition("\n")[2]
        raise UpdateError("E-UPDATE-008", words[0], why=last)
