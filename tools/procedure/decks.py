"""Decks: received and inspected, shuffled and cut, alternated, changed in time (x.3 to x.5, x.13(e))."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .finding import Finding, RoundRule, StepRule
from .law import BY_HAND, HAND_LIFE_S, OUR_POLICY, PACK, SHOE_LIFE_S, way
from .story import INSPECT, SHUFFLE, SPREAD, WASH, Deck, Receipt

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .follow import Shift
    from .reading import Json, Step
    from .story import Round

# x.4(a)-(c), in the words of a table that skipped it.
OPENING = (
    (INSPECT, "inspected", "the dealer's inspection"),
    ("verified", "inspected", "a floorperson's verification"),
    (SPREAD, "spread", "the spread for the first player"),
    (WASH, "washed", "the wash"),
)


def _deck(round_: Round, record: Json) -> Deck:
    """Return the deck of a round as it lay at the lock."""
    return round_.decks.get(record["deck"], Deck(record["deck"]))


def _is_preshuffled(shift: Shift, round_: Round, record: Json) -> bool:
    """Whether the cards came preshuffled (x.4(e)); of a deck that left in its first round nobody can say."""
    lot = record["lot"] or _deck(round_, record).lot
    return shift.lots.get(lot, ("", not lot))[1]


def life(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Hold the four and the eight hours against the time of the lock."""
    deck, methods = _deck(round_, record), {record["method"]}
    is_four = shift.setup.chapter == "pa683a" and shift.setup.reading("deck_life_683", "8h") == "4h"
    methods |= deck.methods
    is_short = any(way(each) == BY_HAND or (is_four and way(each) == "automated") for each in methods)
    limit = HAND_LIFE_S if is_short else SHOE_LIFE_S
    if deck.age_unknown:
        yield Finding(
            round_.lock.entry, f"nobody knows the age of deck {deck.name}: it was to be changed first"
        )
    elif deck.receipt is not None and round_.locked_at - deck.receipt.at > limit:
        hours = (round_.locked_at - deck.receipt.at) / 3600
        yield Finding(
            round_.lock.entry, f"deck {deck.name} was {hours:.1f} hours old, {limit / 3600:g} are allowed"
        )


def opened(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Inspected, verified, spread and washed, unless the cards came preshuffled (x.4(e))."""
    deck = _deck(round_, record)
    done = deck.receipt.done if deck.receipt else set()
    if _is_preshuffled(shift, round_, record) or (deck.receipt is None and not deck.is_beginning):
        return
    for step, about, words in OPENING:
        if step not in done:
            yield Finding(round_.lock.entry, f"lot {record['lot']} was dealt without {words}", about)


def verified_by_another(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A floorperson verifies what the dealer inspected: two people."""
    receipt = _deck(round_, record).receipt
    if receipt is None or _is_preshuffled(shift, round_, record) or "verified" not in receipt.done:
        return
    if not receipt.verified_by:
        yield Finding(round_.lock.entry, f"lot {record['lot']} was verified and no floorperson was there")
    elif receipt.verified_by == receipt.dealer:
        yield Finding(round_.lock.entry, f"{receipt.dealer} both inspected and verified lot {record['lot']}")


def shuffled(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """No cards are dealt twice without a shuffle between, after a void round neither."""
    deck = _deck(round_, record)
    if (
        deck.is_known
        and not deck.shuffled
        and not (_is_preshuffled(shift, round_, record) and not deck.rounds)
    ):
        yield Finding(
            round_.lock.entry, f"deck {deck.name} was dealt and had not been shuffled since it was last used"
        )


def reshuffled(_shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A shuffle that stopped is done again, from its beginning."""
    deck = _deck(round_, record)
    if deck.completed_after_stop:
        words = f"deck {deck.name}: the shuffle stopped, and what the device completed had no new start"
        yield Finding(round_.lock.entry, words)


def cut(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Shuffled by hand or preshuffled cards are cut; what a device shuffled is not."""
    deck = _deck(round_, record)
    is_preshuffled = _is_preshuffled(shift, round_, record) and not deck.rounds and not deck.is_by_device
    by_hand = deck.shuffled and not deck.is_by_device
    was_cut = deck.cut or any(True for _ in round_.confirmed("CUT"))
    if (by_hand or is_preshuffled) and not was_cut:
        yield Finding(round_.lock.entry, f"deck {deck.name} was dealt without a cut")


def wrong_count(shift: Shift, step: Step) -> Iterator[Finding]:
    """A deck that the device counted wrong leaves the table."""
    count, name = step.event.get("count"), step.event.get("deck")
    gone = [effect["deck"] for effect in step.all("RemoveDeck")]
    if _is_heard(shift, step) and count not in (None, PACK) and name not in gone:
        yield Finding(step.entry, f"the shuffler counted {count} cards in deck {name}, and it stayed")


def _is_heard(shift: Shift, step: Step) -> bool:
    """Whether a device speaks of a deck that it was to shuffle; of another it cannot know."""
    deck = shift.decks.get(step.event.get("deck", ""))
    is_told = step.name == "ShuffleCompleted" and not step.has("RefuseInput", "RaiseFault")
    is_doubted = ("contradiction", "shuffler") in shift.faults
    return is_told and not is_doubted and deck is not None and deck.met_order


def wrong_cards(shift: Shift, step: Step) -> Iterator[Finding]:
    """Faces that a shuffler read, where they are open, are a pack, or the deck leaves (our policy)."""
    faces, name = step.event.get("composition") or [], step.event.get("deck")
    is_read = bool(faces) and all(isinstance(face, str) for face in faces)
    gone = [effect["deck"] for effect in step.all("RemoveDeck")]
    is_wrong = is_read and len(set(faces)) != PACK
    if is_wrong and _is_heard(shift, step) and shift.setup.proves_cards and name not in gone:
        yield Finding(
            step.entry, f"the shuffler read {len(set(faces))} different cards in deck {name}, and it stayed"
        )


def alternate(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Of two decks each is used for every other round; without a shuffler there is one (x.3(a))."""
    deck, decks = _deck(round_, record), round_.decks
    # Kept, not named by their place in memory: another receipt could come to lie there.
    receipts = {name: each.receipt for name, each in decks.items()}
    last = shift.last_deck, shift.last_receipts
    shift.last_deck, shift.last_receipts = record["deck"], receipts
    # Out of order, the shuffler leaves one deck; once another is dealt again they take turns again.
    shift.is_one_deck = shift.is_one_deck and last[0] in ("", record["deck"])
    two = sum(each.in_use for each in decks.values()) > 1 and not (deck.was_by_hand or shift.is_one_deck)
    if two and last[0] == record["deck"] and _are_same(last[1], receipts):
        yield Finding(round_.lock.entry, f"deck {record['deck']} was used for two rounds together")


def _are_same(before: dict[str, Receipt | None], now: dict[str, Receipt | None]) -> bool:
    """Whether no deck came to the table or left it between two rounds."""
    return before.keys() == now.keys() and all(before[name] is now[name] for name in now)


def colors(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """The backs of two decks differ."""
    color = shift.lots.get(record["lot"], ("", False))[0]
    for name, other in round_.decks.items():
        is_same = color and color == shift.lots.get(other.lot, ("", False))[0]
        if name != record["deck"] and other.in_use and is_same:
            yield Finding(round_.lock.entry, f"both decks at the table are {color}")


def hand_needs_shuffler(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Cards dealt from the hand were shuffled by a device."""
    deck, is_by_hand = _deck(round_, record), way(record["method"]) == BY_HAND
    if is_by_hand and deck.shuffled and not deck.is_by_device:
        yield Finding(round_.lock.entry, "dealt from the hand after a shuffle by hand")
    for step in round_.confirmed(SHUFFLE) if is_by_hand else ():
        yield Finding(step.entry, "dealt from the hand after a shuffle by hand within the round")
    if shift.setup.decks > 1 and shift.setup.shuffler == "hand":
        yield Finding(round_.lock.entry, "two decks without an automated shuffler", "two decks")


STEP_RULES = (
    StepRule("wrong count leaves", "counted", "a deck counted wrong is removed", wrong_count),
    StepRule("wrong cards leave", OUR_POLICY, "a deck of other cards than 52 is removed", wrong_cards),
)
ROUND_RULES = (
    RoundRule("deck life", "life", "a deck is changed every four or eight hours", life),
    RoundRule("opened", "inspected", "inspected, verified, spread, washed", opened),
    RoundRule(
        "verified by another", "inspected", "a floorperson verifies the inspection", verified_by_another
    ),
    RoundRule("shuffled", "shuffled", "shuffled after each round", shuffled),
    RoundRule("shuffled again", "shuffler", "a shuffle that failed is done again", reshuffled),
    RoundRule("cut", "cut", "cut after a shuffle by hand", cut),
    RoundRule("alternate", "alternate", "two decks take turns", alternate),
    RoundRule("colors", "colors", "two decks differ in color", colors),
    RoundRule(
        "hand needs shuffler", "hand needs shuffler", "from the hand only after a device", hand_needs_shuffler
    ),
)
