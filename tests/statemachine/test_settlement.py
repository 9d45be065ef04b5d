"""x.11(c)-(d): the reveal, settlement seat by seat, hits and documents, draws, and clearing."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary.effects import (
    CollectWager,
    CreditAccount,
    FreezeHit,
    LightSeat,
    PayWager,
    RecordRound,
    RequireRole,
    ReturnWager,
    SetMeter,
)
from sabot.statemachine.vocabulary.events import DrawMade, Key, LinkLost, Role

from .eyes import Eyes
from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
FOUR_NINES = "9s 9h 9d 9c 2h"
ROYAL, STRAIGHT_FLUSH = "As Ks Qs Js Ts", "9h 8h 7h 6h 5h"
NOTHING = "2d 4h 6s 8c Jd 3c"


def revealed(
    chapter: str = "pa641a", bets: dict[int, dict[str, int | None]] | None = None, **given: Any
) -> Shift:
    """The dealer's cards are turned, the first seat is to be settled."""
    hands = {
        name: given.pop(name)
        for name in list(given)
        if name.startswith(("seat", "dealer", "six", "community"))
    }
    answers, rests = given.pop("answers", {}), given.pop("rests", False)
    shift = Shift(chapter, **given)
    shift.open_table()
    for seat, wagers in (bets or {2: {"ante": 1000}, 5: {"ante": 1000}}).items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.deal(**hands)
    if rests:
        shift.answer_all(answers)
        while shift.table.prepare():
            pass
    shift.reveal(answers)
    shift.mark()
    return shift


MOVES: tuple[type[PayWager | CollectWager | ReturnWager], ...] = (PayWager, CollectWager, ReturnWager)


def moved(shift: Shift) -> set[tuple[int, str]]:
    """The spots whose money was moved since the mark."""
    return {(effect.seat, effect.wager) for kind in MOVES for effect in shift.said(kind)}


# ---------------------------------------------------------------- 11(c): the order


@each_chapter
def test_x_11c_seats_are_settled_from_the_dealers_right_one_confirmed_at_a_time(chapter: str) -> None:
    shift = revealed(chapter, {seat: {"ante": 1000} for seat in (1, 3, 6)})
    order = []
    while shift.phase is Phase.SETTLING:
        order.append(shift.said(LightSeat)[-1].seat if shift.said(LightSeat) else 6)
        assert shift.prompt[0].startswith(f"SEAT {order[-1]}")
        shift.mark()
        shift.ok()
        assert {seat for seat, _ in moved(shift)} == {order[-1]}
    assert order == [6, 3, 1]
    assert shift.is_in(Phase.CLEARING)


@each_chapter
def test_x_11c_each_line_of_the_settlement_is_carried_out_once_and_cited(chapter: str) -> None:
    optional: dict[str, int | None] = {
        name: 500 for name, wager in law(chapter).wagers.items() if wager.optional and not wager.device
    }
    base: dict[str, int | None] = {"ante": 1000}
    if chapter in ("pa641a", "md4cp"):
        base["aces_up"] = 500
    shift = revealed(chapter, {2: base | optional, 4: base, 6: base | optional}, answers={4: "fold"})
    lines = list(shift.table.state.play.current.lines)
    shift.settle_all()
    assert all(effect.cite for kind in MOVES for effect in shift.said(kind))
    assert moved(shift) == {
        (line.seat, line.wager) for line in lines if not (line.result == "forfeit" and line.wager == "ante")
    }
    for line in lines:
        paid = shift.said(PayWager, seat=line.seat, wager=line.wager)
        assert [(each.paid, each.back) for each in paid] == (
            [(line.paid, line.back)] if line.result == "win" else []
        )


def test_641a_11c3_what_the_dealer_pays_and_takes_is_on_the_display() -> None:
    shift = revealed(
        bets={seat: {"ante": 1000} for seat in (1, 2)},
        seat1="As Ad Ac 2h 3d",
        seat2="2c 4s 6h 8d Th",
        dealer="Kd Ks 5c 7h 9s 3h",
    )
    assert shift.prompt == ("SEAT 2", "TAKE $20")
    shift.ok()
    assert shift.prompt[0] == "SEAT 1"
    assert shift.prompt[1].startswith("PAY $")


def test_679a_11c3_what_is_paid_and_what_is_taken_each_has_its_line() -> None:
    bets: dict[int, dict[str, int | None]] = {2: {"ante": 1000, "prime": 500}}
    shift = revealed("pa679a", bets, dealer="2d 4h 6s", seat2="Kc Ks 3h")
    lines = {line.wager: line.result for line in shift.table.state.play.current.lines}
    assert lines == {"ante": "returned", "play": "win", "prime": "lose"}
    assert shift.prompt == ("SEAT 2 PAY $10", "TAKE $5")


def test_641a_11c5_a_progressive_chip_that_was_collected_at_the_count_is_not_taken_again() -> None:
    shift = revealed(
        bets={2: {"ante": 1000, "prog4": 100}}, seat2="2c 4s 6h 8d Th", dealer="Kd Ks 5c 7h 9s 3h"
    )
    assert shift.prompt == ("SEAT 2", "TAKE $20")


def test_641a_11c5iv_what_a_meter_pays_is_not_told_as_paid_from_the_tray() -> None:
    shift = revealed(bets={2: {"ante": 1000, "prog4": 100}}, seat2="As Ah Ad Ac 3h", dealer=NOTHING)
    assert shift.prompt == ("SEAT 2", "PAY $270")
    shift.ok()
    shift.floor("VALIDATE HIT")
    assert shift.prompt == ("SEAT 2", "METER $5,000.29")


def test_641a_11c7_an_account_is_credited_and_not_paid() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300)
    shift.lock()
    shift.deal(seat2="As Ah Ad Kc Kd", dealer="2d 4h 6s 8c Jd 3c")
    shift.reveal()
    assert shift.prompt == ("SEAT 2 PAY $40", "ACCOUNT $300")


@pytest.mark.parametrize(
    ("hand", "words"), [("As Ad Ac Ah 3d", "PAY BY ODDS"), ("2c 4s 6h 8d Th", "TAKE LOST WAGERS")]
)
def test_641a_12_a_stake_of_unknown_value_is_paid_by_odds_or_taken_as_it_lies(hand: str, words: str) -> None:
    shift = revealed(bets={2: {"ante": None}}, seat2=hand, dealer="Kd Ks 5c 7h 9s 3h")
    assert shift.prompt == ("SEAT 2", words)


def test_641a_11c_a_seat_that_gets_its_wagers_back_is_told_so() -> None:
    shift = Shift("pa679a")
    shift.open_table()
    shift.bet(2, ante=1000, prime=500)
    shift.bet(5, ante=1000)
    shift.lock()
    shift.deal(seat2="Kc Kh Qd", dealer="2d 4h 6s")
    shift.menu("IRREGULARITY", "dealer_exposed")
    shift.ok()
    assert shift.prompt == ("SEAT 5", "RETURN WAGERS")
    shift.ok()
    assert shift.prompt == ("SEAT 2 TAKE $5", "RETURN WAGERS")


def test_policy_a_sum_that_leaves_no_room_for_the_seat_is_told_without_it() -> None:
    for ante, first in ((50_000_000, "S2 PAY $2,000,000"), (1_250_000_000_050, "PAY $50,000,000,002")):
        bets: dict[int, dict[str, int | None]] = {2: {"ante": ante, "aces_up": 500}}
        shift = revealed(bets=bets, seat2="Ks Kh 8d 4c 2h", dealer=NOTHING, answers={2: 3})
        assert shift.prompt == (first, "TAKE $5")


@pytest.mark.parametrize(("ante", "words"), [(10**14, "PAY $4000000000000"), (10**19, "S2 PAY SEE CONSOLE")])
def test_policy_a_sum_that_no_line_has_room_for_is_not_cut(ante: int, words: str) -> None:
    shift = revealed(
        bets={2: {"ante": ante, "aces_up": 500}}, seat2="Ks Kh 8d 4c 2h", dealer=NOTHING, answers={2: 3}
    )
    assert shift.prompt == (words, "TAKE $5")


def test_679a_11c3i_an_ante_that_pushes_is_returned() -> None:
    shift = revealed("pa679a", {2: {"ante": 1000}}, dealer="2d 4h 6s", seat2="3c 5d 7h")
    shift.ok()
    assert [(each.wager, each.cents) for each in shift.said(ReturnWager)] == [("ante", 1000)]
    assert [(each.wager, each.paid, each.back) for each in shift.said(PayWager)] == [("play", 1000, 1000)]


def test_641a_11c_a_seat_that_has_nothing_left_is_only_confirmed() -> None:
    shift = revealed(answers={5: "fold"})
    assert shift.prompt == ("SEAT 5", "NOTHING LEFT")
    shift.ok()
    assert not shift.said(CollectWager)


def test_641a_12_an_unknown_stake_is_paid_as_odds() -> None:
    shift = revealed(bets={2: {"ante": None}}, seat2="As Ad Ac Ah 3d", dealer=NOTHING)
    shift.ok()
    (ante,) = shift.said(PayWager, wager="ante")
    assert (ante.paid, ante.back, ante.odds) == (None, None, "1 to 1")


# ---------------------------------------------------------------- what becomes public


def test_641a_11c1_a_hand_is_public_when_its_seat_is_settled_and_not_before() -> None:
    shift = revealed(bets={1: {"ante": 1000}, 3: {"ante": 1000}, 6: {"ante": 1000}}, answers={3: "fold"})
    assert shift.table.rooms.views.public_cards().keys() == {"dealer", "seat6"}
    shift.ok()
    assert shift.table.rooms.views.public_cards().keys() == {"dealer", "seat6"}
    shift.ok()
    assert shift.table.rooms.views.public_cards().keys() == {"dealer", "seat6", "seat1"}
    shift.ok()
    shift.clear()
    assert shift.record.public.keys() == {"dealer", "seat6", "seat1"}
    assert shift.record.hidden == {"seat3": 5}


def test_641a_8d_the_dealers_sixth_card_is_public_at_once() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal_cards(dealer="2d 4h 6s 8c Jd 3c")
    assert {place: len(cards) for place, cards in shift.table.rooms.views.public_cards().items()} == {
        "dealer": 1
    }
    assert shift.table.rooms.views.view(Role.DEALER)["public"] == {"dealer": ["3c"]}


def test_641a_11b1_a_folded_hand_with_a_live_wager_is_turned() -> None:
    shift = revealed(bets={2: {"ante": 1000, "aces_up": 500}, 5: {"ante": 1000}}, answers={2: "fold"})
    shift.settle_all()
    assert "seat2" in shift.table.rooms.views.public_cards()


# ---------------------------------------------------------------- 11(c)(5): progressive hits


def test_641a_11c5iii_every_progressive_payout_is_frozen_and_validated_by_the_floor() -> None:
    shift = revealed(bets={2: {"ante": 1000, "prog4": 100}}, seat2="9s 9h 9d 2c 3h", dealer=NOTHING)
    shift.ok()
    assert (shift.phase, shift.prompt) == (
        Phase.VALIDATING,
        ("HIT SEAT 2 LIGHT ON?", "FLOOR: VALIDATE HIT"),
    )
    (frozen,) = shift.said(FreezeHit)
    assert (frozen.seat, frozen.wager, frozen.row, frozen.cents) == (2, "prog4", "three_of_a_kind", 900)
    assert [each.role for each in shift.said(RequireRole)] == [Role.FLOOR]
    assert [each.wager for each in shift.said(PayWager)] == ["ante", "play", "ante_bonus"], (
        "(c)(3) before (c)(5)"
    )
    shift.ok()
    assert shift.why == "OK means nothing now"
    with pytest.raises(NotOfferedError):
        shift.menu("VALIDATE HIT")
    shift.floor("VALIDATE HIT", person="f4")
    shift.ok()
    assert [(each.paid, each.from_tray) for each in shift.said(PayWager, wager="prog4")] == [(900, True)]
    assert shift.is_in(Phase.CLEARING)
    assert [(hit.validated_by, hit.needs_documents) for hit in shift.table.state.play.current.hits] == [
        ("f4", False)
    ]


def test_641a_11c5iii_what_is_due_before_at_and_after_a_hit_is_found_ahead() -> None:
    bets: dict[int, dict[str, int | None]] = {2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000}}
    shift = revealed(bets=bets, seat2="9s 9h 9d 2c 3h", dealer=NOTHING, rests=True)
    settling, words = shift.table.rooms.settling, shift.table.rooms.settling_words
    found, met = list(settling._ahead.values()), []
    for key in ("OK", "OK", "VALIDATE HIT", "OK"):
        met.append(settling.due())
        if shift.phase is Phase.SETTLING:
            assert words.settling_lines() is words._ahead[id(met[-1])][1]
        shift.ok() if key == "OK" else shift.floor(key)
    assert shift.is_in(Phase.CLEARING)
    assert [id(due) for due in met] == [id(due) for due in found]


def test_641a_12e1_the_words_for_a_share_are_those_of_the_meter_as_it_stands_at_its_turn() -> None:
    shift = revealed(  # the pad senses presence alone: only the meter says what is paid
        bets={2: {"ante": 1000, "prog5": None}, 5: {"ante": 1000, "prog5": None}},
        seat5="Ah Kh Qh Jh Th",
        seat2=ROYAL,
        dealer=NOTHING,
    )
    said: list[str] = []
    for _ in (5, 2):
        shift.ok()
        shift.floor("VALIDATE HIT")
        said.append(shift.prompt[1])
        shift.ok()
    assert said == ["METER $10,000.42", "METER $10,000"]


def test_641a_7b_what_is_due_is_found_anew_once_somebody_left_after_the_reveal() -> None:
    shift = revealed(bets={2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000}}, seat2="9s 9h 9d 2c 3h")
    settling = shift.table.rooms.settling
    before = settling.due()
    shift.menu("PLAYER LEFT", "2")
    assert settling.due() is not before
    assert settling.due() == settling._found_due(settling.lines_left(), [])
    shift.settle_all()
    shift.clear()
    assert {line.result for line in shift.record.lines if line.seat == 2} == {"lose"}


def test_641a_11c5iv_a_share_of_the_meter_is_not_paid_from_the_tray_and_waits_for_documents() -> None:
    shift = revealed(
        bets={2: {"ante": 1000, "prog4": 100}, 1: {"ante": 1000}}, seat2="As Ah Ad Ac 3h", dealer=NOTHING
    )
    meter = shift.table.rooms.shares.meters()["prog4"]["main"]
    shift.settle_seat()
    (paid,) = shift.said(PayWager, wager="prog4")
    assert (paid.paid, paid.back, paid.from_tray) == (meter, 0, False)
    assert shift.is_in(Phase.SETTLING)
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.DOCUMENTS, ("HIT HANDS STAY", "FLOOR: DOCUMENTS"))
    assert "seat2" in shift.table.rooms.views.public_cards()
    shift.ok()
    assert shift.is_in(Phase.DOCUMENTS)
    shift.floor("DOCUMENTS DONE", person="f5")
    assert shift.is_in(Phase.CLEARING)
    shift.clear()
    assert ("documents done", "f5") in [(note.words, note.by) for note in shift.record.notes]


def test_641a_12d4_each_hit_is_paid_the_meter_at_its_turn_reset_in_between() -> None:
    shift = revealed(
        bets={2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000, "prog4": 100}},
        seat5="As Ah Ad Ac 3h",
        seat2="Ks Kh Kd Kc 3d",
        dealer=NOTHING,
        letters={"prog4": "B"},
    )
    first = shift.table.rooms.shares.meters()["prog4"]["main"]
    assert first == 100_000 + 50
    shift.settle_seat()
    assert shift.said(SetMeter, meter="prog4")[-1].cents == 100_000
    shift.settle_all()
    assert [(each.seat, each.paid) for each in shift.said(PayWager, wager="prog4")] == [
        (5, first),
        (2, 30_000),
    ]


def test_641a_12e1_of_two_royals_the_second_is_paid_the_reset_meter() -> None:
    shift = revealed(
        bets={2: {"ante": 1000, "prog5": 100}, 5: {"ante": 1000, "prog5": 100}},
        seat5="Ah Kh Qh Jh Th",
        seat2=ROYAL,
        dealer=NOTHING,
    )
    meter = shift.table.rooms.shares.meters()["prog5"]["main"]
    shift.settle_all()
    assert [(each.seat, each.paid) for each in shift.said(PayWager, wager="prog5")] == [
        (5, meter),
        (2, 1_000_000),
    ]
    assert shift.table.rooms.shares.meters()["prog5"]["main"] == 1_000_000
    assert shift.table.state.play.current.meters_after["prog5"]["main"] == 1_000_000
    assert [hit.cents for hit in shift.table.state.play.current.hits] == [meter, 1_000_000]


def test_641a_12e1_ten_percent_leaves_the_rest_on_the_meter() -> None:
    shift = revealed(bets={2: {"ante": 1000, "prog5": 100}}, seat2=STRAIGHT_FLUSH, dealer=NOTHING)
    meter = shift.table.rooms.shares.meters()["prog5"]["main"]
    shift.settle_all()
    assert [each.paid for each in shift.said(PayWager, wager="prog5")] == [meter // 10]
    assert shift.table.rooms.shares.meters()["prog5"]["main"] == meter - meter // 10


def test_641a_12e_a_share_of_the_meter_is_known_where_the_stake_is_not() -> None:
    shift = revealed(bets={2: {"ante": 1000, "prog5": None}}, seat2=STRAIGHT_FLUSH, dealer=NOTHING)
    meter = shift.table.rooms.shares.meters()["prog5"]["main"]
    shift.settle_all()
    assert shift.table.rooms.shares.meters()["prog5"]["main"] == meter - meter // 10
    assert [each.paid for each in shift.said(PayWager, wager="prog5")] == [meter // 10]
    shift.clear()
    assert [hit.cents for hit in shift.record.hits] == [meter // 10]


def test_md_11d10_the_same_in_maryland_with_the_operators_own_reset_as_our_policy() -> None:
    shift = revealed("md4cp", {2: {"ante": 1000, "progressive": 100}}, seat2="As Ah Ad Ac 3h", dealer=NOTHING)
    meter = shift.table.rooms.shares.meters()["progressive"]["main"]
    assert meter == 500_020
    shift.settle_all()
    (paid,) = shift.said(PayWager, wager="progressive")
    assert (paid.paid, paid.from_tray) == (meter, False)
    assert shift.table.rooms.shares.meters()["progressive"]["main"] == 500_000
    assert "our policy" in {each.cite for each in shift.said(RequireRole, why="documents of the hit")}


def test_641a_12g2_the_jackpot_on_the_dealers_hand_is_divided_among_the_players() -> None:
    shift = Shift()
    shift.open_table()
    for seat in (1, 2, 3):
        shift.bet(seat, ante=1000)
        shift.account(seat, hand_bonus_dealer=100)
    shift.lock()
    meter = shift.table.rooms.shares.meters()["hand_bonus"]["main"]
    shift.deal(dealer=f"{ROYAL} 2h")
    shift.reveal()
    shift.mark()
    shift.settle_all()
    assert [each.paid for each in shift.said(PayWager, wager="hand_bonus_dealer")] == [meter // 3] * 3
    assert shift.table.rooms.shares.meters()["hand_bonus"]["main"] == meter - meter // 3 * 3
    assert shift.table.state.books.ledger.is_balanced()


# ---------------------------------------------------------------- 11(c)(5)(v): envy


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_x_11c5v_an_envy_bonus_is_paid_at_the_receivers_own_turn(chapter: str) -> None:
    wager = "prog4" if chapter == "pa641a" else "progressive"
    shift = revealed(
        chapter,
        {2: {"ante": 1000, wager: 100}, 5: {"ante": 1000}},
        seat5="Ks Kh Kd Kc 3d",
        seat2="2c 4s 6h 8d Th",
        dealer="3s 5h 7d 9c Jd Qh",
    )
    shift.ok()
    assert not shift.said(PayWager, wager="envy:seat5")
    shift.settle_all()
    assert [(each.seat, each.paid) for each in shift.said(PayWager, wager="envy:seat5")] == [(2, 1000)]


def test_641a_11b2_a_folder_keeps_his_envy_and_loses_his_progressive() -> None:
    shift = revealed(
        bets={2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000}},
        answers={2: "fold"},
        seat5="Ks Kh Kd Kc 3d",
        dealer=NOTHING,
    )
    shift.settle_all()
    assert [each.seat for each in shift.said(PayWager, wager="envy:seat5")] == [2]
    assert [each.seat for each in shift.said(CollectWager, wager="prog4")] == [2]


# ---------------------------------------------------------------- 641a.12(g)(3): what the game system draws


def test_641a_12g3_draws_come_as_events_with_their_source_and_are_credited() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=100)
    shift.lock()
    shift.send(DrawMade, source="RNG 7", magic_card=0, lucky=2)
    shift.deal(seat2="2c 4s 6h 8d Th", dealer="3s 5h 7d 9c Jd Qh")
    shift.reveal()
    shift.mark()
    shift.settle_all()
    assert {(each.wager, each.cents) for each in shift.said(CreditAccount)} == {
        ("hand_bonus_player:magic_card", 2000),
        ("hand_bonus_player:lucky_bonus", 500),
    }
    shift.next_round()
    assert "drawn by RNG 7: 2c 2" in [note.words for note in shift.record.notes]


def test_641a_12g3_a_draw_is_heard_while_the_table_is_held() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=100)
    shift.lock()
    shift.send(LinkLost, device="sign", reason="silent")
    shift.send(DrawMade, magic_card=5)
    shift.send(DrawMade, lucky="dealer")
    assert (shift.table.state.play.current.magic_card, shift.table.state.play.current.lucky) == (5, "dealer")


def test_641a_12g3_no_draw_outside_a_round_or_after_the_reveal() -> None:
    shift = Shift()
    shift.open_table()
    shift.send(DrawMade, magic_card=5)
    assert shift.why == "a draw belongs to a round that is not yet settled"
    shift = revealed()
    shift.send(DrawMade, magic_card=5)
    assert shift.why == "a draw belongs to a round that is not yet settled"


@pytest.mark.parametrize(
    "draw", [{"magic_card": 52}, {"magic_card": -1}, {"lucky": 8}, {"lucky": "croupier"}, {"lucky": 0}, {}]
)
def test_641a_12g3_a_draw_names_a_card_or_a_position_that_exists(draw: dict[str, object]) -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.send(DrawMade, **draw)
    assert shift.why
    assert (shift.table.state.play.current.magic_card, shift.table.state.play.current.lucky) == (None, None)


@each_chapter
def test_x_12_only_641a_has_draws(chapter: str) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.send(DrawMade, magic_card=5)
    assert shift.why == ("" if chapter == "pa641a" else f"{chapter} has no draws")


# ---------------------------------------------------------------- declared, where no device sees the cards


def declaring(
    chapter: str = "pa641a", bets: dict[int, dict[str, int | None]] | None = None, **hands: str
) -> Shift:
    shift = Shift(chapter, knowledge=Knowledge.NONE)
    shift.open_table()
    for seat, wagers in (bets or {2: {"ante": 1000}, 5: {"ante": 1000}}).items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.deal(**hands)
    while shift.phase is not Phase.DECLARING:
        shift.answer_all()
        shift.ok()
    return shift


def test_641a_11c_the_dealer_declares_his_hand_first_then_seat_by_seat_and_what_is_open() -> None:
    shift = declaring(
        bets={2: {"ante": 1000, "aces_up": 500}, 5: {"ante": 1000}},
        dealer="As Ah 7d 9c Jh 2s",
        seat5="Ks Kh 8d 4c 2h",
        seat2="Ad Ac 5s 6h Th",
    )
    asked = []
    while shift.phase is Phase.DECLARING:
        asked.append(shift.prompt[0])
        shift.declare(Eyes(shift).sees())
    assert asked == [
        "DEALER'S HAND",
        "S5 HAND",
        "S5 SAME: HIGHER?",
        "S2 HAND",
        "S2 SAME: HIGHER?",
        "S2 ACES UP",
    ]


def test_679a_11c_a_dealer_who_does_not_qualify_is_declared_so() -> None:
    shift = declaring("pa679a", dealer="2d 4h 6s", seat5="3c 5d 7h", seat2="8c 8d 9h")
    shift.declare("too low")
    assert shift.is_in(Phase.SETTLING), "who wins against such a dealer is no question"
    results = {
        (line.seat, line.wager): (line.result, line.paid) for line in shift.table.state.play.current.lines
    }
    assert results[5, "ante"] == ("returned", 0)
    assert results[5, "play"] == ("win", 1000)


def test_683a_11h_where_there_is_no_dealers_hand_each_seat_is_declared_by_its_row() -> None:
    shift = declaring("pa683a", {2: {"ante": 1000, "pocket": 500}}, seat2="9c 2d", community="4s 6h Kd")
    asked = []
    while shift.phase is Phase.DECLARING:
        asked.append(shift.prompt[0])
        shift.declare("none")
    assert asked == ["S2 HAND PAYS", "S2 POCKET BONUS"]


def test_641a_11c5_a_declared_hit_is_validated_like_any_other_and_envied() -> None:
    shift = declaring(
        bets={2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000}},
        seat2="2c 4s 6h 8d Th",
        seat5="Ks Kh Kd Kc 3d",
        dealer="3s 5h 7d 9c Jd Qh",
    )
    shift.declare_all()
    shift.mark()
    shift.settle_all()
    assert [each.seat for each in shift.said(PayWager, wager="envy:seat5")] == [2]
    shift = declaring(bets={2: {"ante": 1000, "prog4": 100}}, seat2="As Ah Ad Ac 3h", dealer=NOTHING)
    shift.declare_all()
    shift.ok()
    assert shift.is_in(Phase.VALIDATING)
    assert shift.said(PayWager, seat=2, wager="ante"), "the Ante is settled before the floor is called"


def test_policy_back_takes_back_the_last_word_until_the_next_step_is_confirmed() -> None:
    shift = declaring()
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"
    shift.press(Key.RIGHT, Key.BACK)
    assert shift.table.state.entry.pending.choice == 0
    shift.declare("flush")
    shift.press(Key.BACK)
    assert shift.prompt[0] == "DEALER'S HAND"
    shift.declare("pair")
    shift.declare("two_pair")
    shift.press(Key.BACK)
    assert shift.prompt == ("S5 HAND", "CHOOSE < >, THEN OK")
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"
    words = [note.words for note in shift.table.state.play.current.notes if "taken back" in note.words]
    assert words == ["dealer: dealer flush taken back", "5: hand two_pair taken back"]


def test_policy_the_last_word_of_all_may_be_taken_back_until_a_seat_is_settled() -> None:
    shift = declaring(dealer=NOTHING, seat2="As Ah 4c 7d 9s", seat5="Ks Kh 5c 8d Ts")
    shift.declare_all()
    assert shift.is_in(Phase.SETTLING)
    shift.press(Key.BACK)
    assert (shift.phase, shift.prompt[0]) == (Phase.DECLARING, "S2 HAND")
    shift.declare_all()
    shift.ok()
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"


def test_policy_the_floor_has_a_hand_declared_again_until_its_seat_is_settled() -> None:
    shift = declaring()
    for value, first in (("dealer", "DEALER'S HAND"), ("5", "S5 HAND")):
        shift.declare_all()
        shift.floor("CORRECT ENTRY", value)
        assert (shift.phase, shift.prompt[0]) == (Phase.DECLARING, first)
    shift.declare_all()
    shift.ok()
    for settled in ("5", "dealer"):
        with pytest.raises(NotOfferedError):
            shift.floor("CORRECT ENTRY", settled)


def test_policy_a_hand_that_was_read_is_not_declared_again() -> None:
    shift = revealed()
    with pytest.raises(NotOfferedError):
        shift.floor("CORRECT ENTRY", "2")


def test_policy_what_was_declared_stands_in_the_record() -> None:
    shift = declaring()
    shift.declare_all()
    shift.settle_all()
    shift.next_round()
    assert shift.record.declared["dealer"]["hand"]
    assert set(shift.record.declared) == {"dealer", "seat2", "seat5"}
    assert shift.record.hands.keys() <= {"dealer", "seat2", "seat5"}


# ---------------------------------------------------------------- 11(d): clearing


@each_chapter
def test_x_11d_the_round_is_recorded_when_its_cards_are_in_the_rack(chapter: str) -> None:
    shift = revealed(chapter)
    shift.settle_all()
    assert (shift.phase, shift.prompt) == (Phase.CLEARING, ("CARDS TO RACK", "IN ORDER, THEN OK"))
    shift.mark()
    shift.clear()
    assert [each.number for each in shift.said(RecordRound)] == [1]
    record = shift.record
    assert (record.number, record.chapter, record.deck, record.lot) == (1, chapter, "A", "L1")
    assert record.bets == {2: {"ante": 1000}, 5: {"ante": 1000}}
    assert record.started_at < record.ended_at
    assert len(record.plan) == max(int(each.partition("@")[2]) for each in record.plan)


def test_641a_11d_the_record_tells_every_hand_that_was_turned() -> None:
    shift = revealed(seat2=FOUR_NINES, answers={5: "fold"})
    truth = {place: shift.truth(place) for place in ("seat2", "dealer")}
    shift.settle_all()
    shift.next_round()
    assert shift.record.public == truth
    assert shift.record.hands == {"dealer": shift.record.hands["dealer"], "seat2": "four_of_a_kind"}
    assert shift.record.meters_before.keys() == shift.record.meters.keys()


@pytest.mark.parametrize(
    ("ante", "first"),
    [
        (50_000, "SEAT 2 PAY $1,000"),
        (61_725, "SEAT 2 PAY $1,234.50"),
        (617_275, "S2 PAY $12,345.50"),
        (61_727_500, "S2 PAY $1,234,550"),
        (617_275_025, "PAY $12,345,500.50"),
    ],
)
def test_641a_11_a_seat_keeps_its_name_on_the_first_line_where_the_line_has_room(
    ante: int, first: str
) -> None:
    bets: dict[int, dict[str, int | None]] = {2: {"ante": ante, "aces_up": 500}}
    shift = revealed(bets=bets, seat2="Ks Kh 5d 9c 3h", dealer=NOTHING)
    assert shift.prompt == (first, "TAKE $5")


def test_641a_11c_the_floor_is_called_by_the_paragraph_of_the_first_hit() -> None:
    bets: dict[int, dict[str, int | None]] = {2: {"ante": 1000, "prog4": 100, "prog5": 100}}
    shift = revealed(bets=bets, seat2="As Ah Ad Ac 3h", dealer=NOTHING)
    shift.ok()
    assert [(each.wager, each.cite) for each in shift.said(FreezeHit)] == [
        ("prog4", "641a.11(c)(5), 641a.12(d)"),
        ("prog5", "641a.11(c)(5), 641a.12(e)"),
    ]
    assert [each.cite for each in shift.said(RequireRole)] == ["641a.11(c)(5), 641a.12(d)"]


def test_641a_11c_a_hand_is_asked_for_once_whatever_wagers_need_it() -> None:
    shift = Shift(knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000, bad_beat=500)
    shift.lock()
    shift.deal(dealer=NOTHING, seat2="As Ah 4c 7d 9s")
    while shift.phase is not Phase.DECLARING:
        shift.answer_all()
        shift.ok()
    shift.declare_all()
    assert shift.table.rooms.asking.inquire().asked == [(0, "dealer"), (2, "hand")]


def test_641a_11c6_a_folded_hand_is_declared_for_the_bonus_that_outlives_it() -> None:
    """The folded hand has no contest any more; the Bad Beat Bonus still needs its row and the dealer's."""
    shift = Shift(knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000, bad_beat=500)
    shift.bet(5, ante=1000)
    shift.lock()
    shift.deal(seat2="Ks Kh Kd 9c 3h", dealer="As Ah Ad Tc 3c 2d")
    while shift.phase is not Phase.DECLARING:
        shift.answer_all({2: "fold"})
        shift.ok()
    shift.declare_all()
    assert shift.table.rooms.asking.inquire().asked == [(0, "dealer"), (5, "hand"), (2, "hand"), (2, "wins")]
    lines = {line.wager: line.result for line in shift.table.state.play.current.lines if line.seat == 2}
    assert (lines["ante"], lines["bad_beat"]) == ("forfeit", "win")


def test_641a_12g3_whether_a_hand_holds_the_drawn_card_is_declared_too() -> None:
    shift = Shift(knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=100)
    shift.lock()
    shift.send(DrawMade, source="RNG 7", magic_card=0)
    shift.deal(seat2="2c 4s 6h 8d Th", dealer="3s 5h 7d 9c Jd Qh")
    while shift.phase is not Phase.DECLARING:
        shift.answer_all()
        shift.ok()
    shift.declare_all()
    assert (2, "hand_bonus_player:magic_card") in shift.table.rooms.asking.inquire().asked
    shift.mark()
    shift.settle_all()
    assert [(each.wager, each.cents) for each in shift.said(CreditAccount)] == [
        ("hand_bonus_player:magic_card", 2000)
    ]


ACES, HIGH_CARD, PAIRS = "As Ah Ad Ac 3h", "2s 5h 7d 9c 3h", "As Ah Kd Kc 3c 2d"


@pytest.mark.parametrize(
    ("bets", "account", "answer", "hands", "lines"),
    [
        ({"ante": 1000, "prog4": 100}, {}, 1, (ACES, NOTHING), ("SEAT 2", "PAY $270")),
        (
            {"ante": 1000},
            {"hand_bonus_player": 500},
            1,
            (ACES, NOTHING),
            ("SEAT 2", "PAY $270"),
        ),
        ({"ante": 1000}, {"hand_bonus_player": 500}, 1, (HIGH_CARD, PAIRS), ("SEAT 2", "TAKE $20")),
        ({"ante": 1000, "prog4": 100}, {}, 1, (HIGH_CARD, PAIRS), ("SEAT 2", "TAKE $20")),
        ({"ante": 1000, "aces_up": 500}, {}, "fold", (HIGH_CARD, PAIRS), ("SEAT 2", "TAKE $5")),
        ({"ante": None, "aces_up": 500}, {}, 1, (HIGH_CARD, PAIRS), ("SEAT 2", "TAKE LOST WAGERS")),
        (
            {"ante": 1000, "bad_beat": 500},
            {},
            1,
            ("Ks Kh Kd 9c 3h", "As Ah Ad Tc 3c 2d"),
            ("SEAT 2 PAY $520", "TAKE $20"),
        ),
    ],
)
def test_641a_11c_what_is_paid_and_taken_is_told_by_where_it_lies(
    bets: dict[str, int | None],
    account: dict[str, int],
    answer: Any,
    hands: tuple[str, str],
    lines: tuple[str, str],
) -> None:
    """The tray pays ante, play and bonus; a meter and an account their own; progressive chips are in already."""
    shift = Shift()
    shift.open_table()
    shift.bet(2, **bets)
    shift.account(2, **account)
    shift.lock()
    shift.deal(seat2=hands[0], dealer=hands[1])
    shift.reveal({2: answer})
    assert shift.prompt == lines
