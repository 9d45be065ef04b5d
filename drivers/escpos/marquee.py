"""A line that does not fit runs through, so that it can be read to its end and begins again."""

from dataclasses import dataclass

from sabot.drivers.escpos.codec import WIDTH

GAP = b"   "
REST_STEPS = 3


@dataclass(slots=True)
class Marquee:
    """One line; it rests a while at its beginning."""

    line: bytes = b""
    step: int = 0

    @property
    def fits(self) -> bool:
        """Return whether there is nothing to run."""
        return len(self.line) <= WIDTH

    def advance(self) -> None:
        """One step on, or round again."""
        self.step = (self.step + 1) % (len(self.line) + len(GAP) + REST_STEPS)

    def shown(self) -> bytes:
        """The twenty cells of now."""
        if self.fits:
            return self.line.ljust(WIDTH)
        start = max(0, self.step - REST_STEPS)
        ring = self.line + GAP
        return (ring[start:] + ring)[:WIDTH]
