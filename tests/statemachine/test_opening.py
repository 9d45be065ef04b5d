"""x.4: cards received, inspected, verified, spread, washed and stacked, and what skips it."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.vocabulary.effects import RequireRole, StartShuffle
from sabot.statemachine.vocabulary.events import Key, LotRegistered, Role

from .shift import NotOfferedError, Shift
from .tables import CHAPTERS

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def received(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.receive()
    return shift


# ---------------------------------------------------------------- 4(a): received, inspected, verified


@each_chapter
def test_x_4a_cards_are_inspected_then_verified_then_spread_washed_and_shuffled(chapter: str) -> None:
    shift = received(chapter)
    assert shift.is_in(Phase.INSPECTING)
    shift.ok()
    assert shift.is_in(Phase.VERIFYING)
    shift.floor("DEVICES CHECKED")
    shift.floor("VERIFY CARDS")
    assert shift.is_in(Phase.SPREAD)
    shift.ok()
    assert shift.is_in(Phase.WASHING)
    shift.mark()
    shift.ok()
    assert shift.is_in(Phase.SHUFFLING)
    assert shift.said(StartShuffle, deck="A")
    shift.shuffler_done()
    assert shift.is_in(Phase.BETS_OPEN)


def test_641a_4a_no_cards_are_received_without_a_dealer() -> None:
    shift = Shift()
    shift.register()
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.CLOSED, "no dealer has signed on")
    assert shift.prompt == ("CLOSED", "OK=DEALER SIGN ON")


def test_641a_4a_no_cards_are_received_that_nobody_registered() -> None:
    shift = Shift(decks=2)
    shift.sign_on()
    shift.register()
    assert shift.prompt == ("CLOSED", "FLOOR: REGISTER DECK")
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.CLOSED, "2 deck(s) wanted, 1 registered")
    shift.register()
    assert shift.prompt == ("CLOSED", "OK=RECEIVE CARDS")


def test_641a_4a_the_dealer_cannot_verify_his_own_inspection() -> None:
    shift = received()
    shift.ok()
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.VERIFYING, "OK means nothing now")
    shift.mark()
    shift.press(Key.FLOOR)
    assert shift.said(RequireRole, role=Role.FLOOR, why="the dealer calls")


def test_641a_4a_a_technician_is_no_floorperson() -> None:
    shift = received()
    shift.ok()
    with pytest.raises(NotOfferedError, match="nothing to choose now"):
        shift.technician("VERIFY CARDS")


def test_641a_4a_the_deck_knows_who_opened_and_who_verified_it() -> None:
    shift = received()
    shift.ok()
    shift.floor("DEVICES CHECKED", person="f1")
    shift.floor("VERIFY CARDS", person="f2")
    deck = shift.table.state.stock.decks["A"]
    assert (deck.lot, deck.opened_by, deck.verified_by) == ("L1", "dealer", "f2")


def test_641a_4a_a_lot_is_opened_in_the_order_the_floor_chooses() -> None:
    shift = Shift()
    shift.sign_on()
    shift.register()
    second = shift.register()
    shift.floor("CHOOSE LOT", second)
    shift.ok()
    assert shift.table.state.stock.decks["A"].lot == second
    assert [lot.lot for lot in shift.table.state.stock.lots] == ["L1"]


def test_641a_4a_no_lot_is_registered_twice_and_none_without_a_name_that_fits() -> None:
    shift = received()
    shift.register()
    for lot in ("L1", "L2", "", "a name far too long for the display"):
        shift.send(LotRegistered, lot=lot, color="red")
        assert shift.why
        assert [each.lot for each in shift.table.state.stock.lots] == ["L2"]


# ---------------------------------------------------------------- devices, once a gaming day


def test_policy_devices_are_inspected_before_cards_are_verified() -> None:
    shift = received()
    shift.ok()
    assert shift.prompt == ("CARDS INSPECTED", "FLOOR: CHECK DEVICES")
    shift.floor("VERIFY CARDS")
    assert shift.is_in(Phase.VERIFYING)
    shift.floor("DEVICES CHECKED")
    assert shift.prompt == ("CARDS INSPECTED", "FLOOR: VERIFY CARDS")
    assert shift.table.state.crew.checklist == ["shoe and shuffler inspected by floor"]


def test_policy_no_round_of_the_day_begins_with_devices_that_nobody_looked_at() -> None:
    shift = Shift(shuffler=Shuffler.HAND)
    shift.receive(preshuffled=True)
    shift.ok()
    assert shift.is_in(Phase.BETS_OPEN)
    assert shift.prompt == ("DEVICES NOT CHECKED", "FLOOR: CHECK DEVICES")
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.why == "shoe and shuffler not inspected today"
    shift.floor("DEVICES CHECKED")
    shift.lock()
    assert shift.is_in(Phase.DEALING)


# ---------------------------------------------------------------- 4(b)-(c): spread for the first player


def test_641a_4b_the_first_player_looks_before_the_cards_are_washed() -> None:
    shift = received()
    shift.verify_cards()
    assert shift.prompt == ("SPREAD IN COLUMNS", "PLAYER LOOKED? OK")
    shift.ok()
    assert shift.prompt == ("WASH AND STACK", "FACE DOWN, THEN OK")


# ---------------------------------------------------------------- 4(d): two decks


@each_chapter
def test_x_4d_two_decks_are_spread_and_shuffled_one_after_the_other(chapter: str) -> None:
    shift = Shift(chapter, decks=2)
    shift.quick_shuffler = False
    shift.receive()
    shift.verify_cards()
    shift.wash()
    assert shift.in_shuffler == ["A"]
    shift.shuffler_done()
    assert shift.is_in(Phase.BETS_OPEN)
    assert shift.table.state.stock.in_play == "A"
    assert shift.in_shuffler == ["B"]
    assert not shift.table.state.stock.decks["B"].ready
    shift.shuffler_done()
    assert shift.table.state.stock.decks["B"].ready


def test_641a_3b1_the_backs_of_two_decks_differ_in_color() -> None:
    shift = Shift(decks=2)
    shift.sign_on()
    shift.register(color="red")
    shift.register(color="red")
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.CLOSED, "the backs of two decks must differ in color")


def test_641a_4e_two_decks_are_both_preshuffled_or_neither() -> None:
    shift = Shift(decks=2)
    shift.sign_on()
    shift.register(preshuffled=True)
    shift.register()
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.CLOSED, "one deck is preshuffled, the other is not")


# ---------------------------------------------------------------- 4(e): preinspected and preshuffled


@each_chapter
def test_x_4e_preshuffled_cards_skip_inspection_and_are_cut(chapter: str) -> None:
    shift = Shift(chapter, shuffler=Shuffler.HAND)
    shift.receive(preshuffled=True)
    assert shift.is_in(Phase.CUTTING)
    assert shift.prompt == ("CUT: COVER CARD 10+", "ABOVE TO BOTTOM, OK")
    shift.ok()
    assert shift.is_in(Phase.BETS_OPEN)
    assert shift.table.state.stock.decks["A"].proof == "batch L1"


def test_641a_4e_of_two_preshuffled_decks_the_second_is_shuffled_by_the_device() -> None:
    shift = Shift(decks=2)
    shift.receive(preshuffled=True)
    assert not shift.in_shuffler
    shift.ok()
    assert (shift.phase, shift.in_shuffler) == (Phase.BETS_OPEN, ["B"])


def test_641a_5g_a_reshuffling_device_takes_preshuffled_cards_uncut() -> None:
    shift = Shift(method="auto_shoe_reshuffle")
    shift.receive(preshuffled=True)
    assert shift.is_in(Phase.SHUFFLING)
    shift.shuffler_done()
    assert shift.is_in(Phase.BETS_OPEN)


def test_641a_4e_a_deck_changed_for_a_preshuffled_one_is_cut_and_not_inspected() -> None:
    shift = Shift(shuffler=Shuffler.HAND)
    shift.open_table()
    shift.register(preshuffled=True)
    shift.floor("CHANGE DECK", "A")
    assert shift.is_in(Phase.CUTTING)
    shift.ok()
    assert (shift.phase, shift.table.state.stock.decks["A"].lot) == (Phase.BETS_OPEN, "L2")


# ---------------------------------------------------------------- people


def test_policy_a_dealer_is_relieved_between_rounds_and_each_round_names_its_own() -> None:
    shift = Shift()
    shift.open_table()
    assert shift.play().dealer == "dealer"
    shift.menu("DEALER RELIEVED")
    assert shift.prompt == ("NO DEALER", "OK=DEALER SIGN ON")
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.why == "no dealer has signed on"
    shift.sign_on("second")
    record = shift.play((2,))
    assert record.dealer == "second"
    assert [note.words for note in record.notes][:2] == ["dealer dealer off", "dealer second on"]


def test_policy_no_relief_within_a_round() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.sign_on("second")
    assert (shift.why, shift.table.state.crew.dealer) == ("relief only between rounds", "dealer")
    with pytest.raises(NotOfferedError):
        shift.menu("DEALER RELIEVED")


def test_policy_nobody_is_relieved_who_has_not_signed_on() -> None:
    shift = Shift()
    shift.menu("DEALER RELIEVED")
    assert shift.why == "no dealer has signed on"


def test_policy_each_round_names_its_floorperson() -> None:
    shift = Shift()
    shift.open_table()
    assert shift.play().floor == "floor"
    shift.unlock(person="night")
    assert shift.play().floor == "night"
