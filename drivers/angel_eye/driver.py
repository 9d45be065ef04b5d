"""The reading shoe at work: its cards as events, and the table's halt as a lock that was acknowledged.

The lock is the safe direction. It goes out at once, also while another question is open, and counts as done
only by an acknowledgement that can be no other question's: answers of this dialect carry no number. Whatever
the shoe loses when it starts anew or comes back on the line, the last order is given again.
"""

# Theory of operation. ``wanted`` is what the table ordered, ``locked`` what the shoe is known to be (None:
# not known), and ``_keep_order`` works until the two agree. An acknowledgement is one byte without a number,
# so it proves something only when no other can be under way: ``_quiet_at`` is the moment from which that
# holds, and a command that matters (``_trusted``) waits for it. A halt cannot wait, so it is written at once,
# past any open question, and then ordered a second time by the rule. In the other direction nothing is
# hurried: before each sending of a command to free the shoe it is asked again whether the table still wants
# that.

import asyncio
from collections.abc import Callable, Mapping
from functools import partial

from sabot.drivers.angel_eye.codec import AngelEyeCodec
from sabot.drivers.angel_eye.messages import (
    ASK,
    LOCK,
    UNLOCK,
    Message,
    Nak,
    Report,
    ShoeAck,
    ShoeCommand,
    clear,
    reason_of,
    refusal,
)
from sabot.drivers.angel_eye.messages import ERRORS as ERROR_WORDS
from sabot.drivers.angel_eye.profile import SCHEMA
from sabot.drivers.angel_eye.reports import ShoeReports
from sabot.drivers.convention import LineSettings
from sabot.drivers.device import Host
from sabot.drivers.errors import ERRORS, LinkError
from sabot.drivers.options import Value, defaults
from sabot.drivers.wired import Say, WiredDriver
from sabot.statemachine.vocabulary.effects import Effect, FreeShoe, HaltShoe

# Longer than any frame takes: ten bytes at 4800 baud are 21 ms.
SILENCE_S = 0.25
# A command that came twice is answered twice, the second time this soon.
SETTLE_S = 0.1
AtOnce = Callable[[Message], None]
# Refusals that the line may have caused (line error, check, ETX, format) or that pass (busy, write busy).
WORTH_ANOTHER_TRY = frozenset(range(1, 5)) | {8, 9}


def _is_answer(message: Message) -> bool:
    return isinstance(message, (ShoeAck, Nak))


class AngelEyeDriver(WiredDriver[Message]):
    """One shoe on one line."""

    kind = "angel-eye"
    codec: AngelEyeCodec

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        said = defaults(SCHEMA) | dict(options)
        super().__init__(name, said, host, LineSettings(baud=int(said["baud"])))
        self.telling = ShoeReports(self)
        self.wanted: bool | None = None
        self.locked: bool | None = None
        self._wake = asyncio.Event()
        self._read_at = self._quiet_at = self._heard_at = 0.0
        self._is_refused = self._is_refusal_told = False
        self._denials = 0

    def make_codec(self) -> AngelEyeCodec:
        """Return a codec with this shoe's quirks."""
        return AngelEyeCodec(self.options)

    def capabilities(self) -> tuple[str, ...]:
        """Return that it reads each card, and proves nothing of itself."""
        return ("reads each card", "locks", "cannot authenticate")

    def state(self) -> dict[str, Value]:
        """Return the known state of the shoe."""
        names = {True: "locked", False: "free", None: "not known"}
        ordered = "nothing" if self.wanted is None else names[self.wanted]
        counts = self.telling.counts()
        return {"lock": names[self.locked], "ordered": ordered, "error": self.telling.error, **counts}

    # ---------------------------------------------------------------- orders

    def perform(self, effect: Effect) -> None:
        """Halt or free the shoe."""
        if isinstance(effect, HaltShoe):
            self._order(is_locked=True)
        elif isinstance(effect, FreeShoe):
            self._order(is_locked=False)

    def _order(self, *, is_locked: bool) -> None:
        self.wanted, self.locked, self._is_refused = is_locked, None, False
        # At once, past a question that is open: the lock waits for no answer. Its own answer
        # then cannot be told from the answer to that question, so the order is given once more
        # when none can be under way (``_keep_order``).
        if is_locked and self.link.is_up:
            self.write(self.codec.encode(LOCK))
            self._distrust(self._deadline_s)
        self._wake.set()

    def _distrust(self, for_s: float) -> None:
        """Trust no answer for so long: one that is under way may be to an earlier question."""
        self._quiet_at = max(self._quiet_at, asyncio.get_running_loop().time() + for_s)

    @property
    def _deadline_s(self) -> float:
        return float(self.options["deadline_s"])

    # ---------------------------------------------------------------- the work of a line

    async def greet(self) -> None:
        """Hear from the shoe, and bring its lock to what was ordered."""
        # Half a frame from before the line died is none.
        self.codec.fall_silent()
        self.locked = None
        await self._ask(ASK)
        await self._keep_order()

    async def work(self) -> None:
        """Keep the order, and ask an idle shoe whether it is still there."""
        poll_s = float(self.options["poll_s"])
        while True:
            try:
                async with asyncio.timeout(poll_s):
                    await self._wake.wait()
            except TimeoutError:
                # A refused order is tried again at the next look, not at once.
                self._is_refused = False
                self._denials = 0
            self._wake.clear()
            await self._clear_what_is_nothing()
            await self._keep_order()
            # A shoe that has just reported a card need not be asked whether it is there.
            if asyncio.get_running_loop().time() - self._heard_at >= poll_s:
                await self._ask(ASK)

    async def _clear_what_is_nothing(self) -> None:
        """Clear an error that only means a slow dealer or a game of its own, without a person."""
        if self.telling.error and self.telling.is_harmless:
            await self._trusted(clear(self.telling.error))

    async def _keep_order(self) -> None:
        """Bring the lock to what was ordered, however often that changes meanwhile."""
        while self.wanted is not None and self.locked != self.wanted and not self._is_refused:
            wanted = self.wanted
            obeyed = partial(self._obeyed, is_locked=wanted)
            answer = await (self._trusted(LOCK, obeyed) if wanted else self._free(obeyed))
            # The order may have changed while its answer was awaited: then the refusal is of another one.
            if self.wanted is wanted and isinstance(answer, Nak):
                self._refused(answer, is_locked=wanted)

    async def _free(self, obeyed: AtOnce) -> Message | None:
        """Clear its error, free it and return the answer; lock it once before, if it has numbered nothing."""
        if self.telling.error:
            answer = await self._trusted(clear(self.telling.error))
            # What it dealt in its error would be out of play, so it is not freed before its error is gone.
            if isinstance(answer, Nak) and self._is_in_error():
                return answer
        # Its report that the lock changed (L) brings a number: from then on a first card that is lost is
        # missed.
        if not self.codec.knows_next:
            await self._trusted(LOCK)
        return await self._trusted(UNLOCK, obeyed)

    def _is_in_error(self) -> bool:
        """Return whether it is in an error that means something here."""
        return bool(self.telling.error) and not self.telling.is_harmless

    def _obeyed(self, answer: Message, *, is_locked: bool) -> None:
        """Note that the order is carried out, unless it has changed meanwhile.

        Called before anything that came behind the acknowledgement in the same read is heard: a report of the
        lock there is judged by this order already.
        """
        if isinstance(answer, ShoeAck) and self.wanted is is_locked:
            self.locked, self._is_refusal_told = is_locked, False

    def _refused(self, answer: Nak, *, is_locked: bool) -> None:
        """Report a refused order once; it is tried again at the next look."""
        self._is_refused = True
        if not self._is_refusal_told:
            self._is_refusal_told = True
            words = "locked" if is_locked else "freed"
            self.fault("device", f"the shoe refused to be {words}: {refusal(answer.code)}")

    async def _trusted(self, command: ShoeCommand, at_once: AtOnce | None = None) -> Message | None:
        """Return the answer to a command that matters: it is sent when no other answer can be under way."""
        loop = asyncio.get_running_loop()
        while (wait_s := self._quiet_at - loop.time()) > 0:  # noqa: ASYNC110 - a new order may put it off
            await asyncio.sleep(wait_s)
        answer = await self._ask(command, at_once)
        if isinstance(answer, ShoeAck) and command.kind == "EC":
            self.telling.error = 0
        return answer

    async def _ask(self, command: ShoeCommand, at_once: AtOnce | None = None) -> Message | None:
        """Return the answer, or None where this would free a shoe that is halted or in error."""
        tries = int(self.options["tries"])
        for left in reversed(range(tries)):
            # Asked before every sending: a halt that came meanwhile must not be undone by a second try, and
            # an error that came meanwhile is to be cleared first, though the table has freed it again by now.
            if command == UNLOCK and (self.wanted or self._is_in_error()):
                return None
            answer = await self._once(command, at_once)
            if answer is None:
                self.statistics.retries += bool(left)
            elif not left or _number(answer) not in WORTH_ANOTHER_TRY:
                return answer
            else:
                self.statistics.refused += 1
                await asyncio.sleep(SILENCE_S)
        raise LinkError(ERRORS["E-LINK-003"], self.name, deadline_s=self._deadline_s, tries=tries)

    async def _once(self, command: ShoeCommand, at_once: AtOnce | None) -> Message | None:
        """Return the answer to one sending, None where there is none in time."""
        request = self.codec.encode(command)
        try:
            return await self.exchanges.ask(
                request, _is_answer, deadline_s=self._deadline_s, tries=1, at_once=at_once
            )
        except LinkError:
            if not self.link.is_up:
                raise
            # It may still answer: the next question must not take that for its own.
            self._distrust(self._deadline_s)
            return None

    # ---------------------------------------------------------------- what comes

    def completed(self, data: bytes, at: float) -> list[Message]:
        """Return the messages that these bytes complete; after silence what was cut short is given up."""
        found = self.codec.fall_silent() if at - self._read_at >= SILENCE_S else []
        self._read_at, seen = at, self.codec.statistics.duplicates
        found += self.codec.receive(data)
        # A copy means that the shoe has missed the acknowledgement.
        if self.codec.profile.acknowledge_reports and self.codec.statistics.duplicates > seen:
            self.write(self.codec.encode(ShoeAck()))
        return found

    def heard(self, message: Message, at: float) -> None:
        """Take an answer to the question that waits for it, and a report to the table."""
        self._heard_at = asyncio.get_running_loop().time()
        if _is_answer(message):
            # A command that came twice over a bad line is answered twice.
            self._distrust(SETTLE_S)
            self.exchanges.offer(message)
        elif isinstance(message, Report):
            if self.codec.profile.acknowledge_reports:
                self.write(self.codec.encode(ShoeAck()))
            self.telling.tell(message, at)

    def lost_its_order(self) -> None:
        """Order the lock again: the shoe is not as it was ordered."""
        self.locked, self._is_refused = None, False
        self._wake.set()

    def lock_denied(self, value: int, at: float) -> None:
        """Order the lock again, but not without end: perhaps L means the contrary of the profile."""
        self._denials += 1
        if self._denials == 1:
            words = "the lock of the shoe was changed by other hands"
        else:
            acknowledged = "locked" if self.locked else "free"
            words = f"acknowledged as {acknowledged}, and L says {value}: see free_value and locked_value"
        self.fault("contradiction", words, at)
        self.lost_its_order()
        self._is_refused = self._denials > 1  # it would say so each time: no sooner than at the next look

    def look_again(self) -> None:
        """Wake the work: something is to be done now and not at the next poll."""
        self._wake.set()

    # ---------------------------------------------------------------- people

    async def run_retest(self, fault: str) -> bool:
        """Clear the shoe's error, if it has one, and return whether it answers without one."""
        self.log.info("retest", fault=fault)
        if self.telling.error:
            await self._trusted(clear(self.telling.error))
        answer = await self._ask(ASK)
        return isinstance(answer, ShoeAck) and not self.telling.error

    def doubt(self) -> str:
        """Return the error in which the shoe stays, though it was told to clear it."""
        error = self.telling.error
        if not error:
            return "the shoe refused to say that it is there"
        words = ERROR_WORDS.get(error, f"an error that is not known ({error})")
        return f"the shoe stays in error: {words} (take away the cause at the shoe, then test again)"

    async def test(self, say: Say) -> bool:
        """Return whether it is there, locks, and opens unless the table has halted it; restore the order."""
        if not self.is_up:
            say(f"not there: {self._why}")
            return False
        before, self.locked = self.telling.lock_changes, None  # what it says of its lock now is no news
        try:
            answers = [await self._tried(command, words, say) for command, words in _STEPS]
        except LinkError:
            return False
        good = not (self._is_in_error() or any(isinstance(answer, Nak) for answer in answers))
        if good and answers[-1] is not None:
            good = await self._lock_was_told(before, say)
        self.lost_its_order()
        return good

    async def _tried(self, command: ShoeCommand, words: str, say: Say) -> Message | None:
        """Send one command of the test, say what came of it, and return the answer."""
        try:
            answer = await self._trusted(command)
        except LinkError as error:
            say(f"{words}: {error.what}")
            raise
        say(f"{words}: {self._why_not_free() if answer is None else _verdict(answer)}")
        return answer

    def _why_not_free(self) -> str:
        return "not while the table has halted the shoe" if self.wanted else "not while it is in error"

    async def _lock_was_told(self, before: int, say: Say) -> bool:
        """Return whether the shoe itself said that its lock changed.

        The acknowledgement alone proves nothing.
        """
        await asyncio.sleep(self._deadline_s)
        if self.telling.lock_changes > before:
            say("its lock: the shoe reported that it changed")
            return True
        say("its lock: acknowledged, but no change was reported (L); lock it and draw a card by hand")
        return False

    async def leave(self) -> None:
        """Lock the shoe."""
        # No card may leave a shoe that nobody watches.
        await self.exchanges.ask(
            self.codec.encode(LOCK), _is_answer, deadline_s=self._deadline_s, tries=int(self.options["tries"])
        )


_STEPS = ((ASK, "is it there"), (LOCK, "lock"), (UNLOCK, "free"))


def _verdict(answer: Message) -> str:
    return refusal(answer.code) if isinstance(answer, Nak) else "good"


def _number(answer: Message) -> int:
    return reason_of(answer.code) if isinstance(answer, Nak) else 0
