"""x.3: one deck or two, how they alternate, when they are changed, and what a bad one touched."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sabot.rules.cards import PACK_SIZE
from sabot.statemachine.action import Refused
from sabot.statemachine.state.phases import BEFORE_LOCK, Phase
from sabot.statemachine.state.setup import SetupError, Shuffler
from sabot.statemachine.vocabulary.effects import (
    OpenSpots,
    RaiseFault,
    RecordRound,
    RemoveDeck,
    ReportDay,
    RequireRole,
    StartShuffle,
    WakeAt,
)
from sabot.statemachine.vocabulary.events import LinkLost, LinkRestored, Resumed, Role

from .life import at
from .shift import Shift, opened
from .tables import CHAPTERS, law, table_setup
from .walk.play import due_decks

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
HOUR = 3600.0


# ---------------------------------------------------------------- 3(a)-(b): one deck or two


@each_chapter
def test_x_3b_two_decks_only_with_an_automated_shuffler(chapter: str) -> None:
    with pytest.raises(SetupError, match="two decks without an automated shuffler"):
        Shift(chapter, decks=2, shuffler=Shuffler.HAND)
    with pytest.raises(SetupError, match="3 decks"):
        Shift(chapter, decks=3)


@each_chapter
def test_x_3a_no_table_plays_with_fewer_decks_than_the_chapter_has(chapter: str) -> None:
    with pytest.raises(SetupError, match="0 decks"):
        Shift(chapter, decks=0)
    more = replace(law(chapter), deck=replace(law(chapter).deck, decks=2))
    with pytest.raises(SetupError, match="1 decks"):
        Shift(setup=replace(table_setup(chapter), chapter=more))


@each_chapter
def test_x_3b3_two_decks_alternate_every_round(chapter: str) -> None:
    shift = opened(chapter, decks=2)
    assert [shift.play((1, 2)).deck for _ in range(5)] == ["A", "B", "A", "B", "A"]


@each_chapter
def test_x_3b2_one_deck_is_in_the_shuffler_while_the_other_is_played(chapter: str) -> None:
    shift = opened(chapter, decks=2)
    for in_play, in_shuffler in (("A", "B"), ("B", "A"), ("A", "B")):
        assert shift.table.state.stock.in_play == in_play
        assert shift.table.state.stock.decks[in_shuffler].ready
        shift.mark()
        shift.play((1,))
        assert [effect.deck for effect in shift.said(StartShuffle)] == [in_play]


def test_641a_3b4_a_used_deck_leaves_the_rack_for_the_shuffler_before_the_other_is_used_up() -> None:
    shift = opened(decks=2)
    shift.quick_shuffler = False
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.mark()
    shift.clear()
    assert (shift.phase, shift.table.state.stock.in_play) == (Phase.BETS_OPEN, "B")
    assert shift.said(StartShuffle, deck="A")


def test_641a_3b_a_deck_that_is_not_ready_is_waited_for() -> None:
    shift = opened(decks=2)
    shift.quick_shuffler = False
    shift.play()
    assert shift.in_shuffler == ["A"]
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert (shift.phase, shift.prompt) == (Phase.SHUFFLING, ("SHUFFLING DECK A", "WAIT"))
    shift.shuffler_done("A")
    assert (shift.phase, shift.table.state.stock.in_play) == (Phase.BETS_OPEN, "A")
    assert shift.in_shuffler == ["B"]


@each_chapter
def test_x_3b3_the_deck_of_the_round_before_is_not_dealt_again_though_it_was_shuffled_first(
    chapter: str,
) -> None:
    """A soak's seed: while one deck was waited for, the shuffler spoke of the other."""
    shift = opened(chapter, decks=2)
    shift.quick_shuffler = False
    shift.play()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert (shift.phase, shift.record.deck) == (Phase.SHUFFLING, "B")
    shift.shuffler_done("B")
    shift.shuffler_done("A")
    assert shift.table.state.stock.in_play == "A"
    shift.get_ready()
    assert shift.play().deck == "A"


def test_641a_3a_one_deck_is_shuffled_after_each_round() -> None:
    shift = opened()
    assert [shift.play().deck for _ in range(3)] == ["A", "A", "A"]


# ---------------------------------------------------------------- 3(c): changed after 4 or 8 hours


@pytest.mark.parametrize(
    ("method", "hours"), [("hand", 4), ("manual_shoe", 8), ("auto_shoe", 8), ("auto_shoe_reshuffle", 8)]
)
@each_chapter
def test_x_3c_no_new_round_after_4_hours_by_hand_or_8_from_a_shoe(
    chapter: str, method: str, hours: int
) -> None:
    shift = opened(chapter, method=method)
    received = shift.table.state.stock.decks["A"].opened_at
    shift.bet(1, ante=1000)
    shift.wait(received + hours * HOUR - shift.now - 2)
    assert shift.prompt[0] == "BETS OPEN"
    shift.wait(1)
    assert shift.prompt == ("DECK A IS DUE", "FLOOR: REGISTER DECK")
    shift.lock()
    assert shift.why == f"deck A is due for change ({law(chapter).deck.rules['change'].cite})"


@pytest.mark.parametrize(("reading", "hours"), [("8h", 8), ("4h", 4)])
def test_683a_3c_reading_d18_says_how_long_a_deck_from_the_automated_shoe_lasts(
    reading: str, hours: int
) -> None:
    setup = table_setup("pa683a", method="auto_shoe", readings={"deck_life_683": reading})
    assert setup.life_s("auto_shoe") == hours * HOUR
    assert setup.life_s("manual_shoe") == 8 * HOUR
    assert setup.life_s("hand") == 4 * HOUR


def test_641a_3c_a_change_is_announced_ten_minutes_ahead() -> None:
    shift = opened()
    opened_at = shift.table.state.stock.decks["A"].opened_at
    (wake,) = shift.said(WakeAt)[-1:]
    assert wake.at == opened_at + 8 * HOUR - 600
    shift.mark()
    shift.wait(wake.at - shift.now - 1)
    assert shift.said(RequireRole) == [
        RequireRole(role=Role.FLOOR, why="deck A is due in 10 min", cite="641a.3(c)")
    ]
    assert shift.said(WakeAt)[-1].at == opened_at + 8 * HOUR
    shift.wait(60)
    assert len(shift.said(RequireRole)) == 1


@pytest.mark.parametrize(("left_s", "minutes"), [(599, 9), (540, 9), (539, 8), (59, 0)])
def test_641a_3c_a_late_notice_says_the_whole_minutes_that_are_left(left_s: int, minutes: int) -> None:
    shift = opened()
    due = shift.table.state.stock.decks["A"].opened_at + 8 * HOUR
    shift.mark()
    shift.wait(due - left_s - shift.now - 1)
    assert [each.why for each in shift.said(RequireRole)] == [f"deck A is due in {minutes} min"]


def test_641a_3c_a_deck_is_never_changed_in_the_middle_of_a_round() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.wait(9 * HOUR)
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.mark()
    shift.clear()
    assert shift.said(RecordRound)
    assert not shift.said(StartShuffle)
    assert shift.prompt == ("DECK A IS DUE", "FLOOR: REGISTER DECK")
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert shift.play().lot == "L2"


def test_641a_3c_wagers_close_when_the_deck_is_due_and_open_with_the_next() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.wait(9 * HOUR)
    shift.bet(3, ante=1000)
    shift.bet(2, ante=0)
    assert shift.table.state.layout.bets == {}
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.verify_cards()
    shift.mark()
    shift.wash()
    shift.get_ready()
    assert shift.said(OpenSpots)


def test_641a_3c_of_two_decks_each_has_its_own_time() -> None:
    shift = opened(decks=2)
    shift.wait(4 * HOUR)
    shift.register()
    shift.floor("CHANGE DECK", "B")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert shift.table.state.stock.in_play == "A"  # the one that came in waits for its turn: 3(b)(3)
    shift.wait(5 * HOUR)
    assert shift.prompt == ("DECK A IS DUE", "FLOOR: REGISTER DECK")
    assert due_decks(shift.table) == ["A"]


def test_641a_13g_a_deck_once_dealt_by_hand_keeps_the_shorter_life() -> None:
    shift = opened()
    shift.menu("OUT OF ORDER", "shoe")
    shift.floor("DEVICE COVERED", "shoe")
    shift.floor("RELEASE")
    shift.floor("CHOOSE METHOD", "hand")
    shift.play()
    shift.technician("BACK IN SERVICE", "shoe")
    shift.floor("CHOOSE METHOD", "manual_shoe")
    shift.wait(5 * HOUR)
    shift.bet(2, ante=1000)
    shift.lock()
    assert "due for change" in shift.why


def test_641a_3c_after_a_stop_of_unknown_length_every_deck_is_due() -> None:
    shift = opened(decks=2)
    shift.send(Resumed, down_s=None)
    shift.bet(2, ante=1000)
    assert shift.prompt == ("DECK A IS DUE", "FLOOR: REGISTER DECK")
    shift.wait(1)
    assert len(shift.said(RequireRole)) == 2


def test_641a_3c_the_floor_changes_a_deck_whenever_no_round_is_on() -> None:
    shift = opened()
    shift.floor("CHANGE DECK", "A")
    assert shift.is_in(Phase.BETS_OPEN)
    shift.register(color="red")
    shift.floor("CHANGE DECK", "A")
    assert shift.is_in(Phase.INSPECTING)
    assert [deck.lot for deck in shift.table.state.stock.retired] == ["L1"]


@pytest.mark.parametrize("phase", BEFORE_LOCK, ids=lambda phase: phase.value)
def test_641a_3c_a_deck_may_be_changed_in_any_phase_before_the_lock(phase: Phase) -> None:
    shift = at(phase)
    shift.register()
    shift.floor("CHANGE DECK", "A")
    assert shift.is_in(Phase.INSPECTING)
    assert shift.table.state.stock.decks["A"].lot == "L2"
    shift.in_shuffler.clear()
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert shift.play((2,)).lot == "L2"


def test_641a_4d_of_two_decks_that_are_inspected_either_may_be_changed() -> None:
    shift = Shift(decks=2)
    shift.receive()
    for name in ("A", "B"):
        shift.register()
        shift.floor("CHANGE DECK", name)
    assert shift.table.state.stock.opening == ["A", "B"]
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    assert [shift.play((2,)).lot for _ in range(2)] == ["L3", "L4"]


def changed_while_b_waits() -> Shift:
    """B was dealt last and is not shuffled yet, for A was not ready; A is changed."""
    shift = opened(decks=2)
    shift.quick_shuffler = False
    shift.play()
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert shift.is_in(Phase.SHUFFLING)
    shift.register()
    shift.floor("CHANGE DECK", "A")
    return shift


def test_641a_3b2_the_deck_that_waited_is_shuffled_while_the_new_one_is_played() -> None:
    shift = changed_while_b_waits()
    shift.verify_cards()
    shift.wash()
    shift.mark()
    shift.shuffler_done("A")
    assert shift.is_in(Phase.BETS_OPEN)
    assert [each.deck for each in shift.said(StartShuffle)] == ["B"]


@pytest.mark.parametrize("count", [PACK_SIZE - 1, PACK_SIZE])
def test_641a_5b_while_a_deck_is_changed_the_other_is_shuffled_and_counted(count: int) -> None:
    """It was dealt last, and lies in the shuffler since a fault of the shuffler is gone."""
    shift = changed_while_b_waits()
    shift.send(LinkLost, device="shuffler", reason="silence")
    shift.send(LinkRestored, device="shuffler")
    shift.mark()
    shift.floor("RELEASE")
    assert [each.deck for each in shift.said(StartShuffle)] == ["B"]
    shift.shuffler_done("B", count=count)
    assert not shift.said(RaiseFault, fault="contradiction")
    assert bool(shift.said(RemoveDeck, deck="B")) == (count < PACK_SIZE)


def test_641a_5a_by_hand_there_must_be_a_deck_to_shuffle() -> None:
    shift = at(Phase.SHUFFLING, shuffler=Shuffler.HAND)
    shift.table.state.stock.in_shuffler = ""
    shift.ok()
    assert shift.why == "there is no deck to shuffle: change the deck"


def test_641a_3b1_the_new_deck_differs_from_the_one_that_stays() -> None:
    shift = opened(decks=2)
    shift.register(color=shift.table.state.stock.decks["B"].color)
    shift.floor("CHANGE DECK", "A")
    assert shift.is_in(Phase.BETS_OPEN)
    assert shift.table.state.stock.decks["A"].lot == "L1"


# ---------------------------------------------------------------- lineage, blast radius


def test_policy_a_bad_deck_names_the_rounds_and_wagers_it_touched() -> None:
    shift = opened()
    shift.play({2: {"ante": 1000}})
    shift.play({3: {"ante": 500, "aces_up": 200}})
    assert [(played.number, played.bets) for played in shift.table.rooms.deck_room.touched("A")] == [
        (1, {2: {"ante": 1000}}),
        (2, {3: {"ante": 500, "aces_up": 200}}),
    ]
    shift.floor("RESHUFFLE")
    shift.mark()
    shift.shuffler_done(count=51)
    (removed,) = shift.said(RemoveDeck)
    assert removed.why == "51 cards counted; 2 round(s) since it was proven: 1 to 2"
    assert len(shift.table.rooms.deck_room.touched("A")) == 2


def test_policy_a_reading_of_all_faces_proves_a_deck_and_a_count_does_not() -> None:
    shift = opened()
    shift.play()
    assert len(shift.table.rooms.deck_room.touched("A")) == 1
    shift.floor("RESHUFFLE")
    shift.shuffler_done(read=True)
    assert shift.table.rooms.deck_room.touched("A") == []
    shift.play()
    assert [played.number for played in shift.table.rooms.deck_room.touched("A")] == [2]


def test_policy_the_round_on_the_felt_is_touched_too() -> None:
    shift = opened(decks=2)
    shift.play()
    shift.bet(2, ante=1000)
    shift.lock()
    assert [played.number for played in shift.table.rooms.deck_room.touched("B")] == [2]
    assert [played.number for played in shift.table.rooms.deck_room.touched("A")] == [1]
    assert shift.table.rooms.deck_room.touched("no such deck") == []


def test_policy_the_day_reports_every_deck_with_its_lineage() -> None:
    shift = opened(decks=2)
    shift.play()
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.mark()
    shift.floor("CLOSE TABLE")
    (report,) = shift.said(ReportDay)
    decks = [line for line in report.lines if line.startswith("deck")]
    assert decks[0].startswith(
        "deck A, lot L1, red: opened at 4 s by dealer, verified by floor, 1 rounds; deck changed"
    )
    assert decks[1].startswith(
        "deck B, lot L2, blue: opened at 4 s by dealer, verified by floor, 0 rounds; table closed"
    )
    assert decks[2].endswith("by dealer, 0 rounds; table closed")


def test_641a_3c_the_notice_may_be_set_by_the_house() -> None:
    shift = Shift(setup=replace(table_setup("pa641a"), change_notice_s=1800.0))
    shift.open_table()
    assert shift.said(WakeAt)[-1].at == shift.table.state.stock.decks["A"].opened_at + 8 * HOUR - 1800


def test_641a_5b_a_deck_that_leaves_is_no_deck_in_the_shuffler() -> None:
    shift = Shift()
    shift.receive()
    shift.verify_cards()
    shift.wash()
    assert shift.table.state.stock.in_shuffler == "A"
    shift.shuffler_done(count=51)
    assert shift.table.state.stock.in_shuffler == ""


@pytest.mark.parametrize(("read", "unproven"), [(True, []), (False, [1])])
def test_policy_a_round_is_proven_where_the_device_that_deals_it_reads_every_card(
    read: bool, unproven: list[int]
) -> None:
    shift = Shift(method="auto_shoe_reshuffle")
    shift.receive()
    shift.verify_cards()
    shift.wash()
    shift.shuffler_done(read=read)
    assert shift.is_in(Phase.BETS_OPEN)
    shift.bet(2, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert [played.number for played in shift.table.rooms.deck_room.touched("A")] == unproven


@pytest.mark.parametrize(("goes", "stays"), [("A", "B"), ("B", "A")])
def test_641a_3b1_a_new_deck_differs_from_the_one_that_stays_whichever_goes(goes: str, stays: str) -> None:
    shift = opened(decks=2)
    decks = shift.table.state.stock.decks
    shift.register(color=decks[stays].color)
    shift.floor("CHANGE DECK", goes)
    assert shift.is_in(Phase.BETS_OPEN)
    with pytest.raises(Refused, match="must differ in color"):
        shift.table.rooms.opening.verify_change(goes)
    assert set(decks) == {"A", "B"}
    shift = opened(decks=2)
    color = shift.table.state.stock.decks[goes].color
    shift.register(color=color)
    shift.floor("CHANGE DECK", goes)
    assert shift.is_in(Phase.INSPECTING)
    assert shift.table.state.stock.decks[goes].color == color


def test_641a_5b_a_deck_that_left_the_table_within_its_round_is_not_shuffled_again() -> None:
    shift = opened(decks=2)
    shift.get_ready()
    shift.bet(2, ante=1000)
    shift.lock()
    dealt = shift.table.state.play.current.deck
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.table.rooms.deck_room.remove_deck(dealt, "a card too few", "641a.5(b)")
    shift.mark()
    shift.clear()
    assert shift.table.state.stock.in_play != dealt
    assert not shift.said(StartShuffle, deck=dealt)


def test_641a_3c_a_deck_whose_time_ran_out_while_the_other_was_dealt_does_not_come_in() -> None:
    shift = opened(decks=2)
    shift.wait(4 * HOUR)
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.verify_cards()
    shift.wash()
    shift.get_ready()
    shift.wait(5 * HOUR)
    shift.bet(2, ante=1000)
    shift.lock()
    assert shift.table.state.play.current.deck == "A"
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert shift.prompt == ("DECK B IS DUE", "FLOOR: REGISTER DECK")
