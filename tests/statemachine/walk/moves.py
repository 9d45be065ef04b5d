"""What may happen at a reduced table: every kind of event, every key, every entry of every list.

A *move* is what one person or device does: an event, or the keys from a closed list to one of its entries
(unlock, open, move, take, lock again). ``Limits`` bounds what would only multiply: faults at a time, decks
in line, chips that are counted, rows that are declared.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from sabot.statemachine.late_chips import CHIPS_STAY
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.events import Event, Key, Role

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sabot.statemachine.table import Table

ANTE, UNIT = 1_000, 100
HOURS = 9 * 3600.0
KEYS = tuple(key for key in Key if key not in (Key.MENU, Key.FLOOR))
COLORS = ("red", "blue", "green")


class Move(NamedTuple):
    """What one person or device does."""

    name: str
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Limits:
    """What is bounded, and how wide.

    ``faults`` at a time besides removed decks, and which ``kinds`` of them devices bring; ``rows`` and
    positions of face-up cards all, or the first and the last; ``hours`` pass, or decks stay fresh; ``lots``
    run out, or there is always a deck in line; entries may be taken back (``undo``), or count as confirmed;
    chips of an ante may be laid and lifted after the lock (``late``), or lie still; actions ``left_out``.
    """

    seats: int = 2
    optional: tuple[str, ...] = ()
    decks: int = 1
    faults: int = 0
    kinds: int = 100
    chips: int = 2
    rows: bool = False
    hours: bool = False
    lots: bool = False
    undo: bool = False
    late: bool = False
    left_out: frozenset[str] = frozenset()


class Alphabet:
    """The moves at one table."""

    def __init__(self, table: Table, limits: Limits) -> None:
        self.table = table
        self.limits = limits
        self._always = tuple(Move(_words(event), (event,)) for event in (*self._wagers(), *_OTHERS))
        hours = HOURS if limits.hours else 0.0
        self._always += (Move("time reached", (ev.TimeReached(at=hours),)),)

    def moves(self) -> list[Move]:
        """Everything that may happen in the state that the table is in."""
        return [*self._always, *self._antes(), *self._keys(), *self._lists(), *self._faults(), *self._cards()]

    def free_color(self) -> str:
        """A back that no deck on the table has."""
        used = {deck.color for deck in self.table.state.stock.decks.values()}
        return next(each for each in COLORS if each not in used)

    # ------------------------------------------------------------ keys and lists

    def _keys(self) -> Iterator[Move]:
        state = self.table.state
        least, most = (0, self.limits.chips) if state.play.phase is Phase.COUNTING_CHIPS else (-1, 1_000_000)
        number = state.entry.pending.number or 0
        skips = self._skipped()
        for key in KEYS:
            is_beyond = (key is Key.PLUS and number >= most) or (key is Key.MINUS and number <= least)
            if key not in skips and not is_beyond:
                yield Move(f"key {key}", (ev.KeyPressed(at=0.0, key=key),))
        if self._counts_stub() and state.entry.pending.number is None:
            right = self.table.rooms.dealing.expected_stub()
            yield from (self._counted(right + off) for off in (-1, 0, 1))

    def _skipped(self) -> tuple[Key, ...]:
        """Keys for which others stand: the first row and the last, by FOLD; a stub is entered in one go."""
        if self.table.state.play.phase is Phase.DECLARING and not self.limits.rows:
            return (Key.LEFT, Key.RIGHT, Key.TWO, Key.THREE)
        return (Key.LEFT, Key.RIGHT, Key.PLUS, Key.MINUS) if self._counts_stub() else ()

    def _counts_stub(self) -> bool:
        phase = self.table.state.play.phase
        return phase is Phase.LAST_COUNT or (phase is Phase.STUB and self.table.rooms.stub.is_count_due())

    def _counted(self, number: int) -> Move:
        """One card short, right, or one over."""
        keys = (Key.RIGHT,) * (number // 10) + (Key.PLUS,) * (number % 10)
        return Move(f"stub of {number}", tuple(ev.KeyPressed(at=0.0, key=key) for key in keys))

    def _lists(self) -> Iterator[Move]:
        for name in self.table.rooms.actions.known:
            if self._is_listed(name):
                for value in self._values(name):
                    keys = self._keys_to(name, value)
                    if keys:
                        yield Move(f"{name} {value}".strip(), keys)

    def _is_listed(self, name: str) -> bool:
        action = self.table.rooms.actions.named(name)
        is_possible = self.table.state.play.phase in action.phases and name not in self.limits.left_out
        return is_possible and (action.while_held or self.table.rooms.faults.held is None)

    def _values(self, name: str) -> list[str]:
        values = self.table.rooms.actions.named(name).values
        offered = values() if values else []
        if name == "face_up" and not self.limits.rows:
            offered = offered[:1]  # the first card of a stack stands for the others
        if name == "settled_by_hand" and not self.limits.rows:
            # A sum has more digits than an exhaustive walk has time: nothing is said to be paid.
            unpaid = [each for each in offered if not each.endswith(" paid")]
            offered = [each for each in unpaid if each.startswith("rest")] or unpaid[:1]
        return offered or [""]

    def _keys_to(self, name: str, value: str) -> tuple[Event, ...]:
        """Unlock where it is the floor's, open the list, go to the entry, take it, lock again."""
        action = self.table.rooms.actions.named(name)
        by_floor = action.by is not Role.DEALER
        roles = (Role.FLOOR, Role.TECHNICIAN) if name == "release" else (action.by,) if by_floor else ()
        way = self._way(roles, name, value)
        if way is None:
            return ()
        keys = [Key.FLOOR if by_floor else Key.MENU, *way]
        before = [ev.RoleUnlocked(at=0.0, role=role, person="somebody") for role in roles]
        after = [ev.RoleLocked(at=0.0, role=role) for role in roles]
        return (*before, *(ev.KeyPressed(at=0.0, key=key) for key in keys), *after)

    def _way(self, roles: tuple[Role, ...], name: str, value: str) -> list[Key] | None:
        """The keys in the list of somebody who has unlocked these roles, None where it has no such line."""
        table, state = self.table, self.table.state
        kept, state.crew.unlocked = (
            state.crew.unlocked,
            dict.fromkeys((role.value for role in roles), "somebody"),
        )
        try:
            shown = table.rooms.lists.listed(Role.FLOOR if roles else Role.DEALER)
            offered = table.rooms.lists.choices(name)
            if name not in shown or (value and value not in offered):
                return None
            keys = [
                *[Key.RIGHT] * ((shown.index(name) - table.rooms.lists.opens_at(shown)) % len(shown)),
                Key.OK,
            ]
            if value:
                step = (offered.index(value) - table.rooms.lists.value_at(name, offered)) % len(offered)
                keys += [*[Key.RIGHT] * step, Key.OK]
            return keys
        finally:
            state.crew.unlocked = kept

    # ------------------------------------------------------------ wagers, cards, devices

    def _wagers(self) -> Iterator[Event]:
        for name in self.limits.optional:
            if self.table.law.chapter.wagers[name].device == "account":
                yield ev.AccountWager(at=0.0, seat=1, wager=name, cents=UNIT)
            else:
                yield ev.WagerSensed(at=0.0, seat=1, wager=name, cents=UNIT)
        yield ev.WagerSensed(at=0.0, seat=1, wager=self.table.law.chapter.contest.wagers[1], cents=ANTE)

    def _antes(self) -> Iterator[Move]:
        if self.limits.late or self.table.state.play.phase not in CHIPS_STAY - {Phase.BETS_OPEN}:
            for seat, cents in product(range(1, self.limits.seats + 1), (ANTE, 0)):
                event = ev.WagerSensed(at=0.0, seat=seat, wager="ante", cents=cents)
                yield Move(_words(event), (event,))

    def _cards(self) -> Iterator[Move]:
        state = self.table.state
        for name in ("A", "B")[: self.limits.decks]:
            yield Move(f"shuffling {name}", (ev.ShuffleStarted(at=0.0, deck=name),))
            yield Move(f"52 in {name}", (ev.ShuffleCompleted(at=0.0, deck=name, count=52),))
            yield Move(f"51 in {name}", (ev.ShuffleCompleted(at=0.0, deck=name, count=51),))
            yield Move(f"not counted {name}", (ev.ShuffleCompleted(at=0.0, deck=name),))
        ordered = state.play.round.ordered if state.play.round is not None else 0
        for count in sorted({ordered or 5, 1}):
            yield Move(f"stack of {count}", (ev.StackDispensed(at=0.0, count=count),))
        if self.limits.lots and not state.stock.lots:
            yield Move("lot", (ev.LotRegistered(at=0.0, lot="new", color=self.free_color()),))

    def _faults(self) -> Iterator[Move]:
        """Tests of the faults that are there, and new ones."""
        for held in self.table.state.trouble.holds:
            for good in (True, False):
                event = ev.DeviceRetested(at=0.0, device=held.device, fault=held.kind, good=good)
                yield Move(f"retest {held.kind} {held.device} {good}", (event,))
            if held.unaccounted:
                emptied = ev.DeviceEmptied(at=0.0, device=held.device, cards_in=0, cards_out=0)
                yield Move(f"empty {held.device}", (emptied,))
        if self.limits.faults:
            yield from _FAULTS[: self.limits.kinds]


def _words(event: Event) -> str:
    own = fields(event)[len(fields(Event)) :]
    return " ".join((type(event).__name__, *(str(getattr(event, each.name)) for each in own)))


_OTHERS = (
    ev.DealerSignedOn(at=0.0, person="dealer"),
    ev.DeviceModeChanged(at=0.0, device="shuffler", mode="play"),
    ev.DeviceEmptied(at=0.0, device="shuffler", cards_in=52, cards_out=52),
    ev.LinkRestored(at=0.0, device="pad"),
    ev.DrawMade(at=0.0, lucky=1),
    ev.RoleLocked(at=0.0, role=Role.FLOOR),
)
_FAULTS = tuple(
    Move(_words(event), (event,))
    for event in (
        ev.LinkLost(at=0.0, device="pad", reason="silence"),
        ev.ShufflerStopped(at=0.0, deck="A", cause="jam"),
        ev.Resumed(at=0.0, down_s=1.0),
        ev.DeviceJammed(at=0.0, device="shoe", cause="jam"),
        ev.DeviceModeChanged(at=0.0, device="shuffler", mode="sort"),
        ev.DeviceEmptied(at=0.0, device="shuffler", cards_in=52, cards_out=36),
        ev.DeviceFaulted(at=0.0, device="table", fault="contradiction"),
        ev.DeviceFaulted(at=0.0, device="keys", fault="lamp"),
        ev.CardDrawn(at=0.0, card=None),
        ev.CardsMissed(at=0.0, device="shoe", count=1),
        ev.Resumed(at=0.0, down_s=None),
    )
)
