"""Small releases for tests: a real wheel, a real bundle, a real environment; only the program in it is small.

It answers ``verify``, ``check``, ``selftest`` and ``update`` as a release does, from a table file that says
how it should go (phase, running, whether a version fails), so that every way of an update can be taken.
"""

import hashlib
import zipfile
from base64 import urlsafe_b64encode
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from make_bundle import assemble
from sabot.firmware.update.bundle import UNITS, WHEELS
from sabot.firmware.update.environment import machine_here, python_here
from sabot.firmware.update.layout import InstallationLayout
from small_medium import KEY, lay, public_pem

PROGRAM = """
import json, sys, tomllib
from pathlib import Path
from sabot import __version__
do, table = sys.argv[1], Path(sys.argv[-1])
said = tomllib.loads(table.read_text()) if table.suffix == ".toml" else {}
def journal():
    return {"phase": said.get("phase", "closed"), "entries": 9,
            "is_closing": said.get("is_closing", True), "is_running": said.get("is_running", False)}
if do == "verify":
    trouble = "the small release is bad" if __version__ == "1.3.0" else ""
    print(json.dumps({"troubles": [trouble] if trouble else []}))
    sys.exit(bool(trouble))
if do == "check":
    sys.exit(said.get("check", 0))
if do == "selftest":
    bad = said.get("bad_version") == __version__
    rows = [{"check": "journal", "fault": "E-JRNL-003 it does not know the journal" if bad else "", "keeps_closed": True}]
    print(json.dumps({"checks": rows, "journal": journal()}))
    sys.exit(bad)
if do == "update":
    former = said.get("former") if "--migrate" in sys.argv else None
    print(json.dumps({"former": former}))
    with table.with_name("journal-steps").open("a") as file:
        file.write(f"{__version__} {' '.join(sys.argv[2:-1])}\\n")
"""
UNIT = "[Service]\nExecStart=/opt/sabot/current/venv/bin/python -I -m sabot run /etc/sabot/table.toml\n"


def wheel(folder: Path, version: str) -> None:
    """A wheel as any builder makes it."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"sabot-{version}.dist-info"
    files = {
        "sabot/__init__.py": f'__version__ = "{version}"\n',
        "sabot/__main__.py": PROGRAM,
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: sabot\nVersion: {version}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/entry_points.txt": "[sabot.drivers]\nalpha = sabot.drivers.alpha:KIND\n",
    }
    rows = [f"{name},sha256={_digest(text)},{len(text.encode())}\n" for name, text in files.items()]
    files[f"{info}/RECORD"] = "".join([*rows, f"{info}/RECORD,,\n"])
    with zipfile.ZipFile(folder / f"sabot-{version}-py3-none-any.whl", "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)


def _digest(text: str) -> str:
    return urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


def bundle(folder: Path, version: str, key: Ed25519PrivateKey | None = KEY, machine: str = "") -> Path:
    """The bundle of a small release."""
    inside = folder / f"tree-{version}"
    wheel(inside / WHEELS, version)
    lay(inside / UNITS, {"sabot.service": UNIT + f"# {version}\n", "udev/70-sabot.rules": "# rules\n"})
    if version == "1.1.0":
        lay(inside / UNITS, {"sabot-extra.service": UNIT})
    return assemble(inside, folder, key, machine or machine_here(), python_here())


def layout(folder: Path) -> InstallationLayout:
    """An installation below a folder, with the key pinned."""
    made = InstallationLayout(prefix=folder / "opt/sabot", system=folder / "etc")
    made.settings.mkdir(parents=True)
    made.release_key.write_bytes(public_pem(KEY))
    return made
