"""The basics of messages on Sabot Link, whatever device says them: the base, and fields that recur."""

from collections.abc import Container
from typing import Annotated, ClassVar

from sabot.drivers.sabot_link.fields import PRINTABLE, U32, Counted, Number, Raw
from sabot.rules.frozen import frozen

RELIABLE_FROM = 0x10


def one(listed: Container[int]) -> Number:
    """Return the field of one byte with these values."""
    return Number("B", listed)


Bytes32 = Annotated[bytes, Raw(32)]
Text = Annotated[str, Counted(20, PRINTABLE, is_text=True)]
Bit = Annotated[int, one((0, 1))]


@frozen
class Message:
    """Something that one side says."""

    code: ClassVar[int] = -1
    name: ClassVar[str] = ""  # on the page, where the class has another one

    @classmethod
    def word(cls) -> str:
        """Return the message's name on the page, by which people read and type it."""
        return cls.name or cls.__name__


@frozen
class Unknown(Message):
    """A type that this program does not know: acknowledged and passed over."""

    type: int
    payload: bytes

    def __repr__(self) -> str:
        return f"Unknown(type=0x{self.type:02X}, {len(self.payload)} bytes)"


@frozen
class Malformed(Unknown):
    """A known type with a length or a value that the page does not list."""

    def __repr__(self) -> str:
        return f"Malformed(type=0x{self.type:02X}, {len(self.payload)} bytes)"


@frozen
class Happened(Message):
    """An event of the device, with its number and its time in milliseconds since the device started."""

    event: U32
    time: U32
