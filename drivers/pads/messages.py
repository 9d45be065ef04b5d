"""The messages of Sabot pads as values: what ``docs/sabot-pads.md`` lists byte by byte.

Each side always says the whole: an ``Order`` is all that the host wants, a ``State`` all that the pad knows.
So nothing here is ever a difference, and a lost message leaves nothing to be repaired.
"""

from enum import IntEnum, IntFlag
from typing import NamedTuple

# A mask of spots is one u64, and the lamps of seats are eight bytes.
SEATS = 8
SPOTS = 64


class Cover(IntEnum):
    """The state of a spot, as the pad judges it."""

    EMPTY = 0
    COVERED = 1
    COVERED_LATE = 2
    LIFTED_LATE = 3
    CHANGED_LATE = 4
    BLIND = 5


class Lamp(IntEnum):
    """The lamp of a seat."""

    OFF = 0
    ON = 1
    SLOW = 2
    FAST = 3


class Can(IntFlag):
    """A capability of a pad."""

    VALUE = 1
    LIGHT = 2
    SPOT_LAMPS = 4
    SEAT_LAMPS = 8
    HOUSING = 16


class Flag(IntFlag):
    """A fault of a pad as a whole."""

    SELF_LOCKED = 1
    TEST_FAILED = 2
    HOUSING_OPEN = 4


DARK: tuple[Lamp, ...] = (Lamp.OFF,) * SEATS


class PadHello(NamedTuple):
    """The host begins a session."""

    lowest: int
    highest: int
    wants: int
    nonce: bytes
    key: bytes


class IdentityMessage(NamedTuple):
    """The pad says who it is."""

    version: int
    spots: int
    capabilities: Can
    boot: int
    nonce: bytes
    key: bytes
    public: bytes
    maker: str
    model: str
    serial: str
    firmware: str


class PadProve(NamedTuple):
    """Prove it."""


class PadProof(NamedTuple):
    """The proof."""

    signature: bytes


class PadOrder(NamedTuple):
    """All that the host wants."""

    locked: int
    expected: int = 0
    lit: int = 0
    seats: tuple[Lamp, ...] = DARK
    seen: int = 0


class PadSpot(NamedTuple):
    """The contents of one spot; None where the pad does not know."""

    cover: Cover
    changes: int
    light: int | None
    age_ms: int | None
    cents: int | None


class PadState(NamedTuple):
    """All that the pad knows."""

    locked: int
    expected: int
    lit: int
    seats: tuple[Lamp, ...]
    selflocks: int
    flags: Flag
    spots: tuple[PadSpot, ...]


Message = PadHello | IdentityMessage | PadProve | PadProof | PadOrder | PadState


class PadFrame(NamedTuple):
    """A message with its header; ``signed`` are the bytes that its MAC is made of."""

    message: Message
    session: int
    sequence: int = 0
    ack: int = 0
    time_ms: int = 0
    mac: bytes = b""
    signed: bytes = b""
