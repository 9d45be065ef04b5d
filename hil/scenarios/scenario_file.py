"""A scenario as it stands in a file, and the files of a folder with all that their tables expand to.

``[[scenario.vary]]`` makes many scenarios of one: each list is every value of it in turn, a value that is a
table brings all its own names, and ``{name}`` in any text is filled in.
"""

import itertools
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sabot.hil.scenarios import vocabulary as known
from sabot.hil.scenarios.errors import ScenarioError, unknown
from sabot.hil.scenarios.language import ScenarioStep, needs, parse
from sabot.hil.scenarios.word_checks import Place


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a file; raise ScenarioError if it cannot be read."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ScenarioError("E-HIL-001", str(path), why=error) from error


def verify_names(names: Iterable[str], known: Sequence[str], place: str, what: str) -> None:
    """Raise ScenarioError if one of the names is not known."""
    for name in names:
        if name not in known:
            raise unknown(place, what, name, list(known))


FOLDER = Path(__file__).parent
FRESH, LINKED, BETS_OPEN, PREPARED = "fresh", "fresh-linked", "bets-open", "prepared:"
_TEXTS = ("name", "paragraph", "chapter", "method", "start", "steps", "about", "knowledge")
_FIELDS = (*_TEXTS, "needs", "vary")
_START_FIELDS = ("name", "about", "on", "hours", "steps")
_HOLE = re.compile(r"\{(\w+)\}")


class Scenario(NamedTuple):
    """One story at one table."""

    name: str
    paragraph: str
    chapter: str
    method: str
    start: str
    steps: tuple[ScenarioStep, ...]
    needs: frozenset[str]
    about: str
    file: str


class Start(NamedTuple):
    """The beginning of a story: what was done before it, on top of what, and how many hours ago."""

    name: str
    on: str
    hours: float
    steps: str
    where: str


class Library(NamedTuple):
    """All scenarios and prepared starts of some files."""

    scenarios: list[Scenario]
    starts: dict[str, Start]


def read_library(folder: Path = FOLDER) -> Library:
    """Return every scenario and prepared start of a folder, or of a file."""
    scenarios: list[Scenario] = []
    starts: dict[str, Start] = {}
    one_file = folder.suffix == ".toml"
    for path in [folder] if one_file else sorted(folder.rglob("*.toml")):
        content, where = _read(path), path.name if one_file else str(path.relative_to(folder))
        starts |= {each.name: each for each in map(_start(where), content.get("start", []))}
        for number, table in enumerate(content.get("scenario", []), 1):
            scenarios += _scenarios(table, where, number)
    _verify_whole(scenarios, starts)
    return Library(scenarios, starts)


def _read(path: Path) -> dict[str, Any]:
    content = read_toml(path)
    verify_names(content, ("scenario", "start"), str(path), "table of a scenario file")
    return content


def _start(where: str) -> Any:  # noqa: ANN401 - a reader of rows
    def read(table: Mapping[str, Any]) -> Start:
        place = f"{where}: start {table.get('name', '?')!r}"
        _verify_fields(table, _START_FIELDS, place)
        on, hours = str(table.get("on", BETS_OPEN)), float(table.get("hours", 0.0))
        return Start(str(table["name"]), on, hours, str(table.get("steps", "")), place)

    return read


def _scenarios(table: Mapping[str, Any], where: str, number: int) -> Iterator[Scenario]:
    """Yield the scenarios that a table of a file expands to."""
    place = f"{where}: scenario {table.get('name', number)!r}"
    _verify_fields(table, _FIELDS, place)
    for filling in _fillings(table.get("vary", [{}])):
        yield _scenario(table, filling, where, place)


def _verify_fields(table: Mapping[str, Any], fields: tuple[str, ...], place: str) -> None:
    verify_names(table, fields, place, "field")
    if "name" not in table:
        raise ScenarioError("E-HIL-004", place, why="it has no name")


def _fillings(rows: "list[Mapping[str, Any]]") -> Iterator[dict[str, str]]:
    """Yield every way to fill the holes."""
    for row in rows:
        lists = [[(name, value) for value in _as_list(values)] for name, values in row.items()]
        for chosen in itertools.product(*lists):
            filling: dict[str, str] = {}
            for name, value in chosen:
                filling |= value if isinstance(value, dict) else {name: str(value)}
            yield filling


def _as_list(values: Any) -> list[Any]:  # noqa: ANN401 - a value of TOML
    return values if isinstance(values, list) else [values]


def _scenario(table: Mapping[str, Any], filling: Mapping[str, str], where: str, place: str) -> Scenario:
    texts = {name: _fill(str(table.get(name, "")), filling, place) for name in _TEXTS}
    place = f"{where}: scenario {texts['name']!r}"
    _verify_table(texts, place)
    steps = read_steps(texts["steps"], place, texts["chapter"], texts["method"])
    if not any(step.verb.startswith(("see", "never", "measure", "follow")) for step in steps):
        raise ScenarioError("E-HIL-004", place, why="it expects nothing, so it cannot fall short")
    wanted = set(table.get("needs", [])) | {name for step in steps for name in needs(step)}
    start = texts["start"] or BETS_OPEN
    return Scenario(
        texts["name"],
        texts["paragraph"],
        texts["chapter"],
        texts["method"],
        start,
        steps,
        frozenset(wanted),
        texts["about"],
        where,
    )


def _fill(text: str, filling: Mapping[str, str], place: str) -> str:
    def put(hole: re.Match[str]) -> str:
        if hole[1] not in filling:
            raise unknown(place, "name of vary", hole[1], list(filling))
        return str(filling[hole[1]])

    # Twice: what fills a hole may have holes of its own.
    return _HOLE.sub(put, _HOLE.sub(put, text))


def _verify_table(texts: Mapping[str, str], place: str) -> None:
    if not texts["paragraph"]:
        raise ScenarioError("E-HIL-004", place, why="it names no paragraph")
    for field, names in (("chapter", known.chapters()), ("method", known.METHODS)):
        if texts[field] not in names:
            raise unknown(place, field, texts[field], list(names))
    level = texts["knowledge"]
    if level and level != known.KNOWLEDGE[texts["method"]]:
        raise ScenarioError("E-HIL-004", place, why=f"{texts['method']} is not dealt with {level!r}")


def read_steps(text: str, place: str, chapter: str, method: str) -> tuple[ScenarioStep, ...]:
    """Return the steps of a text; a ``#`` at the beginning of a line tells the reader of the next."""
    steps: list[ScenarioStep] = []
    about: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("#"):
            about.append(stripped.lstrip("# "))
        elif stripped:
            at = Place(f"{place}, step line {number}", chapter, method)
            steps.append(parse(stripped, at, number)._replace(about=" ".join(about)))
            about.clear()
    return tuple(steps)


def _verify_whole(scenarios: list[Scenario], starts: Mapping[str, Start]) -> None:
    """Raise ScenarioError if a name is there twice, or a start is missing."""
    seen: set[str] = set()
    for each in scenarios:
        place = f"{each.file}: scenario {each.name!r}"
        if each.name in seen:
            raise ScenarioError("E-HIL-004", place, why="there is another of this name")
        seen.add(each.name)
        _verify_start(each.start, starts, place)
    for start in starts.values():
        _verify_start(start.on, starts, start.where)


def _verify_start(name: str, starts: Mapping[str, Start], place: str) -> None:
    names = [FRESH, LINKED, BETS_OPEN, *(f"{PREPARED}{start}" for start in starts)]
    if name not in names:
        raise unknown(place, "start", name, names)
