"""The Alpha sign protocol as packets: one command each, always with its checksum.

A sign drops a packet whose checksum is wrong and says nothing, so what was written is proved only by reading
it back. Answers without a checksum are kept apart (``is_checked``): they are shown to a technician, but
prove nothing.
"""

from collections.abc import Mapping

from sabot.drivers.convention import Statistics
from sabot.drivers.options import Value
from sabot.rules.frozen import frozen

NUL, SOH, STX, ETX, EOT = (bytes((code,)) for code in range(5))
SYNC = NUL * 5
EVERY_SIGN, ANSWER = "Z", "0"
BROADCAST = "00"
# The longest packet that is sent here, a memory of eight pages, has under 200 bytes. What grows beyond this
# without an EOT is noise.
PACKET_MOST = 1024
_HEAD = 1 + 1 + 2 + 1  # SOH, type, address, STX
_CHECK = 5  # ETX and four digits


@frozen
class Packet:
    """One command to a sign, or a sign's answer in the same form."""

    command: str
    data: bytes
    kind: str = EVERY_SIGN
    address: str = BROADCAST
    is_checked: bool = True


def checksum(block: bytes) -> bytes:
    """Return the sum of a block from STX through ETX, as four digits."""
    return b"%04X" % (sum(block) & 0xFFFF)


class AlphaCodec:
    """The codec of one line."""

    def __init__(self, _options: Mapping[str, Value] | None = None) -> None:
        self.statistics = Statistics()
        self._buffer = bytearray()

    def encode(self, message: Packet) -> bytes:
        """Return the bytes of one packet."""
        self.statistics.frames_out += 1
        block = STX + message.command.encode("ascii") + message.data + ETX
        end = checksum(block) + EOT if message.is_checked else EOT
        # Without a checksum there is no ETX either: the two go together.
        block = block if message.is_checked else block[:-1]
        return SYNC + SOH + (message.kind + message.address).encode("ascii") + block + end

    def receive(self, data: bytes) -> list[Packet]:
        """Return the packets that these bytes complete."""
        found: list[Packet] = []
        for start in range(0, len(data), PACKET_MOST):
            # In pieces: however much comes at once, the buffer holds one packet and one piece at most.
            self._buffer += data[start : start + PACKET_MOST]
            size = len(self._buffer)
            self.statistics.buffer_high_water = max(self.statistics.buffer_high_water, size)
            self._drain(found)
        return found

    def _drain(self, found: list[Packet]) -> None:
        """Take every whole packet: from the last SOH before an EOT up to that EOT."""
        end = self._buffer.find(EOT)
        while end >= 0:
            packet = self._read(bytes(self._buffer[:end]))
            if packet is not None:
                self.statistics.frames_in += 1
                found.append(packet)
            del self._buffer[: end + 1]
            end = self._buffer.find(EOT)
        self._forget_noise()

    def _forget_noise(self) -> None:
        """Keep only what may still become a packet."""
        # The last SOH: a sign takes a transmission from its last SOH on, so what was begun before is dead.
        start = self._buffer.rfind(SOH)
        noise = self._buffer[:start] if start >= 0 else self._buffer
        # NUL is what every packet opens with, and is no noise.
        self.statistics.resyncs += bool(noise.strip(NUL))
        noise_size = len(noise)
        del self._buffer[:noise_size]
        if len(self._buffer) > PACKET_MOST:
            self.statistics.resyncs += 1
            self._buffer.clear()

    def _read(self, raw: bytes) -> Packet | None:
        """Return the packet that ends here, None where it is damaged."""
        # The last one: what stands before it was cut short by noise.
        start = raw.rfind(SOH)
        self.statistics.resyncs += bool(raw[: max(start, 0)].strip(NUL)) or start < 0
        frame = raw[start:] if start >= 0 else b""
        if len(frame) <= _HEAD or frame[_HEAD - 1 : _HEAD] != STX or not frame[1:6].isascii():
            return None
        block, is_checked = frame[_HEAD - 1 :], frame[-_CHECK : -_CHECK + 1] == ETX
        if is_checked:
            block, digits = block[:-4], block[-4:]
            if checksum(block) != digits:
                self.statistics.crc_errors += 1
                return None
            block = block[:-1]
        command, kind, address = block[1:2], frame[1:2], frame[2:4]
        if not command:
            return None
        return Packet(command.decode(), block[2:], kind.decode(), address.decode(), is_checked)
