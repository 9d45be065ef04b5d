"""A rig: what a table under test stands on, described in one file, in labgrid's words.

*Resources* are what is there (``features``); *drivers* move them: hands at the devices, a desk at the
console, a switch for the power; the *strategy* brings a table to where a scenario begins. A scenario knows
none of it: it says which features it needs.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from sabot.hil.scenarios.errors import ScenarioError, unknown
from sabot.hil.scenarios.record import PlayedScenario, ScenarioRun
from sabot.hil.scenarios.scenario_file import Library, Scenario, read_toml, verify_names

RIGS = Path(__file__).resolve().parent.parent / "rigs"
_FIELDS = ("title", "strategy", "player", "features", "jobs", "patience", "limits_ms", "selection")


class Rig(NamedTuple):
    """One file of ``hil/rigs``; what is a table in it is the strategy's own."""

    name: str
    title: str
    strategy: str
    features: frozenset[str]
    jobs: int
    patience: float
    limits_ms: dict[str, float]
    own: dict[str, Any]
    player: str = ""
    selection: tuple[str, ...] = ()


Tell = Callable[[PlayedScenario, int, int, float], None]


class RigOrder(NamedTuple):
    """An order of scenarios for a rig that stands elsewhere."""

    target: str
    files: Path | None
    scenarios: list[Scenario]


Player = Callable[[RigOrder, Rig, Tell], ScenarioRun]


class TableUnderTest(Protocol):
    """One table, from the start of a scenario to its end. ``root`` holds control.sock and console.sock."""

    root: Path
    offset_s: float
    memory: dict[str, Any]

    def power(self, word: str) -> None:
        """Switch the controller ``on``, ``cut`` its power, or ``stop`` it in good order."""

    def is_on(self) -> bool:
        """Return whether the controller has power."""

    def log(self) -> str:
        """Return the log of the program."""

    def close(self) -> None:
        """Put everything away."""


class RigStrategy(Protocol):
    """Brings tables to where scenarios begin."""

    def environment(self) -> dict[str, str]:
        """Return the record's description of the machine, the program and its digest."""

    def unfit(self, scenario: Scenario) -> str:
        """Return why this scenario cannot begin at any table of the rig; empty if it can."""

    def table(self, scenario: Scenario) -> TableUnderTest:
        """Return a table where this scenario begins; nobody else has it."""

    def close(self) -> None:
        """Put the rig away."""


def names() -> list[str]:
    """Return the rigs that there are."""
    return sorted(path.stem for path in RIGS.glob("*.toml"))


def read_rig(name: str) -> Rig:
    """Return a rig by its name, or the file of one."""
    path = Path(name) if name.endswith(".toml") else RIGS / f"{name}.toml"
    if not path.exists() and not name.endswith(".toml"):
        raise unknown("--target", "rig", name, names())
    content = read_toml(path)
    _verify(content, str(path))
    own = {key: value for key, value in content.items() if key not in _FIELDS}
    return Rig(
        path.stem,
        content["title"],
        content["strategy"],
        frozenset(content["features"]),
        int(content.get("jobs", 1)),
        float(content.get("patience", 1.0)),
        dict(content.get("limits_ms", {})),
        own,
        str(content.get("player", "")),
        tuple(content.get("selection", ())),
    )


def _verify(content: dict[str, Any], place: str) -> None:
    for field in ("title", "strategy", "features"):
        if field not in content:
            raise ScenarioError("E-HIL-001", place, why=f"it has no {field!r}")
    fields = [field for field, value in content.items() if not isinstance(value, dict)]
    verify_names(fields, _FIELDS, place, "field of a rig")


def strategy_of(rig: Rig, library: Library) -> RigStrategy:
    """Return the strategy that the rig's file names."""
    made: RigStrategy = _named(rig, rig.strategy)(rig, library)
    return made


def player_of(rig: Rig) -> Player | None:
    """Return the player of a rig that stands elsewhere; None if it stands here."""
    player: Player | None = _named(rig, rig.player) if rig.player else None
    return player


def _named(rig: Rig, words: str) -> Any:  # noqa: ANN401 - what a rig's file names
    """Return the object under ``module:name``."""
    module, _, name = words.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ScenarioError("E-HIL-006", rig.name, why=error) from error
