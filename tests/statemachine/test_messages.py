"""What goes into the table and what comes out cannot be altered on its way, by whoever holds it."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any

import pytest

from sabot.statemachine.state import books, ledger, parts, setup, snapshot, stock
from sabot.statemachine.state import round as rounds
from sabot.statemachine.vocabulary import effects, events
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import Event

KEPT = (snapshot, stock, rounds, parts, books, parts, ledger, books, setup)


def messages() -> list[Any]:
    """Every event and every effect."""
    named = [*vars(events).values(), *vars(effects).values()]
    return [each for each in named if isinstance(each, type) and issubclass(each, Event | Effect)]


def kept() -> list[Any]:
    """What a table's state is made of, and what is made of it."""
    named = [each for module in KEPT for each in vars(module).values()]
    here = {module.__name__ for module in KEPT}
    return [each for each in dict.fromkeys(filter(is_dataclass, named)) if each.__module__ in here]


@pytest.mark.parametrize("message", messages(), ids=lambda each: each.__name__)
def test_a_message_is_frozen_has_its_fields_alone_and_names_them(message: Any) -> None:
    assert message.__setattr__ is not object.__setattr__  # it refuses
    assert "__slots__" in vars(message)
    assert all(each.kw_only for each in message.__dataclass_fields__.values())


@pytest.mark.parametrize("part", kept(), ids=lambda each: each.__name__)
def test_a_misspelt_name_is_no_new_part_of_the_state(part: Any) -> None:
    assert "__slots__" in vars(part)
    assert "__dict__" not in dir(part)
    is_value = part.__module__ == setup.__name__ or part is books.RoundRecord
    assert part.__setattr__ is not object.__setattr__ or not is_value


def test_the_messages_were_found() -> None:
    assert {snapshot.State, rounds.RoundState, ledger.Ledger, setup.Setup} < set(kept())
    assert {effects.PayWager, effects.VoidRound, events.CardDrawn, events.KeyPressed} < set(messages())
