"""A release whose journal has the format after today's, made of the release in a tree, for a trial.

There is one format yet, so the next one is made up: the tables are the same, and the file says another
number. The release is a whole one all the same. It brings the way from the old file to a new one, the program
opens nothing but the new, and its manifest is signed, so that the check at its start objects to nothing.
"""

import hashlib
import json
from dataclasses import replace

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.firmware.integrity.compiled import RECORD
from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE, Listed, from_bytes, to_bytes
from sabot.firmware.integrity.signature import sign
from sabot.firmware.journal.store import FORMAT
from sabot.image.errors import ImageError
from sabot.image.recipe import PYTHON
from sabot.image.release import BASE
from sabot.image.tree import Tree

NEXT = FORMAT + 1
_WAY = '''\
def _to_next(old: Path, new: Path) -> None:
    """The old file is read, a new one is written."""
    with closing(sqlite3.connect(f"file:{old}?mode=ro", uri=True)) as source:
        with closing(sqlite3.connect(new)) as target:
            source.backup(target)
            target.execute("UPDATE meta SET value = ? WHERE name = 'format'", (str(store.FORMAT),))
            target.commit()


MIGRATIONS: Mapping[int, Migrate] = {store.FORMAT - 1: _to_next}
'''
# By module, what stands there today and what stands there in the next release.
CHANGES = {
    "sabot/firmware/journal/store.py": (f"\nFORMAT = {FORMAT}\n", f"\nFORMAT = {NEXT}\n"),
    "sabot/firmware/update/migration.py": ("MIGRATIONS: Mapping[int, Migrate] = {}\n", _WAY),
}


def make_next(tree: Tree, key: Ed25519PrivateKey) -> None:
    """Change the release of a tree; what was compiled of the two modules goes, and is not recorded."""
    release = tree.resolve(f"{BASE}/current")
    site = f"{release}/venv/lib/python{PYTHON}/site-packages"
    for module, (before, after) in CHANGES.items():
        text = tree.read(f"{site}/{module}").decode()
        if text.count(before) != 1:
            raise ImageError(f"{module} has not one {before.strip()!r}")
        tree.write(f"{site}/{module}", text.replace(before, after))
    _forget_compiled(tree, release, site)
    _sign(tree, release, site, key)


def _forget_compiled(tree: Tree, release: str, site: str) -> None:
    stems = {module.rpartition("/")[0] + "/__pycache__/" + _stem(module) for module in CHANGES}
    rows = json.loads(tree.read(f"{release}/{RECORD}"))
    gone = [name for name in rows if name.partition(".cpython-")[0] in stems]
    tree.drop(f"{site}/{name}" for name in gone)
    left = {name: row for name, row in rows.items() if name not in gone}
    tree.write(f"{release}/{RECORD}", json.dumps(left, indent=1, sort_keys=True))


def _stem(module: str) -> str:
    return module.rpartition("/")[2].removesuffix(".py")


def _sign(tree: Tree, release: str, site: str, key: Ed25519PrivateKey) -> None:
    manifest = from_bytes(tree.read(f"{release}/{MANIFEST}"))
    files = tuple(_listed(tree, site, each) if each.path in CHANGES else each for each in manifest.files)
    content = to_bytes(replace(manifest, files=files, journal_format=NEXT))
    tree.write(f"{release}/{MANIFEST}", content)
    tree.write(f"{release}/{SIGNATURE}", sign(content, key))


def _listed(tree: Tree, site: str, each: Listed) -> Listed:
    data = tree.read(f"{site}/{each.path}")
    return Listed(each.path, len(data), hashlib.sha256(data).hexdigest())
