"""Breadth first over every state of a reduced table: two seats, one chapter, every kind of event at each step.

A *move* is what one person or device does: a key, an event, or the walk through a list to one of its entries
(unlock, open, move, take, lock again). From each state every move is tried; what it leads to is folded
(``folded``) and, where it is new, walked from in its turn. The identities of cards are folded away by
tables without a reader; amounts by wagers of one size. ``Limits`` bounds what would only multiply: faults at
a time, decks in line, counted chips.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from sabot.rules.round import Options
from sabot.rules.settlement.house import choosable
from sabot.statemachine import events as ev
from sabot.statemachine.dealing import expected_stub
from sabot.statemachine.effects import RefuseInput
from sabot.statemachine.events import Event, Key, Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge, MeterTerms, Setup, Shuffler
from sabot.statemachine.state import Lot
from sabot.statemachine.table import Table

from .folded import fold, restore_plan, unfold
from .setups import law

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sabot.statemachine.effects import Effect

ANTE, UNIT = 1_000, 100
HOURS = 9 * 3600.0
HOME = (Phase.BETS_OPEN, Phase.CLOSED)
KEYS = tuple(key for key in Key if key not in (Key.MENU, Key.FLOOR))
Node = int


class Move(NamedTuple):
    """What one person or device does."""

    name: str
    events: tuple[Event, ...]


@dataclass(frozen=True)
class Limits:
    """What is bounded, and how wide."""

    faults: int = 1
    chips: int = 2
    optional: tuple[str, ...] = ()
    decks: int = 1
    second_seat: bool = True
    rows: bool = False
    hours: bool = False
    lots: bool = False
    left_out: frozenset[str] = frozenset()


def reduced_setup(chapter_id: str, method: str, knowledge: Knowledge, limits: Limits) -> Setup:
    """Two seats, meters without contributions, the stub counted every round where it is not waived."""
    chapter = law(chapter_id)
    chapter = replace(chapter, deck=replace(chapter.deck, stub_count_every_rounds=1))
    letters = {name: "A" for name in choosable(chapter) if name not in chapter.envy}
    reset = {"main": 100_000} if chapter_id == "md4cp" else {}
    reshuffles = method == "auto_shoe_reshuffle"
    meters = {
        meter.name: {
            level: MeterTerms(100_000, 0, 0) for level in meter.levels[letters.get(meter.paytable, "only")]
        }
        for meter in chapter.meters.values()
    }
    return Setup(
        chapter=chapter,
        options=Options(paytables=letters, meter_reset=reset, progressive_unit=UNIT),
        offers=frozenset(limits.optional),
        method=method,
        knowledge=knowledge,
        shuffler=Shuffler.RESHUFFLER if reshuffles else Shuffler.COUNTING,
        decks=limits.decks,
        seats=2,
        smallest_chip_cents=ANTE,
        adjacent_boxes=2,
        meters=meters,
    )


@dataclass
class Graph:
    """The states that were found, and which leads to which."""

    states: list[bytes] = field(default_factory=list)
    number: dict[bytes, Node] = field(default_factory=dict)
    into: list[list[Node]] = field(default_factory=list)
    came_by: list[tuple[Node, str]] = field(default_factory=list)
    home: list[Node] = field(default_factory=list)
    moves: int = 0

    def add(self, state: bytes, came_by: tuple[Node, str]) -> tuple[Node, bool]:
        """The number of a state, and whether it is new."""
        known = self.number.get(state)
        if known is not None:
            return known, False
        node = self.number[state] = len(self.states)
        self.states.append(state)
        self.into.append([])
        self.came_by.append(came_by)
        return node, True

    def path(self, node: Node) -> list[str]:
        """The moves that lead to a state."""
        moves: list[str] = []
        while node:
            node, move = self.came_by[node]
            moves.append(move)
        return moves[::-1]

    def without_way_home(self) -> list[Node]:
        """The states from which neither open bets nor a closed table can be reached."""
        reached = set(self.home)
        todo = list(self.home)
        while todo:
            for before in self.into[todo.pop()]:
                if before not in reached:
                    reached.add(before)
                    todo.append(before)
        return [node for node in range(len(self.states)) if node not in reached]


class Walker:
    """Walks one reduced table."""

    def __init__(
        self, setup: Setup, limits: Limits, check: Callable[[Table, Move, list[Effect]], None]
    ) -> None:
        self.limits = limits
        self.table = Table(setup)
        self.balances = dict(self.table.state.ledger.balances)
        self.graph = Graph()
        self.check = check
        self._is_in = b""
        self._still = self._moves_at_any_time()

    # ------------------------------------------------------------ the walk

    def walk(self, most: int = 10_000_000) -> Graph:
        """Every state that can be reached, or as many as are allowed."""
        first = self._folded()
        todo = deque([self.graph.add(first, (0, ""))[0]])
        self._note_home(0)
        while todo and len(self.graph.states) < most:
            node = todo.popleft()
            self._put(self.graph.states[node])
            for move in self.moves():
                found, is_new = self._try(node, move)
                if is_new:
                    todo.append(found)
        return self.graph

    def _put(self, state: bytes) -> None:
        self.table.state = unfold(self.table, state)
        self.table.phases.state = self.table.state.phase
        self._is_in = state

    def _try(self, node: Node, move: Move) -> tuple[Node, bool]:
        state = self.graph.states[node]
        if self._is_in is not state:
            self._put(state)
        said = [effect for event in move.events for effect in self.table.handle(event)]
        while self.table.state.menu is not None:  # what was wanted of a list is refused: leave it
            said += self.table.handle(ev.KeyPressed(at=0.0, key=Key.BACK))
        self.graph.moves += 1
        if len(move.events) == 1 and any(isinstance(effect, RefuseInput) for effect in said):
            found, is_new = node, False
            folded = self._folded()
            assert folded == state, (self.graph.path(node), move, said, "was refused and changed something")
            restore_plan(self.table)
        else:
            self._is_in = b""
            self.check(self.table, move, said)
            if self._is_beyond():
                return node, False
            found, is_new = self.graph.add(self._folded(), (node, move.name))
        if is_new:
            self._note_home(found)
        self.graph.into[found].append(node)
        return found, is_new

    def _folded(self) -> bytes:
        state = self.table.state
        if not self.limits.lots:  # there is always a deck in line
            state.lots = [
                Lot("", "red" if self.limits.decks == 1 else _free_color(self.table), preshuffled=False)
            ]
        return fold(self.table, self.balances)

    def _is_beyond(self) -> bool:
        """More faults at a time than are walked; a deck that was removed is none of them."""
        faults = sum(held.kind != "deck_removed" for held in self.table.state.holds)
        return faults > self.limits.faults

    def _note_home(self, node: Node) -> None:
        if self.table.state.phase in HOME and not self.table.state.holds:
            self.graph.home.append(node)

    # ------------------------------------------------------------ moves

    def moves(self) -> list[Move]:
        """Everything that may happen in the state that the table is in."""
        return [*self._still, *self._keys(), *self._lists(), *self._faults(), *self._cards()]

    def _keys(self) -> Iterator[Move]:
        least, most = self._countable()
        number = self.table.state.pending.number or 0
        is_row = self.table.state.phase is Phase.DECLARING and not self.limits.rows
        for key in KEYS:
            if is_row and key in (Key.LEFT, Key.RIGHT):
                continue  # the first row by OK and the last one by FOLD stand for the others
            is_beyond = (key is Key.PLUS and number >= most) or (key is Key.MINUS and number <= least)
            if not is_beyond:
                yield Move(f"key {key}", (ev.KeyPressed(at=0.0, key=key),))

    def _countable(self) -> tuple[int, int]:
        """What a dealer counts: chips up to a few, a stub that is one card short, right, or one over."""
        state = self.table.state
        if state.phase is Phase.STUB:
            right = expected_stub(self.table)
            return right - 1, right + 1
        return (0, self.limits.chips) if state.phase is Phase.COUNTING_CHIPS else (-1, 1_000_000)

    def _lists(self) -> Iterator[Move]:
        """Each entry of each list, as the keys that lead to it."""
        for name, action in self.table.actions.items():
            values = action.values(self.table) if action.values and self._is_listed(name) else [""]
            if name == "face_up" and not self.limits.rows:
                values = values[:1]  # the first card of a stack stands for the others
            for value in values or [""]:
                keys = self._keys_to(name, value) if self._is_listed(name) else None
                if keys:
                    yield Move(f"{name} {value}".strip(), keys)

    def _is_listed(self, name: str) -> bool:
        action, state = self.table.action(name), self.table.state
        if name in self.limits.left_out:
            return False
        return state.phase in action.phases and (action.while_held or self.table.held is None)

    def _keys_to(self, name: str, value: str) -> tuple[Event, ...] | None:
        """Unlock where it is the floor's, open the list, go to the entry, take it, lock again."""
        action = self.table.action(name)
        by_floor = action.by is not Role.DEALER
        roles = (Role.FLOOR, Role.TECHNICIAN) if name == "release" else (action.by,)
        before = [ev.RoleUnlocked(at=0.0, role=role, person="somebody") for role in roles] if by_floor else []
        after = [ev.RoleLocked(at=0.0, role=role) for role in roles] if by_floor else []
        shown = self._shown(before, Key.FLOOR if by_floor else Key.MENU)
        if name not in shown:
            return None
        keys = [Key.FLOOR if by_floor else Key.MENU, *[Key.RIGHT] * shown.index(name), Key.OK]
        if value:
            assert action.values is not None
            keys += [*[Key.RIGHT] * action.values(self.table).index(value), Key.OK]
        pressed = [ev.KeyPressed(at=0.0, key=key) for key in keys]
        return (*before, *pressed, *after)

    def _shown(self, before: list[ev.RoleUnlocked], key: Key) -> list[str]:
        from sabot.statemachine.keys import BY_KEY  # noqa: PLC0415
        from sabot.statemachine.lists import listed  # noqa: PLC0415

        state = self.table.state
        kept, state.unlocked = (
            state.unlocked,
            state.unlocked | {each.role.value: each.person for each in before},
        )
        try:
            return listed(self.table, Role.FLOOR if key is Key.FLOOR else Role.DEALER, BY_KEY)
        finally:
            state.unlocked = kept

    def _faults(self) -> Iterator[Move]:
        """Tests of the faults that are there, and new ones."""
        state = self.table.state
        for held in state.holds:
            for good in (True, False):
                event = ev.DeviceRetested(at=0.0, device=held.device, fault=held.kind, good=good)
                yield Move(f"retest {held.kind} {held.device} {good}", (event,))
        if self.limits.faults:
            yield from _FAULTS
        for name in state.decks:
            yield Move(f"jam {name}", (ev.ShufflerStopped(at=0.0, deck=name, cause="jam"),))
            yield Move(f"51 in {name}", (ev.ShuffleCompleted(at=0.0, deck=name, count=51),))
        yield Move("restart", (ev.Resumed(at=0.0, down_s=1.0),))
        yield Move("restart after unknown time", (ev.Resumed(at=0.0, down_s=None),))
        yield Move("card out of turn", (ev.CardDrawn(at=0.0, card=None),))

    def _cards(self) -> Iterator[Move]:
        state = self.table.state
        for name in ("A", "B")[: self.limits.decks]:
            yield Move(f"shuffling {name}", (ev.ShuffleStarted(at=0.0, deck=name),))
            yield Move(f"52 in {name}", (ev.ShuffleCompleted(at=0.0, deck=name, count=52),))
            yield Move(f"not counted {name}", (ev.ShuffleCompleted(at=0.0, deck=name),))
        ordered = state.round.ordered if state.round is not None else 0
        for count in {ordered or 5, 1}:
            yield Move(f"stack of {count}", (ev.StackDispensed(at=0.0, count=count),))
        if self.limits.lots and not state.lots:
            yield Move("lot", (ev.LotRegistered(at=0.0, lot="new", color=_free_color(self.table)),))

    def _moves_at_any_time(self) -> list[Move]:
        wagers: list[Event] = [
            ev.WagerSensed(at=0.0, seat=1, wager="ante", cents=cents) for cents in (ANTE, 0)
        ]
        if self.limits.second_seat:
            wagers += [ev.WagerSensed(at=0.0, seat=2, wager="ante", cents=cents) for cents in (ANTE, 0)]
        for name in self.limits.optional:
            wagers.append(self._optional(name))
        second = self.table.chapter.contest.wagers[1]
        wagers.append(ev.WagerSensed(at=0.0, seat=1, wager=second, cents=ANTE))
        others: list[Event] = [
            ev.DealerSignedOn(at=0.0, person="dealer"),
            ev.TimeReached(at=HOURS if self.limits.hours else 0.0),
            ev.DeviceModeChanged(at=0.0, device="shuffler", mode="play"),
            ev.DeviceEmptied(at=0.0, device="shuffler", cards_in=52, cards_out=52),
            ev.LinkRestored(at=0.0, device="pad"),
            ev.DrawMade(at=0.0, lucky=1),
            ev.RoleLocked(at=0.0, role=Role.FLOOR),
        ]
        return [Move(_words(event), (event,)) for event in (*wagers, *others)]

    def _optional(self, name: str) -> Event:
        wager = self.table.chapter.wagers[name]
        if wager.device == "account":
            return ev.AccountWager(at=0.0, seat=1, wager=name, cents=UNIT)
        return ev.WagerSensed(at=0.0, seat=1, wager=name, cents=UNIT)


def _free_color(table: Table) -> str:
    used = {deck.color for deck in table.state.decks.values()}
    return next(each for each in ("red", "blue", "green") if each not in used)


def _words(event: Event) -> str:
    fields = (str(getattr(event, name)) for name in type(event).__slots__)
    return " ".join((type(event).__name__, *fields))


_FAULTS = tuple(
    Move(_words(event), (event,))
    for event in (
        ev.DeviceJammed(at=0.0, device="shoe", cause="jam"),
        ev.DeviceFaulted(at=0.0, device="table", fault="contradiction"),
        ev.DeviceFaulted(at=0.0, device="keys", fault="lamp"),
        ev.DeviceModeChanged(at=0.0, device="shuffler", mode="sort"),
        ev.DeviceEmptied(at=0.0, device="shuffler", cards_in=52, cards_out=36),
        ev.LinkLost(at=0.0, device="pad", reason="silence"),
    )
)
