from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.config.errors import ConfigError
from sabot.config.submission import MeterTerms, WagerTerms, load_submission
from sabot.config.submission_rules import problems
from sabot.rules.round import Options
from sabot.rules.settlement import House
from sabot.rules.settlement.house import choosable
from submitting import EXAMPLES, Changes, example, submission


def refused(changes: Changes, chapter: str = "pa679a") -> str:
    with pytest.raises(ConfigError) as caught:
        submission(chapter, changes)
    return str(caught.value)


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_the_example_of_each_chapter_stands(chapter: str) -> None:
    assert problems(load_submission(example(chapter)), load_chapter(chapter)) == []


def test_there_is_one_example_a_chapter_and_each_key_of_it_is_explained() -> None:
    assert sorted(path.stem for path in EXAMPLES.glob("*.toml")) == sorted(CHAPTER_IDS)
    for chapter in CHAPTER_IDS:
        assert "docs/submission.md" in example(chapter).read_text(encoding="utf-8").partition("\n\n")[0]


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_the_options_of_an_example_open_a_house_with_every_letter_it_needs(chapter: str) -> None:
    chosen = load_submission(example(chapter))
    rules = load_chapter(chapter)
    offered = set(chosen.wagers)

    house = House(rules, chosen.options())

    for name in choosable(rules):
        wagers = {
            wager.name
            for wager in rules.wagers.values()
            if (wager.settles and wager.settles.paytable == name)
            or (wager.bonus_card and wager.bonus_card.paytable == name)
            or (wager.envy and wager.envy.paytable == name)
        }
        assert (name in house.letters) == bool(not wagers or wagers & offered), name


def test_a_submission_is_read_to_the_last_key() -> None:
    read = submission("md4cp")

    assert (read.chapter, read.house, read.simulated) == ("md4cp", "Harborlight Casino", False)
    assert (read.seats, read.adjacent_boxes) == (7, 1)
    assert (read.method, read.shuffler, read.decks) == ("hand", True, 2)
    assert read.wagers["ante"] == WagerTerms(1500, 50000)
    assert read.wagers["progressive"] == WagerTerms()
    assert read.meters["progressive"]["minor"] == MeterTerms(125000, 125000, Fraction(3), Fraction(3, 2))


def test_options_are_those_that_settlement_takes() -> None:
    assert submission("md4cp", {"readings.md_envy_c": "royal"}).options() == Options(
        paytables={"aces_up": "C", "six_card": "A", "progressive": "E"},
        progressive_unit=500,
        meter_reset={"mega": 5_000_000, "major": 250_000, "minor": 125_000},
        payout_limit=None,
        pair_bonus_card="own",
        readings={"md_envy_c": "royal"},
    )


def test_options_carry_the_limit_and_the_community_card() -> None:
    options = submission("pa679a", {"pair_bonus_card": "community"}).options()

    assert options.payout_limit == 5_000_000
    assert options.pair_bonus_card == "community"


def test_what_is_not_said_is_what_a_round_would_assume() -> None:
    options = submission("pa683a", {"payout_limit": None}).options()

    assert options == Options(paytables={"main": "B", "pocket": "A"})


def test_wagers_on_offer_come_in_the_order_of_settlement() -> None:
    read = submission("pa641a")

    names = [wager.name for wager in read.offered(load_chapter("pa641a"))]

    assert names[:3] == ["ante", "aces_up", "prog4"]
    assert names[-1] == "six_card"


@pytest.mark.parametrize(
    ("text", "cents"),
    [("$5", 500), ("$2.50", 250), ("$50,000", 5_000_000), ("$50000", 5_000_000), ("$0.05", 5), ("$0", 0)],
)
def test_money_is_written_as_on_a_sign(text: str, cents: int) -> None:
    assert submission("pa679a", {"payout_limit": text}).payout_limit == cents


@pytest.mark.parametrize(
    "value", ["5", "$", "$-5", "$5.5", "$5.505", "$1,00", "5 dollars", "$ 5", "$\u0665", 5, 5.0, True, ["$5"]]
)
def test_money_written_otherwise_is_refused(value: object) -> None:
    message = refused({"payout_limit": value})

    assert message.startswith("E-CONF-004 house.toml: 'payout_limit' is ")


@pytest.mark.parametrize(
    ("value", "percent"), [(9, Fraction(9)), (12.5, Fraction(25, 2)), (0.1, Fraction(1, 10))]
)
def test_a_rate_is_exact(value: float, percent: Fraction) -> None:
    read = submission("md4cp", {"meters.progressive.mega.primary_percent": value})

    assert read.meters["progressive"]["mega"].primary_percent == percent


@pytest.mark.parametrize("value", [-1, 100.5, float("nan"), float("inf"), "9", True])
def test_a_rate_that_is_no_percentage_is_refused(value: object) -> None:
    message = refused({"meters.progressive.mega.primary_percent": value}, "md4cp")

    assert "E-CONF-004 house.toml [meters.progressive.mega]: 'primary_percent'" in message


@pytest.mark.parametrize(
    ("changes", "place", "near"),
    [
        ({"payout_limits": "$50,000"}, "house.toml", "payout_limit"),
        ({"table.seat": 6}, "house.toml [table]", "seats"),
        ({"dealing.shufler": True}, "house.toml [dealing]", "shuffler"),
        ({"wagers.ante.mix": "$5"}, "house.toml [wagers.ante]", "min"),
    ],
)
def test_an_unknown_key_is_refused_with_the_nearest_one(changes: Changes, place: str, near: str) -> None:
    message = refused(changes)

    assert message.startswith(f"E-CONF-002 {place}: unknown key ")
    assert f"the nearest known key is '{near}'" in message


def test_an_unknown_key_of_a_meter_is_refused() -> None:
    assert "[meters.progressive.mega]: unknown key 'seed'" in refused(
        {"meters.progressive.mega.seed": "$1"}, "md4cp"
    )


@pytest.mark.parametrize("key", ["chapter", "house", "table.seats", "dealing.method", "wagers", "table"])
def test_a_file_without_its_bones_is_refused(key: str) -> None:
    assert refused({key: None}).startswith("E-CONF-003 ")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("chapter", "pa999"),
        ("table.seats", 0),
        ("table.seats", "6"),
        ("table.adjacent_boxes", True),
        ("dealing.shuffler", 1),
        ("dealing.decks", 0),
        ("wagers.ante", "$5"),
        ("paytables.bad_beat", ["A"]),
        ("pair_bonus_card", "shared"),
        ("simulated", "no"),
        ("extras", "magic_card"),
    ],
)
def test_a_value_of_another_kind_is_refused(key: str, value: Any) -> None:
    message = refused({key: value})

    assert message.startswith(("E-CONF-004 ", "E-CONF-008 ", "E-CONF-014 "))
    assert key.rpartition(".")[2] in message


@pytest.mark.parametrize("name", ["x" * 61, "Kasino Δέλτα", "two\nlines", "µ house", " "])
def test_a_house_name_that_no_sign_could_carry_is_refused(name: str) -> None:
    assert "'house' is" in refused({"house": name})


@pytest.mark.parametrize("name", ["Café Rouge", "O'Malley\u2019s \u2013 East", "Åland & Søn"])
def test_a_house_name_may_have_latin_letters_and_signs(name: str) -> None:
    assert submission("pa679a", {"house": name}).house == name


def test_a_file_that_is_not_there_is_refused_with_its_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"E-CONF-001 .*absent\.toml"):
        load_submission(tmp_path / "absent.toml")
