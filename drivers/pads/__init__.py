"""Bet pads and seat lamps over USB, in the convention of ``docs/sabot-pads.md``."""

from sabot.drivers.pads.convention import CONVENTION
from sabot.drivers.pads.driver import KIND

__all__ = ["CONVENTION", "KIND"]
