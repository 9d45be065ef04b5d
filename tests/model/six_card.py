"""The Six Card Bonus and All-Six Bonus of all five chapters: the best five of six cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .hands import Card, best_five_name, six_card_royal_suit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .game import Post


def six_card_row(
    cards: Sequence[Card], odds: dict[str, str], *, wheel: bool, royal: str = "six_card_royal"
) -> str | None:
    """The row of a hand; a six-card royal without a row of its own is a royal flush (R7)."""
    suit = six_card_royal_suit(cards)
    if suit is not None:
        row = f"{royal}_diamonds" if suit == "d" else f"{royal}_other"
        if row in odds:
            return row
    name = best_five_name(cards, wheel=wheel)
    return name if name in odds else None


def settle_six_card(
    post: Post, cards: Sequence[Card], odds: dict[str, str], *, limited: bool = False
) -> None:
    """`limited`: an aggregate limit covers the wager, but never a six-card royal (682a.12(g))."""
    row = six_card_row(cards, odds, wheel=post.game.wheel)
    is_royal = row is not None and row.startswith("six_card_royal")
    post.settle_by(odds, row, limited=limited and not is_royal)
