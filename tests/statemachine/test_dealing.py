"""x.8 to x.10: dealt by the plan, by every method at every level of knowledge."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.rules.plan import Bets, plan
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import KNOWABLE, Knowledge, SetupError, Shuffler
from sabot.statemachine.vocabulary.effects import Dispense, Effect, FreeShoe, HaltShoe, LightSeat
from sabot.statemachine.vocabulary.events import (
    CardDrawn,
    DeviceRetested,
    Key,
    LinkLost,
    Resumed,
    Secret,
    ShufflerStopped,
    ShuffleStarted,
    StackDelayed,
    StackDispensed,
)

from .eyes import Eyes
from .shift import Shift
from .tables import CHAPTERS, METHODS, WAYS, Way, law, optional_wagers

each_way = pytest.mark.parametrize("way", WAYS, ids=str)
SHARED = {"pa641a": ("six_card",), "md4cp": ("aces_up", "six_card"), "pa679a": ("pair_bonus",)}


def locked(way: Way, seats: tuple[int, ...] = (2, 5), **changes: Any) -> Shift:
    """Antes, and every wager that has a card of its own on the layout."""
    shift = Shift(way.chapter, method=way.method, knowledge=way.knowledge, **changes)
    shift.open_table()
    shared = SHARED.get(way.chapter, ("all_six",))
    for seat in seats:
        shift.bet(seat, ante=1000, **dict.fromkeys(shared, 500))
    shift.lock()
    return shift


def manual(chapter: str = "pa641a", knowledge: Knowledge = Knowledge.EACH_CARD) -> Way:
    return Way(chapter, "manual_shoe", knowledge)


# ---------------------------------------------------------------- every method, every level of knowledge


@each_way
def test_x_8_to_10_cards_lie_where_the_plan_puts_them_whatever_is_known_of_them(way: Way) -> None:
    shift = locked(way)
    bets = Bets(frozenset({"six_card", "all_six"}), frozenset({2, 5}))
    wanted = plan(law(way.chapter), way.method, (2, 5), bets)
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)
    assert [str(each) for each in shift.table.state.play.current.plan] == [str(each) for each in wanted]
    assert shift.table.state.play.current.drawn == shift.out == max(each.position for each in wanted)


@each_way
def test_x_11_a_round_is_settled_alike_whether_cards_are_read_or_declared(way: Way) -> None:
    """The same cards, bets and answers make the same lines; only the sum of what is known differs."""
    shift = Shift(way.chapter, method=way.method, knowledge=way.knowledge)
    shift.open_table()
    chapter = law(way.chapter)
    optional = {
        name: 100 if chapter.wagers[name].device == "progressive" else 500
        for name in optional_wagers(way.chapter)
        if chapter.wagers[name].device != "account"
    }
    shift.bet(2, ante=1000, **optional)
    shift.bet(5, ante=2500)
    shift.bet(6, ante=1000, **optional)
    shift.lock()
    shift.deal()
    truth = {
        place: shift.truth(place) for place in {each.place for each in shift.table.state.play.current.plan}
    }
    shift.reveal({2: 1, 6: "fold"})
    outcome = shift.table.law.settlement.settle(Eyes(shift).true_round(shift.table.rooms.shares.meters()))
    assert [line[:7] for line in outcome.lines] == [line[:7] for line in shift.table.state.play.current.lines]
    shift.settle_all()
    shift.next_round()
    for place, cards in shift.record.public.items():
        assert set(cards) <= set(truth[place])


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("method", METHODS)
def test_x_8_a_method_cannot_know_more_of_the_cards_than_its_devices(chapter: str, method: str) -> None:
    for knowledge in set(Knowledge) - KNOWABLE[method]:
        with pytest.raises(SetupError, match="cannot know the cards as"):
            Shift(chapter, method=method, knowledge=knowledge)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_9a1_dealing_from_the_hand_needs_an_automated_shuffler(chapter: str) -> None:
    with pytest.raises(SetupError, match="hand without an automated shuffler") as refusal:
        Shift(chapter, method="hand", shuffler=Shuffler.HAND)
    assert law(chapter).plans["hand"].needs_shuffler in str(refusal.value)


def test_641a_8_a_chapter_deals_by_its_own_methods_only() -> None:
    with pytest.raises(SetupError, match="does not know the method conveyor"):
        Shift(method="conveyor", knowledge=Knowledge.NONE)
    with pytest.raises(SetupError, match="8 seats"):
        Shift(seats=8)
    with pytest.raises(SetupError, match="the wager nonsense is not in the chapter"):
        Shift(offers=frozenset({"nonsense"}))


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("shuffler", [Shuffler.HAND, Shuffler.PLAIN, Shuffler.COUNTING])
def test_x_5g_a_shoe_that_reshuffles_is_a_shuffler_that_does(chapter: str, shuffler: Shuffler) -> None:
    with pytest.raises(SetupError, match="auto_shoe_reshuffle with a shuffler that does not") as refusal:
        Shift(chapter, method="auto_shoe_reshuffle", shuffler=shuffler)
    assert law(chapter).deck.rules["reshuffler_exempt"].cite in str(refusal.value)


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("decks", [0, -1])
def test_x_3a_a_table_has_a_deck(chapter: str, decks: int) -> None:
    with pytest.raises(SetupError, match=f"{decks} decks") as refusal:
        Shift(chapter, decks=decks)
    assert law(chapter).deck.rules["cards"].cite in str(refusal.value)


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_x_2a_a_table_has_no_seats_below_one(chapter: str) -> None:
    with pytest.raises(SetupError, match="-1 seats") as refusal:
        Shift(chapter, seats=-1)
    assert law(chapter).seats_cite in str(refusal.value)


# ---------------------------------------------------------------- 8: a reading shoe, card by card


def test_641a_8d_prompt_and_lamp_are_one_card_ahead() -> None:
    shift = locked(manual(), (2, 5))
    seen = []
    while shift.phase is Phase.DEALING:
        seen.append((*shift.prompt, shift.said(LightSeat)[-1].seat))
        shift.draw()
    assert seen[:4] == [
        ("CARD 1 TO", "SIX CARD", 0),
        ("CARD 1 TO", "SEAT 2", 2),
        ("CARD 1 TO", "SEAT 5", 5),
        ("CARD 1 TO", "DEALER", 0),
    ]
    assert seen[-2:] == [("CARD 5 TO", "DEALER", 0), ("CARD 6 TO", "DEALER FACE UP", 0)]


def test_641a_8d_no_key_deals_what_the_shoe_reports() -> None:
    shift = locked(manual())
    shift.ok()
    assert (shift.why, shift.table.state.play.current.drawn) == ("the shoe reports the cards", 0)


def test_641a_8_a_shoe_that_reads_no_single_cards_cannot_report_one() -> None:
    for way in (Way("pa641a", "auto_shoe", Knowledge.STACK), manual(knowledge=Knowledge.NONE)):
        shift = locked(way)
        shift.send(CardDrawn, card=Secret(1))
        assert shift.why == "no shoe at this table reads single cards"
        assert shift.table.state.play.current.drawn == 0


# ---------------------------------------------------------------- 8, 9: by hand, the dealer's key carries the step


@pytest.mark.parametrize(
    ("chapter", "prompts"),
    [
        ("pa641a", ["DEAL SIX CARD", *["DEAL 3 CARDS AROUND"] * 5, "DEAL DEALER"]),
        ("md4cp", ["DEAL SIX CARD", *["DEAL 3 CARDS AROUND"] * 5, "DEAL DEALER"]),
        ("pa679a", [*["DEAL 3 CARDS AROUND"] * 3, "DEAL 2 CARDS AROUND"]),
        ("pa682a", ["DEAL ALL SIX", *["DEAL 3 CARDS AROUND"] * 5, "DEAL DEALER"]),
        ("pa683a", ["DEAL ALL SIX", *["DEAL 2 CARDS AROUND"] * 2, *["DEAL COMMUNITY"] * 3]),
    ],
)
def test_x_9b_the_dealer_says_when_a_way_around_is_dealt(chapter: str, prompts: list[str]) -> None:
    shift = locked(Way(chapter, "hand", Knowledge.NONE))
    seen = []
    while shift.phase is Phase.DEALING:
        seen.append(shift.prompt[0])
        shift.ok()
    assert seen == prompts


def test_641a_9b_back_takes_back_the_last_way_around_until_the_stub_is_racked() -> None:
    shift = locked(Way("pa641a", "hand", Knowledge.NONE))
    shift.ok(7)
    assert shift.is_in(Phase.STUB)
    shift.press(Key.BACK)
    assert (shift.phase, shift.prompt[0]) == (Phase.DEALING, "DEAL DEALER")
    assert len(shift.table.state.play.current.seen) == shift.table.state.play.current.drawn == 16
    shift.press(Key.BACK)
    assert shift.why == "only the floor can correct what was confirmed"
    shift.ok()
    assert shift.is_in(Phase.STUB)
    shift.ok()
    assert shift.is_in(Phase.DECIDING)
    assert "1 cards not dealt yet" in [note.words for note in shift.table.state.play.current.notes]


def test_641a_9b_the_last_card_of_the_dealer_is_said_to_be_face_up() -> None:
    shift = locked(Way("pa641a", "hand", Knowledge.NONE))
    shift.ok(6)
    assert shift.prompt == ("DEAL DEALER", "FACE UP, THEN OK")


# ---------------------------------------------------------------- 10: an automated shoe, stack by stack


@pytest.mark.parametrize(
    ("chapter", "method", "stacks"),
    [
        ("pa641a", "auto_shoe", [5, 5, 5, 5]),
        ("pa641a", "auto_shoe_reshuffle", [6, 5, 5, 1]),
        ("md4cp", "auto_shoe", [1, 6, 5, 5]),
        ("md4cp", "auto_shoe_reshuffle", [1, 6, 5, 5]),
        ("pa679a", "auto_shoe", [3, 3, 3]),
        ("pa679a", "auto_shoe_reshuffle", [4, 4, 4]),
        ("pa682a", "auto_shoe", [5, 5, 5, 5]),
        ("pa682a", "auto_shoe_reshuffle", [5, 5, 5, 5]),
        ("pa683a", "auto_shoe", [2, 2]),
        ("pa683a", "auto_shoe_reshuffle", [2, 2]),
    ],
)
@pytest.mark.parametrize("knowledge", [Knowledge.STACK, Knowledge.COUNT_ONLY])
def test_x_10_the_shoe_is_ordered_one_stack_at_a_time(
    chapter: str, method: str, stacks: list[int], knowledge: Knowledge
) -> None:
    shift = locked(Way(chapter, method, knowledge))
    assert [effect.count for effect in shift.said(Dispense)] == stacks[:1]
    shift.deal_cards()
    assert [effect.count for effect in shift.said(Dispense)] == stacks


def test_641a_10b_the_prompt_names_the_stack_and_its_place() -> None:
    shift = locked(Way("pa641a", "auto_shoe", Knowledge.STACK))
    assert shift.prompt == ("5 CARDS TO", "SEAT 2")
    shift.draw()
    assert shift.prompt == ("5 CARDS TO", "SEAT 5")


@pytest.mark.parametrize(
    ("chapter", "prompts"),
    [
        ("pa679a", [("DEAL 2 CARDS AROUND", "THEN OK")]),
        ("pa683a", [("DEAL ALL SIX", "4 CARDS, THEN OK"), ("DEAL COMMUNITY", "3 CARDS, THEN OK")]),
    ],
)
def test_x_10c_what_the_shoe_does_not_give_is_dealt_by_hand(
    chapter: str, prompts: list[tuple[str, str]]
) -> None:
    shift = locked(Way(chapter, "auto_shoe", Knowledge.STACK))
    while shift.wanted:
        shift.draw()
    seen = []
    while shift.phase is Phase.DEALING:
        seen.append(shift.prompt)
        shift.ok()
    assert seen == prompts
    assert not shift.table.rooms.settlements.knows_cards()


def test_683a_10c_a_stack_while_the_dealer_deals_by_hand_is_out_of_turn() -> None:
    shift = locked(Way("pa683a", "auto_shoe", Knowledge.STACK))
    while shift.wanted:
        shift.draw()
    shift.dispense(2)
    assert shift.prompt[0] == "HELD: STRAY CARD"


def test_641a_10b_a_shoe_that_reports_nothing_is_carried_by_the_dealers_key() -> None:
    shift = locked(Way("pa641a", "auto_shoe", Knowledge.NONE))
    assert shift.prompt == ("DEAL 15 CARDS AROUND", "THEN OK")
    shift.send(StackDispensed, count=5)
    assert shift.why == "no shoe at this table reports stacks"
    shift.ok(2)
    assert shift.is_in(Phase.STUB)


@pytest.mark.parametrize("knowledge", [Knowledge.STACK, Knowledge.COUNT_ONLY])
def test_641a_10b_no_key_deals_what_the_shoe_dispenses(knowledge: Knowledge) -> None:
    shift = locked(Way("pa641a", "auto_shoe", knowledge))
    shift.ok()
    assert shift.why == "the shoe reports the cards"


# ---------------------------------------------------------------- a shoe that is busy


def delayed(deck: str = "B", **changes: Any) -> Shift:
    """Locked while the one machine still shuffles the other deck."""
    shift = locked(Way("pa641a", "auto_shoe", Knowledge.STACK), decks=2, one_machine=True, **changes)
    shift.send(StackDelayed, device="shoe", deck=deck)
    return shift


def ordered() -> Shift:
    """One stack lies there, the next is ordered."""
    shift = delayed()
    shift.draw()
    return shift


def to_the_shoe(shift: Shift) -> list[type[Effect]]:
    """What the shoe was told since the mark, in its order."""
    return [type(each) for each in shift.said(Effect) if isinstance(each, HaltShoe | FreeShoe | Dispense)]


@pytest.mark.parametrize(
    ("deck", "first"), [("B", "SHOE SHUFFLES DECK B"), ("", "SHOE IS BUSY"), ("Q", "SHOE IS BUSY")]
)
def test_641a_10b_an_order_that_waits_says_what_for_and_is_dealt_when_it_comes(deck: str, first: str) -> None:
    shift = delayed(deck)
    assert shift.prompt == (first, "WAIT, THEN 5 CARDS")
    assert shift.table.rooms.faults.held is None
    shift.draw()
    assert shift.prompt == ("5 CARDS TO", "SEAT 5")
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)
    assert [each.count for each in shift.said(Dispense)] == [5, 5, 5, 5]


def test_641a_10b_an_order_that_waits_says_what_for_though_the_shuffle_is_told_later() -> None:
    shift = delayed("")
    shift.send(ShuffleStarted, deck="B")
    assert shift.prompt == ("SHOE SHUFFLES DECK B", "WAIT, THEN 5 CARDS")
    shift.draw()
    shift.send(ShuffleStarted, deck="B")
    assert shift.prompt == ("5 CARDS TO", "SEAT 5")


def test_641a_10b_a_stack_in_the_exit_is_named_though_a_shuffle_began() -> None:
    shift = delayed("")
    shift.send(StackDelayed, device="shoe", by_exit=True)
    before = shift.prompt
    shift.send(ShuffleStarted, deck="B")
    assert shift.prompt == before


def test_641a_10b_a_shuffler_beside_the_shoe_does_not_make_it_wait() -> None:
    shift = locked(Way("pa641a", "auto_shoe", Knowledge.STACK), decks=2)
    shift.send(StackDelayed, device="shoe", deck="")
    shift.send(ShuffleStarted, deck="B")
    assert shift.prompt == ("SHOE IS BUSY", "WAIT, THEN 5 CARDS")


def test_641a_10b_only_an_order_can_wait() -> None:
    shift = locked(Way("pa641a", "auto_shoe", Knowledge.STACK))
    shift.deal_cards()
    before = shift.prompt
    shift.send(StackDelayed, device="shoe", deck="A")
    assert (shift.why, shift.prompt) == ("no stack is ordered", before)


def test_641a_13c_a_void_recalls_the_order_that_waits_and_the_shoe_is_free_when_all_is_returned() -> None:
    shift = ordered()
    shift.mark()
    shift.wrong_number()
    assert shift.is_in(Phase.RETURNING)
    assert to_the_shoe(shift) == [HaltShoe]
    shift.ok()
    assert to_the_shoe(shift) == [HaltShoe, FreeShoe]


def test_641a_13c_a_void_that_is_undone_orders_the_stack_again_once() -> None:
    shift = ordered()
    shift.mark()
    shift.wrong_number()
    shift.floor("UNDO VOID")
    assert to_the_shoe(shift) == [HaltShoe, FreeShoe, Dispense]
    assert shift.prompt == ("5 CARDS TO", "SEAT 5")
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)


def test_641a_13c_a_void_with_no_order_under_way_leaves_the_shoe_alone() -> None:
    shift = locked(Way("pa641a", "auto_shoe", Knowledge.STACK))
    shift.deal_cards()
    shift.mark()
    shift.wrong_number()
    shift.ok()
    assert to_the_shoe(shift) == []


def test_policy_a_fault_in_a_void_round_keeps_the_shoe_halted_until_it_is_released() -> None:
    shift = ordered()
    shift.wrong_number()
    shift.mark()
    shift.send(LinkLost, device="shoe", reason="silent")
    shift.ok()
    assert to_the_shoe(shift) == [HaltShoe]
    retested(shift, "shoe")
    shift.floor("RELEASE")
    assert to_the_shoe(shift) == [HaltShoe, FreeShoe]


def test_policy_a_fault_takes_the_order_that_waits_and_its_release_gives_it_again() -> None:
    shift = delayed()
    shift.mark()
    shift.send(LinkLost, device="sign", reason="silent")
    retested(shift, "sign")
    shift.floor("RELEASE")
    assert to_the_shoe(shift) == [HaltShoe, FreeShoe, Dispense]
    assert shift.prompt == ("5 CARDS TO", "SEAT 2")


def test_policy_a_restart_leaves_no_order_waiting() -> None:
    shift = delayed()
    shift.mark()
    shift.handle(Resumed(at=shift.now + 1, down_s=5.0))
    shift.floor("CONFIRM ROUND")
    assert to_the_shoe(shift) == [HaltShoe, FreeShoe, Dispense]
    shift.deal_cards()
    assert shift.is_in(Phase.STUB)


def test_reading_v15_a_stop_of_the_other_decks_shuffle_leaves_the_order_waiting() -> None:
    shift = delayed()
    shift.send(ShufflerStopped, deck="B", cause="a door was opened")
    assert shift.table.rooms.faults.held is None
    shift.draw()
    assert shift.prompt == ("5 CARDS TO", "SEAT 5")


def test_641a_10b_an_entry_taken_back_leaves_the_order_waiting() -> None:
    shift = delayed()
    shift.menu("PLAYER LEFT", "5")
    shift.press(Key.BACK)
    assert shift.prompt == ("SHOE SHUFFLES DECK B", "WAIT, THEN 5 CARDS")


# ---------------------------------------------------------------- a shoe that is wrong


def test_policy_a_stack_that_is_read_in_part_contradicts_itself() -> None:
    shift = locked(Way("pa641a", "auto_shoe", Knowledge.STACK))
    shift.send(StackDispensed, count=5, cards=(Secret(1), Secret(2)))
    assert shift.prompt[0] == "HELD: CONTRADICTION"
    assert shift.table.state.play.current.drawn == 5
    retested(shift, "shoe")
    shift.floor("RELEASE")
    shift.stack()
    shift.out = 5
    shift.deal()
    assert not shift.table.rooms.settlements.knows_cards()


def test_policy_a_stack_when_none_is_due_holds_the_table() -> None:
    shift = locked(Way("pa641a", "auto_shoe", Knowledge.STACK))
    shift.deal_cards()
    shift.dispense(5)
    assert shift.prompt[0] == "HELD: STRAY CARD"
    assert shift.table.state.play.current.drawn == 20


@pytest.mark.parametrize(
    ("way", "deal"),
    [
        (manual(), lambda shift: shift.draw()),
        (Way("pa641a", "auto_shoe", Knowledge.STACK), lambda shift: shift.dispense(5)),
    ],
)
def test_641a_13b_a_card_that_leaves_while_the_table_is_held_is_the_next_card(way: Way, deal: object) -> None:
    shift = locked(way)
    shift.stack()
    shift.send(LinkLost, device="sign", reason="silent")
    deal(shift)  # type: ignore[operator]
    assert shift.table.state.play.current.drawn in (1, 5)
    assert [held.kind for held in shift.table.state.trouble.holds] == ["lost_link", "card_out_of_turn"]


def retested(shift: Shift, device: str) -> None:
    shift.send(DeviceRetested, device=device, fault="all", good=True)


@pytest.mark.parametrize(
    ("chapter", "method", "lines"),
    [
        ("pa683a", "manual_shoe", ("DEAL SEAT 2", "1 CARD, THEN OK")),
        ("pa683a", "auto_shoe", ("DEAL SEAT 2", "2 CARDS, THEN OK")),
        ("pa679a", "hand", ("DEAL 2 CARDS AROUND", "THEN OK")),
    ],
)
def test_x_8d_the_prompt_says_how_many_cards_go_where(
    chapter: str, method: str, lines: tuple[str, str]
) -> None:
    shift = Shift(chapter, method=method, knowledge=Knowledge.NONE)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.prompt == lines
