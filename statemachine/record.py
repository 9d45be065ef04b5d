"""The record of a finished round: everything needed to reconstruct any hand that was turned.

What became public stands in it openly. Of cards that never did it knows how many lay where: their identities
are sealed with the events that brought them, and the plan says which event that was.
"""

from dataclasses import dataclass

from sabot.rules.frozen import frozen
from sabot.rules.round import Line
from sabot.statemachine.events import OpenCard
from sabot.statemachine.round import Hit, Note


@frozen
class RoundRecord:
    """One round as it is kept."""

    number: int
    chapter: str
    deck: str
    lot: str
    proof: str
    method: str
    knowledge: str
    dealer: str
    floor: str
    started_at: float
    ended_at: float
    bets: dict[int, dict[str, int | None]]
    players: dict[int, str]
    raises: dict[int, list[int | None]]
    folded: tuple[int, ...]
    left: tuple[int, ...]
    plan: tuple[str, ...]
    face_up: tuple[int, ...]
    chips: int
    stub: int | None
    public: dict[str, tuple[OpenCard, ...]]
    hidden: dict[str, int]
    hands: dict[str, str]
    known: dict[str, str]
    magic_card: OpenCard | None
    lucky: int | str | None
    meters_before: dict[str, dict[str, int]]
    meters: dict[str, dict[str, int]]
    declared: dict[str, dict[str, str]]
    irregularity: str
    when: str
    void: str
    by_hand: bool
    lines: tuple[Line, ...]
    hits: tuple[Hit, ...]
    notes: tuple[Note, ...]
    late: tuple[Note, ...]


@dataclass(slots=True, eq=False)
class LastRecord:
    """The record of the round that ended last."""

    last: RoundRecord | None = None
