"""The payload of each message of Sabot pads, both ways, one pair of functions a type in one table.

A payload that is not just as long as its type wants, or that holds a value which the page does not list, has
no meaning: reading it answers None, and the frame is passed over.
"""

import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from sabot.drivers.pads.messages import (
    SPOTS,
    Can,
    Cover,
    Flag,
    IdentityMessage,
    Lamp,
    Message,
    PadHello,
    PadOrder,
    PadProof,
    PadProve,
    PadSpot,
    PadState,
)

# In the page's order; numbers are big-endian, unlike USB's own.
_HELLO = struct.Struct(">BBB32s32s")
_IDENTITY = struct.Struct(">BBHI32s32s32s")
_PROOF = struct.Struct(">64s")
_ORDER = struct.Struct(">QQQ8sH")
_STATE = struct.Struct(">QQQ8sHBB")
_SPOT = struct.Struct(">BBBHI")
_TEXT = 20
# What a field holds when the pad does not know.
_NO_LIGHT, _NO_AGE, _NO_CENTS = 0xFF, 0xFFFF, 0xFFFFFFFF


def _or_none(value: int, unknown: int) -> int | None:
    return None if value == unknown else value


def _or_unknown(value: int | None, unknown: int) -> int:
    return unknown if value is None else value


def _read_hello(data: bytes) -> PadHello:
    return PadHello._make(_HELLO.unpack(data))


def _write_hello(hello: PadHello) -> bytes:
    return _HELLO.pack(*hello)


def _read_identity(data: bytes) -> IdentityMessage:
    version, spots, can, *rest = _IDENTITY.unpack(data[: _IDENTITY.size])
    texts, at = [], _IDENTITY.size
    for _ in range(4):
        length = data[at]
        text = data[at + 1 : at + 1 + length]
        if length > _TEXT or len(text) != length or not _is_plain(text):
            raise ValueError
        texts.append(text.decode("ascii"))
        at += 1 + length
    if at != len(data) or not 1 <= spots <= SPOTS:
        raise ValueError
    # Bits that this page does not know are passed over: a later version may have more.
    return IdentityMessage(version, spots, Can(can & sum(Can)), *rest, *texts)


def _is_plain(text: bytes) -> bool:
    return text.isascii() and text.decode("ascii").isprintable()


def _write_identity(who: IdentityMessage) -> bytes:
    head = _IDENTITY.pack(who.version, who.spots, who.capabilities, who.boot, who.nonce, who.key, who.public)
    texts = (who.maker, who.model, who.serial, who.firmware)
    return head + b"".join(bytes([len(text)]) + text.encode("ascii") for text in texts)


def _read_prove(data: bytes) -> PadProve:
    if data:
        raise ValueError
    return PadProve()


def _read_proof(data: bytes) -> PadProof:
    return PadProof(*_PROOF.unpack(data))


def _read_order(data: bytes) -> PadOrder:
    locked, expected, lit, seats, seen = _ORDER.unpack(data)
    return PadOrder(locked, expected, lit, tuple(map(Lamp, seats)), seen)


def _write_order(order: PadOrder) -> bytes:
    return _ORDER.pack(order.locked, order.expected, order.lit, bytes(order.seats), order.seen)


def _read_state(data: bytes) -> PadState:
    locked, expected, lit, seats, selflocks, flags, count = _STATE.unpack(data[: _STATE.size])
    rest = data[_STATE.size :]
    if len(rest) != count * _SPOT.size or not 1 <= count <= SPOTS:
        raise ValueError
    spots = tuple(_spot(*fields) for fields in _SPOT.iter_unpack(rest))
    lamps = tuple(map(Lamp, seats))
    return PadState(locked, expected, lit, lamps, selflocks, Flag(flags & sum(Flag)), spots)


def _spot(cover: int, changes: int, light: int, age: int, cents: int) -> PadSpot:
    known = (_or_none(light, _NO_LIGHT), _or_none(age, _NO_AGE), _or_none(cents, _NO_CENTS))
    return PadSpot(Cover(cover), changes, *known)


def _write_state(state: PadState) -> bytes:
    masks = (state.locked, state.expected, state.lit, bytes(state.seats))
    head = _STATE.pack(*masks, state.selflocks, state.flags, len(state.spots))
    return head + b"".join(map(_write_spot, state.spots))


def _write_spot(spot: PadSpot) -> bytes:
    light, age = _or_unknown(spot.light, _NO_LIGHT), _or_unknown(spot.age_ms, _NO_AGE)
    return _SPOT.pack(spot.cover, spot.changes, light, age, _or_unknown(spot.cents, _NO_CENTS))


class _Kind(NamedTuple):
    """The encoding of one type."""

    number: int
    read: Callable[[bytes], Message]
    write: Callable[[Any], bytes]


_KINDS: dict[type[Message], _Kind] = {
    PadHello: _Kind(0x01, _read_hello, _write_hello),
    IdentityMessage: _Kind(0x02, _read_identity, _write_identity),
    PadProve: _Kind(0x03, _read_prove, lambda _: b""),
    PadProof: _Kind(0x04, _read_proof, lambda proof: proof.signature),
    PadOrder: _Kind(0x10, _read_order, _write_order),
    PadState: _Kind(0x20, _read_state, _write_state),
}
_BY_NUMBER = {kind.number: kind for kind in _KINDS.values()}


def read_payload(number: int, data: bytes) -> Message | None:
    """Return the message of this type, None where the page knows no such type or no such content."""
    kind = _BY_NUMBER.get(number)
    if kind is None:
        return None
    try:
        return kind.read(data)
    except (ValueError, IndexError, struct.error):
        return None


def write_payload(message: Message) -> tuple[int, bytes]:
    """Return the type number of a message, and its payload."""
    kind = _KINDS[type(message)]
    return kind.number, kind.write(message)
