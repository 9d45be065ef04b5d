"""How the table is built: who knows whom, and who may change what."""

from __future__ import annotations

import ast
from dataclasses import fields
from graphlib import TopologicalSorter
from pathlib import Path
from typing import TYPE_CHECKING, get_type_hints

import pytest

from sabot import statemachine
from sabot.statemachine.state import snapshot
from sabot.statemachine.table import Table

from .tables import table_setup

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(str(statemachine.__file__)).parent
# What changes a list, a dict or a set in place.
CHANGES = {
    "append",
    "extend",
    "clear",
    "remove",
    "pop",
    "insert",
    "setdefault",
    "update",
    "sort",
    "add",
    "discard",
}
# By which names a value of the state goes in the rooms.
NAMES = {
    **{each.name: each.name for each in fields(snapshot.State)},
    **dict.fromkeys(("round_", "current", "round", "now", "before"), "round"),
    **dict.fromkeys(("held", "latched"), "hold"),
    **{name: name for name in ("deck", "pending", "menu", "day", "ledger", "linked", "claim")},
}


def rooms() -> dict[str, object]:
    table = Table(table_setup("pa641a"))
    return {name: room for name, room in vars(table.rooms).items() if hasattr(room, "__dataclass_fields__")}


def changed(node: ast.AST) -> list[ast.expr]:
    """What a statement assigns to, deletes, or changes in place."""
    if isinstance(node, ast.Assign | ast.Delete):
        return list(node.targets)
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        return [node.target]
    is_change = (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES
    )
    return [node.func.value] if is_change else []  # type: ignore[attr-defined]


def attributes(found: list[ast.expr]) -> Iterator[ast.Attribute]:
    """The attributes among them, whatever of an attribute is changed."""
    for each in found:
        if isinstance(each, ast.Tuple | ast.List):
            yield from attributes(each.elts)
        elif isinstance(each, ast.Subscript | ast.Starred):
            yield from attributes([each.value])
        elif isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
            yield from attributes([each.func.value])
        elif isinstance(each, ast.Attribute):
            yield each


def owner(base: ast.expr) -> str | None:
    """What an attribute is of, as far as its name tells."""
    words = ast.unparse(base)
    return "deck" if words.endswith("]") and "decks[" in words else NAMES.get(words.rpartition(".")[2])


def writers() -> dict[tuple[str, str], set[str]]:
    """The rooms that write each field of the state; what the state does to itself is its own."""
    found: dict[tuple[str, str], set[str]] = {}
    for path in sorted([*FOLDER.glob("*.py"), *FOLDER.glob("prompts/*.py")]):
        for room in ast.parse(path.read_text()).body:
            for node in ast.walk(room):
                for each in attributes(changed(node)):
                    whose = owner(each.value)
                    if whose is not None:
                        found.setdefault((whose, each.attr), set()).add(getattr(room, "name", path.stem))
    return found


def test_no_field_of_the_state_is_written_by_two_rooms() -> None:
    found = writers()

    assert len(found) > 20, "the search finds what is written"
    assert {field: who for field, who in found.items() if len(who) > 1} == {}


@pytest.mark.parametrize("name", rooms())
def test_a_room_gets_what_its_fields_name(name: str) -> None:
    room = rooms()[name]
    hints = get_type_hints(type(room))
    for each in fields(room):  # type: ignore[arg-type]
        if each.name != "armed" and isinstance(hints[each.name], type):
            assert isinstance(getattr(room, each.name), hints[each.name]), each.name


HERE = "sabot.statemachine"


def named(path: Path) -> str:
    """The name of a module of the table, without that of the table."""
    return ".".join(path.relative_to(FOLDER).with_suffix("").parts)


def imports(path: Path) -> set[str]:
    """The modules of the table that a module imports, those for types alone too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and f"{node.module}.".startswith(f"{HERE}."):
            folder = FOLDER.joinpath(*node.module.removeprefix(HERE).split("."))
            if folder.is_dir():
                found |= {named(folder / f"{each.name}.py") for each in node.names}
            else:
                found.add(named(folder.with_suffix(".py")))
    return found


def test_no_module_of_the_table_imports_itself_by_others() -> None:
    modules = {named(path): imports(path) for path in FOLDER.rglob("*.py")}

    assert modules["state.snapshot"] >= {"state.round", "vocabulary.codec"}, "folders are looked into"
    assert len(list(TopologicalSorter(modules).static_order())) >= len(modules)


def test_no_room_knows_the_table() -> None:
    known = {path.stem for path in FOLDER.rglob("*.py") if {"table", "rooms"} & imports(path)}

    assert known == {"table"}


def test_no_room_writes_itself_out_with_the_rooms_below_it() -> None:
    # A room knows rooms that know rooms: written out as values they are, each as often as ways lead to it, a test
    # that failed with one in its assertion went on for hours.
    values = {"last_told", "recorded"}
    assert {name for name, room in rooms().items() if type(room).__repr__ is not object.__repr__} == values
