"""Puts every rule to every step and every round, and keeps what was objected to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import cards, deal, decks, irregular, people, settle, wagers
from .finding import Finding, Objection, RoundRule, StepRule
from .follow import Shift
from .law import OUR_POLICY
from .reading import ByTwo, TableSetup

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .reading import Item, Json, Step
    from .story import Round

STEP_RULES: tuple[StepRule, ...] = (
    *decks.STEP_RULES,
    StepRule(
        "locked before cards", "lock", "no card is ordered while bets are open", deal.nothing_before_lock
    ),
    StepRule("drawn before the deal", "drawn in error", "it is the next card too", irregular.drawn_between),
    *cards.STEP_RULES,
    *people.STEP_RULES,
)
ROUND_RULES: tuple[RoundRule, ...] = (
    *people.ROUND_RULES,
    *decks.ROUND_RULES,
    *wagers.ROUND_RULES,
    *deal.ROUND_RULES,
    *irregular.ROUND_RULES,
    *cards.ROUND_RULES,
    *settle.ROUND_RULES,
)
BY_TWO = "two people"


@dataclass
class Checker:
    """Takes what a journal or a stream says, item by item; ``objections`` grows."""

    objections: list[Objection] = field(default_factory=list)
    rounds: int = 0
    steps: int = 0
    shift: Shift | None = None

    def check(self, items: Iterable[Item]) -> None:
        """Take everything."""
        for item in items:
            self.take(item)

    def take(self, item: Item) -> None:
        """Take the next item: a set-up, something done by two people, or a step."""
        if isinstance(item, TableSetup):
            self._start(item)
        elif isinstance(item, ByTwo):
            for found in people.by_two(item):
                self.objections.append(Objection(BY_TWO, OUR_POLICY, found.entry, 0, found.words))
        elif self.shift is not None:
            self._step(self.shift, item)

    @property
    def open_round(self) -> int:
        """Return since which entry a round is open that has no record yet, 0 where none is."""
        round_ = self.shift.round if self.shift else None
        return round_.lock.entry if round_ else 0

    def _start(self, setup: TableSetup) -> None:
        if self.shift is None:
            self.shift = Shift(setup)
        else:
            self.shift.start(setup)

    def _step(self, shift: Shift, step: Step) -> None:
        self.steps += 1
        shift.see(step)
        for rule in STEP_RULES:
            self._note(rule, shift, rule.look(shift, step))
        if step.record is None:
            return
        self.rounds += 1
        if shift.round is not None:
            self._judge(shift, shift.round, step.record)
        shift.close(step.record)

    def _judge(self, shift: Shift, round_: Round, record: Json) -> None:
        for rule in ROUND_RULES:
            self._note(rule, shift, rule.look(shift, round_, record), record)

    def _note(
        self, rule: StepRule | RoundRule, shift: Shift, found: Iterable[Finding], record: Json | None = None
    ) -> None:
        for each in found:
            number, method = (record["number"], record["method"]) if record else (0, "")
            cite = shift.setup.law.paragraph(each.about or rule.about, method)
            self.objections.append(Objection(rule.name, cite, each.entry, number, each.words))
