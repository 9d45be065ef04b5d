"""682a, Four Card Prime: 682a.11(d) and (e) for one box, paragraph by paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tables
from .folds import booked_as_forfeit, live_post
from .hands import aces_bonus_row
from .six_card import settle_six_card

if TYPE_CHECKING:
    from .game import Box, Game

OPTIONAL = ("prime", "aces_bonus", "all_six")
WINS = "682a.11(d)(2)(i), 682a.12(a)"


def settle_box(game: Game, box: Box) -> None:
    settle_ante_and_raise(game, box)
    settle_optional(game, box)


def settle_optional(game: Game, box: Box) -> None:
    """682a.11(e), also after an exposed card (682a.13(d)); limits by 682a.12(g)."""
    settle_prime(game, box)
    settle_aces_bonus(game, box)
    post = live_post(game, box, "all_six", "682a.11(e)(3), 682a.12(f)")
    if post is not None:
        cards = box.cards + game.place("all_six")
        settle_six_card(post, cards, tables.SIX_CARD[game.letter("all_six")], limited=True)


def limit_covers_all(game: Game) -> bool:
    """L1: the text limits (e) and (f); "aggregate" could mean everything."""
    return game.reading("limit_682") == "all"


def settle_ante_and_raise(game: Game, box: Box) -> None:
    """682a.11(d)(2)."""
    if booked_as_forfeit(game, box, "ante"):
        return
    player, dealer = game.four_card_hands(box)
    if player.value < dealer.value:
        settle_beaten(game, box, player.name)
        return
    for wager in ("ante", "raise"):
        game.post(box, wager, WINS).win("1 to 1", "win", limited=limit_covers_all(game))
    is_tie = player.value == dealer.value
    if not (is_tie and game.reading("win_bonus_tie") == "no"):
        pay_win_bonus(game, box, player.name)


def pay_win_bonus(game: Game, box: Box, name: str) -> None:
    """682a.12(b): "25 for 1" is 25 times the ante beside the 1 to 1, or one less (P4)."""
    if name not in tables.WIN_BONUS:
        return
    cite = "682a.11(d)(2)(i), 682a.12(b)"
    post = game.bonus(box, "win_bonus", box.wagers["ante"], cite)
    multiple, limited = tables.WIN_BONUS[name], limit_covers_all(game)
    if game.reading("win_bonus_for") == "less_one":
        post.win(f"{multiple - 1} to 1", name, limited=limited)
    else:
        post.win(f"{multiple} for 1", name, limited=limited)


def settle_beaten(game: Game, box: Box, name: str) -> None:
    """682a.11(d)(2)(ii): from three of a kind up the ante goes back and earns a bonus."""
    odds = tables.BAD_BEAT_682A[game.letter("bad_beat")]
    if name not in odds:
        for wager in ("ante", "raise"):
            game.post(box, wager, "682a.11(d)(2)(ii)(A)").lose()
        return
    game.post(box, "ante", "682a.11(d)(2)(ii)(B)").returned()
    game.post(box, "raise", "682a.11(d)(2)(ii)(B)").lose()
    cite = "682a.11(d)(2)(ii)(B), 682a.12(c)"
    bonus = game.bonus(box, "bad_beat", box.wagers["ante"], cite)
    bonus.win(odds[name], name, limited=limit_covers_all(game))


def settle_prime(game: Game, box: Box) -> None:
    """682a.11(e)(1): four or five of one color, paid by the better row alone (R16)."""
    post = live_post(game, box, "prime", "682a.11(e)(1), 682a.12(d)")
    if post is None:
        return
    red = sum(card.suit in "dh" for card in box.cards)
    row = {5: "five_same_color", 4: "four_same_color"}.get(max(red, 5 - red))
    odds = tables.PRIME_682A[game.letter("prime")]
    post.settle_by(odds, row, limited=limit_covers_all(game))


def settle_aces_bonus(game: Game, box: Box) -> None:
    """682a.11(e)(2); five-card flushes and straights by the text, four-card by R1."""
    post = live_post(game, box, "aces_bonus", "682a.11(e)(2), 682a.12(e)")
    if post is None:
        return
    if game.reading("aces_bonus") == "four":
        row = aces_bonus_row(box.cards, 4, ace_low=True)
    else:
        row = aces_bonus_row(box.cards, 5, ace_low=game.wheel)
    post.settle_by(tables.ACES_BONUS[game.letter("aces_bonus")], row, limited=True)
