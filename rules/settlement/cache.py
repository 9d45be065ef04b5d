"""Settlements kept for the next round.

Rounds of one table share their options, and preparing a house costs more than settling a round.
"""

from sabot.rules.chapter import Chapter
from sabot.rules.round import Options
from sabot.rules.settlement.walk import Settlement

_MOST_KEPT = 256


class KeptSettlements:
    """The last few hundred different choices of an operator, each with its settlement."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], Settlement] = {}

    def __call__(self, chapter: Chapter, options: Options) -> Settlement:
        """Return the settlement of these choices, made when it is not there."""
        # Options hold mappings, which cannot be hashed, so their ``repr`` is the key.
        key = (chapter.id, repr(options))
        # Moved to the end, so that the first one is always the one that was not asked for longest.
        settlement = self._kept.pop(key, None) or Settlement(chapter, options)
        self._kept[key] = settlement
        if len(self._kept) > _MOST_KEPT:
            del self._kept[next(iter(self._kept))]
        return settlement
