"""Progressive payouts: a percentage of a meter when it is the player's turn, or odds "for 1"."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .game import Post


def percent_and_level(text: str) -> tuple[int, str]:
    """The two facts in "100% of mega" or "10% of meter"."""
    percent, level = text.split("% of ")
    return int(percent), "main" if level == "meter" else level


def settle_on_meter(
    post: Post,
    meter: str,
    odds: dict[str, str],
    row: str,
    resets: dict[str, int],
) -> None:
    """`resets`: cents that each level starts from again once all of it is paid."""
    if "%" not in odds.get(row, ""):
        post.settle_by(odds, row)
        return
    percent, level = percent_and_level(odds[row])
    paid = post.game.draw(meter, level, percent, resets)
    post.win_amount(paid, odds[row], row)
