"""What a table finds while nobody waits changes no answer, names no card and is used only where it follows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.rules.cards import NAMES
from sabot.statemachine.preparing import AHEAD
from sabot.statemachine.state.ledger import RESEED, Cause
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.events import CardDrawn, DrawSealed, Resumed, Role

from .life import at as in_phase
from .shift import Shift
from .walk.random_shift import RandomShift
from .walk.setups import WAYS, Way

if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot.statemachine.state.round import RoundState
    from sabot.statemachine.table import Table

ROUNDS = 5


def to_turning(shift: Shift) -> None:
    """All answer."""
    shift.answer_all()
    while shift.phase is not Phase.TURNING:
        shift.ok()


def rest(table: Table) -> int:
    """All pieces at once; how many there were."""
    pieces = 0
    while table.prepare():
        pieces += 1
    return pieces


# ---------------------------------------------------------------- the same answers


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_policy_a_table_that_rests_says_what_one_says_that_never_does(way: Way) -> None:
    resting = RandomShift(16, way, noise=0.05, whims=0.1, rests=1.0)
    restless = RandomShift(16, way, noise=0.05, whims=0.1, rests=0.0)
    for rested, hurried in zip(resting.rounds(ROUNDS), restless.rounds(ROUNDS), strict=True):
        assert rested == hurried
        assert resting.table.rooms.recorded.last == restless.table.rooms.recorded.last
    assert resting.table.snapshot() == restless.table.snapshot()


@pytest.mark.parametrize("way", WAYS[::4], ids=str)
def test_policy_a_rest_changes_nothing_that_anybody_can_see(way: Way) -> None:
    shift = RandomShift(17, way, noise=0.05, whims=0.1, rests=0.0)
    pieces = 0
    for _ in shift.rounds(ROUNDS):
        views = [shift.table.rooms.views.view(role) for role in Role]
        before = shift.table.snapshot()
        pieces += rest(shift.table)
        assert shift.table.snapshot() == before
        assert [shift.table.rooms.views.view(role) for role in Role] == views
    assert pieces > ROUNDS


# ---------------------------------------------------------------- piece by piece


def test_policy_it_is_done_piece_by_piece_and_once_after_each_event() -> None:
    shift = in_phase(Phase.TURNING)
    assert [shift.table.prepare() for _ in range(5)] == [True, True, True, False, False]
    assert rest(in_phase(Phase.BETS_OPEN).table) == 0
    shift.ok()
    assert shift.is_in(Phase.SETTLING)
    assert rest(shift.table) == len(AHEAD[Phase.SETTLING]) > 3


def test_policy_the_reveal_takes_what_was_found_before_it() -> None:
    shift = in_phase(Phase.TURNING)
    rest(shift.table)
    rooms = shift.table.rooms
    found, due, words = rooms.settlements._ahead, rooms.settling._ahead, rooms.settling_words._ahead
    assert found is not None
    assert not shift.table.state.play.current.lines
    shift.ok()
    assert shift.table.state.play.current.lines is found.lines
    assert rooms.settlements._ahead is None
    assert rooms.settling.due() is due[shift.table.state.play.current.order[0], 0, ()]
    assert rooms.settling_words.settling_lines() is words[id(rooms.settling.due())][1]


def test_policy_a_second_rest_finds_nothing_anew() -> None:
    shift = in_phase(Phase.TURNING)
    rest(shift.table)
    rooms = shift.table.rooms
    found, due, words = rooms.settlements._ahead, rooms.settling._ahead, rooms.settling_words._ahead
    shift.table._pieces = None
    rest(shift.table)
    assert rooms.settlements._ahead is found
    assert rooms.settling._ahead is due
    assert rooms.settling_words._ahead is words
    shift.ok()
    rest(shift.table)
    public, blank = rooms.recording._in_the_end, rooms.lockout._blank
    shift.table._pieces = None
    rest(shift.table)
    assert rooms.settling._ahead is due
    assert (rooms.recording._in_the_end is public, rooms.lockout._blank is blank) == (True, True)


# ---------------------------------------------------------------- only where it follows

CHANGES: dict[str, Callable[[RoundState], object]] = {
    "a wager is gone": lambda round_: round_.bets[2].pop("ante"),
    "a second wager is another": lambda round_: round_.raises[2].append(500),
    "a seat folded": lambda round_: round_.folded.append(round_.raises.popitem()[0]),
    "a player left": lambda round_: round_.left.append(2),
    "two boxes are one player's": lambda round_: round_.players.update({5: "seat2"}),
    "the contest is void": lambda round_: round_.meet("five_by_dealer"),
    "it happened before the raises": lambda round_: round_.meet("", "before"),
    "a card was drawn beside the deck": lambda round_: setattr(round_, "magic_card", 5),
    "a position was drawn": lambda round_: setattr(round_, "lucky", 2),
    "a card was read otherwise": lambda round_: round_.seen.reverse(),
}


@pytest.mark.parametrize("change", CHANGES)
def test_policy_what_changed_since_the_rest_is_settled_anew(change: str) -> None:
    shift = in_phase(Phase.TURNING)
    rest(shift.table)
    settlements = shift.table.rooms.settlements
    found = settlements._ahead
    CHANGES[change](shift.table.state.play.current)
    settlements.prepare()
    assert settlements._ahead is not found
    assert settlements._ahead == settlements._decide(None, shift.table.rooms.shares.meters())


def test_policy_a_meter_that_moved_since_the_rest_is_the_one_that_is_settled_by() -> None:
    shift = in_phase(Phase.TURNING)
    rest(shift.table)
    before = shift.table.rooms.shares.meters()["prog4"]["main"]
    shift.table.state.books.ledger.reseed("prog4", "main", 4200, Cause(RESEED, 1, 0))
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == before + 4200
    shift.ok()
    assert shift.table.state.play.current.meters_before["prog4"]["main"] == before + 4200


@pytest.mark.parametrize("chapter", ["pa641a", "md4cp", "pa682a"])
@pytest.mark.parametrize(
    "second", [{5: {"ante": 1000}}, {2: {"ante": None}, 5: {"ante": 1000}}], ids=["gone", "unknown"]
)
@pytest.mark.parametrize("when", [Phase.TURNING, Phase.SETTLING])
def test_policy_what_was_found_for_a_round_that_people_finished_is_no_other_rounds(
    chapter: str, second: dict[int, dict[str, int | None]], when: Phase
) -> None:
    shift = Shift(chapter)
    shift.open_table()
    shift.bet(2, ante=1000)
    shift.bet(5, ante=1000)
    shift.lock()
    shift.deal(seat2="As Ah Ad Ac")
    to_turning(shift)
    rest(shift.table)
    shift.send(Resumed, down_s=1.0)
    shift.floor("TAKE OVER", "kept")
    shift.clear()
    shift.get_ready()
    for seat, bets in second.items():
        shift.bet(seat, **bets)
    shift.lock()
    shift.stack()
    shift._top(1)
    shift.send(CardDrawn, card=None)  # nobody read it: this round is declared
    shift.floor("RELEASE")
    shift.deal_cards()
    shift.rack_stub()
    to_turning(shift)
    if when is Phase.TURNING:
        rest(shift.table)
    shift.press_until_revealed()
    shift.declare_all()
    assert shift.is_in(Phase.SETTLING)
    rest(shift.table)
    assert shift.table.rooms.settling._ahead_by[0] is shift.table.state.play.current.lines


def test_policy_nothing_is_prepared_while_the_table_is_held() -> None:
    shift = in_phase(Phase.TURNING)
    shift.send(Resumed, down_s=1.0)
    assert shift.table.rooms.faults.held is not None
    assert rest(shift.table) == 0
    assert shift.table.rooms.settlements._ahead is None


# ---------------------------------------------------------------- not before it may be


def test_641a_12g3_nothing_is_settled_ahead_while_a_draw_is_sealed() -> None:
    shift = in_phase(Phase.TURNING)
    shift.send(DrawSealed, device="accounts", draw=12, seal="0" * 64)
    assert shift.table.state.play.current.sealed
    rest(shift.table)
    assert shift.table.rooms.settlements._ahead is None


def test_policy_what_is_found_ahead_names_no_card_and_no_hand() -> None:
    shift = in_phase(Phase.TURNING)
    rest(shift.table)
    rooms = shift.table.rooms
    for part in (rooms.settlements, rooms.settlements._ahead, rooms.settling, rooms.preparing):
        said = repr(part)
        assert not [name for name in NAMES if name in said.split()], said
        assert "lose" not in said
        assert "win" not in said
