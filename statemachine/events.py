"""Events: what happened at the table, in the past tense, with the time it was seen and by whom.

An event is the only way into the table. It carries its own time (monotonic seconds) and source, for the
table reads no clock and asks no device. A card's identity rides in a ``Secret``, whose ``repr`` is a mask:
an event may be logged, a card may not.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

# A card that everybody may see; outside the program it is written by its name.
OpenCard = Annotated[int, "card"]


class Key(StrEnum):
    """The dealer's keys."""

    LOCK = "LOCK"
    OK = "OK"
    BACK = "BACK"
    LEFT = "LEFT"
    RIGHT = "RIGHT"
    ONE = "ONE"
    TWO = "TWO"
    THREE = "THREE"
    FOLD = "FOLD"
    PLUS = "PLUS"
    MINUS = "MINUS"
    MENU = "MENU"
    FLOOR = "FLOOR"


class Role(StrEnum):
    """Who may do what."""

    DEALER = "dealer"
    FLOOR = "floor"
    TECHNICIAN = "technician"
    AUDITOR = "auditor"


class Secret:
    """A card that nobody may see yet."""

    __slots__ = ("card",)

    def __init__(self, card: int) -> None:
        self.card = card

    def __repr__(self) -> str:
        return "Secret(**)"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and other.card == self.card

    def __hash__(self) -> int:
        return hash(self.card)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened."""

    at: float
    source: str = ""


# ---------------------------------------------------------------- cards and devices


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawn(Event):
    """A reading shoe saw a card leave."""

    card: Secret | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StackDispensed(Event):
    """An automated shoe put out a stack, with identities where it reads them."""

    count: int
    cards: tuple[Secret, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StackDelayed(Event):
    """An automated shoe was busy and did not take its order; it is ordered again until it does."""

    device: str
    deck: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleStarted(Event):
    """A device began to shuffle a deck."""

    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShuffleCompleted(Event):
    """A device finished a shuffle, with its count and, where it reads faces, the cards in intake order."""

    deck: str
    count: int | None = None
    composition: tuple[Secret, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ShufflerStopped(Event):
    """A shuffler jammed, stopped or did not finish its cycle."""

    deck: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceJammed(Event):
    """An automated shoe jammed, stopped, or did not deal all cards."""

    device: str
    cause: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFaulted(Event):
    """A device reports a fault, or its driver found one: ``fault`` is a kind of the fault table."""

    device: str
    fault: str
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRetested(Event):
    """The cause of a device's fault was tested again."""

    device: str
    fault: str
    good: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceModeChanged(Event):
    """A device went into another mode: play, sort, verify or service."""

    device: str
    mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceEmptied(Event):
    """A device was emptied: cards in must equal cards out."""

    device: str
    cards_in: int
    cards_out: int


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkLost(Event):
    """Nothing is heard of a device any more."""

    device: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkRestored(Event):
    """A device is heard of again, its state read anew."""

    device: str


# ---------------------------------------------------------------- wagers


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerSensed(Event):
    """A spot holds a wager: cents, None where the pad senses presence only, 0 when it was lifted."""

    seat: int
    wager: str
    cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountWager(Event):
    """A wager was placed through the electronic wagering system, on a game account."""

    seat: int
    wager: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawMade(Event):
    """The table game system drew a magic card or a lucky position."""

    magic_card: OpenCard | None = None
    lucky: int | str | None = None


# ---------------------------------------------------------------- people


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPressed(Event):
    """A key of the dealer."""

    key: Key


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleUnlocked(Event):
    """A person turned the key switch and gave the right PIN."""

    role: Role
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleLocked(Event):
    """The key switch was turned back, or the time was up."""

    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerSignedOn(Event):
    """A dealer took the table (also as relief)."""

    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LotRegistered(Event):
    """A deck was registered for the table: its lot or batch, color, and whether it came preshuffled."""

    lot: str
    color: str
    preshuffled: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ReleaseOrdered(Event):
    """A person who proved their role at the console ordered the release of a fault."""

    fault: str
    device: str
    role: Role
    person: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MeterAdjusted(Event):
    """Two people changed a meter by so many cents, and said why."""

    meter: str
    level: str
    cents: int
    cause: str
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceModeChanged(Event):
    """A technician began or ended service at the console; play goes on when the floor releases it."""

    on: bool
    person: str
    why: str = ""


# ---------------------------------------------------------------- time


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeReached(Event):
    """The deadline that the table had named has come."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resumed(Event):
    """The controller started again, ``down_s`` after its last record (None: nobody knows how long after).

    Its clock may have begun anew: ``at`` is then less than it was, and the table goes on from where it stood.
    """

    down_s: float | None = None
