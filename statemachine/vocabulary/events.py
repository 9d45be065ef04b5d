"""Events: what happened at the table, in the past tense, with the time it was seen and by whom.

An event is the only way into the table. It carries its own time (monotonic seconds) and source, for the
table reads no clock and asks no device. A card's identity rides in a ``Secret``, whose ``repr`` is a mask:
an event may be logged, a card may not.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from sabot.rules.frozen import frozen

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


# The digits of whoever enters a PIN or a sum; the lock-out key is none of them.
DIGITS: Mapping[Key, str] = {
    Key.ONE: "1",
    Key.TWO: "2",
    Key.THREE: "3",
    Key.FOLD: "4",
    Key.LEFT: "5",
    Key.RIGHT: "6",
    Key.MINUS: "7",
    Key.PLUS: "8",
    Key.MENU: "9",
    Key.FLOOR: "0",
}


class Role(StrEnum):
    """A role, by which it is decided who may do what."""

    DEALER = "dealer"
    FLOOR = "floor"
    TECHNICIAN = "technician"
    AUDITOR = "auditor"


class Exit(StrEnum):
    """The exit where a stack lies until the dealer takes it, and who says that it was taken."""

    NONE = "none"
    SENSED = "sensed"
    UNSENSED = "unsensed"


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


@frozen(kw_only=True)
class Event:
    """Something that happened."""

    at: float
    source: str = ""


# ---------------------------------------------------------------- cards and devices


@frozen(kw_only=True)
class CardDrawn(Event):
    """A reading shoe saw a card leave; ``missed``: so many reports before it never came."""

    card: Secret | None
    missed: int = 0


@frozen(kw_only=True)
class CardsMissed(Event):
    """Reports of a reading shoe never came, by the gap in its numbers: each may have been of a card."""

    device: str
    count: int


@frozen(kw_only=True)
class StackDispensed(Event):
    """An automated shoe put out a stack, with identities where it reads them; ``exit`` says where it lies."""

    count: int
    cards: tuple[Secret, ...] = ()
    exit: Exit = Exit.NONE


@frozen(kw_only=True)
class StackTaken(Event):
    """Nothing lies in the exit of an automated shoe any more."""

    device: str


@frozen(kw_only=True)
class StubEjected(Event):
    """An automated shoe put out what was left of a deck (empty: of all that was inside)."""

    device: str
    deck: str
    count: int


@frozen(kw_only=True)
class DecksFound(Event):
    """An automated shoe is heard (again): these decks lie in it ready to be dealt, and no others."""

    device: str
    decks: tuple[str, ...]


@frozen(kw_only=True)
class StackDelayed(Event):
    """An automated shoe was busy and did not take its order; it is ordered again until it does."""

    device: str
    deck: str = ""
    by_exit: bool = False


@frozen(kw_only=True)
class ShuffleBlocked(Event):
    """A shuffle waits until cards that lie in the device are out, or its own are in; it is ordered again."""

    device: str
    deck: str
    is_empty: bool = False


@frozen(kw_only=True)
class ShuffleStarted(Event):
    """A device began to shuffle a deck."""

    deck: str


@frozen(kw_only=True)
class ShuffleCompleted(Event):
    """A device finished a shuffle, with its count and, where it reads faces, the cards in intake order."""

    deck: str
    count: int | None = None
    composition: tuple[Secret, ...] = ()


@frozen(kw_only=True)
class ShufflerStopped(Event):
    """A shuffler jammed, stopped or did not finish its cycle."""

    deck: str
    cause: str


@frozen(kw_only=True)
class DeviceJammed(Event):
    """An automated shoe jammed, stopped, or did not deal all cards."""

    device: str
    cause: str


@frozen(kw_only=True)
class DeviceFaulted(Event):
    """A device reports a fault, or its driver found one: ``fault`` is a kind of the fault table."""

    device: str
    fault: str
    detail: str = ""


@frozen(kw_only=True)
class DeviceRetested(Event):
    """The cause of a device's fault was tested again; ``detail`` says what remains, and what lifts it."""

    device: str
    fault: str
    good: bool
    detail: str = ""


@frozen(kw_only=True)
class DeviceModeChanged(Event):
    """A device went into another mode: play, sort, verify or service."""

    device: str
    mode: str


@frozen(kw_only=True)
class DeviceEmptied(Event):
    """A device was emptied: cards in must equal cards out."""

    device: str
    cards_in: int
    cards_out: int
    deck: str = ""


@frozen(kw_only=True)
class LinkLost(Event):
    """Nothing is heard of a device any more."""

    device: str
    reason: str


@frozen(kw_only=True)
class LinkRestored(Event):
    """A device is heard of again, its state read anew."""

    device: str


# ---------------------------------------------------------------- wagers


@frozen(kw_only=True)
class WagerSensed(Event):
    """A spot holds a wager: cents, None where the pad senses presence only, 0 when it was lifted."""

    seat: int
    wager: str
    cents: int | None


@frozen(kw_only=True)
class AccountWager(Event):
    """A wager was placed, changed or (0) withdrawn through the electronic wagering system, on a game account.

    A system that waits for an answer gives it a ticket; the account is a name that means nothing here.
    """

    seat: int
    wager: str
    cents: int
    ticket: int = 0
    account: str = ""


@frozen(kw_only=True)
class AccountsRead(Event):
    """The wagering system is heard again: all wagers that stand in it, or (not 0) are in a round of it."""

    device: str
    round: int
    stakes: tuple[tuple[int, str, int], ...]


@frozen(kw_only=True)
class AccountCredited(Event):
    """The wagering system has credited an account."""

    device: str
    number: int
    cents: int
    account: str = ""


@frozen(kw_only=True)
class DrawSealed(Event):
    """The table game system drew for the round and told nobody; the seal holds it to what it drew."""

    device: str
    draw: int
    seal: str


@frozen(kw_only=True)
class DrawMade(Event):
    """The table game system drew a magic card or a lucky position."""

    magic_card: OpenCard | None = None
    lucky: int | str | None = None
    draw: int = 0


# ---------------------------------------------------------------- linked meters


@frozen(kw_only=True)
class MeterLinkChanged(Event):
    """The floor of linked meters has changed a link: its configuration, or why it is shut."""

    link: str
    config: int
    why: str = ""


@frozen(kw_only=True)
class HitGranted(Event):
    """The floor has granted a hit: the frozen amount, and its share for each of the seats."""

    number: int
    grant: int
    link: str
    level: str
    round: int
    wager: str
    row: str
    seats: tuple[int, ...]
    cents: int
    each: int
    by_hand: bool = False


@frozen(kw_only=True)
class MeterLinkRefused(Event):
    """The floor has refused what this table said: of which wager and seats, where it named any."""

    number: int
    message: str
    link: str
    round: int
    wager: str
    seats: tuple[int, ...]
    why: str


@frozen(kw_only=True)
class GrantTakenBack(Event):
    """People have taken a grant back at the floor."""

    number: int
    grant: int
    cause: str


# ---------------------------------------------------------------- people


@frozen(kw_only=True)
class KeyPressed(Event):
    """A key of the dealer."""

    key: Key


@frozen(kw_only=True)
class RoleUnlocked(Event):
    """A person turned the key switch and gave the right PIN."""

    role: Role
    person: str


@frozen(kw_only=True)
class RoleLocked(Event):
    """The key switch was turned back, or the time was up."""

    role: Role


@frozen(kw_only=True)
class DealerSignedOn(Event):
    """A dealer took the table (also as relief)."""

    person: str


@frozen(kw_only=True)
class LotRegistered(Event):
    """A deck was registered for the table: its lot or batch, color, and whether it came preshuffled."""

    lot: str
    color: str
    preshuffled: bool = False


@frozen(kw_only=True)
class ReleaseOrdered(Event):
    """A person who proved their role at the console ordered the release of a fault."""

    fault: str
    device: str
    role: Role
    person: str


@frozen(kw_only=True)
class MeterAdjusted(Event):
    """Two people changed a meter by so many cents, and said why."""

    meter: str
    level: str
    cents: int
    cause: str
    by: tuple[str, ...]


@frozen(kw_only=True)
class ServiceModeChanged(Event):
    """A technician began or ended service at the console; play goes on when the floor releases it."""

    on: bool
    person: str
    why: str = ""


# ---------------------------------------------------------------- time


@frozen(kw_only=True)
class TimeReached(Event):
    """The deadline that the table had named has come."""


@frozen(kw_only=True)
class Resumed(Event):
    """The controller started again, ``down_s`` after its last record (None: nobody knows how long after).

    Its clock may have begun anew: ``at`` is then less than it was, and the table goes on from where it stood.
    ``slip`` is empty but where the program had stopped itself: its code, place and the event it broke over.
    """

    down_s: float | None = None
    slip: str = ""
