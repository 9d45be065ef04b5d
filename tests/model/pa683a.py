"""683a, Cajun Stud: 683a.11(h) and (i) for one box, paragraph by paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tables
from .folds import booked_as_forfeit, live_post
from .hands import (
    ACE,
    JACK,
    QUEEN,
    Card,
    count_rank,
    name_of_five,
    name_of_three,
    one_suit,
    repeated_rank,
)
from .six_card import settle_six_card

if TYPE_CHECKING:
    from .game import Box, Game

OPTIONAL = ("pocket", "board", "lo_ball", "all_six")
HIGH_ROWS = {7: "high_7", 8: "high_8", 9: "high_9", 10: "high_10", JACK: "high_jack"}


def settle_box(game: Game, box: Box) -> None:
    settle_ante_and_raises(game, box)
    settle_optional(game, box)


def settle_optional(game: Game, box: Box) -> None:
    """683a.11(i), also after an exposed card (683a.13(d))."""
    settle_pocket(game, box)
    settle_board(game, box)
    settle_lo_ball(game, box)
    post = live_post(game, box, "all_six", "683a.11(i)(4), 683a.12(e)")
    if post is not None:
        cards = box.cards + game.place("all_six")
        settle_six_card(post, cards, tables.SIX_CARD[game.letter("all_six")])


def five_cards(game: Game, box: Box) -> tuple[Card, ...]:
    return box.cards + game.place("community")


def settle_ante_and_raises(game: Game, box: Box) -> None:
    """683a.11(h); the limit of 683a.12(f) covers these wagers and no other."""
    wagers = [wager for wager in ("ante", "raise1", "raise2", "raise3") if wager in box.wagers]
    for wager in wagers:
        if booked_as_forfeit(game, box, wager):
            continue
        row = main_row(five_cards(game, box))
        paragraph = "(h)(2)" if row is None else "(h)(1)"
        post = game.post(box, wager, f"683a.11{paragraph}, 683a.12(a)")
        post.settle_by(tables.MAIN_683A[game.letter("main")], row, limited=True)


def main_row(cards: tuple[Card, ...]) -> str | None:
    """683a.12(a): pairs of 6s to 10s push, lower ones and no pair lose."""
    name = name_of_five(cards, wheel=True)
    if name == "high":
        return None
    if name != "pair":
        return name
    pair = repeated_rank(cards)
    if pair >= JACK:
        return "pair_jacks_or_better"
    return "pair_6s_to_10s" if pair >= 6 else None


def settle_pocket(game: Game, box: Box) -> None:
    """683a.11(i)(1)."""
    post = live_post(game, box, "pocket", "683a.11(i)(1), 683a.12(b)")
    if post is not None:
        post.settle_by(tables.POCKET[game.letter("pocket")], pocket_row(box.cards))


def pocket_row(cards: tuple[Card, ...]) -> str | None:
    """683a.6(c): an ace counts beside a jack, queen or king."""
    low, high = sorted(card.rank for card in cards)
    if low == high:
        return "pair_of_aces" if low == ACE else "pair_2s_to_kings"
    if high == ACE and low >= JACK:
        return "ace_face_suited" if one_suit(cards) else "ace_face_unsuited"
    return None


def settle_board(game: Game, box: Box) -> None:
    """683a.11(i)(2); "pair of aces or better" of 683a.7(d)(3) is the other reading (P5)."""
    post = live_post(game, box, "board", "683a.11(i)(2), 683a.12(c)")
    if post is None:
        return
    board = game.place("community")
    row: str | None = name_of_three(board)
    if row == "pair" and game.reading("board_pair") == "aces" and count_rank(board, ACE) < 2:
        row = None
    post.settle_by(tables.BOARD[game.letter("board")], row)


def settle_lo_ball(game: Game, box: Box) -> None:
    """683a.11(i)(3): the ace is high; any hand of 683a.6(b) loses (R13)."""
    post = live_post(game, box, "lo_ball", "683a.11(i)(3), 683a.12(d)")
    if post is None:
        return
    cards, row = five_cards(game, box), None
    if name_of_five(cards, wheel=True) == "high":
        row = (HIGH_ROWS | {QUEEN: "high_queen"}).get(max(card.rank for card in cards))
    post.settle_by(tables.LO_BALL[game.letter("lo_ball")], row)
