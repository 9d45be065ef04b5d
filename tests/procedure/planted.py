"""One violation of each rule at least, planted in a shift that really happened.

A plant changes a stream and says whether there was anything to change. It is about what the text forbids and not
about how the checker looks: a shuffle that was never made, a seat that was passed over, a card shown too early.
"""

from __future__ import annotations

from . import plants_cards, plants_deal, plants_decks, plants_irregular, plants_settle, plants_wagers

PLANTS = (
    *plants_decks.PLANTS,
    *plants_wagers.PLANTS,
    *plants_deal.PLANTS,
    *plants_irregular.PLANTS,
    *plants_cards.PLANTS,
    *plants_settle.PLANTS,
)
