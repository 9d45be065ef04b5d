"""One cycle of a shuffler: the reads of the intake, and whether three witnesses agree.

The device's counter, its single reads and its digest must say the same. The host believes the single reads
and recomputes the rest; the reads are forgotten as soon as the table has them.
"""

import hashlib
from collections import Counter
from dataclasses import field

from sabot.drivers.sabot_link.messages import CardRead, CycleCompleted
from sabot.drivers.sabot_link.words import COLORS, COUNTS, READS_INTAKE, card_of
from sabot.rules.frozen import mutable

FACE_UP = 2


def digest_of(cards: list[int | None]) -> bytes:
    """Return the composition digest: how often each card was read, without any order."""
    counts = bytearray(53)
    for card in cards:
        counts[52 if card is None else card] += 1
    # Counts by card and no order: the digest proves the deck and tells nobody how it lies.
    return hashlib.sha256(b"sabot-link/1 composition" + bytes(counts)).digest()


@mutable
class Intake:
    """The cycle that is under way."""

    deck: str
    confidence: int
    code: int = 0
    cards: list[int | None] = field(default_factory=list, repr=False)
    doubtful: list[int] = field(default_factory=list)
    face_up: list[int] = field(default_factory=list)
    colors: Counter[int] = field(default_factory=Counter)

    def add(self, read: CardRead) -> bool:
        """Take one more card; return False where it comes out of its turn."""
        if read.index != len(self.cards) + 1:
            return False
        card = card_of(read.rank, read.suit)
        self.cards.append(card)
        self.colors[read.color] += 1
        if card is None or read.confidence < self.confidence:
            self.doubtful.append(read.index)
        if read.face == FACE_UP:
            self.face_up.append(read.index)
        return True

    def contradiction(self, said: CycleCompleted, capabilities: int) -> str:
        """Return how the device contradicts itself, empty where it does not."""
        reads = len(self.cards)
        if not capabilities & READS_INTAKE:
            return f"{reads} cards read by a device that cannot read" if reads or said.reads else ""
        if said.reads != reads:
            return f"it says that it read {said.reads} cards and reported {reads}"
        if capabilities & COUNTS and said.count != reads:
            return f"it counted {said.count} cards and read {reads}"
        # The device's summary only cross-checks; what counts are the single reads.
        if said.digest != digest_of(self.cards):
            return "its digest is not that of the cards that it read"
        return ""

    def wrong_color(self, expected: str) -> str:
        """Return which colors do not belong; where none is expected, the most frequent is the deck's own."""
        seen = {COLORS[color]: count for color, count in self.colors.most_common() if color}
        own = expected or next(iter(seen), "")
        others = [f"{count} {color}" for color, count in seen.items() if color != own]
        return f"{' and '.join(others)} card(s) in a deck that is {own}" if others else ""
