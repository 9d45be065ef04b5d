"""Tables and floor held against each other, offline: messages of a journal, answers of a ledger.

A journal's entries make messages (``journal_messages``); the ledger has them byte for byte, each with the
link of the entry that it follows from. So the two are one list seen from two ends, and are laid side by
side from the first link that both have. Whatever one end has beyond the other is no difference where it
stands at an end: the floor had not heard it yet, or the journal was exported before, or its beginning was
retained elsewhere. Anything in the middle is one.

Money is reckoned from the journal alone, by the wagers that it has and the rates that people signed, and
held against what the ledger's movements took from the players of that table.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from sabot.floor import messages
from sabot.floor.money import UNITS, WHOLE
from sabot.uplink import journal_messages
from sabot.uplink.table_end import Say

Json = dict[str, Any]
# The percentage of a wager that all levels of a link take together, by the number of its configuration.
TermsOf = Callable[[str, int], Fraction]

# What the floor's numbered messages are called as events of a table, and the fields that both have.
HEARD: Mapping[str, str] = {
    "HitGranted": messages.GRANTED,
    "MeterLinkRefused": messages.REFUSED,
    "GrantTakenBack": messages.TAKEN_BACK,
}
ALIKE: Mapping[str, Mapping[str, str]] = {
    messages.GRANTED: {
        **{
            name: name
            for name in ("link", "level", "round", "wager", "row", "seats", "cents", "each", "by_hand")
        },
        "grant": "entry",
    },
    messages.REFUSED: {"why": "why"},
    messages.TAKEN_BACK: {"grant": "grant", "cause": "cause"},
}


class MadeMove(NamedTuple):
    """A message that an entry of a journal makes."""

    entry: int
    say: Say

    @property
    def link(self) -> str:
        """The link of that entry."""
        return str(self.say.values["journal"])


@dataclass(slots=True)
class BoardJournal:
    """A journal of one board, or a part of one, as far as it speaks of linked meters."""

    board: str
    name: str
    first: int = 0
    last: int = 0
    made: list[MadeMove] = field(default_factory=list)
    heard: dict[int, Json] = field(default_factory=dict)

    def take(self, number: int, body: str, link: str) -> None:
        """Take an entry of the journal."""
        self.first, self.last = self.first or number, number
        if not journal_messages.may_say(body) and not _may_be_heard(body):
            return
        found = json.loads(body)
        self.made += [
            MadeMove(number, each) for each in journal_messages.says(found.get("effects", ()), link)
        ]
        event = found.get("event") or {}
        if event.get("event") in HEARD:
            self.heard[event["number"]] = event


class Applied(NamedTuple):
    """A message of a table, as the ledger has it."""

    entry: int
    message: Json
    refused: str
    gave: int  # units that it took from the players of the table


@dataclass(slots=True)
class BoardLedger:
    """The ledger, as far as it has one board of one table."""

    table: str
    board: str
    applied: list[Applied] = field(default_factory=list)


@dataclass(slots=True)
class Reconciliation:
    """The agreement of a journal with the ledger."""

    table: str
    board: str
    journal: str
    first: int
    last: int
    same: int = 0
    older: int = 0
    waiting: int = 0
    beyond: int = 0
    refused: int = 0
    answers: int = 0
    wagers: int = 0
    cents: int = 0
    units: int = 0
    differences: list[str] = field(default_factory=list)
    covered: set[int] = field(default_factory=set)

    def facts(self) -> Json:
        """Return it as plain values, for programs."""
        found = asdict(self)
        del found["covered"]
        return found


def _may_be_heard(body: str) -> bool:
    return any(f'"event":"{name}"' in body for name in HEARD)


# ---------------------------------------------------------------- what a table said


def compare(
    journal: BoardJournal, ledger: BoardLedger, said: Mapping[int, Json], terms: TermsOf
) -> Reconciliation:
    """Lay a journal and the ledger side by side, and return where they agree and differ."""
    found = Reconciliation(ledger.table, journal.board, journal.name, journal.first, journal.last)
    start = _beginning(journal, ledger, found)
    if start is not None:
        found.older = start[1]
        _side_by_side(journal.made[start[0] :], ledger.applied[start[1] :], found)
        _reckon(journal.made[start[0] :], ledger.applied[start[1] :], found, terms)
    _answers(journal, said, found)
    return found


def _beginning(journal: BoardJournal, ledger: BoardLedger, found: Reconciliation) -> tuple[int, int] | None:
    """Return the places in the journal's and the ledger's messages where both begin; None for nowhere."""
    places: dict[str, int] = {}
    for place, each in enumerate(journal.made):
        # The first of an entry: several messages of one entry have its link.
        places.setdefault(each.link, place)
    links = [str(each.message["journal"]) for each in ledger.applied]
    start = next((place for place, link in enumerate(links) if link in places), None)
    if start is None:
        return _nothing_alike(journal, ledger, found)
    before = places[links[start]]
    # A journal from its first entry on has everything that its board ever said.
    if start and journal.first == 1:
        entry = ledger.applied[0].entry
        found.differences.append(f"entry {entry} of the ledger and {start - 1} more are not of this journal")
    if before:
        entries = f"entries {journal.made[0].entry} to {journal.made[before - 1].entry}"
        found.differences.append(f"{before} messages of {entries} of the journal were never told")
    return before, start


def _nothing_alike(
    journal: BoardJournal, ledger: BoardLedger, found: Reconciliation
) -> tuple[int, int] | None:
    if ledger.applied and journal.first == 1:
        found.differences.append(
            f"none of the {len(ledger.applied)} messages of this board is of this journal"
        )
    elif not ledger.applied:
        return 0, 0
    found.older = len(ledger.applied)
    found.waiting = len(journal.made)
    return None


def _side_by_side(made: Sequence[MadeMove], applied: Sequence[Applied], found: Reconciliation) -> None:
    for ours, theirs in zip(made, applied, strict=False):
        if why := _why_other(ours.say, theirs.message):
            # The first alone: behind a message too many or too few everything would differ.
            found.differences.append(
                f"entry {ours.entry} of the journal, entry {theirs.entry} of the ledger: {why}"
            )
            return
        found.same += 1
        found.refused += bool(theirs.refused)
        found.covered.add(theirs.message["number"])
    found.waiting = max(0, len(made) - len(applied))
    found.beyond = max(0, len(applied) - len(made))


def _why_other(say: Say, message: Json) -> str:
    if say.kind != message["kind"]:
        return f"{say.kind} there, {message['kind']} here"
    for name, value in say.values.items():
        if message.get(name) != value:
            return f"{name} is {value} there, {message.get(name)} here"
    return ""


# ---------------------------------------------------------------- money


def _reckon(
    made: Sequence[MadeMove], applied: Sequence[Applied], found: Reconciliation, terms: TermsOf
) -> None:
    """Reckon what the wagers of a journal gave, and hold it against the ledger's movements."""
    # A reversal names spots without cents: each takes back what its contribution gave, by that one's terms.
    placed: dict[tuple[str, int, int, str], tuple[int, int]] = {}
    for ours, theirs in zip(made, applied[: found.same], strict=False):
        if theirs.refused or ours.say.kind not in (messages.CONTRIBUTION, messages.REVERSAL):
            continue
        units = _units_of(ours.say, placed, found, terms)
        found.units += units
        if units != theirs.gave:
            found.differences.append(
                f"entry {theirs.entry} of the ledger moved {theirs.gave} units of the players,"
                f" the journal's wagers make it {units}"
            )


def _units_of(
    say: Say, placed: dict[tuple[str, int, int, str], tuple[int, int]], found: Reconciliation, terms: TermsOf
) -> int:
    link, round_ = say.values["link"], say.values["round"]
    total = Fraction(0)
    for seat, wager, *more in say.values["spots"]:
        key = (link, round_, seat, wager)
        if more:
            placed[key] = (more[0], say.values["config"])
        cents, config = placed.get(key, (0, 0)) if more else placed.pop(key, (0, 0))
        if not cents:
            return 0  # its contribution is in a part of the journal that is not here
        sign = 1 if more else -1
        found.wagers, found.cents = found.wagers + sign, found.cents + sign * cents
        total += sign * terms(link, config) * cents * UNITS / WHOLE
    return int(total)


# ---------------------------------------------------------------- what the floor answered


def _answers(journal: BoardJournal, said: Mapping[int, Json], found: Reconciliation) -> None:
    """Hold every answer that the journal has against the ledger, and look for those missing in between."""
    newest = max(said, default=0)
    for number, event in sorted(journal.heard.items()):
        if number > newest:
            continue  # the ledger was exported before
        why = _why_no_answer(event, said.get(number))
        if why:
            found.differences.append(f"message {number} of the floor: {why}")
        else:
            found.answers += 1
    span = range(min(journal.heard, default=0), max(journal.heard, default=0))
    for number in sorted(said.keys() & set(span) - journal.heard.keys()):
        found.differences.append(f"message {number} of the floor is not in the journal")


def _why_no_answer(event: Json, message: Json | None) -> str:
    if message is None:
        return "the ledger does not make it"
    kind = HEARD[event["event"]]
    if message["kind"] != kind:
        return f"{kind} in the journal, {message['kind']} in the ledger"
    for ours, theirs in ALIKE[kind].items():
        if event[ours] != message[theirs]:
            return f"{ours} is {event[ours]} in the journal, {message[theirs]} in the ledger"
    return ""


def uncovered(ledger: BoardLedger, found: Iterable[Reconciliation]) -> list[int]:
    """Return the numbers of a board's messages that no journal given has."""
    # By board: a spare board goes on with the numbers of the one before, in a journal of its own.
    covered = {number for each in found if each.board == ledger.board for number in each.covered}
    return [each.message["number"] for each in ledger.applied if each.message["number"] not in covered]
