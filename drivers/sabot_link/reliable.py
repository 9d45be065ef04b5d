"""One reliable frame at a time, each way: sequence, acknowledgement, bounded retry, duplicates.

Stop and wait is the simplest rule that loses nothing, and a card takes longer to move than its report to be
acknowledged. A sequence is used once in a session, so nothing old can come again as new.
"""

from collections import deque
from enum import Enum

from sabot.drivers.sabot_link.messages import Message
from sabot.rules.frozen import mutable

ACK_DEADLINE_S = 0.15
SENDINGS = 10


class FrameTaken(Enum):
    """The receiver's judgement on a numbered frame."""

    NEW = "new"
    DUPLICATE = "duplicate"
    AHEAD = "ahead"


@mutable
class Outgoing:
    """The frame that waits for its acknowledgement."""

    sequence: int
    message: Message
    due: float
    sendings: int = 0


class Reliable:
    """Both directions of one session."""

    def __init__(self) -> None:
        # The last sequence taken from the other side, which is what goes out as ``ack``; ours is ``_last``.
        self.taken = 0
        self.current: Outgoing | None = None
        self._waiting: deque[Message] = deque()
        self._last = 0

    def submit(self, message: Message, *, is_urgent: bool = False) -> None:
        """Queue a message; an urgent one goes before all that have not been sent yet."""
        if is_urgent:
            # HOLD before everything that waits. The frame under way goes first all the same: a sequence is
            # used once, and the other side expects that one.
            self._waiting.appendleft(message)
        else:
            self._waiting.append(message)

    def withdraw(self, kind: type[Message]) -> None:
        """Forget the messages of a kind that have not been sent yet."""
        self._waiting = deque(each for each in self._waiting if not isinstance(each, kind))

    def acknowledge(self, ack: int) -> None:
        """End the waiting for the frame that the other side names; any other number means nothing."""
        # Any other number is of a frame that was acknowledged before.
        if self.current is not None and self.current.sequence == ack:
            self.current = None

    def next_due(self, now: float) -> Outgoing | None:
        """Return the frame that is to be sent now, for the first time or again; None where none is due."""
        if self.current is None and self._waiting:
            self._last += 1
            self.current = Outgoing(self._last, self._waiting.popleft(), now)
        if self.current is None or now < self.current.due:
            return None
        self.current.sendings += 1
        self.current.due = now + ACK_DEADLINE_S
        return self.current

    @property
    def is_exhausted(self) -> bool:
        """Return whether the frame was sent in vain as often as it may be."""
        # Greater, not equal: the tenth sending gets its 150 ms as well.
        return self.current is not None and self.current.sendings > SENDINGS

    @property
    def deadline(self) -> float | None:
        """Return when ``next_due`` has something to say."""
        return self.current.due if self.current else None

    def take(self, sequence: int) -> FrameTaken:
        """Return what a reliable frame is by its number, and count it where it is the next."""
        if sequence == self.taken + 1:
            self.taken = sequence
            return FrameTaken.NEW
        return FrameTaken.DUPLICATE if sequence <= self.taken else FrameTaken.AHEAD
