"""Settlement: every wager of a round, to the cent, with its paragraph.

``Settlement(chapter, options).settle(round)`` is the whole of it. ``house`` prepares a chapter under the
operator's choices, ``steps`` holds the kinds of settlement, ``round_settlement`` the money of one round,
``walk`` the order of it all, and the settlements that are kept for the next round.
"""

from sabot.rules.settlement.declared import Declared, DeclaredSeat
from sabot.rules.settlement.house import House, HouseError
from sabot.rules.settlement.walk import KeptSettlements, Settlement

__all__ = ["Declared", "DeclaredSeat", "House", "HouseError", "KeptSettlements", "Settlement"]
