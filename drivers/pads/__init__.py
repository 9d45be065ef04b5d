"""Bet pads and seat lamps over USB, in the convention of ``docs/sabot-pads.md``."""

# Theory of operation. The lock is a mask of spots, and it stands in the pad: what is placed on a locked spot
# is refused there, at its own time, whatever the wire and the program do meanwhile. The host says the whole
# order with every beat (``link``), the pad tells its whole state (``messages``), so a lost frame leaves
# nothing to be repaired. Nothing is opened before the pad has proved itself and told its state under
# everything locked (``session``, ``driver``). The pad judges what came late, for only the pad is there in
# time; the host checks that its word holds together from one state to the next (``consistency``), keeps what
# it doubts locked (``desired``), and tells the table only the news (``spot_news``).

from sabot.drivers.pads.convention import CONVENTION
from sabot.drivers.pads.driver import KIND

__all__ = ["CONVENTION", "KIND"]
