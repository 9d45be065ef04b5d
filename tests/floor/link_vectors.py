"""The known answers of docs/link.md, written from the program; run, it writes docs/link-vectors.json.

The tests hold the file against the program in both directions, its signatures against RFC 8032 as another program
has it, and its links against SHA-256 alone, so that a change of a single byte of the link shows.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sabot.floor import messages, wire
from sabot.floor.entry import FloorEntry, head_text
from sabot.floor.wire import hex_of

from .making import DAWN, Floor, Teller, key, linked

FILE = Path(__file__).resolve().parents[2] / "docs" / "link-vectors.json"
WHO = ("floor", "T1", "T2", "11", "12")


def vectors() -> dict[str, Any]:
    """Everything that the file holds."""
    floor, (one, two) = linked("T1", "T2")
    said = _evening(floor, one, two)
    return {
        "title": "The floor's link, version 1: known answers. These keys are public: use them nowhere else.",
        "keys": {
            name: {"seed": key(name).private_bytes_raw().hex(), "public": hex_of(key(name))} for name in WHO
        },
        "purposes": {
            "from_table": wire.FROM_TABLE.decode(),
            "from_floor": wire.FROM_FLOOR.decode(),
            "order": wire.ORDER.decode(),
            "head": wire.HEAD.decode(),
        },
        "up": [_payload(each) for each in said],
        "down": [_payload(each) for each in _down(floor)],
        "not_applied": list(_not_applied()),
        "ledger": [_entry(each) for each in floor.made()],
        "head": _head(floor.made()[-1]),
        "balances": {name: units for name, units in sorted(floor.state.books.balances.items()) if units},
    }


def _evening(floor: Floor, one: Teller, two: Teller) -> list[bytes]:
    """One message of each kind, and more, as two tables say them."""
    said = [
        one.bets(41, 1, 2, 7),
        two.bets(7, 4),
        one.hit(41, 2),
        two.hit(7, 4, row="straight_flush"),
        one.say(messages.VALIDATED, grant=8),
        two.say(messages.WITHDRAWN, grant=9),
        two.void(7, 4),
        two.bets(7, 9),
        one.say(messages.HEARTBEAT),
    ]
    for raw in said:
        floor.take(raw)
    return said


def _down(floor: Floor) -> Iterator[bytes]:
    """One message of each kind of the floor."""
    signer = key("floor")
    yield from (wire.sealed(signer, wire.FROM_FLOOR, each.body) for each in floor.desk._made.said)
    at: dict[str, object] = {"at": DAWN}
    head = floor.desk.last.link.hex()
    taken: dict[str, object] = {
        "table": "T2",
        "number": 3,
        "entry": 14,
        "claim": 2,
        "grant": 9,
        "cause": "no hit",
    }
    yield messages.down(signer, messages.TAKEN_BACK, taken | at)
    acknowledged: dict[str, object] = {
        "table": "T1",
        "applied": 3,
        "heard": 1,
        "asked": DAWN,
        "entry": 13,
        "head": head,
    }
    yield messages.down(signer, messages.ACKNOWLEDGED, acknowledged | at)
    levels = [["mega", 1_000_010], ["major", 100_024], ["minor", 25_009]]
    value: dict[str, object] = {"link": "pit", "entry": 13, "config": 1, "running": True, "levels": levels}
    hit = [["mega", "T1", [2], 1_000_040, DAWN]]
    yield messages.down(signer, messages.VALUE, value | at | {"hit": hit})


def _not_applied() -> Iterator[dict[str, str]]:
    """Payloads that change nothing, each after message 1 of T1 was applied, with the verdict on each."""
    floor, (one, _) = linked("T1", "T2")
    first = one.bets(1, 1)
    floor.take(first)
    signature, body = wire.opened(one.bets(2, 1))
    blank = wire.sealed(key("T1"), wire.FROM_TABLE, body.replace(b",", b", ", 1))
    forgot = Teller("T1").bets(1, 2)
    cases = {
        "the same again": first,
        "the number after the next": Teller("T1", 2).bets(2, 1),
        "an old number with other content": forgot,
        "signed by another table": wire.sealed(key("T2"), wire.FROM_TABLE, body),
        "signed for another direction": wire.sealed(key("T1"), wire.FROM_FLOOR, body),
        "of a table that is not enrolled": Teller("T9").bets(1, 1),
        "with a blank in its body": blank,
        "with a field too many": wire.sealed(key("T1"), wire.FROM_TABLE, body[:-1] + b',"x":1}'),
        "cut short": signature + body[:-1],
    }
    for what, raw in cases.items():
        yield {"what": what, "payload": raw.hex(), "verdict": floor.take(raw).verdict.value}


def _payload(raw: bytes) -> dict[str, str]:
    signature, body = wire.opened(raw)
    return {"body": body.decode(), "signature": signature.hex()}


def _entry(entry: FloorEntry) -> dict[str, object]:
    return entry._asdict() | {"link": entry.link.hex()}


def _head(entry: FloorEntry) -> dict[str, object]:
    signature = key("floor").sign(wire.HEAD + head_text(entry.number, entry.link))
    return {"number": entry.number, "link": entry.link.hex(), "signature": signature.hex()}


def page() -> str:
    """The file."""
    return json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
    sys.exit(0)
