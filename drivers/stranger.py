"""The search for a stranger on a port: it is asked in the words of a missed device, and listened to.

It is done on a port whose own device is not heard, with the line settings of the one that is looked for. What
is asked there moves no card and changes nothing, whoever may hear it.
"""

import asyncio
from typing import Any

from sabot.drivers.convention import Codec, Recognition
from sabot.drivers.serial_link import SerialLink

OPEN_S = 3.0
# An answer counts from the second on, so one of three questions may be lost.
TRIES, ANSWERS_LEAST = 3, 2


class Stranger:
    """The listener on such a port."""

    def __init__(self, known: Recognition) -> None:
        self._known = known
        self._codec: Codec[Any] = known.codec()
        self._news = asyncio.Event()
        self._has_spoken = self._has_answered = False
        self._answers = 0

    @property
    def is_known(self) -> bool:
        """Return whether it can only be the device that is looked for."""
        return self._has_spoken or self._answers >= ANSWERS_LEAST

    def link_up(self) -> None:
        """Wake the search: the port is open."""
        self._news.set()

    def link_down(self, _reason: str) -> None:
        """Wake the search: the port is gone, or was never there."""
        self._news.set()

    def received(self, data: bytes, _at: float) -> None:
        """Take bytes, and note whether they are the voice or an answer of the device that is looked for."""
        for message in self._codec.receive(data):
            self._has_spoken |= self._known.is_voice(message)
            self._has_answered |= self._known.is_answer(message)
        if self._has_spoken or self._has_answered:
            self._news.set()

    async def news(self, within_s: float) -> None:
        """Wait for something that counts, for so long at most; one question has one answer at most."""
        try:
            async with asyncio.timeout(within_s):
                await self._news.wait()
        except TimeoutError:
            pass
        self._news.clear()
        # Once a question, however many such bytes came: noise brings many, a device one.
        self._answers += self._has_answered
        self._has_answered = False


async def is_there(port: str, known: Recognition) -> bool:
    """Return whether the device that is recognised so is at this port, which nobody else has open."""
    stranger = Stranger(known)
    link = SerialLink(port, known.line, stranger, now=asyncio.get_running_loop().time)
    link.start()
    try:
        await stranger.news(OPEN_S)
        for _ in range(TRIES):
            if not link.write(known.question()):
                return False
            await stranger.news(known.deadline_s)
            if stranger.is_known:
                return True
    finally:
        await link.stop()
    return False
