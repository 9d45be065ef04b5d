"""A table's end of the link, pure: what it says and when again, what it hears and believes.

The end numbers and signs what a table says and keeps saying it until the floor has acknowledged the number.
It takes what the floor has signed, in its order and once. The link is up while the floor answers what was
asked within five seconds, and takes what is said within five; it is down otherwise, and the end says why.
Time comes from outside in two forms: ``now`` counts seconds and never jumps, ``at`` is the clock that people
read and may.

What must survive a power cut is in ``Memory``; whoever owns the end keeps it (sabot.uplink.durable_end).
"""

# Theory of operation. Three questions are answered here, each by numbers alone. What is to be said:
# everything above ``applied``, in order, again each second, with a heartbeat that makes the floor answer.
# What is news: of the floor's numbered messages the next one, of values the one of a later entry. Is the link
# up: an answer proves it by ``asked``, the moment of a message that this end sent in the last five seconds,
# so one that was kept proves nothing. And the floor must go on: ``_taken`` is when it last took something
# while something waited. A board without its memory (``begun``) says nothing before the floor has told where
# it stands.
#
# Beside the link itself each amount must be young. An acknowledgement names the entry with which the ledger
# ended, and a value names its own; two seconds after an acknowledgement a value of that entry must be here
# (``_ripe``), or the sign is old.

from __future__ import annotations

from collections import Counter, deque
from typing import TYPE_CHECKING, Any

from sabot.floor import messages, table_state
from sabot.floor.errors import FloorError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sabot.floor.wire import MessageSigner

DOWN_AFTER_S = 5.0
OLD_AFTER_S = 2.0
BEAT_S = 1.0
AGAIN_S = 1.0
MOST_AT_ONCE = 100  # unacknowledged messages said in a row: a day without the link must not be one burst

Message = dict[str, Any]


# The entry with which the floor's ledger ended at its last acknowledgement, and the link of that entry.
Head = tuple[int, str]
BEFORE_FIRST: Head = (0, "0" * 64)


# These three are plain classes: a NamedTuple or a dataclass takes 4 to 8 kB of a table's memory for itself.
class Say:
    """A message that an entry of the table's journal makes."""

    __slots__ = ("kind", "values")

    def __init__(self, kind: str, values: dict[str, Any]) -> None:
        self.kind, self.values = kind, values


class Memory:
    """Everything that an end must not forget; ``waiting`` is what the floor has not acknowledged."""

    __slots__ = ("applied", "begun", "head", "heard", "said", "waiting")

    def __init__(
        self,
        *,
        begun: bool = False,
        said: int = 0,
        applied: int = 0,
        heard: int = 0,
        head: Head = BEFORE_FIRST,
        waiting: dict[int, bytes] | None = None,
    ) -> None:
        self.begun, self.said, self.applied, self.heard, self.head = begun, said, applied, heard, head
        self.waiting = {} if waiting is None else waiting


class Sign:
    """The sign of a linked meter: cents by level, and whether they are older than may be (PROG-12)."""

    __slots__ = ("cents", "hit", "is_old")

    def __init__(self, cents: dict[str, int], hit: list[Any], *, is_old: bool) -> None:
        self.cents, self.hit, self.is_old = cents, hit, is_old


class TableEnd:
    """One table's end."""

    def __init__(self, table: str, key: MessageSigner, floor_key: str, memory: Memory | None = None) -> None:
        self.table = table
        self.memory = memory or Memory()
        self.wrong: Counter[str] = Counter()
        self._key, self._floor_key = key, floor_key
        self._asked: dict[str, float] = {}
        self._answered: float | None = None
        self._taken = 0.0
        self._refusal = ""
        self._values: dict[str, Message] = {}
        self._entries: deque[tuple[float, int]] = deque()
        self._ripe = self.memory.head[0]
        self._beat: float | None = None
        self._again: float | None = None
        self._sent = 0

    # ------------------------------------------------------------ saying

    def say(self, kind: str, now: float, at: str, **values: object) -> bytes:
        """Number and sign a message, and return it; whoever owns the end keeps it before it is sent."""
        # A board with a new memory would begin at 1 again, and the floor would take it for one that forgot.
        if not self.memory.begun:
            raise FloorError("E-FLOOR-022", self.table, why="the floor was never heard")
        # Nothing waited until now, so the floor is not to blame for having taken nothing.
        if not self.memory.waiting:
            self._taken = now
        number = self.memory.said + 1
        raw = self._signed(kind, now, at, number=number, **values)
        self.memory.said = number
        self.memory.waiting[number] = raw
        return raw

    def _signed(self, kind: str, now: float, at: str, **values: object) -> bytes:
        fields = {"table": self.table, "heard": self.memory.heard, "at": at, **values}
        raw = messages.up(self._key, kind, **fields)
        self._forget_asked(now)
        # An answer proves the link by this moment, so no two messages may have the same.
        self._asked[at] = now
        return raw

    def _forget_asked(self, now: float) -> None:
        """Let go of what was asked too long ago: a floor may be silent for weeks.

        An answer that somebody kept and plays again proves nothing.
        """
        for at, since in list(self._asked.items()):
            if now - since <= DOWN_AFTER_S:
                break
            del self._asked[at]

    def due(self, now: float, at: str) -> Iterator[bytes]:
        """Yield what is to be sent now: new messages, those that were not acknowledged, a heartbeat."""
        # The floor takes numbers in their order alone: so from the first that it lacks.
        if self._again is None or now - self._again >= AGAIN_S:
            self._sent, self._again = self.memory.applied, now
        last = min(self.memory.said, self._sent + MOST_AT_ONCE)
        yield from (self.memory.waiting[number] for number in range(self._sent + 1, last + 1))
        self._sent = max(self._sent, last)
        if self._beat is None or now - self._beat >= BEAT_S:
            self._beat = now
            yield self._signed(messages.HEARTBEAT, now, at, number=self.memory.said)

    def state(self, at: str, values: Mapping[str, object]) -> bytes:
        """Return the payload of how the table is; raise FloorError where it could not be understood."""
        named = {"table": self.table, "at": at, "ledger": list(self.memory.head)}
        return table_state.state_of(self._key, {**values, **named})

    # ------------------------------------------------------------ hearing

    def hear(self, raw: bytes, now: float) -> Message | None:
        """Return a message of the floor that is news; None for one that was known, or is counted as wrong."""
        try:
            message = messages.read_down(raw, self._floor_key)
        except FloorError:
            self.wrong["forged"] += 1
            return None
        if message["kind"] == messages.VALUE:
            return self._value(message)
        if message["table"] != self.table:
            self.wrong["another's"] += 1
            return None
        if message["kind"] == messages.ACKNOWLEDGED:
            return self._acknowledged(message, now)
        return self._numbered(message)

    def _numbered(self, message: Message) -> Message | None:
        """Return a message that is in its turn; the floor says a later one again when it is."""
        if message["number"] != self.memory.heard + 1:
            self.wrong["early"] += message["number"] > self.memory.heard
            return None
        self.memory.heard += 1
        return message

    def _value(self, message: Message) -> Message | None:
        known = self._values.get(message["link"])
        # The broker keeps the last value for who comes later, and
        # may deliver an old one: a sign never goes back.
        if known is not None and (message["entry"], message["at"]) <= (known["entry"], known["at"]):
            return None
        self._values[message["link"]] = message
        return message

    def _acknowledged(self, message: Message, now: float) -> Message | None:
        self._forget_asked(now)
        since = self._asked.get(message["asked"])
        if since is None:
            self.wrong["stale"] += 1
            return None
        self._refusal = self._why_not(message)
        if self._refusal:
            self.wrong["not believed"] += 1
            return None
        return self._believe(message, now, since)

    def _why_not(self, message: Message) -> str:
        """Return why a fresh answer is not believed; nothing where it is."""
        memory, entry = self.memory, message["entry"]
        known, link = memory.head
        if memory.begun and message["applied"] > memory.said:
            return "the floor has heard what this board has not said"
        if memory.begun and message["heard"] > memory.heard:
            return "the floor was told of more than this board has kept"
        if entry < known or message["applied"] < memory.applied:
            return "the floor is older than what it acknowledged"
        if entry == known > 0 and message["head"] != link:
            return "the floor's ledger is another"
        return ""

    def _believe(self, message: Message, now: float, since: float) -> Message:
        memory = self.memory
        if not memory.begun:
            memory.begun, memory.said, memory.heard = True, message["applied"], message["heard"]
        for number in range(memory.applied + 1, message["applied"] + 1):
            memory.waiting.pop(number, None)
        self._sent = max(self._sent, message["applied"])
        if message["applied"] > memory.applied or not self._is_answered(now):
            self._taken = now
        memory.applied = message["applied"]
        memory.head = (message["entry"], message["head"])
        # The link is as young as the question, not as its answer:
        # an answer that was held back counts for less.
        self._answered = since if self._answered is None else max(self._answered, since)
        self._entries.append((now, message["entry"]))
        self._ripen(now)
        return message

    def _ripen(self, now: float) -> None:
        """Note how far the floor had gone two seconds ago."""
        # By acknowledgements that are two seconds old: a value has this long to arrive after them.
        while self._entries and now - self._entries[0][0] >= OLD_AFTER_S:
            self._ripe = max(self._ripe, self._entries.popleft()[1])

    # ------------------------------------------------------------ what the table may rely on

    def why_down(self, now: float) -> str:
        """Return why the link is down, in words for a display; nothing where it is up."""
        if self._is_answered(now):
            return "the floor takes nothing" if self._waits_for(now) > DOWN_AFTER_S else ""
        return self._refusal or ("the floor is silent" if self.memory.begun else "the floor was never heard")

    def _waits_for(self, now: float) -> float:
        """Return for how many seconds the floor has taken nothing of what waits."""
        return now - self._taken if self.memory.waiting else 0.0

    def _is_answered(self, now: float) -> bool:
        return self._answered is not None and now - self._answered <= DOWN_AFTER_S

    def why_closed(self, link: str, now: float) -> str:
        """Return why the spots of a link do not open for the next round (PROG-7), or nothing."""
        if why := self.why_down(now):
            return why
        value = self._values.get(link)
        if value is None:
            return "the floor has no such link"
        if not value["running"]:
            return "the link stands still"
        return "its amount is old" if self._is_old(value, now) else ""

    def config(self, link: str) -> int:
        """Return the configuration under which a wager of a link is taken now."""
        number: int = self._values[link]["config"]
        return number

    def sign(self, link: str, now: float) -> Sign | None:
        """Return what the sign of a link shows; None before the floor has said it."""
        value = self._values.get(link)
        if value is None:
            return None
        is_old = bool(self.why_down(now)) or self._is_old(value, now)
        return Sign(dict(value["levels"]), value["hit"], is_old=is_old)

    def _is_old(self, value: Message, now: float) -> bool:
        """Return whether the floor, or this end, has known for two seconds of more than the value shows."""
        self._ripen(now)
        return bool(value["entry"] < self._ripe) or self._waits_for(now) > OLD_AFTER_S
