"""Make the bundle of a release: wheels of Sabot and of all it needs, units, manifest, signature.

The bundle for a floor leaves the rig out: the tree is copied without `hil` and the wheel is built from the
copy, so that no option and no import on a board can reach a simulator. The release key is needed here and
nowhere else; without it the bundle is unsigned and a board that takes it says "development, not for a floor".

    python tools/make_bundle.py --key release.key --out dist
    python tools/make_bundle.py --key release.key --platform manylinux_2_28_aarch64 --python 3.13 --extra gpio
    python tools/make_bundle.py --new-key release.key      # also writes release.pub
"""

import argparse
import configparser
import hashlib
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE, Listed, Manifest, describe, to_bytes
from sabot.firmware.integrity.signature import read_private_key, sign
from sabot.firmware.journal.store import FORMAT
from sabot.firmware.update.bundle import UNITS, WHEELS
from sabot.firmware.update.environment import machine_here, python_here

ROOT = Path(__file__).resolve().parents[1]
ON_A_FLOOR = ("rules", "statemachine", "drivers", "config", "firmware")
RIG = "hil"
FILES = ("pyproject.toml", "README.md", "LICENSE")
PIP = (sys.executable, "-Im", "pip", "--disable-pip-version-check")
IN_SITE = ("purelib", "platlib")


def copy_tree(to: Path, packages: Iterable[str], version: str = "") -> None:
    """The source tree with these packages and no others; with another version for who tries an update."""
    for name in FILES:
        shutil.copyfile(ROOT / name, to / name)
    inside = to / "src" / "sabot"
    inside.mkdir(parents=True)
    for path in (ROOT / "src" / "sabot").iterdir():
        if path.is_file():
            shutil.copyfile(path, inside / path.name)
    if version:
        (inside / "__init__.py").write_text(f'"""Sabot."""\n\n__version__ = "{version}"\n', encoding="utf-8")
    for name in packages:
        shutil.copytree(ROOT / name, inside / name, ignore=shutil.ignore_patterns("__pycache__"))


def build_wheel(into: Path, packages: Iterable[str], version: str = "") -> None:
    """Sabot's own wheel; the same tree gives the same bytes."""
    with tempfile.TemporaryDirectory() as folder:
        copy_tree(Path(folder), packages, version)
        made = subprocess.run(
            ["/usr/bin/env", "git", "-C", str(ROOT), "log", "-1", "--format=%ct"],
            capture_output=True,
            text=True,
            check=False,
        )
        environment = {**os.environ, "SOURCE_DATE_EPOCH": made.stdout.strip() or "1700000000"}
        words = (*PIP, "wheel", "--quiet", "--no-deps", "--wheel-dir", str(into), folder)
        subprocess.run(words, check=True, env=environment)


def download(into: Path, extras: Iterable[str], platforms: Iterable[str], python: str) -> None:
    """What Sabot needs, for the board's machine, as wheels only: a board builds nothing."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = list(project["dependencies"])
    for extra in extras:
        wanted += project["optional-dependencies"][extra]
    words = [*PIP, "download", "--quiet", "--only-binary=:all:", "--dest", str(into)]
    for platform in platforms:
        words += ["--platform", platform]
    words += ["--python-version", python] if platforms else []
    subprocess.run([*words, *wanted], check=True)


def installed_files(wheels: Iterable[Path]) -> Iterator[Listed]:
    """What the wheels put where packages lie; pip writes its own RECORD."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                place = place_of(name)
                if place:
                    content = archive.read(name)
                    yield Listed(place, len(content), hashlib.sha256(content).hexdigest())


def place_of(name: str) -> str:
    """Where a member of a wheel goes below site-packages, nothing where it goes elsewhere."""
    first, _, rest = name.partition("/")
    if name.endswith(("/", ".dist-info/RECORD")):
        return ""
    if not first.endswith(".data"):
        return name
    kind, _, place = rest.partition("/")
    return place if kind in IN_SITE else ""


def drivers_of(wheels: Iterable[Path]) -> dict[str, str]:
    """The drivers that the wheels offer: those may load, and no others."""
    found: dict[str, str] = {}
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                if name.endswith(".dist-info/entry_points.txt"):
                    parser = configparser.ConfigParser(delimiters=("=",))
                    parser.read_string(archive.read(name).decode())
                    if parser.has_section("sabot.drivers"):
                        found |= dict(parser.items("sabot.drivers"))
    return dict(sorted(found.items()))


def version_of(wheels: Iterable[Path]) -> str:
    """The version of Sabot's wheel."""
    return next(wheel.name.split("-")[1] for wheel in wheels if wheel.name.startswith("sabot-"))


def assemble(folder: Path, to: Path, key: Ed25519PrivateKey | None, machine: str, python: str) -> Path:
    """The bundle of a folder that holds wheels and units."""
    wheels = sorted((folder / WHEELS).glob("*.whl"))
    manifest = Manifest(
        version=version_of(wheels),
        python=python,
        machine=machine,
        journal_format=FORMAT,
        drivers=drivers_of(wheels),
        files=tuple(sorted(installed_files(wheels))) if wheels else (),
        bundle=describe(folder, sorted(path for path in folder.rglob("*") if path.is_file())),
    )
    content = to_bytes(manifest)
    bundle = to / f"sabot-{manifest.version}-py{python}-{machine}{'' if key else '-development'}.bundle"
    write(bundle, folder, content, sign(content, key) if key else b"", manifest)
    return bundle


def write(bundle: Path, folder: Path, content: bytes, signature: bytes, manifest: Manifest) -> None:
    """One file; manifest and signature first, nothing in it that depends on who made it when."""
    bundle.parent.mkdir(parents=True, exist_ok=True)
    with tarfile.open(bundle, "w:", format=tarfile.PAX_FORMAT) as tar:
        for name, data in ((MANIFEST, content), (SIGNATURE, signature)):
            _add(tar, name, data)
        for each in manifest.bundle:
            _add(tar, each.path, (folder / each.path).read_bytes())


def _add(tar: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size, member.mode = len(data), 0o644
    tar.addfile(member, io.BytesIO(data))


def new_key(path: Path) -> None:
    """A release key; the private half is for a machine that is on no network."""
    key = Ed25519PrivateKey.generate()
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(fd, "wb") as file:
        file.write(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    path.with_suffix(".pub").write_bytes(public)


def main() -> int:
    """Make a key, or make a bundle."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--new-key", type=Path, metavar="FILE", help="make a release key and its public half")
    parser.add_argument("--key", type=Path, help="the release key (without it: a development bundle)")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--platform", action="append", default=[], help="of another board, as pip names it")
    parser.add_argument("--python", default=python_here(), help="its Python")
    parser.add_argument("--extra", action="append", default=[], help="an extra of Sabot, such as gpio")
    parser.add_argument("--as-version", default="", help="another version, to try an update with")
    parser.add_argument("--with-rig", action="store_true", help="with the simulators; never for a floor")
    args = parser.parse_args()
    if args.new_key:
        new_key(args.new_key)
        print(f"{args.new_key} is the release key, {args.new_key.with_suffix('.pub')} is for the boards")
        return 0
    key = read_private_key(args.key) if args.key else None
    if key and args.with_rig:
        parser.error("the rig is never signed for a floor")
    machine = f"linux_{args.platform[0].rpartition('_')[2]}" if args.platform else machine_here()
    if args.platform and args.platform[0].endswith("x86_64"):
        machine = "linux_x86_64"
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder)
        shutil.copytree(ROOT / "systemd", inside / UNITS)
        packages = (*ON_A_FLOOR, RIG) if args.with_rig else ON_A_FLOOR
        build_wheel(inside / WHEELS, packages, args.as_version)
        download(inside / WHEELS, args.extra, args.platform, args.python)
        print(assemble(inside, args.out, key, machine, args.python))
    return 0


if __name__ == "__main__":
    sys.exit(main())
