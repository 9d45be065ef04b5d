"""The vocabulary between a table and the floor: six messages up, five down, and no others.

Up, each numbered without a gap for its table: what a round contributes, what of it goes back, a hit that
claims its amount, a grant that the floorperson has validated, a grant that goes back. A heartbeat has no
number of its own, it says the last one. ``heard`` is the last numbered message of the floor that the table
has kept. ``at`` is the table's clock, never the same twice: an acknowledgement repeats it.

Down, numbered in the same way: what was granted, what was refused, and what happened to a grant. An
acknowledgement says up to which number the ledger holds everything; a table keeps each message until then.
Its ``asked`` is the ``at`` of what it answers: so it is the floor's heartbeat too, which nobody in between
can keep and play again. ``value`` is what a sign shows, and for whom.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sabot.floor import wire
from sabot.floor.wire import (
    Fields,
    count,
    digest,
    flag,
    listed,
    moment,
    name,
    number,
    ordinal,
    row,
    seat,
    seats,
    text,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sabot.floor.wire import MessageSigner

CONTRIBUTION, REVERSAL, CLAIM = "contribution", "reversal", "claim"
VALIDATED, WITHDRAWN, HEARTBEAT = "validated", "withdrawn", "heartbeat"
GRANTED, REFUSED, TAKEN_BACK = "granted", "refused", "taken_back"
ACKNOWLEDGED, VALUE = "acknowledged", "value"

_UP: Fields = {"table": name, "number": ordinal, "heard": count, "at": moment}
_SAID: Fields = {**_UP, "journal": digest, "link": name, "round": ordinal}
_DOWN: Fields = {"table": name, "number": ordinal, "entry": ordinal, "at": moment, "claim": count}
_CAUSE = text(80)

UP: Mapping[str, Fields] = {
    CONTRIBUTION: {
        **_SAID,
        "config": ordinal,
        "spots": listed(row(seat, word, number(1, 10**9)), wire.MOST_SPOTS),
    },
    REVERSAL: {**_SAID, "cause": _CAUSE, "spots": listed(row(seat, word), wire.MOST_SPOTS)},
    CLAIM: {**_SAID, "wager": word, "row": word, "seats": seats},
    VALIDATED: {**_UP, "journal": digest, "grant": ordinal, "by": text(40)},
    WITHDRAWN: {**_UP, "journal": digest, "grant": ordinal, "by": text(40), "cause": _CAUSE},
    HEARTBEAT: {"table": name, "number": count, "heard": count, "at": moment},
}
NUMBERED = frozenset(UP) - {HEARTBEAT}

DOWN: Mapping[str, Fields] = {
    GRANTED: {
        **_DOWN,
        "link": name,
        "level": word,
        "round": ordinal,
        "wager": word,
        "row": word,
        "seats": seats,
        "cents": count,
        "each": count,
        "before": count,
        "after": count,
        "by_hand": flag,
    },
    REFUSED: {**_DOWN, "why": text(200)},
    TAKEN_BACK: {**_DOWN, "grant": ordinal, "cause": _CAUSE},
    ACKNOWLEDGED: {
        "table": name,
        "applied": count,
        "heard": count,
        "asked": moment,
        "entry": count,
        "head": digest,
        "at": moment,
    },
    VALUE: {
        "link": name,
        "entry": count,
        "at": moment,
        "config": ordinal,
        "running": flag,
        "levels": listed(row(word, count), 20),
        # One or none: a field may be empty but never missing, for a body has one form.
        "hit": listed(row(word, name, seats, count, moment), 1, 0),
    },
}


def up(key: MessageSigner, kind: str, **values: object) -> bytes:
    """Return the payload of a message from a table; raise FloorError where it could not be understood."""
    return _payload(key, wire.FROM_TABLE, UP, kind, values)


def down(key: MessageSigner, kind: str, values: Mapping[str, object]) -> bytes:
    """Return the payload of a message from the floor."""
    return _payload(key, wire.FROM_FLOOR, DOWN, kind, values)


def acknowledged(key: MessageSigner, values: Mapping[str, object]) -> bytes:
    """Return an acknowledgement; unlike other messages it is not read again, for there is one to each."""
    body = wire.body_of(ACKNOWLEDGED, {name: values[name] for name in DOWN[ACKNOWLEDGED]})
    return wire.sealed(key, wire.FROM_FLOOR, body)


def read_up(body: bytes) -> dict[str, Any]:
    """Return the fields of a message of a table; raise FloorError where it is none."""
    return wire.read_body(body, UP, "message of a table")


def read_down(raw: bytes, key: str) -> dict[str, Any]:
    """Return the fields of a message of the floor whose key this is; raise FloorError where it is none."""
    signature, body = wire.opened(raw)
    if not wire.is_signed(key, wire.FROM_FLOOR, body, signature):
        raise wire.malformed("message of the floor", "the floor's key did not sign it")
    return wire.read_body(body, DOWN, "message of the floor")


def _payload(
    key: MessageSigner,
    purpose: bytes,
    kinds: Mapping[str, Fields],
    kind: str,
    values: Mapping[str, object],
) -> bytes:
    # In the order of the kind; what is too much goes behind, so that the reader below refuses it.
    ordered = {name: values[name] for name in kinds[kind] if name in values} | dict(values)
    body = wire.body_of(kind, ordered)
    # Read as the other side will read it: what could not be understood is not signed and not sent.
    wire.read_body(body, kinds, "message")
    return wire.sealed(key, purpose, body)
