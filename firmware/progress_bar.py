"""A bar for what takes long, on standard error, and only where a person is looking at it."""

import sys
from typing import TextIO

from sabot.rules.odds.progress import Tick

WIDTH = 30


class ProgressBar:
    """Shows one stage after the other; between stages the line is empty."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.is_watched = self.stream.isatty()

    def stage(self, label: str, length: int) -> Tick:
        """Begin a stage, and return the function to call with how much more of it is done."""
        done = shown = 0

        def tick(more: int) -> None:
            nonlocal done, shown
            done += more
            percent = done * 100 // length
            if percent > shown:
                shown = percent
                self._show(label, percent)

        return tick if self.is_watched else _ignore

    def _show(self, label: str, percent: int) -> None:
        bar = "#" * (WIDTH * percent // 100)
        text = f"{label:<28} [{bar:<{WIDTH}}] {percent:3} %"
        # The finished bar makes way for the next line of the answer.
        self.stream.write("\r" + text if percent < 100 else "\r" + " " * len(text) + "\r")  # noqa: PLR2004
        self.stream.flush()


def _ignore(_more: int) -> None:
    return None
