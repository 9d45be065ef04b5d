"""What looks at a shift of the soak beside the auditors: lean where it sees every shift, thorough where a few.

``SketchAuditor`` stands in for ``RefusalAuditor``, which writes the whole state down at each event and takes
longer for it than the table for its work: here plain values are kept, and of the rest how many there are.
"""

from __future__ import annotations

import json
import marshal
from typing import TYPE_CHECKING, get_type_hints

from sabot.statemachine.state.snapshot import RoundState, State
from sabot.statemachine.table import Table
from tests.statemachine.walk.audit_telling import TOLD
from tests.statemachine.walk.auditor import Auditor, is_refused
from tests.statemachine.walk.felt import FaceUp, look_everywhere
from tests.statemachine.walk.marked import cards_within
from tests.statemachine.walk.reckoning import Reckoning

if TYPE_CHECKING:
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event
    from tests.statemachine.walk.felt import AtTable

Seen = tuple[object, ...]
RESTORED_EVERY = 97
GOES_ALONG = 12
# The newer ways of marshal write equal values differently, by who else holds them.
NO_REFERENCES = 2


class Sketch:
    """The fields of a class, by how they are kept: as they are, written down, or counted."""

    def __init__(self, kind: type, *left_out: str) -> None:
        hints = {name: str(hint) for name, hint in get_type_hints(kind).items() if name not in left_out}
        several = [name for name, hint in hints.items() if hint.startswith(("dict[", "list["))]
        counted = [name for name in several if "sabot." in hints[name]]
        self._plain = tuple(name for name in hints if name not in several)
        self._written = tuple(name for name in several if name not in counted)
        self._counted = tuple(counted)

    def of(self, thing: object) -> Seen:
        """What is the same as before while nothing happens."""
        plain = tuple(getattr(thing, name) for name in self._plain)
        written = marshal.dumps([getattr(thing, name) for name in self._written], NO_REFERENCES)
        return plain, written, tuple(len(getattr(thing, name)) for name in self._counted)


# What goes on while nothing happens, and what is sketched by itself.
ASIDE = ("now", "round", "pending", "ledger", "day", "menu")
STATE = {name: Sketch(kind, *ASIDE) for name, kind in get_type_hints(State).items()}
ROUND = Sketch(RoundState)


class SketchAuditor(Auditor):
    """A refusal changes nothing that a sketch shows."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.before = self._sketch()

    def _sketch(self) -> Seen:
        state = self.table.state
        menu, pending = state.entry.menu, state.entry.pending
        entered = (menu and (menu.cursor, menu.action), pending.number, pending.choice, pending.fold)
        books = marshal.dumps(state.books.ledger.balances, NO_REFERENCES)
        parts = tuple(sketch.of(getattr(state, name)) for name, sketch in STATE.items())
        return parts, state.play.round and ROUND.of(state.play.round), entered, books

    def look(self, event: Event, effects: list[Effect]) -> None:
        after = self._sketch()
        if is_refused(effects):
            others = [effect for effect in effects if not isinstance(effect, TOLD)]
            self.hold_that(not others, "refused, and yet", others)
            self.hold_that(after == self.before, event, "was refused and changed", after, self.before)
        self.before = after


class LeakAuditor(Auditor):
    """Walks all that leaves the table, and wants every card in it to lie face up."""

    def __init__(self, table: Table, at_table: AtTable) -> None:
        super().__init__(table)
        self.at_table = at_table
        self.felt = FaceUp(at_table)
        self.shown = 0

    def look(self, event: Event, effects: list[Effect]) -> None:
        face_up = self.felt.see(event, effects)
        for where, card in look_everywhere(self.at_table, event, effects):
            self.hold_that(card in face_up, "card", card, "in", where, "after", event)
            self.shown += 1
        if self.table.state.play.round is None and self.table.rooms.recorded.last is not None:
            hidden = set(cards_within(self.table.rooms.recorded.last)) - face_up
            self.hold_that(not hidden, "the record shows", hidden)


class ModelAuditor(Auditor):
    """Settles each record again by the naive model."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.model = Reckoning(table)

    def look(self, _event: Event, _effects: list[Effect]) -> None:
        self.model.see()


class RestoredAuditor(Auditor):
    """Now and then a second table is made from a snapshot; for a while it must say the same."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.twin: Table | None = None
        self.steps = 0

    def look(self, event: Event, effects: list[Effect]) -> None:
        self.steps += 1
        if self.twin is not None:
            said = self.twin.handle(event)
            self.hold_that(said == effects, event, "brought", effects, "and after a restart", said)
        if self.steps % RESTORED_EVERY == GOES_ALONG and self.twin is not None:
            self.hold_that(self.twin.snapshot() == self.table.snapshot(), "two states after", event)
            self.twin = None
        elif self.steps % RESTORED_EVERY == 0:
            self.twin = Table.restore(self.table.law.setup, json.loads(json.dumps(self.table.snapshot())))
