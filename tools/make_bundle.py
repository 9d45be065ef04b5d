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
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat

from sabot.firmware.integrity.manifest import (
    MANIFEST,
    SIGNATURE,
    Listed,
    Manifest,
    describe,
    place_in_site,
    to_bytes,
)
from sabot.firmware.integrity.signature import read_private_key, sign
from sabot.firmware.journal.store import FORMAT
from sabot.firmware.update.bundle import UNITS, WHEELS
from sabot.firmware.update.environment import machine_here, python_here
from sabot.rules.errors import SabotError

ROOT = Path(__file__).resolve().parents[1]
ON_A_FLOOR = ("rules", "statemachine", "drivers", "config", "floor", "uplink", "firmware", "desk")
# A board may get a linked meter any day: its uplink is always there, the driver of PostgreSQL is not.
ALWAYS = ("uplink",)
RIG, DESK = "hil", "desk"
FILES = ("pyproject.toml", "README.md", "LICENSE")
SHARE = "share"
PIP = (sys.executable, "-Im", "pip", "--disable-pip-version-check")
NO_WHEEL = re.compile(r"No matching distribution found for (.+)")
# How a wheel is built that has needs of its own.
BUILT = {
    "lgpio": "apt-get install swig python3-dev gcc, then"
    "  PYPI=1 pip wheel --no-deps 'lgpio==0.2.2.0' --wheel-dir wheels"
}


def copy_tree(to: Path, packages: Iterable[str], version: str = "") -> None:
    """Lay out these packages and no others; with another version for who tries an update."""
    for name in FILES:
        shutil.copyfile(ROOT / name, to / name)
    shutil.copytree(ROOT / SHARE, to / SHARE)
    if RIG not in packages:
        project = to / "pyproject.toml"
        project.write_text(without_the_rig(project.read_text(encoding="utf-8")), encoding="utf-8")
    inside = to / "src" / "sabot"
    inside.mkdir(parents=True)
    for path in (ROOT / "src" / "sabot").iterdir():
        if path.is_file():
            shutil.copyfile(path, inside / path.name)
    if version:
        (inside / "__init__.py").write_text(f'"""Sabot."""\n\n__version__ = "{version}"\n', encoding="utf-8")
    for name in packages:
        shutil.copytree(ROOT / name, inside / name, ignore=shutil.ignore_patterns("__pycache__"))


def without_the_rig(project: str) -> str:
    """Return the project file without what the rig offers: no name of it may stand in a manifest."""
    return "".join(line for line in project.splitlines(keepends=True) if f'"sabot.{RIG}.' not in line)


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
        done = subprocess.run(words, check=False, env=environment, capture_output=True, text=True)
        if done.returncode:
            last = (done.stderr.strip() or "pip said nothing").rpartition("\n")[2]
            message = f"Sabot's own wheel was not built (pip and setuptools 77 or newer are needed): {last}"
            raise MissingError(message)


class MissingError(Exception):
    """Something that a bundle cannot be made without, and what to do about it."""


def wanted(extras: Iterable[str]) -> list[str]:
    """What Sabot needs with these extras, as pip names it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    offered = project["optional-dependencies"]
    unknown = [extra for extra in extras if extra not in offered]
    if unknown:
        message = f"there is no extra {unknown[0]!r}; there are {', '.join(sorted(offered))}"
        raise MissingError(message)
    return [*project["dependencies"], *(each for extra in extras for each in offered[extra])]


def download(
    into: Path, needs: Iterable[str], platforms: Sequence[str], python: str, wheels: Path | None = None
) -> None:
    """What Sabot needs, for the board's machine, as wheels only: a board builds nothing."""
    words = [*PIP, "download", "--quiet", "--only-binary=:all:", "--dest", str(into)]
    words += ["--find-links", str(wheels)] if wheels else []
    for platform in platforms:
        words += ["--platform", platform]
    words += ["--python-version", python] if platforms else []
    done = subprocess.run([*words, *needs], capture_output=True, text=True, check=False)
    if done.returncode:
        raise MissingError(why_not(done.stderr, python))


def why_not(said: str, python: str) -> str:
    """What pip could not find, in a line, and where it comes from then."""
    found = NO_WHEEL.search(said)
    if found is None:
        errors = [line.removeprefix("ERROR: ") for line in said.splitlines() if line.startswith("ERROR: ")]
        return f"pip could not fetch what Sabot needs: {(errors or [said.strip() or 'it said nothing'])[-1]}"
    name = found[1].strip()
    package = re.split(r"[^A-Za-z0-9_-]", name)[0]
    built = BUILT.get(package, f"pip wheel --no-deps {name!r} --wheel-dir wheels")
    return (
        f"there is no wheel of {name} for Python {python} on that machine where pip looks. Build one on "
        f"a board like it ({built}), bring it here, and name its folder: --wheels wheels"
    )


def installed_files(wheels: Iterable[Path]) -> Iterator[Listed]:
    """What the wheels put where packages lie; pip writes its own RECORD."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            for name in archive.namelist():
                place = place_in_site(name)
                if place:
                    content = archive.read(name)
                    yield Listed(place, len(content), hashlib.sha256(content).hexdigest())


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


def bundle(args: argparse.Namespace) -> Path:
    """Make the bundle that was asked for."""
    key = read_private_key(args.key) if args.key else None
    needs = wanted((*ALWAYS, *args.extra))
    if args.wheels and not any(args.wheels.glob("*.whl")):
        message = f"no wheel lies in {args.wheels}"
        raise MissingError(message)
    machine = f"linux_{args.platform[0].rpartition('_')[2]}" if args.platform else machine_here()
    if args.platform and args.platform[0].endswith("x86_64"):
        machine = "linux_x86_64"
    with tempfile.TemporaryDirectory() as folder:
        inside = Path(folder)
        shutil.copytree(ROOT / "systemd", inside / UNITS)
        build_wheel(inside / WHEELS, packages_of(args), args.as_version)
        download(inside / WHEELS, needs, args.platform, args.python, args.wheels)
        return assemble(inside, args.out, key, machine, args.python)


def packages_of(args: argparse.Namespace) -> tuple[str, ...]:
    """Return what is laid out: the rig and the desk come or stay as was said."""
    named = (*ON_A_FLOOR, RIG) if args.with_rig else ON_A_FLOOR
    return tuple(name for name in named if name != DESK or not args.without_desk)


def main(words: Sequence[str] | None = None) -> int:
    """Make a key, or make a bundle; 2 where something is missing, with the cure."""
    parser = _parser()
    args = parser.parse_args(words)
    if args.with_rig and args.without_desk:
        parser.error("the rig's commands are those of the desk")
    if args.key and args.with_rig:
        parser.error("the rig is never signed for a floor")
    try:
        if args.new_key:
            new_key(args.new_key)
            print(f"{args.new_key} is the release key, {args.new_key.with_suffix('.pub')} is for the boards")
        else:
            print(bundle(args))
    except (SabotError, MissingError) as error:
        print(f"make_bundle: {error}", file=sys.stderr)
        return 2
    except FileExistsError as error:
        print(f"make_bundle: {error.filename} is there already: a release key is made once", file=sys.stderr)
        return 2
    except OSError as error:
        print(
            f"make_bundle: {error.filename} cannot be written ({error.strerror}): the folder is missing, full"
            " or somebody else's. Nothing was made. Name another place, or make the folder.",
            file=sys.stderr,
        )
        return 2
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--new-key", type=Path, metavar="FILE", help="make a release key and its public half")
    parser.add_argument("--key", type=Path, help="the release key (without it: a development bundle)")
    parser.add_argument("--out", type=Path, default=ROOT / "dist")
    parser.add_argument("--platform", action="append", default=[], help="of another board, as pip names it")
    parser.add_argument("--python", default=python_here(), help="its Python")
    parser.add_argument("--extra", action="append", default=[], help="an extra of Sabot, such as gpio")
    parser.add_argument("--wheels", type=Path, metavar="FOLDER", help="wheels that were built for that board")
    parser.add_argument("--as-version", default="", help="another version, to try an update with")
    parser.add_argument(
        "--without-desk", action="store_true", help="the board's program and its commands alone"
    )
    parser.add_argument("--with-rig", action="store_true", help="with the simulators; never for a floor")
    return parser


if __name__ == "__main__":
    sys.exit(main())
