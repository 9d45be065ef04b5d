"""Maryland Four Card Poker: chapter 11.D(4) to (10) for one box, paragraph by paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tables
from .envy import pay_envy
from .folds import booked_as_forfeit, live_post
from .hands import Card, best_five_name, four_card_row
from .on_meter import settle_on_meter
from .pa641a import aces_up_row, pay_ante_bonus
from .six_card import six_card_row

if TYPE_CHECKING:
    from .game import Box, Game

FOUR_CARD_LETTERS = ("A", "B")


def settle_box(game: Game, box: Box) -> None:
    settle_ante_and_play(game, box)
    settle_aces_up(game, box)
    settle_six_card_bonus(game, box)
    settle_progressive(game, box)


def settle_ante_and_play(game: Game, box: Box) -> None:
    """11.D(4)(c): a tie is paid."""
    if "ante" not in box.wagers or booked_as_forfeit(game, box, "ante"):
        return
    player, dealer = game.four_card_hands(box)
    wins = player.value >= dealer.value
    for wager in ("ante", "play"):
        if wins:
            game.post(box, wager, "ch.11.D(4)(c)(ii), 12.A").win("1 to 1", "win")
        else:
            game.post(box, wager, "ch.11.D(4)(c)(i)").lose()
    if wins or game.reading("ante_bonus_losing") != "no":
        pay_ante_bonus(game.bonus(box, "ante_bonus", box.wagers["ante"], "ch.12.B"), player.name)


def settle_aces_up(game: Game, box: Box) -> None:
    """11.D(5)-(6)."""
    post = live_post(game, box, "aces_up", "ch.11.D(5), 12.C")
    if post is not None:
        row = aces_up_row(box.cards, game.tiebreak)
        post.settle_by(tables.ACES_UP[game.letter("aces_up")], row)


def settle_six_card_bonus(game: Game, box: Box) -> None:
    """11.D(7); a Super Royal is an amount whatever the stake, which goes back too (M2)."""
    post = live_post(game, box, "six_card", "ch.11.D(7), 12.H")
    if post is None:
        return
    odds = tables.MD_SIX_CARD[game.letter("six_card")]
    cards = box.cards + game.place("six_card")
    row = six_card_row(cards, odds, wheel=game.wheel, royal="super_royal")
    if row is not None and odds[row].startswith("$"):
        house_keeps = game.reading("md_super_royal_stake") == "kept"
        post.win_amount(int(odds[row][1:]) * 100, odds[row], row, house_keeps=house_keeps)
    else:
        post.settle_by(odds, row)


def settle_progressive(game: Game, box: Box) -> None:
    """11.D(8)-(10), then the envy bonuses of 11.D(10)(e)."""
    if "progressive" not in box.wagers:
        return
    letter = game.letter("progressive")
    post = live_post(game, box, "progressive", "ch.11.D(8)-(10), 12.D")
    if post is not None:
        row, resets = progressive_row(game, letter, box.cards), game.options.get("meter_reset", {})
        settle_on_meter(post, "progressive", tables.MD_PROGRESSIVE[letter], row, resets)
    envy = envy_letter(game, letter)
    pay_envy(game, box, "progressive", tables.MD_ENVY[envy], lambda c: envy_row(game, envy, c))


def progressive_row(game: Game, letter: str, cards: tuple[Card, ...]) -> str:
    """M3: A and B pay four-card hands, C to F five-card hands."""
    if letter in FOUR_CARD_LETTERS:
        return four_card_row(cards, game.tiebreak)
    return best_five_name(cards, wheel=game.wheel)


def envy_letter(game: Game, progressive_letter: str) -> str:
    """M1: what C evidently means is printed under D."""
    letter: str = game.options["paytables"].get("envy", progressive_letter)
    return "D" if letter == "C" and game.reading("md_envy_c") == "royal" else letter


def envy_row(game: Game, letter: str, cards: tuple[Card, ...]) -> str:
    """C as printed pays four of a kind, which only the four-card names tell from four aces."""
    return progressive_row(game, "A" if letter == "C" else letter, cards)
