"""Envy bonuses of 641a and Maryland: who holds a hand that another player is paid for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .folds import forfeited_by_fold

if TYPE_CHECKING:
    from collections.abc import Callable

    from .game import Box, Game
    from .hands import Card

CITE = {"pa641a": "641a.11(c)(5)(v)", "md4cp": "ch.11.D(10)(e), 12.E-G"}


def pay_envy(
    game: Game,
    box: Box,
    wager: str,
    amounts: dict[int, dict[str, int]],
    row_of: Callable[[tuple[Card, ...]], str],
) -> None:
    """One payment for each other player's qualifying hand, by the receiver's own wager."""
    dollars = amounts[box.wagers[wager] or game.unit]
    for holder in game.boxes:
        if is_another_player(game, box, holder) and holds_cards(game, holder):
            row = row_of(holder.cards)
            if row in dollars:
                post = game.bonus(box, f"envy:{holder.name}", 0, CITE[game.chapter])
                post.win_amount(dollars[row] * 100, f"${dollars[row]}", row)


def is_another_player(game: Game, box: Box, holder: Box) -> bool:
    """E2: a second box of the same player is not another player."""
    if game.reading("envy_two_boxes") == "yes":
        return holder.seat != box.seat
    return holder.player != box.player


def holds_cards(game: Game, holder: Box) -> bool:
    """E1: a folded hand counts while another wager keeps its cards on the table."""
    if holder.abandoned or not holder.cards:
        return False
    if not holder.folded or game.reading("envy_folded_holder") == "always":
        return True
    return game.reading("envy_folded_holder") != "never" and keeps_cards(game, holder)


def keeps_cards(game: Game, holder: Box) -> bool:
    return any(wager not in forfeited_by_fold(game) for wager in holder.wagers)
