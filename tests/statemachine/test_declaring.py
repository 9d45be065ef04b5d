"""x.11(c) where no device reads the cards: a hand is declared once, as a class; what follows is worked out."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping
from typing import Any

import pytest

from sabot.rules.cards import parse
from sabot.statemachine import declaring
from sabot.statemachine.action import Refused
from sabot.statemachine.outcome import payment_words
from sabot.statemachine.reveal_questions import Question
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Policies
from sabot.statemachine.vocabulary.effects import CollectWager, FreezeHit, PayWager, RequireRole
from sabot.statemachine.vocabulary.events import CardDrawn, DrawMade, Key, Role, Secret
from tests.dealt import parse_all

from .eyes import Eyes
from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
NOTHING = "2d 4h 6s 8c Jd 3c"
QUADS, TRIPS, PAIR = "9s 9h 9d 9c 2h", "9s 9h 9d 4c 2h", "Ks Kh Td 5c 7h"
FLUSH, STRAIGHT, TEN_HIGH = "As Js 8s 5s 2h", "9h 8d 7c 6s 2h", "Ts 8d 6h 4c 2s"
Bets = Mapping[int, Mapping[str, int | None]]


def revealed(
    chapter: str = "pa641a",
    bets: Bets | None = None,
    *,
    unread: Collection[int] | None = None,
    answers: dict[int, Any] | None = None,
    **given: Any,
) -> Shift:
    """Hands turned at a table without a reader, or with one that could not read these cards."""
    hands = {name: given.pop(name) for name in list(given) if name.startswith(("seat", "dea", "com", "six"))}
    shift = Shift(chapter, knowledge=Knowledge.NONE if unread is None else Knowledge.EACH_CARD, **given)
    shift.open_table()
    for seat, wagers in (bets or {2: {"ante": 1000}, 5: {"ante": 1000}}).items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.stack(**hands)
    while shift.phase is Phase.DEALING:
        _draw(shift, unread)
    shift.ok()
    while shift.phase in (Phase.DECIDING, Phase.TURNING):
        shift.answer_all(answers)
        shift.ok()
    shift.mark()
    return shift


def _draw(shift: Shift, unread: Collection[int] | None) -> None:
    if unread is None or shift.table.state.play.current.drawn + 1 not in unread:
        shift.draw()
        return
    shift.out += 1
    shift.send(CardDrawn, card=None)
    shift.floor("RELEASE")


def position(chapter: str, place: str, nth: int) -> int:
    """Where in the deck a card of seats 2 and 5 lies."""
    shift = Shift(chapter)
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    return next(
        each.position
        for each in shift.table.state.play.current.plan
        if (each.place, each.nth) == (place, nth)
    )


def asked(shift: Shift) -> list[str]:
    """The questions in their order, each answered by the cards."""
    first = []
    while shift.phase is Phase.DECLARING:
        first.append(shift.prompt[0])
        shift.declare(Eyes(shift).sees())
    return first


def results(shift: Shift) -> dict[tuple[int, str], str]:
    return {(line.seat, line.wager): line.result for line in shift.table.state.play.current.lines}


# ---------------------------------------------------------------- nothing is said by OK alone


@each_chapter
def test_x_11c_a_question_opens_on_no_answer_and_ok_alone_declares_nothing(chapter: str) -> None:
    shift = revealed(chapter)
    opened = shift.prompt
    assert opened[1] == "CHOOSE < >, THEN OK"
    for _ in range(5):
        shift.ok()
        assert (shift.prompt, shift.why) == (opened, "choose a row first")
    assert shift.table.state.play.current.declared == {}
    shift.press(Key.RIGHT, Key.LEFT, Key.OK)
    assert shift.why == "choose a row first"


def test_x_11c_keys_go_to_the_first_rows_and_to_the_last() -> None:
    shift = revealed()
    words = ["PAIR", "TWO PAIR", "STRAIGHT"]
    for key, row in zip((Key.ONE, Key.TWO, Key.THREE), words, strict=True):
        shift.press(key)
        assert shift.prompt == ("DEALER'S HAND", row)
    shift.press(Key.FOLD)
    assert shift.prompt[1] == "NO PAIR OR BETTER"
    shift.press(Key.LEFT)
    assert shift.prompt[1] == "FOUR OF A KIND"
    shift.press(Key.BACK)
    assert shift.prompt[1] == "CHOOSE < >, THEN OK"
    shift.declare("pair")
    shift.declare("pair")
    shift.press(Key.THREE)
    assert (shift.prompt, shift.why) == (("S5 SAME: HIGHER?", "DEALER"), "")
    shift.press(Key.LEFT)
    assert shift.prompt[1] == "TIE"


# ---------------------------------------------------------------- what was read is not asked


@each_chapter
def test_x_11c_hands_that_were_read_are_not_asked_about(chapter: str) -> None:
    """One card of seat 2 was not read: seat 5, the dealer and the board are as the device saw them."""
    shift = revealed(chapter, unread={position(chapter, "seat2", 1)}, seed=3)
    heard = shift.table.rooms.asking.inquire()
    assert {seat for seat, _ in heard.rows} <= {2}
    assert heard.open is None or heard.open.seat == 2
    assert all(question.startswith("S2 ") for question in asked(shift))
    true = shift.table.law.settlement.settle(
        Eyes(shift).true_round(shift.table.state.play.current.meters_before)
    )
    assert shift.table.state.play.current.lines == list(true.lines)


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp", "pa679a", "pa682a"])
def test_x_11c_one_card_of_the_dealers_that_was_not_read_makes_no_seat_a_question(chapter: str) -> None:
    shift = revealed(chapter, unread={position(chapter, "dealer", 2)}, seed=8)
    while shift.phase is Phase.DECLARING:
        assert shift.prompt[0] == "DEALER'S HAND" or shift.prompt[0].endswith("SAME: HIGHER?")
        shift.declare(Eyes(shift).sees())
    true = shift.table.law.settlement.settle(
        Eyes(shift).true_round(shift.table.state.play.current.meters_before)
    )
    assert shift.table.state.play.current.lines == list(true.lines)


def test_641a_11c_the_record_marks_each_hand_as_read_or_declared() -> None:
    unread = {position("pa641a", "seat2", 2)}
    shift = revealed(unread=unread, seat2=TRIPS, seat5=PAIR, dealer=NOTHING)
    assert asked(shift) == ["S2 HAND"]
    shift.settle_all()
    view = shift.table.rooms.views.view(Role.AUDITOR)
    assert (view["hands"], view["declared"]) == (
        {"dealer": "high", "seat5": "pair"},
        {"seat2": "three_of_a_kind"},
    )
    shift.next_round()
    assert shift.record.known == {"dealer": "read", "seat2": "declared", "seat5": "read"}
    assert shift.record.hands == {"dealer": "high", "seat5": "pair"}
    assert shift.record.declared == {"seat2": {"hand": "three_of_a_kind"}}
    assert len(shift.record.public["seat2"]) == 4


def test_641a_3a_a_card_that_was_read_twice_is_shown_to_nobody_and_its_hands_are_declared() -> None:
    """One deck has each card once: where the house does not hold for it, people look."""
    shift = Shift(policies=Policies(composition=False))
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    cards = parse_all("9s 2d 9h 4h 9d 6s 2c 8c 3h Jd 9s")
    while shift.phase is Phase.DEALING:
        shift.send(CardDrawn, card=Secret(cards[shift.table.state.play.current.drawn]))
    shift.ok()
    shift.answer(2)
    shift.ok()
    while shift.phase is Phase.DECLARING:
        shift.declare(Eyes(shift).question().rows[-1])
    shift.settle_all()
    shift.next_round()
    public = shift.record.public
    assert {place: len(seen) for place, seen in public.items()} == {"dealer": 5, "seat2": 4}
    assert parse_all("9s")[0] not in (*public["dealer"], *public["seat2"])
    assert shift.record.known == {"dealer": "declared", "seat2": "declared"}


def test_641a_6_of_an_unread_card_only_what_the_deck_still_has_is_offered() -> None:
    """Four cards of the hand were read: Q J 5 of hearts and a deuce."""
    unread = {position("pa641a", "seat2", 5)}
    shift = revealed(unread=unread, seat2="Qh Jh 5h 2c 9h", seat5=PAIR, dealer=NOTHING)
    question = Eyes(shift).question()
    assert question.rows == ("pair", "flush", "none")
    assert set(question.left_out.values()) == {"the cards that were read"}


# ---------------------------------------------------------------- declared once; the rest follows


def test_641a_11c3_a_straight_loses_to_a_flush_and_nobody_is_asked() -> None:
    shift = revealed(seat2=STRAIGHT, seat5=PAIR, dealer="Kd Qd 9d 3d 2c 7h")
    assert asked(shift) == ["DEALER'S HAND", "S5 HAND", "S2 HAND"]
    assert results(shift)[2, "ante"] == results(shift)[5, "play"] == "lose"


def test_641a_11c_quads_are_said_once_for_every_wager_on_them() -> None:
    bets = {2: {"ante": 1000, "aces_up": 500, "prog4": 100, "prog5": 100, "bad_beat": 500}, 5: {"ante": 1000}}
    shift = revealed(bets=bets, seat2=QUADS, seat5=PAIR, dealer=NOTHING)
    assert asked(shift) == ["DEALER'S HAND", "S5 HAND", "S2 HAND", "S2 4-CARD PROG"]
    lines = {line.wager: line.row for line in shift.table.state.play.current.lines if line.seat == 2}
    assert lines["prog5"] == lines["aces_up"] == lines["ante_bonus"] == "four_of_a_kind"
    assert results(shift)[2, "bad_beat"] == "lose"


def test_641a_11c5v_a_hand_that_is_envied_is_not_declared_twice() -> None:
    bets = {2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000, "prog4": 100}}
    shift = revealed(bets=bets, seat2="As Ah Ad Ac 3h", seat5=PAIR, dealer=NOTHING)
    assert "S2 4-CARD ENVY" not in asked(shift)
    assert results(shift)[5, "envy:seat2"] == "win"


@pytest.mark.parametrize(("players", "asks"), [((1, 2), False), ((1, 3), True)])
def test_641a_11c5v_nobody_is_asked_about_an_envy_that_nobody_receives(
    players: tuple[int, int], *, asks: bool
) -> None:
    """Two boxes of one player: he has no Envy Bonus for his own other hand (reading E2)."""
    shift = Shift(knowledge=Knowledge.NONE, adjacent_boxes=2)
    shift.open_table()
    first, second = players
    shift.bet(first, ante=1000)
    shift.bet(second, ante=1000, prog4=100)
    if not asks:
        shift.menu("JOIN BOXES", "1+2")
    shift.lock()
    shift.deal(dealer=NOTHING, **{f"seat{first}": QUADS, f"seat{second}": PAIR})
    shift.answer_all()
    shift.ok()
    assert (f"S{first} 4-CARD ENVY" in asked(shift)) is asks


def test_679a_11c3i_against_a_dealer_who_is_too_low_no_hand_is_asked() -> None:
    shift = revealed("pa679a", dealer="2d 4h 6s")
    assert asked(shift) == ["DEALER'S HAND"]
    assert shift.table.state.play.current.declared == {0: {"dealer": "too low"}}


def test_679a_11d2_the_fourth_card_is_asked_where_a_pair_was_declared() -> None:
    bets = {seat: {"ante": 1000, "pair_bonus": 500} for seat in (2, 5)}
    hands = {"seat2": "8c 8d 9h", "seat5": "3c 5d 7h", "dealer": "2d 4h 6s", "seat2_fourth": "2h"}
    shift = revealed("pa679a", bets, **hands)  # type: ignore[arg-type]
    assert asked(shift) == ["DEALER'S HAND", "S5 PAIR BONUS", "S2 PAIR BONUS", "S2 BONUS CARD A 2?"]


def test_683a_11i2_the_board_is_declared_once_for_all() -> None:
    bets = {seat: {"ante": 1000, "board": 500, "pocket": 500, "lo_ball": 500} for seat in (2, 5)}
    shift = revealed("pa683a", bets, seat2="Kc 9d", seat5="8c 2d", community="4s 6h Kd")
    assert [question for question in asked(shift) if "BOARD" in question] == ["BOARD BONUS"]
    assert results(shift)[2, "board"] == results(shift)[5, "board"] == "lose"


def test_683a_12_a_royal_flush_and_a_seven_high_are_not_on_one_hand() -> None:
    bets = {2: {"ante": 1000, "lo_ball": 500}}
    shift = revealed("pa683a", bets, seat2="As Ks", community="Qs Js Ts")
    assert asked(shift) == ["S2 HAND PAYS"]
    assert results(shift)[2, "lo_ball"] == "lose"


def test_641a_12g_the_dealers_first_five_are_asked_once_for_all_who_wagered_on_them() -> None:
    shift = Shift(knowledge=Knowledge.NONE)
    shift.open_table()
    for seat in (1, 2, 3):
        shift.bet(seat, ante=1000)
        shift.account(seat, hand_bonus_dealer=100)
    shift.lock()
    shift.deal(dealer="As Js 8s 5s 2s 9d", seat1=TEN_HIGH)
    shift.answer_all()
    shift.ok()
    assert asked(shift).count("DEALER HAND") == 1
    assert results(shift)[1, "hand_bonus_dealer"] == "win"


# ---------------------------------------------------------------- what cannot be is not offered


def test_641a_6_two_seats_never_hold_four_aces() -> None:
    bets = {seat: {"ante": 1000, "prog4": 100} for seat in (2, 5)}
    shift = revealed(bets=bets, seat5="As Ah Ad Ac 3h", seat2=QUADS, dealer=NOTHING)
    for row in ("none", "four_of_a_kind", "four_aces", "four_of_a_kind"):
        shift.declare(row)
    assert shift.is_in(Phase.SETTLING), "seat 2's quads are not aces: that follows"
    assert {
        line.row for line in shift.table.state.play.current.lines if (line.seat, line.wager) == (2, "prog4")
    } == {"four_of_a_kind"}


def test_641a_6_the_refusal_says_why_a_row_cannot_be() -> None:
    unread = {position("pa641a", "seat2", 5)}
    shift = revealed(unread=unread, seat2="Qh Jh 5h 2c 9h", seat5=PAIR, dealer=NOTHING)
    with pytest.raises(NotOfferedError):
        shift.declare("four_of_a_kind")
    with pytest.raises(Refused, match="four of a kind cannot be: the cards that were read"):
        shift.table.rooms.actions.verify("declare", "four_of_a_kind")
    shift.press(Key.PLUS)
    assert "straight flush cannot be: the cards that were read" in shift.why
    shift.table.rooms.actions.do("declare", "flush")
    assert shift.table.state.play.current.declared[2] == {"hand": "flush"}
    shift = revealed()
    shift.press(Key.MINUS)
    assert shift.why == "no row is left out"
    shift.declare("pair")
    shift.declare("pair")
    shift.press(Key.THREE, Key.LEFT, Key.OK)
    assert shift.table.state.play.current.declared[5]["wins"] == "ties"


def test_641a_6c_quads_never_tie() -> None:
    shift = revealed()
    shift.declare("four_of_a_kind")
    shift.declare("four_of_a_kind")
    assert Eyes(shift).question().rows == ("yes", "none")
    shift.press(Key.THREE)
    assert shift.why == "there are 2 rows"


def test_641a_6c_with_one_card_unread_only_the_margins_that_can_be_are_offered() -> None:
    unread = {position("pa641a", "seat2", 5)}
    shift = revealed(unread=unread, seat2="As Ah Kd 9c 3h", seat5=TEN_HIGH, dealer="Qs Qh 8c 6d 4h 2d")
    shift.declare("pair")
    assert shift.is_in(Phase.SETTLING), "a pair of aces is above a pair of queens whatever the fifth card is"
    assert results(shift)[2, "ante"] == "win"


def test_x_11c_where_former_words_leave_no_row_the_word_is_taken_back() -> None:
    bets = {2: {"ante": 1000, "board": 500}}
    shift = revealed("pa683a", bets)
    shift.declare("full_house")
    round_ = shift.table.state.play.current
    round_.declared[0] = {"board": "straight_flush"}
    question = Eyes(shift).question()
    assert question.key == "board"
    assert "straight_flush" in question.left_out
    shift.declare("pair")
    assert shift.is_in(Phase.SETTLING)


# ---------------------------------------------------------------- declared and true


@each_chapter
@pytest.mark.parametrize("seed", range(4))
def test_x_11c_hands_that_are_declared_as_they_are_settle_as_cards_do(chapter: str, seed: int) -> None:
    """Every wager at every seat, folds among them, some cards read and some not."""
    rng = random.Random(f"{chapter} {seed}")
    knowledge = rng.choice((Knowledge.NONE, Knowledge.EACH_CARD))
    shift = Shift(chapter, seed=seed, knowledge=knowledge)
    shift.open_table()
    for seat in range(1, law(chapter).seats + 1):
        shift.bet(seat, ante=1000)
        for wager in law(chapter).wagers.values():
            if wager.optional and rng.random() < 0.5:
                send = shift.account if wager.device == "account" else shift.bet
                send(seat, **{wager.name: 100 if wager.device else 500})
    shift.lock()
    shift.stack()
    while shift.phase is Phase.DEALING:
        _draw(
            shift,
            None if knowledge is Knowledge.NONE else {each for each in range(1, 53) if rng.random() < 0.1},
        )
    shift.ok()
    answers = {seat: "fold" for seat in shift.table.state.play.current.bets if rng.random() < 0.3}
    while shift.phase in (Phase.DECIDING, Phase.TURNING):
        shift.answer_all(answers)
        shift.ok()
    asked(shift)
    true = shift.table.law.settlement.settle(
        Eyes(shift).true_round(shift.table.state.play.current.meters_before)
    )
    assert shift.table.state.play.current.lines == list(true.lines)
    shift.settle_all()
    assert shift.table.state.books.ledger.is_balanced()


# ---------------------------------------------------------------- large payments wait for the floor


def test_683a_12a_a_declared_royal_waits_for_the_floor_before_a_cent_is_paid() -> None:
    shift = revealed("pa683a", {2: {"ante": 1000}}, seat2="As Ks", community="Qs Js Ts")
    asked(shift)
    assert shift.prompt == ("SEAT 2", "HIT: OK, CALL FLOOR")
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.VALIDATING, ("SEAT 2 PAYS $5,000", "FLOOR: VALIDATE HIT"))
    assert not shift.said(PayWager)
    assert not shift.said(FreezeHit), "no lamp of a progressive is lit"
    assert [each.role for each in shift.said(RequireRole)] == [Role.FLOOR]
    shift.floor("VALIDATE HIT", person="f7")
    shift.ok()
    assert {each.paid for each in shift.said(PayWager)} == {500_000}
    shift.next_round()
    assert {(hit.wager, hit.validated_by, hit.needs_documents) for hit in shift.record.hits} == {
        (name, "f7", False) for name in ("ante", "raise1", "raise2", "raise3")
    }


def test_683a_12a_a_royal_that_was_read_is_paid_without_the_floor() -> None:
    shift = revealed("pa683a", {2: {"ante": 1000}}, unread=(), seat2="As Ks", community="Qs Js Ts")
    shift.ok()
    assert shift.is_in(Phase.CLEARING)


@pytest.mark.parametrize(("cents", "waits"), [(0, False), (40_000, True), (40_001, False)])
def test_policy_the_table_file_names_the_amount_from_which_a_declared_payment_waits(
    cents: int, *, waits: bool
) -> None:
    """Quads pay 40 to 1: under 100 to 1, and just $400."""
    shift = revealed(
        "pa683a", {2: {"ante": 1000}}, declared_floor_cents=cents, seat2="As Ah", community="Ad Ac 2h"
    )
    asked(shift)
    shift.ok()
    assert (shift.phase is Phase.VALIDATING) is waits


def test_641a_12d5_an_envy_bonus_of_a_declared_hand_waits_for_the_floor_too() -> None:
    bets = {2: {"ante": 1000, "prog4": 100}, 5: {"ante": 1000}}
    shift = revealed(bets=bets, seat5="As Ah Ad Ac 3h", seat2=TEN_HIGH, dealer=NOTHING)
    asked(shift)
    shift.settle_seat()
    shift.ok()
    assert shift.prompt == ("SEAT 2 PAYS $100", "FLOOR: VALIDATE HIT")
    shift.floor("VALIDATE HIT")
    shift.settle_all()
    assert [each.paid for each in shift.said(PayWager, wager="envy:seat5")] == [10_000]


def test_682a_12c_a_bad_beat_of_100_to_1_on_a_declared_hand_waits_for_the_floor() -> None:
    """The bonus has no stake of its own: it is 100 times the Ante."""
    shift = revealed(
        "pa682a", {2: {"ante": 1000}}, letters={"bad_beat": "C"}, seat2=QUADS, dealer="As Ah Ad Ac 3h 2d"
    )
    asked(shift)
    shift.ok()
    assert shift.is_in(Phase.VALIDATING)
    shift.floor("VALIDATE HIT")
    shift.ok()
    assert [each.paid for each in shift.said(PayWager, wager="bad_beat")] == [100_000]


def test_641a_12f_a_bad_beat_rests_on_both_hands_and_a_stake_of_unknown_value_on_its_odds() -> None:
    bets: dict[int, dict[str, int | None]] = {2: {"ante": 1000, "bad_beat": None}}
    shift = revealed(bets=bets, seat2=TRIPS, dealer="As Ah Ad 8c 3c 2d")
    asked(shift)
    shift.ok()
    assert shift.prompt == ("SEAT 2 PAYS 100 TO 1", "FLOOR: VALIDATE HIT")


def test_md_12h_a_super_royal_of_unknown_stake_is_large() -> None:
    bets: dict[int, dict[str, int | None]] = {2: {"ante": 1000, "aces_up": 500, "six_card": None}}
    shift = revealed("md4cp", bets, seat2="Ad Kd Qd Jd Td", six_card="9d", dealer=NOTHING)
    asked(shift)
    line = next(line for line in shift.table.state.play.current.lines if line.wager == "six_card")
    assert shift.table.rooms.large.is_times(line, 100_000_000)
    assert not shift.table.rooms.large.is_times(line, 100_000_001)
    assert payment_words(line) == "SEAT 2 PAYS $1000000"
    assert payment_words(line._replace(paid=1_234_567_890_123)) == "SEAT 2 LARGE PAY"


def test_641a_11c7_a_hand_bonus_of_500_for_1_waits_though_it_was_read() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=100)
    shift.lock()
    shift.deal(seat2=QUADS, dealer=NOTHING)
    shift.reveal()
    shift.mark()
    shift.ok()
    assert shift.is_in(Phase.VALIDATING)
    assert [each.wager for each in shift.said(FreezeHit)] == ["hand_bonus_player"]


# ---------------------------------------------------------------- 641a.11(c)(3)-(8): the order within a seat


def test_641a_11c3_5_ante_play_and_aces_up_are_settled_before_the_floor_is_called() -> None:
    bets = {2: {"ante": 1000, "aces_up": 500, "prog4": 100, "bad_beat": 500}}
    shift = revealed(bets=bets, unread=(), seat2=QUADS, dealer=NOTHING)
    assert shift.prompt == ("SEAT 2", "PAY $520")
    shift.ok()
    assert shift.is_in(Phase.VALIDATING)
    assert [each.wager for each in shift.said(PayWager)] == ["ante", "play", "ante_bonus", "aces_up"]
    assert not shift.said(CollectWager)
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"
    shift.floor("VALIDATE HIT")
    assert shift.prompt == ("SEAT 2 PAY $300", "TAKE $5")
    shift.ok()
    assert [each.wager for each in shift.said(CollectWager)] == ["bad_beat"]
    assert shift.is_in(Phase.CLEARING)


def test_641a_11c7_each_hit_is_validated_when_its_turn_has_come() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100, bad_beat=500)
    shift.account(2, hand_bonus_player=100)
    shift.lock()
    shift.deal(seat2=QUADS, dealer=NOTHING)
    shift.reveal()
    shift.mark()
    shift.ok()
    assert [each.wager for each in shift.said(FreezeHit)] == ["prog4"]
    shift.floor("VALIDATE HIT")
    shift.ok()
    assert shift.said(CollectWager, wager="bad_beat"), "(6) stands between (5) and (7)"
    assert [each.wager for each in shift.said(FreezeHit)] == ["prog4", "hand_bonus_player"]
    shift.floor("VALIDATE HIT")
    shift.ok()
    assert shift.is_in(Phase.CLEARING)


def test_641a_11c7_a_hand_bonus_is_announced_when_the_envy_before_it_is_paid() -> None:
    """Found by the second opinion on a random shift: (5)(v) stands before (7)."""
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.bet(5, ante=1000)
    shift.account(2, hand_bonus_player=100)
    shift.lock()
    shift.deal(seat2=QUADS, seat5="As Ah Ad Ac 3h", dealer=NOTHING)
    shift.reveal()
    shift.settle_seat()
    shift.mark()
    shift.ok()
    assert [each.wager for each in shift.said(FreezeHit)] == ["prog4"]
    shift.floor("VALIDATE HIT")
    shift.ok()
    assert shift.said(PayWager, wager="envy:seat5")
    assert [each.wager for each in shift.said(FreezeHit)] == ["prog4", "hand_bonus_player"]
    shift.floor("VALIDATE HIT")
    shift.ok()
    assert shift.is_in(Phase.CLEARING)


def test_641a_12g3_a_magic_card_in_a_hand_that_was_read_is_no_question() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    shift.account(2, hand_bonus_player=100)
    shift.lock()
    shift.send(DrawMade, source="RNG 7", magic_card=parse("9s"))
    shift.stack(seat2=TRIPS, seat5=PAIR, dealer=NOTHING)
    unread = position("pa641a", "seat5", 1)
    while shift.phase is Phase.DEALING:
        _draw(shift, {unread})
    shift.ok()
    shift.answer_all()
    shift.ok()
    assert asked(shift) == ["S5 HAND"]
    assert results(shift)[2, "hand_bonus_player:magic_card"] == "win"


def test_policy_where_no_row_is_left_the_display_says_to_take_back(monkeypatch: pytest.MonkeyPatch) -> None:
    shift = revealed()
    shift.declare("pair")
    stuck = Question(5, "hand", (), {"pair": "one deck"})
    monkeypatch.setattr(declaring.Declaring, "open_question", lambda _: stuck)
    shift.press(Key.LEFT)
    assert shift.prompt == ("S5 HAND", "TAKE BACK: BACK")
    shift.ok()
    assert shift.why == "no row is left: take back what was declared"


@pytest.mark.parametrize(("fourth", "row"), [("2h", "yes"), ("9h", "no")])
def test_679a_11d2_a_fourth_card_that_was_read_is_no_question(fourth: str, row: str) -> None:
    bets: Bets = {2: {"ante": 1000, "pair_bonus": 500}, 5: {"ante": 1000}}
    shift = Shift("pa679a")
    shift.open_table()
    for seat, wagers in bets.items():
        shift.bet(seat, **wagers)
    shift.lock()
    shift.stack(seat2="8c 8d Kh", seat5="3c 5d 7h", dealer="Qd 4h 6s", seat2_fourth=fourth)
    first = min(shift.table.rooms.contest.laid.positions["seat2"])
    while shift.phase is Phase.DEALING:
        _draw(shift, {first})
    shift.ok()
    shift.answer_all()
    shift.ok()
    assert set(asked(shift)) == {"S2 HAND"}
    line = next(line for line in shift.table.state.play.current.lines if line.wager == "pair_bonus")
    assert line.cite.endswith("679a.12(f)") is (row == "yes")


def test_policy_what_was_paid_before_a_hit_is_not_settled_by_hand_again() -> None:
    """The floor takes the round over while the hit waits: the Ante was settled by the table (641a.11(c)(3))."""
    bets: Bets = {2: {"ante": 1000, "prog4": 100, "bad_beat": 500}}
    shift = revealed(bets=bets, unread=(), seat2=QUADS, dealer=NOTHING)
    shift.ok()
    shift.floor("TAKE OVER", "kept")
    assert {spot for spot, _ in shift.table.rooms.by_hand.open_stakes().items()} == {
        (2, "prog4"),
        (2, "bad_beat"),
    }
    assert [line.wager for line in shift.table.state.play.current.lines] == ["ante", "play", "ante_bonus"]


def test_641a_7b_who_is_here_after_all_has_a_hand_that_is_declared_then() -> None:
    shift = revealed(seat2=PAIR, seat5=TRIPS, dealer=NOTHING)
    shift.menu("PLAYER LEFT", "5")
    shift.declare_all()
    assert shift.is_in(Phase.SETTLING)
    assert 5 not in shift.table.state.play.current.declared

    shift.floor("CORRECT ENTRY", "5 is here")
    assert shift.is_in(Phase.DECLARING)
    assert shift.table.state.play.current.asking == 5
    shift.declare_all()
    shift.settle_all()
    shift.clear()
    assert {line.seat: line.result for line in shift.record.lines if line.wager == "ante"} == {
        2: "win",
        5: "win",
    }
