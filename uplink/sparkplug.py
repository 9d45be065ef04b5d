"""Sparkplug B of one table, pure: certificates of birth and death, data, and the one command it takes.

The node is the table, its devices are the node's devices. Everything comes from the state that the table says
of itself (``sabot.floor.table_state``), so there is no card in it and no person. A metric has its name in the
birth alone and an alias from then on; its data type always stands beside it, for decoders in the field take a
value without one for nothing. A host that knows no aliases is told names throughout. Whole numbers are Int64
or UInt64: where a UInt32 is kept differs from one implementation to the next. Of commands a node takes
Rebirth; whatever else is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

INT64, UINT64, BOOLEAN, STRING = 4, 8, 11, 12
NAMESPACE = "spBv1.0"
REBIRTH, BDSEQ = "Node Control/Rebirth", "bdSeq"
MOST_SEQ = 256
_TIME, _METRICS, _SEQ = 1, 2, 3
# Numbers of fields in the specification's protobuf, so few of which are used that it is written here by hand.
_NAME, _ALIAS, _AT, _TYPE, _LONG, _FLAG, _TEXT = 1, 2, 3, 4, 11, 14, 15
_VARINT, _BYTES = 0, 2
_WIDTHS = {1: 8, 5: 4}
_WORD = 2**64

Value = int | bool | str
Said = tuple[str, bytes]


class Metric(NamedTuple):
    """One metric: its name, its data type and how it is."""

    name: str
    kind: int
    value: Value


# ---------------------------------------------------------------- bytes


def _varint(number: int) -> bytes:
    found = bytearray()
    while number > 0x7F:  # noqa: PLR2004 - seven bits a byte
        found.append(number & 0x7F | 0x80)
        number >>= 7
    found.append(number)
    return bytes(found)


def _number(field: int, value: int) -> bytes:
    # Below nothing a number goes as its two's complement of 64 bits, as protobuf has it.
    return _varint(field << 3 | _VARINT) + _varint(value % _WORD)


def _text(field: int, value: bytes) -> bytes:
    return _varint(field << 3 | _BYTES) + _varint(len(value)) + value


_VALUES: Mapping[int, Callable[[Any], bytes]] = {
    INT64: lambda value: _number(_LONG, value),
    UINT64: lambda value: _number(_LONG, value),
    BOOLEAN: lambda value: _number(_FLAG, int(value)),
    STRING: lambda value: _text(_TEXT, value.encode()),
}


def _metric(each: Metric, at: int, alias: int, *, named: bool) -> bytes:
    name = _text(_NAME, each.name.encode()) if named else b""
    numbered = _number(_ALIAS, alias) if alias else b""
    return name + numbered + _number(_AT, at) + _number(_TYPE, each.kind) + _VALUES[each.kind](each.value)


def payload(at: int, metrics: Sequence[bytes], seq: int | None = None) -> bytes:
    """Return a payload: its time in milliseconds, its metrics, and its place in the sequence."""
    numbered = b"" if seq is None else _number(_SEQ, seq)
    return _number(_TIME, at) + b"".join(_text(_METRICS, each) for each in metrics) + numbered


def fields(raw: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message; raise ValueError where it is none."""
    at = 0
    while at < len(raw):
        tag, at = _read_varint(raw, at)
        if tag & 7 == _VARINT:
            value, at = _read_varint(raw, at)
            yield tag >> 3, value
            continue
        size, at = _read_varint(raw, at) if tag & 7 == _BYTES else (_WIDTHS.get(tag & 7, len(raw) + 1), at)
        if at + size > len(raw):
            raise ValueError("cut off")
        yield tag >> 3, raw[at : at + size]
        at += size


def _read_varint(raw: bytes, at: int) -> tuple[int, int]:
    found = shift = 0
    while at < len(raw) and shift < 64:  # noqa: PLR2004 - bits of a number
        found |= (raw[at] & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if raw[at - 1] <= 0x7F:  # noqa: PLR2004 - the last byte
            return found, at
    raise ValueError("cut off")


def wants_rebirth(raw: bytes) -> bool:
    """Return whether a command asks for a rebirth and nothing else; raise ValueError for no payload."""
    asked = [dict(fields(_message(value))) for field, value in fields(raw) if field == _METRICS and value]
    names = [(each.get(_NAME), each.get(_FLAG)) for each in asked]
    return names == [(REBIRTH.encode(), 1)]


def _message(value: int | bytes) -> bytes:
    if isinstance(value, bytes):
        return value
    raise ValueError("a number under the metrics, and no message")


# ---------------------------------------------------------------- a table as metrics


def metrics_of(state: Mapping[str, Any]) -> list[Metric]:
    """Return the metrics of a table, from what it says of itself."""
    held = [f"{kind} {device}: {why}" for kind, device, why, _, _ in state["held"]]
    return [
        Metric("Table/Phase", STRING, state["phase"]),
        Metric("Table/Chapter", STRING, state["chapter"]),
        Metric("Table/Rounds", UINT64, state["rounds"]),
        Metric("Table/Dealer On", BOOLEAN, bool(state["dealer"])),
        Metric("Table/Seats Taken", UINT64, len(state["taken"])),
        Metric("Table/Held", BOOLEAN, bool(held)),
        Metric("Table/Faults", STRING, "; ".join(held)),
        Metric("Table/Hits Waiting", UINT64, len(state["waits"])),
        Metric("Program/Version", STRING, state["version"]),
        Metric("Program/Digest", STRING, state["program"]),
        *(Metric(f"Day/{what}", UINT64, count) for what, count in state["day"]),
        *(Metric(f"Link/{name}/Open", BOOLEAN, not why) for name, why in state["links"]),
        *(Metric(f"Meter/{meter}/{level}", UINT64, cents) for meter, level, cents in state["meters"]),
    ]


def devices_of(state: Mapping[str, Any]) -> dict[str, list[Metric]]:
    """Return the metrics of each device of a table."""
    return {
        name: [Metric("Up", BOOLEAN, up), Metric("Why", STRING, why)] for name, up, why in state["devices"]
    }


class Node:
    """One table as a node of a group; ``clock`` counts milliseconds."""

    def __init__(self, group: str, name: str, clock: Callable[[], int], *, aliases: bool = True) -> None:
        self._group, self._name, self._clock, self._aliases = group, name, clock, aliases
        self._bdseq, self._seq = -1, 0
        self._state: Mapping[str, Any] | None = None
        self._known: dict[str, dict[str, tuple[int, Metric]]] = {}
        self.is_born = False
        self.refused = 0

    def topic(self, kind: str, device: str = "") -> str:
        """Return the topic of a message."""
        return f"{NAMESPACE}/{self._group}/{kind}/{self._name}{'/' if device else ''}{device}"

    # ------------------------------------------------------------ a session

    def begin(self) -> Said:
        """Begin a session, and return its will, which carries the number that its birth will carry."""
        self._bdseq, self.is_born = (self._bdseq + 1) % MOST_SEQ, False
        return self.death()

    def death(self) -> Said:
        """End the node's life, and return the certificate of its death."""
        self.is_born = False
        return self.topic("NDEATH"), payload(self._clock(), [self._bdseq_metric()])

    def _bdseq_metric(self) -> bytes:
        return _metric(Metric(BDSEQ, INT64, self._bdseq), self._clock(), 0, named=True)

    def birth(self) -> list[Said]:
        """Return the certificates of birth of the node and its devices; none before the table was heard."""
        if self._state is None:
            return []
        self._seq, self._known, self.is_born = 0, {}, True
        own = [
            self._bdseq_metric(),
            _metric(Metric(REBIRTH, BOOLEAN, False), self._clock(), 0, named=True),
            *self._name_all("", metrics_of(self._state)),
        ]
        born = [self._numbered("NBIRTH", "", own)]
        for device, found in devices_of(self._state).items():
            born.append(self._numbered("DBIRTH", device, self._name_all(device, found)))
        return born

    def _name_all(self, device: str, metrics: Sequence[Metric]) -> list[bytes]:
        first = sum(len(each) for each in self._known.values()) + 1
        known = {
            each.name: (first + place if self._aliases else 0, each) for place, each in enumerate(metrics)
        }
        self._known[device] = known
        return [_metric(each, self._clock(), alias, named=True) for alias, each in known.values()]

    def _numbered(self, kind: str, device: str, metrics: Sequence[bytes]) -> Said:
        seq, self._seq = self._seq, (self._seq + 1) % MOST_SEQ
        return self.topic(kind, device), payload(self._clock(), metrics, seq)

    # ------------------------------------------------------------ what changes

    def hear(self, state: Mapping[str, Any]) -> list[Said]:
        """Take a newer state of the table, and return what it changes; a new metric or device is a birth."""
        self._state = state
        if not self.is_born:
            return []
        now = {"": metrics_of(state), **devices_of(state)}
        # The specification lets data have only the metrics of the birth.
        if now.keys() != self._known.keys() or any(
            {each.name for each in metrics} != self._known[device].keys() for device, metrics in now.items()
        ):
            return self.birth()
        return [said for device, metrics in now.items() for said in self._changed(device, metrics)]

    def _changed(self, device: str, metrics: Sequence[Metric]) -> Iterator[Said]:
        known, changed = self._known[device], []
        for each in metrics:
            alias, before = known[each.name]
            if before != each:
                known[each.name] = alias, each
                changed.append(_metric(each, self._clock(), alias, named=not alias))
        if changed:
            yield self._numbered("DDATA" if device else "NDATA", device, changed)

    def command(self, raw: bytes) -> list[Said]:
        """Return the births that a command asks for; whatever else is asked is refused."""
        try:
            is_asked = wants_rebirth(raw)
        except ValueError:
            is_asked = False
        if is_asked:
            return self.birth()
        self.refused += 1
        return []
