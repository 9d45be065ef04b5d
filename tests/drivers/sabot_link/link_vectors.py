"""The known answers of Sabot Link, computed from the page by a third hand.

Neither the driver's codec nor the simulator's has a part in it: if one of them computed the vectors, its wrong byte would
be the page's. `python tests/drivers/sabot_link/link_vectors.py --write` writes the JSON file and the page's last part.
"""

import hashlib
import hmac
import json
import struct
import sys
import zlib
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

ROOT = Path(__file__).parents[3]
JSON_FILE = ROOT / "tests/drivers/vectors/sabot-link.json"
PAGE = ROOT / "docs/sabot-link.md"
BEGIN, END = "<!-- vectors -->", "<!-- /vectors -->"

SESSION = 0x5AB07001
BOOT = 0xB0071D01
EVENT = (("event", "I"), ("time", "I"))
LAYOUTS: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {
    "HELLO": (0x01, (("lowest", "B"), ("highest", "B"), ("wants", "B"), ("boot", "I"), ("event", "I"), ("nonce", "32s"), ("key", "32s"))),
    "IDENTITY": (0x02, (("version", "B"), ("kind", "B"), ("capabilities", "H"), ("boot", "I"), ("nonce", "32s"), ("key", "32s"),
                        ("public", "32s"), ("maker", "text"), ("model", "text"), ("serial", "text"), ("firmware", "text"))),
    "PROVE": (0x03, ()),
    "PROOF": (0x04, (("signature", "64s"),)),
    "PARTING": (0x05, (("reason", "B"),)),
    "ACK": (0x06, ()),
    "PING": (0x07, (("token", "I"),)),
    "PONG": (0x08, (("token", "I"),)),
    "QUERY": (0x10, ()),
    "SHUFFLE": (0x11, (("deck", "B"),)),
    "DISPENSE": (0x12, (("order", "I"), ("deck", "B"), ("cards", "B"))),
    "HOLD": (0x13, ()),
    "FREE": (0x14, ()),
    "EJECT_STUB": (0x15, (("deck", "B"),)),
    "RETEST": (0x16, (("fault", "B"),)),
    "CLEAR_FAULT": (0x17, (("fault", "B"),)),
    "CYCLE_STARTED": (0x20, (*EVENT, ("deck", "B"))),
    "CARD_READ": (0x21, (*EVENT, ("index", "H"), ("rank", "B"), ("suit", "B"), ("face", "B"), ("color", "B"), ("confidence", "B"))),
    "CYCLE_COMPLETED": (0x22, (*EVENT, ("deck", "B"), ("count", "B"), ("reads", "B"), ("digest", "32s"))),
    "CYCLE_STOPPED": (0x23, (*EVENT, ("deck", "B"), ("cause", "B"), ("count", "B"))),
    "STACK": (0x24, (*EVENT, ("order", "I"), ("deck", "B"), ("size", "B"), ("cards", "codes"))),
    "JAM": (0x25, (*EVENT, ("place", "B"), ("cause", "B"))),
    "DOOR": (0x26, (*EVENT, ("door", "B"), ("open", "B"))),
    "MODE": (0x27, (*EVENT, ("mode", "B"))),
    "EMPTIED": (0x28, (*EVENT, ("deck", "B"), ("cards_in", "H"), ("cards_out", "H"))),
    "FAULT": (0x29, (*EVENT, ("fault", "B"), ("latched", "B"))),
    "RETESTED": (0x2A, (*EVENT, ("fault", "B"), ("good", "B"))),
    "EJECTED": (0x2B, (*EVENT, ("deck", "B"), ("count", "B"))),
    "TAKEN": (0x2C, (*EVENT, ("order", "I"), ("deck", "B"))),
    "RESULT": (0x30, (("command", "I"), ("code", "B"))),
    "STATE": (0x31, (("command", "I"), ("mode", "B"), ("gate", "B"), ("doors", "B"), ("fault", "B"), ("cycle", "B"), ("deck", "B"),
                     ("exit", "B"), ("first", "B"), ("first_cards", "B"), ("second", "B"), ("second_cards", "B"), ("inside", "H"), ("cycles", "I"), ("stacks", "I"), ("cards_out", "I"), ("kept", "H"), ("time", "I"))),
}  # fmt: skip
# Those of docs/sabot-accounts.md; its known answers are computed by `account_vectors.py` on the same frames.
ACCOUNTS: dict[str, tuple[int, tuple[tuple[str, str], ...]]] = {
    "OPEN_BETS": (0x18, ()),
    "CLOSE_BETS": (0x19, ()),
    "TAKE": (0x1A, (("round", "I"), ("stakes", "codes"))),
    "ANSWER": (0x1B, (("ticket", "I"), ("seat", "B"), ("wager", "B"), ("cents", "I"), ("accepted", "B"), ("why", "text"))),
    "CREDIT": (0x1C, (("number", "I"), ("round", "I"), ("seat", "B"), ("wager", "B"), ("kind", "B"), ("cents", "I"), ("cite", "text"))),
    "UNSEAL": (0x1D, (("draw", "I"),)),
    "DARK": (0x1E, (("spots", "codes"),)),
    "COUNT": (0x1F, ()),
    "STANDING": (0x32, (("command", "I"), ("phase", "B"), ("round", "I"), ("stations", "B"), ("wagers", "B"), ("placed", "B"), ("cents", "I"),
                        ("credits", "I"), ("total", "Q"), ("draw", "I"), ("fault", "B"), ("kept", "H"), ("time", "I"))),
    "STAKES": (0x33, (("command", "I"), ("round", "I"), ("stakes", "codes"))),
    "WAGER": (0x50, (*EVENT, ("ticket", "I"), ("seat", "B"), ("wager", "B"), ("cents", "I"), ("account", "I"))),
    "TAKEN_IN": (0x51, (*EVENT, ("round", "I"), ("count", "B"), ("cents", "I"), ("draws", "B"))),
    "SEALED": (0x52, (*EVENT, ("draw", "I"), ("round", "I"), ("seal", "32s"))),
    "OPENED": (0x53, (*EVENT, ("draw", "I"), ("round", "I"), ("kind", "B"), ("value", "B"), ("salt", "16s"))),
    "CREDITED": (0x54, (*EVENT, ("number", "I"), ("round", "I"), ("cents", "I"), ("account", "I"), ("total", "Q"), ("again", "B"))),
}  # fmt: skip


def cobs(data: bytes) -> bytes:
    return b"".join(bytes([len(piece) + 1]) + piece for piece in data.split(b"\0"))


def mac(key: bytes, signed: bytes) -> bytes:
    return hmac.new(key, signed, hashlib.sha256).digest()[:16]


def pack(kind: str, value: Any) -> bytes:
    if kind in ("text", "codes"):
        data = value.encode() if kind == "text" else bytes.fromhex(value)
        return bytes([len(data)]) + data
    if kind.endswith("s"):
        return bytes.fromhex(value)
    return struct.pack(">" + kind, value)


def body(
    name: str, sequence: int, ack: int, fields: dict[str, Any], *, maced: bool, session: int = SESSION
) -> bytes:
    code, layout = LAYOUTS.get(name) or ACCOUNTS[name]
    payload = b"".join(pack(kind, fields[field]) for field, kind in layout)
    flags = (code >= 0x10) | maced << 1
    return struct.pack(">BBBBIII", 1, code, flags, len(payload), session, sequence, ack) + payload


def wire(signed: bytes, key: bytes = b"") -> bytes:
    full = signed + (mac(key, signed) if key else b"")
    return cobs(full + struct.pack(">I", zlib.crc32(full))) + b"\0"


def frame(
    sender: str, name: str, sequence: int = 0, ack: int = 0, mac_key: bytes = b"", /, **fields: Any
) -> dict[str, Any]:
    """One frame with all that there is to know about it."""
    signed = body(name, sequence, ack, fields, maced=bool(mac_key))
    return {
        "from": sender, "message": name, "session": SESSION, "sequence": sequence, "ack": ack, "fields": fields,
        "body": signed.hex(), "mac": mac(mac_key, signed).hex() if mac_key else "", "wire": wire(signed, mac_key).hex(),
    }  # fmt: skip


def event(number: int, /, **fields: Any) -> dict[str, Any]:
    return {"event": number, "time": 1000 + 250 * number, **fields}


# ---------------------------------------------------------------- who takes part

HOST_NONCE, DEVICE_NONCE = bytes(range(32)), bytes(range(128, 160))
HOST_KEY = X25519PrivateKey.from_private_bytes(bytes([0x11]) * 32)
DEVICE_KEY = X25519PrivateKey.from_private_bytes(bytes([0x22]) * 32)
SIGNER = Ed25519PrivateKey.from_private_bytes(bytes([0x33]) * 32)
PUBLIC = SIGNER.public_key().public_bytes_raw()


def hello(wants: int) -> dict[str, Any]:
    key = HOST_KEY.public_key().public_bytes_raw().hex()
    return frame(
        "host", "HELLO", lowest=1, highest=1, wants=wants, boot=0, event=0, nonce=HOST_NONCE.hex(), key=key
    )


def identity() -> dict[str, Any]:
    key = DEVICE_KEY.public_key().public_bytes_raw().hex()
    return frame(
        "device", "IDENTITY", version=1, kind=3, capabilities=0x3FF, boot=BOOT, nonce=DEVICE_NONCE.hex(), key=key,
        public=PUBLIC.hex(), maker="Example Works", model="Mixer 52", serial="0001", firmware="1.0.0",
    )  # fmt: skip


def hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """RFC 5869 with SHA-256, 64 bytes, written out."""
    extracted = hmac.new(salt, secret, hashlib.sha256).digest()
    first = hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()
    return first + hmac.new(extracted, first + info + b"\x02", hashlib.sha256).digest()


def authentication() -> dict[str, str]:
    """Every value between HELLO and the first MAC."""
    said = bytes.fromhex(hello(3)["body"]) + bytes.fromhex(identity()["body"])
    transcript = hashlib.sha256(b"sabot-link/1 transcript" + said).digest()
    shared = HOST_KEY.exchange(DEVICE_KEY.public_key())
    keys = hkdf(shared, transcript, b"sabot-link/1 session")
    values = {
        "host_nonce": HOST_NONCE, "host_x25519_private": bytes([0x11]) * 32,
        "host_x25519_public": HOST_KEY.public_key().public_bytes_raw(),
        "device_nonce": DEVICE_NONCE, "device_x25519_private": bytes([0x22]) * 32,
        "device_x25519_public": DEVICE_KEY.public_key().public_bytes_raw(),
        "device_ed25519_private": bytes([0x33]) * 32, "device_ed25519_public": PUBLIC,
        "fingerprint": hashlib.sha256(PUBLIC).digest()[:8],
        "transcript": transcript, "signature": SIGNER.sign(b"sabot-link/1 proof" + transcript),
        "shared_secret": shared, "key_to_device": keys[:32], "key_to_host": keys[32:],
    }  # fmt: skip
    return {name: value.hex() for name, value in values.items()}


def digest(cards: list[tuple[int, int]]) -> str:
    counts = [0] * 53
    for rank, suit in cards:
        counts[52 if rank == 0 or suit == 255 else (rank - 2) * 4 + suit] += 1
    return hashlib.sha256(b"sabot-link/1 composition" + bytes(counts)).hexdigest()


# ---------------------------------------------------------------- exchanges

FULL = [(rank, suit) for suit in range(4) for rank in range(2, 15)]
THREE = [(14, 3), (10, 1), (0, 255)]
STATE = {
    "command": 1, "mode": 1, "gate": 1, "doors": 0, "fault": 0, "cycle": 0, "deck": 0,
    "exit": 0, "first": 0, "first_cards": 0, "second": 0, "second_cards": 0, "inside": 0, "cycles": 0, "stacks": 0, "cards_out": 0, "kept": 0, "time": 900,
}  # fmt: skip


def opening(*, wants: int, to_device: bytes, to_host: bytes) -> list[dict[str, Any]]:
    proof = [frame("host", "PROVE"), frame("device", "PROOF", signature=authentication()["signature"])]
    return [
        hello(wants), identity(), *(proof if wants & 1 else []),
        frame("host", "QUERY", 1, 0, to_device), frame("device", "STATE", 1, 1, to_host, **STATE),
        frame("host", "ACK", 0, 1, to_device),
        frame("host", "PING", 0, 1, to_device, token=1), frame("device", "PONG", 0, 1, to_host, token=1),
    ]  # fmt: skip


def shuffle() -> list[dict[str, Any]]:
    """A cycle of a deck of three, for brevity; the last card is not read."""
    reads = [
        frame(
            "device",
            "CARD_READ",
            4 + n,
            2,
            **event(2 + n, index=1 + n, rank=rank, suit=suit, face=1, color=1, confidence=99 * (rank > 0)),
        )
        for n, (rank, suit) in enumerate(THREE)
    ]
    said = [
        frame("device", "RESULT", 2, 2, command=2, code=0),
        frame("device", "CYCLE_STARTED", 3, 2, **event(1, deck=65)),
        *reads,
        frame("device", "CYCLE_COMPLETED", 7, 2, **event(5, deck=65, count=3, reads=3, digest=digest(THREE))),
    ]
    acknowledged = [line for each in said for line in (each, frame("host", "ACK", 0, each["sequence"]))]
    return [frame("host", "SHUFFLE", 2, 1, deck=65), *acknowledged]


def dispense() -> list[dict[str, Any]]:
    stack = frame("device", "STACK", 10, 4, **event(6, order=1, deck=65, size=4, cards="33250001"))
    taken = frame("device", "TAKEN", 11, 4, **event(7, order=1, deck=65))
    return [
        frame("host", "FREE", 3, 7), frame("device", "RESULT", 8, 3, command=3, code=0), frame("host", "ACK", 0, 8),
        frame("host", "DISPENSE", 4, 8, order=1, deck=65, cards=4),
        frame("device", "RESULT", 9, 4, command=4, code=0), frame("host", "ACK", 0, 9),
        stack, stack, frame("host", "ACK", 0, 10), taken, frame("host", "ACK", 0, 11),
    ]  # fmt: skip


def authenticated_end(to_device: bytes, to_host: bytes) -> list[dict[str, Any]]:
    return [
        frame("host", "HOLD", 2, 1, to_device), frame("device", "RESULT", 2, 2, to_host, command=2, code=0),
        frame("host", "ACK", 0, 2, to_device), frame("host", "PARTING", 0, 2, to_device, reason=1),
    ]  # fmt: skip


def exchanges() -> list[dict[str, Any]]:
    values = authentication()
    keys = {
        "to_device": bytes.fromhex(values["key_to_device"]),
        "to_host": bytes.fromhex(values["key_to_host"]),
    }
    jam = [
        frame("device", "JAM", 12, 4, **event(8, place=4, cause=2)), frame("host", "ACK", 0, 12),
        frame("host", "RETEST", 5, 12, fault=1), frame("device", "RESULT", 13, 5, command=5, code=0),
        frame("host", "ACK", 0, 13),
        frame("device", "RETESTED", 14, 5, **event(9, fault=1, good=1)), frame("host", "ACK", 0, 14),
        frame("host", "CLEAR_FAULT", 6, 14, fault=1), frame("device", "RESULT", 15, 6, command=6, code=0),
        frame("host", "ACK", 0, 15),
        frame("device", "FAULT", 16, 6, **event(10, fault=1, latched=0)), frame("host", "ACK", 0, 16),
    ]  # fmt: skip
    return [
        {"name": "a session without authentication", "lines": opening(wants=2, to_device=b"", to_host=b"")},
        {"name": "a shuffle (a deck of three cards, the third not read)", "lines": shuffle()},
        {"name": "a stack; its first acknowledgement is lost, so it comes twice", "lines": dispense()},
        {"name": "a jam at the exit, tested and cleared", "lines": jam},
        {
            "name": "a session with authentication, and its end",
            "lines": [*opening(wants=3, **keys), *authenticated_end(**keys)],
        },
    ]


def others() -> list[dict[str, Any]]:
    """The messages that no exchange above has, so that each type stands once in hex."""
    return [
        frame("host", "EJECT_STUB", 7, 16, deck=65),
        frame("device", "CYCLE_STOPPED", 17, 7, **event(11, deck=66, cause=5, count=17)),
        frame("device", "DOOR", 18, 7, **event(12, door=3, open=1)),
        frame("device", "MODE", 19, 7, **event(13, mode=2)),
        frame("device", "EMPTIED", 20, 7, **event(14, deck=66, cards_in=52, cards_out=36)),
        frame("device", "EJECTED", 21, 7, **event(15, deck=65, count=24)),
        frame("device", "STACK", 22, 7, **event(16, order=0, deck=65, size=3, cards="")),
    ]


def bad() -> list[dict[str, str]]:
    """Frames that must be thrown away without a word."""
    good = bytes.fromhex(frame("host", "HOLD", 3, 7)["wire"])
    signed = bytes.fromhex(frame("host", "HOLD", 3, 7)["body"])
    long = bytes([*signed[:3], 1, *signed[4:]])
    version = bytes([9]) + signed[1:]
    flags = bytes([*signed[:2], 0x81, *signed[3:]])
    rows = [
        ("one bit of the type flipped", good[:2] + bytes([good[2] ^ 1]) + good[3:]),
        ("one bit of the CRC flipped", good[:-2] + bytes([good[-2] ^ 1]) + b"\0"),
        ("a code byte that points beyond the end", b"\xfe" + good[1:]),
        ("cut in the middle", good[:10] + b"\0"),
        ("shorter than a header and a CRC", b"\x05\x31\x32\x33\x34\0"),
        ("a right CRC over a wrong length", wire(long)),
        ("a right CRC under version 9", wire(version)),
        ("a right CRC with an unknown flag", wire(flags)),
        ("two hundred and ninety-nine bytes without an end", b"\x11" * 299 + b"\0"),
    ]
    return [{"name": name, "wire": data.hex()} for name, data in rows]


def vectors() -> dict[str, Any]:
    plain = [b"", b"\0", b"\x11\x22\0\x33", b"\x11\0\0\0", b"\0\x11", bytes(range(1, 237))]
    decks = {
        "a full deck": FULL,
        "the three cards of the shuffle below": THREE,
        "the same in another order": THREE[::-1],
        "no card": [],
    }
    return {
        "title": "Sabot Link, version 1: known answers",
        "crc32": [
            {"ascii": text, "crc": f"{zlib.crc32(text.encode()):08x}"}
            for text in ("", "123456789", "sabot-link")
        ],
        "cobs": [{"plain": data.hex(), "coded": cobs(data).hex()} for data in plain],
        "digest": [{"name": name, "cards": cards, "digest": digest(cards)} for name, cards in decks.items()],
        "authentication": authentication(),
        "exchanges": exchanges(),
        "frames": others(),
        "bad": bad(),
    }


# ---------------------------------------------------------------- the page's part


def _line(each: dict[str, Any]) -> str:
    fields = " ".join(f"{name}={_short(value)}" for name, value in each["fields"].items())
    numbers = f" #{each['sequence']}" if each["sequence"] else ""
    return (
        f"{'H' if each['from'] == 'host' else 'D'}> {each['message']}{numbers} ack {each['ack']} {fields}".rstrip()
        + f"\n   {each['wire']}"
    )


def _short(value: Any) -> str:
    text = str(value)
    return f"{text[:8]}…" if len(text) > 20 else text


def page_part(values: dict[str, Any]) -> str:
    """What stands between the marks of the page."""
    part = [BEGIN, "", "### CRC, COBS, digest", "", "```"]
    part += [f"crc32  {row['ascii']!r:14} {row['crc']}" for row in values["crc32"]]
    part += [f"cobs   {row['plain'] or '(nothing)'}\n       {row['coded']}" for row in values["cobs"]]
    part += [f"digest {row['name']}\n       {row['digest']}" for row in values["digest"]]
    part += ["```", "", "### Authentication", "", "```"]
    part += [f"{name:23} {value}" for name, value in values["authentication"].items()]
    part += ["```", ""]
    for exchange in values["exchanges"]:
        name = exchange["name"]
        part += [f"### {name[0].upper()}{name[1:]}", "", "```", *map(_line, exchange["lines"]), "```", ""]
    part += ["### The messages not seen above", "", "```", *map(_line, values["frames"]), "```", ""]
    part += ["### To be thrown away without a word", "", "```"]
    part += [f"{row['name']}\n   {row['wire']}" for row in values["bad"]]
    return "\n".join([*part, "```", "", END])


def page_with(values: dict[str, Any], text: str) -> str:
    before, _, rest = text.partition(BEGIN)
    return before + page_part(values) + rest.partition(END)[2]


def json_text(values: dict[str, Any]) -> str:
    return json.dumps(values, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    values = vectors()
    if "--write" in sys.argv:
        JSON_FILE.write_text(json_text(values))
        PAGE.write_text(page_with(values, PAGE.read_text()))
    print(f"{sum(len(each['lines']) for each in values['exchanges']) + len(values['frames'])} frames")


if __name__ == "__main__":
    main()
