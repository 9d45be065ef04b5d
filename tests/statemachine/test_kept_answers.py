"""What a table works out once and keeps is what it would work out now, at every event of random shifts."""

from __future__ import annotations

import pytest

from sabot.rules.plan import DISCARD, Placement, kept_plans
from sabot.statemachine.law import PROGRESSIVE, SeatWagers, feeds, why_not_standing
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import SetMeter
from sabot.statemachine.vocabulary.events import Role

from .life import at as in_phase
from .walk.random_shift import RandomShift
from .walk.setups import KNOWN_WAYS, WAYS, Way

ROUNDS = 8
# One of each chapter.
DECLARED_WAYS = [way for way in WAYS if way.knowledge is Knowledge.NONE and way.method == "manual_shoe"]
SECTIONS = ("4(a)", "7(c)", "8(b)", "8(e)", "8(f)", "8(h)", "11(c)", "13")


def fresh_cite(table: Table, section: str) -> str:
    method = (table.state.play.round or table.state.devices).method.partition("_")[0]
    return table.law.chapter.section(section, method)


def fresh_plan(table: Table) -> list[Placement]:
    kept, plan = table.law.planned, table.state.play.current.plan
    table.law.planned = kept_plans(table.law.chapter, table.law.readings)
    table.rooms.dealing.make_plan()
    fresh, table.state.play.current.plan, table.law.planned = table.state.play.current.plan, plan, kept
    return fresh


def fresh_count(table: Table) -> int:
    wagers = table.law.chapter.wagers
    return sum(
        wagers[name].device == PROGRESSIVE for bets in table.state.play.current.bets.values() for name in bets
    )


def fresh_read(table: Table) -> dict[int, int]:
    seen = [card.card if card is not None else None for card in table.state.play.current.seen]
    return {at: card for at, card in enumerate(seen, 1) if card is not None and seen.count(card) == 1}


def kept_entries(table: Table) -> list[object]:
    looked = table.rooms.looked
    return [looked.wagers[seat].fed.entries for seat in table.state.layout.bets if looked.is_all_lit]


def fresh_entries(table: Table) -> list[object]:
    """What wagers give that all stand, seat by seat."""
    setup, there = table.law.setup, table.state.layout.bets.values()
    found = [SeatWagers(setup, feeds(setup), tuple(bets.items())) for bets in there]
    return [each.fed.entries for each in found if table.rooms.looked.is_all_lit]


def assert_deadlines_are_fresh(table: Table) -> None:
    room, now, decks = table.rooms.deck_room, table.state.clock.now, table.state.stock.decks.values()
    kept, moment = [room.deadline(deck) for deck in decks], room.next_moment()
    due = [room.is_due(deck) for deck in decks]
    room.forget_deadlines()
    assert due == [now >= room.deadline(deck) for deck in decks]
    assert kept == [room.deadline(deck) for deck in decks]
    assert moment == room.next_moment() > now


def told_meters(table: Table) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for effect in table.rooms.last_told.effects.values():
        if isinstance(effect, SetMeter):
            found.setdefault(effect.meter, {})[effect.level] = effect.cents
    return found


def fresh_meters(table: Table) -> dict[str, dict[str, int]]:
    ledger = table.state.books.ledger
    return {
        meter: {level: ledger.cents(meter, level) for level in levels}
        for meter, levels in table.law.setup.meters.items()
    }


def assert_wagers_are_fresh(table: Table) -> None:
    setup, looked = table.law.setup, table.rooms.looked
    for seat, bets in table.state.layout.bets.items():
        stand = not any(why_not_standing(setup, wager, bets) for wager in bets)
        assert table.law.wagers_of(tuple(bets.items())).all_stand is stand
        assert stand or not looked.is_clear(seat)
    if table.state.play.phase is Phase.BETS_OPEN:
        fallen = table.rooms.lockout.standing_bets(table.state.layout.bets)[1]
        assert table.rooms.lockout.dark_spots() == tuple(sorted(fallen))
        assert kept_entries(table) == fresh_entries(table)


def assert_meters_are_fresh(table: Table) -> None:
    balances = table.state.books.ledger.balances
    assert told_meters(table) == table.rooms.shares.meters() == fresh_meters(table)
    assert table.rooms.last_told.units == [balances.get(key, 0) for key in table.law.signs]


def assert_lists_are_whole(table: Table) -> None:
    lists, phase = table.rooms.lists, table.state.play.phase
    for role in (Role.DEALER, Role.FLOOR):
        lines = lists._lines_of(phase, role is Role.DEALER)
        assert lists.listed(role) == [name for name in lines if lists.choices(name)]


def assert_round_is_fresh(table: Table) -> None:
    round_, settling = table.state.play.current, table.rooms.settling
    for seat in {line.seat for line in round_.lines}:
        assert settling.sorted_lines().by_seat[seat] == [line for line in round_.lines if line.seat == seat]
    looked_at = [(hit.seat, hit.wager) for hit in round_.hits]
    assert settling.due() == settling._found_due(settling.lines_left(), looked_at)
    if table.state.play.phase is Phase.SETTLING:
        words = table.rooms.settling_words
        assert words.settling_lines() == words._words(settling.current_seat(), settling.due())
    assert table.rooms.dealing._given() == {card.card for card in round_.seen if card is not None}
    assert table.rooms.cards.read_cards() == fresh_read(table)
    recording = table.rooms.recording
    assert recording.public_cards() == recording._public_cards(table.rooms.views.turned_places())


def assert_outcome_is_fresh(table: Table) -> None:
    """What was settled ahead and still follows is what would be settled now."""
    settlements, meters = table.rooms.settlements, table.rooms.shares.meters()
    follows = settlements._basis(meters, *table.rooms.contest.involved())
    if settlements._ahead is not None and settlements._follows == follows:
        assert settlements._ahead == settlements._decide(None, meters)


def assert_plan_is_fresh(table: Table) -> None:
    plan, laid = table.state.play.current.plan, table.rooms.contest.laid
    dealt = {each.position for each in plan if each.place != DISCARD}
    assert table.rooms.chip_count.accepted() == fresh_count(table)
    assert plan == fresh_plan(table)
    assert laid.words == tuple(map(str, plan))
    assert laid.order == sorted(plan)
    assert [each.position for each in laid.order] == list(range(1, len(plan) + 1))
    assert laid.placed == dealt
    assert table.rooms.cards.knows_all() is (fresh_read(table).keys() >= dealt)
    assert laid.places == {each.place for each in plan} - {DISCARD}
    for stack, cards in laid.stacks.items():
        assert cards == [each for each in plan if each.stack == stack]
    assert list(laid.positions) == list(dict.fromkeys(each.place for each in plan))
    for place, positions in laid.positions.items():
        there = sorted((each for each in plan if each.place == place), key=lambda each: each.nth)
        assert positions == [each.position for each in there]
        assert laid.counts[place] == len(there)


@pytest.mark.parametrize("way", KNOWN_WAYS, ids=str)
def test_policy_kept_answers_never_go_stale(way: Way) -> None:
    shift = RandomShift(642, way, noise=0.1, whims=0.1)
    planned: set[int] = set()
    for _ in shift.rounds(ROUNDS):
        table = shift.table
        assert [table.law.cite(each) for each in SECTIONS] == [fresh_cite(table, each) for each in SECTIONS]
        assert_wagers_are_fresh(table)
        assert_deadlines_are_fresh(table)
        assert_meters_are_fresh(table)
        assert_lists_are_whole(table)
        if table.state.play.round is not None:
            assert_round_is_fresh(table)
            assert_outcome_is_fresh(table)
            if table.state.play.current.plan:
                assert_plan_is_fresh(table)
                planned.add(table.state.play.current.number)
    assert len(planned) >= ROUNDS // 2


@pytest.mark.parametrize("way", DECLARED_WAYS, ids=str)
def test_policy_what_was_asked_last_is_what_would_be_asked_now(way: Way) -> None:
    shift = RandomShift(643, way, noise=0.1, whims=0.2)
    questions = 0
    for _ in shift.rounds(3):
        if shift.table.state.play.phase is Phase.DECLARING:
            kept, fresh = shift.table.rooms.asking.inquire(), shift.table.rooms.asking._walk()
            assert (kept.rows, kept.asked, kept.open) == (fresh.rows, fresh.asked, fresh.open)
            questions += 1
    assert questions


def test_policy_lines_that_are_decided_anew_are_sorted_anew() -> None:
    shift = RandomShift(1, KNOWN_WAYS[0], noise=0.0, whims=0.0)
    next(
        step
        for step in shift.steps()
        if shift.table.state.play.round and shift.table.state.play.current.lines
    )
    table = shift.table
    before = table.rooms.settling.sorted_lines()
    table.state.play.current.lines = table.state.play.current.lines[1:]

    assert table.rooms.settling.sorted_lines() is not before
    assert sum(map(len, table.rooms.settling.sorted_lines().by_seat.values())) == len(before.lines) - 1


def test_policy_what_was_found_ahead_stands_in_the_record_unless_something_changed_since() -> None:
    shift = RandomShift(1, KNOWN_WAYS[0], noise=0.0, whims=0.0, rests=1.0)
    next(step for step in shift.steps() if shift.table.state.play.phase is Phase.CLEARING)
    recording, round_ = shift.table.rooms.recording, shift.table.state.play.current
    found = recording.public_cards()

    assert found is recording._in_the_end is recording.public_cards()
    assert found.public
    assert repr(found) == "PublicCards()"
    assert found == recording._public_cards(shift.table.rooms.views.turned_places())
    for seat, name in ((seat, name) for seat, bets in list(round_.bets.items()) for name in list(bets)):
        cents = round_.bets[seat].pop(name)
        assert recording.public_cards() is not found
        round_.bets[seat][name] = cents
    round_.left.append(next(iter(round_.bets)))
    assert recording.public_cards() != found
    round_.left.clear()
    round_.void = "641a.13(a)"
    assert recording.public_cards() != found
    assert recording.public_cards().hands == {}


def test_policy_meters_that_were_forgotten_are_told_once_more() -> None:
    shift = RandomShift(1, KNOWN_WAYS[0], noise=0.0, whims=0.0)
    next(step for step in shift.steps() if shift.table.state.play.round)
    table = shift.table
    table.rooms.telling.forget()
    table.rooms.telling.tell(table.rooms.display.shown())

    assert table.law.signs
    assert told_meters(table) == table.rooms.shares.meters()


def test_policy_a_card_face_up_lays_the_plan_out_anew() -> None:
    shift = RandomShift(1, KNOWN_WAYS[0], noise=0.0, whims=0.0)
    next(
        step
        for step in shift.steps()
        if shift.table.state.play.round and shift.table.state.play.current.drawn
    )
    table = shift.table
    before = table.rooms.contest.laid
    table.state.play.current.face_up.append(table.state.play.current.drawn)
    table.rooms.dealing.make_plan()

    assert table.rooms.contest.laid is not before
    assert table.rooms.contest.laid.order == sorted(table.state.play.current.plan)
    assert len(table.rooms.contest.laid.order) == len(before.order) + 1


def test_policy_as_many_cards_as_before_that_are_others_are_read_anew() -> None:
    shift = RandomShift(1, KNOWN_WAYS[0], noise=0.0, whims=0.0)
    next(
        step
        for step in shift.steps()
        if shift.table.state.play.round and shift.table.state.play.current.drawn > 1
    )
    table = shift.table
    before, seen = table.rooms.cards.read_cards(), table.state.play.current.seen
    seen[0], seen[1] = seen[1], seen[0]

    assert before != table.rooms.cards.read_cards() == fresh_read(table)
    assert before.keys() == fresh_read(table).keys()


def test_a_seat_with_wagers_has_cards_left_and_one_without_has_none() -> None:
    table = in_phase(Phase.DECIDING).table
    seat, *_ = table.state.play.current.bets
    assert table.rooms.cards.has_cards_left(seat)
    assert table.rooms.cards.with_cards_left([seat]) == [seat]
    table.state.play.current.bets[seat].clear()
    assert not table.rooms.cards.has_cards_left(seat)
    assert table.rooms.cards.with_cards_left([seat]) == []
