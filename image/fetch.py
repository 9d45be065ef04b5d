"""Debian's packages: fetched by mmdebstrap and unpacked, none of them run; with a list of what came.

mmdebstrap runs as root or in a user namespace and takes the mirror from apt's own settings, so that no host
is written down here. The archives themselves are kept beside: the list of packages is read from them.
"""

import hashlib
import os
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from sabot.image.errors import ImageError
from sabot.image.recipe import SUITE
from sabot.image.run import run

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SOURCES = Path("/etc/apt/sources.list.d")
# A list of packages wants one to unpack.
SMALLEST = "base-files"
APT = ('APT::Install-Recommends "false"', 'Acquire::Languages "none"')
_URI = re.compile(r"^(?:URIs:|deb(?: \[[^]]*\])?)\s+(\S+/debian)/?(?:\s|$)", re.MULTILINE)


class Package(NamedTuple):
    """A Debian package that came into the image."""

    name: str
    version: str
    machine: str
    source: str
    sha256: str


def mirror() -> str:
    """Return the mirror that is asked for, or else the one that this machine's apt uses."""
    asked = os.environ.get("SABOT_DEBIAN_MIRROR", "")
    files = [*sorted(SOURCES.glob("*.sources")), *sorted(SOURCES.glob("*.list")), SOURCES.with_suffix("")]
    texts = [path.read_text(encoding="utf-8") for path in files if path.exists()]
    found = asked or next((hit[1] for text in texts if (hit := _URI.search(text))), "")
    if not found:
        raise ImageError("apt names no mirror that ends in /debian: set SABOT_DEBIAN_MIRROR")
    return found


def native_machine() -> str:
    """Return this machine as Debian names it."""
    return run("dpkg", "--print-architecture").strip()


def unpack(names: Sequence[str], machine: str, components: Sequence[str], to: Path, epoch: int) -> None:
    """Unpack packages and what they depend on into a tar or a folder, and keep their archives beside it."""
    archives = archives_of(to)
    archives.mkdir(parents=True, exist_ok=True)
    _extract(names, machine, components, [f"sync-out /var/cache/apt/archives {archives}"], to, epoch)


def download(
    names: Sequence[str], machine: str, to: Path, epoch: int, components: Sequence[str] = ("main",)
) -> list[Path]:
    """Fetch archives alone, without what they depend on, and return them."""
    to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        got = 'mkdir "$1"/got && chmod 777 "$1"/got && cd "$1"/got'
        get = f'{got} && APT_CONFIG="$MMDEBSTRAP_APT_CONFIG" apt-get -qq download {" ".join(names)}'
        _extract([SMALLEST], machine, components, [get, f"sync-out /got {to}"], Path(folder, "root"), epoch)
    return sorted(to.glob("*.deb"))


def _extract(
    names: Sequence[str], machine: str, components: Sequence[str], hooks: list[str], to: Path, epoch: int
) -> None:
    options = {
        "arch": machine,
        # Unpacked and not configured: no script of a package runs.
        "variant": "extract",
        "mode": "root" if os.geteuid() == 0 else "unshare",
        "components": ",".join(components),
        "keyring": KEYRING,
        "include": ",".join(names),
    }
    words = [f"--{name}={value}" for name, value in options.items()]
    # Archives leave by mmdebstrap's own word: root of a user namespace may not write to the user's folders.
    words += [f"--extract-hook={each}" for each in hooks]
    source = f"deb {mirror()} {SUITE} {' '.join(components)}"
    run("mmdebstrap", *words, *(f"--aptopt={each}" for each in APT), SUITE, to, source, epoch=epoch)


def archives_of(to: Path) -> Path:
    """Return the folder in which the archives of an unpacked tree are kept."""
    return to.with_name(f"{to.name}.debs")


def packages(archives: Path) -> list[Package]:
    """Return the packages that came, read from the archives themselves."""
    return sorted(_package(path) for path in archives.glob("*.deb"))


def _package(archive: Path) -> Package:
    fields = run("dpkg-deb", "--field", archive, "Package", "Version", "Architecture", "Source")
    found = dict(row.split(": ", 1) for row in fields.splitlines() if ": " in row)
    digest = hashlib.sha256(archive.read_bytes()).hexdigest()
    source = found.get("Source", found["Package"]).partition(" ")[0]
    return Package(found["Package"], found["Version"], found["Architecture"], source, digest)
