"""What stands in a chapter file decides: each key makes another chapter, and each part of it is read by those who act.

The ledger names keys of chapter files as what holds a clause. A key that is read and thrown away, or that only a
printer reads, would hold nothing.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import deciding
from deciding import Watched, decides
from mutate import leaves
from sabot.config import CHAPTER_IDS
from sabot.config.chapter_file import read_chapter
from sabot.config.errors import ConfigError
from sabot.config.reader import Toml, read_toml

FILES = Path(__file__).resolve().parents[2] / "config" / "chapters"
Place = tuple[str | int, ...]


def chapter_file(chapter: str) -> Toml:
    return read_toml(FILES / f"{chapter}.toml")


# ---------------------------------------------------------------- each key makes another chapter


def keys(data: Toml) -> dict[tuple[object, ...], Place]:
    """Return one place of each kind of key: rows of one paytable have the keys of any other's."""
    return {(place[0], place[-1], len(place)): place for place, _ in leaves(data, ())}


def altered(value: object) -> Iterator[Any]:
    """Yield other values of the same type, until one is taken."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1)
    elif isinstance(value, str):
        yield f"{value} x"
    elif isinstance(value, list):
        yield [*value[:-1], *altered(value[-1])] if value else ["x"]


def put(data: Toml, place: Place, value: object) -> Toml:
    result: Any = copy.deepcopy(data)
    here = result
    for key in place[:-1]:
        here = here[key]
    here[place[-1]] = value
    return result  # type: ignore[no-any-return]


def is_felt(data: Toml, place: Place, value: object) -> bool:
    """Whether a chapter with this value is another one, or none."""
    try:
        return read_chapter("x", put(data, place, value)) != read_chapter("x", data)
    except ConfigError:
        return True


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_key_of_a_chapter_file_makes_another_chapter_or_is_refused(chapter: str) -> None:
    data, unfelt = chapter_file(chapter), []
    for place in keys(data).values():
        here: Any = data
        for key in place:
            here = here[key]
        if not any(is_felt(data, place, value) for value in altered(here)):
            unfelt.append(place)
    assert unfelt == []


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("opening", "steps", ["inspect"]),
        ("shuffle", "when", ["after_round"]),
        ("shuffle", "idle", ["spread"]),
        ("irregularities", "wrong_count", {"cite": "641a.13(c)", "outcome": "void", "then": ["reshuffle"]}),
    ],
)
def test_what_decided_nothing_is_refused_where_it_stands_again(part: str, key: str, value: object) -> None:
    data = chapter_file("pa641a")
    section = data.setdefault(part, {})
    assert isinstance(section, dict)
    section[key] = value
    with pytest.raises(ConfigError, match="E-CONF-002"):
        read_chapter("pa641a.toml", data)


# ---------------------------------------------------------------- each part is read by those who act


def test_every_part_of_a_chapter_is_read_by_the_rules_or_the_table() -> None:
    readers = deciding.readers()
    assert [field for field, modules in readers.items() if not modules] == []
    assert "sabot.statemachine.prompts.before_round" in readers["DeckRule.cut_least_from_top"]
    assert "sabot.statemachine.irregular" in readers["IrregularityRule.only_when"]


def test_whoever_prints_decides_nothing() -> None:
    assert decides("sabot.statemachine.stub")
    assert decides("sabot.rules.settlement.round_settlement")
    assert decides("sabot.config.submission_limit")
    for printer in (
        "sabot.firmware.chapter",
        "sabot.rules.odds.par_sheet",
        "sabot.statemachine.views",
        "tests",
    ):
        assert not decides(printer)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a chapter."""

    number: int


def test_a_field_that_is_watched_says_who_read_it_and_no_comparison_counts() -> None:
    watched = Watched(Part, "number")
    assert Part(1) == Part(1) != Part(2)
    assert watched.readers == set()
    assert Part(3).number == 3
    assert watched.readers == {__name__}
