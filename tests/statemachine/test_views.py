"""What each role may see of the table, and that nobody sees a card before it is public."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from sabot.rules.cards import NAMES
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.events import Key, Role, Secret

from .life import at
from .shift import Shift
from .tables import WAYS, Way

HOUSE = {"method", "knowledge", "shuffler", "decks", "unlocked", "out_of_order", "late"}


# ---------------------------------------------------------------- by role


def test_policy_the_dealer_sees_the_felt_and_the_floor_the_house_too() -> None:
    table = at(Phase.DEALING).table
    dealer, floor = set(table.rooms.views.view(Role.DEALER)), set(table.rooms.views.view(Role.FLOOR))
    assert not dealer & HOUSE
    assert floor - dealer == HOUSE


@pytest.mark.parametrize("role", [Role.TECHNICIAN, Role.AUDITOR])
def test_policy_technician_and_auditor_see_the_policies_too(role: Role) -> None:
    view = at(Phase.DEALING).table.rooms.views.view(role)
    assert view["policies"] == {
        "composition": True,
        "deck_color": True,
        "unreadable_card": True,
        "short_stack": True,
        "sort_mode": True,
        "not_emptied": True,
        "lost_link": True,
        "contradiction": True,
    }


def test_policy_a_view_says_what_lies_where_as_counts() -> None:
    shift = at(Phase.DECIDING)
    view = shift.table.rooms.views.view(Role.DEALER)
    assert view["counts"] == {"seat2": 5, "seat5": 5, "dealer": 6}
    assert view["public"] == {"dealer": ["3c"]}
    assert view["bets"] == {2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000}}
    assert (view["asking"], view["phase"], view["round"]) == (2, "deciding", 1)
    assert shift.table.rooms.views.hidden_counts(shift.table.rooms.views.public_cards()) == {
        "seat2": 5,
        "seat5": 5,
        "dealer": 5,
    }


def test_policy_between_rounds_there_are_no_cards() -> None:
    shift = at(Phase.BETS_OPEN)
    assert shift.table.rooms.views.public_cards() == {}
    assert "public" not in shift.table.rooms.views.view(Role.DEALER)
    shift.bet(2, ante=1000)
    assert shift.table.rooms.views.view(Role.DEALER)["bets"] == {2: {"ante": 1000}}


def test_policy_the_floor_sees_each_deck_and_what_it_touched() -> None:
    shift = at(Phase.BETS_OPEN)
    shift.play((2,))
    decks: Any = shift.table.rooms.views.view(Role.FLOOR)["decks"]
    assert decks["A"] == {
        "lot": "L1",
        "color": "red",
        "rounds": 1,
        "proof": "count only",
        "ready": True,
        "since_count": 1,
        "unproven_rounds": [1],
    }


def test_policy_late_chips_are_the_floors_to_see() -> None:
    shift = at(Phase.DECIDING)
    shift.bet(3, ante=1000)
    assert shift.table.rooms.views.view(Role.FLOOR)["late"] == ["seat 3 ante placed late"]


# ---------------------------------------------------------------- no card before it is public


def told(thing: object) -> Iterable[str]:
    """Every text in a value, as it would be written, shown or logged."""
    if isinstance(thing, Secret):
        yield repr(thing)
    elif is_dataclass(thing) and not isinstance(thing, type):
        yield repr(thing)
        for field in fields(thing):
            yield from told(getattr(thing, field.name))
    elif isinstance(thing, Mapping):
        for key, value in thing.items():
            yield from told(key)
            yield from told(value)
    elif isinstance(thing, list | tuple | set | frozenset):
        for each in thing:
            yield from told(each)
    else:
        yield str(thing)


@pytest.mark.parametrize("way", [way for way in WAYS if way.knowledge in ("each_card", "stack")], ids=str)
def test_policy_no_view_and_no_effect_names_a_card_before_it_is_public(way: Way) -> None:
    shift = Shift(way.chapter, method=way.method, knowledge=way.knowledge)
    shift.open_table()
    for seat in (1, 3, 6):
        shift.bet(seat, ante=1000)
    shift.lock()
    seen = len(shift.effects)
    steps: list[Callable[[], object]] = [*[shift.draw] * 40, lambda: shift.reveal({3: "fold"})]
    for step in steps:
        if step == shift.draw and shift.phase is not Phase.DEALING:
            continue
        step()
        public = {NAMES[card] for cards in shift.table.rooms.views.public_cards().values() for card in cards}
        said = [text for role in Role for text in told(shift.table.rooms.views.view(role))]
        if shift.phase is Phase.DEALING:
            said += [text for effect in shift.effects[seen:] for text in told(effect)]
        words = {word.strip("[]'\",") for text in said for word in text.split()}
        assert words & set(NAMES) <= public
        if shift.phase is Phase.STUB:
            shift.ok()
    shift.settle_all()
    shift.next_round()
    folded = {NAMES[card] for card in shift.record.public.get("seat3", ())}
    assert not folded


def test_policy_a_secret_is_masked_wherever_it_is_written() -> None:
    secret = Secret(51)
    assert (repr(secret), str(secret), f"{secret}") == ("Secret(**)", "Secret(**)", "Secret(**)")
    assert secret == Secret(51)
    assert secret != Secret(50)
    assert secret != 51
    assert hash(secret) == hash(Secret(51))


def test_policy_no_refusal_names_a_card() -> None:
    shift = at(Phase.DEALING)
    for key in Key:
        shift.press(key)
        assert not set(shift.why.split()) & set(NAMES)
