"""What the pages say of the checker is what it asks."""

from __future__ import annotations

from pathlib import Path

from procedure.command import rules

PAGE = Path(__file__).parents[2] / "docs" / "journal.md"
BEGIN, END = "<!-- rules of the second opinion -->\n", "<!-- end of rules -->"


def test_the_page_lists_the_rules_as_the_checker_prints_them() -> None:
    # After a change: python3 tools/procedure --rules
    _, _, after = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    table = [line for line in after.partition(END)[0].splitlines() if line]
    assert table == ["| rule | asks | paragraphs |", "|---|---|---|", *rules()]
