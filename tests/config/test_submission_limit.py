import tomllib
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.config import load_chapter
from sabot.config.chapter_file import read_chapter
from sabot.config.loader import HERE
from sabot.config.submission import Submission, WagerTerms
from sabot.config.submission_limit import most_won
from sabot.config.submission_rules import problems
from sabot.rules.cards import PACK_SIZE
from sabot.rules.chapter import Chapter
from sabot.rules.round import Round, Seat
from sabot.rules.settlement import Settlement
from submitting import submission


def house(
    chapter: str,
    letters: Mapping[str, str],
    least: Mapping[str, int],
    readings: Mapping[str, str] | None = None,
) -> Submission:
    """The example of a chapter with these letters, minimum wagers in cents, and readings."""
    wagers = {name: WagerTerms(cents, cents) for name, cents in least.items()}
    return replace(submission(chapter), paytables=letters, wagers=wagers, readings=readings or {})


def won(chosen: Submission) -> int:
    chapter = load_chapter(chosen.chapter)
    assert chapter.limit
    return most_won(chosen, chapter, chapter.limit)


def test_679a_12h_ante_and_play_win_eleven_times_the_minimum() -> None:
    letters = {"bad_beat": "A", "pair_bonus_two": "A", "all_six": "E"}

    assert won(house("pa679a", letters, {"ante": 1500, "all_six": 100_000})) == 1500 * (1 + 10)


def test_679a_12h_a_bad_beat_is_left_out_however_much_it_pays() -> None:
    as_printed = (HERE / "chapters" / "pa679a.toml").read_text("utf-8")
    text = as_printed.replace('pays = ["10 to 1", "10 to 1",', 'pays = ["25 to 1", "10 to 1",')
    chapter = read_chapter("pa679a.toml", tomllib.loads(text))
    assert chapter.limit
    chosen = house("pa679a", {"bad_beat": "A", "pair_bonus_two": "A", "all_six": "E"}, {"ante": 1500})

    assert most_won(chosen, chapter, chapter.limit) == 1500 * (1 + 10)
    everything = replace(chapter.limit, not_outcomes=frozenset())
    assert most_won(chosen, chapter, everything) == 1500 * 25


def test_683a_12f_ante_and_three_raises_at_a_royal_flush() -> None:
    assert won(house("pa683a", {"main": "A"}, {"ante": 500})) == 500 * 4 * 500


def test_682a_12g_four_aces_against_a_royal_flush() -> None:
    letters = {"bad_beat": "A", "prime": "A", "aces_bonus": "A", "all_six": "C"}

    # Four aces: 500 and, with any sixth card, 100. A royal flush: 50 and 1,000.
    assert (
        won(house("pa682a", letters, {"ante": 1000, "aces_bonus": 500, "all_six": 100})) == 500 * 500 + 10000
    )
    assert won(house("pa682a", letters, {"ante": 1000, "aces_bonus": 100, "all_six": 500})) == 5000 + 500_000


def test_682a_12g_the_six_card_royals_of_e_are_left_out() -> None:
    letters = {"bad_beat": "A", "prime": "A", "aces_bonus": "A", "all_six": "E"}

    assert won(house("pa682a", letters, {"ante": 1000, "all_six": 100})) == 100 * 1000


def test_682a_12g_under_the_other_reading_everything_counts() -> None:
    letters = {"bad_beat": "A", "prime": "A", "aces_bonus": "A", "all_six": "D"}
    least = {"ante": 1000, "prime": 100, "aces_bonus": 100, "all_six": 100}

    # A royal flush: ante and raise 1 each, win bonus 20, prime 6, aces bonus 50, all-six 1,000.
    assert won(house("pa682a", letters, least, {"limit_682": "all"})) == 22_000 + 600 + 5000 + 100_000
    less_one = {"limit_682": "all", "win_bonus_for": "less_one"}
    assert won(house("pa682a", letters, least, less_one)) == 21_000 + 600 + 5000 + 100_000


def test_682a_12g_a_bad_beat_needs_a_hand_that_can_be_beaten() -> None:
    letters = {"bad_beat": "C", "prime": "B", "aces_bonus": "A", "all_six": "A"}
    readings = {"limit_682": "all"}

    # Four kings beaten by four aces: 100 on the ante, 100 and 50 beside it. Four aces win: 1 + 1 + 25.
    least = {"ante": 10_000, "aces_bonus": 100, "all_six": 100}
    assert won(house("pa682a", letters, least, readings)) == 1_000_000 + 10_000 + 5000


def test_682a_12g_a_limit_is_held_against_the_minimum_wagers() -> None:
    high = {"wagers.all_six.min": "$75", "wagers.all_six.max": "$75", "wagers.aces_bonus.min": "$5"}

    (problem,) = problems(submission("pa682a", high), load_chapter("pa682a"))

    assert problem.code == "E-SUBM-062"
    assert "$75,250" in problem.what
    assert "Aces Bonus and All-Six Bonus" in problem.why
    enough = high | {"payout_limit": "$75,250"}
    assert problems(submission("pa682a", enough), load_chapter("pa682a")) == []


def test_682a_12g_a_limit_at_the_least_stands_while_the_minimum_wagers_win_less() -> None:
    assert problems(submission("pa682a", {"payout_limit": "$50,000"}), load_chapter("pa682a")) == []


def test_683a_12f_a_high_minimum_wants_a_high_limit() -> None:
    high = {"wagers.ante.min": "$25.05"}

    (problem,) = problems(submission("pa683a", high), load_chapter("pa683a"))

    assert problem.code == "E-SUBM-062"
    assert "$50,100" in problem.what


# ------------------------------------------------------------ against the settlement itself


LETTERS = {
    "pa679a": {"bad_beat": "ABCD", "pair_bonus_two": "ABCD", "all_six": "ABCDE"},
    "pa682a": {"bad_beat": "ABCD", "prime": "AB", "aces_bonus": "ABCDEFGH", "all_six": "ABCDE"},
    "pa683a": {"main": "ABC", "pocket": "ABC", "board": "ABCD", "lo_ball": "AB", "all_six": "ABCDE"},
}
OPTIONAL = {
    "pa679a": ("prime", "all_six"),
    "pa682a": ("prime", "aces_bonus", "all_six"),
    "pa683a": ("pocket", "board", "lo_ball", "all_six"),
}


def settled(chapter: Chapter, chosen: Submission, deck: list[int]) -> int:
    """What one seat wins of what the limit covers, with no limit set, on the first cards of a deck."""
    places, start = {}, 0
    for place, size in chapter.hands.places.items():
        places[place], start = tuple(deck[start : start + size]), start + size
    stakes: dict[str, int | None] = {name: terms.least for name, terms in chosen.wagers.items()}
    stakes |= {wager.name: stakes["ante"] for wager in chapter.wagers.values() if wager.of == "ante"}
    seat = Seat(1, "p", stakes, cards=places.pop("player"), raises=3)
    options = replace(chosen.options(), payout_limit=None)
    lines = Settlement(chapter, options).settle(Round(chapter.id, options, (seat,), places)).lines
    assert chapter.limit
    under = chapter.limit.covers_under
    covers = (
        under.instead if under and chosen.readings.get(under.reading) == under.value else chapter.limit.covers
    )
    return sum(
        line.paid or 0
        for line in lines
        if line.wager in covers
        and line.row not in chapter.limit.not_rows
        and (line.row or "").partition(":")[0] not in chapter.limit.not_outcomes
    )


def high(card: int) -> bool:
    return card >= 32


def of_hearts(card: int) -> bool:
    return card % 4 == 2


def kings_and_aces(card: int) -> bool:
    return card // 4 in (11, 12)


def favourable(random: Random) -> list[int]:
    """A deck in which the first cards are likely to make something: some of a kind come first."""
    wanted = random.choice((high, of_hearts, kings_and_aces))
    deck = list(range(PACK_SIZE))
    random.shuffle(deck)
    return sorted(deck, key=lambda card: not wanted(card)) if random.random() < 0.8 else deck


@pytest.mark.parametrize("chapter_id", sorted(LETTERS))
@settings(max_examples=8, deadline=None)
@given(data=st.data())
def test_no_deal_wins_more_than_the_most(chapter_id: str, data: st.DataObject) -> None:
    chapter = load_chapter(chapter_id)
    letters = {name: data.draw(st.sampled_from(choices)) for name, choices in LETTERS[chapter_id].items()}
    least = {name: data.draw(st.sampled_from([100, 500, 2500])) for name in ("ante", *OPTIONAL[chapter_id])}
    readings = {
        name: data.draw(st.sampled_from(chapter.readings[name].values))
        for name in ("limit_682", "aces_bonus", "win_bonus_for", "wheel5")
        if name in chapter.readings
    }
    chosen = house(chapter_id, letters, least, readings)
    most = won(chosen)
    random = Random(data.draw(st.integers(0, 2**32)))

    assert all(settled(chapter, chosen, favourable(random)) <= most for _ in range(40))
