from __future__ import annotations

import json
from dataclasses import fields
from enum import Enum
from fractions import Fraction
from math import inf
from types import NoneType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.rules.cards import NAMES
from sabot.statemachine.state.books import RoundRecord
from sabot.statemachine.state.ledger import Cause, MeterEntry
from sabot.statemachine.state.setup import MeterSetup, Percent
from sabot.statemachine.state.snapshot import Hit, PlayedRound, RoundState, State
from sabot.statemachine.vocabulary.codec import (
    EFFECTS,
    EVENTS,
    effect_json,
    event_json,
    read,
    read_effect,
    read_event,
    write,
)
from sabot.statemachine.vocabulary.codings import CodecError
from sabot.statemachine.vocabulary.effects import Effect, LockWagers, PayWager, ShowPrompt
from sabot.statemachine.vocabulary.events import (
    CardDrawn,
    DrawMade,
    Event,
    Key,
    KeyPressed,
    OpenCard,
    Secret,
    ShuffleCompleted,
    StackDispensed,
    TimeReached,
    WagerSensed,
)

from .shift import Shift

CARDS = st.integers(0, len(NAMES) - 1)


def through_json(value: object) -> Any:
    return json.loads(json.dumps(value))


def values_of(hint: Any) -> st.SearchStrategy[Any]:
    """Any value of a type that an event or effect has for a field."""
    plain: dict[Any, st.SearchStrategy[Any]] = {
        int: st.integers(),
        str: st.text(),
        bool: st.booleans(),
        float: st.floats(allow_nan=False, allow_infinity=False),
        NoneType: st.none(),
        Secret: CARDS.map(Secret),
        OpenCard: CARDS,
    }
    if hint in plain:
        return plain[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin is tuple and parts[-1] is Ellipsis:
        return st.lists(values_of(parts[0])).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values_of, parts))
    if isinstance(hint, type) and issubclass(hint, Enum):
        return st.sampled_from(hint)
    return st.one_of(*map(values_of, parts))


def anything_of(kind: type) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind, include_extras=True)
    return st.builds(kind, **{each.name: values_of(hints[each.name]) for each in fields(kind)})


# ---------------------------------------------------------------- there and back


@pytest.mark.parametrize("kind", EVENTS.values(), ids=EVENTS.keys())
@settings(max_examples=15)
@given(data=st.data())
def test_every_event_is_the_same_after_json(kind: type[Event], data: st.DataObject) -> None:
    event = data.draw(anything_of(kind))

    written = through_json(event_json(event, with_secrets=True))

    assert written["event"] == kind.__name__
    assert read_event(written) == event
    assert type(read_event(written)) is kind


@pytest.mark.parametrize("kind", EFFECTS.values(), ids=EFFECTS.keys())
@settings(max_examples=15)
@given(data=st.data())
def test_every_effect_is_the_same_after_json(kind: type[Effect], data: st.DataObject) -> None:
    effect = data.draw(anything_of(kind))

    written = through_json(effect_json(effect))

    assert written["effect"] == kind.__name__
    assert read_effect(written) == effect


def test_events_and_effects_are_all_known_and_their_bases_are_none() -> None:
    assert EVENTS.keys() == {each.__name__ for each in EVENTS.values()}
    assert "Event" not in EVENTS
    assert "Effect" not in EFFECTS
    assert {"CardDrawn", "Resumed", "TimeReached"} <= EVENTS.keys()
    assert {"LockWagers", "WakeAt", "Hold"} <= EFFECTS.keys()


def test_an_event_is_its_name_then_its_fields_as_json_has_them() -> None:
    event = WagerSensed(at=3.5, source="pad", seat=2, wager="ante", cents=None)

    assert event_json(event) == {
        "event": "WagerSensed",
        "at": 3.5,
        "source": "pad",
        "seat": 2,
        "wager": "ante",
        "cents": None,
    }
    assert next(iter(event_json(event))) == "event"


def test_a_key_is_written_by_its_name_and_spots_as_lists() -> None:
    assert event_json(KeyPressed(at=1.0, key=Key.PLUS))["key"] == "PLUS"
    assert effect_json(LockWagers(spots=((2, "ante"),)))["spots"] == [[2, "ante"]]


def test_fields_with_a_default_may_be_left_out() -> None:
    assert read_event({"event": "TimeReached", "at": 9}) == TimeReached(at=9.0)
    assert read_effect({"effect": "ShowPrompt", "first": "A", "second": "B"}) == ShowPrompt(
        first="A", second="B"
    )


def test_a_named_tuple_and_a_dict_with_seats_for_keys_come_back() -> None:
    entry = MeterEntry("players", "prog4.main", 2900, Cause("contribution", 7, 2))
    played = PlayedRound(7, {2: {"ante": 1000, "prog4": None}, 10: {}})

    assert write(entry) == {
        "source": "players",
        "target": "prog4.main",
        "units": 2900,
        "cause": {"what": "contribution", "round": 7, "seat": 2},
    }
    assert read(MeterEntry, through_json(write(entry)), "entry") == entry
    assert write(played)["bets"] == {"2": {"ante": 1000, "prog4": None}, "10": {}}  # type: ignore[index]
    assert read(PlayedRound, through_json(write(played)), "played") == played


def test_a_set_is_written_in_order() -> None:
    spots = frozenset({(5, "ante"), (2, "prog4"), (2, "ante")})

    assert write(spots, frozenset[tuple[int, str]]) == [[2, "ante"], [2, "prog4"], [5, "ante"]]
    assert read(frozenset[tuple[int, str]], write(spots, frozenset[tuple[int, str]]), "spots") == spots


def test_a_text_that_is_an_enum_is_written_as_a_plain_text() -> None:
    shift = Shift("pa641a")

    written: Any = write(shift.table.state.devices)

    assert type(written["knowledge"]) is str
    assert written["knowledge"] == "each_card"


def test_the_state_of_a_table_in_the_middle_of_a_round_comes_back() -> None:
    shift = Shift("pa641a")
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()
    shift.draw()

    state = shift.table.state

    assert read(State, through_json(write(state, with_secrets=True)), "state") == state


def test_the_record_of_a_round_comes_back_with_its_open_cards_by_name() -> None:
    shift = Shift("pa641a")
    shift.open_table()
    record = shift.play({2: {"ante": 1000}}, seat2="As Ah 2d 3c 4s")

    written: Any = through_json(write(record))

    assert written["public"]["seat2"] == ["As", "Ah", "2d", "3c", "4s"]
    assert read(RoundRecord, written, "record") == record


# ---------------------------------------------------------------- secrets


def test_a_card_is_null_unless_secrets_are_asked_for() -> None:
    drawn = CardDrawn(at=1.0, card=Secret(51))
    shuffled = ShuffleCompleted(at=1.0, deck="A", composition=(Secret(0), Secret(51)))

    assert event_json(drawn)["card"] is None
    assert event_json(drawn, with_secrets=True)["card"] == "As"
    assert event_json(shuffled)["composition"] == [None, None]
    assert event_json(shuffled, with_secrets=True)["composition"] == ["2c", "As"]


def test_the_state_without_secrets_names_no_card() -> None:
    shift = Shift("pa679a", method="auto_shoe")
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.draw()

    text = json.dumps(write(shift.table.state.devices))

    assert shift.table.state.play.round is not None
    assert len(shift.table.state.play.round.seen) == 3
    assert not any(f'"{name}"' in text for name in NAMES)


def test_a_card_that_everybody_may_see_is_always_written() -> None:
    assert event_json(DrawMade(at=1.0, magic_card=51))["magic_card"] == "As"


def test_a_masked_stack_cannot_be_read_back() -> None:
    masked = event_json(StackDispensed(at=1.0, count=1, cards=(Secret(7),)))

    with pytest.raises(CodecError, match=r"event\.cards\[0\]: is null \(a card written without its secret\)"):
        read_event(masked)


@pytest.mark.parametrize(
    "card",
    ["Ax", "as", "", 7, ["As"], {"card": "As"}, True],
    ids=["no card", "small", "empty", "number", "list", "object", "flag"],
)
def test_what_stands_for_a_card_is_never_repeated(card: object) -> None:
    with pytest.raises(CodecError) as refused:
        read_event({"event": "CardDrawn", "at": 1.0, "card": card})

    assert "E-EVENT-003 event.card: is no card, expected a card such as As." in str(refused.value)


def test_a_text_in_the_place_of_a_list_of_cards_is_not_repeated() -> None:
    with pytest.raises(CodecError) as refused:
        read_event({"event": "StackDispensed", "at": 1.0, "count": 2, "cards": "Kd Qh"})

    assert "event.cards: is a text, expected a list" in str(refused.value)
    assert "Kd" not in str(refused.value)


# ---------------------------------------------------------------- refusals

WAGER = {"event": "WagerSensed", "at": 1.0, "seat": 2, "wager": "ante", "cents": 1000}
REFUSED_EVENTS = {
    "no object": ([WAGER], "E-EVENT-003 event: is a list, expected an object"),
    "no name": ({"at": 1.0}, "E-EVENT-002 event.event: is missing"),
    "a name that is no text": ({"event": 7}, "E-EVENT-003 event.event: is 7, expected the name of an event"),
    "an unknown name": (
        {"event": "WagerSense"},
        "E-EVENT-004 event: there is no event 'WagerSense'. The nearest known event is WagerSensed",
    ),
    "a long unknown name": ({"event": "x" * 999}, f"there is no event '{'x' * 40}'"),
    "an effect": ({"event": "ShowPrompt"}, "E-EVENT-004 event: there is no event 'ShowPrompt'"),
    "an unknown field": (
        WAGER | {"chips": 3},
        "E-EVENT-001 event: unknown field 'chips'. The fields here are at source seat wager cents.",
    ),
    "a missing field": ({"event": "WagerSensed", "at": 1.0}, "E-EVENT-002 event.seat: is missing"),
    "a flag for a number": (
        WAGER | {"seat": True},
        "E-EVENT-003 event.seat: is true, expected a whole number",
    ),
    "a fraction of a seat": (WAGER | {"seat": 2.0}, "event.seat: is 2.0, expected a whole number"),
    "a text for a number": (WAGER | {"cents": "1000"}, "event.cents: is a text, expected a whole number"),
    "an object for a text": (WAGER | {"wager": {}}, "event.wager: is an object, expected a text"),
    "no time": (WAGER | {"at": None}, "event.at: is null, expected a number"),
    "a flag for a time": (WAGER | {"at": False}, "event.at: is false, expected a number"),
    "a time without end": (WAGER | {"at": inf}, "event.at: is inf, expected a number"),
    "a time before all others": (WAGER | {"at": "-inf"}, "event.at: is a text, expected a number"),
    "a time that is too large": (WAGER | {"at": 10**400}, "event.at: is too large, expected a number"),
    "a number for a flag": (
        {"event": "LotRegistered", "at": 1.0, "lot": "L", "color": "red", "preshuffled": 1},
        "event.preshuffled: is 1, expected true or false",
    ),
    "the largest number that is shown": (
        {"event": "LotRegistered", "at": 1.0, "lot": "L", "color": "red", "preshuffled": 2**59 - 1},
        "event.preshuffled: is 576460752303423487, expected true or false",
    ),
    "the smallest number that is not shown": (
        {"event": "LotRegistered", "at": 1.0, "lot": "L", "color": "red", "preshuffled": 2**59},
        "event.preshuffled: is too large, expected true or false",
    ),
    "an unknown key": (
        {"event": "KeyPressed", "at": 1.0, "key": "ENTER"},
        "event.key: is a text, expected one of LOCK OK BACK",
    ),
    "a number for a key": (
        {"event": "KeyPressed", "at": 1.0, "key": 3},
        "event.key: is 3, expected one of LOCK OK",
    ),
    "none of several types": (
        {"event": "DrawMade", "at": 1.0, "lucky": []},
        "event.lucky: is a list, expected a whole number or a text or null",
    ),
    "no card in a list": (
        {"event": "StackDispensed", "at": 1.0, "count": 2, "cards": ["As", "Zz"]},
        "event.cards[1]: is no card",
    ),
}


@pytest.mark.parametrize(("value", "words"), REFUSED_EVENTS.values(), ids=REFUSED_EVENTS.keys())
def test_an_event_that_cannot_be_is_refused_with_its_place(value: object, words: str) -> None:
    with pytest.raises(CodecError) as refused:
        read_event(value)

    assert words in str(refused.value)


def test_several_types_are_tried_in_turn() -> None:
    assert read_event({"event": "DrawMade", "at": 1, "lucky": 4}) == DrawMade(at=1.0, lucky=4)
    assert read_event({"event": "DrawMade", "at": 1, "lucky": "dealer"}) == DrawMade(at=1.0, lucky="dealer")
    assert read_event({"event": "DrawMade", "at": 1, "lucky": None}) == DrawMade(at=1.0)


REFUSED_SPOTS = {
    "no list": ({}, "effect.spots: is an object, expected a list, each a list of a whole number and a text"),
    "no pair": ([[2]], "effect.spots[0]: is a list, expected a list of a whole number and a text"),
    "no list for a pair": ([7], "effect.spots[0]: is 7, expected a list of a whole number and a text"),
    "a wrong end": ([[2, "ante"], [2, 3]], "effect.spots[1][1]: is 3, expected a text"),
}


@pytest.mark.parametrize(("spots", "words"), REFUSED_SPOTS.values(), ids=REFUSED_SPOTS.keys())
def test_a_spot_that_cannot_be_is_refused_with_its_place(spots: object, words: str) -> None:
    with pytest.raises(CodecError) as refused:
        read_effect({"effect": "OpenSpots", "spots": spots})

    assert words in str(refused.value)


@pytest.mark.parametrize("seat", ["two", "02", "-1", "+2", "", " 2", "2.0", "²", "1234567890"])
def test_a_seat_as_a_key_is_written_in_one_way_only(seat: str) -> None:
    with pytest.raises(
        CodecError, match=r"played\.bets\..*: is a field of this name, expected a number for its name"
    ):
        read(PlayedRound, {"number": 1, "bets": {seat: {}}}, "played")


def test_a_dict_that_is_none_and_a_slip_within_are_refused_with_their_place() -> None:
    with pytest.raises(CodecError, match=r"played\.bets: is a list, expected an object, each an object"):
        read(PlayedRound, {"number": 1, "bets": []}, "played")
    with pytest.raises(CodecError, match=r"played\.bets\.2\.ante: is a text, expected a whole number"):
        read(PlayedRound, {"number": 1, "bets": {"2": {"ante": "1"}}}, "played")


def test_a_refusal_names_file_and_line_where_it_is_told_them() -> None:
    with pytest.raises(
        CodecError,
        match=r"^E-EVENT-002 shift\.jsonl:7\.at: is missing\. The field has no default\. Add it\.$",
    ):
        read_event({"event": "TimeReached"}, "shift.jsonl:7")


def test_an_object_for_a_list_item_and_a_class_that_takes_no_field() -> None:
    with pytest.raises(CodecError, match=r"hits\[0\]: is a whole|hits\[0\]: is 3, expected an object"):
        read(list[Hit], [3], "hits")
    with pytest.raises(CodecError, match=r"E-EVENT-001 none: unknown field 'a'\. The fields here are none\."):
        read(Empty, {"a": 1}, "none")


class Empty:
    """A class without fields: nothing may stand there."""


def test_a_card_of_the_state_that_everybody_may_see_comes_back() -> None:
    hints = get_type_hints(RoundState, include_extras=True)

    assert hints["magic_card"] == Annotated[int, "card"] | None
    assert read(RoundState, write(_round(), with_secrets=True), "round") == _round()
    assert read(PayWager, write(PayWager(seat=1, wager="ante", paid=1, back=None)), "pay").back is None


def _round() -> RoundState:
    return RoundState(
        number=1,
        deck="A",
        dealer="d",
        started_at=1,
        method="hand",
        knowledge="none",
        bets={},
        players={},
        magic_card=5,
    )


# ---------------------------------------------------------------- fractions


@pytest.mark.parametrize("rate", [20, 0, Fraction(3, 2), Fraction(1, 100)])
def test_a_rate_is_written_as_a_number_or_as_a_fraction(rate: Percent) -> None:
    terms = MeterSetup(1, rate, 0)

    written = json.loads(json.dumps(write(terms)))

    assert written["primary_percent"] == (str(rate) if isinstance(rate, Fraction) else rate)
    assert read(MeterSetup, written, "terms") == terms


@pytest.mark.parametrize(
    "value",
    ["3/2/1", "6/4", "2/1", "1/0", "/2", "3/", "1.5", "", "-3/2", "\u0663/2", f"1{'0' * 30}/7", 1.5, None],
)
def test_a_fraction_written_otherwise_is_refused(value: object) -> None:
    with pytest.raises(CodecError, match=r"E-EVENT-003 terms\.primary_percent"):
        read(MeterSetup, {"seed_cents": 1, "primary_percent": value, "reserve_percent": 0}, "terms")
