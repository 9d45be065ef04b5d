"""A deck and a round as they can be known from outside, and the words by which the display names a step."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .reading import Json, Step

Spot = tuple[int, str]

# How the display names the steps that leave no other trace: the words that its first line begins with.
INSPECT, SPREAD, WASH = "inspect", "spread", "wash"
# Of two decks each is inspected, spread and washed by itself, and named.
OPENING = {
    INSPECT: re.compile(r"INSPECT (?:CARDS|DECK (\w+))$"),
    SPREAD: re.compile(r"SPREAD (?:(\w+) )?IN COLUMNS$"),
    WASH: re.compile(r"WASH (?:(\w+) )?AND STACK$"),
}
SHUFFLE = "SHUFFLE DECK"
BY_HAND = re.compile(rf"{SHUFFLE} (\w+)")
CUT, CHIPS = "CUT: COVER CARD", ("COUNT CHIPS", "CHIPS")
BACK_IN_SERVICE = "BACK IN SERVICE"
COUNT_STUB, TURN = "COUNT STUB", "TURN COMMUNITY"
# The dealer's hand is turned, or the hands are void and no wager that stands is settled by it (x.13(d)).
REVEAL = ("REVEAL", "DEALER NOT TURNED")
# What a device says again has not been tested since.
AGAIN = {
    "LinkLost": "lost_link",
    "DeviceJammed": "device",
    "ShufflerStopped": "shuffler_jam",
    "DeviceFaulted": "",
}
# A list or a hold lies over a step; the step beneath it has not changed.
NO_STEP = ("HELD", "MENU", "FLOOR ")


def opening_step(first: str) -> tuple[str, str]:
    """Return which step of the opening a line names, and of which deck; empty where it is none, or of all."""
    for kind, words in OPENING.items():
        if found := words.match(first):
            return kind, found[1] or ""
    return "", ""


@dataclass
class Receipt:
    """Cards that came to the table: when, and what x.4 had done with them."""

    at: float
    dealer: str
    done: set[str] = field(default_factory=set)
    verified_by: str = ""


@dataclass
class Deck:
    """A deck as it can be known from outside."""

    name: str
    is_known: bool = True
    is_beginning: bool = True
    lot: str = ""
    receipt: Receipt | None = None
    in_use: bool = False
    age_unknown: bool = False
    shuffled: bool = False
    is_by_device: bool = False
    was_by_hand: bool = False
    counted: bool = False
    cut: bool = False
    is_ordered: bool = False
    met_order: bool = False
    is_stopped: bool = False
    completed_after_stop: bool = False
    rounds: int = 0
    since_count: int = 0
    methods: set[str] = field(default_factory=set)


@dataclass
class Round:
    """A round from "no more bets" to its record."""

    lock: Step
    decks: dict[str, Deck]
    bets: dict[int, dict[str, int | None]]
    open_spots: set[Spot]
    dealer: str
    faults: dict[tuple[str, str], bool]
    covered: set[str]
    steps: list[Step] = field(default_factory=list)

    @property
    def locked_at(self) -> float:
        """Return when "no more bets" was said, by the table's clock."""
        return self.lock.at

    def entry_at(self, at: float) -> int:
        """Return the first entry at a time or after it."""
        return next((step.entry for step in self.steps if step.at >= at), self.steps[-1].entry)

    def effects(self, *kinds: str) -> Iterator[tuple[Step, Json]]:
        """Yield the effects of these kinds with the step of each."""
        for step in self.steps:
            for effect in step.all(*kinds):
                yield step, effect

    def confirmed(self, words: str | tuple[str, ...]) -> Iterator[Step]:
        """Yield the steps in which OK was pressed on a prompt that begins so, and the table went on."""
        for step in self.steps:
            if step.is_ok and step.before.get("first", "").startswith(words) and not step.is_refused:
                yield step

    @property
    def revealed(self) -> Step | None:
        """Return the step in which everything shared was turned, None where it never was."""
        found = list(self.confirmed(REVEAL)) or list(self._last_community())
        return found[-1] if found else None

    def _last_community(self) -> Iterator[Step]:
        for step in self.confirmed(TURN):
            if step.before["first"].endswith("3"):
                yield step

    @property
    def is_void(self) -> bool:
        """Whether the last word was that the round is void."""
        said = [effect["effect"] for _, effect in self.effects("VoidRound", "RestoreRound")]
        return bool(said) and said[-1] == "VoidRound"
