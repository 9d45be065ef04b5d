"""Orders of people: signed documents in their turn, most of them by two people of two departments.

An order is a body of JSON as a message is, and beside it the signatures of people, each with a key of their
own. How many people an order takes stands in ``SIGNERS``; to stop a link takes one, for nobody should look
for a second while something is wrong. Whoever signs must be of another department than who signed before.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor import wire
from sabot.floor.errors import FloorError
from sabot.floor.state import FloorPerson
from sabot.floor.wire import Fields, digest, flag, listed, matching, name, number, row, seat, text, word

FOUNDED, PERSON, PERSON_GONE = "founded", "person", "person_gone"
TABLE, TABLE_RETIRED = "table", "table_retired"
CONFIGURATION, START, STOP = "configuration", "start", "stop"
ADJUSTMENT, RULING, BY_HAND, TAKE_BACK = "adjustment", "ruling", "by_hand", "take_back"

_PERSON = matching("[0-9]{1,8}")
_ORDER: Fields = {"order": number(1), "cause": text(200)}
_LONGEST_FILE = 32_768


def _is_file(value: object) -> bool:
    """Return whether a value is the text of a file: what people can read, in lines."""
    return (
        isinstance(value, str)
        and 0 < len(value) <= _LONGEST_FILE
        and all(each.isprintable() or each in "\n\t" for each in value)
    )


KINDS: Mapping[str, Fields] = {
    FOUNDED: {
        **_ORDER,
        "facility": text(60),
        "key": digest,
        "starts": matching("([01][0-9]|2[0-3]):[0-5][0-9]"),
        "zone": text(60),
        "people": listed(row(_PERSON, text(40), word, digest), 50),
    },
    PERSON: {**_ORDER, "person": row(_PERSON, text(40), word, digest)},
    PERSON_GONE: {**_ORDER, "person": _PERSON},
    TABLE: {**_ORDER, "table": name, "key": digest},
    TABLE_RETIRED: {**_ORDER, "table": name},
    CONFIGURATION: {**_ORDER, "file": _is_file},
    START: {**_ORDER, "link": name},
    STOP: {**_ORDER, "link": name},
    ADJUSTMENT: {**_ORDER, "link": name, "level": word, "units": number(-wire.MOST)},
    RULING: {**_ORDER, "held": number(1), "believed": flag},
    BY_HAND: {
        **_ORDER,
        "table": name,
        "link": name,
        "round": number(1),
        "wager": word,
        "row": word,
        "seats": listed(seat, wire.MOST_SEATS),
    },
    TAKE_BACK: {**_ORDER, "grant": number(1)},
}
# To stop takes one person; to start again takes two.
SIGNERS: Mapping[str, int] = {kind: 1 if kind == STOP else 2 for kind in KINDS}


class Signature(NamedTuple):
    """A person's word for an order."""

    person: str
    signature: str


def order(kind: str, **values: object) -> bytes:
    """Return the body of an order; raise FloorError where a field is missing or wrong."""
    ordered = {key: values[key] for key in KINDS[kind] if key in values} | values
    body = wire.body_of(kind, ordered)
    read(body)
    return body


def read(body: bytes) -> dict[str, Any]:
    """Return the fields of an order; raise FloorError where the body is none."""
    return wire.read_body(body, KINDS, "order")


def sign(person: str, key: Ed25519PrivateKey, body: bytes) -> Signature:
    """Return a person's signature of an order."""
    return Signature(person, key.sign(wire.ORDER + body).hex())


def verify(
    body: bytes, fields: Mapping[str, Any], signatures: Sequence[Signature], people: Mapping[str, FloorPerson]
) -> None:
    """Raise FloorError where an order lacks a signature, or has one that is not what it should be."""
    for each in signatures:
        if why := _why_not(body, each, people):
            raise FloorError("E-FLOOR-002", f"order {fields['order']}", what=f"person {each.person} {why}")
    # Departments and not heads: two people of one department are one word.
    signed_by = {people[each.person].department for each in signatures}
    wanted = SIGNERS[fields["kind"]]
    if len(signed_by) < wanted:
        has = " ".join(sorted(signed_by)) or "none"
        what = f"it takes {wanted} people of {wanted} departments, it has {has}"
        raise FloorError("E-FLOOR-002", f"order {fields['order']}", what=what)


def _why_not(body: bytes, signature: Signature, people: Mapping[str, FloorPerson]) -> str:
    person = people.get(signature.person)
    if person is None:
        return "is not enrolled"
    try:
        raw = bytes.fromhex(signature.signature)
    except ValueError:
        return "did not sign it"
    return "" if wire.is_signed(person.key, wire.ORDER, body, raw) else "did not sign it"
