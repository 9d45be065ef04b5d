from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.config.errors import ConfigError
from sabot.config.loader import HERE, PRINTED, STATED, read_stated
from sabot.config.reader import read_toml

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """
document = "a page"
[chapters.pa682a]
cite = "a page, top"
ante = { low = "2.13", high = "2.63", of_total_wagered = true }
prime = { low = "4.74", high = "9.8" }
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "stated.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_preamble_states_ranges_for_682a_and_683a() -> None:
    """125-204, preamble."""
    ranges = {
        (chapter, wager): (stated.low, stated.high)
        for chapter in CHAPTER_IDS
        for wager, stated in PRINTED.stated(chapter).items()
    }
    assert ranges == {
        ("pa682a", "ante"): ("2.13", "2.63"),
        ("pa682a", "aces_bonus"): ("1.11", "6.6"),
        ("pa682a", "all_six"): ("6.74", "18.1"),
        ("pa682a", "prime"): ("4.74", "9.8"),
        ("pa683a", "ante"): ("1.37", "4.28"),
        ("pa683a", "lo_ball"): ("7.18", "8.71"),
        ("pa683a", "board"): ("2.14", "7.1"),
        ("pa683a", "all_six"): ("6.74", "18.1"),
        ("pa683a", "pocket"): ("4.52", "9.95"),
    }


def test_only_the_figures_for_required_wagers_are_of_all_that_is_wagered() -> None:
    for chapter in ("pa682a", "pa683a"):
        for wager, stated in PRINTED.stated(chapter).items():
            assert stated.of_total_wagered is (wager == "ante")
            assert stated.cite.startswith("125-204, preamble")


def test_every_wager_a_range_is_stated_for_is_a_wager_of_its_chapter() -> None:
    for chapter, wagers in read_stated(STATED, read_toml(HERE / STATED)).items():
        assert set(wagers) <= set(load_chapter(chapter).wagers)


def test_a_file_is_read_with_its_citation(tmp_path: Path) -> None:
    found = read_stated("stated.toml", read_toml(written(tmp_path, GOOD)))
    assert found["pa682a"]["ante"].text == "2.13 to 2.63 % of all that is wagered"
    assert found["pa682a"]["prime"].cite == "a page, top"


@pytest.mark.parametrize(
    ("good", "bad", "said"),
    [
        (
            "of_total_wagered",
            "of_totl_wagered",
            "E-CONF-002 .*unknown key 'of_totl_wagered'.*of_total_wagered",
        ),
        ('high = "9.8"', "high = 9.8", "E-CONF-004 .*'high' is 9.8"),
        ('high = "9.8"', 'high = "9.8 %"', "E-CONF-004 .*percent as printed"),
        ('high = "9.8"', 'high = "4"', "E-CONF-004 .*at least the low end, 4.74"),
        ('low = "4.74", ', "", "E-CONF-003 .*'low' is missing"),
        ('cite = "a page, top"', "", "E-CONF-003 .*'cite' is missing"),
        ('document = "a page"', "", "E-CONF-003 .*'document' is missing"),
        ('prime = { low = "4.74", high = "9.8" }', "prime = 3", "E-CONF-004 .*expected a table"),
    ],
)
def test_a_wrong_file_is_refused(tmp_path: Path, good: str, bad: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        read_stated("stated.toml", read_toml(written(tmp_path, GOOD.replace(good, bad))))
