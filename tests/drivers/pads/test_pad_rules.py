"""The pure parts, row by row: what is told of a spot, what is not believed, and whose time it was."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.convention import Statistics
from sabot.drivers.pads.consistency import Inconsistency, ReportLook, doubts
from sabot.drivers.pads.desired import EVERY_SPOT as EVERY
from sabot.drivers.pads.desired import DesiredState
from sabot.drivers.pads.messages import DARK, Can, Cover, Flag, PadOrder, PadSpot, PadState
from sabot.drivers.pads.options import choose
from sabot.drivers.pads.reports import PadClock, Reports
from sabot.drivers.pads.session import PadLinkSession, PadTerms
from sabot.drivers.pads.spot_news import SpotHeard, news_at_opening, news_of

C = Cover
NOTHING = SpotHeard()


def spot(cover: Cover, cents: int | None = 0, changes: int = 0) -> PadSpot:
    return PadSpot(cover, changes, 90, None, cents)


ROWS: list[tuple[str, SpotHeard, PadSpot, str, tuple[int | None, ...]]] = [
    # what the table heard, what the pad says, how the spot is, what is told
    ("placed", NOTHING, spot(C.COVERED, 500), "open", (500,)),
    ("placed, value unknown", NOTHING, spot(C.COVERED, None), "open", (None,)),
    ("its value learned", SpotHeard(C.COVERED, None), spot(C.COVERED, 500), "open", (500,)),
    ("nothing new", SpotHeard(C.COVERED, 500), spot(C.COVERED, 500), "open", ()),
    ("lifted in time", SpotHeard(C.COVERED, 500), spot(C.EMPTY), "open", (0,)),
    ("lifted as the table locked", SpotHeard(C.COVERED, 500), spot(C.EMPTY), "locked", (0,)),
    ("placed as the table locked", NOTHING, spot(C.COVERED, 500), "locked", (500,)),
    ("taken by the dealer", SpotHeard(C.COVERED, 500), spot(C.EMPTY), "expected", ()),
    ("paid by the dealer", SpotHeard(C.COVERED, 500), spot(C.COVERED, 900), "expected", ()),
    ("placed late", NOTHING, spot(C.COVERED_LATE, 500), "locked", (500,)),
    ("placed late, now more", SpotHeard(C.COVERED_LATE, 500), spot(C.COVERED_LATE, 900), "locked", (900,)),
    ("placed late, taken away", SpotHeard(C.COVERED_LATE, 500), spot(C.EMPTY), "locked", (0,)),
    ("placed late, given back by the dealer", SpotHeard(C.COVERED_LATE, 500), spot(C.EMPTY), "expected", (0,)),
    ("changed late, put right by the dealer", SpotHeard(C.CHANGED_LATE, 900), spot(C.COVERED, 500), "expected", (500,)),
    ("refused on an open spot", NOTHING, spot(C.COVERED_LATE, 500), "open", ()),
    ("refused where one counted", SpotHeard(C.COVERED, 500), spot(C.COVERED_LATE, 500), "open", (0,)),
    ("refused where one counted, locked", SpotHeard(C.COVERED, 500), spot(C.COVERED_LATE, 500), "locked", (0, 500)),
    ("lifted late", SpotHeard(C.COVERED, 500), spot(C.LIFTED_LATE), "locked", (0,)),
    ("lifted late just before it was expected", SpotHeard(C.COVERED, 500), spot(C.LIFTED_LATE), "expected", (0,)),
    ("lifted late, told before", SpotHeard(C.LIFTED_LATE, 0), spot(C.EMPTY), "open", ()),
    ("changed late", SpotHeard(C.COVERED, 500), spot(C.CHANGED_LATE, 900), "locked", (900,)),
    ("changed late, the spot opens", SpotHeard(C.CHANGED_LATE, 900), spot(C.COVERED, 900), "locked", ()),
    ("blind", SpotHeard(C.COVERED, 500), spot(C.BLIND, None), "open", ()),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_what_the_table_is_told_of_a_spot(
    row: tuple[str, SpotHeard, PadSpot, str, tuple[int | None, ...]],
) -> None:
    _, heard, now, how, told = row

    news = news_of(heard, now, is_open=how == "open", is_expected=how == "expected")

    assert news.tell == told
    # Told once is enough: the same report again is no news.
    assert news_of(news.heard, now, is_open=how == "open", is_expected=how == "expected").tell == ()


@pytest.mark.parametrize(
    ("heard", "now", "told"),
    [
        (NOTHING, spot(C.EMPTY), ()),
        (NOTHING, spot(C.COVERED, 500), (500,)),
        (SpotHeard(C.COVERED, 500), spot(C.COVERED, 500), (500,)),
        (SpotHeard(C.COVERED_LATE, 500), spot(C.COVERED_LATE, 500), (0,)),
        (SpotHeard(C.COVERED, 500), spot(C.EMPTY), (0,)),
    ],
)
def test_a_spot_that_opens_is_told_anew(heard: SpotHeard, now: PadSpot, told: tuple[int | None, ...]) -> None:
    assert news_at_opening(heard, now).tell == told


# ---------------------------------------------------------------- doubts


NO_FLAG = Flag(0)


def state(
    *spots: PadSpot, locked: int = 0, expected: int = 0, lit: int = 0, flags: Flag = NO_FLAG
) -> PadState:
    return PadState(locked, expected, lit, DARK, 0, flags, spots)


def words(
    now: PadState,
    before: PadState | None = None,
    *,
    ordered: int = 0,
    expected: int = EVERY,
    lit: int = EVERY,
    kept: int = EVERY,
    can: Can = Can.VALUE,
    restarted: bool = False,
) -> list[str]:
    order = PadOrder(ordered, expected, lit)
    return [each.words for each in doubts(ReportLook(now, before, order, kept, can, 1, restarted))]


def test_an_honest_report_is_believed() -> None:
    assert words(state(spot(C.EMPTY))) == []
    assert words(state(spot(C.COVERED, 500, changes=1), lit=1), state(spot(C.EMPTY))) == []
    late = state(spot(C.COVERED_LATE, 500, changes=1), locked=1)
    assert words(late, state(spot(C.EMPTY), locked=1), ordered=1) == []


def test_an_order_that_was_acknowledged_and_not_obeyed() -> None:
    assert words(state(spot(C.EMPTY)), ordered=1) == ["leaves open what was locked"]


@pytest.mark.parametrize("number", [0, 1, 5])
def test_whichever_spot_does_not_obey_is_named(number: int) -> None:
    empty, bit = [spot(C.EMPTY)] * 6, 1 << number

    def named(now: PadState, order: PadOrder, before: PadState | None = None) -> list[tuple[str, int | None]]:
        look = ReportLook(now, before, order, 0, Can.VALUE, 6, False)
        return [(each.words, each.spot) for each in doubts(look)]

    assert named(state(*empty), PadOrder(bit, 0, 0)) == [("leaves open what was locked", number)]
    assert named(state(*empty, locked=bit), PadOrder(bit, 0, 0)) == []
    assert [each for _, each in named(state(*empty, expected=bit), PadOrder(0, 0, 0))] == [number]
    wagers = list(empty)
    wagers[number] = spot(C.COVERED, 500, changes=1)
    lit = named(state(*wagers, lit=bit), PadOrder(0, 0, 0), state(*empty))
    assert [each for _, each in lit] == [number]
    assert named(state(*wagers, lit=bit), PadOrder(0, 0, bit), state(*empty)) == []


def test_a_report_of_too_few_spots_is_not_read_at_all() -> None:
    look = ReportLook(state(spot(C.EMPTY)), None, PadOrder(0, 0, 0), 0, Can.VALUE, 2, False)

    [doubt] = doubts(look)

    assert doubt.words == "the pad reports 1 spots and said that it has 2"
    assert not doubt.is_readable


def test_values_that_cannot_be() -> None:
    assert words(state(spot(C.EMPTY, 5))) == ["its value does not fit"]
    assert words(state(spot(C.COVERED, 0))) == ["its value does not fit"]
    assert words(state(spot(C.COVERED, 500)), can=Can(0)) == ["its value does not fit"]
    assert words(state(spot(C.COVERED, None)), can=Can(0)) == []


@pytest.mark.parametrize("was", [C.EMPTY, C.LIFTED_LATE, C.CHANGED_LATE, C.BLIND])
def test_a_chip_that_counts_on_a_locked_spot(was: Cover) -> None:
    before = state(spot(was, None if was in (C.CHANGED_LATE, C.BLIND) else 0), locked=1)
    now = state(spot(C.COVERED, 500, changes=9), locked=1)
    late = ["counts a chip that came after the lock"]

    assert words(now, before, ordered=1) == late
    assert words(now, before, ordered=1, kept=0) == []
    assert words(now, before._replace(locked=0), ordered=1) == []
    assert words(now._replace(locked=0), before) == []
    assert words(now, None, ordered=1) == []


def test_a_refused_chip_that_counts_was_lifted_between_or_is_a_lie() -> None:
    before = state(spot(C.COVERED_LATE, 500, changes=255))
    lie = ["counts a refused chip that was never lifted"]

    assert words(state(spot(C.COVERED, 500, changes=255)), before) == lie
    assert words(state(spot(C.COVERED, 500, changes=0)), before, kept=0) == lie
    assert words(state(spot(C.COVERED, 500, changes=1)), before) == []


def test_an_expectation_that_nobody_ordered_frees_no_late_chip() -> None:
    """It was the pad's own word that made its late chips count."""
    before = state(spot(C.EMPTY), locked=1, expected=1)
    now = state(spot(C.COVERED, 500, changes=1), locked=1, expected=1)
    own = "expects the dealer's hand, which nobody announced"
    assert words(before, ordered=1, expected=0) == [own]
    assert own in words(now, before, ordered=1, expected=0)
    assert words(now, before, ordered=1, kept=0) == []


def test_a_lamp_that_the_table_leaves_dark_does_not_burn() -> None:
    """Light means accepted (641a.2(c)(1)), and this wager would be refused."""
    assert words(state(spot(C.COVERED, 500), lit=1), lit=0) == [
        "its lamp burns, and the table leaves it dark"
    ]
    assert words(state(spot(C.EMPTY), lit=1), lit=0) == ["its lamp burns for a wager that does not count"]


def test_a_wager_that_changed_behind_the_lock_does_not_count_on() -> None:
    before = state(spot(C.COVERED, 500, changes=1), locked=1)
    now = state(spot(C.COVERED, 900, changes=2), locked=1)
    lie = ["counts a change that came after the lock"]

    assert words(now, before, ordered=1) == lie
    assert words(now, before, ordered=1, kept=0) == []
    assert words(now, before._replace(locked=0), ordered=1) == []
    unknown = before._replace(spots=(spot(C.COVERED, None, changes=1),))
    assert words(now, unknown, ordered=1) == []


@pytest.mark.parametrize(("was", "is_"), [(C.EMPTY, C.COVERED_LATE), (C.COVERED, C.LIFTED_LATE)])
def test_chips_that_come_and_go_are_counted(was: Cover, is_: Cover) -> None:
    cents = {C.EMPTY: 0, C.LIFTED_LATE: 0}
    before = state(spot(was, cents.get(was, 500), changes=4), locked=1)
    now = spot(is_, cents.get(is_, 500), changes=4)
    assert words(state(now, locked=1), before, ordered=1) == [
        "tells of chips that moved and counted no change"
    ]
    assert words(state(now._replace(changes=5), locked=1), before, ordered=1) == []


def test_after_its_start_a_pad_counts_nothing_that_lies_there() -> None:
    now = state(spot(C.COVERED, 500), locked=1)
    assert words(now, ordered=1, restarted=True) == ["counts a chip from before its start"]
    assert words(now, ordered=1) == []
    assert words(now, now, ordered=1, restarted=True) == []


def test_the_pad_as_a_whole() -> None:
    assert words(state(spot(C.EMPTY), flags=Flag.TEST_FAILED | Flag.HOUSING_OPEN)) == [
        "the pad failed its own test",
        "the pad's housing is open",
    ]
    (doubt,) = doubts(ReportLook(state(spot(C.EMPTY), spot(C.EMPTY)), None, PadOrder(0), EVERY, Can.VALUE, 1))
    assert not doubt.is_readable


# ---------------------------------------------------------------- the pad's clock


def heard(reports: Iterable[tuple[int, float]]) -> PadClock:
    clock = PadClock()
    for pad_ms, at in reports:
        clock.hear(pad_ms, at)
    return clock


def test_the_report_that_came_quickest_sets_the_clock() -> None:
    clock = heard([(1000, 50.003), (1250, 50.251), (1500, 50.700)])

    assert clock.when(500, 50.700) == pytest.approx(50.001, abs=1e-9)
    assert clock.when(None, 50.700) == 50.700


def test_the_clock_follows_a_crystal_and_a_wrap() -> None:
    late = heard([(1000, 50.0), (41_000, 90.010), (81_000, 130.020)])
    assert late.when(0, 130.020) == pytest.approx(130.010)
    wrapped = heard([(2**32 - 500, 10.0), (500, 11.0)])
    assert wrapped.when(100, 11.0) == pytest.approx(10.9)


@given(st.lists(st.floats(0, 0.5), min_size=1, max_size=30), st.integers(0, 5000))
def test_nothing_happens_after_it_was_read_and_nothing_before_it_happened(
    delays: list[float], age_ms: int
) -> None:
    reports = [(250 * number, 100 + 0.25 * number + delay) for number, delay in enumerate(delays)]
    clock, at = heard(reports), reports[-1][1]
    true = 100 + 0.25 * (len(delays) - 1) - age_ms / 1000

    assert true - 1e-6 <= clock.when(age_ms, at) <= at
    assert clock.when(age_ms, at) <= true + min(delays) + 1e-6


def test_before_a_pad_has_told_anything_there_is_nothing_to_say_of_its_spots() -> None:
    chosen = choose("pads", {"spots": "ante play", "seats": 1})
    reports = Reports(chosen, DesiredState(chosen.spots, chosen.expect_s), "pads")

    assert list(reports.lines()) == []
    assert reports.words(authenticated=False) == {"authenticated": False}
    assert reports.retest(0.0) == "the pad has not told its state yet"
    reports._look = ReportLook(state(spot(C.EMPTY)), None, PadOrder(0, 0, 0), 0, Can.VALUE, 1)
    assert list(reports.lines()) == ["spot 0, seat 1 ante: empty, light 90"], "it has told of one spot"
    assert [reports._words(Inconsistency("x", number)) for number in (None, 0, 7)] == [
        "x",
        "seat 1 ante: x",
        "spot 7: x",
    ]


@pytest.mark.parametrize(("authenticated", "wants"), [(False, 0), (True, 1)])
def test_a_host_asks_a_pad_for_a_proof_only_where_the_table_wants_one(
    authenticated: bool, wants: int
) -> None:
    session = PadLinkSession(PadTerms(authenticated), bytes, Statistics())

    assert session._hello.wants == wants
