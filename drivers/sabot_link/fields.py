"""The fields of a Sabot Link message on the wire: their widths and the values that the page lists.

The fields of a message are annotated with these, so that the order of bytes stands once: in the message.
"""

import struct
from collections.abc import Container
from dataclasses import dataclass, fields
from typing import Annotated, Any, NamedTuple, get_type_hints


class Number(NamedTuple):
    """An unsigned number, with the values that are listed for it."""

    code: str
    listed: Container[int] | None = None


class Raw(NamedTuple):
    """So many bytes as they are."""

    size: int


class Counted(NamedTuple):
    """One byte of length, then that many bytes: a text, or card codes."""

    most: int
    values: Container[int]
    is_text: bool


U8 = Annotated[int, Number("B")]
U16 = Annotated[int, Number("H")]
U32 = Annotated[int, Number("I")]
U64 = Annotated[int, Number("Q")]
PRINTABLE = range(0x20, 0x7F)
CARD_CODES = (*range(52), 255)


@dataclass(frozen=True)
class Layout:
    """The fields of one message: a fixed part, then those that bring their length."""

    names: tuple[str, ...]
    fixed: struct.Struct
    numbers: tuple[tuple[int, Container[int]], ...]
    counted: tuple[Counted, ...]

    def pack(self, values: tuple[Any, ...]) -> bytes:
        """Return the bytes of a message's values."""
        cut = len(values) - len(self.counted)
        tails = (
            value.encode("ascii") if kind.is_text else value
            for value, kind in zip(values[cut:], self.counted, strict=True)
        )
        return self.fixed.pack(*values[:cut]) + b"".join(bytes((len(tail),)) + tail for tail in tails)

    def unpack(self, payload: bytes) -> tuple[Any, ...] | None:
        """Return the values of a payload; None where its length or a value is not as listed."""
        if len(payload) < self.fixed.size or (not self.counted and len(payload) > self.fixed.size):
            return None
        values = self.fixed.unpack_from(payload)
        if any(values[at] not in listed for at, listed in self.numbers):
            return None
        if not self.counted:
            return values
        tails = self._tails(payload[self.fixed.size :])
        return None if tails is None else values + tails

    def _tails(self, rest: bytes) -> tuple[str | bytes, ...] | None:
        found: list[str | bytes] = []
        for kind in self.counted:
            size = rest[0] + 1 if rest else 0
            tail, is_short = rest[1:size], len(rest) < size or not size
            if is_short or len(tail) > kind.most or any(each not in kind.values for each in tail):
                return None
            found.append(tail.decode("ascii") if kind.is_text else tail)
            rest = rest[size:]
        return None if rest else tuple(found)


def layout_of(message: type) -> Layout:
    """Return the layout of a message class, read off its annotations."""
    hints = get_type_hints(message, include_extras=True)
    names = tuple(each.name for each in fields(message))
    kinds = [hints[name].__metadata__[0] for name in names]
    # On the page fields with a length of their own stand last, so everything before them is one struct.
    fixed = [kind for kind in kinds if not isinstance(kind, Counted)]
    form = ">" + "".join(kind.code if isinstance(kind, Number) else f"{kind.size}s" for kind in fixed)
    numbers = [(at, kind.listed) for at, kind in enumerate(fixed) if isinstance(kind, Number)]
    counted = [kind for kind in kinds if isinstance(kind, Counted)]
    limited = tuple((at, listed) for at, listed in numbers if listed is not None)
    return Layout(names, struct.Struct(form), limited, tuple(counted))
