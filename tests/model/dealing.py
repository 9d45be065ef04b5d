"""Puts cards on a random round: each place from one deck, then sealed cards off it again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .deck import PATTERNS, STRONG_PATTERNS, Deck
from .envy import keeps_cards
from .game import Game, Json, parse_all
from .hands import best_four, name_of_three

if TYPE_CHECKING:
    import random

Hands = dict[str, list[str]]

HAND_SIZE = {"pa641a": 5, "md4cp": 5, "pa679a": 3, "pa682a": 5, "pa683a": 2}
DEALER_SIZE = {"pa641a": 6, "md4cp": 6, "pa679a": 3, "pa682a": 6}
# the wager for which shared cards lie out, their place and how many they are
SHARED = {
    "pa641a": ("six_card", "six_card", 1),
    "md4cp": ("six_card", "six_card", 1),
    "pa679a": ("pair_bonus", "pair_bonus_card", 1),
    "pa682a": ("all_six", "all_six", 1),
    "pa683a": ("all_six", "all_six", 4),
}
# the wager on six cards, and where the player's cards find the others
SIX_CARD_WAGER = {
    "pa641a": ("six_card", "six_card"),
    "md4cp": ("six_card", "six_card"),
    "pa679a": ("all_six", "dealer"),
    "pa682a": ("all_six", "all_six"),
    "pa683a": ("all_six", "all_six"),
}


def deal_places(rng: random.Random, record: Json) -> None:
    """Half of the rounds by pure chance, half around hands worth a payment."""
    sizes = place_sizes(rng, record)
    deck = Deck(rng)
    built = rng.random() < 0.5
    dealt = staged_hands(rng, deck, record, sizes) if built else {}
    for place, size in sizes.items():
        if place not in dealt:
            dealt[place] = next_hand(rng, deck, dealt, size) if built else deck.chance(size)
    if rng.random() < 0.1:
        dealt = {place: [spell_out(card) for card in cards] for place, cards in dealt.items()}
    lay_out(record, dealt)


def place_sizes(rng: random.Random, record: Json) -> dict[str, int]:
    chapter, seats = record["chapter"], record["seats"]
    sizes: dict[str, int] = {}
    if chapter in DEALER_SIZE:
        sizes["dealer"] = DEALER_SIZE[chapter]
    else:
        sizes["community"] = 3
    wager, place, size = SHARED[chapter]
    wanted = any(wager in seat["wagers"] for seat in seats)
    own_card = record["options"].get("pair_bonus_card") == "own"
    md_deals_always = chapter == "md4cp" and rng.random() < 0.3
    if (wanted or md_deals_always) and not own_card:
        sizes[place] = size
    for seat in seats:
        sizes[f"seat{seat['seat']}"] = HAND_SIZE[chapter]
        if own_card and "pair_bonus" in seat["wagers"]:
            sizes[f"seat{seat['seat']}:fourth"] = 1
    return sizes


def staged_hands(rng: random.Random, deck: Deck, record: Json, sizes: dict[str, int]) -> Hands:
    """Two places that matter together: six cards of a royal, a bad beat, or equal hands."""
    if rng.random() < 0.45:
        return joint_hand(rng, deck, record, sizes)
    if "dealer" not in sizes:
        return {}
    seat = f"seat{rng.choice(record['seats'])['seat']}"
    dealer = deck.wanted(sizes["dealer"], STRONG_PATTERNS if rng.random() < 0.7 else PATTERNS)
    if rng.random() < 0.5:
        return {"dealer": dealer, seat: twin_of_dealer(deck, dealer, sizes[seat])}
    return {"dealer": dealer, seat: deck.wanted(sizes[seat], STRONG_PATTERNS)}


def joint_hand(rng: random.Random, deck: Deck, record: Json, sizes: dict[str, int]) -> Hands:
    """One hand made of a player's cards and of shared ones."""
    wager, partner = SIX_CARD_WAGER[record["chapter"]]
    bettors = [seat for seat in record["seats"] if wager in seat["wagers"]]
    if "community" in sizes and (not bettors or rng.random() < 0.6):
        partner = "community"
    if partner not in sizes:
        return {}
    seat = f"seat{rng.choice(bettors or record['seats'])['seat']}"
    size = sizes[seat] + sizes[partner]
    cards = deck.six_card_royal() if size == 6 and rng.random() < 0.6 else deck.wanted(size)
    return {seat: cards[: sizes[seat]], partner: cards[sizes[seat] :]}


def next_hand(rng: random.Random, deck: Deck, dealt: Hands, size: int) -> list[str]:
    """A pattern, chance, or the dealer's ranks again."""
    if "dealer" in dealt and size > 1 and rng.random() < 0.1:
        return twin_of_dealer(deck, dealt["dealer"], size)
    return deck.wanted(size) if rng.random() < 0.7 else deck.chance(size)


def twin_of_dealer(deck: Deck, dealer: list[str], size: int) -> list[str]:
    cards = parse_all(dealer)
    return deck.twin(cards if len(cards) == 3 else best_four(cards, "").cards, size)


def spell_out(card: str) -> str:
    return card.replace("T", "10")


def lay_out(record: Json, dealt: Hands) -> None:
    for place in ("dealer", "community", "six_card", "all_six", "pair_bonus_card"):
        if place in dealt:
            one_card = len(dealt[place]) == 1
            record[place] = dealt[place][0] if one_card else dealt[place]
    for seat in record["seats"]:
        seat["cards"] = dealt[f"seat{seat['seat']}"]
        if f"seat{seat['seat']}:fourth" in dealt:
            seat["fourth"] = dealt[f"seat{seat['seat']}:fourth"][0]


def hide_sealed_cards(rng: random.Random, record: Json, *, nothing_settled: bool) -> None:
    """Leave out, at times, the cards that a record keeps sealed."""
    game = Game(record)
    folded_away = {box.seat for box in game.boxes if box.folded and not keeps_cards(game, box)}
    envied = game.reading("envy_folded_holder") == "always"
    for seat in record["seats"]:
        sealed = nothing_settled or (seat["seat"] in folded_away and not envied)
        if sealed and rng.random() < 0.5:
            del seat["cards"]
            seat.pop("fourth", None)
        elif "fourth" in seat and is_under_a_pair(seat) and rng.random() < 0.5:
            del seat["fourth"]


def is_under_a_pair(seat: Json) -> bool:
    return name_of_three(parse_all(seat["cards"])) == "high"
