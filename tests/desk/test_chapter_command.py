import json
import tomllib
from pathlib import Path

import pytest

from calling import sabot
from sabot.config import CHAPTER_IDS, load_chapter
from sabot.config.loader import HERE
from sabot.desk.chapter_page import chapter_text
from sabot.desk.submission_page import summary
from sabot.firmware.pages.text_page import WIDTH
from submitting import data, example, file, submission


def test_without_an_id_the_chapters_are_listed() -> None:
    answer = sabot("chapter")

    assert answer.code == 0
    for chapter in CHAPTER_IDS:
        assert f"{chapter} " in answer.out
        assert load_chapter(chapter).document in answer.out


def test_the_list_as_json_names_what_each_chapter_has() -> None:
    chapters = json.loads(sabot("chapter", "--json").out)

    assert [each["id"] for each in chapters] == list(CHAPTER_IDS)
    assert chapters[0]["seats"] == 7
    assert chapters[3]["wagers"] == ["ante", "raise", "prime", "aces_bonus", "all_six"]


def test_an_unknown_chapter_is_bad_input() -> None:
    answer = sabot("chapter", "pa999")

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith("sabot chapter: E-CONF-009 ")


# ------------------------------------------------------------ the page


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_a_page_is_as_wide_as_any_other_and_no_wider(chapter: str) -> None:
    lines = chapter_text(load_chapter(chapter)).splitlines()

    assert max(map(len, lines)) == WIDTH
    assert not [line for line in lines if line != line.rstrip()]


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_citation_of_the_chapter_file_is_on_the_page(chapter: str) -> None:
    page = " ".join(chapter_text(load_chapter(chapter)).split())
    content = tomllib.loads((HERE / "chapters" / f"{chapter}.toml").read_text(encoding="utf-8"))

    missing = {cite for cite in _cites(content) if cite not in page}

    # The model keeps no citation of the dealer's first cards; the chapter's own name heads the page instead.
    assert missing <= {content["cite"], content["hands"].get("dealer_first", {}).get("cite")}


def _cites(value: object) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(_cites, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    own = {value["cite"]} if isinstance(value.get("cite"), str) else set()
    return own.union(*map(_cites, value.values()))


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_row_and_cell_of_every_paytable_is_on_the_page(chapter: str) -> None:
    rules = load_chapter(chapter)
    lines = [line.split() for line in chapter_text(rules).splitlines()]
    tables = [
        *rules.paytables.values(),
        *(each for envy in rules.envy.values() for each in envy.by_unit.values()),
    ]

    for table in tables:
        for sheet in table.sheets:
            for row in sheet.rows:
                cells = [word for cell in row.cells if cell for word in cell.text.split()]
                tail = row.text.split()[-1:]
                assert any(line[-len(cells) :] == cells and tail[0] in line for line in lines), row.name


def test_a_page_has_every_part() -> None:
    page = sabot("chapter", "pa641a").out

    parts = [
        "TABLE AND CARDS",
        "WAGERS",
        "RANKINGS, HIGHEST FIRST",
        "THE CONTEST",
        "PAYTABLES",
        "ENVY BONUSES",
        "PROGRESSIVE METERS",
        "SETTLEMENT",
        "PAYOUT LIMIT",
        "DEALING",
        "OPENING, SHUFFLE, CUT AND STUB",
        "IRREGULARITIES",
        "READINGS: WHAT THE TEXT LEAVES OPEN",
    ]
    places = [page.index(f"\n{part}") for part in parts]
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("chapter", "said"),
    [
        ("pa641a", "7 betting positions at the most"),
        ("pa641a", "every 4 hours from the hand and every 8 hours from the shoe"),
        ("pa641a", "after the deal, 1 to 3 times the Ante"),
        ("pa641a", "needs Ante or Aces Up; placed on the progressive device"),
        ("pa641a", "the dealer's first 5 are a hand of their own"),
        ("pa641a", "1 card to each player, then the dealer, 5 times round"),
        ("pa641a", "its bottom card face up to the dealer; the next card to the Six Card Bonus area"),
        ("md4cp", "needs Ante; needs Aces Up"),
        ("md4cp", "initial and reset at least"),
        ("md4cp", "The operator names the amounts and all rates in its Rules Submission."),
        ("md4cp", "C reads as D under md_envy_c = royal."),
        ("pa679a", "after the deal, equal to the Ante"),
        ("pa679a", "on a bonus card 2, paytable pair_bonus_two"),
        ("pa679a", "“Player wins ties.”"),
        ("pa679a", "Never covers Bad Beat Bonus"),
        (
            "pa679a",
            "its top card to each player with a Pair Bonus Wager (without that wager to the discard rack)",
        ),
        ("pa682a", "1 to 3 times, in whole multiples of the Ante"),
        ("pa682a", "everything under the reading limit_682 = all"),
        ("pa682a", "four_card under the reading aces_bonus = four"),
        ("pa682a", "optional wagers are settled (only before the second wagers)"),
        ("pa683a", "the hand makes no row of the paytable"),
        ("pa683a", "under the reading community = interleaved"),
        ("pa683a", "▸ any, or aces"),
    ],
)
def test_a_page_says(chapter: str, said: str) -> None:
    page = " ".join(chapter_text(load_chapter(chapter)).split())

    assert said in page


def test_a_chapter_as_json_has_every_number_of_its_file() -> None:
    for chapter in CHAPTER_IDS:
        answer = json.loads(sabot("chapter", chapter, "--json").out)
        content = tomllib.loads((HERE / "chapters" / f"{chapter}.toml").read_text(encoding="utf-8"))

        assert answer["id"] == chapter
        assert answer["seats"] == content["table"]["seats"]
        assert list(answer["wagers"]) == list(content["wagers"])
        assert list(answer["plans"]) == list(content["plans"])
        assert {name: each["values"] for name, each in answer["readings"].items()} == {
            name: each["values"] for name, each in content["readings"].items()
        }
        for name, tables in content["paytables"].items():
            sheets = tables if isinstance(tables, list) else [tables]
            told = [
                [[c or "-" for c in row["cells"]] for row in s["rows"]]
                for s in answer["paytables"][name]["sheets"]
            ]
            assert told == [[row["pays"] for row in sheet["rows"].values()] for sheet in sheets]


# ------------------------------------------------------------ the check


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_a_submission_that_stands_is_summed_up_to_be_signed(chapter: str) -> None:
    answer = sabot("chapter", chapter, "--check", str(example(chapter)))

    assert (answer.code, answer.err) == (0, "")
    content = data(chapter)
    assert content["house"].upper() in answer.out
    assert f"stands under {load_chapter(chapter).document}" in answer.out
    for name, letter in content["paytables"].items():
        assert any(line.split()[:2] == [name, f"{letter},"] for line in answer.out.splitlines())
    assert answer.out.splitlines()[-1].startswith("Floor manager ....")


def test_a_summary_says_the_limit_and_what_it_was_held_against() -> None:
    page = " ".join(summary(submission("pa679a"), load_chapter("pa679a")).split())

    assert "Payout limit $50,000 per player and round, on Ante and Play [679a.12(h)]" in page
    assert "at the minimum wagers one patron could win $165 of these" in page
    assert "Pair Bonus card own card" in page


def test_a_summary_says_meters_rates_and_readings() -> None:
    changed = submission("md4cp", {"readings.md_envy_c": "royal", "readings.tiebreak": "poker"})

    page = " ".join(summary(changed, load_chapter("md4cp")).split())

    assert "minor initial $1,250, reset $1,250, primary 3%, reserve 1.5%" in page
    assert "md_envy_c royal instead of text" in page
    assert "tiebreak" not in page
    assert "Payout limit" not in page


def test_a_summary_of_a_house_without_limit_says_so() -> None:
    page = " ".join(summary(submission("pa683a", {"payout_limit": None}), load_chapter("pa683a")).split())

    assert "Payout limit none" in page
    assert "without an automated shuffler" in page


def test_a_simulated_submission_says_so_on_its_summary() -> None:
    assert "SIMULATED: NOT FOR PLAY" in summary(
        submission("pa683a", {"simulated": True}), load_chapter("pa683a")
    )


def test_without_an_id_the_submission_names_the_chapter() -> None:
    assert sabot("chapter", "--check", str(example("pa683a"))).code == 0


def test_every_problem_is_printed_and_the_answer_is_no(tmp_path: Path) -> None:
    wrong = file(tmp_path, "pa682a", {"table.seats": 9, "paytables.prime": "C", "payout_limit": "$1"})

    answer = sabot("chapter", "pa682a", "--check", str(wrong))

    assert (answer.code, answer.err) == (1, "")
    assert f"{wrong} does not stand: 3 problems" in answer.out
    for code, paragraph in (
        ("E-SUBM-010", "682a.2(a)"),
        ("E-SUBM-041", "682a.12(d)"),
        ("E-SUBM-061", "682a.12(g)"),
    ):
        assert code in answer.out
        assert paragraph in answer.out


def test_the_check_as_json(tmp_path: Path) -> None:
    wrong = file(tmp_path, "pa682a", {"table.seats": 9})

    stands = sabot("chapter", "pa682a", "--check", str(example("pa682a")), "--json")
    fails = sabot("chapter", "pa682a", "--check", str(wrong), "--json")

    assert (stands.code, fails.code) == (0, 1)
    assert json.loads(stands.out)["stands"] is True
    assert json.loads(stands.out)["options"]["payout_limit"] == 7_500_000
    (problem,) = json.loads(fails.out)["problems"]
    assert problem["code"] == "E-SUBM-010"
    assert problem["key"] == "table.seats"
    assert problem["paragraph"] == "682a.2(a)"
    assert problem["cure"] == "Write 6 or fewer."


def test_a_submission_for_another_chapter_does_not_stand() -> None:
    answer = sabot("chapter", "pa641a", "--check", str(example("md4cp")))

    assert answer.code == 1
    assert "E-SUBM-001" in answer.out


@pytest.mark.parametrize(
    ("text", "code"),
    [("chapter = ", "E-CONF-012"), ('chapter = "pa679a"\nhose = "x"\n', "E-CONF-003"), (None, "E-CONF-001")],
)
def test_a_file_that_cannot_be_read_is_bad_input_with_one_message(
    tmp_path: Path, text: str | None, code: str
) -> None:
    path = tmp_path / "house.toml"
    if text is not None:
        path.write_text(text, encoding="utf-8")

    answer = sabot("chapter", "pa679a", "--check", str(path))

    assert (answer.code, answer.out) == (2, "")
    assert answer.err.startswith(f"sabot chapter: {code} {path}")
    assert answer.err.count("\n") == 1
