import pytest

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.config.submission_problems import ERRORS, Problem
from sabot.config.submission_rules import problems
from submitting import Changes, submission

OWN_METER = {"meters.prog4.main": {"initial": "$5,000", "reset": "$5,000", "primary_percent": 20}}
NO_PROGRESSIVE: Changes = {
    **{f"wagers.{name}": None for name in ("prog4", "prog5", "hand_bonus_player", "hand_bonus_dealer")},
    **{f"paytables.{name}": None for name in ("prog4", "prog5", "envy4")},
    "extras": None,
}
MD_NO_PROGRESSIVE: Changes = {
    "wagers.progressive": None,
    "paytables.progressive": None,
    "progressive_unit": None,
}

# Chapter, what is changed of its example, and the problem: code, key, paragraph.
WRONG: list[tuple[str, Changes, str, str, str]] = [
    ("pa641a", {"table.seats": 8}, "010", "table.seats", "641a.2(a)"),
    ("md4cp", {"table.seats": 8}, "010", "table.seats", "ch.2.A(1)"),
    ("pa679a", {"table.seats": 7}, "010", "table.seats", "679a.2(a)"),
    ("pa682a", {"table.seats": 7}, "010", "table.seats", "682a.2(a)"),
    ("pa683a", {"table.seats": 7}, "010", "table.seats", "683a.2(a)"),
    ("pa641a", {"table.adjacent_boxes": None}, "011", "table.adjacent_boxes", "641a.7(e)"),
    ("md4cp", {"table.adjacent_boxes": None}, "011", "table.adjacent_boxes", "ch.7.F"),
    ("pa679a", {"table.adjacent_boxes": None}, "011", "table.adjacent_boxes", "679a.7(e)"),
    ("pa682a", {"table.adjacent_boxes": None}, "011", "table.adjacent_boxes", "682a.7(e)"),
    ("pa683a", {"table.adjacent_boxes": None}, "011", "table.adjacent_boxes", "683a.7(e)"),
    ("pa679a", {"table.adjacent_boxes": 7}, "012", "table.adjacent_boxes", "679a.7(e)"),
    (
        "pa683a",
        {"dealing.method": "hands"},
        "020",
        "dealing.method",
        "683a.8(c), 683a.9(b), 683a.10(b)-(c), 683a.10(b)-(c)",
    ),
    ("pa683a", {"dealing.method": "hand"}, "021", "dealing.shuffler", "683a.9(a)(1)"),
    (
        "pa641a",
        {"dealing.method": "auto_shoe_reshuffle", "dealing.shuffler": False, "dealing.decks": 1},
        "021",
        "dealing.shuffler",
        "641a.5(g)",
    ),
    ("md4cp", {"dealing.shuffler": False, "dealing.decks": 1}, "021", "dealing.shuffler", "ch.9.A(1)"),
    ("pa682a", {"dealing.decks": 2}, "022", "dealing.decks", "682a.3(b)"),
    ("pa641a", {"dealing.decks": 3}, "022", "dealing.decks", "641a.3(b)"),
    ("pa641a", {"pair_bonus_card": "own"}, "023", "pair_bonus_card", "641a.8(d)"),
    (
        "pa679a",
        {"wagers.pair_bonus": None, "paytables.pair_bonus_two": None},
        "024",
        "pair_bonus_card",
        "679a.8(c)",
    ),
    ("pa641a", {"wagers.sixcard": {}}, "030", "wagers.sixcard", "641a.7(d)"),
    (
        "pa683a",
        {"wagers.pocket": None, "wagers.ante": None, "paytables.pocket": None},
        "031",
        "wagers.ante",
        "683a.7(d)(1)",
    ),
    ("pa682a", {"wagers.raise": {}}, "032", "wagers.raise", "682a.7(d)(1)"),
    (
        "md4cp",
        {"wagers.aces_up": None, "paytables.aces_up": None},
        "033",
        "wagers.six_card",
        "ch.7.E(5)",
    ),
    ("pa641a", {"wagers.hand_bonus_dealer": None}, "034", "wagers.hand_bonus_player", "641a.7(d)(7)"),
    ("pa679a", {"wagers.prime.min": None}, "035", "wagers.prime.min", "679a.7(d)(2)"),
    ("pa679a", {"wagers.prime.max": None}, "035", "wagers.prime.max", "679a.7(d)(2)"),
    ("pa679a", {"wagers.prime.max": "$4"}, "036", "wagers.prime", "679a.7(d)(2)"),
    ("pa679a", {"wagers.prime.min": "$0"}, "037", "wagers.prime.min", "679a.7(d)(2)"),
    ("md4cp", {"wagers.progressive.min": "$5"}, "038", "wagers.progressive", "ch.7.E(4)"),
    ("pa641a", {"extras": ["magic"]}, "039", "extras", "641a.7(d)"),
    (
        "pa641a",
        {"wagers.hand_bonus_player": None, "wagers.hand_bonus_dealer": None, "extras": ["lucky_bonus"]},
        "039",
        "extras",
        "641a.12(g)(3)",
    ),
    ("pa679a", {"paytables.bad_beat": None}, "040", "paytables.bad_beat", "679a.12(c)"),
    ("pa679a", {"paytables.pair_bonus_two": None}, "040", "paytables.pair_bonus_two", "679a.12(f)"),
    ("md4cp", {"paytables.progressive": None}, "040", "paytables.progressive", "ch.12.D(1)"),
    ("pa682a", {"paytables.aces_bonus": "I"}, "041", "paytables.aces_bonus", "682a.12(e)"),
    ("pa641a", {"paytables.envy4": "C"}, "041", "paytables.envy4", "641a.12(d)(5)"),
    ("pa683a", {"paytables.board": "A"}, "042", "paytables.board", "683a.12(c)"),
    ("pa641a", {"paytables.envy5": "A"}, "043", "paytables.envy5", "641a.7(d)"),
    ("pa641a", {"paytables.acesup": "A"}, "043", "paytables.acesup", "641a.7(d)"),
    ("pa641a", {"progressive_unit": None}, "050", "progressive_unit", "641a.12(d)(3)"),
    ("pa641a", {"progressive_unit": "$2"}, "051", "progressive_unit", "641a.12(d)(5), 641a.12(e)(5)"),
    ("md4cp", {"progressive_unit": "$25"}, "051", "progressive_unit", "ch.12.F, 12.G"),
    ("pa641a", NO_PROGRESSIVE, "052", "progressive_unit", "641a.7(d)"),
    ("pa683a", {"progressive_unit": "$1"}, "052", "progressive_unit", "683a.7(d)"),
    ("pa641a", OWN_METER, "053", "meters.prog4", "641a.12(d)(3)"),
    ("pa683a", OWN_METER, "053", "meters.prog4", "683a.7(d)"),
    ("md4cp", MD_NO_PROGRESSIVE, "053", "meters.progressive", "ch.12.D(3)"),
    (
        "md4cp",
        {"meters.progressive.mjor": {}},
        "054",
        "meters.progressive.mjor",
        "ch.12.D(3)",
    ),
    (
        "md4cp",
        {"meters.progressive.mega.initial": None},
        "055",
        "meters.progressive.mega.initial",
        "ch.12.D(3)(b)",
    ),
    (
        "md4cp",
        {"meters.progressive.minor.reset": None},
        "055",
        "meters.progressive.minor.reset",
        "ch.12.D(3)(b)",
    ),
    (
        "md4cp",
        {"meters.progressive.minor.primary_percent": None},
        "055",
        "meters.progressive.minor.primary_percent",
        "ch.12.D(3)(a)",
    ),
    (
        "md4cp",
        {"meters.progressive.mega.initial": "$9,999.99"},
        "056",
        "meters.progressive.mega.initial",
        "ch.12.D(3)(b)",
    ),
    (
        "md4cp",
        {"meters.progressive.major.reset": "$999"},
        "056",
        "meters.progressive.major.reset",
        "ch.12.D(3)(b)",
    ),
    (
        "md4cp",
        {"meters.progressive.mega.primary_percent": 90},
        "057",
        "meters.progressive",
        "ch.12.D(3)(a)",
    ),
    ("pa641a", {"payout_limit": "$50,000"}, "060", "payout_limit", "641a"),
    ("md4cp", {"payout_limit": "$50,000"}, "060", "payout_limit", "MLGCA"),
    ("pa679a", {"payout_limit": "$49,999.99"}, "061", "payout_limit", "679a.12(h)"),
    ("pa682a", {"payout_limit": "$49,999"}, "061", "payout_limit", "682a.12(g)"),
    ("pa683a", {"payout_limit": "$49,999"}, "061", "payout_limit", "683a.12(f)"),
    (
        "pa682a",
        {"wagers.all_six.min": "$100", "wagers.all_six.max": "$100"},
        "062",
        "payout_limit",
        "682a.12(g)",
    ),
    (
        "pa682a",
        {
            "wagers.all_six": None,
            "wagers.aces_bonus": None,
            "paytables.all_six": None,
            "paytables.aces_bonus": None,
        },
        "063",
        "payout_limit",
        "682a.12(g)",
    ),
    ("pa682a", {"readings.aces": "four"}, "070", "readings.aces", "682a"),
    ("pa682a", {"readings.aces_bonus": "six"}, "071", "readings.aces_bonus", "682a.6(d)"),
]


def found(chapter: str, changes: Changes) -> list[Problem]:
    return problems(submission(chapter, changes), load_chapter(chapter))


@pytest.mark.parametrize(
    ("chapter", "changes", "code", "key", "paragraph"),
    WRONG,
    ids=[f"{row[0]}-{row[2]}-{row[3]}" for row in WRONG],
)
def test_what_the_law_says_against_a_submission(
    chapter: str, changes: Changes, code: str, key: str, paragraph: str
) -> None:
    codes = [(each.code, each.key, each.paragraph) for each in found(chapter, changes)]

    assert (f"E-SUBM-{code}", key, paragraph) in codes
    # One slip is one problem, but where another key hangs on it.
    assert len(codes) <= 4


def test_each_problem_has_a_submission_that_meets_it() -> None:
    elsewhere = {"E-SUBM-001", "E-SUBM-002"}

    assert {f"E-SUBM-{row[2]}" for row in WRONG} | elsewhere == set(ERRORS)


def test_every_message_names_code_key_paragraph_and_cure() -> None:
    for chapter, changes, code, key, paragraph in WRONG:
        each = next(each for each in found(chapter, changes) if each.code == f"E-SUBM-{code}")
        text = str(each)

        assert text.startswith(f"E-SUBM-{code} ")
        assert paragraph in text
        assert each.cure in text
        assert each.key in text
        assert "{" not in text, key


def test_every_problem_is_found_at_once() -> None:
    changes = {
        "table.seats": 9,
        "dealing.shuffler": False,
        "wagers.six_card": None,
        "paytables.aces_up": "Z",
        "progressive_unit": "$2",
        "payout_limit": "$1",
        "readings.tiebreak": "maybe",
    }

    codes = [each.code for each in found("md4cp", changes)]

    assert codes == [
        "E-SUBM-010",
        "E-SUBM-021",
        "E-SUBM-022",
        "E-SUBM-041",
        "E-SUBM-042",
        "E-SUBM-051",
        "E-SUBM-060",
        "E-SUBM-071",
    ]


def test_a_submission_for_another_chapter_is_held_against_nothing_else() -> None:
    codes = [each.code for each in problems(submission("md4cp"), load_chapter("pa641a"))]

    assert codes == ["E-SUBM-001"]


def test_an_unknown_wager_names_the_nearest() -> None:
    (each,) = found("pa641a", {"wagers.sixcard": {}})

    assert "the nearest is 'six_card'" in each.what


def test_md_7e5a_six_card_needs_an_ante_and_an_aces_up() -> None:
    changes = {"wagers.aces_up": None, "paytables.aces_up": None, "wagers.progressive": None}
    changes |= {"paytables.progressive": None, "progressive_unit": None, "meters": None}

    whats = [each.what for each in found("md4cp", changes)]

    assert whats == ["Aces Up is not among the wagers", "Six Card Bonus is offered, and Aces Up is not"]


def test_641a_7d4_a_progressive_is_offered_beside_an_ante_or_an_aces_up() -> None:
    changes = {"wagers.aces_up": None, "paytables.aces_up": None}

    keys = [each.key for each in found("pa641a", changes)]

    assert keys == ["wagers.aces_up"]


def test_641a_12d5_an_envy_table_follows_its_progressive_unless_chosen() -> None:
    assert found("pa641a", {"paytables.envy4": None}) == []
    assert found("pa641a", {"paytables.envy4": "A"}) == []


def test_679a_7e_adjacent_boxes_may_be_all_of_the_seats_of_this_table() -> None:
    seats = {"table.seats": 4}

    assert found("pa679a", {**seats, "table.adjacent_boxes": 4}) == []
    assert [each.code for each in found("pa679a", {**seats, "table.adjacent_boxes": 5})] == ["E-SUBM-012"]


def test_679a_2a_a_table_may_have_fewer_seats() -> None:
    assert found("pa679a", {"table.seats": 2}) == []


def test_641a_9a1_from_the_hand_with_a_shuffler() -> None:
    assert found("pa641a", {"dealing.method": "hand"}) == []


def test_every_method_of_a_chapter_may_be_chosen() -> None:
    for chapter in CHAPTER_IDS:
        for method in load_chapter(chapter).plans:
            assert found(chapter, {"dealing.method": method, "dealing.shuffler": True}) == []


def test_every_letter_and_every_reading_that_a_chapter_has_may_be_chosen() -> None:
    for chapter in CHAPTER_IDS:
        rules = load_chapter(chapter)
        for name in submission(chapter).paytables:
            tables = [rules.paytables.get(name), *(each.by_unit.get(100) for each in rules.envy.values())]
            letters = next(table.letters for table in tables if table and table.name == name)
            wrong = {"E-SUBM-041"} & {
                each.code for letter in letters for each in found(chapter, {f"paytables.{name}": letter})
            }
            assert not wrong, (chapter, name)
        limit = {"payout_limit": None} if rules.limit else {}
        for reading in rules.readings.values():
            for value in (*reading.values, "default"):
                assert found(chapter, {**limit, f"readings.{reading.name}": value}) == []


@pytest.mark.parametrize(
    ("letter", "levels"),
    [
        ("A", {"main": ("$5,000", "$4,999")}),
        ("B", {"main": ("$1,000", "$999")}),
        ("C", {"main": ("$10,000", "$9,999")}),
        ("D", {"major": ("$1,000", "$999"), "minor": ("$250", "$249")}),
        ("F", {"mega": ("$10,000", "$9,999"), "major": ("$1,000", "$999"), "minor": ("$250", "$249")}),
    ],
)
def test_md_12d3b_the_least_initial_and_reset_amounts(
    letter: str, levels: dict[str, tuple[str, str]]
) -> None:
    def meter(place: int) -> Changes:
        return {
            level: {"initial": amounts[place], "reset": amounts[place], "primary_percent": 5}
            for level, amounts in levels.items()
        }

    base = {"paytables.progressive": letter}

    assert found("md4cp", {**base, "meters.progressive": meter(0)}) == []
    below = found("md4cp", {**base, "meters.progressive": meter(1)})
    assert [each.code for each in below] == ["E-SUBM-056"] * 2 * len(levels)


def test_md_12d3a_rates_may_take_all_of_the_wager_and_no_more() -> None:
    rate = "meters.progressive.mega.primary_percent"

    assert found("md4cp", {rate: 100 - 7 - 3 - 1.5}) == []
    assert [each.code for each in found("md4cp", {rate: 100 - 7 - 3 - 1})] == ["E-SUBM-057"]


def test_every_chapter_has_its_duties() -> None:
    for chapter in CHAPTER_IDS:
        duties = load_chapter(chapter).duties
        prefix = load_chapter(chapter).seats_cite.partition(".")[0]
        assert all(cite.startswith(prefix) for cite in (duties.wagers, duties.adjacent_boxes, duties.sign))
