"""x.13(a)-(d), (f): cards face up, drawn in error, dealt in a wrong number or exposed; the shoe that jams."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.irregular import IRREGULARITIES
from sabot.statemachine.state.ledger import REVERSAL
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary.effects import (
    CollectWager,
    DropHit,
    HaltShoe,
    PayWager,
    RemoveDeck,
    ReturnWager,
    TakeBackPayment,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import CardDrawn, DeviceJammed, DeviceRetested, Key, Role

from .shift import NotOfferedError, Shift
from .tables import CHAPTERS, WAYS, Way, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
each_way = pytest.mark.parametrize("way", WAYS, ids=str)
OPTIONAL = {"pa641a": "aces_up", "md4cp": "aces_up", "pa679a": "prime", "pa682a": "prime", "pa683a": "pocket"}
PRIME_LIKE = ("pa679a", "pa682a", "pa683a")
AUTOMATED = [way for way in WAYS if way.method.startswith("auto_shoe")]


def locked(chapter: str = "pa641a", *, optional: bool = False, **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    for seat in (2, 5):
        shift.bet(seat, ante=1000, **({OPTIONAL[chapter]: 500} if optional else {}))
    shift.lock()
    return shift


def returned(shift: Shift) -> set[tuple[int, str, int | None]]:
    return {(each.seat, each.wager, each.cents) for each in shift.said(ReturnWager)}


def declare(shift: Shift, kind: str) -> None:
    shift.mark()
    if kind == "wrong_count":
        shift.wrong_number()
    else:
        shift.menu("IRREGULARITY", kind)


# ---------------------------------------------------------------- (a) a card face up


@each_way
def test_x_13a_one_face_up_card_goes_to_the_rack_and_the_next_takes_its_place(way: Way) -> None:
    shift = locked(way.chapter, method=way.method, knowledge=way.knowledge)
    before = max(each.position for each in shift.table.state.play.current.plan)
    shift.draw()
    shift.menu("CARD FACE UP")
    assert shift.why == ""
    (found,) = shift.table.state.play.current.face_up
    shift.deal_cards()
    assert (
        max(each.position for each in shift.table.state.play.current.plan)
        == before + 1
        == shift.table.state.play.current.drawn
    )
    assert f"discard^@{found}" in [str(each) for each in shift.table.state.play.current.plan]
    shift.ok()
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert shift.record.face_up == (found,)
    assert shift.record.void == ""


@each_chapter
def test_x_13a_a_second_face_up_card_voids_the_round(chapter: str) -> None:
    shift = locked(chapter, optional=True)
    shift.draw()
    shift.menu("CARD FACE UP")
    shift.draw()
    shift.mark()
    shift.menu("CARD FACE UP")
    cite = law(chapter).irregularities["several_face_up"].cite
    assert [(each.why, each.cite) for each in shift.said(VoidRound)] == [("several face up", cite)]
    assert returned(shift) == {
        (seat, wager, cents) for seat in (2, 5) for wager, cents in (("ante", 1000), (OPTIONAL[chapter], 500))
    }
    assert not shift.said(RemoveDeck)
    shift.next_round()
    assert shift.record.void == cite


def test_641a_13a_the_last_card_may_be_found_face_up_too() -> None:
    shift = locked()
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)
    shift.menu("CARD FACE UP")
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.DEALING, ("CARD 6 TO", "DEALER FACE UP"))
    shift.draw()
    assert shift.is_in(Phase.STUB)


def test_641a_13a_in_a_stack_the_dealer_says_which_card_it_was() -> None:
    shift = locked(method="auto_shoe")
    shift.draw()
    shift.draw()
    shift.menu("CARD FACE UP", "8 SEAT 5")
    assert shift.table.state.play.current.face_up == [8]
    assert shift.truth("seat5") == tuple(shift.pack[5:7] + shift.pack[8:10])


def test_641a_13a_the_card_that_is_in_the_rack_already_is_not_offered_again() -> None:
    """A dealer who took it twice would void a round in which one card lay face up."""
    shift = locked(method="auto_shoe")
    shift.draw()
    shift.draw()
    shift.menu("CARD FACE UP", "8 SEAT 5")
    with pytest.raises(NotOfferedError):
        shift.menu("CARD FACE UP", "8 DISCARD")


def test_641a_13a_found_by_hand_it_is_the_next_card_of_the_way_around() -> None:
    shift = locked(method="hand")
    shift.ok()
    shift.menu("CARD FACE UP")
    assert shift.table.state.play.current.face_up == [4]
    assert shift.table.state.play.current.drawn == 4
    shift.ok(5)
    assert shift.prompt[0] == "DEAL DEALER"


def test_641a_13a_before_a_card_has_left_the_shoe_none_is_face_up() -> None:
    shift = locked()
    shift.menu("CARD FACE UP")
    assert shift.why == "no card has left the shoe yet"


def test_641a_13a_a_card_that_cannot_be_read_is_declared_face_up() -> None:
    """V13: held until the floor releases; declared face up it is set aside and the others are known as before."""
    shift = locked()
    shift.draw()
    shift.out += 1
    shift.send(CardDrawn, card=None)
    assert shift.prompt == ("HELD: CARD NOT READ", "FLOOR: LOOK, RELEASE")
    shift.menu("CARD FACE UP")
    assert shift.table.state.play.current.face_up == [2]
    shift.floor("RELEASE")
    shift.deal()
    assert shift.table.rooms.settlements.knows_cards()
    shift.reveal()
    assert shift.is_in(Phase.SETTLING)


def test_policy_a_card_that_was_not_read_is_declared_with_the_hands() -> None:
    shift = locked()
    shift.draw()
    shift.out += 1
    shift.send(CardDrawn, card=None)
    shift.floor("RELEASE")
    shift.deal()
    shift.answer_all()
    shift.ok()
    assert shift.is_in(Phase.DECLARING)


def test_641a_8d_the_legal_up_card_of_the_dealer_is_no_irregularity() -> None:
    shift = locked()
    shift.deal()
    assert shift.is_in(Phase.DECIDING)
    assert shift.table.state.play.current.face_up == []


# ---------------------------------------------------------------- (b) drawn in error


@each_chapter
def test_x_13b_a_card_drawn_in_error_is_used_as_the_next_card(chapter: str) -> None:
    shift = locked(chapter)
    shift.draw()
    shift.menu("DRAWN IN ERROR")
    shift.deal()
    assert shift.is_in(Phase.DECIDING)
    cite = law(chapter).irregularities["drawn_in_error"].cite
    assert ("drawn in error", cite) in [
        (note.words, note.cite) for note in shift.table.state.play.current.notes
    ]


# ---------------------------------------------------------------- (c) a wrong number of cards


@each_chapter
@pytest.mark.parametrize("phase", ["dealing", "stub", "deciding", "turning", "settling"])
def test_x_13c_a_wrong_number_of_cards_voids_whenever_it_is_found(chapter: str, phase: str) -> None:
    shift = locked(chapter, optional=True)
    reach(shift, phase)
    raised = {
        (seat, wager, cents)
        for seat in (2, 5)
        for wager, cents in shift.table.rooms.contest.stakes(seat).items()
    }
    declare(shift, "wrong_count")
    cite = law(chapter).irregularities["wrong_count"].cite
    assert [each.cite for each in shift.said(VoidRound)] == [cite]
    assert returned(shift) == raised
    assert shift.is_in(Phase.RETURNING)
    shift.next_round()
    assert {line.result for line in shift.record.lines} == {"returned"}


def reach(shift: Shift, phase: str) -> None:
    if phase == "dealing":
        while not shift.truth("community" if shift.chapter.id == "pa683a" else "dealer"):
            shift.draw()
        return
    shift.deal_cards()
    if phase == "stub":
        return
    shift.ok()
    if phase == "deciding":
        shift.answer(2)
        return
    if phase == "turning":
        shift.answer_all()
        return
    shift.reveal()


def test_641a_13_reading_v1_says_whether_a_forfeited_ante_goes_back() -> None:
    for reading, back in (("returned", {2, 5}), ("kept", {5})):
        shift = locked(readings={"void_forfeits": reading})
        shift.deal()
        shift.answer(2, "fold")
        declare(shift, "wrong_count")
        assert {seat for seat, _, _ in returned(shift)} == back
        assert {each.seat for each in shift.said(CollectWager)} == ({2} if reading == "kept" else set())


# ---------------------------------------------------------------- after payment (V16)


def paid(readings: dict[str, str] | None = None, **hands: str) -> Shift:
    """Seat 5 is settled, seat 2 is not."""
    shift = Shift(readings=readings or {})
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000, aces_up=500, prog4=100)
    shift.lock()
    shift.deal(**{"seat5": "9s 9h 9d 2c 3h", "dealer": "2d 4h 6s 8c Jd 3c"} | hands)
    shift.reveal()
    shift.settle_seat()
    return shift


def test_641a_13c_payments_of_a_round_that_turns_out_void_are_listed_to_be_taken_back() -> None:
    shift = paid()
    declare(shift, "wrong_count")
    back = {(each.seat, each.wager, each.cents) for each in shift.said(TakeBackPayment)}
    assert back == {
        (5, "ante", 1000),
        (5, "play", 1000),
        (5, "ante_bonus", 2000),
        (5, "aces_up", 4500),
        (5, "prog4", 900),
    }
    assert returned(shift) == {(2, "ante", 1000), (2, "play", 1000), (5, "prog4", 100)}


def test_641a_13c_a_hit_that_was_paid_goes_back_to_its_meter_and_holds_the_table_for_the_floor() -> None:
    shift = paid(seat5="As Ah Ad Ac 3h")
    seed = 500_000
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == seed
    declare(shift, "wrong_count")
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == seed
    back_on_it, taken_off_it = 100 * (seed + 29), 100 * seed + 2900
    assert shift.table.state.books.ledger.moved["prog4.main"][REVERSAL] == back_on_it - taken_off_it
    assert [held.kind for held in shift.table.state.trouble.holds] == ["hit_paid"]
    shift.clear()
    assert shift.prompt == ("HELD: HIT WAS PAID", "FLOOR: TAKE IT BACK")
    shift.floor("RELEASE")
    shift.get_ready()
    assert shift.table.state.books.ledger.is_balanced()


def waiting_for_the_floor() -> Shift:
    """Seat 5 has four aces, and nobody has validated them yet."""
    shift = Shift()
    shift.open_table()
    shift.bet(5, ante=1000, prog4=100)
    shift.lock()
    shift.deal(seat5="As Ah Ad Ac 3h", dealer="2d 4h 6s 8c Jd 3c")
    shift.reveal()
    shift.ok()
    assert shift.is_in(Phase.VALIDATING)
    return shift


def test_641a_13c_nobody_reads_of_a_hit_in_a_void_round() -> None:
    shift = waiting_for_the_floor()
    declare(shift, "wrong_count")
    assert [(each.seat, each.wager) for each in shift.said(DropHit)] == [(5, "prog4")]


def test_641a_13c_what_was_paid_before_a_hit_waited_is_listed_to_be_taken_back() -> None:
    """641a.11(c)(3)-(5): the Ante and its bonus are settled before the floor is called."""
    shift = waiting_for_the_floor()
    shift.mark()
    declare(shift, "wrong_count")
    taken = {each.wager: each.cents for each in shift.said(TakeBackPayment)}
    assert set(taken) == {"ante", "play", "ante_bonus"}
    assert not shift.said(PayWager)


def test_641a_13c_reading_v16_may_leave_the_void_to_the_floor() -> None:
    shift = paid({"void_after_payment": "held"})
    declare(shift, "wrong_count")
    assert not shift.said(VoidRound)
    assert shift.prompt == ("HELD: PAID ALREADY", "FLOOR: VOID OR GO ON")
    shift.floor("VOID ROUND", person="f9")
    assert [each.cite for each in shift.said(VoidRound)] == ["641a.13(c)"]
    shift.clear()
    shift.floor("RELEASE")
    shift.get_ready()
    shift = paid({"void_after_payment": "held"})
    declare(shift, "wrong_count")
    shift.floor("RELEASE")
    shift.settle_all()
    assert shift.is_in(Phase.CLEARING)


def test_641a_13c_with_that_reading_a_round_without_payments_is_void_at_once() -> None:
    shift = locked(readings={"void_after_payment": "held"})
    shift.deal()
    declare(shift, "wrong_count")
    assert shift.said(VoidRound)


# ---------------------------------------------------------------- (d) a card exposed


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
@pytest.mark.parametrize("phase", ["dealing", "stub", "deciding", "turning"])
def test_641a_and_md_13d_an_exposed_dealers_card_voids_everything(chapter: str, phase: str) -> None:
    shift = locked(chapter, optional=True)
    reach(shift, phase)
    stakes = {(seat, *stake) for seat in (2, 5) for stake in shift.table.rooms.contest.stakes(seat).items()}
    declare(shift, "dealer_exposed")
    assert shift.said(VoidRound)
    assert returned(shift) == stakes


EXPOSED = {"pa679a": "dealer_exposed", "pa682a": "dealer_exposed", "pa683a": "community_exposed"}


@pytest.mark.parametrize("chapter", PRIME_LIKE)
@pytest.mark.parametrize("phase", ["dealing", "stub", "deciding"])
@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
def test_679a_682a_683a_13d_with_an_optional_wager_the_deal_is_finished_and_no_decision_asked(
    chapter: str, phase: str, knowledge: Knowledge
) -> None:
    """V5: base wagers go back, the optional ones are settled."""
    shift = locked(chapter, optional=True, knowledge=knowledge)
    reach(shift, phase)
    declare(shift, EXPOSED[chapter])
    assert not shift.said(VoidRound)
    shift.deal_cards()
    if shift.phase is Phase.STUB:
        shift.ok()
    assert shift.is_in(Phase.TURNING)
    shift.press_until_revealed()
    if knowledge is Knowledge.NONE:
        assert shift.is_in(Phase.DECLARING)
        shift.declare_all()
    shift.settle_all()
    base = law(chapter).contest.wagers
    assert {(seat, wager) for seat, wager, _ in returned(shift) if wager in base} >= {
        (2, "ante"),
        (5, "ante"),
    }
    settled = {(each.seat, each.wager) for each in shift.said(PayWager)}
    settled |= {(each.seat, each.wager) for each in shift.said(CollectWager)}
    assert settled == {(2, OPTIONAL[chapter]), (5, OPTIONAL[chapter])}
    shift.next_round()
    assert shift.record.irregularity == EXPOSED[chapter]


@pytest.mark.parametrize(
    ("chapter", "wager", "words"),
    [
        ("pa682a", "prime", ("DEALER NOT TURNED", "OPTIONAL WAGERS, OK")),
        ("pa679a", "pair_bonus", ("DEALER NOT TURNED", "OPTIONAL WAGERS, OK")),
        ("pa679a", "prime", ("REVEAL DEALER", "THEN OK")),
    ],
)
@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
def test_679a_682a_13d_the_dealer_is_turned_only_for_a_wager_that_is_settled_by_him(
    chapter: str, wager: str, words: tuple[str, str], knowledge: Knowledge
) -> None:
    shift = Shift(chapter, knowledge=knowledge)
    shift.open_table()
    shift.bet(2, **{"ante": 1000, wager: 500})
    shift.bet(5, ante=1000)
    shift.lock()
    reach(shift, "deciding")
    declare(shift, "dealer_exposed")
    assert shift.is_in(Phase.TURNING)
    assert shift.prompt == words
    shift.ok()
    if knowledge is Knowledge.NONE:
        shift.declare_all()
    is_turned = words[0].startswith("REVEAL")
    shift.settle_all()
    shift.next_round()
    assert ("dealer" in shift.record.hidden) == (not is_turned or knowledge is Knowledge.NONE)


@pytest.mark.parametrize(
    ("chapter", "wager"), [("pa679a", "prime"), ("pa682a", "prime"), ("pa683a", "pocket")]
)
def test_679a_682a_683a_13d_a_hand_without_an_optional_wager_is_neither_turned_nor_named(
    chapter: str, wager: str
) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, **{"ante": 1000, wager: 500})
    shift.bet(5, ante=1000)
    shift.lock()
    reach(shift, "deciding")
    declare(shift, EXPOSED[chapter])
    shift.press_until_revealed()
    shift.settle_all()
    assert "seat2" in shift.table.rooms.views.public_cards()
    assert "seat5" not in shift.table.rooms.views.public_cards()
    shift.next_round()
    assert "seat2" in shift.record.hands
    assert "seat5" not in shift.record.hands
    assert "seat5" in shift.record.hidden


@pytest.mark.parametrize("chapter", PRIME_LIKE)
@pytest.mark.parametrize("phase", ["dealing", "stub", "deciding"])
def test_679a_682a_683a_13d_without_an_optional_wager_the_round_ends_at_once(
    chapter: str, phase: str
) -> None:
    shift = locked(chapter)
    reach(shift, phase)
    declare(shift, EXPOSED[chapter])
    assert [each.cite for each in shift.said(VoidRound)] == [
        law(chapter).irregularities[EXPOSED[chapter]].cite
    ]
    assert shift.is_in(Phase.RETURNING)


def test_682a_13d_after_the_raises_the_round_goes_on() -> None:
    shift = locked("pa682a", optional=True)
    reach(shift, "turning")
    declare(shift, "dealer_exposed")
    assert not shift.said(VoidRound)
    assert shift.is_in(Phase.TURNING)
    shift.ok()
    shift.settle_all()
    shift.next_round()
    assert {line.result for line in shift.record.lines if line.wager in ("ante", "raise")} <= {"win", "lose"}
    assert shift.record.irregularity == ""
    assert "after the raises: the round goes on" in [note.words for note in shift.record.notes]


def test_679a_13d_an_answer_of_a_void_contest_cannot_be_taken_back() -> None:
    shift = locked("pa679a", optional=True)
    reach(shift, "deciding")
    declare(shift, "dealer_exposed")
    with pytest.raises(NotOfferedError):
        shift.floor("CORRECT ENTRY", "2")
    shift.press(Key.MENU, Key.BACK)
    assert shift.is_in(Phase.TURNING)


def test_679a_13d_after_the_decisions_and_before_the_reveal_it_still_voids_the_contest() -> None:
    shift = locked("pa679a", optional=True)
    reach(shift, "turning")
    declare(shift, "dealer_exposed")
    shift.ok()
    shift.settle_all()
    assert {wager for _, wager, _ in returned(shift)} == {"ante", "play"}


def test_683a_13d_after_the_second_street_raises_go_back_and_no_more_are_asked() -> None:
    shift = locked("pa683a", optional=True)
    shift.deal()
    shift.answer_all()
    shift.ok()
    shift.answer(2, "fold")
    declare(shift, "community_exposed")
    assert shift.is_in(Phase.TURNING)
    shift.press_until_revealed()
    shift.settle_all()
    assert returned(shift) == {(seat, wager, 1000) for seat in (2, 5) for wager in ("ante", "raise1")}


def test_679a_13d_a_round_in_which_all_optional_wagers_were_left_alone_counts_the_left_player_too() -> None:
    """F10: where x.13(d) settles optional wagers, a seat that was left is treated like any other."""
    shift = Shift("pa679a")
    shift.open_table()
    shift.bet(2, ante=1000, prime=500)
    shift.bet(5, ante=1000)
    shift.lock()
    shift.deal()
    shift.menu("PLAYER LEFT", "2")
    declare(shift, "dealer_exposed")
    assert not shift.said(VoidRound)


def test_641a_13d_another_card_exposed_is_recorded_and_played() -> None:
    shift = locked()
    shift.deal()
    declare(shift, "exposed_other")
    assert shift.is_in(Phase.DECIDING)
    assert "card exposed, no rule for it" in [note.words for note in shift.table.state.play.current.notes]


def test_641a_13d_reading_v17_may_hold_it_for_the_floor() -> None:
    shift = locked(readings={"exposed_other": "held"})
    shift.deal()
    declare(shift, "exposed_other")
    assert shift.prompt == ("HELD: CARD EXPOSED", "FLOOR: DECIDE")
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is None
    assert shift.is_in(Phase.DECIDING)


# ---------------------------------------------------------------- (f) the automated shoe


@pytest.mark.parametrize("way", AUTOMATED, ids=str)
def test_x_13f_an_automated_shoe_that_jams_while_it_deals_voids_the_round(way: Way) -> None:
    shift = locked(way.chapter, optional=True, method=way.method, knowledge=way.knowledge)
    if way.knowledge is not Knowledge.NONE:
        shift.draw()
    shift.mark()
    shift.send(DeviceJammed, device="shoe", cause="card stuck")
    cite = law(way.chapter).irregularities["shoe_jam"].cite
    assert [each.cite for each in shift.said(VoidRound)] == [cite]
    assert {seat for seat, _, _ in returned(shift)} == {2, 5}
    assert shift.said(HaltShoe)
    shift.clear()
    assert shift.prompt == ("HELD: DEVICE FAULT", "TECH: LOOK, RETEST")


@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
@each_chapter
def test_x_13f_a_shoe_that_is_drawn_by_hand_never_voids_by_itself(chapter: str, knowledge: Knowledge) -> None:
    """V13: held until it was tested again."""
    shift = locked(chapter, knowledge=knowledge)
    shift.draw()
    shift.mark()
    shift.send(DeviceJammed, device="shoe", cause="card stuck")
    assert not shift.said(VoidRound)
    assert shift.prompt[0] == "HELD: DEVICE FAULT"
    shift.send(DeviceRetested, device="shoe", fault="device", good=True)
    shift.technician("RELEASE")
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


@pytest.mark.parametrize("chapter", ["pa679a", "pa683a"])
def test_683a_10c_a_jam_after_the_last_stack_voids_nothing(chapter: str) -> None:
    """D18: what is left is dealt by hand."""
    shift = Shift(chapter, method="auto_shoe")
    shift.open_table()
    shift.bet(2, ante=1000, **({"pair_bonus": 500} if chapter == "pa679a" else {}))
    shift.lock()
    while shift.wanted:
        shift.draw()
    assert shift.is_in(Phase.DEALING)
    shift.mark()
    shift.send(DeviceJammed, device="shoe", cause="empty")
    assert not shift.said(VoidRound)


@pytest.mark.parametrize(("method", "voids"), [("auto_shoe", False), ("auto_shoe_reshuffle", True)])
def test_641a_13f_a_jam_of_the_shuffler_voids_only_where_it_is_the_shoe_too(method: str, voids: bool) -> None:
    shift = locked(method=method)
    shift.mark()
    shift.send(DeviceJammed, device="shuffler", cause="jam")
    assert bool(shift.said(VoidRound)) == voids


def test_641a_13f_a_jam_when_all_is_dealt_voids_nothing() -> None:
    shift = locked(method="auto_shoe")
    shift.deal()
    shift.mark()
    shift.send(DeviceJammed, device="shoe", cause="empty")
    assert not shift.said(VoidRound)


# ---------------------------------------------------------------- what the dealer's list offers


@each_chapter
def test_x_13_irregularities_stand_first_in_the_dealers_list(chapter: str) -> None:
    shift = locked(chapter)
    shift.draw()
    shift.press(Key.MENU)
    kinds = ("CARD FACE UP", "DRAWN IN ERROR", "WRONG NUMBER", "IRREGULARITY")
    first = [title for title in shift.titles() if title in kinds]
    assert shift.titles()[: len(first)] == first
    assert len(first) == 4


@each_chapter
def test_x_13_each_kind_is_offered_where_it_can_occur_and_where_the_chapter_knows_it(chapter: str) -> None:
    known = set(law(chapter).irregularities) | {"exposed_other"}
    for phase in ("dealing", "stub", "deciding", "turning", "settling"):
        shift = locked(chapter, optional=True)
        reach(shift, phase)
        wanted = {
            row.kind for row in IRREGULARITIES if row.title and shift.phase in row.phases and not row.methods
        } & known
        assert set(shift.table.rooms.irregularities.irregularities_now()) == wanted
        assert ("community_exposed" in known) == (chapter == "pa683a")


def test_641a_13_no_irregularity_between_rounds() -> None:
    shift = Shift()
    shift.open_table()
    with pytest.raises(NotOfferedError):
        shift.wrong_number()


# ---------------------------------------------------------------- what a void does


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp"])
def test_x_12_a_void_reverses_its_contributions_by_name(chapter: str) -> None:
    wager, meter = ("prog4", "prog4") if chapter == "pa641a" else ("progressive", "progressive")
    shift = Shift(chapter)
    shift.open_table()
    before = shift.table.rooms.shares.meters()
    shift.bet(2, ante=1000, **{wager: 100})
    shift.lock()
    assert shift.table.rooms.shares.meters() != before
    shift.deal()
    declare(shift, "wrong_count")
    assert shift.table.rooms.shares.meters() == before
    assert shift.table.state.books.ledger.moved[f"{meter}.main"][REVERSAL] < 0
    assert shift.table.state.books.day.voids == 1


def test_641a_13_a_hand_bonus_of_a_void_round_goes_back_to_the_account() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.account(2, hand_bonus_player=300)
    shift.lock()
    shift.deal()
    declare(shift, "wrong_count")
    back = {(each.wager, each.account) for each in shift.said(ReturnWager)}
    assert back == {("ante", False), ("hand_bonus_player", True)}


def test_641a_13_an_unknown_stake_of_a_void_round_goes_back_once() -> None:
    shift = Shift()
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=None, aces_up=None, prog4=None)
    shift.lock()
    shift.deal(seat5="9s 9h 9d 2c 3h", dealer="2d 4h 6s 8c Jd 3c")
    shift.reveal()
    shift.settle_seat()
    declare(shift, "wrong_count")
    assert returned(shift) == {(2, "ante", 1000), (2, "play", 1000), (5, "prog4", None)}
    assert {each.wager for each in shift.said(TakeBackPayment)} == {
        "ante",
        "play",
        "ante_bonus",
        "aces_up",
        "prog4",
    }


def test_641a_13_the_cards_of_a_void_round_stay_hidden() -> None:
    shift = locked()
    shift.deal()
    declare(shift, "wrong_count")
    shift.next_round()
    assert shift.record.public.keys() == {"dealer"}
    assert sum(shift.record.hidden.values()) == 15
    assert shift.table.rooms.views.view(Role.AUDITOR)["phase"] == "bets_open"


def test_641a_13c_of_a_seat_that_lost_nothing_is_taken_back_and_its_stake_is_returned() -> None:
    shift = paid(seat5="2c 3d 5h 7s 9c", dealer="As Ah Ad Ac 3h Kd")
    shift.mark()
    declare(shift, "wrong_count")
    assert not shift.said(TakeBackPayment, seat=5)
    assert {(5, "ante", 1000), (5, "play", 1000)} <= returned(shift)
