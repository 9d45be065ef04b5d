"""All that can be fuzzed, by name: the codecs, and the aims beside them, under one face."""

import sys
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from tests.fuzz import targets

# The longest input of each, and the packages whose coverage leads: said here, for a package must not be imported
# before its coverage is watched.
AIMS = {
    "round-json": (4096, ("sabot.rules", "sabot.desk.json_input", "sabot.desk.commands")),
    "table-file": (6000, ("sabot.config", "sabot.firmware", "sabot.statemachine.state.setup")),
    "console": (8192, ("sabot.firmware.console", "sabot.firmware.credentials")),
    "journal-file": (
        512,
        ("sabot.firmware.journal", "sabot.desk.commands", "sabot.statemachine.vocabulary.codec"),
    ),
    "export-file": (16_384, ("sabot.firmware.journal",)),
    "bundle": (16_384, ("sabot.firmware.update", "sabot.firmware.integrity")),
}
CODEC = (4096, ("sabot.drivers",))
# What tests/firmware shares lies on the path of its tests, and must here too.
SHARED = str(Path(__file__).parents[1] / "firmware")


class Aim(Protocol):
    """Something under fire: good inputs, pieces of them, and what must hold for any input."""

    seeds: Sequence[bytes]
    words: Sequence[bytes]

    def check(self, data: bytes) -> None:
        """Raise where something is broken."""


class _Codec:
    def __init__(self, name: str) -> None:
        self.seeds: Sequence[bytes] = targets.target(name).frames
        self.words: Sequence[bytes] = ()
        self.check = partial(targets.check, name)


def names() -> list[str]:
    """Every codec and every aim."""
    return [*targets.names(), *AIMS]


def include(name: str) -> Sequence[str]:
    """The packages whose coverage leads."""
    return AIMS.get(name, CODEC)[1]


def longest(name: str) -> int:
    """A bound on an input."""
    return AIMS.get(name, CODEC)[0]


@cache
def aim(name: str) -> Aim:
    """The one of this name, ready to be fired at."""
    found: Aim = _module(name).Aim() if name in AIMS else _Codec(name)
    return found


def close(name: str) -> None:
    """Let go of what it holds, where it holds anything."""
    let_go = getattr(aim(name), "close", None)
    if let_go is not None:
        let_go()


def _module(name: str) -> Any:
    if SHARED not in sys.path:
        sys.path.append(SHARED)
    return import_module(f"tests.fuzz.aims.{name.replace('-', '_')}")
