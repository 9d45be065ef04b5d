"""641a's wagers on game accounts at a real table, whole rounds with a simulated wagering system."""

from typing import Any

import pytest

from sabot.drivers.sabot_link.account_messages import Credit
from sabot.hil.simulators.sabot_accounts.system import TAKEN, System
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.effects import CreditAccount, RefuseWager
from sabot.statemachine.vocabulary.events import (
    AccountCredited,
    AccountWager,
    DrawMade,
    DrawSealed,
    LinkRestored,
    Resumed,
)
from tests.drivers.sabot_link.link_pair import Line

from .accounts_floor import DEALER, PLAYER, AccountsPair, Floor, wagered

SPOT = (2, 1)


def in_round(system: System) -> dict[tuple[int, int], int]:
    return {spot: each.cents for spot, each in system.standing.items()} if system.phase == TAKEN else {}


def balance(floor: Floor, seat: int = 2) -> int:
    return floor.system.balances[floor.system.seated[seat]]


# ---------------------------------------------------------------- stations


def test_641a_7d7_a_wager_is_acknowledged_by_the_table_and_lit() -> None:
    floor = Floor().ante(2).act("sit 2 10000")
    floor.pair.act("place 2 1 500")
    assert floor.system.shown[SPOT] == "WAITS"
    assert not floor.system.is_lit(SPOT)
    floor.rest()
    assert floor.shift.table.state.layout.bets[2] == {"ante": 1000, PLAYER: 500}
    assert floor.system.shown[SPOT] == "ACCEPTED 500"
    assert floor.system.is_lit(SPOT)
    assert balance(floor) == 9500


def test_641a_7d7_a_wager_is_changed_and_withdrawn_until_no_more_bets() -> None:
    floor = wagered().act("place 2 1 700").act("place 2 2 300")
    assert floor.shift.table.state.layout.bets[2] == {"ante": 1000, PLAYER: 700, DEALER: 300}
    floor.act("place 2 1 200").act("withdraw 2 2")
    assert floor.shift.table.state.layout.bets[2] == {"ante": 1000, PLAYER: 200}
    assert balance(floor) == 9800
    assert not floor.system.is_lit((2, 2))


def test_641a_7d7_a_wager_without_an_ante_is_not_accepted_and_says_why() -> None:
    floor = Floor().act("place 3 1 500")
    assert floor.system.shown[(3, 1)] == "NOT ACCEPTED: needs ante (641a.7(d)(7))"
    assert balance(floor, 3) == 1_000_000
    assert floor.shift.table.state.layout.bets == {}


def test_641a_7d7_a_wager_whose_ante_is_lifted_is_dark_and_goes_back_when_chips_come_again() -> None:
    floor = wagered()
    floor.shift.bet(2, ante=0)
    floor.rest()
    assert not floor.system.is_lit(SPOT)
    floor.ante(2)
    assert floor.shift.table.state.layout.bets == {2: {"ante": 1000}}
    assert floor.system.shown[SPOT] == "RETURNED: its Ante was lifted"
    assert balance(floor) == 10_000


def test_a_system_counts_when_it_has_told_all_that_it_kept() -> None:
    pair = AccountsPair(None, 1).up()
    honest = pair.system.questions["QUERY"][1]
    pair.system.questions = {
        **pair.system.questions,
        "QUERY": ("STANDING", lambda now: honest(now) | {"kept": 2}),
    }
    pair.is_cut = True
    pair.run(4)
    pair.is_cut = False
    pair.run(10)

    assert pair.host.why == "2 of the reports that it kept did not come"
    assert pair.said(LinkRestored) == []


def test_641a_7c_after_no_more_bets_a_hand_on_a_station_has_no_effect() -> None:
    floor = wagered().lock()
    with pytest.raises(ValueError, match="no more bets"):
        floor.act("place 2 2 500")
    assert len(floor.pair.said(AccountWager)) == 1


def test_641a_7c_a_wager_that_was_on_its_way_at_the_lock_is_refused_and_kept_in_the_record() -> None:
    floor = wagered()
    floor.pair.act("place 2 2 500")
    floor.shift.lock()
    floor.rest()
    (refused,) = floor.shift.said(RefuseWager, wager=DEALER)
    assert refused.why == "after no more bets"
    assert in_round(floor.system) == {SPOT: 500}
    assert balance(floor) == 9500
    assert f"seat 2 {DEALER} of 500 refused: after no more bets" in [
        note.words for note in floor.shift.table.state.play.current.notes
    ]


def test_641a_7c_a_system_that_takes_wagers_after_the_lock_gets_none_into_the_round() -> None:
    floor = wagered().lock().act("lie late").act("place 2 2 500")
    assert floor.shift.said(RefuseWager, wager=DEALER)[-1].why == "after no more bets"
    assert floor.shift.table.state.play.current.bets == {2: {"ante": 1000, PLAYER: 500}}
    assert in_round(floor.system) == {SPOT: 500}


# ---------------------------------------------------------------- a whole round


def test_641a_11c7iii_a_win_is_credited_once_and_confirmed() -> None:
    floor = wagered().lock().deal().reveal().settle()
    (credit,) = floor.shift.said(CreditAccount)
    assert credit.cents == 500 * 100
    assert floor.shift.table.state.books.owed == []
    assert balance(floor) == 9500 + 50_000
    (booked,) = floor.system.credits
    assert booked.order == {"number": 1, "round": 1, "seat": 2, "wager": 1, "kind": 1, "cents": 50_000}
    floor.next_round()
    assert floor.shift.table.rooms.faults.held is None
    assert floor.shift.table.state.play.phase is Phase.BETS_OPEN


def test_641a_12g3_draws_are_sealed_in_their_order_and_opened_when_all_have_decided() -> None:
    floor = wagered().act("draws magic=2c lucky=2").lock()
    assert floor.drawn == [DrawSealed, DrawSealed]
    assert [each.draw for each in floor.pair.said(DrawSealed)] == [1, 2]
    floor.deal()
    assert floor.drawn == [DrawSealed, DrawSealed]
    floor.reveal().settle()
    assert floor.drawn == [DrawSealed, DrawSealed, DrawMade, DrawMade]
    assert [(each.magic_card, each.lucky) for each in floor.pair.said(DrawMade)] == [(0, None), (None, 2)]
    assert {(each.wager, each.cents) for each in floor.shift.said(CreditAccount)} == {
        (PLAYER, 50_000),
        (f"{PLAYER}:magic_card", 10_000),
        (f"{PLAYER}:lucky_bonus", 2_500),
    }
    assert balance(floor) == 9500 + 62_500
    floor.next_round()
    floor.ante(2).lock()
    assert [each.draw for each in floor.pair.said(DrawSealed)] == [1, 2, 3, 4]


def test_641a_13_in_a_void_round_the_stake_goes_back_to_the_account() -> None:
    floor = wagered().lock().deal()
    floor.shift.wrong_number()
    floor.rest()
    assert balance(floor) == 10_000
    assert [each.order["kind"] for each in floor.system.credits] == [2]
    assert floor.shift.table.state.books.owed == []


# ---------------------------------------------------------------- a lost link, in each phase


def test_x_a_link_that_is_lost_while_bets_are_open_closes_the_stations_and_loses_nothing() -> None:
    floor = wagered().cut()
    assert floor.held.kind == "lost_link"
    assert floor.system.phase == 0
    floor.heal()
    assert floor.shift.table.rooms.faults.held is None
    assert floor.shift.table.state.layout.bets[2] == {"ante": 1000, PLAYER: 500}
    floor.act("place 2 1 600").lock()
    assert in_round(floor.system) == {SPOT: 600}


def test_x_a_wager_whose_answer_was_lost_stands_on_both_sides_or_on_none() -> None:
    floor = Floor().ante(2).act("sit 2 10000")
    floor.pair.act("place 2 1 500")
    floor.pair.run(0.02)  # it is asked, and the line breaks before the answer
    floor.cut().heal()
    table = floor.shift.table.state.layout.bets[2].get(PLAYER, 0)
    assert table == (500 if floor.system.is_lit(SPOT) else 0)
    assert balance(floor) == 10_000 - table
    floor.lock()
    assert floor.shift.table.rooms.faults.held is None


def test_x_a_link_that_is_lost_at_the_lock_has_the_stakes_taken_in_afterwards() -> None:
    floor = wagered().act("draws magic=2c")
    floor.pair.is_cut = True
    floor.shift.lock()
    floor.rest(4.0)
    assert in_round(floor.system) == {}
    floor.heal()
    assert in_round(floor.system) == {SPOT: 500}
    assert floor.drawn == [DrawSealed]
    assert floor.shift.table.rooms.faults.held is None


def test_x_a_link_that_is_lost_before_the_draw_is_opened_opens_it_afterwards_once() -> None:
    floor = wagered().act("draws magic=2c").lock().deal()
    floor.pair.is_cut = True
    floor.shift.answer_all()
    floor.rest(4.0)
    assert floor.shift.table.state.play.current.magic_card is None
    floor.heal()
    assert floor.shift.table.state.play.current.magic_card == 0
    assert floor.drawn == [DrawSealed, DrawMade]


@pytest.mark.parametrize("after_s", [0.0, 0.005, 0.01, 0.02, 0.03, 0.045, 0.06, 0.08])
def test_x_a_link_that_is_lost_while_a_credit_is_told_credits_it_once(after_s: float) -> None:
    floor = wagered().lock().deal().reveal()
    floor.shift.settle_all()
    floor.carry()
    floor.pair.run(after_s)
    floor.cut().heal()
    assert floor.shift.table.state.books.owed == []
    assert balance(floor) == 9500 + 50_000
    assert len(floor.pair.said(AccountCredited)) == 1


def test_x_over_a_bad_line_a_round_comes_out_the_same() -> None:
    for seed in range(4):
        floor = wagered(line=Line(loss=0.15, flips=0.1), seed=seed).act("draws lucky=2").lock()
        floor.rest(6).deal().rest(6).reveal().rest(6).settle().rest(10)
        assert floor.shift.table.state.books.owed == [], seed
        assert balance(floor) == 9500 + 52_500, seed


# ---------------------------------------------------------------- restarts


def test_x_a_system_that_loses_power_in_the_round_keeps_stakes_draws_and_credits() -> None:
    floor = wagered().act("draws magic=2c").lock().deal().act("reboot", 8.0)
    assert floor.lost() == 1
    floor.release()
    assert floor.shift.table.rooms.faults.held is None
    floor.reveal().settle()
    assert floor.shift.table.state.books.owed == []
    assert balance(floor) == 9500 + 60_000


def test_x_a_system_that_loses_power_before_it_confirmed_confirms_what_it_booked() -> None:
    floor = wagered().lock().deal().reveal()
    floor.shift.settle_all()
    floor.carry()
    floor.pair.run(0.015)
    floor.act("reboot", 8.0).release()
    assert floor.shift.table.state.books.owed == []
    assert balance(floor) == 9500 + 50_000


def test_x_a_system_that_forgets_its_stakes_holds_the_table() -> None:
    floor = wagered().lock().deal().act("lie forgets").act("reboot", 8.0)
    assert "it has other stakes than the round" in floor.whys


def test_x_a_controller_that_restarts_in_the_round_finds_its_stakes_and_credits_once() -> None:
    floor = wagered().act("draws magic=2c").lock().deal()
    floor.start_anew()
    floor.shift.send(Resumed, down_s=5.0)
    floor.rest(8.0).confirm()
    floor.reveal().settle()
    assert floor.shift.table.state.books.owed == []
    assert floor.shift.table.rooms.faults.held is None
    assert balance(floor) == 9500 + 60_000


@pytest.mark.parametrize("draws", ["magic=2c", "magic=2c lucky=2"])
@pytest.mark.parametrize("is_paid", [False, True])
def test_x_a_controller_that_restarts_when_draws_are_open_goes_on_with_its_round(
    draws: str, *, is_paid: bool
) -> None:
    """The system tells no seal again that is open: the table was held, and no test or release ended it."""
    floor = wagered().act(f"draws {draws}").lock().deal().reveal()
    if is_paid:
        floor.settle()
    floor.start_anew()
    floor.shift.send(Resumed, down_s=5.0)
    floor.rest(8.0).confirm()
    assert floor.shift.table.rooms.faults.held is None
    floor.settle()
    assert floor.shift.table.state.books.owed == []
    assert balance(floor) == 9500 + 60_000 + (2500 if "lucky" in draws else 0)


def test_x_a_controller_that_restarts_before_a_credit_was_confirmed_repeats_it_under_its_number() -> None:
    floor = wagered().lock().deal().reveal()
    floor.pair.is_cut = True
    floor.shift.settle_all()
    floor.rest(1.0)
    floor.pair.is_cut = False
    floor.start_anew()
    floor.shift.send(Resumed, down_s=5.0)
    floor.rest(8.0)
    assert [each.order["number"] for each in floor.system.credits] == [1]
    assert floor.shift.table.state.books.owed == []
    assert balance(floor) == 9500 + 50_000


# ---------------------------------------------------------------- a system that contradicts itself


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        ("twice", "it credited 100000 cents in all, not 50000"),
        ("told-twice", "it credited 50000 cents under 1, which nobody ordered now"),
        ("other-account", "credit 1 is not as it was ordered"),
        ("mute", "a credit was accepted and not confirmed"),
    ],
)
def test_x_a_credit_that_is_not_as_it_was_ordered_holds_the_table(lie: str, why: str) -> None:
    floor = wagered().lock().deal().reveal().act(f"lie {lie}").settle().rest(11)
    assert why in floor.whys
    floor.act("lie off")
    assert floor.shift.table.rooms.faults.held is not None


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        ("short", "it took in 0 stakes of 0 cents, not 1 of 500"),
        ("skip", "draw 2 comes where 1 is the next"),
        ("mute", "the stakes were accepted and not taken in"),
    ],
)
def test_x_stakes_or_seals_that_are_not_as_told_hold_the_table(lie: str, why: str) -> None:
    floor = wagered().act("draws magic=2c").act(f"lie {lie}").lock().rest(6)
    assert why in floor.whys


@pytest.mark.parametrize(
    ("lie", "draws", "why"),
    [
        ("seal", "magic=2c", "draw 1 does not fit its seal"),
        ("mute", "magic=2c", "a draw was ordered open and did not come"),
        ("off", "magic=2c magic=3c", "draw 2 is the second of its kind in the round"),
        ("off", "lucky=9", "draw 1 has a value there is not"),
    ],
)
def test_641a_12g3_a_draw_that_is_not_what_was_sealed_holds_the_table(lie: str, draws: str, why: str) -> None:
    floor = wagered().act(f"draws {draws}").lock().deal().act(f"lie {lie}")
    floor.shift.answer_all()
    floor.rest(6)
    assert why in floor.whys
    assert floor.shift.table.state.play.phase is Phase.TURNING


def test_x_a_ticket_that_comes_twice_holds_the_table() -> None:
    floor = wagered().act("lie same-ticket").act("place 2 2 500")
    assert floor.whys[:1] == ["ticket 1 after 1"]


def test_x_a_second_account_at_one_position_holds_the_table() -> None:
    floor = wagered()
    floor.act("sit 2 5000").act("place 2 2 500")
    assert floor.whys[:1] == ["station 2 asks for another account than that of its wagers"]


def test_x_a_latched_fault_of_the_system_holds_the_table_until_it_is_tested_and_released() -> None:
    floor = wagered().act("fault 21")
    assert floor.whys[:1] == ["the accounts are not reached"]
    floor.release()
    assert floor.shift.table.rooms.faults.held is None
    assert floor.system.fault == 0


def test_x_a_credit_is_the_same_whoever_asks() -> None:
    floor = wagered().lock().deal().reveal().settle()
    order = Credit(1, 1, 2, 1, 1, 50_000, "")
    floor.pair.host._send(order, floor.pair.now)
    floor.rest()
    assert balance(floor) == 9500 + 50_000
    assert floor.shift.table.rooms.faults.held is None


# ---------------------------------------------------------------- draws out of their time


def test_641a_12g3_of_two_draws_that_are_due_the_second_is_waited_for_too() -> None:
    """The first to come disarmed the deadline of both, and nothing waited any more."""
    floor = wagered().act("draws magic=2c lucky=3").lock().deal()
    say, opened = floor.system.say, 0

    def once(name: str, now: float, **values: Any) -> None:
        nonlocal opened
        opened += name == "OPENED"
        if name != "OPENED" or opened == 1:
            say(name, now, **values)

    floor.system.say = once  # type: ignore[method-assign]
    floor.shift.answer_all()
    floor.rest(7)
    assert "a draw was ordered open and did not come" in floor.whys
    assert floor.shift.table.state.play.phase is Phase.TURNING


def test_641a_12g3_what_is_drawn_after_the_stakes_were_taken_in_is_no_draw_of_the_round() -> None:
    floor = wagered().lock().deal()
    floor.system.say("SEALED", floor.pair.now, draw=1, round=floor.system.round, seal=bytes(32))
    floor.rest()
    assert floor.whys[:1] == ["draw 1 was drawn after the stakes were taken in"]
    assert floor.drawn == []


def test_641a_12g3_the_number_of_a_draw_is_not_used_in_another_round() -> None:
    floor = wagered().act("draws magic=2c").lock().deal().reveal().settle().next_round()
    floor.shift.bet(2, ante=1000)
    floor.rest().act("place 2 1 500")
    say = floor.system.say

    def numbered(name: str, now: float, **values: Any) -> None:
        say(name, now, **values | ({"draw": 1} if name == "SEALED" else {}))

    floor.system.say = numbered  # type: ignore[method-assign]
    floor.act("draws magic=3c").lock()
    assert floor.whys[:1] == ["draw 1 was of a round before"]


def test_641a_7c_an_opening_that_waits_is_withdrawn_by_no_more_bets() -> None:
    """CLOSE_BETS goes before what waits: an OPEN_BETS behind it would open the stations again."""
    floor = wagered()
    host, now = floor.pair.host, floor.pair.now
    host.darken([SPOT], now)  # it is on the wire, so what follows waits
    host.open(now)
    host.close(now)
    floor.pair.flush()
    floor.pair.run(1.0)
    assert floor.system.phase == 0


def test_x_a_credit_that_the_system_has_otherwise_is_a_contradiction() -> None:
    floor = wagered().lock().deal().reveal()
    floor.system.standing.clear()
    floor.settle()
    assert floor.held.kind == "contradiction"
    assert floor.held.why == "it does not credit an account: it has it otherwise"


def test_a_round_is_over_when_bets_open_again() -> None:
    floor = wagered()
    host = floor.pair.host
    host.take(8, [(2, 1, 500)], floor.pair.now)
    assert host.books.round is not None

    host.open(floor.pair.now)

    assert host.books.round is None
    assert not [each for each in host._promises if not isinstance(each, Credit)]
