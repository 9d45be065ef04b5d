"""The holds that a regulator states, read as strictly as a chapter.

The ranges stand apart from the chapters because they are no law: nothing is settled by them, and the par
sheet only lays them beside what it counts.
"""

import re

from sabot.config.reader import Section, Toml
from sabot.rules.odds.stated_holds import Stated

# A text and not a number: it is laid beside what is counted as it was printed.
_PERCENT = re.compile(r"\d{1,2}(\.\d{1,3})?")


def read_stated(file: str, data: Toml) -> dict[str, dict[str, Stated]]:
    """Everything a file states, by chapter and wager."""
    root = Section(file, "", data)
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
