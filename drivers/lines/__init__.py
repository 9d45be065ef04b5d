"""Keys, switches, tower light and lock output on the pins of the board."""

from sabot.drivers.lines.driver import KIND

__all__ = ["KIND"]
