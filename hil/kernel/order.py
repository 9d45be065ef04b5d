"""The folder that goes into the machine, and comes out of it, when scenarios are played there.

The folder is shown to the machine as a share of its own, to write in. Each scenario is kept as it ends and
then told on the console, so a machine that dies takes nothing with it that was played.
"""

import json
import re
from pathlib import Path

from sabot.hil.scenarios.rig import RigOrder
from sabot.hil.scenarios.scenario_file import FOLDER, Library, read_library

SHARE, PLACE = "order", Path("/mnt/order")
MARK = "RIG-PLAYED"
PLAYED = re.compile(rf"{MARK} (\d+)")
ENVIRONMENT = "environment.json"
_ORDER = "order.json"


def write(order: RigOrder, folder: Path) -> None:
    """Put an order there."""
    plain = {
        "target": str(Path(order.target).resolve()) if order.target.endswith(".toml") else order.target,
        "files": str(order.files.resolve()) if order.files else "",
        "scenarios": [each.name for each in order.scenarios],
    }
    (folder / _ORDER).write_text(json.dumps(plain), encoding="utf-8")


def read(folder: Path) -> tuple[RigOrder, Library]:
    """Return the order that was put there, and the library that it chooses from."""
    plain = json.loads((folder / _ORDER).read_text(encoding="utf-8"))
    files = Path(plain["files"]) if plain["files"] else None
    library = read_library(files or FOLDER)
    wanted = set(plain["scenarios"])
    chosen = [each for each in library.scenarios if each.name in wanted]
    return RigOrder(plain["target"], files, chosen), library


def played_at(folder: Path, number: int) -> Path:
    """Return the place where a scenario is kept, by the count of those that have ended."""
    return folder / f"{number}.json"
