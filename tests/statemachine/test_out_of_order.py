"""x.13(g): a device that cannot be used is covered or signed before another method, which follows its own rules."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.statemachine.action import Refused
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Shuffler
from sabot.statemachine.vocabulary.effects import (
    Dispense,
    HaltShoe,
    LockWagers,
    RaiseFault,
    RemoveDeck,
    ReturnWager,
    StartShuffle,
    VoidRound,
)
from sabot.statemachine.vocabulary.events import (
    CardDrawn,
    DeviceEmptied,
    DeviceFaulted,
    DeviceJammed,
    Key,
    LinkLost,
    LinkRestored,
    ReleaseOrdered,
    Resumed,
    Role,
    Secret,
    ShufflerStopped,
    StackDispensed,
)

from .shift import NotOfferedError, Shift, locked, opened
from .tables import CHAPTERS, law

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)


def give_up(shift: Shift, device: str) -> None:
    """The dealer says that it cannot be used, the floor covers it and lets the table go on."""
    shift.menu("OUT OF ORDER", device)
    shift.floor("DEVICE COVERED", device)
    shift.floor("RELEASE")


# ---------------------------------------------------------------- covered first


@each_chapter
@pytest.mark.parametrize("device", ["shoe", "shuffler"])
def test_x_13g_the_table_is_held_until_the_device_is_covered_or_signed(chapter: str, device: str) -> None:
    shift = opened(chapter)
    shift.menu("OUT OF ORDER", device)
    assert shift.prompt == ("HELD: OUT OF ORDER", "FLOOR: COVER OR SIGN")
    assert shift.table.state.trouble.holds[0].cite == law(chapter).out_of_order.cite
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is not None
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.unlock()
    with pytest.raises(Refused, match="manual_shoe is not to be chosen now"):
        shift.table.rooms.actions.verify("choose_method", "manual_shoe")
    shift.floor("DEVICE COVERED", device)
    assert shift.prompt == ("HELD: OUT OF ORDER", "FLOOR: RELEASE")
    shift.floor("DEVICE COVERED", device)
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is None
    assert shift.table.state.devices.covered == [device]


def test_641a_13g_a_device_may_be_given_up_in_any_phase_and_only_once_is_enough() -> None:
    shift = Shift()
    shift.menu("OUT OF ORDER", "shoe")
    shift.menu("OUT OF ORDER", "shoe")
    assert shift.table.state.devices.out_of_order == ["shoe"]
    assert len(shift.table.state.trouble.holds) == 1


def test_641a_13g_a_device_that_was_repaired_first_needs_no_cover_and_the_display_asks_for_none() -> None:
    shift = opened()
    shift.menu("OUT OF ORDER", "shoe")
    shift.technician("BACK IN SERVICE", "shoe")
    assert shift.prompt == ("HELD: OUT OF ORDER", "FLOOR: RELEASE")
    shift.floor("RELEASE")
    assert shift.prompt[0] == "BETS OPEN"


def test_641a_13g_a_table_without_a_device_cannot_give_it_up() -> None:
    shift = opened(method="hand")
    with pytest.raises(NotOfferedError):
        shift.menu("OUT OF ORDER", "shoe")
    shift = opened(shuffler=Shuffler.HAND)
    with pytest.raises(NotOfferedError):
        shift.menu("OUT OF ORDER", "shuffler")


# ---------------------------------------------------------------- a device that is dead


DEAD: dict[str, Any] = {
    "unplugged": lambda shift, device: shift.send(LinkLost, device=device, reason="silent"),
    "motor": lambda shift, device: shift.send(DeviceFaulted, device=device, fault="motor"),
    "jam": lambda shift, device: shift.send(DeviceJammed, device=device, cause="stuck"),
    "cards left": lambda shift, device: shift.send(DeviceEmptied, device=device, cards_in=52, cards_out=36),
}


@each_chapter
@pytest.mark.parametrize("dead", DEAD)
@pytest.mark.parametrize(("device", "left"), [("shoe", "hand"), ("shuffler", "manual_shoe")])
def test_x_13g_a_dead_device_is_covered_and_the_table_plays_on_without_it(
    chapter: str, dead: str, device: str, left: str
) -> None:
    """Nothing of it is tested: it lies there without power, and its fault stays on record."""
    shift = opened(chapter)
    DEAD[dead](shift, device)
    (fault,) = shift.table.state.trouble.holds
    shift.menu("OUT OF ORDER", device)
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", left)
    shift.floor("DEVICE COVERED", device)
    assert shift.prompt == ("HELD: OUT OF ORDER", "FLOOR: RELEASE")
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is None
    shift.floor("CHOOSE METHOD", left)
    shift.in_shuffler.clear()
    assert shift.play((2,)).method == left
    assert shift.table.state.trouble.holds == [fault]
    assert shift.table.rooms.views.view(Role.FLOOR)["held"][0]["holds_now"] is False  # type: ignore[index]


def test_641a_13g_what_a_dead_device_says_yet_is_put_on_record_and_holds_nothing() -> None:
    shift = opened()
    give_up(shift, "shoe")
    shift.floor("CHOOSE METHOD", "hand")
    shift.mark()
    shift.send(LinkLost, device="shoe", reason="silent")
    assert [(each.fault, each.device) for each in shift.said(RaiseFault)] == [("lost_link", "shoe")]
    assert not shift.said(HaltShoe)
    assert not shift.said(LockWagers)
    assert shift.table.rooms.faults.held is None
    assert shift.play((2,)).method == "hand"


@pytest.mark.parametrize(
    "word",
    [
        (ShufflerStopped, {"deck": "A", "cause": "jam"}),
        (DeviceJammed, {"device": "shuffler", "cause": "jam"}),
        (DeviceFaulted, {"device": "shuffler", "fault": "device", "detail": "motor"}),
    ],
    ids=["stopped", "jammed", "motor"],
)
def test_641a_13g_a_dead_shuffler_spoils_no_deck_that_was_shuffled_by_hand(
    word: tuple[type[Any], dict[str, str]],
) -> None:
    shift = opened()
    give_up(shift, "shuffler")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.play((2,))
    assert shift.is_in(Phase.BETS_OPEN)
    kind, said = word
    shift.send(kind, **said)
    assert shift.table.state.stock.decks["A"].ready
    assert shift.play((2,)).method == "manual_shoe"


def test_641a_13g_it_is_no_fault_to_be_released_and_the_console_says_why() -> None:
    shift = opened()
    shift.send(LinkLost, device="shoe", reason="silent")
    shift.menu("OUT OF ORDER", "shoe")
    shift.floor("DEVICE COVERED", "shoe")
    shift.unlock()
    assert shift.table.rooms.actions.named("release").values() == ["2 out_of_order shoe"]  # type: ignore[misc]
    shift.send(ReleaseOrdered, fault="lost_link", device="shoe", role=Role.FLOOR, person="f2")
    assert shift.why == "shoe is out of order: a technician takes it BACK IN SERVICE first"


def test_641a_13g_its_fault_holds_again_when_it_is_to_be_used_again() -> None:
    shift = opened()
    shift.send(LinkLost, device="shoe", reason="silent")
    give_up(shift, "shoe")
    shift.floor("CHOOSE METHOD", "hand")
    shift.play((2,))
    shift.mark()
    shift.technician("BACK IN SERVICE", "shoe")
    assert shift.prompt == ("HELD: DEVICE SILENT", "FLOOR: PLUG IT IN")
    assert shift.said(HaltShoe)
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is not None
    shift.send(LinkRestored, device="shoe")
    shift.floor("RELEASE")
    assert shift.table.state.trouble.holds == []
    shift.floor("CHOOSE METHOD", "manual_shoe")
    assert shift.play((2,)).knowledge == "each_card"


def test_641a_13g_it_is_out_of_order_over_a_restart_and_another_day() -> None:
    shift = opened()
    shift.send(LinkLost, device="shoe", reason="silent")
    give_up(shift, "shoe")
    shift.floor("CHOOSE METHOD", "hand")
    shift.floor("CLOSE TABLE")
    shift.send(Resumed, down_s=3600.0)
    shift.send(LinkLost, device="shoe", reason="silent")
    shift.open_table()
    assert shift.play((2,)).method == "hand"


@pytest.mark.parametrize("method", ["auto_shoe", "auto_shoe_reshuffle"])
def test_641a_13g_one_machine_is_out_of_order_as_a_whole(method: str) -> None:
    """It can neither deal nor shuffle: what is left is a shoe drawn by hand, the cards shuffled by hand."""
    shift = opened(method=method, one_machine=True)
    shift.send(LinkLost, device="shoe", reason="silent")
    with pytest.raises(NotOfferedError):
        shift.menu("OUT OF ORDER", "shuffler")
    give_up(shift, "shoe")
    assert shift.prompt == ("DEVICE OUT OF ORDER", "FLOOR: CHOOSE METHOD")
    with pytest.raises(NotOfferedError, match=r"\['manual_shoe'\]"):
        shift.floor("CHOOSE METHOD", "hand")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.in_shuffler.clear()
    shift.mark()
    shift.play((2,))
    assert not shift.said(StartShuffle)
    with pytest.raises(NotOfferedError):
        shift.technician("BACK IN SERVICE", "shuffler")
    shift.technician("BACK IN SERVICE", "shoe")
    assert shift.table.state.devices.out_of_order == []
    shift.send(LinkRestored, device="shoe")
    shift.floor("RELEASE")
    shift.floor("CHOOSE METHOD", method)
    assert shift.play((2,)).knowledge == "stack"


def test_641a_13g_a_shuffler_that_comes_back_while_cards_wait_for_it_is_told_to_shuffle() -> None:
    shift = opened()
    shift.quick_shuffler = False
    shift.floor("RESHUFFLE")
    give_up(shift, "shuffler")
    assert shift.prompt == ("SHUFFLE DECK A", "THEN OK")
    shift.mark()
    shift.technician("BACK IN SERVICE", "shuffler")
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")
    assert [each.deck for each in shift.said(StartShuffle)] == ["A"]


@pytest.mark.parametrize(
    ("method", "device", "left"),
    [
        ("manual_shoe", "shoe", ["manual_shoe", "hand"]),
        ("manual_shoe", "shuffler", ["manual_shoe"]),
        ("hand", "shuffler", ["manual_shoe"]),
        ("auto_shoe", "shoe", ["manual_shoe", "hand"]),
        ("auto_shoe", "shuffler", ["manual_shoe", "auto_shoe"]),
        ("auto_shoe_reshuffle", "shuffler", ["manual_shoe"]),
    ],
)
@each_chapter
def test_x_13g_only_what_the_table_has_and_may_use_is_offered(
    chapter: str, method: str, device: str, left: list[str]
) -> None:
    shift = opened(chapter, method=method)
    give_up(shift, device)
    offered = shift.table.rooms.actions.named("choose_method").values()  # type: ignore[misc]
    assert sorted(offered) == sorted(left)


# ---------------------------------------------------------------- no round before another method is chosen


@each_chapter
def test_x_13g_no_round_before_another_method_is_chosen(chapter: str) -> None:
    shift = opened(chapter, method="auto_shoe")
    give_up(shift, "shoe")
    shift.bet(2, ante=1000)
    assert shift.prompt == ("DEVICE OUT OF ORDER", "FLOOR: CHOOSE METHOD")
    shift.lock()
    assert shift.why == f"a device is out of order: choose a method ({law(chapter).out_of_order.cite})"
    shift.floor("CHOOSE METHOD", "manual_shoe")
    assert shift.prompt[0] == "BETS OPEN"
    record = shift.play((2,))
    assert (record.method, record.knowledge) == ("manual_shoe", "none")
    assert "dealing by manual shoe" in [note.words for note in record.notes]


def test_641a_13g_another_shoe_knows_nothing_of_its_cards() -> None:
    shift = opened()
    give_up(shift, "shoe")
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", "auto_shoe")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.send(CardDrawn, card=Secret(1))
    assert shift.why == "no shoe at this table reads single cards"
    assert shift.play((2,)).knowledge == "none"


def test_641a_13g_no_other_method_while_nothing_is_out_of_order() -> None:
    shift = opened()
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", "hand")
    give_up(shift, "shoe")
    shift.floor("CHOOSE METHOD", "hand")
    assert shift.play((2,)).method == "hand"
    shift.technician("BACK IN SERVICE", "shoe")
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", "hand")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    assert shift.play((2,)).knowledge == "each_card"
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", "manual_shoe")


def test_641a_13g_no_other_method_within_a_round() -> None:
    shift = locked()
    with pytest.raises(NotOfferedError):
        shift.floor("CHOOSE METHOD", "hand")


@each_chapter
def test_x_9a1_the_hand_is_no_way_out_without_a_shuffler(chapter: str) -> None:
    shift = opened(chapter)
    give_up(shift, "shuffler")
    with pytest.raises(NotOfferedError, match=r"\['manual_shoe'\]"):
        shift.floor("CHOOSE METHOD", "hand")
    assert shift.table.state.devices.method == "manual_shoe"


@each_chapter
@pytest.mark.parametrize("cuts", [0, 1])
def test_x_9a1_what_was_shuffled_by_hand_is_not_dealt_from_it_once_the_shuffler_is_back(
    chapter: str, cuts: int
) -> None:
    """It came back before another method was chosen."""
    shift = opened(chapter, method="hand", knowledge=Knowledge.NONE)
    shift.quick_shuffler = False
    shift.bet(2, ante=1000)
    shift.floor("RESHUFFLE")
    give_up(shift, "shuffler")
    shift.ok(1 + cuts)
    shift.technician("BACK IN SERVICE", "shuffler")
    assert shift.said(StartShuffle, deck="A")
    assert shift.is_in(Phase.SHUFFLING)
    shift.shuffler_done()
    shift.lock()
    assert shift.is_in(Phase.DEALING)


def test_641a_9a1_nor_when_the_floor_chooses_the_hand_again() -> None:
    shift = opened(method="hand", knowledge=Knowledge.NONE)
    give_up(shift, "shuffler")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.floor("RESHUFFLE")
    shift.ok(2)
    shift.technician("BACK IN SERVICE", "shuffler")
    assert shift.is_in(Phase.BETS_OPEN), "from the manual shoe it may be dealt"
    shift.quick_shuffler = False
    shift.floor("CHOOSE METHOD", "hand")
    assert shift.is_in(Phase.SHUFFLING)
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")


# ---------------------------------------------------------------- the shuffler


@each_chapter
def test_x_5c2_without_the_shuffler_the_dealer_shuffles_and_cuts(chapter: str) -> None:
    shift = opened(chapter)
    give_up(shift, "shuffler")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.mark()
    shift.clear()
    assert not shift.said(StartShuffle)
    assert shift.prompt == ("SHUFFLE DECK A", "THEN OK")
    shift.ok()
    assert shift.is_in(Phase.CUTTING)
    shift.ok()
    assert shift.is_in(Phase.BETS_OPEN)


def test_641a_13g_a_shuffler_given_up_while_it_shuffles_is_taken_over_by_hand() -> None:
    shift = opened()
    shift.quick_shuffler = False
    shift.floor("RESHUFFLE")
    give_up(shift, "shuffler")
    assert shift.prompt == ("SHUFFLE DECK A", "THEN OK")
    shift.ok(2)
    shift.floor("CHOOSE METHOD", "manual_shoe")
    assert shift.is_in(Phase.BETS_OPEN)


@pytest.mark.parametrize("rounds", [4, 6])
@pytest.mark.parametrize("scope", ["both", "deck", "table"])
def test_641a_8f_the_waiver_of_the_stub_count_ends_with_the_shuffler(scope: str, rounds: int) -> None:
    shift = opened(readings={"stub_count_scope": scope})
    for _ in range(rounds):
        shift.play((2,))
    give_up(shift, "shuffler")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal_cards()
    assert shift.prompt[0].startswith("COUNT STUB")


@pytest.mark.parametrize("rounds", [0, 1])
def test_641a_3b_without_a_shuffler_two_decks_become_one(rounds: int) -> None:
    shift = opened(decks=2)
    for _ in range(rounds):
        shift.play((2,))
    in_play = shift.table.state.stock.in_play
    give_up(shift, "shuffler")
    shift.mark()
    shift.floor("CHOOSE METHOD", "manual_shoe")
    gone = "B" if in_play == "A" else "A"
    assert [(each.deck, each.why.partition(";")[0]) for each in shift.said(RemoveDeck)] == [
        (gone, "one deck without a shuffler")
    ]
    shift.in_shuffler.clear()
    assert [shift.play((2,)).deck for _ in range(2)] == [in_play, in_play]
    assert [deck.name for deck in shift.table.state.stock.retired] == [gone]
    shift.register()
    shift.floor("CHANGE DECK", in_play)
    assert shift.is_in(Phase.INSPECTING)


def test_641a_3b_two_decks_stay_when_only_the_shoe_is_broken() -> None:
    shift = opened(decks=2, method="auto_shoe")
    give_up(shift, "shoe")
    shift.floor("CHOOSE METHOD", "hand")
    assert [shift.play((2,)).deck for _ in range(2)] == ["A", "B"]


def test_641a_3b_a_deck_that_waits_in_the_broken_shuffler_leaves_the_table() -> None:
    shift = opened(decks=2)
    shift.quick_shuffler = False
    shift.play((2,))
    shift.bet(2, ante=1000)
    shift.lock()
    shift.menu("OUT OF ORDER", "shuffler")
    assert shift.table.rooms.faults.held is None
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert shift.prompt == ("HELD: OUT OF ORDER", "FLOOR: COVER OR SIGN")
    shift.floor("DEVICE COVERED", "shuffler")
    shift.floor("RELEASE")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    assert set(shift.table.state.stock.decks) == {"B"}
    shift.in_shuffler.clear()
    shift.get_ready()
    assert shift.table.state.stock.in_play == "B"


# ---------------------------------------------------------------- within a round


@each_chapter
@pytest.mark.parametrize("knowledge", [Knowledge.EACH_CARD, Knowledge.NONE])
def test_x_13g_a_shoe_drawn_by_hand_that_breaks_in_a_round_leaves_the_rest_to_the_dealers_keys(
    chapter: str, knowledge: Knowledge
) -> None:
    shift = locked(chapter, knowledge=knowledge)
    shift.draw()
    give_up(shift, "shoe")
    while shift.phase is Phase.DEALING:
        shift.ok()
    shift.out = shift.table.state.play.current.drawn
    shift.ok()
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert shift.record.declared
    assert shift.record.knowledge == "none"


@each_chapter
def test_x_13f_an_automated_shoe_that_breaks_before_its_last_card_voids_the_round(chapter: str) -> None:
    shift = opened(chapter, method="auto_shoe")
    for seat in (2, 5):
        shift.bet(seat, ante=1000)
    shift.lock()
    shift.draw()
    shift.mark()
    shift.menu("OUT OF ORDER", "shoe")
    assert [each.cite for each in shift.said(VoidRound)] == [law(chapter).irregularities["shoe_jam"].cite]
    assert shift.said(ReturnWager)
    shift.clear()
    assert shift.prompt[0] == "HELD: OUT OF ORDER"


def test_641a_13f_it_voids_a_locked_round_without_a_card_too() -> None:
    shift = opened(method="auto_shoe")
    shift.bet(2, ante=1000, prog4=100)
    shift.press(Key.LOCK)
    assert shift.is_in(Phase.COUNTING_CHIPS)
    shift.mark()
    shift.menu("OUT OF ORDER", "shoe")
    assert shift.said(VoidRound)
    assert not shift.said(Dispense)


def test_641a_13f_after_its_last_card_it_voids_nothing() -> None:
    shift = locked(method="auto_shoe")
    shift.deal()
    shift.mark()
    give_up(shift, "shoe")
    assert not shift.said(VoidRound)
    shift.send(StackDispensed, count=5)
    assert shift.why == "no shoe at this table reports stacks"
    shift.reveal()
    assert shift.is_in(Phase.SETTLING)


# ---------------------------------------------------------------- repaired


def test_policy_a_repaired_shoe_comes_back_by_a_technician_and_reads_again() -> None:
    shift = opened()
    give_up(shift, "shoe")
    shift.floor("CHOOSE METHOD", "hand")
    shift.play((2,))
    with pytest.raises(NotOfferedError):
        shift.floor("BACK IN SERVICE", "shoe")
    shift.technician("BACK IN SERVICE", "shoe")
    assert shift.table.state.devices.covered == []
    shift.floor("CHOOSE METHOD", "manual_shoe")
    assert shift.play((2,)).knowledge == "each_card"


def test_policy_with_the_shuffler_a_second_deck_may_come_back() -> None:
    shift = opened(decks=2)
    give_up(shift, "shuffler")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.technician("BACK IN SERVICE", "shuffler")
    assert (shift.table.state.devices.shuffler, shift.table.state.devices.deck_count) == (
        Shuffler.COUNTING,
        2,
    )
    shift.in_shuffler.clear()
    shift.play((2,))
    shift.register()
    shift.floor("CHANGE DECK", "B")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert {shift.play((2,)).deck for _ in range(2)} == {"A", "B"}


def test_policy_what_was_repaired_before_it_was_covered_is_released_without_a_cover() -> None:
    shift = opened()
    shift.menu("OUT OF ORDER", "shoe")
    shift.technician("BACK IN SERVICE", "shoe")
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is None
    assert shift.play((2,)).knowledge == "each_card"


def test_641a_3b_of_two_new_decks_the_first_is_the_one_that_is_opened() -> None:
    shift = Shift(decks=2)
    shift.receive()
    give_up(shift, "shuffler")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    assert (list(shift.table.state.stock.decks), shift.table.state.stock.opening) == (["A"], ["A"])
    shift.verify_cards()
    assert shift.table.state.stock.decks["A"].verified_by == "floor"
    shift.wash()
    shift.ok(2)
    assert shift.is_in(Phase.BETS_OPEN)
    assert shift.table.state.stock.in_play == "A"
