"""What goes into the table and what comes out cannot be altered on its way, by whoever holds it."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any

import pytest

from sabot.statemachine import effects, events, ledger, record, setup, state
from sabot.statemachine.effects import Effect
from sabot.statemachine.events import Event


def messages() -> list[Any]:
    """Every event and every effect."""
    named = [*vars(events).values(), *vars(effects).values()]
    return [each for each in named if isinstance(each, type) and issubclass(each, Event | Effect)]


def parts() -> list[Any]:
    """What a table's state is made of, and what is made of it."""
    named = [each for module in (state, ledger, record, setup) for each in vars(module).values()]
    here = {state.__name__, ledger.__name__, record.__name__, setup.__name__}
    return [each for each in dict.fromkeys(filter(is_dataclass, named)) if each.__module__ in here]


@pytest.mark.parametrize("message", messages(), ids=lambda each: each.__name__)
def test_a_message_is_frozen_has_its_fields_alone_and_names_them(message: Any) -> None:
    assert message.__dataclass_params__.frozen
    assert "__slots__" in vars(message)
    assert all(each.kw_only for each in message.__dataclass_fields__.values())


@pytest.mark.parametrize("part", parts(), ids=lambda each: each.__name__)
def test_a_misspelt_name_is_no_new_part_of_the_state(part: Any) -> None:
    assert "__slots__" in vars(part)
    assert "__dict__" not in dir(part)
    is_kept = part.__module__ in (setup.__name__, record.__name__) and part is not record.LastRecord
    assert part.__dataclass_params__.frozen or not is_kept


def test_the_messages_were_found() -> None:
    assert {state.State, state.RoundState, ledger.Ledger, setup.Setup} < set(parts())
    assert {effects.PayWager, effects.VoidRound, events.CardDrawn, events.KeyPressed} < set(messages())
