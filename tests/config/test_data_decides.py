"""Nothing stands in a chapter file that decides nothing: what is only printed says nothing of what the table does."""

from __future__ import annotations

import ast
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import pytest

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.config.chapter_file import read_chapter
from sabot.config.errors import ConfigError
from sabot.config.loader import HERE
from sabot.config.reader import read_toml
from sabot.rules import chapter as model

ROOT = Path(__file__).resolve().parents[2]
# Where something is decided: rounds, tables, what may be submitted, what a sign must say. Not where it is printed.
DECIDING = ("rules", "statemachine", "config", "desk/sign", "firmware/run")
READERS = frozenset({"chapter_file.py", "plan_file.py"})
# Names, titles and citations are for people.
FOR_PEOPLE = frozenset({"about", "cite", "document", "game", "id", "title"})
PARTS = [
    kind
    for kind in vars(model).values()
    if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == model.__name__
]
FIELDS = [(kind.__name__, field.name) for kind in PARTS for field in fields(kind)]


@cache
def _asked_for() -> tuple[frozenset[str], frozenset[str]]:
    """The attributes that deciding modules read, and the names that they look up."""
    files = (
        file for folder in DECIDING for file in (ROOT / folder).rglob("*.py") if file.name not in READERS
    )
    nodes = [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]
    attributes = frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute))
    names = frozenset(
        node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    return attributes, names


@pytest.mark.parametrize(("part", "name"), FIELDS, ids=[f"{part}.{name}" for part, name in FIELDS])
def test_every_field_of_a_chapter_decides_something_or_is_for_people(part: str, name: str) -> None:
    attributes, _ = _asked_for()
    assert name in attributes | FOR_PEOPLE or name.endswith("_cite"), f"nobody asks for {part}.{name}"


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_rule_of_the_deck_is_asked_for_or_stands_beside_a_number(chapter: str) -> None:
    _, names = _asked_for()
    beside_a_number = {
        "cards",
        "cut",
        "stub",
    }  # the pack, the depth of the cut, the rounds between two counts
    assert set(load_chapter(chapter).deck.rules) - names <= beside_a_number


def test_x_5g_what_a_reshuffling_device_frees_of_is_something_that_the_table_knows() -> None:
    data = read_toml(HERE / "chapters" / "pa641a.toml")
    data["shuffle"]["reshuffler_exempt"]["from"] = ["cut", "lunch"]  # type: ignore[index]
    with pytest.raises(ConfigError, match="lunch"):
        read_chapter("pa641a.toml", data)
