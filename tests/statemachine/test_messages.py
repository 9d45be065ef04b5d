"""What goes into the table and what comes out cannot be altered on its way, by whoever holds it."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine import effects, events
from sabot.statemachine.effects import Effect
from sabot.statemachine.events import Event


def messages() -> list[Any]:
    """Every event and every effect."""
    named = [*vars(events).values(), *vars(effects).values()]
    return [each for each in named if isinstance(each, type) and issubclass(each, Event | Effect)]


@pytest.mark.parametrize("message", messages(), ids=lambda each: each.__name__)
def test_a_message_is_frozen_has_its_fields_alone_and_names_them(message: Any) -> None:
    assert message.__dataclass_params__.frozen
    assert "__slots__" in vars(message)
    assert all(each.kw_only for each in message.__dataclass_fields__.values())


def test_the_messages_were_found() -> None:
    assert {effects.PayWager, effects.VoidRound, events.CardDrawn, events.KeyPressed} < set(messages())
