"""679a, Three Card Prime: 679a.11(c)(3) and (d) for one box, paragraph by paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tables
from .folds import booked_as_forfeit, live_post
from .hands import QUEEN, Card, Ranked, one_color, ranked_three
from .six_card import settle_six_card

if TYPE_CHECKING:
    from .game import Box, Game

OPTIONAL = ("prime", "pair_bonus", "all_six")


def settle_box(game: Game, box: Box) -> None:
    settle_ante_and_play(game, box)
    settle_optional(game, box)


def settle_optional(game: Game, box: Box) -> None:
    """679a.11(d), also after an exposed card (679a.13(d))."""
    settle_prime(game, box)
    settle_pair_bonus(game, box)
    post = live_post(game, box, "all_six", "679a.11(d)(3), 679a.12(g)")
    if post is not None:
        settle_six_card(post, box.cards + game.dealer, tables.SIX_CARD[game.letter("all_six")])


def qualifies(dealer: Ranked) -> bool:
    """679a.1: queen high or better, hence any pair or better too (R17)."""
    return dealer.name != "high" or max(card.rank for card in dealer.cards) >= QUEEN


def settle_ante_and_play(game: Game, box: Box) -> None:
    """679a.11(c)(3)."""
    if booked_as_forfeit(game, box, "ante"):
        return
    player = ranked_three(box.cards, game.tiebreak)
    dealer = ranked_three(game.dealer, game.tiebreak)
    if not qualifies(dealer):
        game.post(box, "ante", "679a.11(c)(3)(i)").returned()
        play = game.post(box, "play", "679a.11(c)(3)(i), 679a.12(a)")
        play.win("1 to 1", "win", limited=True)
    elif player.value >= dealer.value:
        pay_win(game, box, player.name)
    else:
        settle_beaten(game, box, player.name)


def pay_win(game: Game, box: Box, name: str) -> None:
    """679a.11(c)(3)(ii)."""
    ante = game.post(box, "ante", "679a.11(c)(3)(ii), 679a.12(a)")
    ante.win("1 to 1", "win", limited=True)
    play = game.post(box, "play", "679a.11(c)(3)(ii), 679a.12(b)")
    row = name if name in tables.PLAY_679A else "flush_or_lower"
    play.win(tables.PLAY_679A.get(row, "1 to 1"), row, limited=True)


def settle_beaten(game: Game, box: Box, name: str) -> None:
    """679a.11(c)(3)(iii) and (iv): the ante is lost, the play wager may earn a bonus (P2)."""
    odds = tables.BAD_BEAT_679A[game.letter("bad_beat")]
    if name not in odds:
        for wager in ("ante", "play"):
            game.post(box, wager, "679a.11(c)(3)(iii)").lose()
        return
    game.post(box, "ante", "679a.11(c)(3)(iv)").lose()
    play = game.post(box, "play", "679a.11(c)(3)(iv), 679a.12(c)")
    house_keeps = game.reading("bad_beat_play") == "kept"
    play.win(odds[name], f"bad_beat:{name}", house_keeps=house_keeps)


def settle_prime(game: Game, box: Box) -> None:
    """679a.11(d)(1)."""
    post = live_post(game, box, "prime", "679a.11(d)(1), 679a.12(d)")
    if post is None:
        return
    row = None
    if one_color(box.cards):
        all_six = one_color(box.cards + game.dealer)
        row = "same_color_player_dealer" if all_six else "same_color_player"
    post.settle_by(tables.PRIME_679A, row)


def settle_pair_bonus(game: Game, box: Box) -> None:
    """679a.11(d)(2): the extra card is turned for a winning hand only, and picks the table."""
    post = live_post(game, box, "pair_bonus", "679a.11(d)(2), 679a.12(e)")
    if post is None:
        return
    name = ranked_three(box.cards, game.tiebreak).name
    if name in tables.PAIR_BONUS and extra_card(game, box).rank == 2:
        two = game.post(box, "pair_bonus", "679a.11(d)(2), 679a.12(f)")
        two.settle_by(tables.PAIR_BONUS_TWO[game.letter("pair_bonus_two")], name)
    else:
        post.settle_by(tables.PAIR_BONUS, name)


def extra_card(game: Game, box: Box) -> Card:
    """The player's fourth card, or the community card of 679a.8(h)."""
    if game.options.get("pair_bonus_card") == "community":
        return game.place("pair_bonus_card")[0]
    if box.fourth is None:
        raise ValueError(f"{box.name}: the pair bonus won, but the fourth card is not known")
    return box.fourth
