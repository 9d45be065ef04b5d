"""The Angel Eye II-EX dialect as messages: reports behind ENQ, commands behind STX, and bare ACK and NAK.

The end of a report follows from its letter and never from the first ETX, for a card's target may have that
value. After noise only a start of frame counts: a 06 inside garbage must not pass for an acknowledgement of
the lock, so bare answers are believed only in step, that is right behind a good message or after silence.
"""

# Theory of operation. The buffer always begins where the next message should. ``_size`` says from its first
# bytes how long that message must be (or that none begins there), ``_read`` checks it. What fails either is
# skipped one byte at a time, since a good frame may begin inside a bad one; from the first skipped byte on
# the codec is out of step, until a frame with a good check puts it in step again. A frame that was cut short
# would hold up all that comes behind it, so the driver calls ``fall_silent`` after a pause in the line.
#
# A report may come up to three times under one sequence byte. ``_is_copy`` drops the repetitions, ``_placed``
# counts from the byte how many reports are missing before this one. Both err on one side: a card told twice
# is found at the table, a card swallowed as a copy would be dealt and never known.

from collections.abc import Mapping
from functools import reduce
from operator import xor

from sabot.drivers.angel_eye.messages import CARD_KINDS, Message, Nak, Report, ShoeAck, ShoeCommand
from sabot.drivers.angel_eye.profile import Profile, profile_of
from sabot.drivers.convention import Statistics
from sabot.drivers.options import Value

# Upper case alone, as in the only printed example.
_DIGITS = frozenset(b"0123456789ABCDEF")
STX, ETX, ENQ, ACK, NAK = 0x02, 0x03, 0x05, 0x06, 0x15
# Bytes are taken in pieces of this size: however much comes at once, one frame and one piece are held at
# most.
BUFFER_MOST = 64
# STX, "OP", two characters each of type and argument, ETX, two digits.
_COMMAND_SIZE = 10
_COMMAND_HEAD = bytes((STX,)) + b"OP"
# Behind these whatever number comes next is right: the shoe begins its numbers anew.
_FORGETTING = frozenset("SEe")


def bcc(data: bytes) -> bytes:
    """Return the check of a frame: the XOR of its bytes as two digits."""
    return b"%02X" % reduce(xor, data, 0)


class AngelEyeCodec:
    """The codec of one line."""

    def __init__(self, options: Mapping[str, Value] | None = None) -> None:
        self.profile: Profile = profile_of(options or {})
        self.statistics = Statistics()
        self._buffer = bytearray()
        self._is_in_step = True
        self._last: Report | None = None
        self._copies = 0
        self._knows_next = False

    # ---------------------------------------------------------------- out

    def encode(self, message: Message) -> bytes:
        """Return the bytes of one message."""
        self.statistics.frames_out += 1
        if isinstance(message, ShoeAck):
            return bytes((ACK,))
        if isinstance(message, Nak):
            return bytes((NAK, *self._refusal(message.code)))
        if isinstance(message, ShoeCommand):
            return self._command(message)
        body = bytes((message.sequence,)) + message.kind.encode("ascii") + message.data + bytes((ETX,))
        return bytes((ENQ,)) + body + bcc(body)

    def _command(self, command: ShoeCommand) -> bytes:
        frame = _COMMAND_HEAD + (command.kind + command.argument).encode("latin-1") + bytes((ETX,))
        # The public texts contradict each other; the only example that can be checked counts STX.
        return frame + bcc(frame if self.profile.bcc_with_stx else frame[1:])

    # ---------------------------------------------------------------- in

    def receive(self, data: bytes) -> list[Message]:
        """Return the messages that these bytes complete; copies of a report come once."""
        found: list[Message] = []
        for start in range(0, len(data), BUFFER_MOST):
            self._buffer += data[start : start + BUFFER_MOST]
            size = len(self._buffer)
            self.statistics.buffer_high_water = max(self.statistics.buffer_high_water, size)
            self._drain(found)
        return found

    def fall_silent(self) -> list[Message]:
        """Give up a frame that was cut short, after a silence, and return what stood whole behind it."""
        found: list[Message] = []
        # A whole report may stand behind the head of the one that was cut: skip and look again.
        while self._buffer:
            self._skip()
            self._drain(found)
        self._is_in_step = True
        return found

    def _drain(self, found: list[Message]) -> None:
        """Take what is complete from the head of the buffer, until it is empty or a frame is not whole."""
        while self._buffer:
            size = self._size()
            if size > len(self._buffer):
                return
            message = self._read(bytes(self._buffer[:size])) if size else None
            if message is None:
                self._skip()
                continue
            del self._buffer[:size]
            self._is_in_step = True
            self.statistics.frames_in += 1
            if not self._is_copy(message):
                found.append(self._placed(message))

    def _skip(self) -> None:
        """Drop a byte that begins nothing; the codec is out of step from here on."""
        # Once for a stretch of noise, not for each of its bytes.
        self.statistics.resyncs += self._is_in_step
        self._is_in_step = False
        del self._buffer[0]

    def _size(self) -> int:
        """Return the length that the message at the head must have (0: there is none).

        At least the part that tells its length.
        """
        head = self._buffer[0]
        if head == ENQ:
            # By its letter, not by the first ETX: a card's target may have that value.
            # An unknown letter is no frame: its length is not known, and a guess could swallow a card.
            length = self.profile.lengths.get(chr(self._buffer[2])) if len(self._buffer) > 2 else 0  # noqa: PLR2004
            return 0 if length is None else 6 + length
        if head == STX:
            known = bytes(self._buffer[: len(_COMMAND_HEAD)])
            return _COMMAND_SIZE if _COMMAND_HEAD.startswith(known) else 0
        # One byte that noise has all the time: behind noise it proves no lock.
        if self._is_in_step and head in (ACK, NAK):
            return 1 if head == ACK else 1 + self.profile.refusal_bytes
        return 0

    def _read(self, frame: bytes) -> Message | None:
        """Return the message of a frame of the right size, None where it is damaged."""
        if frame[0] == ACK:
            return ShoeAck()
        if frame[0] == NAK:
            return self._nak(frame[1:])
        if frame[-3] != ETX:
            return None
        counted = frame[:-2] if frame[0] == STX and self.profile.bcc_with_stx else frame[1:-2]
        if bcc(counted) != frame[-2:]:
            self.statistics.crc_errors += 1
            return None
        if frame[0] == ENQ:
            return Report(frame[1], chr(frame[2]), frame[3:-3])
        kind, argument = frame[3:5], frame[5:7]
        return ShoeCommand(kind.decode("latin-1"), argument.decode("latin-1"))

    def _refusal(self, code: int) -> bytes:
        return bytes((code,)) if self.profile.refusal_bytes == 1 else b"%02X" % code

    def _nak(self, code: bytes) -> Nak | None:
        """Return a refusal, whose code is a byte or two digits; None where the two are no digits."""
        if self.profile.refusal_bytes == 1:
            return Nak(code[0])
        return Nak(int(code, 16)) if set(code) <= _DIGITS else None

    # ---------------------------------------------------------------- the sequence

    @property
    def knows_next(self) -> bool:
        """Return whether a report that is lost now would be missed."""
        return self._last is not None and self._knows_next

    def _is_copy(self, message: Message) -> bool:
        """Return whether a report has come before: the same sequence and content, so many times.

        One more than a shoe sends is a card of its own: a counter that wrapped must never swallow a card.
        A start is never a copy, for a shoe that starts twice has lost its lock twice. What says itself that
        it is sent again is a copy however often it comes.
        """
        last = self._last
        if not isinstance(message, Report) or last is None or message.kind == "S":
            return False
        if (message.sequence, message.data) != (last.sequence, last.data):
            return False
        # The shoe's own word for "again": more copies than the profile allows are copies all the same.
        is_again = message.kind == "R" and last.kind in CARD_KINDS
        if not is_again and (message.kind != last.kind or self._copies >= self.profile.copies):
            return False
        self._copies += 1
        self.statistics.duplicates += 1
        return True

    def _placed(self, message: Message) -> Message:
        """Return a report with the number of reports that are missing before it."""
        if not isinstance(message, Report):
            return message
        last, known = self._last, self._knows_next
        self._last, self._copies = message, 1
        self._knows_next = message.kind not in _FORGETTING
        # Nothing can be missed before a first number, nor around a report that forgets the numbers.
        if last is None or not known or message.kind in _FORGETTING:
            return message
        missing = self.profile.missing(last.sequence, message.sequence)
        return Report(message.sequence, message.kind, message.data, missing)
