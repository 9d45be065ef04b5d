"""Reading what people write for the rig: TOML, in which an unknown name is an error with the nearest one."""

import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from sabot.hil.scenarios.errors import ScenarioError, unknown


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a file; ScenarioError where it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ScenarioError("E-HIL-001", str(path), why=error) from error


def verify_names(names: Iterable[str], known: Sequence[str], place: str, what: str) -> None:
    """Raise where one of the names is none of the known ones."""
    for name in names:
        if name not in known:
            raise unknown(place, what, name, list(known))
