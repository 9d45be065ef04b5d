"""Every rule that regulators ask of a controller has its row in the link's page, and the tests named there exist."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/link.md").read_text()


def test_prog_each_rule_has_a_row() -> None:
    assert re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE) == [str(number) for number in range(1, 13)]


def test_prog_every_test_that_a_row_names_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    known = {
        name
        for file in (ROOT / "tests").rglob("test_*.py")
        for name in re.findall(r"def (test_\w+)", file.read_text())
    }
    assert len(named) > 20
    assert named <= known
