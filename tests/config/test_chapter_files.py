"""Chapter files: the five load, and one slip in any of them is refused with its place."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from sabot.config import CHAPTER_IDS, feasibility, load_chapter
from sabot.config.chapter_file import read_chapter
from sabot.config.errors import ConfigError
from sabot.config.loader import HERE, PRINTED, ChapterLaw
from sabot.config.submission import example_name
from sabot.rules.payouts import PayKind, Payout

from .raw_chapters import FILE, raw, refused


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_each_chapter_loads_under_its_own_id(chapter: str) -> None:
    assert load_chapter(chapter).id == chapter


def test_an_unknown_chapter_names_the_five() -> None:
    with pytest.raises(ConfigError, match="E-CONF-009") as caught:
        load_chapter("pa999z")

    assert " ".join(CHAPTER_IDS) in str(caught.value)


def test_an_unknown_key_deep_in_a_chapter_is_refused() -> None:
    data = raw("pa641a")
    data["paytables"]["aces_up"]["rows"]["flush"]["payz"] = 1

    message = refused(data, "E-CONF-002")

    assert "[paytables.aces_up" in message
    assert "'pays'" in message


def test_a_cell_that_is_no_payout_is_refused() -> None:
    data = raw("pa641a")
    data["paytables"]["aces_up"]["rows"]["flush"]["pays"][2] = "five to one"

    assert "9 to 1" in refused(data, "E-CONF-004")


def test_a_cell_with_zero_odds_is_refused() -> None:
    data = raw("pa641a")
    data["paytables"]["aces_up"]["rows"]["flush"]["pays"][2] = "5 to 0"

    refused(data, "E-CONF-004")


def test_a_row_that_no_hand_can_make_is_refused() -> None:
    data = raw("pa641a")
    rows = data["paytables"]["aces_up"]["rows"]
    rows["full_house"] = {"text": "Full house", "pays": ["1 to 1"] * 6}

    assert "has no full_house" in refused(data, "E-CONF-005")


def test_a_row_hidden_by_the_one_above_is_refused() -> None:
    data = raw("pa641a")
    rows = data["paytables"]["prog4"]["rows"]
    rows["four_aces"].pop("of")

    assert "four_aces above it takes them all" in refused(data, "E-CONF-005")


def test_a_row_with_an_empty_span_is_refused() -> None:
    data = raw("pa683a")
    data["paytables"]["main"]["rows"]["pair_6s_to_10s"]["of"] = ["10", "6"]

    assert "empty" in refused(data, "E-CONF-005")


def test_a_span_may_be_of_one_rank() -> None:
    found = load_chapter("pa683a")
    sheet = found.paytables["main"].sheets[0]
    row = next(each for each in sheet.rows if each.lead)
    spec = found.rankings[sheet.ranking]

    assert feasibility._why_unreachable(spec, replace(row, lead=(7, 7)), ()) == ""
    assert feasibility._why_unreachable(spec, replace(row, lead=None), ()) == ""
    assert feasibility._why_unreachable(spec, replace(row, lead=(8, 7)), ()) == "its span of ranks is empty"


def test_payouts_are_compared_by_what_a_dollar_wins() -> None:
    worth = [
        feasibility._worth(Payout(kind, **terms))
        for kind, terms in (
            (PayKind.LOSS, {}),
            (PayKind.TO, {"rate": Fraction(1, 2)}),
            (PayKind.TO, {"rate": Fraction(7)}),
            (PayKind.FIXED, {"cents": 12_500}),
            (PayKind.METER, {"rate": Fraction(1, 10)}),
        )
    ]

    assert worth == [-1.0, 0.5, 7.0, 125.0, 1e8]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (("paytables", "six_card", "rows", "six_card_royal_other", "else"), "rows.six_card_royal_other.else"),
        (("meters", "prog4", "paytable"), "meters.prog4.paytable"),
        (("meters", "prog4", "wagers"), "meters.prog4.wagers"),
    ],
)
def test_a_name_that_leads_nowhere_is_refused(change: tuple[str, ...], place: str) -> None:
    data = raw("pa641a")
    *way, last = change
    part = data
    for name in way:
        part = part[name]
    part[last] = ["nobody"] if last == "wagers" else "nobody"

    assert place in refused(data, "E-CONF-008")


def test_a_color_row_of_more_cards_than_a_hand_has_is_refused() -> None:
    data = raw("pa682a")
    data["paytables"]["prime"]["rows"]["five_same_color"]["own"] = 6

    assert "5 own cards" in refused(data, "E-CONF-005")


def test_a_suit_row_hidden_by_another_is_refused() -> None:
    data = raw("pa641a")
    data["paytables"]["six_card"]["rows"]["six_card_royal_other"]["suits"] = ["d"]

    assert "six_card_royal_diamonds above it" in refused(data, "E-CONF-005")


def test_a_lower_hand_that_pays_more_is_refused() -> None:
    data = raw("pa641a")
    data["paytables"]["aces_up"]["rows"]["straight"]["pays"][0] = "7 to 1"

    message = refused(data, "E-CONF-007")

    assert "paytable A" in message
    assert "'straight' 7 to 1" in message


def test_a_plan_that_outruns_the_pack_is_refused() -> None:
    data = raw("pa641a")
    data["plans"]["manual_shoe"]["steps"][1]["times"] = 9

    assert "the pack has 52" in refused(data, "E-CONF-006")


def test_a_dealing_method_nobody_knows_is_refused() -> None:
    data = raw("pa641a")
    data["plans"]["by_robot"] = data["plans"].pop("hand")

    assert "auto_shoe" in refused(data, "E-CONF-008")


def test_a_contest_that_no_wager_opens_is_refused() -> None:
    data = raw("pa641a")
    data["wagers"]["ante"]["settles"] = data["wagers"]["aces_up"]["settles"]

    assert "[wagers]" in refused(data, "E-CONF-021")


def test_a_second_wager_of_another_than_the_one_that_opens_the_contest_is_refused() -> None:
    data = raw("pa641a")
    data["wagers"]["play"]["of"] = "aces_up"

    assert "ante" in refused(data, "E-CONF-014")


def test_a_place_nobody_knows_is_refused() -> None:
    data = raw("pa641a")
    data["plans"]["hand"]["steps"][0]["around"] = ["lap"]

    refused(data, "E-CONF-008")


@pytest.mark.parametrize(
    ("chapter", "path", "value"),
    [
        ("pa641a", ("contest", "ranking"), "best"),
        ("pa641a", ("settlement", "order"), ["ante", "play", "lunch"]),
        ("pa641a", ("paytables", "aces_up", "ranking"), "best"),
        ("pa641a", ("wagers", "six_card", "requires"), [["anty"]]),
        ("pa641a", ("wagers", "hand_bonus_player", "extras"), ["tip"]),
        ("pa641a", ("wagers", "six_card", "settles", "paytable"), "six"),
        ("pa641a", ("wagers", "six_card", "settles", "cards"), ["own", "sleeve"]),
        ("pa641a", ("wagers", "prog4", "envy", "paytable"), "greed"),
        ("pa641a", ("meters", "prog4", "paytable"), "prog9"),
        ("pa641a", ("meters", "prog4", "wagers"), ["prog9"]),
        ("pa641a", ("rankings", "five_card", "order"), ["five_of_a_kind"]),
        ("pa641a", ("paytables", "six_card", "rows", "six_card_royal_other", "else"), "nothing"),
        ("pa641a", ("contest", "win", "bonus", "paytable"), "gift"),
        ("pa679a", ("wagers", "pair_bonus", "on_bonus_card", "paytable"), "three"),
        ("pa679a", ("contest", "bad_beat", "paytable"), "worse_beat"),
    ],
)
def test_a_name_that_points_nowhere_is_refused(chapter: str, path: tuple[str, ...], value: object) -> None:
    data = raw(chapter)
    here = data
    for key in path[:-1]:
        here = here[key]
    here[path[-1]] = value

    refused(data, "E-CONF-008")


def test_a_wager_that_no_order_settles_is_refused() -> None:
    data = raw("pa641a")
    data["settlement"]["order"].remove("six_card")

    assert "'six_card'" in refused(data, "E-CONF-008")


def test_a_meter_for_a_letter_that_is_not_printed_is_refused() -> None:
    data = raw("pa641a")
    data["meters"]["prog4"]["levels"]["Z"] = data["meters"]["prog4"]["levels"]["A"]

    refused(data, "E-CONF-008")


def test_a_rank_that_is_none_is_refused() -> None:
    data = raw("pa641a")
    data["paytables"]["aces_up"]["rows"]["pair_of_aces"]["of"] = ["1", "A"]

    refused(data, "E-CONF-004")


def test_a_suit_that_is_none_is_refused() -> None:
    data = raw("pa641a")
    data["paytables"]["six_card"]["rows"]["six_card_royal_diamonds"]["suits"] = ["x"]

    refused(data, "E-CONF-004")


def test_a_hand_that_is_none_is_refused() -> None:
    data = raw("pa641a")
    data["paytables"]["aces_up"]["rows"]["pair_of_aces"]["hand"] = "pears"

    refused(data, "E-CONF-008")


def test_envy_sheets_must_follow_one_wager() -> None:
    data = raw("md4cp")
    data["envy"]["envy"][1]["follows"] = "ante"

    refused(data, "E-CONF-014")


def test_a_plan_that_deals_nothing_is_refused() -> None:
    data = raw("pa679a")
    del data["plans"]["auto_shoe_reshuffle"]["steps"][2]

    refused(data, "E-CONF-006")


def test_the_example_beside_a_chapter_is_named_and_a_folder_may_lack_one(tmp_path: Path) -> None:
    (tmp_path / "chapters").mkdir()
    text = PRINTED.text("chapters/pa641a.toml").replace('id = "pa641a"', 'id = "ours"')
    (tmp_path / "chapters/ours.toml").write_text(text, encoding="utf-8")

    assert example_name(PRINTED, "pa641a") == "submissions/pa641a.toml"
    with pytest.raises(ConfigError, match="E-CONF-016") as caught:
        example_name(ChapterLaw(tmp_path), "ours")
    assert caught.value.facts["file"] == tmp_path / "submissions/ours.toml"


def test_what_a_folder_states_is_added_to_what_is_printed(tmp_path: Path) -> None:
    (tmp_path / "chapters").mkdir()
    (tmp_path / "chapters/pa641a.toml").write_text(PRINTED.text("chapters/pa641a.toml"), encoding="utf-8")
    bare = ChapterLaw(tmp_path)
    assert {each: bare.stated(each) for each in CHAPTER_IDS} == {
        each: PRINTED.stated(each) for each in CHAPTER_IDS
    }

    (tmp_path / "stated.toml").write_text(
        'document = "ours"\n[chapters.pa641a]\ncite = "p. 1"\nante = { low = "2.0", high = "2.5" }\n',
        encoding="utf-8",
    )
    law = ChapterLaw(tmp_path)
    assert law.stated("pa641a")["ante"].high == "2.5"
    assert law.stated("pa682a") == PRINTED.stated("pa682a")


def a_law(folder: Path) -> Path:
    (folder / "chapters").mkdir(parents=True)
    (folder / "chapters/pa641a.toml").write_text(PRINTED.text("chapters/pa641a.toml"), encoding="utf-8")
    return folder


def refused_folder(folder: Path) -> str:
    with pytest.raises(ConfigError, match="E-CONF-015") as caught:
        ChapterLaw(folder)
    return str(caught.value)


def test_a_folder_of_chapters_has_plain_files_of_a_law_and_few_of_them(tmp_path: Path) -> None:
    folder = a_law(tmp_path / "ours")
    chapters = folder / "chapters"
    assert set(ChapterLaw(folder).files) == {"chapters/pa641a.toml"}

    (chapters / "notes.txt").touch()
    assert "has no such file" in refused_folder(folder)
    (chapters / "notes.txt").unlink()

    (chapters / "pa679a.toml").symlink_to(HERE / "chapters" / "pa679a.toml")
    assert "has no such file" in refused_folder(folder)
    (chapters / "pa679a.toml").unlink()

    for number in range(99):
        (chapters / f"x{number}.toml").touch()
    assert len(ChapterLaw(folder).files) == 100
    (chapters / "one_more.toml").touch()
    assert "it has more than 100 files." in refused_folder(folder)
    for path in chapters.glob("[xo]*.toml"):
        path.unlink()

    (chapters / "large.toml").write_bytes(b"#" * 1_000_000)
    assert "more than 1,000,000 bytes" in refused_folder(folder)


def test_what_a_chapter_need_not_say_is_nothing_and_a_house_may_have_one_deck() -> None:
    found = read_chapter(FILE, raw("pa641a"))
    rows = [row for paytable in found.paytables.values() for sheet in paytable.sheets for row in sheet.rows]
    assert {row.others for row in rows} == {0}

    data = raw("pa641a")
    data["cards"]["decks_with_shuffler"]["most"] = 1
    assert read_chapter(FILE, data).deck.decks_with_shuffler == 1
    data["cards"]["decks_with_shuffler"]["most"] = 3
    refused(data, "E-CONF-004")
    data = raw("pa641a")
    data["cards"]["decks"] = 2
    refused(data, "E-CONF-004")
    for hours, is_good in ((1, True), (24, True), (0, False), (25, False)):
        data = raw("pa641a")
        data["cards"]["change_hours"]["hand"] = hours
        if is_good:
            assert read_chapter(FILE, data).deck.change_hours["hand"] == hours
        else:
            refused(data, "E-CONF-004")
