"""What was public, card by card and when; and what was said of a hand against what it was (x.6, x.11)."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from .finding import Finding, RoundRule, StepRule
from .hands import ORDER, SIZE, has_pair, name_of
from .story import TURN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .follow import Shift
    from .reading import Json, Step
    from .story import Round

CARD = re.compile(r"^[2-9TJQKA][cdhs]$")
# A row of 683a.12(b) that reads like a card.
ROWS = ("pair 6s to 10s",)
# A floorperson who lifts one of these has looked: the reader was wrong, and not the deck.
DECK_DOUBTS = ("composition", "deck_color", "unreadable_card")
EXPOSED = ("dealer_exposed", "community_exposed")


def is_doubted(round_: Round) -> bool:
    """Whether the readers of a round contradicted themselves, and a person looked."""
    return any(kind in DECK_DOUBTS for step in round_.steps for kind, _, _ in step.lifted)


def seat_of(place: str) -> int:
    """Return the seat whose cards lie at a place, 0 where they are nobody's alone."""
    found = re.match(r"seat(\d+)", place)
    return int(found[1]) if found else 0


def masked(_shift: Shift, step: Step) -> Iterator[Finding]:
    """No effect names a card that a player or the dealer holds; only a drawn magic card is open."""
    for effect in step.effects:
        for value in effect.values():
            words = _words(value) if isinstance(value, str) else value if isinstance(value, list) else ()
            if any(isinstance(word, str) and CARD.match(word) for word in words):
                yield Finding(step.entry, f"{effect['effect']} names a card")


def _words(text: str) -> list[str]:
    for row in ROWS:
        text = text.replace(row, "")
    return text.split()


class Turned:
    """What may lie face up in a round, computed from the order of x.11 and not from what the table says."""

    def __init__(self, shift: Shift, round_: Round, record: Json) -> None:
        self.shift, self.round, self.record = shift, round_, record
        self.law = shift.setup.law
        self.reveal = round_.revealed
        self.void = _void_entry(round_)
        self.turned = [step.entry for step in round_.confirmed(TURN)]
        self.turns = self._turns()
        self.left = self._left()
        self.faces = self._faces()

    def _turns(self) -> dict[int, int]:
        """When each seat's turn came: its lamp was lit and money of it moved, or was to."""
        turns: dict[int, int] = {}
        for step, effect in self.round.effects("LightSeat"):
            if self.reveal is not None and step.entry >= self.reveal.entry and effect["seat"]:
                turns.setdefault(effect["seat"], step.entry)
        return turns

    def _left(self) -> dict[int, int]:
        """From which entry on each player was gone (x.7(b)); a hand that was turned before stays turned."""
        said = {
            note["words"]: self.round.entry_at(note["at"])
            for note in self.record["notes"]
            if note["words"].endswith(" left the table")
        }
        return {seat: said.get(f"seat {seat} left the table", 0) for seat in self.record["left"]}

    def _faces(self) -> dict[str, list[str]]:
        """The cards that everybody saw, of a round that ended void too."""
        faces: dict[str, list[str]] = {}
        for step in self.round.steps:
            faces.update(step.shown or {})
        faces.update(self.record["public"])
        return faces

    def is_live(self, seat: int, wager: str, entry: int) -> bool:
        """Whether a wager is still to be settled by its cards at an entry: not folded, not left behind.

        Where x.13(d) has the optional wagers settled, a player who left is like any other.
        """
        if wager not in self.record["bets"].get(str(seat), {}):
            return False
        if self._is_void_by_exposure:
            return wager not in self.law.base()
        if self.left.get(seat, entry + 1) <= entry:
            return False
        return seat not in self.record["folded"] or wager not in self.shift.setup.lost_by_fold()

    def competes(self, seat: int, entry: int) -> bool:
        """Whether any wager of a seat is settled by its cards."""
        return any(self.is_live(seat, wager, entry) for wager in self.record["bets"].get(str(seat), {}))

    def why_not(self, place: str, cards: list[str], entry: int) -> tuple[str, str]:
        """Return why a place may not show so many cards at an entry, and which paragraph says so."""
        if place == "community":
            count = sum(each <= entry for each in self.turned)
            return (
                ("", "")
                if len(cards) <= count
                else (f"{len(cards)} community cards, {count} turned", "turned")
            )
        if place == "dealer":
            return self._why_not_dealer(cards, entry)
        if not self._is_revealed(entry):
            return f"{place} before the reveal", "in turn"
        return self._after_reveal(place, entry)

    def _why_not_dealer(self, cards: list[str], entry: int) -> tuple[str, str]:
        """With the reveal, and where the hands are void only for a wager that is settled by his."""
        if len(cards) <= bool(self.law.face_up):
            return "", ""
        if not self._is_revealed(entry):
            return "the dealer's cards before the reveal", "turned"
        bets = [(int(seat), wager) for seat in self.record["bets"] for wager in self.law.by_dealer]
        if self._is_void_by_exposure and not any(self.is_live(*bet, entry) for bet in bets):
            return "the dealer's cards, by which no wager is settled", "turned"
        return "", ""

    @property
    def _is_void_by_exposure(self) -> bool:
        return self.record["irregularity"] in EXPOSED and not self.record["void"]

    def _is_revealed(self, entry: int) -> bool:
        return self.reveal is not None and self.reveal.entry <= entry

    def _after_reveal(self, place: str, entry: int) -> tuple[str, str]:
        seat = seat_of(place)
        if seat and self.turns.get(seat, entry + 1) > entry:
            return f"{place} before its turn", "in turn"
        if seat and not self.competes(seat, entry):
            return f"{place}, of which no wager is alive", "forfeits"
        if seat and not place.endswith(":fourth"):
            return "", ""
        wager = {"six_card": "six_card", "all_six": "all_six"}.get(place, "pair_bonus")
        asking = [seat] if seat else [int(each) for each in self.record["bets"]]
        wanting = [
            each
            for each in asking
            if self.is_live(each, wager, entry) and self.turns.get(each, entry + 1) <= entry
        ]
        if not wanting:
            return f"{place} where nobody's {wager} was settled", "bonus card"
        if wager == "pair_bonus" and not any(self._has_pair(each) for each in wanting):
            return f"{place} without a pair or better", "bonus card"
        return "", ""

    def _has_pair(self, seat: int) -> bool:
        cards = self.faces.get(f"seat{seat}", [])
        return len(cards) == self.law.hand and has_pair(cards)


def _void_entry(round_: Round) -> int:
    """Return the entry in which the round became void for good, 0 where it did not."""
    entries = [step.entry for step, _ in round_.effects("VoidRound")]
    return entries[-1] if entries and round_.is_void else 0


def public_at_the_end(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """The record shows what x.11 had turned, and nothing else."""
    if record["by_hand"]:
        return
    turned = Turned(shift, round_, record)
    last = turned.void or round_.steps[-1].entry
    for place, cards in record["public"].items():
        why, about = turned.why_not(place, cards, last)
        if place == "discard" or why:
            words = why or "cards of the discard rack"
            yield Finding(round_.steps[-1].entry, f"the record shows {words}", about or "stub")


def public_in_time(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Where somebody kept what the pages showed: each card only from the moment it was turned."""
    turned, seen = Turned(shift, round_, record), set()
    for step in round_.steps:
        for place, cards in (step.shown or {}).items():
            why, about = turned.why_not(place, cards, step.entry)
            if why and place not in seen:
                seen.add(place)
                yield Finding(step.entry, f"shown: {why}", about)


def named(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A hand whose cards are public is named for what they make."""
    law = shift.setup.law
    for place, said in record["hands"].items() if not is_doubted(round_) else ():
        cards = [
            *record["public"].get(place, ()),
            *(record["public"].get("community", ()) if law.community else ()),
        ]
        size = {"dealer": law.dealer}.get(place, law.hand) + law.community
        if len(cards) != size or shift.setup.reading("wheel5", "yes") == "no":
            continue
        name = name_of(shift.setup.chapter, cards)
        if said.partition(" ")[0] != name:
            yield Finding(round_.steps[-1].entry, f"{place} is named {said} and its cards are {name}")


def class_decides(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """Where the classes differ the higher one has the Ante, read or declared (x.6(b), x.11(c))."""
    order, hands = ORDER[SIZE[shift.setup.chapter]], record["hands"]
    dealer = hands.get("dealer", "").partition(" ")[0]
    if dealer not in order or is_doubted(round_) or record["by_hand"]:
        return
    for line in record["lines"]:
        name = hands.get(f"seat{line['seat']}", "")
        if line["wager"] != "ante" or name not in order:
            continue
        better = order.index(dealer) - order.index(name)
        if (better > 0 and line["result"] == "lose") or (better < 0 and line["result"] == "win"):
            words = f"seat {line['seat']} has {name} against {dealer} and its ante did {line['result']}"
            yield Finding(round_.steps[-1].entry, words)


def twice(_shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """One deck has each card once."""
    count = Counter(card for cards in record["public"].values() for card in cards)
    for card, times in count.items():
        if times > 1 and not record["void"] and not is_doubted(round_):
            yield Finding(
                round_.steps[-1].entry, f"{card} lay on the felt {times} times and the round counted"
            )


# ---------------------------------------------------------------- declared hands


def read_is_not_asked(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """A hand whose cards were all read is not declared."""
    law, public = shift.setup.law, record["public"]
    for place, said in record["declared"].items() if not is_doubted(round_) else ():
        count = law.dealer if place == "dealer" else law.hand
        is_read = len(public.get(place, ())) == count and (
            place == "dealer" or not law.community or len(public.get("community", ())) == law.community
        )
        about_itself = [key for key in said if key in ("hand", "main")]
        if is_read and about_itself:
            yield Finding(round_.steps[-1].entry, f"{place} was read and declared as {said[about_itself[0]]}")


def declared_can_be(shift: Shift, round_: Round, record: Json) -> Iterator[Finding]:
    """What is declared does not contradict itself: class against class, and one deck."""
    declared, order = record["declared"], ORDER[SIZE[shift.setup.chapter]]
    dealer = declared.get("dealer", {}).get("hand")
    entry = round_.steps[-1].entry
    aces = sorted(place for place, said in declared.items() if "four_aces" in said.values())
    if len(aces) > 1:
        yield Finding(entry, f"{aces[0]} and {aces[1]} both hold four aces", "in turn")
    for place, said in declared.items():
        hand, wins = said.get("hand"), said.get("wins")
        if dealer in order and hand in order and wins in ("yes", "ties", "none", "no"):
            better = order.index(dealer) - order.index(hand)
            if (better > 0 and wins != "yes") or (better < 0 and wins in ("yes", "ties")):
                yield Finding(entry, f"{place} has {hand} against {dealer} and is said to win: {wins}")
        elif hand == "none" and dealer in order[:3] and wins in ("yes", "ties"):
            yield Finding(entry, f"{place} has none of the high hands and is said to win against {dealer}")
    boards = {said["board"] for said in declared.values() if "board" in said}
    if len(boards) > 1:
        yield Finding(entry, f"one board is {' and '.join(sorted(boards))}")


STEP_RULES = (StepRule("no card is told", "turned", "no effect names a card", masked),)
ROUND_RULES = (
    RoundRule("public at the end", "turned", "only turned cards in the record", public_at_the_end),
    RoundRule("public in time", "turned", "each card from when it is turned", public_in_time),
    RoundRule("named", "in turn", "a hand is what its cards make", named),
    RoundRule("class decides", "in turn", "the higher class has the ante", class_decides),
    RoundRule("one deck", "one deck", "no card twice", twice),
    RoundRule("read is not declared", "in turn", "a read hand is not asked about", read_is_not_asked),
    RoundRule("declared can be", "in turn", "declared hands agree with each other", declared_can_be),
)
