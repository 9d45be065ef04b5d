"""How the table is built: who knows whom, and who may change what."""

from __future__ import annotations

from dataclasses import fields
from typing import get_type_hints

import pytest

from sabot.statemachine.table import Table

from .tables import table_setup


def rooms() -> dict[str, object]:
    table = Table(table_setup("pa641a"))
    return {name: room for name, room in vars(table.rooms).items() if hasattr(room, "__dataclass_fields__")}


@pytest.mark.parametrize("name", rooms())
def test_a_room_gets_what_its_fields_name(name: str) -> None:
    room = rooms()[name]
    hints = get_type_hints(type(room))
    for each in fields(room):  # type: ignore[arg-type]
        if each.name != "armed" and isinstance(hints[each.name], type):
            assert isinstance(getattr(room, each.name), hints[each.name]), each.name
