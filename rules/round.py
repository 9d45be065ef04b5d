"""A round of play and its outcome, as values.

A ``Round`` says what was wagered, dealt and decided; an ``Outcome`` is a list of lines, one for every stake
and one for every bonus that has no stake of its own. A stake of None is a wager whose value the table
cannot sense: it is settled as odds. Nothing here checks anything: ``round_json`` refuses what cannot be,
``settlement`` says what follows.
"""

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from sabot.rules.cards import Card
from sabot.rules.frozen import frozen

Stake = int | None
MeterValues = dict[str, dict[str, int]]


@frozen
class Options:
    """The operator's choices, and the readings that differ from the default."""

    paytables: Mapping[str, str] = field(default_factory=dict)
    progressive_unit: int = 100
    meter_reset: Mapping[str, int] = field(default_factory=dict)
    payout_limit: int | None = None
    pair_bonus_card: str = "own"
    readings: Mapping[str, str] = field(default_factory=dict)


@frozen
class Seat:
    """One betting position: its stakes (second wagers included), its cards, and what the player did."""

    number: int
    player: str
    stakes: Mapping[str, Stake]
    cards: tuple[Card, ...] | None = None
    fourth: Card | None = None
    raises: int = 0
    folded: bool = False
    # The player left, and the house treats the wagers as losing (x.7(b), reading F10).
    abandoned: bool = False


@frozen
class Round:
    """One round, with the shared cards by place (``dealer``, ``community``, ``six_card``, ...)."""

    chapter: str
    options: Options
    seats: tuple[Seat, ...]
    places: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)
    meters: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    # What the table game system drew: a card, and the position of a seat or of the ``dealer``.
    magic_card: Card | None = None
    lucky: int | str | None = None
    # Its kind, and whether it came before or after the raises (682a.13(d) asks).
    irregularity: str = ""
    when: str = ""


# What became of a stake, in the words of whoever reads a settlement.
RESULT_WORDS: Mapping[str, str] = {
    "win": "wins",
    "lose": "loses",
    "push": "pushes",
    "returned": "is returned",
    "forfeit": "is forfeited",
}


class Line(NamedTuple):
    """The outcome of one stake, or of one bonus payment."""

    seat: int
    wager: str
    stake: Stake
    result: str
    # The winnings, and what of the stake goes back beside them; None where the stake's value is unknown.
    paid: int | None
    back: int | None
    row: str | None
    cite: str
    # In place of sums where the stake's value is unknown.
    odds: str | None = None
    text: str = ""
    # What it would have been without the payout limit, None where the limit cut nothing.
    uncut: int | None = None

    @property
    def net(self) -> int | None:
        """Return the player's gain or loss on this line."""
        # Of a stake of unknown value only the odds are known.
        if self.stake is None or self.paid is None or self.back is None:
            return None
        return self.paid + self.back - self.stake


@frozen
class Outcome:
    """All lines of a round in the order the dealer settles, the meters after, and what each hand was."""

    settle_order: tuple[int, ...]
    void: str | None
    lines: tuple[Line, ...]
    meters: MeterValues
    hands: Mapping[str, str]
    readings: Mapping[str, str]


def outcome_json(outcome: Outcome) -> dict[str, object]:
    """Return the outcome as other programs read it; fields may be added to the contract, none is renamed."""
    return {
        "settle_order": list(outcome.settle_order),
        "void": outcome.void,
        "lines": [line_json(line) for line in outcome.lines],
        "meters": outcome.meters,
        "hands": dict(outcome.hands),
        "readings": dict(outcome.readings),
    }


def line_json(line: Line) -> dict[str, object]:
    """Return one line as JSON; a stake of unknown value has its odds instead of sums."""
    fields: dict[str, object] = {
        "seat": line.seat,
        "wager": line.wager,
        "stake": line.stake,
        "result": line.result,
        "paid": line.paid,
        "back": line.back,
        "net": line.net,
        "row": line.row,
        "cite": line.cite,
    }
    # Fields that say nothing are left out, so that an older consumer sees the lines that it knows.
    if line.stake is None:
        fields["odds"] = line.odds
    if line.uncut is not None:
        fields["before_limit"] = line.uncut
    if line.text:
        fields["says"] = line.text
    return fields
