"""The surroundings of a release: files that run beside it, or change what it runs, and are none of its own.

A manifest covers the packages of a release. Which of them an interpreter takes, from where, and what the
loader puts before them is decided elsewhere: by the environment, by ``pyvenv.cfg``, by the loader's own
list, by drop-ins of the unit. What nobody needs keeps the table closed; drop-ins, which a site may have its
reasons for, are said. Whoever is root can hide all of it from here: that is for the digest from outside
(docs/verify.md).
"""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import Installation

# What the loader heeds; an isolated interpreter (-I), as the units begin it, heeds no variable of its own.
LOADER = "LD_"
PRELOADED = "etc/ld.so.preload"
OF_AN_ENVIRONMENT = frozenset({"home", "include-system-site-packages", "version", "executable", "prompt"})
UNIT_FOLDERS = (
    "etc/systemd/system", "run/systemd/system", "run/systemd/transient", "etc/systemd/system.control",
    "run/systemd/system.control", "usr/local/lib/systemd/system", "usr/lib/systemd/system",
)  # fmt: skip


def verify_surroundings(where: Installation, environment: Mapping[str, str] = os.environ) -> None:
    """Raise where something puts itself before the files of the release."""
    found = [*_set(environment), *_preloaded(where), *_configured(where)]
    if found:
        raise VerifyError("E-VERIFY-011", str(where.release or where.site), what=", ".join(found))


def verify_no_drop_ins(where: Installation) -> None:
    """Raise where the units are changed by drop-ins."""
    patterns = ("sabot*.d/*.conf", "service.d/*.conf")
    found = sorted(
        str(path)
        for folder in UNIT_FOLDERS
        for pattern in patterns
        for path in (where.root / folder).glob(pattern)
    )
    if found:
        raise VerifyError("E-VERIFY-012", str(where.root), what=", ".join(found))


def _set(environment: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(environment):
        if name.startswith(LOADER):
            yield f"{name} is set"


def _preloaded(where: Installation) -> Iterator[str]:
    try:
        content = (where.root / PRELOADED).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return
    if content.strip():
        yield f"/{PRELOADED} names libraries"


def _configured(where: Installation) -> Iterator[str]:
    """Yield what no environment of ours has in pyvenv.cfg: packages of the system, an unknown word."""
    path = Path(sys.prefix if where.release is None else where.release / "venv") / "pyvenv.cfg"
    try:
        rows = [row.partition("=") for row in path.read_text(encoding="utf-8").splitlines() if row.strip()]
    except OSError:
        return
    said = {name.strip().lower(): value.strip() for name, _, value in rows}
    if said.get("include-system-site-packages", "false").lower() != "false":
        yield "pyvenv.cfg lets in packages of the system"
    yield from (f"pyvenv.cfg says {name}" for name in sorted(said.keys() - OF_AN_ENVIRONMENT))
