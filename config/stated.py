"""What a regulator states of holds, read as strictly as a chapter.

The ranges stand apart from the chapters because they are no law: nothing is settled by them, and the par
sheet only lays them beside what it counts.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sabot.config.reader import Section, read_toml
from sabot.rules.odds.stated import Stated

STATED_FILE = Path(__file__).parent / "stated.toml"
_PERCENT = re.compile(r"\d{1,2}(\.\d{1,3})?")


@cache
def load_stated(chapter_id: str) -> Mapping[str, Stated]:
    """What is stated of the wagers of a chapter, by wager."""
    return load_stated_file(STATED_FILE).get(chapter_id, {})


def load_stated_file(path: Path) -> dict[str, dict[str, Stated]]:
    """Everything a file states, by chapter and wager."""
    root = Section(path.name, "", read_toml(path))
    root.text("document")
    found = {chapter: _chapter(part) for chapter, part in root.section("chapters").sections()}
    root.finish()
    return found


def _chapter(part: Section) -> dict[str, Stated]:
    cite = part.text("cite")
    return {name: _stated(part.section(name), cite) for name in part.data if name != "cite"}


def _stated(part: Section, cite: str) -> Stated:
    low, high = _percent(part, "low"), _percent(part, "high")
    if float(low) > float(high):
        raise part.wrong("high", high, f"at least the low end, {low}")
    return Stated(cite, low, high, of_total_wagered=part.flag("of_total_wagered"))


def _percent(part: Section, key: str) -> str:
    text = part.text(key)
    if not _PERCENT.fullmatch(text):
        raise part.wrong(key, text, 'percent as printed, such as "2.13"')
    return text
