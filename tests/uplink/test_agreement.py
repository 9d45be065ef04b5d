"""A journal and the ledger laid side by side: ends may stand out, nothing in the middle may differ."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pytest

from sabot.floor.money import UNITS
from sabot.uplink.reconciliation import Applied, BoardJournal, BoardLedger, Reconciliation, compare, uncovered

BOARD = "ab" * 32
ALL = Fraction(21)


def link(entry: int) -> str:
    return f"{entry:064x}"


@dataclass
class Pair:
    """A journal and a ledger that have the same four messages: two rounds, a claim, a void."""

    journal: BoardJournal = field(default_factory=lambda: BoardJournal(BOARD, "t1"))
    ledger: BoardLedger = field(default_factory=lambda: BoardLedger("T1", BOARD))
    said: dict[int, dict[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.contribute(10, 1, [[1, "prog5", 100], [2, "prog5", 100]])
        self.say(12, "claim", "ClaimHit", {"wager": "prog5", "row": "royal_flush", "seats": [1]}, 1, 0)
        self.contribute(20, 2, [[3, "prog5", 100]])
        self.say(
            22, "reversal", "ReverseFromLink", {"cause": "void", "spots": [[3, "prog5"]]}, 2, -21 * UNITS
        )
        self.grant(13, 1)

    def contribute(self, entry: int, number: int, spots: list[list[Any]]) -> None:
        values = {"config": 1, "spots": spots}
        self.say(entry, "contribution", "ContributeToLink", values, number, len(spots) * 21 * UNITS)

    def say(self, entry: int, kind: str, effect: str, values: dict[str, Any], round_: int, gave: int) -> None:
        named = {"link": "pit", **values}
        body = {"event": {}, "effects": [{"effect": effect, "number": round_, **named}]}
        self.journal.take(entry, compact(body), link(entry))
        number = len(self.ledger.applied) + 1
        message = {"kind": kind, "number": number, "journal": link(entry), "round": round_, **named}
        self.ledger.applied.append(Applied(100 + number, message, "", gave))

    def grant(self, entry: int, number: int) -> None:
        fields = {
            "link": "pit", "level": "mega", "round": 1, "wager": "prog5", "row": "royal_flush", "seats": [1],
            "cents": 1_000_020, "each": 1_000_020, "by_hand": False,
        }  # fmt: skip
        event = {"event": "HitGranted", "number": number, "grant": 102, **fields}
        self.journal.take(entry, compact({"event": event, "effects": []}), link(entry))
        self.said[number] = {"kind": "granted", "number": number, "entry": 102, "claim": 2, **fields}

    def compared(self) -> Reconciliation:
        return compare(self.journal, self.ledger, self.said, lambda _link, _config: ALL)


def compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def test_prog_8_all_of_it_agrees_and_the_money_is_that_of_the_wagers_that_stand() -> None:
    found = Pair().compared()

    assert found.differences == []
    assert (found.same, found.answers, found.wagers, found.cents, found.units) == (4, 1, 2, 200, 42 * UNITS)


def test_prog_8_ends_may_stand_out() -> None:
    pair = Pair()
    newer = pair.ledger.applied.pop()
    found = pair.compared()
    assert (found.differences, found.same, found.waiting) == ([], 3, 1)

    pair.ledger.applied.append(newer)
    pair.journal.made.pop()
    found = pair.compared()
    assert (found.differences, found.same, found.beyond) == ([], 3, 1)

    pair = Pair()
    del pair.journal.made[:2]
    pair.journal.first = 15
    found = pair.compared()
    assert (found.differences, found.same, found.older) == ([], 2, 2)
    assert uncovered(pair.ledger, [found]) == [1, 2]


def test_prog_8_a_journal_without_any_of_it_is_older_or_newer_altogether() -> None:
    pair = Pair()
    pair.journal.first, pair.journal.made = 500, pair.journal.made[:0]
    assert pair.compared().older == 4
    pair = Pair()
    pair.ledger.applied.clear()
    assert (pair.compared().waiting, pair.compared().differences) == (4, [])


def changed(pair: Pair, place: int, **fields: Any) -> None:
    found = pair.ledger.applied[place]
    pair.ledger.applied[place] = found._replace(message={**found.message, **fields})


def of_another_journal(pair: Pair) -> None:
    for place in range(4):
        changed(pair, place, journal="ef" * 32)


DIFFERENCES: dict[str, Callable[[Pair], object]] = {
    "a wager more": lambda pair: changed(pair, 0, spots=[[1, "prog5", 100]]),
    "another seat": lambda pair: changed(pair, 1, seats=[2]),
    "another kind": lambda pair: changed(pair, 1, kind="validated"),
    "left out of the ledger": lambda pair: pair.ledger.applied.pop(1),
    "left out of the journal": lambda pair: pair.journal.made.pop(1),
    "twice in the ledger": lambda pair: pair.ledger.applied.insert(1, pair.ledger.applied[0]),
    "never told": lambda pair: pair.ledger.applied.pop(0),
    "a journal that begins later than it says": lambda pair: pair.journal.made.pop(0),
    "of another journal": of_another_journal,
    "a unit less": lambda pair: pair.ledger.applied.__setitem__(
        2, pair.ledger.applied[2]._replace(gave=21 * UNITS - 1)
    ),
    "a cent more granted": lambda pair: pair.said[1].update(cents=1_000_021),
    "an answer of another kind": lambda pair: pair.said[1].update(kind="refused"),
    "an answer that the ledger does not make": lambda pair: pair.said.update({2: pair.said.pop(1)}),
}


@pytest.mark.parametrize("what", DIFFERENCES)
def test_prog_8_whatever_differs_in_the_middle_is_said(what: str) -> None:
    pair = Pair()
    pair.journal.first = 1
    DIFFERENCES[what](pair)

    assert pair.compared().differences


def test_prog_8_an_answer_between_two_that_the_journal_lacks_is_said() -> None:
    pair = Pair()
    pair.grant(14, 2)
    pair.grant(15, 3)
    assert pair.compared().differences == []
    del pair.journal.heard[2]
    assert pair.compared().differences == ["message 2 of the floor is not in the journal"]


def test_prog_8_a_refused_message_gives_nothing() -> None:
    pair = Pair()
    for place in (2, 3):
        pair.ledger.applied[place] = pair.ledger.applied[place]._replace(
            refused="the link stands still", gave=0
        )

    found = pair.compared()

    assert (found.differences, found.refused, found.units) == ([], 2, 42 * UNITS)
