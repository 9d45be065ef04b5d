"""A small medium with one release on it, as a board has it: interpreter, library, packages, units, settings."""

import compileall
import py_compile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sabot.firmware.integrity.compiled import keep_record
from sabot.firmware.integrity.file_walk import files_below
from sabot.firmware.integrity.installation import Installation
from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE, Manifest, describe, to_bytes
from sabot.firmware.integrity.signature import sign

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
DRIVERS = {"alpha": "sabot.drivers.alpha:KIND"}
FILES = {
    "usr/bin/python3.11": "the interpreter",
    "usr/lib/python3.11/os.py": "name = 'posix'\n",
    "usr/lib/python3.11/json/__init__.py": "x = 1\n",
    "usr/lib/python3.11/dist-packages/other.py": "is = 'not ours'\n",
    "etc/sabot/table.toml": 'table = "Table 7"\n',
    "etc/sabot/submission.toml": 'house = "Here"\n',
    "etc/systemd/system/sabot.service": "[Service]\n",
    "etc/systemd/system/sabot.service.d/more.conf": "[Service]\nNice=1\n",
    "etc/systemd/system/ssh.service": "[Service]\n",
    "etc/udev/rules.d/70-sabot.rules": "# rules\n",
}
SITE_FILES = {
    "sabot/__init__.py": "__version__ = '1.2.0'\n",
    "sabot/rules/cards.py": "def parse(text):\n    return {text, 'A'}\n",
    "sabot/config/chapters/pa641a.toml": "seats = 7\n",
    "structlog/__init__.py": "y = 2\n",
    "structlog-26.1.0.dist-info/METADATA": "Name: structlog\n",
}
PIPS = {"structlog-26.1.0.dist-info/RECORD": "pip's\n", "structlog-26.1.0.dist-info/INSTALLER": "pip\n"}


def lay(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def board(root: Path, version: str = "1.2.0") -> Installation:
    """A medium under ``root``, with links that mean the medium's own paths."""
    lay(root, FILES)
    release = root / "opt/sabot/releases" / version
    site = release / "venv/lib/python3.11/site-packages"
    lay(site, SITE_FILES)
    files = describe(site, files_below(site))
    lay(site, PIPS)
    lay(
        release,
        {"venv/pyvenv.cfg": "home = /usr/bin\nversion = 3.11.7\n", "systemd/sabot.service": "[Service]\n"},
    )
    (release / "venv/bin").mkdir()
    (release / "venv/bin/python").symlink_to("/usr/bin/python3.11")
    (release / "venv/lib64").symlink_to("lib")
    (root / "opt/sabot/current").symlink_to(f"releases/{version}")
    (root / "opt/sabot/settings").symlink_to("/etc/sabot")
    compileall.compile_dir(site, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    compileall.compile_dir(root / "usr/lib/python3.11/json", quiet=2)
    keep_record(release, site)
    content = to_bytes(Manifest(version, "3.11", "linux_x86_64", 1, DRIVERS, files, ()))
    (release / MANIFEST).write_bytes(content)
    (release / SIGNATURE).write_bytes(sign(content, KEY))
    (root / "etc/sabot/release.pub").write_bytes(public_pem(KEY))
    return Installation(
        site,
        site / "sabot",
        root / "usr/lib/python3.11",
        root / "usr/bin/python3.11",
        release,
        root / "etc/sabot",
        root,
    )


def public_pem(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
