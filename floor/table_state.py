"""How a table is, as it says so each second: for the page of the pit and for whoever keeps telemetry.

It moves no money and is not entered, so it has no number: the newest by the table's own clock counts. It is
signed all the same, for people act on what a page shows. It has no card in it, whether public or not, and of
people the numbers of those who are on duty alone.

``date``, ``played`` and ``faults`` are the gaming day as the table's journal has it: how many rounds were
recorded, when the first and the last, and the faults by kind. The floor keeps the newest of each day.
``ledger`` is the end of the floor's ledger by the newest acknowledgement: a floor that lacks it is older.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sabot.floor import wire
from sabot.floor.wire import (
    Fields,
    count,
    date,
    digest,
    listed,
    moment,
    name,
    number,
    ordinal,
    row,
    seat,
    seat_or_none,
    word,
    words,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sabot.floor.wire import MessageSigner

KIND = "state"
MOST_HOLDS, MOST_DEVICES, MOST_METERS, MOST_PLACES, MOST_KINDS = 20, 30, 40, 120, 60
MOST_AGE_S = 10**9
_SOME = listed(seat, wire.MOST_SEATS, 0)
_AGE, _SHORT, _NAME, _WHY = number(0, MOST_AGE_S), words(20), words(40), words(120)

STATE: Mapping[str, Fields] = {
    KIND: {
        "table": name,
        "at": moment,
        "chapter": word,
        "version": _NAME,
        "program": words(64),
        "phase": word,
        "round": count,
        "rounds": count,
        "dealer": _SHORT,
        "seats": number(1, wire.MOST_SEATS),
        "taken": _SOME,
        "held": listed(row(word, _NAME, _WHY, _SHORT, _AGE), MOST_HOLDS, 0),
        "called": listed(row(word, _WHY), 10, 0),
        "decks": listed(row(word, _SHORT, _AGE), 10, 0),
        "links": listed(row(name, words(80)), 20, 0),
        "devices": listed(row(_SHORT, wire.flag, _WHY), MOST_DEVICES, 0),
        "meters": listed(row(word, word, count), MOST_METERS, 0),
        "waits": listed(row(seat, word, words(80)), wire.MOST_SEATS, 0),
        "wagers": listed(row(seat, word, count), wire.MOST_SPOTS, 0),
        "lie": listed(row(_NAME, number(0, 999)), MOST_PLACES, 0),
        "folded": _SOME,
        "asking": seat_or_none,
        "day": listed(row(word, count), 20, 0),
        "date": date,
        "played": row(count, words(24), words(24)),
        "faults": listed(row(word, ordinal), MOST_KINDS, 0),
        "ledger": row(count, digest),
    }
}


def state_of(key: MessageSigner, values: Mapping[str, object]) -> bytes:
    """Return the payload of a table's state; raise FloorError where it could not be understood."""
    body = wire.body_of(KIND, {field: values[field] for field in STATE[KIND]})
    wire.read_body(body, STATE, "state of a table")
    return wire.sealed(key, wire.TABLE_STATE, body)


def read_state(raw: bytes) -> tuple[dict[str, Any], bytes, bytes]:
    """Return a state, its body and its signature, which the caller has to prove; else raise FloorError."""
    signature, body = wire.opened(raw)
    return wire.read_body(body, STATE, "state of a table"), body, signature
