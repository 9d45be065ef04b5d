"""Breadth first over every state of a reduced table: two seats, one chapter, every move at each step.

From each state every move (``moves``) is tried; what it leads to is folded (``folded``) and, where it is new,
walked from in its turn. Identities of cards are folded away by tables without a reader, amounts by wagers of
one size, meters by wagers that feed nothing. What comes out is a graph: the states, and which leads to which.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Protocol

from sabot.rules.round import Options
from sabot.rules.settlement.house import choosable
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, MeterSetup, Setup, Shuffler, meters_offered
from sabot.statemachine.state.snapshot import Lot
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import RefuseInput
from sabot.statemachine.vocabulary.events import Key, KeyPressed

from .folded import fold, restore_plan, unfold
from .moves import ANTE, UNIT, Alphabet, Limits, Move
from .setups import Way, law

if TYPE_CHECKING:
    from sabot.statemachine.vocabulary.effects import Effect

HOME = (Phase.BETS_OPEN, Phase.CLOSED)
Node = int


class Watch(Protocol):
    """Somebody who looks on: before each move, after it, and at each new state."""

    def before(self, table: Table) -> None: ...
    def after(self, table: Table, move: Move, said: list[Effect]) -> None: ...
    def new_state(self, table: Table) -> None: ...


def reduced_setup(way: Way, limits: Limits) -> Setup:
    """Two seats, meters that nothing feeds, the stub counted every round where that is not waived."""
    chapter = law(way.chapter)
    chapter = replace(chapter, deck=replace(chapter.deck, stub_count_every_rounds=1))
    letters = {name: "A" for name in choosable(chapter) if name not in chapter.envy}
    meters = {
        meter.name: {
            level: MeterSetup(100_000, 0, 0) for level in meter.levels[letters.get(meter.paytable, "only")]
        }
        for meter in meters_offered(chapter, frozenset(limits.optional))
    }
    reset = {"main": 100_000} if way.chapter == "md4cp" else {}
    return Setup(
        chapter=chapter,
        options=Options(paytables=letters, meter_reset=reset, progressive_unit=UNIT),
        offers=frozenset(limits.optional),
        method=way.method,
        knowledge=Knowledge(way.knowledge),
        shuffler=Shuffler.RESHUFFLER if way.method == "auto_shoe_reshuffle" else Shuffler.COUNTING,
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

    def __init__(self, way: Way, limits: Limits, watch: Watch) -> None:
        self.limits = limits
        self.watch = watch
        self.table = Table(reduced_setup(way, limits))
        self.alphabet = Alphabet(self.table, limits)
        self.graph = Graph()
        self._balances = dict(self.table.state.books.ledger.balances)
        self._is_in = b""

    def walk(self, most: int = 10_000_000) -> Graph:
        """Every state that can be reached, or as many as are allowed."""
        todo = deque([self._reach(0, "")[0]])
        while todo and len(self.graph.states) < most:
            node = todo.popleft()
            self._put(self.graph.states[node])
            for move in self.alphabet.moves():
                found, is_new = self._try(node, move)
                if is_new:
                    todo.append(found)
        return self.graph

    def _put(self, state: bytes) -> None:
        if self._is_in is not state:
            unfold(self.table, state)
            self._is_in = state

    def _try(self, node: Node, move: Move) -> tuple[Node, bool]:
        self._put(self.graph.states[node])
        self.watch.before(self.table)
        said = [effect for event in move.events for effect in self.table.handle(event)]
        while self.table.state.entry.menu is not None:  # what was wanted of a list is refused: leave it
            said += self.table.handle(KeyPressed(at=0.0, key=Key.BACK))
        self.graph.moves += 1
        self.watch.after(self.table, move, said)
        if len(move.events) == 1 and any(isinstance(effect, RefuseInput) for effect in said):
            self._nothing_changed(node, move)
            return node, False
        self._is_in = b""
        if self._is_beyond():
            return node, False
        found, is_new = self._reach(node, move.name)
        self.graph.into[found].append(node)
        return found, is_new

    def _nothing_changed(self, node: Node, move: Move) -> None:
        folded = self._folded()
        assert folded == self.graph.states[node], (self.graph.path(node), move, "was refused, and changed")
        restore_plan(self.table)

    def _reach(self, node: Node, name: str) -> tuple[Node, bool]:
        found, is_new = self.graph.add(self._folded(), (node, name))
        if is_new:
            restore_plan(self.table)
            self.watch.new_state(self.table)
            if self.table.state.play.phase in HOME and not self.table.state.trouble.holds:
                self.graph.home.append(found)
        return found, is_new

    def _folded(self) -> bytes:
        """Where decks do not run out there are always some in line, of backs that no other has."""
        state = self.table.state
        if not self.limits.lots:
            for deck in state.stock.decks.values():
                deck.color = f"back {deck.name}"
            state.stock.lots = [Lot("", f"back {n}", preshuffled=False) for n in range(self.limits.decks)]
        return fold(self.table, self._balances, undo=self.limits.undo)

    def _is_beyond(self) -> bool:
        """More faults at a time than are walked; a deck that was removed is none of them."""
        faults = sum(held.kind != "deck_removed" for held in self.table.state.trouble.holds)
        return faults > self.limits.faults
