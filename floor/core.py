"""The desk: takes what comes in, one after the other, and says what follows; pure but for signatures.

What a table says counts once and in its order: the next number is applied, a number again is nothing new, a
number beyond the next shows that one is missing, and an old number with other content shows a table that
forgot what it said. Whatever is forged, misshapen, doubled or out of order changes nothing; the verdict says
what it was.

A message that is in its turn and cannot be (an amount that the link does not know, a claim without a wager)
is entered too, refused with its reason: the table hears why, and its next number is not stuck behind it.
"""

# Theory of operation. A payload passes four gates in ``take``: it can be read, its table is enrolled, the
# table signed it, its number is the next. Only then does a handler change the state, and it may still refuse.
# What the handler did is drained from the books into the outcome, and the outcome is part of the entry that
# is chained: whoever does the same messages again from nothing must come to the same bytes (``verify``). So
# nothing here may depend on a clock, a store or a draw; the moment of an entry is handed in. Orders take the
# same way with people's signatures, but raise where a message would be refused: an order that cannot be is no
# entry, and the person who gave it hears so.

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from sabot.floor import messages, orders, wire
from sabot.floor.books import Movement
from sabot.floor.claims import CLAIMS
from sabot.floor.contributions import CONTRIBUTIONS
from sabot.floor.entry import FloorEntry, Last, link_of, outcome_text, signed_by
from sabot.floor.errors import FloorError
from sabot.floor.order_execution import ORDERS
from sabot.floor.orders import Signature
from sabot.floor.state import FloorState, TableState
from sabot.floor.work import OrderRefused, Work

# The content of a message that was applied, by table and number; None where it is unknown.
Recall = Callable[[str, int], bytes | None]


class Verdict(StrEnum):
    """The verdict on a payload."""

    APPLIED = "applied"
    AGAIN = "again"
    HEARTBEAT = "heartbeat"
    MISSING = "missing"
    FORGOT = "forgot"
    WAITS = "waits"
    FORGED = "forged"
    UNKNOWN = "unknown"
    MALFORMED = "malformed"


# These changed nothing because something is wrong; they are counted for people to see.
SEEN = (Verdict.MISSING, Verdict.FORGOT, Verdict.FORGED, Verdict.UNKNOWN, Verdict.MALFORMED)


class Said(NamedTuple):
    """A message of the floor to a table, not yet signed."""

    table: str
    number: int
    entry: int
    body: bytes


class FloorHandled(NamedTuple):
    """Wagers of a table that contributed (or were taken back, below nothing)."""

    table: str
    link: str
    wager: str
    wagers: int
    cents: int


class MessageTaken(NamedTuple):
    """The verdict on a payload, whose it is, up to which number it has heard the floor, and its clock."""

    verdict: Verdict
    table: str = ""
    heard: int = 0
    asked: str = ""


@dataclass(slots=True)
class Made:
    """Entries, messages and sums that the desk has made since it was last asked."""

    entries: list[FloorEntry] = field(default_factory=list)
    said: list[Said] = field(default_factory=list)
    handled: list[FloorHandled] = field(default_factory=list)
    movements: list[Movement] = field(default_factory=list)


Handler = Callable[[Work], None]
HANDLERS: dict[str, Handler] = {**CONTRIBUTIONS, **CLAIMS}


class FloorCore:
    """Applies what comes in to the state, and makes the entries of the ledger."""

    def __init__(self, state: FloorState, last: Last, recall: Recall = lambda _table, _number: None) -> None:
        self.state = state
        self.last = last
        self._recall = recall
        self._made = Made()

    def drain(self) -> Made:
        """Take out what was made since the last time."""
        made, self._made = self._made, Made()
        return made

    # ------------------------------------------------------------ tables

    def take(self, raw: bytes, at: str, *, stands_still: bool = False) -> MessageTaken:
        """Judge a payload that says it is of a table, and apply the next one, unless all stands still."""
        try:
            signature, body = wire.opened(raw)
            message = messages.read_up(body)
        except FloorError:
            return MessageTaken(Verdict.MALFORMED)
        # Before the signature: without an enrolled table there is no key to hold it against.
        table = self.state.tables.get(message["table"])
        if table is None or table.retired:
            return MessageTaken(Verdict.UNKNOWN, message["table"])
        if not wire.is_signed(table.key, wire.FROM_TABLE, body, signature):
            return MessageTaken(Verdict.FORGED, message["table"])
        verdict = self._judge(table, message, body)
        if verdict is Verdict.APPLIED and stands_still:
            verdict = Verdict.WAITS
        elif verdict is Verdict.APPLIED:
            self.apply(message, body, signature, at)
        return MessageTaken(
            verdict, message["table"], 0 if verdict in SEEN else message["heard"], message["at"]
        )

    def _judge(self, table: TableState, message: dict[str, Any], body: bytes) -> Verdict:
        # Its number is the last that was said: one beyond what was applied shows that a message was lost.
        if message["kind"] == messages.HEARTBEAT:
            return Verdict.MISSING if message["number"] > table.applied else Verdict.HEARTBEAT
        number = message["number"]
        if number > table.applied:
            return Verdict.APPLIED if number == table.applied + 1 else Verdict.MISSING
        known = self._known(message["table"], number)
        return Verdict.AGAIN if known == body else Verdict.FORGOT

    def _known(self, table: str, number: int) -> bytes | None:
        """Return the content applied under a number: by the ledger, or just now and not yet committed."""
        # The store does not have them before the commit.
        for entry in reversed(self._made.entries):
            if (entry.table, entry.message) == (table, number):
                return entry.content.encode()
        return self._recall(table, number)

    def apply(self, message: dict[str, Any], body: bytes, signature: bytes, at: str) -> FloorEntry:
        """Apply a message that is in its turn, and return its entry."""
        name = message["table"]
        work = Work(self.state, message, self.last.number + 1, at)
        try:
            HANDLERS[message["kind"]](work)
        except OrderRefused as refused:
            work.refuse(str(refused))
        # Also where it was refused: else the table would say it for ever, and nothing after it would count.
        self.state.tables[name].applied = message["number"]
        self.state.touch("table", name)
        return self._enter(work, body, (name, message["number"]), signature.hex())

    # ------------------------------------------------------------ people

    def order(self, body: bytes, signatures: Sequence[Signature], at: str) -> FloorEntry:
        """Carry out an order of people and return its entry; or raise FloorError, with nothing changed."""
        fields = orders.read(body)
        house = self.state.house
        # A signed order counts once: handed in again it has a number that is past.
        if fields["order"] != house.orders + 1:
            what = f"its number is {fields['order']}, the next is {house.orders + 1}"
            raise FloorError("E-FLOOR-002", "order", what=what)
        work = Work(self.state, fields, self.last.number + 1, at)
        verify, carry_out = ORDERS[fields["kind"]]
        # ``verify`` says whose signatures count: at the founding those of the people whom the order names.
        people = verify(work)
        orders.verify(body, fields, signatures, people)
        carry_out(work)
        self.state.house.orders += 1
        self.state.touch("house")
        return self._enter(work, body, ("", 0), signed_by(signatures))

    # ------------------------------------------------------------ the ledger

    def _enter(self, work: Work, body: bytes, whose: tuple[str, int], signatures: str) -> FloorEntry:
        moved = self.state.books.drain()
        outcome = outcome_text(moved, work.more)
        fields = (work.entry, work.at, work.message["kind"], *whose, body.decode(), signatures, outcome)
        entry = FloorEntry(*fields, link_of(self.last.link, fields))
        self.last = Last(entry.number, entry.link)
        self._made.entries.append(entry)
        self._made.movements += moved
        self._made.handled += [FloorHandled(whose[0], *each) for each in work.handled]
        for table, kind, values in work.said:
            self._made.said.append(self._say(table, kind, values))
        return entry

    def _say(self, name: str, kind: str, values: dict[str, object]) -> Said:
        table = self.state.tables[name]
        table.sent += 1
        self.state.touch("table", name)
        known = {**values, "table": name, "number": table.sent}
        body = wire.body_of(kind, {key: known[key] for key in messages.DOWN[kind]})
        return Said(name, table.sent, self.last.number, body)
