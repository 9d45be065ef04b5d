"""641a, Four Card Poker: 641a.11(c)(3) to (8) for one box, paragraph by paragraph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import tables
from .envy import pay_envy
from .folds import booked_as_forfeit, is_lost, live_post
from .hands import (
    ACE,
    Card,
    best_five_name,
    best_four,
    count_rank,
    four_card_row,
    parse,
)
from .on_meter import percent_and_level, settle_on_meter
from .six_card import settle_six_card

if TYPE_CHECKING:
    from .game import Box, Game, Post


def settle_box(game: Game, box: Box) -> None:
    settle_ante_and_play(game, box)
    settle_aces_up(game, box)
    settle_prog4(game, box)
    settle_prog5(game, box)
    settle_bad_beat(game, box)
    settle_hand_bonuses(game, box)
    post = live_post(game, box, "six_card", "641a.11(c)(8), 641a.12(h)")
    if post is not None:
        odds = tables.SIX_CARD[game.letter("six_card")]
        settle_six_card(post, box.cards + game.place("six_card"), odds)


def settle_ante_and_play(game: Game, box: Box) -> None:
    """641a.11(c)(3): a tie is paid."""
    if "ante" not in box.wagers or booked_as_forfeit(game, box, "ante"):
        return
    player, dealer = game.four_card_hands(box)
    wins = player.value >= dealer.value
    for wager in ("ante", "play"):
        if wins:
            game.post(box, wager, "641a.11(c)(3)(ii), 641a.12(a)").win("1 to 1", "win")
        else:
            game.post(box, wager, "641a.11(c)(3)(i)").lose()
    if wins or game.reading("ante_bonus_losing") != "no":
        pay_ante_bonus(game.bonus(box, "ante_bonus", box.wagers["ante"], "641a.12(b)"), player.name)


def pay_ante_bonus(post: Post, name: str) -> None:
    """641a.12(b), MD 12.B: on the ante alone (P14)."""
    if name in tables.ANTE_BONUS:
        post.win(tables.ANTE_BONUS[name], name)


def settle_aces_up(game: Game, box: Box) -> None:
    """641a.11(c)(4)."""
    post = live_post(game, box, "aces_up", "641a.11(c)(4), 641a.12(c)")
    if post is not None:
        row = aces_up_row(box.cards, game.tiebreak)
        post.settle_by(tables.ACES_UP[game.letter("aces_up")], row)


def aces_up_row(cards: tuple[Card, ...], tiebreak: str) -> str:
    hand = best_four(cards, tiebreak)
    is_pair_of_aces = hand.name == "pair" and count_rank(hand.cards, ACE) == 2
    return "pair_of_aces" if is_pair_of_aces else hand.name


def settle_prog4(game: Game, box: Box) -> None:
    """641a.11(c)(5) with 641a.12(d), then the envy bonuses of (c)(5)(v)(A)."""
    if "prog4" not in box.wagers:
        return
    letter = game.letter("prog4")
    post = live_post(game, box, "prog4", "641a.11(c)(5), 641a.12(d)")
    if post is not None:
        row = four_card_row(box.cards, game.tiebreak)
        resets = for_one(tables.PROG4_SEED[letter], game.unit)
        settle_on_meter(post, "prog4", tables.PROG4[letter], row, resets)
    amounts = tables.ENVY4[game.options["paytables"].get("envy4", letter)]
    pay_envy(game, box, "prog4", amounts, lambda cards: four_card_row(cards, game.tiebreak))


def settle_prog5(game: Game, box: Box) -> None:
    """641a.11(c)(5) with 641a.12(e), then the envy bonuses of (c)(5)(v)(B)."""
    if "prog5" not in box.wagers:
        return
    letter = game.letter("prog5")
    post = live_post(game, box, "prog5", "641a.11(c)(5), 641a.12(e)")
    if post is not None:
        row = best_five_name(box.cards, wheel=game.wheel)
        resets = for_one(tables.PROG5_SEED[letter], game.unit)
        settle_on_meter(post, "prog5", tables.PROG5[letter], row, resets)
    amounts = tables.ENVY5
    pay_envy(game, box, "prog5", amounts, lambda cards: best_five_name(cards, wheel=game.wheel))


def for_one(dollars: dict[str, int], unit: int) -> dict[str, int]:
    """Cents of "$5,000 for 1" at the wager offered (T2)."""
    return {level: amount * unit for level, amount in dollars.items()}


def settle_bad_beat(game: Game, box: Box) -> None:
    """641a.11(c)(6): the losing hand, whichever side it is on, must be two pair or better."""
    post = live_post(game, box, "bad_beat", "641a.11(c)(6), 641a.12(f)")
    if post is None:
        return
    player, dealer = game.four_card_hands(box)
    if player.value == dealer.value:
        post.lose()
        return
    losing = min(player, dealer, key=lambda hand: hand.value)
    post.settle_by(tables.BAD_BEAT_641A[game.letter("bad_beat")], losing.name)


def settle_hand_bonuses(game: Game, box: Box) -> None:
    """641a.11(c)(7); which of two hits on one meter comes first is a reading (G1)."""
    settlements = [settle_player_hand_bonus, settle_dealer_hand_bonus]
    if game.reading("hand_bonus_first") == "dealer":
        settlements.reverse()
    for settle in settlements:
        settle(game, box)


def settle_player_hand_bonus(game: Game, box: Box) -> None:
    post = live_post(game, box, "hand_bonus_player", "641a.11(c)(7), 641a.12(g)")
    if post is not None:
        row = best_five_name(box.cards, wheel=game.wheel)
        settle_on_meter(post, "hand_bonus", tables.HAND_BONUS, row, {"main": 0})
        pay_magic_and_lucky(post, box.cards, lucky=box.seat)


def settle_dealer_hand_bonus(game: Game, box: Box) -> None:
    """641a.11(c)(7) on the first five of the dealer's cards (G6)."""
    post = live_post(game, box, "hand_bonus_dealer", "641a.11(c)(7), 641a.12(g)")
    if post is None:
        return
    first_five = game.dealer[:5]
    row = best_five_name(first_five, wheel=game.wheel)
    text = tables.HAND_BONUS.get(row, "")
    if "%" in text:
        post.win_amount(dealer_jackpot_share(game, text), text, row)
    else:
        post.settle_by(tables.HAND_BONUS, row)
    pay_magic_and_lucky(post, first_five, lucky="dealer")


def dealer_jackpot_share(game: Game, text: str) -> int:
    """641a.12(g)(2): divided equally, fixed and taken off when the first is paid (T7)."""
    if game.dealer_jackpot_share is None:
        percent, level = percent_and_level(text)
        on_meter = game.meters["hand_bonus"][level]
        sharers = sum(shares_dealer_jackpot(game, box) for box in game.boxes)
        game.dealer_jackpot_share = on_meter * percent // 100 // sharers
        game.meters["hand_bonus"][level] = on_meter - game.dealer_jackpot_share * sharers
    return game.dealer_jackpot_share


def shares_dealer_jackpot(game: Game, box: Box) -> bool:
    alive = not box.abandoned and not is_lost(game, box, "hand_bonus_dealer")
    return alive and "hand_bonus_dealer" in box.wagers


def pay_magic_and_lucky(post: Post, cards: tuple[Card, ...], lucky: int | str) -> None:
    """641a.12(g)(3): each if its draw was made, whatever the hand did (G2, G4, G5)."""
    game, draws = post.game, post.game.record.get("draws", {})
    if "magic_card" in draws and parse(draws["magic_card"]) in cards:
        bonus = game.bonus(post.box, f"{post.wager}:magic_card", post.stake, "641a.12(g)(3)")
        bonus.win(tables.MAGIC_CARD, "magic_card")
    if draws.get("lucky") == lucky:
        bonus = game.bonus(post.box, f"{post.wager}:lucky_bonus", post.stake, "641a.12(g)(3)")
        bonus.win(tables.LUCKY_BONUS, "lucky_bonus")
