"""The cards of the practice table: in one place at a time, and only as much of them seen as is up."""

import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.practice.cards import PACK, Cards, CardsError
from sabot.practice.machine import MachineWatch
from sabot.practice.table_session import visible


def cards(*colors: str) -> Cards:
    return Cards(colors or ("red", "blue"), random.Random(7))


def ready() -> Cards:
    """A pack to deal from."""
    made = cards()
    made.shuffle_by_hand("red")
    return made


def test_a_card_face_down_shows_its_back_and_no_more() -> None:
    felt = ready()
    felt.draw()
    felt.lay("SEAT 1")
    assert felt.seen()["places"] == {"SEAT 1": [["red"]]}
    felt.turn("SEAT 1", 0)
    ((shown,),) = felt.seen()["places"].values()
    assert shown == ["red", felt.places["SEAT 1"][0].name]


def test_nothing_that_lies_face_down_anywhere_is_told() -> None:
    felt = ready()
    for _ in range(5):
        felt.draw()
        felt.lay("DEALER")
    felt.draw()
    told = repr(felt.seen())
    assert not any(f"'{name}'" in told for name in PACK)


def test_a_boxed_card_lies_face_up_when_it_is_drawn() -> None:
    felt = ready()
    felt.box_next()
    assert felt.draw().is_up
    assert not felt.draw().is_up


def test_641a_13a_a_boxed_card_goes_into_a_machine_as_one_that_lies_face_up() -> None:
    felt = cards()
    felt.box_in("red")
    assert felt.load("red").split()[0] == "red"
    assert sum(card.for_machine.endswith("!") for card in felt.machine["red"]) == 1


def test_641a_5b_a_card_that_is_missing_is_missing_in_the_deck_that_is_loaded_and_comes_back() -> None:
    felt = cards()
    felt.pocket_one("red")
    assert len(felt.load("red").split()) == 52
    felt.empty_machine()
    felt.give_back()
    assert len(felt.load("red").split()) == 53


def test_a_stacked_deck_gives_what_was_asked_for_in_its_order() -> None:
    felt = ready()
    felt.stack(["As", "Ah", "Ad", "Ac"])
    assert [felt.draw().name for _ in range(4)] == ["As", "Ah", "Ad", "Ac"]


def test_a_card_that_is_not_in_the_pack_cannot_be_stacked() -> None:
    felt = ready()
    felt.stack(["As"])
    felt.draw()
    with pytest.raises(CardsError, match="As"):
        felt.stack(["As"])


def test_641a_10c_a_stack_is_laid_from_its_top_or_from_its_bottom() -> None:
    felt = cards()
    felt.load("red")
    felt.give("red", ["As", "Kd", "2c"])
    felt.take_exit()
    felt.lay("DEALER", from_bottom=True)
    felt.lay("SEAT 1", whole=True)
    assert [card.name for card in felt.places["DEALER"]] == ["2c"]
    assert [card.name for card in felt.places["SEAT 1"]] == ["As", "Kd"]


def test_what_cannot_be_done_with_cards_changes_nothing() -> None:
    felt = cards()
    before = felt.seen()
    refused: list[Callable[[], object]] = [
        felt.draw,
        felt.take_exit,
        felt.take_tray,
        felt.box_next,
        lambda: felt.lay("SEAT 1"),
        lambda: felt.turn("SEAT 1", 0),
        lambda: felt.turn_all("SEAT 1"),
        lambda: felt.pick_up("SEAT 1"),
        lambda: felt.to_rack(whole=True),
    ]
    for act in refused:
        with pytest.raises(CardsError):
            act()
    assert felt.seen() == before


MOVES: dict[str, Callable[[Cards], object]] = {
    "by hand": lambda felt: felt.shuffle_by_hand("red"),
    "load": lambda felt: felt.load("blue"),
    "shuffled": lambda felt: felt.shuffled("blue"),
    "tray": lambda felt: felt.take_tray(),
    "draw": lambda felt: felt.draw(),
    "lay": lambda felt: felt.lay("SEAT 1"),
    "turn": lambda felt: felt.turn_all("SEAT 1"),
    "pick up": lambda felt: felt.pick_up("SEAT 1"),
    "rack": lambda felt: felt.to_rack(whole=False),
    "pocket": lambda felt: felt.pocket_one("red"),
    "back": lambda felt: felt.give_back(),
    "eject": lambda felt: felt.eject("blue"),
    "exit": lambda felt: felt.take_exit(),
    "empty": lambda felt: felt.empty_machine(),
    "clear": lambda felt: felt.clear(),
}


@settings(max_examples=40)
@given(st.lists(st.sampled_from(sorted(MOVES)), max_size=40))
def test_no_card_is_made_or_lost_whatever_hands_do(moves: list[str]) -> None:
    felt = cards()
    for move in moves:
        try:
            MOVES[move](felt)
        except CardsError:
            continue
    assert felt.count == 104
    felt.empty_machine()
    felt.shuffled("blue")
    felt.clear()
    felt.give_back()
    felt.boxes["blue"] += felt.tray
    assert all(sorted(card.name for card in box) == sorted(PACK) for box in felt.boxes.values())


# ---------------------------------------------------------------- machines


def shows(**changed: object) -> dict[str, object]:
    at_rest = {"cycle": 0, "deck": 0, "cycles": 0, "gave": [], "cards_out": 0}
    decks = {"first": 0, "first_cards": 0, "second": 0, "second_cards": 0}
    return {**at_rest, **decks, **changed}


def test_a_shuffler_that_does_not_deal_gives_the_deck_back_into_its_tray() -> None:
    felt = cards()
    watch = MachineWatch(felt, deals=False)
    felt.load("blue")
    watch.loaded("blue")
    assert not watch.look(shows(cycle=1, deck=66))
    assert watch.look(shows(cycles=1))
    assert [card.color for card in felt.tray] == ["blue"] * 52


def test_a_stack_comes_out_of_the_deck_that_became_smaller() -> None:
    felt = cards()
    watch = MachineWatch(felt, deals=True)
    for number, color in ((65, "red"), (66, "blue")):
        felt.load(color)
        watch.loaded(color)
        watch.look(shows(cycle=1, deck=number, cycles=number - 65))
        watch.look(shows(cycles=number - 64))
    both = {"cycles": 2, "first": 65, "first_cards": 52, "second": 66, "second_cards": 52}
    watch.look(shows(**both))
    dealt = {**both, "second_cards": 50, "gave": ["As Td"], "cards_out": 2}
    assert watch.look(shows(**dealt))
    assert [(card.name, card.color) for card in felt.exit] == [("As", "blue"), ("Td", "blue")]
    assert watch.look(shows(**{**dealt, "second": 0, "second_cards": 0, "cards_out": 52}))
    assert len(felt.exit) == 52
    assert not felt.machine["blue"]


def test_a_page_is_not_told_the_faces_that_a_machine_gave() -> None:
    assert visible({"fault": 0, "gave": ["As Kh"], "cards_out": 2}) == {"fault": 0, "cards_out": 2}
