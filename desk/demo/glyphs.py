"""Characters as the output can show them: an output that is not UTF-8 gets plain ones, each as wide."""

from collections.abc import Callable
from typing import TextIO

_PLAIN = str.maketrans("─═│╭╮╰╯░♣♦♥♠◂▸·…", "-=|++++#cdhs<>..")


def glyphs_of(out: TextIO) -> Callable[[str], str]:
    """What to do with a text before it is written there."""
    is_utf8 = (out.encoding or "").lower().replace("-", "") == "utf8"
    return str if is_utf8 else _plain


def _plain(text: str) -> str:
    return text.translate(_PLAIN).encode("ascii", "replace").decode("ascii")
