"""x.5: shuffled by hand or by device, counted, cut, recut, and what becomes of an idle table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Policies, Shuffler
from sabot.statemachine.vocabulary.effects import RemoveDeck, StartShuffle
from sabot.statemachine.vocabulary.events import Secret, ShuffleCompleted, ShuffleStarted

from .shift import NotOfferedError, Shift, opened
from .tables import CHAPTERS, law, table_setup

if TYPE_CHECKING:
    from sabot.rules.chapter import Chapter

each_chapter = pytest.mark.parametrize("chapter", CHAPTERS)
by_device = pytest.mark.parametrize("shuffler", [Shuffler.PLAIN, Shuffler.COUNTING, Shuffler.RESHUFFLER])
FULL = tuple(Secret(card) for card in range(52))


def washed(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.receive()
    shift.verify_cards()
    shift.wash()
    return shift


# ---------------------------------------------------------------- 5(a): before play, after each round, on order


@by_device
def test_641a_5a_a_device_shuffles_and_the_dealer_cannot_do_it_instead(shuffler: Shuffler) -> None:
    shift = washed(shuffler=shuffler)
    assert shift.prompt == ("SHUFFLING DECK A", "WAIT")
    shift.ok()
    assert (shift.phase, shift.why) == (Phase.SHUFFLING, "the shuffler does it: wait for its report")
    shift.shuffler_done(count=None if shuffler is Shuffler.PLAIN else 52)
    assert shift.is_in(Phase.BETS_OPEN)


@each_chapter
def test_x_5a_by_hand_the_dealer_shuffles_before_play_and_after_each_round(chapter: str) -> None:
    shift = washed(chapter, shuffler=Shuffler.HAND)
    assert shift.prompt == ("SHUFFLE DECK A", "THEN OK")
    assert not shift.in_shuffler
    shift.ok(2)
    assert shift.is_in(Phase.BETS_OPEN)
    shift.bet(1, ante=1000)
    shift.lock()
    shift.deal()
    shift.reveal()
    shift.settle_all()
    shift.clear()
    assert (shift.phase, shift.prompt) == (Phase.SHUFFLING, ("SHUFFLE DECK A", "THEN OK"))


def test_641a_5a_where_the_dealer_shuffles_no_device_can_report_it() -> None:
    shift = washed(shuffler=Shuffler.HAND)
    shift.send(ShuffleCompleted, deck="A", count=52)
    assert shift.is_in(Phase.SHUFFLING)
    assert not shift.table.state.stock.decks["A"].ready


def test_641a_5a_the_floor_may_order_a_shuffle_before_the_deal() -> None:
    shift = opened()
    shift.mark()
    shift.floor("RESHUFFLE")
    assert shift.is_in(Phase.SHUFFLING)
    assert shift.said(StartShuffle, deck="A")
    shift.shuffler_done()
    assert shift.is_in(Phase.BETS_OPEN)
    record = shift.play()
    assert ("reshuffle ordered", "641a.5(a)", "floor") in [(n.words, n.cite, n.by) for n in record.notes]


def test_641a_5a_the_floor_may_order_a_shuffle_instead_of_the_cut() -> None:
    shift = Shift(shuffler=Shuffler.HAND)
    shift.receive(preshuffled=True)
    shift.floor("RESHUFFLE")
    assert shift.is_in(Phase.SHUFFLING)
    shift.get_ready()


def test_641a_5a_wagers_on_the_table_stay_through_a_reshuffle_and_may_be_taken_back() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.bet(3, ante=1000)
    shift.floor("RESHUFFLE")
    shift.bet(3, ante=0)
    shift.get_ready()
    shift.lock()
    assert shift.table.state.play.round is not None
    assert shift.table.state.play.round.bets == {2: {"ante": 1000}}


def test_641a_5a_a_report_about_a_deck_that_is_not_there_is_refused() -> None:
    shift = washed()
    for event in (ShuffleCompleted, ShuffleStarted):
        shift.send(event, deck="B")
        assert shift.why == "there is no deck B"


# ---------------------------------------------------------------- 5(b): a wrong count


@each_chapter
def test_x_5b_a_device_that_counts_51_removes_the_deck(chapter: str) -> None:
    shift = washed(chapter)
    shift.mark()
    shift.shuffler_done(count=51)
    (removed,) = shift.said(RemoveDeck)
    assert (removed.deck, removed.why) == ("A", "51 cards counted; no round since it was proven")
    assert removed.cite == law(chapter).deck.rules["wrong_count"].cite
    assert shift.prompt == ("HELD: DECK REMOVED", "FLOOR: REGISTER DECK")


def test_641a_5b_the_table_goes_on_with_another_deck_and_not_without() -> None:
    shift = washed()
    shift.shuffler_done(count=53)
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is not None
    assert shift.why == "" or "another deck" in shift.why
    shift.register()
    shift.floor("CHANGE DECK", "A")
    shift.floor("RELEASE")
    assert shift.table.rooms.faults.held is None
    assert shift.is_in(Phase.INSPECTING)
    shift.verify_cards()
    shift.wash()
    shift.get_ready()


def test_641a_5b_a_count_proves_a_deck_and_only_a_reading_its_composition() -> None:
    shift = washed()
    shift.shuffler_done()
    assert shift.table.state.stock.decks["A"].proof == "count only"
    shift.floor("RESHUFFLE")
    shift.shuffler_done(read=True)
    assert shift.table.state.stock.decks["A"].proof == "composition"
    shift.floor("RESHUFFLE")
    shift.shuffler_done(count=None)
    assert shift.table.state.stock.decks["A"].proof == "shuffled, not counted"


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ((*FULL[:51], FULL[0]), "1 card(s) twice in the deck"),
        ((*FULL[:49], *FULL[:3]), "3 card(s) twice in the deck"),
        (FULL[:51], "51 different cards in the deck"),
    ],
)
def test_policy_a_deck_of_a_wrong_composition_is_removed(cards: tuple[Secret, ...], why: str) -> None:
    shift = washed()
    shift.mark()
    shift.send(ShuffleCompleted, deck="A", count=52, composition=cards)
    (removed,) = shift.said(RemoveDeck)
    assert removed.why.startswith(why)


def test_policy_composition_may_be_switched_off() -> None:
    shift = washed(policies=Policies(composition=False))
    shift.send(ShuffleCompleted, deck="A", count=52, composition=(*FULL[:51], FULL[0]))
    assert shift.is_in(Phase.BETS_OPEN)


# ---------------------------------------------------------------- 5(c)-(d): the cut


@each_chapter
def test_x_5c2_cards_shuffled_by_hand_are_cut(chapter: str) -> None:
    shift = washed(chapter, shuffler=Shuffler.HAND)
    shift.ok()
    assert (shift.phase, shift.prompt) == (Phase.CUTTING, ("CUT: COVER CARD 10+", "ABOVE TO BOTTOM, OK"))
    shift.ok()
    assert shift.is_in(Phase.BETS_OPEN)


@by_device
def test_641a_5c1_cards_shuffled_by_a_device_are_not_cut(shuffler: Shuffler) -> None:
    shift = washed(shuffler=shuffler)
    shift.shuffler_done()
    assert shift.is_in(Phase.BETS_OPEN)


# ---------------------------------------------------------------- 5(e): the recut


@each_chapter
def test_x_5e_the_floor_may_order_a_recut_before_bets_are_closed(chapter: str) -> None:
    shift = opened(chapter, shuffler=Shuffler.HAND)
    shift.floor("RECUT")
    assert shift.is_in(Phase.CUTTING)
    shift.bet(1, ante=1000)
    shift.lock()
    assert shift.why
    shift.ok()
    assert shift.is_in(Phase.BETS_OPEN)


def test_641a_5e_a_recut_of_a_locked_round_comes_before_the_first_card() -> None:
    shift = opened(shuffler=Shuffler.HAND)
    shift.bet(1, ante=1000)
    shift.lock()
    shift.floor("RECUT")
    assert (shift.phase, shift.prompt) == (Phase.DEALING, ("CUT: COVER CARD 10+", "ABOVE TO BOTTOM, OK"))
    shift.ok()
    assert shift.prompt == ("CARD 1 TO", "SEAT 1")
    shift.deal()
    assert shift.is_in(Phase.DECIDING)


def test_641a_5e_a_card_that_leaves_before_the_recut_holds_the_table() -> None:
    shift = opened(shuffler=Shuffler.HAND)
    shift.bet(1, ante=1000)
    shift.lock()
    shift.floor("RECUT")
    shift.draw()
    assert shift.prompt == ("HELD: STRAY CARD", "FLOOR: IS NEXT CARD")
    shift.floor("RELEASE")
    assert shift.prompt == ("CUT: COVER CARD 10+", "ABOVE TO BOTTOM, OK")
    shift.ok()
    assert shift.table.state.play.current.seen == [Secret(shift.pack[0])]


def test_641a_5e_no_recut_after_the_first_card() -> None:
    shift = opened(shuffler=Shuffler.HAND)
    shift.bet(1, ante=1000)
    shift.lock()
    shift.draw()
    shift.floor("RECUT")
    assert not shift.table.state.stock.decks["A"].recut


def test_641a_5e_what_a_device_shuffled_was_not_cut_and_is_not_recut() -> None:
    shift = opened()
    shift.unlock()
    with pytest.raises(Exception, match=r"shuffled by a device, not cut \(641a.5\(c\)\(1\)\)"):
        shift.table.rooms.actions.verify("recut")


def test_641a_5e_a_deck_that_wants_a_shuffle_is_not_recut() -> None:
    shift = opened(shuffler=Shuffler.HAND)
    shift.table.state.stock.decks["A"].ready = False
    shift.unlock()
    with pytest.raises(Exception, match="the deck wants a shuffle, not a cut"):
        shift.table.rooms.actions.verify("recut")


# ---------------------------------------------------------------- 5(f): nobody playing


@each_chapter
def test_x_5f_the_cards_of_an_idle_table_are_spread_and_looked_at_again(chapter: str) -> None:
    shift = opened(chapter)
    shift.menu("NOBODY PLAYING")
    assert (shift.phase, shift.prompt) == (Phase.IDLE, ("SPREAD FACE DOWN", "PLAYER LOOKED? OK"))
    shift.ok()
    assert shift.is_in(Phase.WASHING)
    shift.ok()
    assert shift.is_in(Phase.SHUFFLING)
    shift.get_ready()


def test_641a_5f_a_spread_deck_is_not_ready_until_it_was_shuffled_again() -> None:
    shift = opened()
    shift.menu("NOBODY PLAYING")
    assert not shift.table.state.stock.decks["A"].ready
    shift.ok(2)
    shift.get_ready()
    assert shift.table.state.stock.decks["A"].ready


def test_641a_5f_a_player_may_ask_to_see_the_faces() -> None:
    shift = opened()
    shift.menu("NOBODY PLAYING")
    shift.menu("SHOW FACES")
    assert shift.prompt == ("SPREAD FACE UP", "PLAYER LOOKED? OK")


def test_641a_5f_a_table_with_wagers_is_not_idle() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.menu("NOBODY PLAYING")
    assert shift.is_in(Phase.BETS_OPEN)


def test_641a_5f_with_two_decks_the_one_in_play_is_spread() -> None:
    shift = opened(decks=2)
    shift.play()
    assert shift.table.state.stock.in_play == "B"
    shift.menu("NOBODY PLAYING")
    shift.ok(2)
    assert shift.in_shuffler == ["B"]
    shift.get_ready()
    assert shift.table.state.stock.in_play == "B"


# ---------------------------------------------------------------- 5(g): reshuffling-and-counting devices


@each_chapter
def test_x_5g_a_reshuffling_device_is_exempt_from_cut_recut_and_spread(chapter: str) -> None:
    shift = opened(chapter, method="auto_shoe_reshuffle")
    cite = law(chapter).deck.rules["reshuffler_exempt"].cite
    for name in ("recut", "nobody"):
        shift.unlock()
        with pytest.raises(Exception, match=r"not with this device|shuffled by a device") as refusal:
            shift.table.rooms.actions.verify(name)
        assert cite in str(refusal.value)


def test_641a_5g_the_list_still_names_the_reshuffle() -> None:
    shift = opened(method="auto_shoe_reshuffle")
    shift.floor("RESHUFFLE")
    assert shift.is_in(Phase.SHUFFLING)
    with pytest.raises(NotOfferedError):
        shift.floor("RECUT")


def test_641a_5f_cards_that_are_spread_are_no_deck_to_deal_from() -> None:
    shift = opened()
    assert shift.table.state.stock.decks["A"].ready
    shift.menu("NOBODY PLAYING")
    assert not shift.table.state.stock.decks["A"].ready


# ---------------------------------------------------------------- what the chapter file says, the table does


def amended(**deck: Any) -> Chapter:
    """641a with another deck."""
    return replace(law("pa641a"), deck=replace(law("pa641a").deck, **deck))


def test_641a_5d_the_display_says_how_deep_the_chapter_has_the_cover_card_and_where_the_rest_goes() -> None:
    setup = replace(table_setup("pa641a", shuffler=Shuffler.HAND), chapter=amended(cut_least_from_top=12))
    shift = Shift(setup=setup)
    shift.receive(preshuffled=True)
    assert (shift.phase, shift.prompt) == (Phase.CUTTING, ("CUT: COVER CARD 12+", "ABOVE TO BOTTOM, OK"))


def test_641a_5g_of_what_an_amended_chapter_does_not_free_a_reshuffling_device_it_is_not_free() -> None:
    rules = law("pa641a").deck.rules
    exempt = replace(rules["reshuffler_exempt"], words=("cut",))
    setup = replace(
        table_setup("pa641a", method="auto_shoe_reshuffle"),
        chapter=amended(rules={**rules, "reshuffler_exempt": exempt}),
    )
    shift = Shift(setup=setup)
    shift.open_table()
    shift.menu("NOBODY PLAYING")
    assert shift.is_in(Phase.IDLE)
