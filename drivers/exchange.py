"""Questions to a device: each has a deadline, a bounded number of tries, and exactly one end.

One question is on the wire at a time, for few conventions number theirs: an answer that comes after its
question was given up must not be taken for the answer to the next. Such answers are known by what they were
asked for, and counted.
"""

# Theory of operation. ``ask`` holds the turn (a lock) from its first sending to its end, so that at most one
# question is open. The driver hands every message to ``offer`` first: the open question takes what its own
# ``accepts`` takes. A question that ends with more sendings than answers leaves a ``Past`` behind; what that
# one accepts, and the open question does not, is a late answer and no news. Where both accept the same
# message (an acknowledgement without a number), the driver itself must wait until nothing can be under way
# (``AngelEyeDriver._trusted``). When the line goes down all of it is forgotten: no answer comes over another
# connection.

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Generic, TypeVar

from sabot.drivers.convention import Statistics
from sabot.drivers.errors import ERRORS, LinkError
from sabot.rules.frozen import mutable

PAST_MOST = 8
Message = TypeVar("Message")


@mutable
class Past(Generic[Message]):
    """A question that is over, and how many answers to its tries have not come."""

    accepts: Callable[[Message], bool]
    missing: int


class Exchanges(Generic[Message]):
    """The questions of one driver to its device."""

    def __init__(self, send: Callable[[bytes], bool], statistics: Statistics, device: str = "device") -> None:
        self._send, self._statistics, self._device = send, statistics, device
        self._turn = asyncio.Lock()
        self._accepts: Callable[[Message], bool] | None = None
        self._at_once: Callable[[Message], None] | None = None
        self._answer: asyncio.Future[Message] | None = None
        # A bound: of a device that never answers every question would stay here.
        self._past: deque[Past[Message]] = deque(maxlen=PAST_MOST)

    async def ask(
        self,
        request: bytes,
        accepts: Callable[[Message], bool],
        *,
        deadline_s: float,
        tries: int,
        at_once: Callable[[Message], None] | None = None,
    ) -> Message:
        """Return the answer, asking again where none comes in time; raise LinkError where none comes at all.

        ``at_once`` is called with it before anything that came behind it in the same read is heard.
        """
        async with self._turn:
            sent = answered = 0
            self._accepts, self._at_once = accepts, at_once
            try:
                while sent < tries:
                    sent += 1
                    self._statistics.retries += sent > 1
                    answer = await self._once(request, deadline_s)
                    if answer is not None:
                        answered = 1
                        return answer
            except LinkError:
                # What this line still owes will not come over the next one.
                sent = 0
                raise
            finally:
                self._accepts = self._at_once = self._answer = None
                # Each sending may still be answered. What comes then
                # is known by this and taken for nothing else.
                if sent > answered:
                    self._past.append(Past(accepts, sent - answered))
        raise LinkError(ERRORS["E-LINK-003"], self._device, deadline_s=deadline_s, tries=tries)

    async def _once(self, request: bytes, deadline_s: float) -> Message | None:
        self._answer = asyncio.get_running_loop().create_future()
        if not self._send(request):
            raise LinkError(ERRORS["E-LINK-006"], self._device, why="the line is down")
        try:
            async with asyncio.timeout(deadline_s):
                return await self._answer
        except TimeoutError:
            return None

    def offer(self, message: Message) -> bool:
        """Return whether this message answers the open question, and end that; count one that is late."""
        if self._answer is not None and not self._answer.done() and self._accepts and self._accepts(message):
            self._answer.set_result(message)
            # The question wakes at the loop's next turn; what came behind its answer is heard in this one.
            if self._at_once is not None:
                self._at_once(message)
            return True
        for past in self._past:
            if past.accepts(message):
                self._count_late(past)
                break
        return False

    def _count_late(self, past: Past[Message]) -> None:
        self._statistics.late_answers += 1
        past.missing -= 1
        if past.missing == 0:
            self._past.remove(past)

    def abandon(self, reason: str) -> None:
        """Fail the open question, and forget the past ones: the line is down."""
        # An answer that a line owed does not come over the next one.
        self._past.clear()
        if self._answer is not None and not self._answer.done():
            error = LinkError(ERRORS["E-LINK-006"], self._device, why=reason)
            self._answer.set_exception(error)
