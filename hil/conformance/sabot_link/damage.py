"""Errors on the wire: what is damaged is passed over without a word, what makes no sense is answered so."""

import os

from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.frame_reader import RELIABLE
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.talk import ANSWER_S
from sabot.hil.simulators.sabot_link.wire import crc32, frame_of, head_of, stuff

FRAMES, HEADER = "sabot-link.md#frames", "sabot-link.md#header"
DELIVERY = "sabot-link.md#sequence-acknowledgement-retry"
ANSWERS = "sabot-link.md#what-a-command-is-answered"
UNSUPPORTED, NONSENSE, DECK = 7, 8, ord("A")
UNKNOWN_TYPE, TOO_LONG = 0x4F, 299
NOISE = bytes(range(1, 90)) + b"\0\x05\x01\0\xff\xff\0"


def _free(kit: LinkKit) -> bytes:
    """Return the next command, whole: one of which everybody sees whether it was obeyed."""
    return kit.body(kit.free, kit.sent + 1)


def _nothing_happened(kit: LinkKit, words: str) -> None:
    kit.demand(kit.is_alive(), f"after {words} the session was dead")
    kit.demand(kit.is_held(kit.query()), f"{words} {kit.freed}")


def drops_wrong_checks(kit: LinkKit) -> None:
    """Check frames with one bit of the CRC wrong, each at one end of it."""
    kit.open()
    body = _free(kit)
    for mask in (1, 1 << 31):
        wrong = body + (crc32(body) ^ mask).to_bytes(4, "big")
        kit.silence_after(stuff(wrong) + b"\0", f"{kit.free} with a wrong CRC")
    _nothing_happened(kit, f"{kit.free} with a wrong CRC")


def drops_wrong_lengths(kit: LinkKit) -> None:
    """Check a right CRC over a header with another length, and frames that are none."""
    kit.open()
    body = bytearray(_free(kit))
    body[3] = 1
    kit.silence_after(frame_of(bytes(body)), f"{kit.free} that tells a length of 1")
    kit.silence_after(b"\x05\x31\x32\x33\x34\0", "a frame shorter than its header")
    kit.silence_after(b"\xfe" + frame_of(_free(kit))[1:], "a COBS code that points beyond the end")
    _nothing_happened(kit, "a frame of a wrong length")


def drops_wrong_headers(kit: LinkKit) -> None:
    """Check another version, an unknown flag, and a reliable bit that is not the type's."""
    kit.open()
    plain = head_of(kit.free, kit.number, kit.sent + 1, kit.taken, {}, maced=bool(kit.key_out))
    for at, value, words in (
        (0, 9, "version 9"),
        (2, plain[2] | 0x80, "flag 80"),
        (2, plain[2] & ~RELIABLE, "no reliable bit"),
    ):
        head = plain[:at] + bytes([value]) + plain[at + 1 :]
        kit.silence_after(frame_of(kit.with_code(head)), f"{kit.free} with {words}")
    _nothing_happened(kit, f"{kit.free} with a wrong header")


def drops_other_sessions(kit: LinkKit) -> None:
    """Check a number that is not that of its HELLO."""
    kit.open()
    body = _free(kit)
    other = (kit.number ^ 1).to_bytes(4, "big")
    # With a code of its own, so that nothing but the number is wrong.
    moved = kit.with_code(body[:4] + other + body[8:16]) if kit.key_out else body[:4] + other + body[8:]
    kit.silence_after(frame_of(moved), f"{kit.free} of another session")
    _nothing_happened(kit, f"{kit.free} of another session")


def survives_noise(kit: LinkKit) -> None:
    """Send garbage, half a frame, too much without an end; the next good frame must be taken."""
    kit.open()
    half = frame_of(kit.body("PING", token=kit.token + 1))[:9]
    for noise in (
        NOISE,
        half + b"\0",
        b"\x11" * TOO_LONG + b"\0",
        os.urandom(2000).replace(b"\0", b"\1") + b"\0",
    ):
        kit.send(noise)
        kit.demand(kit.is_alive(), f"no PONG after {len(noise)} bytes of noise ({noise[:8].hex()}…)")


def takes_frames_in_pieces(kit: LinkKit) -> None:
    """Send a frame byte by byte, and two in one write."""
    kit.open()
    kit.token += 1
    kit.is_pinging = False  # a PING of the session's own in the middle of one would be no frame
    for byte in frame_of(kit.body("PING", token=kit.token)):
        kit.send(bytes([byte]))
        kit.wait(0.001)
    kit.is_pinging = True
    _expect_pong(kit, kit.token)
    kit.token += 2
    both = (frame_of(kit.body("PING", token=token)) for token in (kit.token - 1, kit.token))
    kit.send(b"".join(both))
    _expect_pong(kit, kit.token - 1)
    _expect_pong(kit, kit.token)


def _expect_pong(kit: LinkKit, token: int) -> None:
    kit.expect("PONG", ANSWER_S, lambda m: m["token"] == token)


def answers_unknown_commands(kit: LinkKit) -> None:
    """Check that an unknown command is acknowledged, and answered RESULT 7."""
    kit.open()
    kit.sent += 1
    flags = RELIABLE | (2 if kit.key_out else 0)
    numbers = b"".join(value.to_bytes(4, "big") for value in (kit.number, kit.sent, kit.taken))
    kit.send(frame_of(kit.with_code(bytes([1, UNKNOWN_TYPE, flags, 0]) + numbers)))
    code = kit.result(kit.sent)
    kit.demand(code == UNSUPPORTED, f"an unknown command: RESULT {code}, not {UNSUPPORTED}")


def answers_wrong_payloads(kit: LinkKit) -> None:
    """Check that a command of a wrong length is acknowledged, answered RESULT 8, and not obeyed."""
    kit.open()
    kit.sent += 1
    head = bytearray(head_of(kit.free, kit.number, kit.sent, kit.taken, {}, maced=bool(kit.key_out)))
    head[3] = 1
    kit.send(frame_of(kit.with_code(bytes(head) + b"\x01")))
    code = kit.result(kit.sent)
    kit.demand(code == NONSENSE, f"{kit.free} with a payload: RESULT {code}, not {NONSENSE}")
    kit.demand(kit.is_held(kit.query()), f"{kit.free} with a payload {kit.freed}")


def answers_wrong_values(kit: LinkKit) -> None:
    """Check numbers that the page does not list; a missing capability comes first."""
    kit.open()
    has = kit.identity["capabilities"]
    rows: tuple[tuple[str, int, dict[str, object]], ...] = (
        ("SHUFFLE", 1, {"deck": 0x40}),
        ("SHUFFLE", 1, {"deck": 0x5B}),
        ("DISPENSE", 2, {"order": 1, "deck": DECK, "cards": 0}),
        ("DISPENSE", 2, {"order": 1, "deck": 0x40, "cards": 1}),
        ("EJECT_STUB", 128, {"deck": 0x5B}),
        ("DISPENSE", 2, {"order": 1, "deck": DECK, "cards": 53}),
    )
    for name, capability, values in rows:
        code = NONSENSE if has & capability else UNSUPPORTED
        kit.must(name, code, f"with {values}", **values)


CHECKS = (
    ConformanceCheck("link.crc", "drops a frame whose CRC is wrong", FRAMES, drops_wrong_checks),
    ConformanceCheck("link.length", "drops a frame whose length does not fit", FRAMES, drops_wrong_lengths),
    ConformanceCheck("link.header", "drops other versions and unknown flags", HEADER, drops_wrong_headers),
    ConformanceCheck("link.other-session", "drops frames of other sessions", HEADER, drops_other_sessions),
    ConformanceCheck("link.noise", "reads on behind noise", FRAMES, survives_noise),
    ConformanceCheck("link.pieces", "takes frames in pieces and in pairs", FRAMES, takes_frames_in_pieces),
    ConformanceCheck("link.unknown", "answers unknown commands 7", DELIVERY, answers_unknown_commands),
    ConformanceCheck("link.payload", "answers a wrong payload 8", DELIVERY, answers_wrong_payloads),
    ConformanceCheck("link.values", "answers wrong numbers 8", ANSWERS, answers_wrong_values),
)
