"""The files of a sign: texts that call strings, strings that hold an amount, and the memory they lie in.

An amount stands in a STRING file that a TEXT file calls, for a sign shows a new string at once but blanks
when a text is written. Neither exists before the memory is configured, and configuring erases everything, so
it is done only where the sign does not have the files already.
"""

from collections.abc import Sequence

from sabot.drivers.alpha.codec import Packet
from sabot.rules.frozen import frozen

WRITE_TEXT, READ_TEXT, WRITE_SPECIAL, READ_SPECIAL, WRITE_STRING, READ_STRING = "ABEFGH"
MEMORY, SEQUENCE = b"$", b"."
PRIORITY = "0"
# The text is held still on the middle line.
HOLD = b"\x1b b"
CALL_STRING = b"\x10"
TEXT_SIZE, STRING_SIZE = 0x40, 0x20


@frozen
class SignPage:
    """The page of a sign for one meter: a caption, then the amount out of a string."""

    meter: str
    level: str
    caption: str
    text: str
    string: str


def memory_of(pages: Sequence[SignPage]) -> bytes:
    """Return the configuration of a memory that holds these pages, closed to remote controls."""
    # Eleven characters a file: label, type (A text, B string), L for locked against remote controls, size in
    # hex, times.
    texts = b"".join(b"%sAL%04XFFFF" % (page.text.encode(), TEXT_SIZE) for page in pages)
    strings = b"".join(b"%sBL%04X0000" % (page.string.encode(), STRING_SIZE) for page in pages)
    return texts + strings


def configure(pages: Sequence[SignPage]) -> Packet:
    """Return the packet that erases the sign and makes room for these pages."""
    return Packet(WRITE_SPECIAL, MEMORY + memory_of(pages))


def run(pages: Sequence[SignPage]) -> Packet:
    """Return the packet that shows these pages one after the other, closed to remote controls."""
    return Packet(WRITE_SPECIAL, SEQUENCE + b"SL" + "".join(page.text for page in pages).encode())


def page_text(page: SignPage) -> Packet:
    """Return the packet that writes the text of a page, which calls its string."""
    caption = page.caption.encode("ascii") + b" " if page.caption else b""
    return Packet(WRITE_TEXT, page.text.encode() + HOLD + caption + CALL_STRING + page.string.encode())


def amount(page: SignPage, shown: str) -> Packet:
    """Return the packet that writes a new amount, which does not blank the sign."""
    return Packet(WRITE_STRING, page.string.encode() + shown.encode("ascii"))


def priority(words: str) -> Packet:
    """Return the packet for a text instead of everything else.

    Nothing in it gives the sign back to its pages.
    """
    return Packet(WRITE_TEXT, PRIORITY.encode() + (HOLD + words.encode("ascii") if words else b""))


def ask_memory() -> Packet:
    """Return the packet that asks how the memory is laid out."""
    return Packet(READ_SPECIAL, MEMORY)


def ask_string(label: str) -> Packet:
    """Return the packet that asks for the content of a string."""
    return Packet(READ_STRING, label.encode())


# What a question is answered with: the packet that would write what was read.
ANSWERED_WITH = {READ_TEXT: WRITE_TEXT, READ_SPECIAL: WRITE_SPECIAL, READ_STRING: WRITE_STRING}


def is_answer(question: Packet, packet: Packet) -> bool:
    """Return whether a packet is the sign's answer to this question."""
    return packet.command == ANSWERED_WITH.get(question.command) and packet.data[:1] == question.data[:1]


def describe(packet: Packet, _show_cards: bool) -> str:  # noqa: FBT001 - the protocol of a convention
    """Return a packet in words."""
    names = {
        WRITE_TEXT: "text",
        READ_TEXT: "read text",
        WRITE_SPECIAL: "special",
        READ_SPECIAL: "read special",
        WRITE_STRING: "string",
        READ_STRING: "read string",
    }
    shown = "".join(chr(each) if 0x20 <= each < 0x7F else f"<{each:02X}>" for each in packet.data)  # noqa: PLR2004
    unproved = "" if packet.is_checked else " (no checksum)"
    return f"to {packet.kind}{packet.address}: {names.get(packet.command, packet.command)} {shown}{unproved}"


def packet_of(words: str) -> Packet:
    """Return the packet for a technician's ``text A HELLO``, ``string a $1.00``, ``read a`` or ``memory``."""
    verb, _, rest = words.strip().partition(" ")
    label, _, content = rest.partition(" ")
    if not words.isascii() or (len(label) != 1 and verb != "memory"):
        raise ValueError(f"{words!r} is none of: text L WORDS, string L WORDS, read L, memory (L: a label)")
    if verb == "text":
        return Packet(WRITE_TEXT, label.encode() + HOLD + content.encode())
    if verb == "string":
        return Packet(WRITE_STRING, label.encode() + content.encode())
    if verb == "read":
        return ask_string(label)
    if verb == "memory":
        return ask_memory()
    raise ValueError(f"{verb!r} is none of: text, string, read, memory")
