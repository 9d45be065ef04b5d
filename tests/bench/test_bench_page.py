"""The page of the figures has a place for everything that writes into it; lines of code are counted as said."""

from pathlib import Path

import pytest
from markdown import PAGE, put
from suite import lines_of_code

PARTS = ("every figure", "scaling seats", "scaling wagers", "scaling shift", "scaling journal")
CODE = '''"""What it is.

And why.
"""

# a word
MOST = 3  # of them
WORDS = """two
lines"""


def half(number: int) -> int:
    """The half."""

    return (
        number
        // 2
    )
'''


@pytest.mark.parametrize("part", PARTS)
def test_every_part_is_marked_in_the_page(part: str) -> None:
    assert put(PAGE.read_text(encoding="utf-8"), part, "measured anew") != PAGE.read_text(encoding="utf-8")


def test_lines_of_code_are_neither_blank_nor_words(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(CODE, encoding="utf-8")

    assert lines_of_code(module) == 8
