"""The paytables of the chapter files are those of the texts, value by value.

The reader itself is tried on tables of our own making in each of the three ways of printing, since
a reader that finds nothing finds no difference either.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from chapter_tables import chapter_paytables
from claims import ROOT
from ledger import TEXTS
from paytables import compare, main, read_paytables
from printed import Key, paragraph_tables, sentence_tables
from split import Paragraph

CHAPTERS = ROOT / "config" / "chapters"
with_texts = pytest.mark.skipif(
    not TEXTS.is_dir(), reason="the texts of the law are not beside the repository"
)
with_chapters = pytest.mark.skipif(not CHAPTERS.is_dir(), reason="no chapter files yet")


@with_texts
@with_chapters
def test_the_chapter_files_have_the_paytables_of_the_texts() -> None:
    assert compare(TEXTS, CHAPTERS) == []


@with_texts
@with_chapters
def test_there_is_a_value_in_the_texts_for_each_in_the_chapter_files() -> None:
    assert len(read_paytables(TEXTS)) > 600
    assert len(chapter_paytables(CHAPTERS)) > 600


@with_texts
@with_chapters
@pytest.mark.parametrize(
    ("file", "old", "new", "found"),
    [
        ("pa641a", '"25,000 to 1"', '"2,500 to 1"', "641a.12(f) A four of a kind"),
        ("pa641a", "primary_percent = 21", "primary_percent = 12", "641a.12(e)(3) A incr"),
        ("md4cp", '"$100", "$1,000"]', '"$100", "$100"]', "ch.12.F C $1 four aces"),
        (
            "md4cp",
            "levels.D.minor = { minimum_dollars = 250",
            "levels.D.minor = { minimum_dollars = 25",
            "D minimum minor",
        ),
        (
            "pa679a",
            '["-", "1 to 1", "-", "1 to 1"]',
            '["-", "1 to 1", "1 to 1", "1 to 1"]',
            "C flush",
        ),
        ("pa682a", '"25 for 1"', '"25 to 1"', "682a.12(b) only four of a kind"),
        ("pa683a", '"push", "push"]', '"push", "loss"]', "683a.12(a) C pair of 6s to 10s"),
        ("pa683a", "least_dollars = 50000", "least_dollars = 5000", "683a.12(f)"),
        ("pa682a", 'ante = { pays = "1 to 1"', 'ante = { pays = "2 to 1"', "682a.12(a) only odds"),
    ],
)
def test_a_wrong_value_in_a_chapter_file_is_found(
    tmp_path: Path, file: str, old: str, new: str, found: str
) -> None:
    shutil.copytree(CHAPTERS, tmp_path, dirs_exist_ok=True)
    chapter = tmp_path / f"{file}.toml"
    text = chapter.read_text("utf-8")
    assert old in text
    chapter.write_text(text.replace(old, new, 1), "utf-8")
    assert any(found in difference for difference in compare(TEXTS, tmp_path))


def test_a_table_with_tabs_keeps_its_empty_cells_empty() -> None:
    lines = ["Pay it:", "Hand\tPaytable A\tPaytable B", "Full house\t\t9 to 1"]
    assert dict(paragraph_tables(Paragraph("x", lines))) == {
        Key("x", "B", "full house"): "9 to 1",
    }


def test_a_table_with_tabs_says_to_which_group_and_unit_a_row_belongs() -> None:
    lines = ["Seed/reseed", "Mega\t$7 for 1", "$5 Progressive Payout Wager", "Flush\t$2"]
    assert [key.row for key, _ in paragraph_tables(Paragraph("x", lines))] == [
        "seed/reseed mega",
        "$5 seed/reseed flush",
    ]


def test_a_row_with_a_wrong_number_of_cells_is_refused() -> None:
    lines = ["Hand\tPaytable A\tPaytable B", "Flush\t9 to 1"]
    with pytest.raises(ValueError, match="2 cells wanted"):
        list(paragraph_tables(Paragraph("x", lines)))


def test_a_table_with_spaces_is_cut_by_its_values() -> None:
    lines = [
        "Pay it: Hand",
        "Paytable A Paytable B",
        "Pair of 3s",
        "or 4s",
        "10 to 1 Push",
        "8 High",
        "7 to 1",
    ]
    assert dict(paragraph_tables(Paragraph("x", lines))) == {
        Key("x", "A", "pair of 3s or 4s"): "10 to 1",
        Key("x", "B", "pair of 3s or 4s"): "push",
        Key("x", "B", "8 high"): "7 to 1",
    }


def test_sentences_take_letter_and_unit_from_the_paragraphs_above() -> None:
    paragraphs = [
        Paragraph("ch.1.F", ["Amounts for $5 Progressive Payout Wager:"]),
        Paragraph("ch.1.F(2)", ["Paytable B Envy:"]),
        Paragraph("ch.1.F(2)(a)", ["For a Flush the payout is 10 percent of meter; or"]),
    ]
    assert dict(sentence_tables(paragraphs)) == {Key("ch.1.F", "B", "$5 flush"): "10% of meter"}


@with_texts
@with_chapters
@pytest.mark.parametrize(
    ("old", "new", "code", "told"),
    [
        ("", "", 0, "no difference"),
        ("9 to 1", "8 to 1", 1, "641a.12(c) A three of a kind: the text has 9 to 1"),
    ],
)
def test_the_script_ends_with_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], old: str, new: str, code: int, told: str
) -> None:
    shutil.copytree(CHAPTERS, tmp_path / "chapters")
    file = tmp_path / "chapters" / "pa641a.toml"
    file.write_text(file.read_text("utf-8").replace(old, new, 1 if old else 0), "utf-8")
    assert main([str(TEXTS), "--compare", "--chapters", str(tmp_path / "chapters")]) == code
    assert capsys.readouterr().out.startswith(told)


def test_a_folder_without_texts_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 2
    assert "one file pa641a*.txt wanted, 0 found" in capsys.readouterr().err


def test_the_script_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    assert "value by" in capsys.readouterr().out
