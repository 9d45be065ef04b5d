"""A shuffler and packet shoe of cards that move: intake, mixing, stacks, doors, jams, with real times.

It keeps the cards that it holds, so that what it reports is counted and not made up; it can be told to lie.
"""

# Theory of operation. Cards are things that move: intake, `taken_in` while a cycle runs, `inside` as ready
# decks or loose, the exit, gone. A command is refused by the first reason of the page's order (`_refusal`),
# or begun; what takes time is put on the agenda (`after`), and each step asks anew whether it may still
# happen, for meanwhile a door may have opened, a jam come or the host gone. Nobody tells the works the time
# but the line, so a test can let a cycle of minutes pass at once.

import hashlib
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sabot.hil.simulators.sabot_link.inside import (
    NOT_READ,
    RANKS,
    SUITS,
    Card,
    Lying,
    ReadyDeck,
    ShufflerInside,
)
from sabot.hil.simulators.sabot_link.on_line import Works

CARD_S, MIXING_S, STACK_S, TEST_S, LIFT_S = 0.11, 18.0, 0.9, 1.5, 0.6
PLAY = 1
OK, BUSY, HELD, WRONG_MODE, DOOR_OPEN, TOO_FEW, FAULTED, UNABLE, NONSENSE, OCCUPIED, INSIDE = range(11)
JAM_FAULT, DOOR_FAULT, SHORT_FAULT, LEFT_FAULT = 1, 2, 3, 7
SERVICE_DOOR, INTAKE_LID = 3, 1
BROKEN_OFF = 2
SHUFFLES, DISPENSES, READS, READS_STACKS, SEES_FACES, EJECTS, SENSES_EXIT, HOLDS_TWO = (
    1 << bit for bit in (0, 1, 3, 4, 5, 7, 8, 9)
)
Questions = Mapping[str, tuple[str, Callable[[float], dict[str, Any]]]]
COMMANDS = ("SHUFFLE", "DISPENSE", "HOLD", "FREE", "EJECT_STUB", "RETEST", "CLEAR_FAULT")
NEEDS = {"SHUFFLE": SHUFFLES, "DISPENSE": DISPENSES, "EJECT_STUB": EJECTS}


def card(text: str, color: int = 1) -> Card:
    """Return a card by its name; ``As!`` lies face up, ``As?`` cannot be read, ``As~`` has another back."""
    mark = text[2:]
    back = 3 - color if mark == "~" else color
    return Card(RANKS.index(text[0]), SUITS.index(text[1]), back, 2 if mark == "!" else 1, mark != "?")


def pack(color: int = 1) -> list[Card]:
    """Return fifty-two cards."""
    return [Card(rank, suit, color) for suit in range(4) for rank in range(2, 15)]


@dataclass
class Lies:
    """The misdeeds of a firmware that lies."""

    count: int = 0
    digest: bool = False
    reads: int = 0
    leaks_order: bool = False
    stack_size: int = 0


@dataclass
class Machine(Works):
    """The works behind the link."""

    capabilities: int = 0x3FF
    speed: float = 1.0
    chance: random.Random = field(default_factory=lambda: random.Random(0))  # noqa: S311 a simulator's shuffle
    intake: list[Card] = field(default_factory=pack)
    lies: Lies = field(default_factory=Lies)
    jam_at: int = 0
    jams_stack: int = 0
    short_by: int = 0
    cause_remains: bool = False
    wants_identities: bool = False
    wants_whole: bool = False
    lifts: bool = True

    def __post_init__(self) -> None:
        self.begin()
        self.commands = COMMANDS
        self.questions: Questions = {"QUERY": ("STATE", self.state)}
        self.began = 0.0
        self.mode, self.held, self.doors = PLAY, True, 0
        self.cycle, self.deck, self.moving = 0, 0, False
        self.last_order = 0
        self.is_void = False
        self.inside = ShufflerInside()
        self.taken_in: list[Card] = []
        self.cycles = self.stacks = self.cards_out = self.cards_in = self.all_out = 0
        # What lies on the felt for whoever looks, stack by stack.
        self.gave: list[str] = []

    # ---------------------------------------------------------------- time

    @property
    def ready(self) -> list[Card]:
        """Return the cards that can be dealt."""
        return self.inside.cards

    @ready.setter
    def ready(self, cards: list[Card]) -> None:
        self.inside.decks = [ReadyDeck(0, cards)] if cards else []

    # ---------------------------------------------------------------- commands

    def command(self, name: str, values: dict[str, int], now: float) -> int:
        """Carry out a command, or return why not."""
        code = self._refusal(name, values)
        if code == OK:
            getattr(self, f"_do_{name.lower()}")(values, now)
        return code

    def _refusal(self, name: str, values: dict[str, int]) -> int:
        """Return the first reason against a command, in the page's order."""
        needs = NEEDS.get(name, 0)
        if not needs:
            untested = name == "CLEAR_FAULT" and self.fault and not self.tested
            return FAULTED if untested else OK
        shuffles = name == "SHUFFLE"
        reasons = (
            (self.capabilities & needs == 0, UNABLE),
            (self._is_odd(name, values), NONSENSE),
            (self.fault, FAULTED),
            ((shuffles and self.doors & 1) or self.doors & 4, DOOR_OPEN),
            (self.mode != PLAY, WRONG_MODE),
            (self.held and not shuffles, HELD),
            (self.cycle == 1 or self.moving, BUSY),
            (self.inside.lying is not None and not shuffles, OCCUPIED),
            (shuffles and self.inside.has_no_room_for(values["deck"]), INSIDE),
            (self._has(name, values) < values.get("cards", 1), TOO_FEW),
        )
        return next((code for is_so, code in reasons if is_so), OK)

    def _is_odd(self, name: str, values: dict[str, int]) -> bool:
        """Return whether a number is not as the page lists it."""
        deck = values["deck"]
        is_deck = 65 <= deck <= 90 or (name == "EJECT_STUB" and deck == 0)  # noqa: PLR2004
        if name != "DISPENSE":
            return not is_deck
        return not is_deck or not 1 <= values["cards"] <= 52 or values["order"] <= self.last_order  # noqa: PLR2004

    def _has(self, name: str, values: dict[str, int]) -> int:
        """Return how many cards there are for this command."""
        if name == "SHUFFLE":
            return len(self.intake)
        return self.inside.of(values["deck"]) if values["deck"] else self.inside.count

    def _do_hold(self, _values: dict[str, int], _now: float) -> None:
        self.held, self.is_void = True, self.moving

    def _do_free(self, _values: dict[str, int], _now: float) -> None:
        self.held = False

    def _do_shuffle(self, values: dict[str, int], now: float) -> None:
        self.start_cycle(now, values["deck"])

    def _do_dispense(self, values: dict[str, int], now: float) -> None:
        self.moving, self.is_void = True, False
        self.last_order = values["order"]
        self.after(STACK_S, lambda at: self._stack_out(values, at), now)

    def _do_eject_stub(self, values: dict[str, int], now: float) -> None:
        self.moving, self.is_void = True, False
        self.after(STACK_S, lambda at: self._eject(values["deck"], at), now)

    def _do_retest(self, values: dict[str, int], now: float) -> None:
        self.after(TEST_S, lambda at: self._tested(values["fault"], at), now)

    def _do_clear_fault(self, values: dict[str, int], now: float) -> None:
        if self.fault:
            self.say("FAULT", now, fault=values["fault"] or self.fault, latched=0)
        self.fault, self.tested = 0, False

    def no_host(self) -> None:
        """Hold the cards: the session is over."""
        # An order that has not begun is void, and the next session numbers its orders anew.
        self.held, self.is_void, self.last_order = True, self.moving, 0

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
        if self.capabilities & READS and len(self.taken_in) > self.lies.reads:
            self._tell(taken, len(self.taken_in) - self.lies.reads, now)
        if taken.face == 2 and self.capabilities & SEES_FACES:  # noqa: PLR2004
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
        reads = len(cards) - self.lies.reads if self.capabilities & READS else 0
        digest = hashlib.sha256(b"a lie").digest() if self.lies.digest else self._digest(cards)
        number = len(cards) + self.lies.count
        self.say("CYCLE_COMPLETED", now, deck=self.deck, count=number, reads=reads, digest=digest)
        mixed, self.taken_in = self.chance.sample(cards, len(cards)), []
        if self.wants_whole or not self.capabilities & DISPENSES:
            self.cards_out += len(mixed)
        else:
            self.inside.decks.append(ReadyDeck(self.deck, mixed))
        if self.lies.leaks_order:
            for index, each in enumerate(mixed, 1):
                self._tell(each, index, now)

    def _digest(self, cards: list[Card]) -> bytes:
        if not self.capabilities & READS:
            return bytes(32)
        counts = [0] * 53
        for each in cards:
            counts[each.code if each.readable else 52] += 1
        return hashlib.sha256(b"sabot-link/1 composition" + bytes(counts)).digest()

    def stop_cycle(self, now: float, cause: int) -> None:
        """End the cycle without a deck; the cards are back in the intake."""
        if self.cycle == 1:
            self.cycle = 0
            self.say("CYCLE_STOPPED", now, deck=self.deck, cause=cause, count=len(self.taken_in))
            self.intake, self.taken_in = self.taken_in + self.intake, []

    # ---------------------------------------------------------------- stacks

    def _stack_out(self, wanted: dict[str, int], now: float) -> None:
        self.moving = False
        if self.held or self.is_void:
            return
        if self.jams_stack:
            self.jams_stack = 0
            self.jam(now, 4, 5)
            return
        size = max(0, wanted["cards"] - self.short_by)
        is_short, self.short_by = size < wanted["cards"], 0
        stack = self.inside.deal(wanted["deck"], size)
        self.stacks += 1
        self.gave.append(" ".join(each.name for each in stack))
        self._lay_out(Lying(wanted["order"], wanted["deck"], len(stack)), now)
        shown = (
            bytes(each.code for each in stack)
            if self.wants_identities and self.capabilities & READS_STACKS
            else b""
        )
        told = {"order": wanted["order"], "deck": wanted["deck"], "size": size + self.lies.stack_size}
        self.say("STACK", now, **told, cards=shown)
        if is_short:
            self.latch(now, SHORT_FAULT)

    def _lay_out(self, lying: Lying, now: float) -> None:
        """Lay cards into the exit, until somebody takes them."""
        self.cards_out += lying.cards
        if self.capabilities & SENSES_EXIT and lying.cards:
            self.inside.lying = lying
            if self.lifts:
                self.after(LIFT_S, lambda at: self.lift(at, lying), now)

    def lift(self, now: float, what: Lying | None = None) -> None:
        """Take what lies in the exit."""
        lying = self.inside.lying
        # A take that was planned is for its own stack, not for one that came after it.
        if lying is not None and what in (None, lying):
            self.inside.lying = None
            self.say("TAKEN", now, order=lying.order, deck=lying.deck)

    def stack(self, wanted: list[tuple[int, int]]) -> None:
        """Arrange for these cards to come out first."""
        self.inside.stack(wanted)

    def kept(self) -> dict[str, Any]:
        """Return the cards inside and in the intake, for a device that is being put away."""
        decks = [[deck.name, [each[:3] for each in deck.cards]] for deck in self.inside.decks]
        return {"decks": decks, "intake": [each[:3] for each in self.intake]}

    def lay_back(self, kept: dict[str, Any]) -> None:
        """Lay the cards back where they lay."""
        self.inside.decks = [
            ReadyDeck(name, [Card(*each) for each in cards]) for name, cards in kept["decks"]
        ]
        self.intake = [Card(*each) for each in kept["intake"]]

    def _eject(self, deck: int, now: float) -> None:
        self.moving = False
        if self.held or self.is_void:
            return
        stub = self.inside.take_out(deck)
        self._lay_out(Lying(0, deck, len(stub)), now)
        self.say("EJECTED", now, deck=deck, count=len(stub))

    # ---------------------------------------------------------------- what goes wrong

    def jam(self, now: float, place: int, cause: int) -> None:
        """Jam it, here and for this cause."""
        self.moving = False
        self.say("JAM", now, place=place, cause=cause)
        self.fault, self.tested = JAM_FAULT, False
        if place <= 3:  # noqa: PLR2004
            self.stop_cycle(now, 1)

    def _tested(self, fault: int, now: float) -> None:
        self.tested = not self.cause_remains
        self.say("RETESTED", now, fault=fault, good=int(self.tested))

    def move_door(self, now: float, door: int, *, is_open: bool) -> None:
        """Move a lid or door; the service door stops a cycle."""
        bit = 1 << door - 1
        self.doors = self.doors | bit if is_open else self.doors & ~bit
        self.say("DOOR", now, door=door, open=int(is_open))
        if is_open and door == SERVICE_DOOR:
            self.stop_cycle(now, 2)

    def change_mode(self, now: float, mode: int) -> None:
        """Turn the key at the device."""
        self.mode = mode
        self.say("MODE", now, mode=mode)
        if mode != PLAY:
            self.stop_cycle(now, 7)
            self.inside.loosen()

    def empty(self, now: float, left_inside: int = 0) -> None:
        """Take all cards out, but for those that stay inside."""
        inside = self.inside.count + len(self.taken_in)
        # After a start nobody has counted what was taken in: then it is what is there and what went out.
        self.cards_in = self.cards_in or inside + self.cards_out
        out = self.cards_in - left_inside
        self.inside.take_out(0)
        self.taken_in = []
        self.cycle = 0 if self.cycle == BROKEN_OFF else self.cycle
        self.say("EMPTIED", now, deck=0, cards_in=self.cards_in, cards_out=out)
        self.cards_in = left_inside

    def lay_in(self, cards: list[Card], now: float) -> None:
        """Lay a deck into the intake; what was left of it inside is taken out for that."""
        deck, count = self.inside.remove_color(cards[0].color) if cards else (0, 0)
        if count:
            self.say("EMPTIED", now, deck=deck, cards_in=len(cards), cards_out=len(cards))
        self.intake = cards

    def lose_power(self, now: float) -> None:
        """Lose power: nothing planned happens, a cycle is broken off, counters begin anew."""
        self.began = now
        self.agenda.clear()
        self.cycle, self.moving, self.held = BROKEN_OFF if self.cycle else 0, False, True
        self.last_order = 0
        self.inside.loose += self.taken_in
        self.taken_in = []
        self.inside.loosen()
        self.inside.lying = None
        self.cycles = self.stacks = self.cards_out = 0

    def shows(self, now: float) -> dict[str, Any]:
        """Return what a person sees who looks at it, and into it."""
        inside = {"ready": len(self.ready), "intake": len(self.intake), "held": self.held}
        return {**self.state(now), **inside, "gave": list(self.gave)}

    def state(self, now: float) -> dict[str, int]:
        """Return the machine's part of STATE."""
        return {
            "mode": self.mode,
            "gate": int(self.held),
            "doors": self.doors,
            "fault": self.fault,
            "cycle": self.cycle,
            "deck": self.deck if self.cycle else 0,
            "exit": int(self.inside.lying is not None),
            **self.inside.told(),
            "cycles": self.cycles,
            "inside": self.inside.count + len(self.taken_in),
            "stacks": self.stacks,
            "cards_out": self.cards_out,
            "time": int((now - self.began) * 1000) % 2**32,
        }
