from __future__ import annotations

import json
from dataclasses import fields, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from sabot.config import load_chapter
from sabot.rules.cards import NAMES
from sabot.rules.errors import SabotError
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, MeterSetup, SetupError, Shuffler
from sabot.statemachine.state.snapshot import FORMAT, SnapshotError, read_setup, setup_json
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.codings import CodecError
from sabot.statemachine.vocabulary.events import DealerSignedOn, Key, KeyPressed, TimeReached, WagerSensed

from .record_shifts import STORIES, record
from .shift import Shift
from .tables import CHAPTERS, table_setup

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot.statemachine.vocabulary.events import Event


def through_json(value: object) -> Any:
    return json.loads(json.dumps(value))


@cache
def recorded(chapter: str) -> list[Event]:
    return record(chapter).events


def within_a_round(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    shift.lock()
    shift.draw()
    return shift


# ---------------------------------------------------------------- going on


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_at_every_event_of_a_shift_the_restored_table_goes_on_as_the_other(chapter: str) -> None:
    _, setup = STORIES[chapter]
    table = Table(setup)
    for event in recorded(chapter):
        restored = Table.restore(setup, through_json(table.snapshot()))

        expected, came = table.handle(event), restored.handle(event)

        assert came == expected, event
        assert restored.snapshot() == table.snapshot(), event
        assert restored.rooms.recorded.last == table.rooms.recorded.last
    assert table.state.play.phase is Phase.CLOSED
    assert table.state.books.rounds > 1


def test_taking_a_snapshot_changes_nothing() -> None:
    shift = within_a_round()
    before = through_json(shift.table.snapshot())

    shift.table.snapshot()

    assert shift.table.snapshot() == before


def test_what_was_told_last_is_not_told_again() -> None:
    shift = within_a_round()
    restored = Table.restore(shift.setup, shift.table.snapshot())

    assert restored.handle(TimeReached(at=shift.now)) == []


def test_spots_that_were_open_are_locked_by_the_restored_table() -> None:
    shift = Shift("pa641a")
    shift.open_table()
    shift.bet(2, ante=1000)
    restored = Table.restore(shift.setup, shift.table.snapshot())

    said = restored.handle(KeyPressed(at=shift.now + 1, key=Key.LOCK))

    assert type(said[0]).__name__ == "LockWagers"
    assert len(said[0].spots) == len(shift.table.rooms.last_told.spots)  # type: ignore[attr-defined]


def test_everything_of_a_table_is_in_the_snapshot_or_follows_from_the_set_up() -> None:
    table = within_a_round().table
    parts = {each.name: getattr(table.state, each.name) for each in fields(table.state)}
    services = {"law": table.law, "phases": table.phases, "out": table.out}
    rooms = vars(table.rooms)
    known = {id(each) for each in [*parts.values(), *services.values(), *rooms.values()]}
    follows = {
        "SafeLane.armed",
        "Settling.sorted_cache",
        "Prompts.of_phase",
        "Settling._due",
        "Settling._due_by",
        "Settling._ahead",
        "Settling._ahead_by",
        "SettlingWords._ahead",
        "SettlingWords._collected",
        "SettlingWords._worded",
        "Shares._payouts",
    }
    led_up = {"FaultLatch.freed", "FaultLatch.lifted", "Dealing.irregular"}
    led_up |= {"Shuffling.order_stack", "Shuffling.void_with_deck"}

    only_until_the_next_event = {"_asked", "_first", "_pieces"}
    assert vars(table).keys() == {*only_until_the_next_event, "state", "rooms", *services}
    own = {
        f"{type(room).__name__}.{name}"
        for room in rooms.values()
        if type(room).__module__.startswith("sabot.statemachine") and hasattr(type(room), "__slots__")
        for name in type(room).__slots__
        if id(getattr(room, name)) not in known
    }
    kept = {"LastTold.effects", "LastTold.spots", "LastRecord.last"}
    only_caches = {"Contest._laid", "Looked._dark", "Looked._changed", "Looked.is_away"}
    only_caches |= {"Dealing._judged", "Dealing._wrong", "Dealing._counted", "Dealing._numbers"}
    only_caches |= {f"LastTold.{name}" for name in ("dark", "lines", "seat", "wake", "units", "accounts")}
    only_caches |= {"Decks._ends", "Decks._next", "Decks._first_end"}
    only_caches |= {"LaidCards._seen", "LaidCards._read", "Looked.wagers"}
    only_caches |= {"ActionLists._of_phase", "ActionLists._by_title", "LastRecord._before"}
    only_caches |= {"RevealQuestions._follows", "RevealQuestions._walked"}
    only_caches |= {"Settlements._follows", "Settlements._ahead"}
    only_caches |= {"RoundRecorder._follows", "RoundRecorder._in_the_end", "Lockout._blank"}
    of_the_actions = {"Actions.held", "Actions.known", "Actions.meant"}
    assert own == kept | follows | led_up | only_caches | of_the_actions


def test_a_new_table_that_never_heard_an_event_can_be_restored() -> None:
    setup = table_setup("pa683a")
    restored = Table.restore(setup, through_json(Table(setup).snapshot()))
    signed_on = DealerSignedOn(at=1.0, person="d")

    assert restored.handle(signed_on) == Table(setup).handle(signed_on)


# ---------------------------------------------------------------- form


def test_a_snapshot_is_numbered_json_that_names_its_set_up() -> None:
    shift = within_a_round()

    snapshot = through_json(shift.table.snapshot())

    assert snapshot == shift.table.snapshot()
    assert snapshot["format"] == FORMAT == 1
    assert snapshot["setup"]["chapter"] == "pa641a"
    assert snapshot["setup"]["offers"] == sorted(shift.setup.offers)


def test_a_snapshot_names_the_cards_for_the_one_who_seals_it() -> None:
    shift = within_a_round()

    snapshot: Any = shift.table.snapshot()

    assert shift.table.state.play.round is not None
    seen = [NAMES[card.card] for card in shift.table.state.play.round.seen if card is not None]
    assert snapshot["state"]["round"]["seen"] == seen
    assert len(seen) == 1


# ---------------------------------------------------------------- refusals


def taken(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    snapshot: dict[str, Any] = through_json(within_a_round().table.snapshot())
    change(snapshot)
    return snapshot


@pytest.mark.parametrize("found", [0, 2, "1", None])
def test_an_unknown_format_is_refused(found: object) -> None:
    snapshot = taken(lambda each: each.update(format=found))

    with pytest.raises(
        SnapshotError, match=rf"E-SNAPSHOT-001 snapshot: has the format {found!r}, this program reads 1"
    ):
        Table.restore(table_setup("pa641a"), snapshot)


def test_what_has_no_format_is_refused() -> None:
    with pytest.raises(SnapshotError, match="E-SNAPSHOT-001"):
        Table.restore(table_setup("pa641a"), taken(lambda each: each.pop("format")))


REFUSED = {
    "an unknown field": (lambda each: each.update(more=1), r"E-EVENT-001 snapshot: unknown field 'more'"),
    "no state": (lambda each: each.pop("state"), r"E-EVENT-002 snapshot\.state: is missing"),
    "a state of another program": (
        lambda each: each["state"].update(spin=1),
        r"E-EVENT-001 snapshot\.state: unknown field 'spin'",
    ),
    "an unknown phase": (
        lambda each: each["state"].update(phase="spinning"),
        r"snapshot\.state\.phase: is a text, expected one of closed inspecting",
    ),
    "a wrong stake": (
        lambda each: each["state"]["round"]["bets"]["2"].update(ante="10"),
        r"snapshot\.state\.round\.bets\.2\.ante: is a text, expected a whole number",
    ),
    "a masked card": (
        lambda each: each["state"]["round"]["plan"][0].update(position=None),
        r"snapshot\.state\.round\.plan\[0\]\.position: is null",
    ),
    "an unknown effect": (
        lambda each: each["told"]["lamp"].update(effect="LightHouse"),
        r"E-EVENT-004 snapshot\.told\.lamp: there is no effect 'LightHouse'. The nearest known effect is LightSeat",
    ),
}


@pytest.mark.parametrize(("change", "words"), REFUSED.values(), ids=REFUSED.keys())
def test_a_spoilt_snapshot_is_refused_with_its_place(change: Callable[[Any], None], words: str) -> None:
    with pytest.raises(CodecError, match=words):
        Table.restore(table_setup("pa641a"), taken(change))


def test_the_snapshot_of_another_chapter_is_refused_even_of_a_closed_table() -> None:
    snapshot = Table(table_setup("pa679a")).snapshot()

    with pytest.raises(SnapshotError, match=r"E-SNAPSHOT-002 .*\(chapter meters offers options\)"):
        Table.restore(table_setup("pa641a"), snapshot)


def test_another_set_up_is_refused_while_the_table_is_open() -> None:
    snapshot = within_a_round().table.snapshot()

    with pytest.raises(SnapshotError, match=r"under another set-up of the table \(maximum_cents seats\)"):
        Table.restore(table_setup("pa641a", seats=4, maximum_cents=5000), snapshot)


@pytest.mark.parametrize("change", [lambda each: each.pop("setup"), lambda each: each.update(setup=[])])
def test_a_snapshot_without_its_set_up_is_refused(change: Callable[[dict[str, Any]], None]) -> None:
    with pytest.raises(
        SnapshotError, match=r"under another set-up of the table \(adjacent_boxes change_notice_s chapter"
    ):
        Table.restore(table_setup("pa641a"), taken(change))


def test_a_closed_table_takes_up_another_set_up_and_its_meters_go_on() -> None:
    shift = Shift("md4cp")
    shift.open_table()
    shift.play({2: {"ante": 1000, "progressive": 100}})
    shift.floor("CLOSE TABLE")
    meters = {"progressive": dict(shift.setup.meters["progressive"]) | {"minor": MeterSetup(10_000, 1, 0)}}
    other = table_setup("md4cp", method="hand", decks=2, meters=meters)

    restored = Table.restore(other, through_json(shift.table.snapshot()))

    state = restored.state
    assert (state.devices.method, state.devices.knowledge, state.devices.deck_count) == (
        "hand",
        Knowledge.NONE,
        2,
    )
    assert state.devices.shuffler == Shuffler.COUNTING
    assert restored.rooms.shares.meters()["progressive"] == {
        "main": shift.table.rooms.shares.meters()["progressive"]["main"],
        "minor": 10_000,
    }
    assert restored.rooms.shares.meters()["progressive"]["main"] == 500_000 + 20
    assert state.books.ledger.is_balanced()


# ---------------------------------------------------------------- the set-up


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_set_up_comes_back(chapter: str) -> None:
    setup = STORIES[chapter][1]

    assert read_setup(through_json(setup_json(setup)), load_chapter) == setup


def test_a_set_up_needs_nothing_but_its_chapter() -> None:
    setup = read_setup({"chapter": "pa683a"}, load_chapter)

    assert setup.chapter.id == "pa683a"
    assert setup.method == "manual_shoe"
    assert setup == replace(setup, decks=1)


REFUSED_SETUPS = {
    "no object": ([], r"E-EVENT-003 table: is a list, expected an object"),
    "no chapter": ({}, r"E-EVENT-003 table\.chapter: is null, expected a text"),
    "an unknown chapter": ({"chapter": "pa999"}, "pa999"),
    "an unknown field": ({"chapter": "pa641a", "seat": 7}, r"E-EVENT-001 table: unknown field 'seat'"),
    "a wrong option": (
        {"chapter": "pa641a", "options": {"progressive_unit": "1"}},
        r"table\.options\.progressive_unit: is a text, expected a whole number",
    ),
    "an unknown policy": (
        {"chapter": "pa641a", "policies": {"luck": True}},
        r"E-EVENT-001 table\.policies: unknown field 'luck'",
    ),
    "an unknown shuffler": (
        {"chapter": "pa641a", "shuffler": "dealer"},
        r"table\.shuffler: is a text, expected one of hand plain",
    ),
}


@pytest.mark.parametrize(("value", "words"), REFUSED_SETUPS.values(), ids=REFUSED_SETUPS.keys())
def test_a_set_up_that_cannot_be_read_is_refused(value: object, words: str) -> None:
    with pytest.raises(SabotError, match=words):
        read_setup(value, load_chapter)


def test_a_set_up_that_the_law_does_not_allow_is_refused() -> None:
    with pytest.raises(SetupError, match=r"E-TABLE-001 .*8 seats"):
        read_setup({"chapter": "pa641a", "seats": 8}, load_chapter)


def test_the_clock_of_the_restored_table_does_not_run_back() -> None:
    shift = Shift("pa641a")
    shift.open_table()
    restored = Table.restore(shift.setup, shift.table.snapshot())

    restored.handle(WagerSensed(at=1.0, seat=2, wager="ante", cents=1000))

    assert restored.state.clock.now == shift.now
