"""A shuffler and packet shoe of cards that move: intake, mixing, stacks, doors, jams, with real times.

It keeps the cards that it holds, so that what it reports is counted and not made up; it can be told to lie.
"""

import hashlib
import heapq
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import NamedTuple, Protocol

RANKS, SUITS = "..23456789TJQKA", "cdhs"
CARD_S, MIXING_S, STACK_S, TEST_S = 0.11, 18.0, 0.9, 1.5
PLAY = 1
OK, BUSY, HELD, WRONG_MODE, DOOR_OPEN, TOO_FEW, FAULTED, UNABLE, NONSENSE = range(9)
JAM_FAULT, DOOR_FAULT, SHORT_FAULT, LEFT_FAULT, FULL_FAULT = 1, 2, 3, 7, 12
SERVICE_DOOR, INTAKE_LID = 3, 1
NOT_READ = 255
BROKEN_OFF = 2


class Card(NamedTuple):
    """One card as the reader meets it."""

    rank: int
    suit: int
    color: int = 1
    face: int = 1
    readable: bool = True

    @property
    def code(self) -> int:
        """Its code in a stack."""
        return (self.rank - 2) * 4 + self.suit if self.readable else NOT_READ


def card(text: str, color: int = 1) -> Card:
    """A card by its name; ``As!`` lies face up, ``As?`` cannot be read, ``As~`` has another back."""
    mark = text[2:]
    back = 3 - color if mark == "~" else color
    return Card(RANKS.index(text[0]), SUITS.index(text[1]), back, 2 if mark == "!" else 1, mark != "?")


def pack(color: int = 1) -> list[Card]:
    """Fifty-two cards."""
    return [Card(rank, suit, color) for suit in range(4) for rank in range(2, 15)]


class Speaks(Protocol):
    """What the machine needs of its link."""

    @property
    def is_full(self) -> bool:
        """Whether no more events can be kept."""

    def report(self, name: str, now: float, **values: int | bytes) -> None:
        """Keep an event for the host."""


@dataclass
class Lies:
    """What a firmware that lies does."""

    count: int = 0
    digest: bool = False
    reads: int = 0
    leaks_order: bool = False
    stack_size: int = 0


@dataclass
class Machine:
    """The works behind the link."""

    capabilities: int = 0xFF
    speed: float = 1.0
    chance: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 a simulator's shuffle
    intake: list[Card] = field(default_factory=pack)
    ready: list[Card] = field(default_factory=list)
    lies: Lies = field(default_factory=Lies)
    jam_at: int = 0
    jams_stack: int = 0
    short_by: int = 0
    cause_remains: bool = False
    wants_identities: bool = False

    def __post_init__(self) -> None:
        self.link: Speaks | None = None
        self.began = 0.0
        self.agenda: list[tuple[float, int, Callable[[float], None]]] = []
        self.turn: Iterator[int] = count()
        self.mode, self.held, self.doors, self.fault, self.tested = PLAY, True, 0, 0, False
        self.cycle, self.deck, self.moving = 0, 0, False
        self.orders: set[int] = set()
        self.is_void = False
        self.taken_in: list[Card] = []
        self.cycles = self.stacks = self.cards_out = self.cards_in = self.all_out = 0

    # ---------------------------------------------------------------- time

    def after(self, delay_s: float, do: Callable[[float], None], now: float) -> None:
        """Do something later."""
        heapq.heappush(self.agenda, (now + delay_s / self.speed, next(self.turn), do))

    def run(self, now: float) -> None:
        """Do what is due."""
        while self.agenda and self.agenda[0][0] <= now:
            at, _, do = heapq.heappop(self.agenda)
            do(at)

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        """Report an event; a full store is a fault of its own."""
        if self.link is not None:
            self.link.report(name, now, **values)
            if self.link.is_full and not self.fault:
                self.fault = FULL_FAULT

    # ---------------------------------------------------------------- commands

    def command(self, name: str, values: dict[str, int], now: float) -> int:
        """Take a command on, or say why not."""
        code = self._refusal(name, values)
        if code == OK:
            getattr(self, f"_do_{name.lower()}")(values, now)
        return code

    def _refusal(self, name: str, values: dict[str, int]) -> int:
        """The first reason in the page's order."""
        needs = {"SHUFFLE": 1, "DISPENSE": 2, "EJECT_STUB": 128}.get(name, 0)
        if not needs:
            untested = name == "CLEAR_FAULT" and self.fault and not self.tested
            return FAULTED if untested else OK
        lid = self.doors & 1 if name == "SHUFFLE" else 0
        wanted = values.get("cards", 1) if name != "SHUFFLE" else 1
        has = len(self.intake) if name == "SHUFFLE" else len(self.ready)
        is_odd = (name == "SHUFFLE" and not 65 <= values["deck"] <= 90) or not 1 <= wanted <= 52  # noqa: PLR2004
        is_odd = is_odd or (name == "DISPENSE" and values["order"] in self.orders)
        reasons = (
            (self.capabilities & needs == 0, UNABLE),
            (is_odd, NONSENSE),
            (self.fault, FAULTED),
            (lid or self.doors & 4, DOOR_OPEN),
            (self.mode != PLAY, WRONG_MODE),
            (self.held and name != "SHUFFLE", HELD),
            (self.cycle == 1 or self.moving, BUSY),
            (has < wanted, TOO_FEW),
        )
        return next((code for is_so, code in reasons if is_so), OK)

    def _do_hold(self, _values: dict[str, int], _now: float) -> None:
        self.held, self.is_void = True, self.moving

    def _do_free(self, _values: dict[str, int], _now: float) -> None:
        self.held = False

    def _do_shuffle(self, values: dict[str, int], now: float) -> None:
        self.start_cycle(now, values["deck"])

    def _do_dispense(self, values: dict[str, int], now: float) -> None:
        self.moving, self.is_void = True, False
        self.orders.add(values["order"])
        self.after(STACK_S, lambda at: self._stack_out(values["order"], values["cards"], at), now)

    def _do_eject_stub(self, _values: dict[str, int], now: float) -> None:
        self.moving = True
        self.after(STACK_S, self._eject, now)

    def _do_retest(self, values: dict[str, int], now: float) -> None:
        self.after(TEST_S, lambda at: self._tested(values["fault"], at), now)

    def _do_clear_fault(self, values: dict[str, int], now: float) -> None:
        if self.fault:
            self.say("FAULT", now, fault=values["fault"] or self.fault, latched=0)
        self.fault, self.tested = 0, False

    def no_host(self) -> None:
        """The session is over: hold the cards; an order not yet begun is void, and numbers begin anew."""
        self.held, self.is_void, self.orders = True, self.moving, set()

    # ---------------------------------------------------------------- a cycle

    def start_cycle(self, now: float, deck: int = 0) -> None:
        """Take the intake in, card by card."""
        self.cycle, self.deck, self.taken_in = 1, deck, []
        self.say("CYCLE_STARTED", now, deck=deck)
        self.after(CARD_S, self._next_card, now)

    def _next_card(self, now: float) -> None:
        if self.cycle != 1:
            return
        if not self.intake:
            self.after(MIXING_S, self._complete, now)
            return
        if self.jam_at and len(self.taken_in) + 1 == self.jam_at:
            self.jam_at = 0
            self.jam(now, 1, 1)
            return
        taken = self.intake.pop(0)
        self.taken_in.append(taken)
        if self.capabilities & 8 and len(self.taken_in) > self.lies.reads:
            self._tell(taken, len(self.taken_in) - self.lies.reads, now)
        if taken.face == 2 and self.capabilities & 32:  # noqa: PLR2004
            self.stop_cycle(now, 5)
            return
        self.after(CARD_S, self._next_card, now)

    def _tell(self, taken: Card, index: int, now: float) -> None:
        rank, suit = (taken.rank, taken.suit) if taken.readable else (0, NOT_READ)
        sure = 99 if taken.readable else 0
        self.say(
            "CARD_READ",
            now,
            index=index,
            rank=rank,
            suit=suit,
            face=taken.face,
            color=taken.color,
            confidence=sure,
        )

    def _complete(self, now: float) -> None:
        if self.cycle != 1:
            return
        self.cycle, cards = 0, self.taken_in
        self.cards_in += len(cards)
        self.cycles += 1
        reads = len(cards) - self.lies.reads if self.capabilities & 8 else 0
        digest = hashlib.sha256(b"a lie").digest() if self.lies.digest else self._digest(cards)
        number = len(cards) + self.lies.count
        self.say("CYCLE_COMPLETED", now, deck=self.deck, count=number, reads=reads, digest=digest)
        self.ready = self.chance.sample(cards, len(cards))
        self.taken_in = []
        if self.lies.leaks_order:
            for index, each in enumerate(self.ready, 1):
                self._tell(each, index, now)

    def _digest(self, cards: list[Card]) -> bytes:
        if not self.capabilities & 8:
            return bytes(32)
        counts = [0] * 53
        for each in cards:
            counts[each.code if each.readable else 52] += 1
        return hashlib.sha256(b"sabot-link/1 composition" + bytes(counts)).digest()

    def stop_cycle(self, now: float, cause: int) -> None:
        """The cycle ends without a deck; the cards are back in the intake."""
        if self.cycle == 1:
            self.cycle = 0
            self.say("CYCLE_STOPPED", now, deck=self.deck, cause=cause, count=len(self.taken_in))
            self.intake, self.taken_in = self.taken_in + self.intake, []

    # ---------------------------------------------------------------- stacks

    def _stack_out(self, order: int, wanted: int, now: float) -> None:
        self.moving = False
        if self.held or self.is_void:
            return
        if self.jams_stack:
            self.jams_stack = 0
            self.jam(now, 4, 5)
            return
        size = max(0, wanted - self.short_by)
        is_short, self.short_by = size < wanted, 0
        stack, self.ready = self.ready[:size], self.ready[size:]
        self.stacks += 1
        self.cards_out += len(stack)
        shown = (
            bytes(each.code for each in stack) if self.wants_identities and self.capabilities & 16 else b""
        )
        self.say("STACK", now, order=order, size=size + self.lies.stack_size, cards=shown)
        if is_short:
            self.latch(now, SHORT_FAULT)

    def stack(self, wanted: list[tuple[int, int]]) -> None:
        """Somebody has seen to it that these come out first."""
        found = [next(each for each in self.ready if (each.rank, each.suit) == name) for name in wanted]
        self.ready = found + [each for each in self.ready if each not in found]

    def kept(self) -> dict[str, list[tuple[int, int, int]]]:
        """The cards inside and in the intake, for a device that is put away and taken out again."""
        return {name: [each[:3] for each in getattr(self, name)] for name in ("ready", "intake")}

    def lay_back(self, kept: dict[str, list[tuple[int, int, int]]]) -> None:
        """The cards lie where they lay."""
        self.ready = [Card(*each) for each in kept["ready"]]
        self.intake = [Card(*each) for each in kept["intake"]]

    def _eject(self, now: float) -> None:
        self.moving = False
        stub, self.ready = self.ready, []
        self.cards_out += len(stub)
        self.say("EJECTED", now, count=len(stub))

    # ---------------------------------------------------------------- what goes wrong

    def jam(self, now: float, place: int, cause: int) -> None:
        """Something is stuck."""
        self.moving = False
        self.say("JAM", now, place=place, cause=cause)
        self.fault, self.tested = JAM_FAULT, False
        if place <= 3:  # noqa: PLR2004
            self.stop_cycle(now, 1)

    def latch(self, now: float, fault: int) -> None:
        """A fault is latched."""
        self.fault, self.tested = fault, False
        self.say("FAULT", now, fault=fault, latched=1)

    def _tested(self, fault: int, now: float) -> None:
        self.tested = not self.cause_remains
        self.say("RETESTED", now, fault=fault, good=int(self.tested))

    def move_door(self, now: float, door: int, *, is_open: bool) -> None:
        """A lid or door moves; the service door stops a cycle."""
        bit = 1 << door - 1
        self.doors = self.doors | bit if is_open else self.doors & ~bit
        self.say("DOOR", now, door=door, open=int(is_open))
        if is_open and door == SERVICE_DOOR:
            self.stop_cycle(now, 2)

    def change_mode(self, now: float, mode: int) -> None:
        """The key at the device."""
        self.mode = mode
        self.say("MODE", now, mode=mode)

    def empty(self, now: float, left_inside: int = 0) -> None:
        """All cards are taken out, but for those that stay inside."""
        inside = len(self.ready) + len(self.taken_in)
        self.cards_in = self.cards_in or inside + self.cards_out
        out = self.cards_in - left_inside
        self.ready, self.taken_in = self.ready[:0], []
        self.cycle = 0 if self.cycle == BROKEN_OFF else self.cycle
        self.say("EMPTIED", now, cards_in=self.cards_in, cards_out=out)
        self.cards_in = left_inside

    def lose_power(self, now: float) -> None:
        """Power is gone: what was planned does not happen, a cycle is broken off, counters begin anew."""
        self.began = now
        self.agenda.clear()
        self.cycle, self.moving, self.held = BROKEN_OFF if self.cycle else 0, False, True
        self.orders = set()
        self.cycles = self.stacks = self.cards_out = 0

    def state(self, now: float) -> dict[str, int]:
        """The machine's part of STATE."""
        return {
            "mode": self.mode,
            "gate": int(self.held),
            "doors": self.doors,
            "fault": self.fault,
            "cycle": self.cycle,
            "deck": self.deck if self.cycle else 0,
            "cycles": self.cycles,
            "inside": len(self.ready) + len(self.taken_in),
            "stacks": self.stacks,
            "cards_out": self.cards_out,
            "time": int((now - self.began) * 1000) % 2**32,
        }
