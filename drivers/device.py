"""The interface between the program and a driver, both ways.

A driver knows its device and nothing of the table. It posts events, each stamped when its bytes were read,
and performs effects; neither ever blocks or raises. Whatever goes wrong on the wire is an event too: a device
that is gone is one ``LinkLost`` with the reason, a device that is back has been asked for its state before
``LinkRestored`` is posted.
"""

# Theory of operation. The program makes a driver by its ``DriverKind``, calls ``start`` once, ``perform`` for
# each effect of the table and ``stop`` at the end, all from the loop's one thread. Nothing comes back from
# these calls: what the device did is posted to the host, as an event with the time at which its bytes were
# read and not the time at which somebody got round to them. ``perform`` is told every effect and picks out
# its own, so that the table need not know which devices it has. What a driver's options name of the table
# (spots, wagers, meters, keys) is read by ``speaks_of`` without opening a port: a table file is checked on a
# machine that has none of the devices.

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import field, fields
from typing import NamedTuple, Protocol, runtime_checkable

from sabot.drivers.convention import Recognition, Statistics
from sabot.drivers.options import Option, Schema, Value
from sabot.rules.frozen import frozen
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import Event, Key


@frozen
class Identity:
    """A device's name for itself, and whether it proved it with the key that was enrolled."""

    kind: str = ""
    maker: str = ""
    model: str = ""
    serial: str = ""
    firmware: str = ""
    capabilities: tuple[str, ...] = ()
    authenticated: bool = False


@frozen
class DeviceStatus:
    """A device's status as a technician sees it."""

    name: str
    driver: str
    port: str
    is_up: bool
    why: str = ""
    identity: Identity = field(default_factory=Identity)
    statistics: Statistics = field(default_factory=Statistics)
    state: Mapping[str, Value] = field(default_factory=dict)


class Keyring(Protocol):
    """The keys of devices that two people have enrolled at this table."""

    def key_of(self, device: str) -> bytes | None:
        """Return the public key enrolled under this name, None where none is."""


class Host(Protocol):
    """The services that the program offers a driver."""

    keyring: Keyring

    def now(self) -> float:
        """Return monotonic seconds, the clock of every event."""

    def post(self, event: Event) -> None:
        """Put an event into the inbox; from the loop's own thread only."""

    def overhear(self, device: str, direction: str, data: bytes) -> None:
        """Show bytes that went over the wire to whoever watches; direction is ``in`` or ``out``."""


class Driver(Protocol):
    """A device at work. All methods are called from the loop's thread, and none of them raises."""

    name: str

    async def start(self) -> None:
        """Begin; a device that is not there is an event, and is looked for until ``stop``."""

    def perform(self, effect: Effect) -> None:
        """Do what this effect means for this device; effects that mean nothing to it are passed over."""

    def retest(self, fault: str) -> None:
        """Test the cause of a fault again; the answer is a ``DeviceRetested``."""

    def status(self) -> DeviceStatus:
        """Return the status of the device."""

    async def test(self, say: Callable[[str], None]) -> bool:
        """Run the technician's test of the device, step by step in words; return whether it went well."""

    async def stop(self) -> None:
        """Leave the device in its safe state and let go of it."""


@runtime_checkable
class OnALine(Protocol):
    """A driver whose port may be looked at for another device, where its own does not answer.

    ``is_mute``: its device never answers, so it counts as up whatever is on its port. ``is_unanswered``: its
    port is there, and nobody answered its questions.
    """

    is_mute: bool

    @property
    def is_up(self) -> bool:
        """Return whether the device is there, as far as the driver can tell."""

    @property
    def is_unanswered(self) -> bool:
        """Return whether the driver asked in vain at a port that is there."""

    async def lend(self, use: Callable[[], Awaitable[None]]) -> None:
        """Leave the port to somebody else for a while, without a word to the table."""


class Spoken(NamedTuple):
    """Names of the table in a device's options: spots of seats, wagers, meters as ``meter.level``.

    ``accounts`` are the wagers on game accounts, by seat, that it brings from its stations. ``has_lock_out``
    says that the dealer's lock-out button is wired to it, ``holds_lock`` that the output is which locks the
    wagers, ``shows_health`` that the red lamp is; ``keys`` are the dealer's keys that it has;
    ``shows_prompts`` is so of a dealer's display. ``knows`` names what it can tell of the cards that are
    dealt (``each_card``, ``stack``, ``count_only``), ``counts_shuffles`` is so of a shuffler that counts.
    ``pins`` are those of the board that it takes, ``lacks`` says what it could do and is not wired for.
    """

    spots: tuple[tuple[int, str], ...] = ()
    wagers: tuple[str, ...] = ()
    meters: tuple[str, ...] = ()
    has_lock_out: bool = False
    holds_lock: bool = False
    accounts: tuple[tuple[int, str], ...] = ()
    shows_health: bool = False
    keys: tuple[Key, ...] = ()
    shows_prompts: bool = False
    knows: tuple[str, ...] = ()
    counts_shuffles: bool = False
    pins: tuple[int, ...] = ()
    lacks: tuple[str, ...] = ()


def speaks_of_nothing(_name: str, _options: Mapping[str, Value]) -> Spoken:
    """Return an empty ``Spoken``: the options of most devices name nothing of the table."""
    return Spoken()


def is_never_known(_options: Mapping[str, Value]) -> None:
    """Return None: a device of most kinds cannot be known on the port of another."""


class DriverKind(NamedTuple):
    """A driver as a package offers it under the entry point group ``sabot.drivers``.

    ``speaks_of`` reads the options without opening anything: what they name is held against the table before
    it opens, and what they cannot mean is an error with the name of the device. ``recognition`` says how the
    device would be known on the port of another; None where it never answers.
    """

    name: str
    title: str
    bus: str
    schema: Schema
    make: Callable[[str, Mapping[str, Value], Host], Driver]
    speaks_of: Callable[[str, Mapping[str, Value]], Spoken] = speaks_of_nothing
    recognition: Callable[[Mapping[str, Value]], Recognition | None] = is_never_known


# ------------------------------------------------------------ the device that is meant
#
# A table file may pin who a device must be. What is not pinned may be anything; what is pinned must be just
# that, so that a device that was swapped overnight is a fault until somebody has looked at it and said so.

PINNABLE = ("maker", "model", "serial", "firmware")
PINS: Schema = tuple(
    Option(f"pin_{what}", "", f"the {what} that the device must say it is of; empty takes any")
    for what in PINNABLE
)


def not_as_pinned(told: Identity, options: Mapping[str, Value]) -> str:
    """Return why this is not the device that the table file pins; empty where it is."""
    return "; ".join(
        f"its {what} is {getattr(told, what)!r}, pinned is {options[f'pin_{what}']!r}"
        for what in PINNABLE
        if options.get(f"pin_{what}") and getattr(told, what) != options[f"pin_{what}"]
    )


def swapped(before: Identity, now: Identity) -> str:
    """Return the difference that makes this another device than the one before, or nothing.

    Another firmware counts: what was tested yesterday is not what runs today.
    """
    # Nothing was seen here before: the first device is no other one.
    if before == Identity():
        return ""
    return "; ".join(
        f"its {what} was {getattr(before, what)!r} and is {getattr(now, what)!r}"
        for what in ("kind", *PINNABLE)
        if getattr(before, what) != getattr(now, what)
    )


def in_words(identity: Identity) -> str:
    """Return an identity in one line."""
    told = [str(getattr(identity, each.name)) for each in fields(identity) if each.type in {"str", str}]
    named = " ".join(word for word in told if word)
    proof = "proved with its enrolled key" if identity.authenticated else "not proved"
    return f"{named or 'says nothing of itself'} ({proof})"
