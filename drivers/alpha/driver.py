"""The meter sign at work: what it should show is kept, and what it does show is read back.

A sign drops a damaged packet and says nothing, and anybody with a remote control can write another amount.
So an amount counts as shown only when the sign has read it out again; one that it will not take, or has
changed by itself, is a fault. A model that answers nothing is said to prove nothing.
"""

# Theory of operation. Two tables of files drive everything: ``_wanted`` is what the table ordered, ``_shown``
# what the sign was last known to hold. Orders only change ``_wanted`` and wake the work; ``_keep_up`` writes
# whatever differs until nothing does, so an amount that changes ten times while one is written is written
# once. ``_shown`` is a belief: it is emptied when the line comes up, and each look drops from it what the
# sign no longer holds. A file that the sign will not take counts as shown until the next look, so that the
# others are not held up by it. Everything goes one question at a time (``exchanges``), for answers have no
# number.

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from sabot.drivers.alpha import files
from sabot.drivers.alpha.codec import ANSWER, AlphaCodec, Packet
from sabot.drivers.alpha.profile import profile_of, written
from sabot.drivers.device import Host
from sabot.drivers.errors import LinkError
from sabot.drivers.options import Value
from sabot.drivers.wired import Say, WiredDriver
from sabot.statemachine.vocabulary.effects import (
    AnnounceHit,
    DropHit,
    Effect,
    FreezeHit,
    RecordRound,
    SetMeter,
    SilenceMeter,
)

# What a file is known by: the command that writes it, and its label.
File = tuple[str, bytes]
WORDS_MOST = 120
TEST_WORDS = "SIGN TEST $0,123,456,789.00"


class AlphaDriver(WiredDriver[Packet]):
    """One sign on one line."""

    kind = "alpha"
    codec: AlphaCodec

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        self.profile = profile_of(options, name)
        super().__init__(name, options, host, self.profile.line)
        self.is_mute = not self.profile.reads_back
        self._wanted: dict[File, Packet] = {}
        self._shown: dict[File, Packet] = {}
        self._wrong: set[File] = set()
        self._hits: dict[tuple[int, str], str] = {}
        self._cents: dict[tuple[str, str], int] = {}
        self._silent: dict[str, str] = {}
        self._elsewhere: dict[str, str] = {}
        self._wake = asyncio.Event()
        for page in self.profile.pages:
            self._want(files.page_text(page))
        # A hit that the program of before announced would stand there still.
        self._want(files.priority(""))

    def make_codec(self) -> AlphaCodec:
        """Return a fresh codec."""
        return AlphaCodec()

    def capabilities(self) -> tuple[str, ...]:
        """Return that it proves what it shows, or nothing; never who it is."""
        return ("reads back" if self.profile.reads_back else "proves nothing", "cannot authenticate")

    def state(self) -> dict[str, Value]:
        """Return the amounts that are wanted, and how many files the sign has not shown that it has."""
        amounts = {
            f"{page.meter}.{page.level}": self._amount_words(files.amount(page, ""))
            for page in self.profile.pages
        }
        waiting = sum(self._shown.get(file) != packet for file, packet in self._wanted.items())
        return {**amounts, "waiting": waiting, "wrong": len(self._wrong), "priority": self._priority_words()}

    def _amount_words(self, packet: Packet) -> str:
        wanted = self._wanted.get(_file_of(packet))
        return wanted.data[1:].decode("ascii") if wanted else ""

    # ---------------------------------------------------------------- orders

    def perform(self, effect: Effect) -> None:
        """Take an amount, or a hit until its round is recorded; ``work`` brings the sign to it."""
        match effect:
            case SetMeter(meter=meter, level=level, cents=cents):
                self._cents[meter, level] = cents
                self._show_meter(meter)
            case SilenceMeter(meter=meter, why=why):
                self._silent[meter] = why
                self._show_meter(meter)
            case AnnounceHit(meter=meter, table=table, cents=cents):
                amount = written(cents, self.profile.how)
                self._elsewhere[meter] = f"TABLE {table} WINS {amount}" if table else ""
                self._want(files.priority(self._priority_words()))
            case FreezeHit(seat=seat, wager=wager, cents=cents):
                amount = written(cents, self.profile.how)
                self._hits[seat, wager] = f"SEAT {seat} WINS {amount}"
                self._want(files.priority(self._priority_words()))
            case DropHit(seat=seat, wager=wager):
                self._hits.pop((seat, wager), None)
                self._want(files.priority(self._priority_words()))
            # The amount that was won stays on the sign until the round is over.
            case RecordRound() if self._hits:
                self._hits.clear()
                self._want(files.priority(self._priority_words()))

    def _show_meter(self, meter: str) -> None:
        """Want the amounts of a meter, or why there is none while its floor is not heard (PROG-12)."""
        silent = self._silent.get(meter, "")
        for page in self.profile.pages:
            cents = self._cents.get((page.meter, page.level))
            if page.meter == meter and (silent or cents is not None):
                amount = silent or written(cents or 0, self.profile.how)
                self._want(files.amount(page, amount))

    def _priority_words(self) -> str:
        """Return the newest hits, as many as a sign takes, none of them cut; those of other tables behind."""
        words = ""
        elsewhere = [words for words in self._elsewhere.values() if words]
        # Newest first, so that what no longer fits is the oldest; one that does not fit is left out whole,
        # for an amount cut short is a wrong amount.
        for hit in [*reversed(self._hits.values()), *elsewhere]:
            longer = f"{hit}  {words}".strip()
            words = longer if len(longer) <= WORDS_MOST else words
        return words

    def _want(self, packet: Packet) -> None:
        self._wanted[_file_of(packet)] = packet
        self._wake.set()

    # ---------------------------------------------------------------- the work of a line

    async def greet(self) -> None:
        """Make room for the pages, unless the sign has it already, and put everything where it belongs."""
        # What the sign showed before is believed no more: it may
        # have been another sign, or been without power.
        self._shown.clear()
        memory, sequence = files.configure(self.profile.pages), files.run(self.profile.pages)
        # Configuring erases everything and blanks the sign; so a sign that has its files keeps them.
        if not await self._holds(memory):
            await self._must_take(memory, "memory", self.profile.settle_s)
        if not await self._holds(sequence):
            await self._must_take(sequence, "order of pages")
        await self._keep_up()

    async def _must_take(self, packet: Packet, words: str, wait_s: float = 0.0) -> None:
        """Write a file that everything else rests on; it is a fault where the sign does not take it."""
        if not await self._put(packet, wait_s=wait_s):
            self.fault("device", f"the sign does not take its {words}")

    async def work(self) -> None:
        """Show what is new at once, and look now and then whether it is still there."""
        while True:
            try:
                async with asyncio.timeout(self.profile.check_s):
                    await self._wake.wait()
            except TimeoutError:
                await self._look()
            await self._keep_up()

    async def _keep_up(self) -> None:
        """Bring the sign to what is wanted, however often that changes meanwhile."""
        # Before the look: what is wanted from now on wakes the work again.
        self._wake.clear()
        while late := [each for each in self._wanted.items() if self._shown.get(each[0]) != each[1]]:
            for file, packet in late:
                # After a start the sign may hold it already: then it need not blink.
                if (file not in self._shown and await self._holds(packet)) or await self._put(packet):
                    self._is_right(file, packet)
                else:
                    self._is_wrong(file, packet)

    async def _look(self) -> None:
        """Read everything again; mark what the sign no longer holds, or cannot say, to be written anew."""
        for file, packet in list(self._shown.items()):
            if not await self._holds(packet):
                if self.profile.reads_back:
                    self._is_wrong(file, packet)
                # Not shown any more: the next turn writes it anew. A mute sign holds nothing that anybody
                # knows of, so each look tells it everything again.
                self._shown.pop(file, None)

    def _is_right(self, file: File, packet: Packet) -> None:
        self._shown[file] = packet
        self._wrong.discard(file)

    def _is_wrong(self, file: File, packet: Packet) -> None:
        """Report a file once; it counts as shown until the next look, and so holds up no other."""
        self._shown[file] = packet
        # Once for a file, until it is right again: a sign that is dark would raise a fault with every look.
        if file not in self._wrong:
            self._wrong.add(file)
            self.fault("contradiction", f"the sign does not show what was ordered: {_words(packet)}")

    # ---------------------------------------------------------------- one file

    async def _put(self, packet: Packet, *, wait_s: float = 0.0) -> bool:
        """Write a file, and return whether the sign reads it out as written; True for one that cannot."""
        for _ in range(self.profile.tries if self.profile.reads_back else 1):
            self.write(self._encoded(packet))
            await asyncio.sleep(wait_s)
            if not self.profile.reads_back or await self._holds(packet):
                return True
            self.statistics.retries += 1
        return False

    async def _holds(self, packet: Packet) -> bool:
        """Return whether the sign says that it holds this file; False where it says nothing at all."""
        if not self.profile.reads_back:
            return False
        question = _question_of(packet)
        answer = await self.exchanges.ask(
            self._encoded(question),
            # An answer without a checksum proves nothing, and no other file's answer this one.
            lambda each: each.kind == ANSWER and each.is_checked and files.is_answer(question, each),
            deadline_s=self.profile.deadline_s,
            tries=self.profile.tries,
        )
        return answer.data == packet.data

    def _encoded(self, packet: Packet) -> bytes:
        return self.codec.encode(replace(packet, kind=self.profile.sign_type, address=self.profile.address))

    def heard(self, message: Packet, _at: float) -> None:
        """Offer a packet as an answer: nothing else from a sign is ever believed."""
        self.exchanges.offer(message)

    # ---------------------------------------------------------------- people

    async def run_retest(self, fault: str) -> bool:
        """Return whether the sign shows now all that it should."""
        self.log.info("retest", fault=fault)
        good = True
        for file, packet in list(self._wanted.items()):
            if await self._holds(packet) or await self._put(packet):
                self._is_right(file, packet)
            else:
                good = False
        return good

    async def test(self, say: Say) -> bool:
        """Show a pattern over everything else, go back to what was there; return whether both were proved."""
        if not self.is_up:
            say(f"not there: {self._why}")
            return False
        try:
            good = await self._put(files.priority(TEST_WORDS))
            say(f"pattern {TEST_WORDS!r}: {_verdict(good, reads_back=self.profile.reads_back)}")
            back = await self._put(files.priority(self._priority_words()))
        except LinkError as error:
            say(error.what)
            return False
        say(f"back to the amounts: {_verdict(back, reads_back=self.profile.reads_back)}")
        return good and back


def _verdict(good: bool, *, reads_back: bool) -> str:  # noqa: FBT001 - it is what the verdict is of
    if not reads_back:
        return "sent; look at the sign, this model proves nothing"
    return "read back" if good else "not read back"


def _file_of(packet: Packet) -> File:
    return packet.command, packet.data[:1]


def _words(packet: Packet) -> str:
    return packet.data[1:].removeprefix(files.HOLD).decode("ascii", "replace") or "nothing"


def _question_of(packet: Packet) -> Packet:
    asked = {write: read for read, write in files.ANSWERED_WITH.items()}[packet.command]
    return Packet(asked, packet.data[:1])
