"""Errors on the wire of pads: what is damaged is passed over, and the next good frame is taken."""

import zlib

from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_pads.greeting import FORGED_AHEAD, LET_LOOSE
from sabot.hil.conformance.sabot_pads.host import PadKit
from sabot.hil.conformance.sabot_pads.talk import PATIENCE_S
from sabot.hil.simulators.pads_wire import ORDER, put_together

ORDERS, FRAMES = "sabot-pads.md#0x10-order-host--pad", "sabot-pads.md#frames"
UNKNOWN = 0x1F


def drops_wrong_checks(kit: PadKit) -> None:
    """Check frames with one bit of the CRC wrong."""
    kit.open()
    good = kit.frame(ORDER, kit.order_payload(**LET_LOOSE), kit.sent + FORGED_AHEAD)
    kit.silence_after(good[:-1] + bytes([good[-1] ^ 1]), "an ORDER with a wrong CRC")
    kit.silence_after(good[:-4] + bytes([good[-4] ^ 0x80]) + good[-3:], "an ORDER with a wrong CRC")


def drops_wrong_lengths(kit: PadKit) -> None:
    """Check that a known type with another length, and an unknown type, are passed over."""
    kit.open()
    payload, ahead = kit.order_payload(**LET_LOOSE), kit.sent + FORGED_AHEAD
    kit.silence_after(kit.frame(ORDER, payload + b"\0", ahead), "an ORDER one byte too long")
    kit.silence_after(kit.frame(ORDER, payload[:-1], ahead), "an ORDER one byte too short")
    kit.silence_after(kit.frame(UNKNOWN, payload, ahead), "a message of an unknown type")


def drops_wrong_headers(kit: PadKit) -> None:
    """Check another version, an unknown flag, and a byte that is not 0."""
    kit.open()
    good = kit.frame(ORDER, kit.order_payload(**LET_LOOSE), kit.sent + FORGED_AHEAD)
    for at, value in ((2, 9), (4, good[4] | 0x80), (5, 1)):
        body = good[:at] + bytes([value]) + good[at + 1 : -4]
        kit.silence_after(body + zlib.crc32(body).to_bytes(4, "big"), f"an ORDER with {value} at {at}")


def drops_other_sessions(kit: PadKit) -> None:
    """Check a number that is not that of its HELLO."""
    kit.open()
    payload, sequence = kit.order_payload(**LET_LOOSE), kit.sent + FORGED_AHEAD
    other = put_together(ORDER, payload, session=kit.number ^ 1, sequence=sequence, key=kit.key_out)
    kit.silence_after(other, "an ORDER of another session")


def survives_noise(kit: PadKit) -> None:
    """Check that the next good frame is taken behind garbage, half a frame, a good one inside a bad one."""
    kit.open()
    good = kit.frame(ORDER, kit.order_payload(), kit.sent + 1)
    rows = (
        ("garbage", bytes(range(100))),
        ("magic bytes", b"SPSPSP\x01S"),
        ("the head of another frame", good[:6] + b"\x00\x28" + good[8:24]),
        ("half a frame", good[: len(good) // 2]),
        ("seven hundred bytes", b"\x55" * 700),
    )
    for words, noise in rows:
        kit.sent += 1
        frame = kit.frame(ORDER, kit.order_payload(), kit.sent)
        kit.send(noise + frame)
        # The host's own next ORDER would be taken for the one behind the noise.
        kit.is_beating = False
        got = kit.until(lambda: kit.states[-1].ack >= kit.sent, PATIENCE_S / 2)
        kit.demand(got, f"an ORDER behind {words} was not taken")


def takes_frames_in_pieces(kit: PadKit) -> None:
    """Check that the bounds of transfers mean nothing: a frame in pieces, two in one transfer."""
    kit.open()
    kit.is_beating = False
    kit.sent += 1
    frame = kit.frame(ORDER, kit.order_payload(), kit.sent)
    for at in range(0, len(frame), 9):
        kit.send(frame[at : at + 9])
    kit.acknowledged(kit.sent)
    kit.sent += 2
    both = (kit.frame(ORDER, kit.order_payload(), number) for number in (kit.sent - 1, kit.sent))
    kit.send(b"".join(both))
    kit.acknowledged(kit.sent)


CHECKS = (
    ConformanceCheck("pads.crc", "drops a frame whose CRC is wrong", FRAMES, drops_wrong_checks),
    ConformanceCheck(
        "pads.length", "passes over other lengths and types", "sabot-pads.md#versions", drops_wrong_lengths
    ),
    ConformanceCheck("pads.header", "drops other versions and unknown flags", FRAMES, drops_wrong_headers),
    ConformanceCheck("pads.other-session", "drops frames of other sessions", ORDERS, drops_other_sessions),
    ConformanceCheck("pads.noise", "finds the next good frame in noise", FRAMES, survives_noise),
    ConformanceCheck(
        "pads.pieces",
        "takes frames in pieces and in pairs",
        "sabot-pads.md#the-device",
        takes_frames_in_pieces,
    ),
)
