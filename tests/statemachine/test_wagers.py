"""x.7 and x.8(b): the bet map, what stands, the lock-out, late chips, boxes, game accounts."""

from __future__ import annotations

import pytest

from sabot.statemachine.action import Refused
from sabot.statemachine.law import why_not_standing
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import (
    CollectWager,
    CreditAccount,
    DarkenSpots,
    HaltShoe,
    LockWagers,
    OpenSpots,
    PayWager,
    RefuseWager,
    ReturnWager,
)
from sabot.statemachine.vocabulary.events import AccountWager, Key, LinkLost, WagerSensed

from .shift import Shift, opened
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def test_x_7c_a_wager_of_the_round_that_pads_tell_anew_was_not_placed_late() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.mark()
    shift.bet(2, ante=1000)
    assert not shift.said(RefuseWager)
    assert not shift.table.state.layout.late
    shift.bet(2, ante=1500)
    assert [each.wager for each in shift.said(RefuseWager)] == ["ante"]
    shift.mark()
    shift.bet(2, ante=0)
    shift.bet(2, ante=1000)
    # What was lifted and lies there again as it was accepted is put right (test_late_wagers.py), and not new.
    assert not shift.said(RefuseWager)


def locked_bets(shift: Shift) -> dict[int, dict[str, int | None]]:
    return shift.table.state.play.current.bets


# ---------------------------------------------------------------- 7(a)-(d): what may be wagered


@each_chapter
def test_x_7_every_wager_before_the_deal_has_an_open_spot_and_no_other(chapter: str) -> None:
    shift = opened(chapter)
    spots = set(shift.said(OpenSpots)[-1].spots)
    wagers = {
        name
        for name, wager in law(chapter).wagers.items()
        if not wager.after_deal and wager.device != "account"
    }
    assert spots == {(seat, name) for seat in range(1, law(chapter).seats + 1) for name in wagers}


def test_641a_7d_a_wager_that_the_submission_does_not_offer_has_no_spot() -> None:
    shift = opened(offers=frozenset({"bad_beat"}))
    shift.mark()
    shift.bet(2, ante=1000, bad_beat=500, prog4=100)
    assert [(each.wager, each.why) for each in shift.said(RefuseWager)] == [("prog4", "bets are not open")]
    assert shift.table.state.layout.bets == {2: {"ante": 1000, "bad_beat": 500}}


@pytest.mark.parametrize(
    ("chapter", "placed", "stands"),
    [
        ("pa641a", {"ante": 1000}, {"ante"}),
        ("pa641a", {"aces_up": 500}, {"aces_up"}),
        ("pa641a", {"prog4": 100}, set()),
        ("pa641a", {"aces_up": 500, "prog4": 100, "prog5": 100}, {"aces_up", "prog4", "prog5"}),
        ("pa641a", {"aces_up": 500, "six_card": 500, "bad_beat": 500}, {"aces_up", "bad_beat"}),
        ("md4cp", {"ante": 1000, "six_card": 500}, {"ante"}),
        ("md4cp", {"ante": 1000, "aces_up": 500, "six_card": 500}, {"ante", "aces_up", "six_card"}),
        ("md4cp", {"aces_up": 500, "progressive": 100}, {"aces_up", "progressive"}),
        ("pa679a", {"prime": 500, "pair_bonus": 500, "all_six": 500}, set()),
        ("pa679a", {"ante": 1000, "prime": 500}, {"ante", "prime"}),
        ("pa682a", {"ante": 1000, "aces_bonus": 500, "all_six": 500}, {"ante", "aces_bonus", "all_six"}),
        ("pa683a", {"ante": 1000, "pocket": 500, "lo_ball": 500}, {"ante", "pocket", "lo_ball"}),
        ("pa683a", {"board": 500}, set()),
    ],
)
def test_x_7d_a_wager_without_what_it_requires_goes_back(
    chapter: str, placed: dict[str, int], stands: set[str]
) -> None:
    shift = opened(chapter)
    shift.bet(1, ante=1000)
    if chapter == "md4cp":
        shift.bet(1, aces_up=500)
    shift.bet(2, **placed)
    shift.mark()
    shift.lock()
    assert set(locked_bets(shift).get(2, {})) == stands
    back = {(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)}
    assert back == {(2, wager, placed[wager]) for wager in placed if wager not in stands}
    # What goes back is not lit as accepted any more.
    assert {(each.seat, each.wager) for each in shift.said(RefuseWager)} == {spot[:2] for spot in back}
    notes = [note.words for note in shift.table.state.play.current.notes]
    assert all(any(f"seat 2 {wager} went back: needs" in words for words in notes) for _, wager, _ in back)


def dark(shift: Shift) -> list[tuple[tuple[int, str], ...]]:
    return [each.spots for each in shift.said(DarkenSpots)]


def test_641a_2c1_a_progressive_wager_is_acknowledged_once_its_ante_lies_there() -> None:
    shift = opened()
    shift.mark()
    shift.bet(2, prog4=100)
    assert dark(shift) == [((2, "prog4"),)]
    shift.bet(2, ante=1000)
    assert dark(shift)[1:] == [()]
    shift.bet(2, ante=0)
    assert dark(shift)[2:] == [((2, "prog4"),)]
    assert {each.cite for each in shift.said(DarkenSpots)} == {"641a.7(d)"}


@pytest.mark.parametrize(("cents", "is_dark"), [(499, True), (5001, True), (500, False), (5000, False)])
def test_641a_2c1_a_wager_that_the_lock_would_refuse_is_dark_when_it_is_placed(
    cents: int, is_dark: bool
) -> None:
    shift = opened(minimum_cents=500, maximum_cents=5000)
    shift.bet(1, ante=1000)
    shift.mark()
    shift.bet(2, ante=cents)
    assert dark(shift) == ([((2, "ante"),)] if is_dark else [])
    shift.mark()
    shift.lock()
    assert [(each.seat, each.wager) for each in shift.said(RefuseWager)] == ([(2, "ante")] if is_dark else [])
    assert dark(shift) == ([()] if is_dark else [])


@pytest.mark.parametrize(
    ("cents", "why"),
    [
        (499, "under the minimum of 500 cents"),
        (5001, "over the maximum of 5000 cents"),
        (500, ""),
        (5000, ""),
    ],
)
def test_641a_7_wagers_out_of_the_limits_go_back(cents: int, why: str) -> None:
    shift = opened(minimum_cents=500, maximum_cents=5000)
    shift.bet(1, ante=1000)
    shift.bet(2, ante=cents)
    shift.lock()
    assert (2 in locked_bets(shift)) == (not why)
    words = [note.words for note in shift.table.state.play.current.notes if "went back" in note.words]
    assert words == ([f"seat 2 ante went back: {why}"] if why else [])


def test_641a_7d4_a_progressive_wager_is_of_the_unit_whatever_the_limits() -> None:
    shift = opened(minimum_cents=500)
    shift.bet(1, ante=1000, prog4=100)
    shift.bet(2, ante=1000, prog4=500)
    shift.lock()
    assert locked_bets(shift) == {1: {"ante": 1000, "prog4": 100}, 2: {"ante": 1000}}


def test_641a_7_a_pad_may_sense_presence_only() -> None:
    shift = opened(minimum_cents=500)
    shift.bet(1, ante=None, prog4=None)
    shift.lock()
    assert locked_bets(shift) == {1: {"ante": None, "prog4": None}}


def test_641a_7_a_wager_may_be_changed_and_taken_back_until_the_lock() -> None:
    shift = opened()
    shift.bet(1, ante=1000)
    shift.bet(1, ante=2500)
    shift.bet(2, ante=1000, aces_up=500)
    shift.bet(2, aces_up=0)
    shift.bet(3, ante=1000)
    shift.bet(3, ante=0)
    shift.bet(4, ante=0)
    shift.lock()
    assert locked_bets(shift) == {1: {"ante": 2500}, 2: {"ante": 1000}}


def test_641a_7_a_wager_of_less_than_nothing_is_refused() -> None:
    shift = opened()
    shift.bet(1, ante=-1)
    assert (shift.why, shift.table.state.layout.bets) == ("a wager of less than nothing", {})


def test_641a_7_nobody_is_dealt_to_without_a_wager() -> None:
    shift = opened()
    shift.lock()
    assert (shift.phase, shift.why) == (Phase.BETS_OPEN, "nobody has a wager that stands")


def test_641a_2a_a_table_may_have_fewer_seats_than_the_chapter_allows() -> None:
    shift = opened(seats=4)
    shift.bet(5, ante=1000)
    assert shift.said(RefuseWager)[-1].seat == 5
    assert {seat for seat, _ in shift.said(OpenSpots)[-1].spots} == {1, 2, 3, 4}


# ---------------------------------------------------------------- 7(c), 8(b): no more bets


@each_chapter
def test_x_8b_the_lock_is_the_first_thing_that_happens(chapter: str) -> None:
    shift = opened(chapter)
    shift.bet(1, ante=1000)
    shift.bet(2, **{"aces_up": 500, "six_card": 500} if chapter == "pa641a" else {})
    effects = shift.press(Key.LOCK)
    assert isinstance(effects[0], LockWagers)
    assert set(effects[0].spots) == set(shift.said(OpenSpots)[-1].spots)


def test_641a_7c_a_late_chip_is_refused_and_kept_with_its_time() -> None:
    shift = opened()
    shift.bet(1, ante=1000)
    shift.lock()
    shift.mark()
    shift.bet(2, ante=1000)
    at = shift.now
    (refused,) = shift.said(RefuseWager)
    assert (refused.seat, refused.wager, refused.why, refused.cite) == (
        2,
        "ante",
        "after no more bets",
        "641a.7(c)",
    )
    assert locked_bets(shift) == {1: {"ante": 1000}}
    shift.hand_back()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert [(note.at, note.words) for note in shift.record.late] == [
        (at, "seat 2 ante placed late"),
        (at + 1, "seat 2 ante put right, said the dealer"),
    ]
    assert shift.play().late == ()


def test_641a_7c_a_chip_lifted_after_the_lock_is_evidence_and_still_counts() -> None:
    shift = opened()
    shift.bet(1, ante=1000, aces_up=500)
    shift.lock()
    shift.deal()
    shift.bet(1, aces_up=0)
    assert locked_bets(shift) == {1: {"ante": 1000, "aces_up": 500}}
    assert [note.words for note in shift.table.state.layout.late] == ["seat 1 aces_up lifted late"]


def test_641a_7c_chips_that_the_dealer_takes_are_no_evidence() -> None:
    shift = opened()
    shift.bet(1, ante=1000, prog4=100)
    shift.bet(2, ante=1000)
    shift.press(Key.LOCK)
    shift.bet(1, prog4=0)
    shift.count_chips()
    shift.deal()
    shift.reveal({1: "fold"})
    for seat in (1, 2):
        shift.bet(seat, ante=0)
    shift.bet(3, ante=0)
    shift.bet(2, no_such_wager=0)
    assert shift.table.state.layout.late == []


def test_641a_7c_a_play_wager_counts_at_its_seats_turn_only() -> None:
    shift = opened()
    shift.bet(1, ante=1000)
    shift.bet(2, ante=1000)
    shift.lock()
    shift.mark()
    shift.deal()
    assert [effect.spots for effect in shift.said(OpenSpots)] == [((1, "play"),)]
    shift.send(WagerSensed, seat=2, wager="play", cents=1000)
    assert shift.said(RefuseWager)[-1].seat == 2
    shift.answer(1, play=3000)
    assert [effect.spots for effect in shift.said(LockWagers)] == [((1, "play"),)]
    assert shift.said(OpenSpots)[-1].spots == ((2, "play"),)
    shift.send(WagerSensed, seat=1, wager="play", cents=2000)
    assert shift.said(RefuseWager)[-1].seat == 1
    assert shift.table.state.play.current.raises == {1: [3000]}


def test_641a_7c_before_bets_are_open_a_chip_does_not_count() -> None:
    shift = Shift()
    shift.receive()
    shift.bet(2, ante=1000)
    assert shift.said(RefuseWager)[-1].why == "bets are not open"
    assert shift.table.state.layout.late == []


def test_641a_8b_the_lock_button_works_over_an_open_list() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.press(Key.MENU, Key.LOCK)
    assert shift.is_in(Phase.DEALING)
    assert shift.table.state.entry.menu is None


@pytest.mark.parametrize("cents", [0, 1000])
def test_641a_7c_whoever_places_while_the_table_is_held_is_refused_but_may_take_back(cents: int) -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.send(LinkLost, device="sign", reason="silent")
    assert isinstance(shift.last[0], LockWagers)
    assert shift.said(HaltShoe)
    shift.bet(2, ante=0)
    shift.bet(3, ante=cents)
    assert shift.table.state.layout.bets == {}


# ---------------------------------------------------------------- 7(e): boxes


def test_641a_7e_one_player_bets_on_no_more_adjacent_boxes_than_allowed() -> None:
    shift = opened(adjacent_boxes=2)
    for seat in (1, 2, 3, 5):
        shift.bet(seat, ante=1000)
    shift.menu("JOIN BOXES", "1+2")
    shift.menu("JOIN BOXES", "2+3")
    shift.lock()
    assert (shift.phase, shift.why) == (Phase.BETS_OPEN, "one player on 3 boxes (641a.7(e))")
    shift.menu("JOIN BOXES", "2/3")
    shift.lock()
    assert shift.table.state.play.current.players == {1: "seat1", 2: "seat1", 3: "seat3", 5: "seat5"}


def test_641a_7e_boxes_joined_in_any_order_are_one_players() -> None:
    shift = opened(adjacent_boxes=3)
    for pair in ("2+3", "1+2"):
        shift.menu("JOIN BOXES", pair)
    for seat in (1, 2, 3):
        shift.bet(seat, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.players == {1: "seat1", 2: "seat1", 3: "seat1"}


def test_641a_7e_the_last_boxes_of_the_layout_may_be_one_players_too() -> None:
    shift = opened(adjacent_boxes=3)
    for pair in ("6+7", "5+6"):
        shift.menu("JOIN BOXES", pair)
    assert shift.table.state.layout.boxes == {6: "seat5", 7: "seat5"}


def test_641a_7e_a_player_who_came_alone_is_parted_from_the_right_hand_box() -> None:
    shift = opened(adjacent_boxes=4)
    for pair in ("1+2", "2+3", "3+4", "2/3"):
        shift.menu("JOIN BOXES", pair)
    assert shift.table.state.layout.boxes == {2: "seat1", 3: "seat3", 4: "seat3"}


# ---------------------------------------------------------------- 641a.2(d), 7(d)(7): game accounts


def test_641a_7d7_a_hand_bonus_wager_comes_from_the_account() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300, hand_bonus_dealer=200)
    assert shift.table.state.layout.bets[2] == {
        "ante": 1000,
        "hand_bonus_player": 300,
        "hand_bonus_dealer": 200,
    }
    before = shift.table.rooms.shares.meters()["hand_bonus"]["main"]
    shift.lock()
    assert shift.table.rooms.shares.meters()["hand_bonus"]["main"] == before + 39 + 26


def test_641a_7d7_it_may_be_taken_back_until_the_lock() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300)
    shift.account(2, hand_bonus_player=0)
    assert shift.table.state.layout.bets[2] == {"ante": 1000}


def test_641a_8b_it_is_not_among_the_chips() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300)
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.DEALING)


@pytest.mark.parametrize("phase", ["closed", "deciding", "settling"])
def test_641a_2d_there_is_no_account_wager_at_any_other_time(phase: str) -> None:
    shift = Shift()
    if phase != "closed":
        shift.open_table()
        shift.bet(2, ante=1000)
        shift.lock()
        shift.deal()
    if phase == "settling":
        shift.reveal()
    assert shift.phase.value == phase
    shift.mark()
    shift.account(2, hand_bonus_player=300)
    why = "bets are not open" if phase == "closed" else "after no more bets"
    assert [each.why for each in shift.said(RefuseWager)] == [why]


@pytest.mark.parametrize("wager", ["ante", "no_such_wager", "prog4"])
def test_641a_7a_no_other_wager_comes_from_an_account(wager: str) -> None:
    shift = opened()
    shift.send(AccountWager, seat=2, wager=wager, cents=100)
    assert shift.why == f"{wager} is not offered on an account"


def test_641a_7d7_a_hand_bonus_that_lost_its_ante_goes_back_to_the_account() -> None:
    shift = opened()
    shift.bet(1, ante=1000)
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300)
    shift.bet(2, ante=0)
    shift.mark()
    shift.lock()
    (back,) = shift.said(ReturnWager)
    assert (back.seat, back.wager, back.cents, back.account) == (2, "hand_bonus_player", 300, True)


def test_641a_11c7iii_a_winning_hand_bonus_is_credited_to_the_account_and_never_paid_from_the_tray() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300, hand_bonus_dealer=200)
    shift.lock()
    shift.deal(seat2="As Js 9s 5s 2s", dealer="2c 4d 6h 8c Td Qh")
    shift.reveal()
    shift.mark()
    shift.settle_all()
    assert [(each.wager, each.cents) for each in shift.said(CreditAccount)] == [("hand_bonus_player", 15_000)]
    assert not [each for each in shift.said(PayWager) if each.wager.startswith("hand")]
    assert [each.cents for each in shift.said(CollectWager, wager="hand_bonus_dealer")] == [200]


def test_641a_11c7iii_a_share_of_the_meter_is_not_credited_to_the_account() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300)
    shift.lock()
    meter = shift.table.rooms.shares.meters()["hand_bonus"]["main"]
    shift.deal(seat2="9s 8s 7s 6s 5s")
    shift.reveal()
    shift.mark()
    shift.ok()
    assert shift.is_in(Phase.VALIDATING)
    shift.floor("VALIDATE HIT")
    shift.ok()
    assert not shift.said(CreditAccount)
    (paid,) = shift.said(PayWager, wager="hand_bonus_player")
    assert (paid.paid, paid.from_tray) == (meter // 10, False)
    assert shift.is_in(Phase.DOCUMENTS)


def test_641a_11c7ii_odds_of_500_for_1_are_verified_by_the_floor_and_lower_ones_are_not() -> None:
    for hand, phase in (("9s 9h 9d 9c 2h", Phase.VALIDATING), ("9s 9h 9d 2c 2h", Phase.CLEARING)):
        shift = opened()
        shift.bet(2, ante=1000)
        shift.account(2, hand_bonus_player=300)
        shift.lock()
        shift.deal(seat2=hand)
        shift.reveal()
        shift.ok()
        assert shift.is_in(phase)


def test_a_wager_has_limits_of_its_own() -> None:
    shift = opened(minimum_cents=500, limits={"aces_up": (100, 300)})
    setup = shift.table.law.setup

    assert setup.limits_of("aces_up") == (100, 300)
    assert setup.limits_of("ante") == (500, 0)
    assert not why_not_standing(setup, "aces_up", {"ante": 500, "aces_up": 200})
    assert "over the maximum of 300" in why_not_standing(setup, "aces_up", {"ante": 500, "aces_up": 400})


# ---------------------------------------------------------------- what goes back at the lock


def test_641a_7d_the_display_names_what_goes_back_until_it_was_handed_back() -> None:
    shift = opened(minimum_cents=500, maximum_cents=5000)
    shift.bet(1, ante=50000, prog4=100)
    shift.bet(2, ante=1000, prog4=100)
    shift.bet(3, ante=100)

    shift.press(Key.LOCK)

    assert shift.prompt == ("RETURN SEAT 1", "ANTE $500")
    shift.press(Key.PLUS)
    assert "chips go back first" in shift.why
    shift.ok()
    assert shift.prompt == ("RETURN SEAT 1", "4-CARD PROG $1")
    shift.bet(1, prog4=0)  # the pad felt it go
    assert shift.prompt == ("RETURN SEAT 3", "ANTE $1")
    shift.ok()
    assert "RETURN" not in shift.prompt[0]
    assert list(locked_bets(shift)) == [2]


def test_682a_7d_what_goes_back_is_asked_for_also_when_a_device_has_dealt_to_its_end() -> None:
    shift = opened("pa682a", method="auto_shoe")
    shift.bet(1, ante=1000)
    shift.bet(2, prime=500)
    shift.press(Key.LOCK)
    # An automated shoe does not wait for the dealer's hands.
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)
    assert shift.prompt == ("RETURN SEAT 2", "PRIME $5")

    shift.ok()

    # That OK meant the chips, not the stub.
    assert shift.is_in(Phase.STUB)
    assert shift.prompt[0] == "STUB TO RACK"


def test_641a_7d_after_such_a_deal_too_the_pads_word_is_enough() -> None:
    shift = opened(method="auto_shoe", minimum_cents=500)
    shift.bet(1, ante=1000)
    shift.bet(2, ante=100)
    shift.press(Key.LOCK)
    shift.deal_cards()
    assert shift.prompt == ("RETURN SEAT 2", "ANTE $1")
    shift.bet(2, ante=0)
    assert shift.prompt[0] == "STUB TO RACK"


def test_md4cp_7e_an_amount_that_has_no_room_is_left_out_and_none_is_made_up() -> None:
    shift = opened("md4cp")
    shift.bet(1, ante=1000)
    shift.bet(2, six_card=12345)
    shift.press(Key.LOCK)
    assert shift.prompt == ("RETURN SEAT 2", "SIX CARD BONUS")


def test_641a_7d_nothing_is_to_be_handed_back_where_everything_stands() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.press(Key.LOCK)
    assert "RETURN" not in shift.prompt[0]
    with pytest.raises(Refused, match="nothing is to be handed back"):
        shift.table.rooms.actions.verify("handed_back", "")


def test_policy_a_round_that_was_made_ahead_is_locked_once() -> None:
    shift = opened()
    shift.table.rooms.lockout.prepare()
    made = shift.table.rooms.lockout._blank
    shift.bet(2, ante=1000)
    shift.lock()
    assert made is shift.table.state.play.current
    assert shift.table.rooms.lockout._blank is None
