"""The messages of Sabot Link: one frozen class each, its fields in the order of the bytes.

A message knows its layout and nothing of sessions. What names a card is masked in ``repr``: a message may be
logged, a card may not. Those of an electronic wagering system stand by themselves in ``account_messages``.
"""

from dataclasses import fields
from typing import Annotated

from sabot.drivers.sabot_link import account_messages as accounts
from sabot.drivers.sabot_link.fields import CARD_CODES, U8, U16, U32, Counted, Layout, Raw, layout_of
from sabot.drivers.sabot_link.message_base import (
    RELIABLE_FROM,
    Bit,
    Bytes32,
    Happened,
    Malformed,
    Message,
    Text,
    Unknown,
    one,
)
from sabot.rules.frozen import frozen

__all__ = ["RELIABLE_FROM", "Happened", "Malformed", "Message", "Unknown", "read", "write"]

# 0 is a deck without a name; commands that must name one list DECKS[1:].
DECKS = (0, *range(ord("A"), ord("Z") + 1))
NOT_READ = 255
Codes = Annotated[bytes, Counted(52, CARD_CODES, is_text=False)]
DeckName = Annotated[int, one(DECKS)]
ModeCode = Annotated[int, one((1, 2, 3, 4))]


# A field lists the values that its page does; any other makes the message ``Malformed``, which is
# acknowledged and taken for a fault of the device, and never guessed at. ``code`` and ``name`` are the
# class's and no fields.

# ---------------------------------------------------------------- the session


@frozen
class Hello(Message):
    """The host opens a session."""

    code = 0x01
    lowest: U8
    highest: U8
    wants: U8
    boot: U32
    event: U32
    nonce: Bytes32
    key: Bytes32


@frozen
class IdentityTold(Message):
    """The device says who it is."""

    code = 0x02
    version: U8
    kind: Annotated[int, one((1, 2, 3, 4))]
    capabilities: U16
    boot: U32
    nonce: Bytes32
    key: Bytes32
    public: Bytes32
    maker: Text
    model: Text
    serial: Text
    firmware: Text


@frozen
class Prove(Message):
    """The host asks for a proof."""

    code = 0x03


@frozen
class Proof(Message):
    """The device's signature over the transcript."""

    code = 0x04
    signature: Annotated[bytes, Raw(64)]


@frozen
class Parting(Message):
    """The sender ends the session."""

    code = 0x05
    reason: U8


@frozen
class Ack(Message):
    """Nothing to say but the acknowledgement in the header."""

    code = 0x06


@frozen
class Ping(Message):
    """The host asks for a sign of life."""

    code = 0x07
    token: U32


@frozen
class Pong(Message):
    """The sign of life, with the token that was asked for."""

    code = 0x08
    token: U32


# ---------------------------------------------------------------- commands


@frozen
class Query(Message):
    """The host asks how the device is."""

    code = 0x10


@frozen
class Shuffle(Message):
    """Shuffle the deck in the intake."""

    code = 0x11
    deck: Annotated[int, one(DECKS[1:])]


@frozen
class DispenseStack(Message):
    """Put out one stack."""

    code = 0x12
    order: U32
    deck: Annotated[int, one(DECKS[1:])]
    cards: Annotated[int, one(range(1, 53))]


@frozen
class HoldCards(Message):
    """Let no card out."""

    code = 0x13


@frozen
class FreeCards(Message):
    """Cards may come out again."""

    code = 0x14


@frozen
class EjectStubOrder(Message):
    """Put out what is left of a deck; without a name, whatever lies inside."""

    code = 0x15
    name = "EjectStub"
    deck: DeckName


@frozen
class Retest(Message):
    """Test the cause of a fault again."""

    code = 0x16
    fault: U8


@frozen
class ClearLatch(Message):
    """A person released the fault."""

    code = 0x17
    fault: U8


# ---------------------------------------------------------------- events of the device


@frozen
class CycleStarted(Happened):
    """A deck is being taken in."""

    code = 0x20
    deck: DeckName


@frozen
class CardRead(Happened):
    """One card was read at the intake."""

    code = 0x21
    index: U16
    rank: Annotated[int, one((0, *range(2, 15)))]
    suit: Annotated[int, one((0, 1, 2, 3, NOT_READ))]
    face: Annotated[int, one((0, 1, 2))]
    color: Annotated[int, one(range(8))]
    confidence: Annotated[int, one(range(101))]

    def __repr__(self) -> str:
        return f"CardRead(event={self.event}, index={self.index}, card=**)"


@frozen
class CycleCompleted(Happened):
    """The deck is shuffled."""

    code = 0x22
    deck: DeckName
    count: U8
    reads: U8
    digest: Bytes32


@frozen
class CycleStopped(Happened):
    """The cycle ended without a shuffled deck."""

    code = 0x23
    deck: DeckName
    cause: Annotated[int, one(range(1, 10))]
    count: U8


@frozen
class StackOut(Happened):
    """A stack lies in the exit."""

    code = 0x24
    order: U32
    deck: DeckName
    size: U8
    cards: Codes

    def __repr__(self) -> str:
        return f"StackOut(event={self.event}, order={self.order}, size={self.size}, cards=**)"


@frozen
class Jam(Happened):
    """Something is stuck."""

    code = 0x25
    place: Annotated[int, one(range(1, 6))]
    cause: Annotated[int, one(range(1, 6))]


@frozen
class DoorMoved(Happened):
    """A lid or door moved."""

    code = 0x26
    door: Annotated[int, one((1, 2, 3))]
    open: Bit


@frozen
class ModeChanged(Happened):
    """The mode was changed at the device."""

    code = 0x27
    mode: ModeCode


@frozen
class Emptied(Happened):
    """The device was emptied."""

    code = 0x28
    deck: DeckName
    cards_in: U16
    cards_out: U16


@frozen
class FaultMoved(Happened):
    """A fault is latched, or cleared."""

    code = 0x29
    fault: U8
    latched: Bit


@frozen
class Retested(Happened):
    """The cause was tested."""

    code = 0x2A
    fault: U8
    good: Bit


@frozen
class StubOut(Happened):
    """The stub lies in the exit."""

    code = 0x2B
    deck: DeckName
    count: U8


@frozen
class ExitCleared(Happened):
    """The exit is empty again."""

    code = 0x2C
    order: U32
    deck: DeckName


# ---------------------------------------------------------------- answers


@frozen
class Result(Message):
    """The device's answer to a command."""

    code = 0x30
    command: U32
    verdict: Annotated[int, one(range(12))]


@frozen
class MachineState(Message):
    """The status of the device."""

    code = 0x31
    name = "State"
    command: U32
    mode: ModeCode
    gate: Bit
    doors: Annotated[int, one(range(8))]
    fault: U8
    cycle: Annotated[int, one((0, 1, 2))]
    deck: DeckName
    exit: Bit
    first: DeckName
    first_cards: U8
    second: DeckName
    second_cards: U8
    inside: U16
    cycles: U32
    stacks: U32
    cards_out: U32
    kept: U16
    time: U32


_SESSION = (Hello, IdentityTold, Prove, Proof, Parting, Ack, Ping, Pong)
COMMANDS = (Query, Shuffle, DispenseStack, HoldCards, FreeCards, EjectStubOrder, Retest, ClearLatch)
_EVENTS = (
    *(CycleStarted, CardRead, CycleCompleted, CycleStopped, StackOut, Jam, DoorMoved, ModeChanged),
    *(Emptied, FaultMoved, Retested, StubOut, ExitCleared),
)
# Each names the command that it answers.
ANSWERS = (Result, MachineState, accounts.Standing, accounts.StakesTold)
TYPES: dict[int, type[Message]] = {
    each.code: each for each in (*_SESSION, *COMMANDS, *_EVENTS, Result, MachineState, *accounts.MESSAGES)
}
LAYOUTS: dict[int, Layout] = {code: layout_of(each) for code, each in TYPES.items()}


def read(code: int, payload: bytes) -> Message:
    """Return the message of a payload; what does not fit its layout is ``Malformed``, never an error."""
    layout = LAYOUTS.get(code)
    if layout is None:
        return Unknown(code, payload)
    values = layout.unpack(payload)
    return Malformed(code, payload) if values is None else TYPES[code](*values)


def write(message: Message) -> tuple[int, bytes]:
    """Return the type and the payload of a message."""
    if isinstance(message, Unknown):
        return message.type, message.payload
    values = tuple(getattr(message, each.name) for each in fields(message))
    return message.code, LAYOUTS[message.code].pack(values)
