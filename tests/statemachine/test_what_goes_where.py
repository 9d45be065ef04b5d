"""Wherever the text has the dealer put something somewhere a prompt says it; a void reshuffles what it says."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.effects import Dispense, StartShuffle
from sabot.statemachine.vocabulary.events import DeviceRetested, Key, LinkLost, LinkRestored

from .shift import Shift
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
OPTIONAL = {"pa679a": "prime", "pa682a": "prime", "pa683a": "pocket"}


def locked(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    return shift


def lines_of(shift: Shift) -> list[tuple[str, str]]:
    """Each prompt of the deal until the stub."""
    seen = []
    while shift.phase is Phase.DEALING:
        seen.append(shift.prompt)
        shift.draw()
    return seen


# ---------------------------------------------------------------- before the first card


@pytest.mark.parametrize("method", ["manual_shoe", "auto_shoe"])
@each_chapter
def test_x_8a_and_10a1_the_deck_goes_into_the_shoe(chapter: str, method: str) -> None:
    shift = Shift(chapter, method=method)
    shift.open_table()
    assert shift.prompt == ("BETS OPEN", "DECK A INTO SHOE")
    cite = law(chapter).section("8(a)" if method == "manual_shoe" else "10(a)(1)")
    assert shift.table.rooms.last_told.effects["prompt"].cite == cite
    shift.bet(2, ante=1000)
    assert shift.prompt == ("BETS OPEN", "1 SEATS  LOCK=END")


@each_chapter
def test_x_9a2_or_into_the_hand(chapter: str) -> None:
    shift = Shift(chapter, method="hand", decks=2)
    shift.open_table()
    assert shift.prompt == ("BETS OPEN", "DECK A INTO HAND")
    assert shift.table.rooms.last_told.effects["prompt"].cite == law(chapter).section("9(a)(2)")
    shift.play((2,))
    assert shift.prompt == ("BETS OPEN", "DECK B INTO HAND")


@pytest.mark.parametrize("changes", [{"method": "auto_shoe_reshuffle"}, {"one_machine": True}])
def test_641a_5a_a_machine_that_puts_them_into_the_shoe_itself_is_not_waited_on(
    changes: dict[str, Any],
) -> None:
    shift = Shift(**({"method": "auto_shoe"} | changes))
    shift.open_table()
    assert shift.prompt == ("BETS OPEN", "0 SEATS  LOCK=END")


@pytest.mark.parametrize(("chapter", "wager"), [("pa641a", "prog4"), ("md4cp", "progressive")])
@pytest.mark.parametrize("method", ["manual_shoe", "hand", "auto_shoe"])
def test_x_8b_progressive_chips_go_to_the_tray_before_the_deal(chapter: str, wager: str, method: str) -> None:
    shift = Shift(chapter, method=method)
    shift.open_table()
    shift.bet(2, ante=1000, **{wager: 100})
    shift.lock()
    assert shift.prompt == ("CHIPS TO TRAY", "THEN OK")
    assert shift.table.rooms.last_told.effects["prompt"].cite == shift.table.law.cite("8(b)")
    assert not shift.said(Dispense)
    shift.ok()
    assert shift.table.state.play.current.drawn == 0
    assert bool(shift.said(Dispense)) is (method == "auto_shoe")
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


def test_641a_8b_a_card_that_is_drawn_says_so_too() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()
    shift.draw()
    assert shift.prompt == ("CARD 1 TO", "DEALER")


def test_641a_8b_chips_that_were_struck_off_leave_nothing_for_the_tray() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.lock(chips=0)
    shift.floor("CHIP MISMATCH", "2 prog4 down")
    assert shift.prompt == ("CARD 1 TO", "SEAT 2")


# ---------------------------------------------------------------- a stack that is divided, the stub


@pytest.mark.parametrize(
    ("chapter", "method", "bets", "lines"),
    [
        ("pa641a", "auto_shoe", {"six_card": 500}, ("5 CARDS TO DEALER UP", "SIX CARD, 3 TO RACK")),
        ("pa641a", "auto_shoe", {}, ("5 CARDS TO DEALER UP", "4 TO RACK")),
        ("md4cp", "auto_shoe", {}, ("6 CARDS TO", "DEALER, BOTTOM UP")),
        ("pa682a", "auto_shoe", {"all_six": 500}, ("5 CARDS TO ALL SIX", "DEALER, 3 TO RACK")),
        ("pa682a", "auto_shoe", {}, ("5 CARDS TO DEALER", "4 TO RACK")),
        ("pa679a", "auto_shoe_reshuffle", {"pair_bonus": 500}, ("4 CARDS TO SEAT 2", "SEAT 2 FOURTH")),
        ("pa679a", "auto_shoe_reshuffle", {}, ("4 CARDS TO DEALER", "1 TO RACK")),
        ("pa641a", "auto_shoe", {}, ("5 CARDS TO", "SEAT 2")),
    ],
)
def test_x_10b_and_c_a_stack_says_where_each_part_of_it_goes(
    chapter: str, method: str, bets: dict[str, int], lines: tuple[str, str]
) -> None:
    shift = Shift(chapter, method=method)
    shift.open_table()
    shift.bet(2, ante=1000, **bets)
    shift.lock()
    assert lines in lines_of(shift)


def test_641a_10c_the_rest_of_a_stack_goes_to_the_rack() -> None:
    """By the floor's count (V18) the last stack came in two parts."""
    shift = locked(method="auto_shoe")
    shift.draw()
    shift.draw()
    shift.table.state.play.current.drawn += 2
    shift.table.state.play.current.seen += [None, None]
    shift.send(DeviceRetested, device="shoe", fault="all", good=True)
    assert shift.prompt == ("3 CARDS TO DEALER UP", "2 TO RACK")


def test_641a_13a_a_card_that_is_wanted_again_of_the_dealers_is_face_up() -> None:
    shift = locked("md4cp", method="auto_shoe")
    shift.draw()
    shift.menu("CARD FACE UP", "1 SIX CARD")
    shift.ok()
    assert shift.prompt[1] in ("SIX CARD", "DEALER, BOTTOM UP")


@pytest.mark.parametrize(
    ("method", "shuffler", "second"),
    [
        ("manual_shoe", Shuffler.PLAIN, "FROM SHOE UNSEEN  OK"),
        ("manual_shoe", Shuffler.COUNTING, "FROM SHOE (52)  OK"),
        ("auto_shoe", Shuffler.PLAIN, "FROM SHOE UNSEEN  OK"),
        ("hand", Shuffler.PLAIN, "NOT EXPOSED  OK"),
        ("hand", Shuffler.COUNTING, "52 BY SHUFFLER  OK"),
    ],
)
@pytest.mark.parametrize("chapter", ["pa641a", "md4cp", "pa682a"])
def test_x_8e_the_stub_goes_out_of_the_shoe_and_to_the_rack(
    chapter: str, method: str, shuffler: Shuffler, second: str
) -> None:
    shift = locked(chapter, method=method, shuffler=shuffler)
    if shuffler is Shuffler.PLAIN:
        shift.table.state.stock.decks["A"].counted = False
    shift.deal_cards()
    assert shift.prompt == ("STUB TO RACK", second)


def test_683a_10c_what_is_dealt_by_hand_already_is_no_more_in_the_shoe() -> None:
    shift = locked("pa683a", method="auto_shoe")
    shift.deal_cards()
    assert shift.prompt == ("STUB TO RACK", "52 BY SHUFFLER  OK")


# ---------------------------------------------------------------- face up, and void


@each_chapter
@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
def test_x_13a_a_face_up_card_goes_to_the_rack(chapter: str, knowledge: Knowledge) -> None:
    shift = locked(chapter, knowledge=knowledge)
    shift.draw()
    before = shift.prompt
    shift.menu("CARD FACE UP")
    assert shift.prompt == ("FACE-UP CARD TO RACK", "UNUSED, THEN OK")
    assert (
        shift.table.rooms.last_told.effects["prompt"].cite == law(chapter).irregularities["one_face_up"].cite
    )
    shift.ok()
    assert shift.prompt[0].startswith(("CARD", "DEAL"))
    if knowledge is Knowledge.EACH_CARD:
        assert shift.prompt != before


def test_641a_13a_an_automated_shoe_that_is_freed_waits_until_the_card_is_in_the_rack() -> None:
    shift = locked(method="auto_shoe")
    shift.draw()
    shift.send(LinkLost, device="sign", reason="silent")
    shift.menu("CARD FACE UP", "3 SEAT 2")
    shift.send(LinkRestored, device="sign")
    shift.mark()
    shift.floor("RELEASE")
    assert shift.prompt == ("FACE-UP CARD TO RACK", "UNUSED, THEN OK")
    assert not shift.said(Dispense)
    shift.ok()
    assert [each.count for each in shift.said(Dispense)] == [1]


VOIDS = {
    "several_face_up": ("CARDS TO RACK", "THEN RESHUFFLE, OK"),
    "wrong_count": ("CARDS TO RACK", "THEN RESHUFFLE, OK"),
    "exposed": ("CARDS TO RACK", "THEN RESHUFFLE, OK"),
    "shoe_jam": ("CARDS TO RACK", "OUT OF SHOE TOO, OK"),
    "stub_misdealt": ("CARDS TO RACK", "THEN RESHUFFLE, OK"),
}


def make_void(shift: Shift, kind: str) -> None:
    if kind == "several_face_up":
        shift.draw()
        shift.menu("CARD FACE UP")
        shift.menu("CARD FACE UP")
    elif kind == "shoe_jam":
        shift.menu("IRREGULARITY", kind)
    elif kind == "stub_misdealt":
        shift.deal_cards()
        shift.menu("COUNT THE STUB")
        shift.count_stub(1)
        shift.ok()
    elif kind == "wrong_count":
        shift.draw()
        shift.wrong_number()
    else:
        shift.expose()
    assert shift.is_in(Phase.RETURNING)


@each_chapter
@pytest.mark.parametrize("kind", VOIDS)
@pytest.mark.parametrize("decks", [1, 2])
def test_x_13_after_a_void_the_same_cards_are_not_dealt_before_they_are_shuffled(
    chapter: str, kind: str, decks: int
) -> None:
    """With two decks the other one comes, and the void one goes into the shuffler."""
    method = "auto_shoe" if kind == "shoe_jam" else "manual_shoe"
    shift = locked(chapter, method=method, shuffler=Shuffler.PLAIN, decks=decks)
    make_void(shift, kind)
    void = shift.table.state.stock.decks[shift.table.state.play.current.deck]
    shift.ok()
    assert shift.prompt == VOIDS[kind]
    assert shift.table.rooms.last_told.effects["prompt"].cite == shift.table.state.play.current.void
    shift.in_shuffler.clear()
    shift.mark()
    shift.ok()
    assert not void.ready
    assert [each.deck for each in shift.said(StartShuffle)] == [void.name]
    assert (shift.phase, shift.table.state.stock.in_play) == (
        (Phase.SHUFFLING, "A") if decks == 1 else (Phase.BETS_OPEN, "B")
    )
    if decks == 2:
        shift.play((2,))
        assert shift.table.state.stock.in_play == "A"
        return
    shift.lock()
    assert shift.why
    shift.shuffler_done()
    assert shift.is_in(Phase.BETS_OPEN)


@each_chapter
@pytest.mark.parametrize("kind", VOIDS)
def test_x_13_by_hand_too_the_dealer_shuffles_and_cuts_after_a_void(chapter: str, kind: str) -> None:
    method = "auto_shoe" if kind == "shoe_jam" else "manual_shoe"
    shift = locked(chapter, method=method, shuffler=Shuffler.HAND)
    make_void(shift, kind)
    shift.ok(2)
    assert shift.prompt == ("SHUFFLE DECK A", "THEN OK")
    shift.ok()
    assert shift.is_in(Phase.CUTTING)
    shift.ok()
    assert shift.is_in(Phase.BETS_OPEN)


@each_chapter
def test_x_8h_a_deck_that_is_not_whole_goes_off_the_table(chapter: str) -> None:
    shift = locked(chapter, shuffler=Shuffler.PLAIN)
    shift.deal_cards()
    shift.menu("COUNT THE STUB")
    shift.count_stub(1)
    shift.press(Key.FOLD)
    shift.ok()
    assert shift.prompt == ("DECK OFF THE TABLE", "ALL CARDS, THEN OK")
    assert (
        shift.table.rooms.last_told.effects["prompt"].cite == law(chapter).irregularities["stub_short"].cite
    )
    shift.ok()
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: REGISTER DECK")
    assert "A" not in shift.table.state.stock.decks


@pytest.mark.parametrize("chapter", OPTIONAL)
def test_679a_682a_683a_13d_what_was_settled_but_for_the_contest_is_cleared_in_order(chapter: str) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=1000, **{OPTIONAL[chapter]: 500})
    shift.lock()
    shift.expose()
    shift.deal_cards()
    shift.ok()
    shift.press_until_revealed()
    shift.settle_all()
    assert shift.prompt == ("CARDS TO RACK", "IN ORDER, THEN OK")
    shift.clear()
    assert shift.is_in(Phase.SHUFFLING)
