"""The parts of the page on reliability that are written from here: the hostile cases, and a campaign's sums."""

from __future__ import annotations

import re
from pathlib import Path

from tests.chaos.hostile import CASES, HERE

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reliability.md"
CHAOS, HOSTILE = "chaos: python -m tests.chaos.run", "hostile: tests/chaos/hostile.py"


def hostile_table() -> str:
    """What is tried, what comes of it, and by how many tests it is held."""
    rows = ["| what is tried | what comes of it | tests | |", "|---|---|---:|---|"]
    for case in CASES:
        whole = "whole" if any(test.startswith(HERE) for test in case.tests) else ""
        rows.append(f"| {case.tried} | {case.comes_of_it} | {len(case.tests)} | {whole} |")
    return "\n".join(rows)


def block_of(page: str, name: str) -> str:
    """What stands between the marks of a part."""
    found = re.search(_marks(name), page, re.DOTALL)
    assert found is not None, f"no part {name!r} in {PAGE.name}"
    return found[2].strip()


def write(name: str, text: str) -> None:
    """Put a part into the page."""
    page = PAGE.read_text(encoding="utf-8")
    written = re.sub(_marks(name), lambda found: f"{found[1]}\n\n{text}\n\n{found[3]}", page, flags=re.DOTALL)
    PAGE.write_text(written, encoding="utf-8")


def _marks(name: str) -> str:
    return rf"(<!-- begin {re.escape(name)} -->)(.*?)(<!-- end {re.escape(name)} -->)"
