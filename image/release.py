"""The release of a bundle in the tree of an image: what an installation makes on a board, made beforehand.

On a board `sabot update` makes an environment with venv and pip. Here both would be those of another
machine; so the wheels are laid out by the same manifest, and compiled by a Python of the board's version
that runs on this one.
"""

import json
import stat
import zipfile
from pathlib import Path

from sabot.firmware.integrity.compiled import RECORD
from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE, Manifest, place_in_site
from sabot.firmware.integrity.signature import read_public_key
from sabot.firmware.update.bundle import UNITS, WHEELS, Bundle, unpack
from sabot.firmware.update.environment import WRAPPER
from sabot.firmware.update.units import PLACES
from sabot.image.compiler import Compiler
from sabot.image.errors import ImageError
from sabot.image.recipe import PYTHON
from sabot.image.tree import PROGRAM, Tree

BASE = "opt/sabot"
CONFIG = """\
home = /usr/bin
include-system-site-packages = false
version = {version}
executable = /usr/bin/python{python}
"""


def open_bundle(file: Path, key: Path, into: Path) -> Bundle:
    """Return a bundle that the release key has signed; raise ImageError for another machine or Python."""
    bundle = unpack(file, read_public_key(key), into)
    if (bundle.manifest.machine, bundle.manifest.python) != ("linux_aarch64", PYTHON):
        found = f"Python {bundle.manifest.python} on {bundle.manifest.machine}"
        raise ImageError(f"{file.name} is for {found}, the image wants Python {PYTHON} on linux_aarch64")
    return bundle


def lay(tree: Tree, bundle: Bundle, compiler: Compiler, python_version: str) -> None:
    """Lay a release into a tree, with the links, units and the command of an installation."""
    release = f"{BASE}/releases/{bundle.manifest.version}"
    site = f"{release}/venv/lib/python{PYTHON}/site-packages"
    for wheel in sorted((bundle.folder / WHEELS).glob("*.whl")):
        _lay_wheel(tree, wheel, site)
    _verify(tree, site, bundle.manifest)
    compiled = compiler.compile(tree, site)
    rows = {path.removeprefix(f"{site}/"): row for path, row in compiled.items()}
    tree.write(f"{release}/{RECORD}", json.dumps(rows, indent=1, sort_keys=True))
    for name in (MANIFEST, SIGNATURE):
        tree.write(f"{release}/{name}", (bundle.folder / name).read_bytes())
    _lay_environment(tree, f"{release}/venv", python_version)
    tree.link(f"{BASE}/current", f"releases/{bundle.manifest.version}")
    tree.link(f"{BASE}/settings", "/etc/sabot")
    tree.link("usr/local/bin/sabot", f"/{BASE}/current/venv/bin/sabot")
    for pattern, folder in PLACES.items():
        for source in sorted((bundle.folder / UNITS).glob(pattern)):
            tree.write(f"etc/{folder}/{source.name}", source.read_bytes())
            tree.write(f"{release}/{UNITS}/{source.relative_to(bundle.folder / UNITS)}", source.read_bytes())


def _lay_wheel(tree: Tree, wheel: Path, site: str) -> None:
    with zipfile.ZipFile(wheel) as archive:
        for info in archive.infolist():
            place = place_in_site(info.filename)
            if place:
                # Programs keep their mark; a library has it whatever the wheel says.
                is_library = stat.S_IMODE(info.external_attr >> 16) & 0o100 or ".so" in place
                tree.write(f"{site}/{place}", archive.read(info), PROGRAM if is_library else 0o100644)


def _verify(tree: Tree, site: str, manifest: Manifest) -> None:
    # Not a file more or fewer than the manifest signs, though they were laid out another way than on a board.
    laid = {path.removeprefix(f"{site}/") for path in tree.below(site) if stat.S_ISREG(tree[path].mode)}
    wanted = {each.path for each in manifest.files}
    if laid != wanted:
        raise ImageError(f"the wheels are not those of the manifest: {sorted(laid ^ wanted)[:5]}")


def _lay_environment(tree: Tree, venv: str, version: str) -> None:
    tree.write(f"{venv}/pyvenv.cfg", CONFIG.format(version=version, python=PYTHON))
    tree.link(f"{venv}/bin/python{PYTHON}", f"/usr/bin/python{PYTHON}")
    tree.link(f"{venv}/bin/python3", f"python{PYTHON}")
    tree.link(f"{venv}/bin/python", f"python{PYTHON}")
    tree.write(f"{venv}/bin/sabot", WRAPPER, PROGRAM)
