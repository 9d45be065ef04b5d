"""The bytes of Sabot Link as a device writes and reads them, from the page alone.

It shares nothing with the host's codec, so that a wrong byte in one of them cannot agree with itself: COBS
and CRC are spelled out bit by bit, messages are plain dictionaries.
"""

from typing import Any

Fields = dict[str, Any]
SAFE = 255


def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0xEDB88320 if value & 1 else 0)  # noqa: PLW2901
        table.append(value)
    return table


_TABLE = _crc_table()


def crc32(data: bytes) -> int:
    """Return the CRC-32: polynomial 04C11DB7, reflected, start and final XOR FFFFFFFF."""
    value = 0xFFFFFFFF
    for byte in data:
        value = _TABLE[(value ^ byte) & 0xFF] ^ value >> 8
    return value ^ 0xFFFFFFFF


def stuff(data: bytes) -> bytes:
    """Return COBS, made byte by byte: each code byte is filled in when its zero comes."""
    out, place = bytearray(1), 0
    for byte in data:
        # No code for 254 bytes without a zero: no frame of the page is that long.
        if byte:
            out.append(byte)
        else:
            out[place] = len(out) - place
            place = len(out)
            out.append(0)
    out[place] = len(out) - place
    return bytes(out)


def unstuff(data: bytes) -> bytes | None:
    """Undo ``stuff``; return None for what it never writes."""
    out, left = bytearray(), 0
    for byte in data:
        if left:
            out.append(byte)
        else:
            out.append(0)
            left = byte
        left -= 1
    return bytes(out[1:]) if left == 0 and data else None


# Each field with its bytes; ``x32`` are bytes as they are, ``text`` and ``list`` bring one byte of length.
_EVENT = "event 4 time 4"
_SPEC = f"""
01 HELLO           lowest 1 highest 1 wants 1 boot 4 event 4 nonce x32 key x32
02 IDENTITY        version 1 kind 1 capabilities 2 boot 4 nonce x32 key x32 public x32 maker text model text serial text firmware text
03 PROVE
04 PROOF           signature x64
05 PARTING         reason 1
06 ACK
07 PING            token 4
08 PONG            token 4
10 QUERY
11 SHUFFLE         deck 1
12 DISPENSE        order 4 deck 1 cards 1
13 HOLD
14 FREE
15 EJECT_STUB      deck 1
16 RETEST          fault 1
17 CLEAR_FAULT     fault 1
20 CYCLE_STARTED   {_EVENT} deck 1
21 CARD_READ       {_EVENT} index 2 rank 1 suit 1 face 1 color 1 confidence 1
22 CYCLE_COMPLETED {_EVENT} deck 1 count 1 reads 1 digest x32
23 CYCLE_STOPPED   {_EVENT} deck 1 cause 1 count 1
24 STACK           {_EVENT} order 4 deck 1 size 1 cards list
25 JAM             {_EVENT} place 1 cause 1
26 DOOR            {_EVENT} door 1 open 1
27 MODE            {_EVENT} mode 1
28 EMPTIED         {_EVENT} deck 1 cards_in 2 cards_out 2
29 FAULT           {_EVENT} fault 1 latched 1
2A RETESTED        {_EVENT} fault 1 good 1
2B EJECTED         {_EVENT} deck 1 count 1
2C TAKEN           {_EVENT} order 4 deck 1
30 RESULT          command 4 code 1
31 STATE           command 4 mode 1 gate 1 doors 1 fault 1 cycle 1 deck 1 exit 1 first 1 first_cards 1 second 1 second_cards 1 inside 2 cycles 4 stacks 4 cards_out 4 kept 2 time 4
"""  # noqa: E501 one message a line
# Those of docs/sabot-accounts.md, on the same frames.
_ACCOUNTS = f"""
18 OPEN_BETS
19 CLOSE_BETS
1A TAKE            round 4 stakes list
1B ANSWER          ticket 4 seat 1 wager 1 cents 4 accepted 1 why text
1C CREDIT          number 4 round 4 seat 1 wager 1 kind 1 cents 4 cite text
1D UNSEAL          draw 4
1E DARK            spots list
1F COUNT
32 STANDING        command 4 phase 1 round 4 stations 1 wagers 1 placed 1 cents 4 credits 4 total 8 draw 4 fault 1 kept 2 time 4
33 STAKES          command 4 round 4 stakes list
50 WAGER           {_EVENT} ticket 4 seat 1 wager 1 cents 4 account 4
51 TAKEN_IN        {_EVENT} round 4 count 1 cents 4 draws 1
52 SEALED          {_EVENT} draw 4 round 4 seal x32
53 OPENED          {_EVENT} draw 4 round 4 kind 1 value 1 salt x16
54 CREDITED        {_EVENT} number 4 round 4 cents 4 account 4 total 8 again 1
"""  # noqa: E501 one message a line
Layout = list[tuple[str, str]]


def _messages(spec: str) -> dict[str, tuple[int, Layout]]:
    found = {}
    for line in spec.strip().splitlines():
        code, name, *words = line.split()
        found[name] = (int(code, 16), list(zip(words[::2], words[1::2], strict=True)))
    return found


LINK, ACCOUNTS = _messages(_SPEC), _messages(_ACCOUNTS)
MESSAGES = {**LINK, **ACCOUNTS}
NAMES = {code: name for name, (code, _) in MESSAGES.items()}


def payload_of(name: str, values: Fields) -> bytes:
    """Return the payload of a message."""
    out = bytearray()
    for field, width in MESSAGES[name][1]:
        value = values[field]
        if width.isdigit():
            out += int(value).to_bytes(int(width), "big")
        elif width.startswith("x"):
            out += value
        else:
            data = value.encode() if width == "text" else bytes(value)
            out += bytes([len(data)]) + data
    return bytes(out)


def fields_of(name: str, payload: bytes) -> Fields | None:
    """Return the values of a payload; None if its length is wrong."""
    values: Fields = {}
    at = 0
    for field, width in MESSAGES[name][1]:
        begin = at + 1 if width in ("text", "list") else at
        size = payload[at] if begin > at and at < len(payload) else int(width.strip("xtelis") or 0)
        piece = payload[begin : begin + size]
        at = begin + size
        if width.isdigit():
            values[field] = int.from_bytes(piece, "big")
        else:
            values[field] = piece.decode("ascii", "replace") if width == "text" else piece
    return values if at == len(payload) else None


def head_of(name: str, session: int, sequence: int, ack: int, values: Fields, *, maced: bool) -> bytes:
    """Return header and payload, which a MAC signs."""
    code, payload = MESSAGES[name][0], payload_of(name, values)
    flags = (1 if code >= 16 else 0) + (2 if maced else 0)  # noqa: PLR2004 the page's number
    numbers = b"".join(value.to_bytes(4, "big") for value in (session, sequence, ack))
    return bytes([1, code, flags, len(payload)]) + numbers + payload


def frame_of(body: bytes) -> bytes:
    """Return a body as it goes over the wire."""
    return stuff(body + crc32(body).to_bytes(4, "big")) + b"\0"


class WireHeard(dict[str, Any]):
    """A message that came: its fields, with its place in the session beside them."""

    name: str = ""
    session: int = 0
    sequence: int = 0
    ack: int = 0
    signed: bytes = b""
    mac: bytes = b""
    is_nonsense: bool = False


def heard(body: bytes) -> WireHeard | None:
    """Decode a body; return None for what must be passed over."""
    if len(body) < 16 or body[0] != 1 or body[2] & 0xFC:  # noqa: PLR2004
        return None
    if (body[2] & 1) != (body[1] >= 16) or any(body[8:12]) != (body[1] >= 16):  # noqa: PLR2004
        return None
    end = 16 + body[3]
    if len(body) != end + (16 if body[2] & 2 else 0):
        return None
    name = NAMES.get(body[1], f"0x{body[1]:02X}")
    values = fields_of(name, body[16:end]) if name in MESSAGES else None
    message = WireHeard(values or {})
    message.name, message.is_nonsense = name, values is None
    message.session, message.sequence, message.ack = (
        int.from_bytes(body[at : at + 4], "big") for at in (4, 8, 12)
    )
    message.signed, message.mac = body[:end], body[end:]
    return message


class Receiver:
    """Bytes as they come, messages as they are complete."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._skipping = False
        self.bad = 0

    def feed(self, data: bytes) -> list[WireHeard]:
        """Return the messages that these bytes complete."""
        found = []
        for byte in data:
            if byte:
                self._keep(byte)
                continue
            message = None if self._skipping else self._frame(bytes(self._buffer))
            self._skipping = False
            self._buffer.clear()
            if message is not None:
                found.append(message)
        return found

    def _keep(self, byte: int) -> None:
        self._buffer.append(byte)
        if len(self._buffer) > SAFE:
            # Too long for a frame: passed over up to the next 00.
            self._buffer.clear()
            self._skipping = True

    def _frame(self, data: bytes) -> WireHeard | None:
        plain = unstuff(data)
        if not plain or len(plain) < 20 or crc32(plain[:-4]) != int.from_bytes(plain[-4:], "big"):  # noqa: PLR2004
            self.bad += bool(data)
            return None
        return heard(plain[:-4])
