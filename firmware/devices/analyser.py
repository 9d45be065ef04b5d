"""The line analyser: bytes as they come, beside what they mean, and whether they mean anything.

Cards are secrets. The decoded words leave them out by themselves; the bytes are another way to the same card.
So the bytes of a message are shown only when they are certainly those of a message without a card: what is
noise, a copy, or failed its check may well be one with a card. While a table is open no bytes are shown.
"""

from collections.abc import Mapping
from dataclasses import astuple, dataclass, field, replace
from enum import Enum
from typing import Any

from sabot.drivers.convention import Convention
from sabot.drivers.options import Value
from sabot.rules.frozen import frozen

# Bytes: before so many nothing is said against a line. A quarter of them in messages is enough to be right.
ENOUGH = 32
LITTLE_SHARE = 0.25
WAITING_MOST = 64


class AmountShown(Enum):
    """The part of a line's traffic that may be shown."""

    ALL = "all"
    NO_CARDS = "no cards"
    WORDS_ONLY = "words only"


@frozen
class AnalysedMessage:
    """One line of the analyser; ``data`` is None where the bytes may not be seen."""

    at: float
    count: int
    data: bytes | None
    words: str = ""

    def as_json(self) -> dict[str, object]:
        """Return the line for other programs."""
        shown = None if self.data is None else self.data.hex(" ")
        return {"at": round(self.at, 6), "bytes": self.count, "hex": shown, "words": self.words}


@dataclass
class Analyser:
    """Reads one direction of one line."""

    convention: Convention
    options: Mapping[str, Value]
    shown: AmountShown
    total: int = 0
    understood: int = 0
    messages: int = 0
    _waiting: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        self.codec = self.convention.codec(self.options)

    def take(self, data: bytes, at: float) -> list[AnalysedMessage]:
        """Return the messages that these bytes complete."""
        found = [line for byte in data for line in self._take_byte(byte, at)]
        if len(self._waiting) >= WAITING_MOST:
            found += self.rest(at)
        return found

    def _take_byte(self, byte: int, at: float) -> list[AnalysedMessage]:
        """Take one byte at a time, so that a message is known by its last one."""
        self.total += 1
        self._waiting.append(byte)
        before, copies = self._troubles(), self.codec.statistics.duplicates
        messages = self.codec.receive(bytes((byte,)))
        is_clean = before == self._troubles()
        if messages:
            return self._understood(messages, at, is_clean=is_clean)
        if self.codec.statistics.duplicates > copies:
            self.understood += len(self._waiting)
            return self.rest(at, "a copy of what was said")
        return [] if is_clean else self.rest(at, "not a good message")

    def _understood(self, messages: list[Any], at: float, *, is_clean: bool) -> list[AnalysedMessage]:
        whole = self._take_waiting()
        self.messages += len(messages)
        self.understood += len(whole)
        see = self.shown is AmountShown.ALL
        words = "; ".join(self.convention.describe(message, see) for message in messages)
        has_card = any(self._has_card(message) for message in messages)
        may_see = see or (self.shown is AmountShown.NO_CARDS and is_clean and not has_card)
        return [AnalysedMessage(at, len(whole), whole if may_see else None, words)]

    def _has_card(self, message: object) -> bool:
        # By its words: what reads otherwise with cards shown than without has one.
        return self.convention.describe(message, True) != self.convention.describe(message, False)

    def rest(self, at: float, words: str = "no message yet") -> list[AnalysedMessage]:
        """Return the bytes that wait for the rest of their message, as they are."""
        waiting = self._take_waiting()
        shown = waiting if self.shown is AmountShown.ALL else None
        return [AnalysedMessage(at, len(waiting), shown, words)] if waiting else []

    def _take_waiting(self) -> bytes:
        waiting = bytes(self._waiting)
        self._waiting.clear()
        return waiting

    def _troubles(self) -> tuple[object, ...]:
        """Return all that the codec counts but good frames and how full its buffer was."""
        return astuple(replace(self.codec.statistics, frames_in=0, buffer_high_water=0))

    # ---------------------------------------------------------------- whether it means anything

    @property
    def share(self) -> float:
        """Return how much of what came was part of a message."""
        return self.understood / self.total if self.total else 0.0

    @property
    def looks_wrong(self) -> bool:
        """Return whether so little makes sense that the line is set wrongly."""
        return self.total >= ENOUGH and self.share < LITTLE_SHARE

    def verdict(self) -> str:
        """Return the verdict on the line in one sentence."""
        if not self.total:
            return "nothing was heard: the device is off, says nothing unasked, or its line is not this one"
        heard = f"{self.messages} messages; {self.share:.0%} of {self.total} bytes made sense"
        if self.looks_wrong:
            return f"{heard}: speed, parity or convention look wrong (try --scan)"
        return heard
