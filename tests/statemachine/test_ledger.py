"""Progressive meters: double entry, sums to zero, fractions carried, nothing but a hit or a cause lowers one."""

from __future__ import annotations

import re
from dataclasses import replace
from fractions import Fraction
from inspect import isfunction
from pathlib import Path
from typing import Any

import pytest

from sabot.rules.settlement.house import HouseError
from sabot.statemachine.state.ledger import CONTRIBUTION, RESERVE, SEED, UNITS, Cause, Fed, Ledger, money
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import MeterSetup, Percent, SetupError, Shuffler
from sabot.statemachine.vocabulary.effects import ReportDay, SetMeter
from sabot.statemachine.vocabulary.events import Resumed

from .shift import NotOfferedError, Shift, opened
from .tables import options, table_setup
from .walk.audit_meters import LOWERING

ROOT = Path(__file__).resolve().parents[2]
CAUSE = Cause(SEED, 0)


def fed(primary: int, held: int = 0) -> Fed:
    """What one wager gives to the meter and to its reserve, in hundredths of a cent."""
    shares = (("m.main", CONTRIBUTION, primary), ("m.main.reserve", RESERVE, held))
    sums = tuple(share for share in shares if share[2])
    return Fed(tuple((target, units, what) for target, what, units in sums), sums)


# ---------------------------------------------------------------- the books


def test_policy_every_entry_moves_money_from_one_account_to_another() -> None:
    ledger = Ledger()
    ledger.seed("m", "main", 500_000, CAUSE)
    ledger.take_in(1, {2: fed(500 * 25, 500 * 5)})
    ledger.pay("m", "main", 1234, CAUSE)
    ledger.reseed("m", "main", 100, CAUSE)
    assert ledger.is_balanced()
    assert ledger.balances == {
        "house": -50_010_000,
        "m.main": 50_010_000 + 500 * 25 - 123_400,
        "players": -500 * 30,
        "m.main.reserve": 500 * 5,
        "winners": 123_400,
    }


def test_policy_the_ledger_has_no_way_to_book_that_the_program_does_not_take() -> None:
    ways = {name for name, each in vars(Ledger).items() if isfunction(each) and not name.startswith("_")}
    inside = (ROOT / "statemachine/state/ledger.py").read_text(encoding="utf-8")
    taken = set(re.findall(r"\bself\.(\w+)\(", inside))
    for room in ("statemachine", "firmware"):
        for path in (ROOT / room).rglob("*.py"):
            taken.update(re.findall(r"\bledger\.(\w+)", path.read_text(encoding="utf-8")))

    assert ways <= taken


def test_policy_a_books_imbalance_would_be_seen() -> None:
    ledger = Ledger()
    ledger.balances["m.main"] = 1
    assert not ledger.is_balanced()


def test_641a_12_a_fraction_of_a_cent_is_carried_and_never_shown() -> None:
    ledger = Ledger()
    shown = []
    for _ in range(4):
        ledger.take_in(1, {2: fed(1 * 29)})
        shown.append(ledger.cents("m", "main"))
    assert shown == [0, 0, 0, 1]
    assert ledger.balances["m.main"] == 4 * 29


@pytest.mark.parametrize(
    ("units", "words"),
    [(0, "$0.0000"), (1, "$0.0001"), (123_456, "$12.3456"), (-5, "-$0.0005"), (10_000_000, "$1000.0000")],
)
def test_policy_amounts_are_written_to_the_hundredth_of_a_cent(units: int, words: str) -> None:
    assert money(units) == words


def test_policy_a_round_that_stands_can_no_longer_be_reversed() -> None:
    ledger = Ledger()
    ledger.seed("m", "main", 100, CAUSE)
    ledger.take_in(1, {2: fed(100 * 29)})
    ledger.pay("m", "main", 50, CAUSE)
    before = dict(ledger.balances)
    ledger.keep_round()
    list(ledger.reverse_round(CAUSE))
    list(ledger.restore_draws(CAUSE))
    assert ledger.balances == before


# ---------------------------------------------------------------- seeds, rates, reserve, units


@pytest.mark.parametrize(("unit", "seed"), [(100, 500_000), (500, 2_500_000)])
def test_641a_12d3_a_meter_is_seeded_for_1_times_the_wager_offered(unit: int, seed: int) -> None:
    shift = Shift(setup=table_setup("pa641a", options=options("pa641a", progressive_unit=unit)))
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == seed


@pytest.mark.parametrize(
    ("letter", "fed", "held"),
    [
        ("A", {"main": 21}, {}),
        ("B", {"mega": 11, "major": 10}, {}),
        ("C", {"mega": 9, "major": 7, "minor": 3}, {}),
    ],
)
def test_641a_12e3_each_level_is_fed_at_its_rate(
    letter: str, fed: dict[str, int], held: dict[str, int]
) -> None:
    shift = opened(letters={"prog5": letter})
    before = shift.table.rooms.shares.meters()["prog5"]
    shift.bet(2, ante=1000, prog5=100)
    shift.lock()
    after = shift.table.rooms.shares.meters()["prog5"]
    assert {level: after[level] - before[level] for level in after} == fed
    assert held == {}


def test_641a_12d3_the_reserve_is_kept_beside_the_meter_and_never_paid() -> None:
    shift = opened(letters={"prog4": "B"})
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()
    assert shift.table.state.books.ledger.balances["prog4.main.reserve"] == 500
    shift.deal(seat2="As Ah Ad Ac 3h", dealer="2d 4h 6s 8c Jd 3c")
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    assert shift.table.state.books.ledger.balances["prog4.main.reserve"] == 500


def test_641a_12d3_a_wager_whose_value_the_pad_cannot_sense_is_of_the_unit() -> None:
    shift = opened()
    before = shift.table.rooms.shares.meters()["prog4"]["main"]
    shift.bet(2, ante=None, prog4=None)
    shift.lock()
    assert shift.table.rooms.shares.meters()["prog4"]["main"] == before + 29


def test_md_12d3_maryland_uses_the_operators_own_terms() -> None:
    shift = opened(chapter="md4cp", meters={"progressive": {"main": MeterSetup(700_000, 33, 7)}})
    shift.bet(2, ante=1000, progressive=100)
    shift.lock()
    assert shift.table.rooms.shares.meters()["progressive"]["main"] == 700_033
    assert shift.table.state.books.ledger.balances["progressive.main.reserve"] == 700


def test_md_12d3a_a_rate_with_a_fraction_of_a_percent_is_held_exactly() -> None:
    rates = MeterSetup(700_000, Fraction(3, 2), Fraction(1, 100))
    shift = opened(chapter="md4cp", meters={"progressive": {"main": rates}})

    for _ in range(3):
        shift.play({2: {"ante": 1000, "progressive": 100}, 3: {"ante": 1000, "progressive": 100}})

    balances = shift.table.state.books.ledger.balances
    assert balances["progressive.main"] == 700_000 * UNITS + 6 * 150
    assert balances["progressive.main.reserve"] == 6
    assert shift.table.rooms.shares.meters()["progressive"]["main"] == 700_009
    assert shift.table.state.books.ledger.is_balanced()


@pytest.mark.parametrize("place", [0, 1])
def test_md_12d3a_a_rate_that_would_have_to_be_cut_is_refused(place: int) -> None:
    rates: list[Percent] = [1, 1]
    rates[place] = Fraction(1, 1000)

    with pytest.raises(SetupError, match=r"0\.001% of 100 cents is no whole number of hundredths of a cent"):
        opened(chapter="md4cp", meters={"progressive": {"main": MeterSetup(700_000, *rates)}})


def test_641a_12g_a_wager_of_any_amount_wants_a_whole_rate() -> None:
    own = table_setup("pa641a").meters
    meters = dict(own) | {"hand_bonus": {"main": MeterSetup(1_000_000, Fraction(27, 2), 8)}}

    with pytest.raises(SetupError, match=r"13\.5% of 1 cents"):
        opened(meters=meters)


def test_641a_12_a_table_without_meters_has_none() -> None:
    shift = opened(offers=frozenset({"bad_beat"}), meters={})
    shift.play()
    assert shift.table.rooms.shares.meters() == {}


@pytest.mark.parametrize(
    ("chapter", "changes", "what"),
    [
        ("pa641a", {"meters": {}}, "the meter prog4 has no terms for its level main"),
        ("md4cp", {"meters": {}}, "the meter progressive has no terms for its level main"),
        ("md4cp", {"options": options("md4cp", meter_reset={})}, "has no reset amount for its level main"),
        (
            "pa641a",
            {"options": options("pa641a", progressive_unit=200)},
            "no envy amounts for a Four-Card Progressive of 200 cents",
        ),
    ],
)
def test_x_12_no_table_without_the_terms_of_what_it_offers(
    chapter: str, changes: dict[str, Any], what: str
) -> None:
    with pytest.raises(SetupError, match=what):
        Shift(chapter, **changes)


def test_641a_12_no_table_without_a_paytable_for_what_it_offers() -> None:
    chosen = {name: letter for name, letter in options("pa641a").paytables.items() if name != "bad_beat"}
    setup = replace(table_setup("pa641a"), options=replace(options("pa641a"), paytables=chosen))
    with pytest.raises(HouseError, match="no paytable is chosen for bad_beat"):
        Shift(setup=setup)
    Shift(setup=replace(setup, offers=setup.offers - {"bad_beat"}))


# ---------------------------------------------------------------- what people see


def test_641a_12_the_sign_is_told_each_change_and_nothing_else() -> None:
    shift = opened()
    shift.mark()
    shift.bet(2, ante=1000, prog4=100)
    assert not shift.said(SetMeter)
    shift.lock()
    assert [(each.meter, each.level, each.cents) for each in shift.said(SetMeter)] == [
        ("prog4", "main", 500_029)
    ]


def test_641a_12_only_a_hit_or_a_named_cause_lowers_a_meter() -> None:
    shift = opened()
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()
    shift.deal(seat2="As Ah Ad Ac 3h", dealer="2d 4h 6s 8c Jd 3c")
    shift.reveal()
    shift.settle_all()
    shift.next_round()
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()
    shift.deal()
    shift.wrong_number()
    shift.next_round()
    moved = shift.table.state.books.ledger.moved["prog4.main"]
    assert {what for what, units in moved.items() if units < 0} <= LOWERING
    assert moved == {"contribution": 5800, "hit": -50_002_900, "reseed": 50_000_000, "reversal": -2900}


def test_policy_the_day_is_reported_meter_by_meter_and_cause_by_cause() -> None:
    shift = opened()
    shift.play({2: {"ante": 1000, "prog4": 100}}, seat2="As Ah Ad Ac 3h", dealer="2d 4h 6s 8c Jd 3c")
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()
    shift.deal()
    shift.wrong_number()
    shift.next_round()
    shift.mark()
    shift.floor("CLOSE TABLE")
    (report,) = shift.said(ReportDay)
    assert report.lines[0] == "rounds 2, voids 1, hits 1"
    assert report.lines[1] == f"faults 0, unlocks {shift.table.state.books.day.unlocks}"
    (prog4,) = [line for line in report.lines if line.startswith("meter prog4.main:")]
    assert prog4 == (
        "meter prog4.main: opened $5000.0000, contribution $0.5800, hit -$5000.2900, reseed $5000.0000, "
        "reversal -$0.2900, closed $5000.0000"
    )
    assert shift.is_in(Phase.CLOSED)


def test_policy_the_next_day_begins_where_the_last_one_closed() -> None:
    shift = opened()
    shift.play({2: {"ante": 1000, "prog4": 100}})
    shift.floor("CLOSE TABLE")
    shift.in_shuffler.clear()
    shift.open_table()
    shift.mark()
    shift.floor("CLOSE TABLE")
    (report,) = shift.said(ReportDay)
    assert report.lines[0] == "rounds 0, voids 0, hits 0"
    assert "meter prog4.main: opened $5000.2900, closed $5000.2900" in report.lines


@pytest.mark.parametrize(
    "phase", ["inspecting", "verifying", "spread", "washing", "shuffling", "cutting", "idle", "bets_open"]
)
def test_policy_the_table_may_be_closed_wherever_no_round_is_on(phase: str) -> None:
    shift = Shift(shuffler=Shuffler.HAND)
    shift.receive()
    for _ in range(20):
        if shift.phase.value == phase:
            break
        if shift.phase is Phase.VERIFYING:
            shift.floor("DEVICES CHECKED")
            shift.floor("VERIFY CARDS")
        elif shift.phase is Phase.BETS_OPEN:
            shift.menu("NOBODY PLAYING")
        else:
            shift.ok()
    shift.floor("CLOSE TABLE")
    assert shift.is_in(Phase.CLOSED)
    shift.in_shuffler.clear()
    shift.open_table()
    shift.play()


def test_policy_no_closing_over_wagers_or_within_a_round() -> None:
    shift = opened()
    shift.bet(2, ante=1000)
    shift.floor("CLOSE TABLE")
    assert shift.is_in(Phase.BETS_OPEN)
    shift.lock()
    with pytest.raises(NotOfferedError):
        shift.floor("CLOSE TABLE")


def test_policy_a_table_that_waits_for_a_deck_that_never_comes_may_be_closed() -> None:
    shift = opened()
    shift.floor("RESHUFFLE")
    shift.shuffler_done(count=51)
    shift.floor("CLOSE TABLE")
    assert shift.is_in(Phase.CLOSED)
    shift.floor("RELEASE")
    shift.open_table()
    shift.play()


def test_641a_12_only_what_is_offered_has_a_meter() -> None:
    offers = frozenset({"prog5", "aces_up"})
    shift = Shift(offers=offers)
    assert shift.table.rooms.shares.meters().keys() == {"prog5"}
    meters = table_setup("pa641a").meters
    with pytest.raises(SetupError, match="the meter hand_bonus belongs to no wager on offer"):
        Shift(offers=offers, meters=meters)


def test_policy_the_report_has_the_opening_of_a_deck_whose_age_nobody_knows() -> None:
    shift = opened()
    opened_at = shift.table.state.stock.decks["A"].opened_at
    shift.send(Resumed, down_s=None)
    shift.mark()
    shift.floor("CLOSE TABLE")
    (report,) = shift.said(ReportDay)
    (deck,) = [line for line in report.lines if line.startswith("deck A")]
    assert f"opened at {opened_at:.0f} s by dealer" in deck
    assert not [line for line in report.lines if "inf" in line]


def test_md_12_a_reserve_that_had_nothing_at_the_opening_is_reported_from_nothing() -> None:
    shift = Shift("md4cp", meters={"progressive": {"main": MeterSetup(500_000, 20, 5)}})
    shift.open_table()
    shift.bet(2, ante=1000, progressive=100)
    shift.lock()
    assert (
        "meter progressive.main.reserve: opened $0.0000, reserve $0.0500, closed $0.0500"
        in shift.table.rooms.gaming_day.day_report()
    )
