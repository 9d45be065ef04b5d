"""The known answers of Sabot pads, computed from the page by a third hand.

Neither the driver's codec nor the simulator's has a part in it: if one of them computed the vectors, its wrong byte would
be the page's. `python tests/drivers/pads/make_vectors.py --write` writes the JSON file and the page's last part.
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
JSON_FILE = ROOT / "tests/drivers/vectors/sabot-pads.json"
PAGE = ROOT / "docs/sabot-pads.md"
BEGIN, END = "<!-- vectors -->", "<!-- /vectors -->"

SESSION, BOOT = 0x5AB0AD01, 0xB0071D02
TYPES = {"HELLO": 1, "IDENTITY": 2, "PROVE": 3, "PROOF": 4, "ORDER": 16, "STATE": 32}
HOST_NONCE, PAD_NONCE = bytes(range(32)), bytes(range(128, 160))
HOST_KEY, PAD_KEY = bytes([0x11]) * 32, bytes([0x22]) * 32
SIGNING_KEY = bytes([0x44]) * 32
NEVER, UNKNOWN = 0xFFFF, 0xFFFFFFFF

Fields = dict[str, Any]


def payload(name: str, f: Fields) -> bytes:
    if name == "HELLO":
        return (
            bytes([f["lowest"], f["highest"], f["wants"]])
            + bytes.fromhex(f["nonce"])
            + bytes.fromhex(f["key"])
        )
    if name == "IDENTITY":
        head = struct.pack(">BBHI", f["version"], f["spots"], f["capabilities"], f["boot"])
        keys = b"".join(bytes.fromhex(f[each]) for each in ("nonce", "key", "public"))
        texts = b"".join(
            bytes([len(f[each])]) + f[each].encode() for each in ("maker", "model", "serial", "firmware")
        )
        return head + keys + texts
    if name == "PROOF":
        return bytes.fromhex(f["signature"])
    if name == "ORDER":
        return (
            struct.pack(">QQQ", f["locked"], f["expected"], f["lit"])
            + bytes(f["seats"])
            + struct.pack(">H", f["seen"])
        )
    if name == "STATE":
        head = struct.pack(">QQQ", f["locked"], f["expected"], f["lit"]) + bytes(f["seats"])
        tail = struct.pack(">HBB", f["selflocks"], f["flags"], len(f["spots"]))
        return head + tail + b"".join(struct.pack(">BBBHI", *spot) for spot in f["spots"])
    return b""


def frame(
    name: str, f: Fields, *, sequence: int = 0, ack: int = 0, time: int = 0, key: bytes = b""
) -> tuple[bytes, bytes]:
    """What is signed, and what goes over the wire."""
    data = payload(name, f)
    signed = (
        struct.pack(
            ">2sBBBBHIIII", b"SP", 1, TYPES[name], bool(key), 0, len(data), SESSION, sequence, ack, time
        )
        + data
    )
    whole = signed + (hmac.new(key, signed, hashlib.sha256).digest()[:16] if key else b"")
    return signed, whole + struct.pack(">I", zlib.crc32(whole))


def hkdf(secret: bytes, salt: bytes, info: bytes) -> bytes:
    """HKDF-SHA-256, 64 bytes, by the letter of RFC 5869."""
    extracted = hmac.new(salt, secret, hashlib.sha256).digest()
    first = hmac.new(extracted, info + b"\x01", hashlib.sha256).digest()
    return first + hmac.new(extracted, first + info + b"\x02", hashlib.sha256).digest()


def hello(*, wants: int) -> Fields:
    public = X25519PrivateKey.from_private_bytes(HOST_KEY).public_key().public_bytes_raw()
    return {"lowest": 1, "highest": 1, "wants": wants, "nonce": HOST_NONCE.hex(), "key": public.hex()}


def identity() -> Fields:
    key = X25519PrivateKey.from_private_bytes(PAD_KEY).public_key().public_bytes_raw()
    public = Ed25519PrivateKey.from_private_bytes(SIGNING_KEY).public_key().public_bytes_raw()
    texts = {"maker": "Example Works", "model": "Felt 3", "serial": "0007", "firmware": "1.0.0"}
    keys = {"nonce": PAD_NONCE.hex(), "key": key.hex(), "public": public.hex()}
    return {"version": 1, "spots": 3, "capabilities": 31, "boot": BOOT, **keys, **texts}


def order(
    locked: int, *, expected: int = 0, lit: int = 0, seats: tuple[int, ...] = (), seen: int = 0
) -> Fields:
    lamps = [*seats, *[0] * (8 - len(seats))]
    return {"locked": locked, "expected": expected, "lit": lit, "seats": lamps, "seen": seen}


def state(locked: int, spots: list[list[int]], *, expected: int = 0, lit: int = 0, seats: tuple[int, ...] = (),
          selflocks: int = 0, flags: int = 0) -> Fields:  # fmt: skip
    lamps = [*seats, *[0] * (8 - len(seats))]
    return {
        "locked": locked,
        "expected": expected,
        "lit": lit,
        "seats": lamps,
        "selflocks": selflocks,
        "flags": flags,
        "spots": spots,
    }


EMPTY = [0, 0, 90, NEVER, 0]
ONE_ANTE = [1, 1, 90, 30, 2500]


def exchange() -> list[tuple[str, str, Fields, dict[str, int]]]:
    """A round of one seat with three spots: ante 0, play 1, bonus 2."""
    late = [2, 1, 90, 30, 500]
    return [
        ("H", "ORDER", order(7), {"sequence": 1}),
        ("P", "STATE", state(7, [EMPTY] * 3), {"sequence": 1, "ack": 1, "time": 5000}),
        ("H", "ORDER", order(2), {"sequence": 2}),
        ("P", "STATE", state(2, [EMPTY] * 3), {"sequence": 2, "ack": 2, "time": 5010}),
        ("P", "STATE", state(2, [ONE_ANTE, EMPTY, EMPTY]), {"sequence": 3, "ack": 2, "time": 6030}),
        ("H", "ORDER", order(2, lit=1), {"sequence": 3}),
        ("P", "STATE", state(2, [[1, 1, 90, 40, 2500], EMPTY, EMPTY], lit=1), {"sequence": 4, "ack": 3, "time": 6040}),
        ("H", "ORDER", order(7, lit=1), {"sequence": 4}),
        ("P", "STATE", state(7, [[1, 1, 90, 1000, 2500], EMPTY, EMPTY], lit=1), {"sequence": 5, "ack": 4, "time": 7000}),
        ("P", "STATE", state(7, [[1, 1, 90, 2030, 2500], EMPTY, late], lit=1), {"sequence": 6, "ack": 4, "time": 8030}),
        ("H", "ORDER", order(5, lit=1, seats=(1,)), {"sequence": 5}),
        ("P", "STATE", state(5, [[1, 1, 90, 3000, 2500], EMPTY, [2, 1, 90, 1000, 500]], lit=1, seats=(1,)), {"sequence": 7, "ack": 5, "time": 9000}),
        ("H", "ORDER", order(7, expected=1, lit=1), {"sequence": 6}),
        ("P", "STATE", state(7, [[1, 1, 90, 4000, 2500], EMPTY, [2, 1, 90, 2000, 500]], expected=1, lit=1), {"sequence": 8, "ack": 6, "time": 10000}),
        ("P", "STATE", state(7, [[0, 2, 90, 30, 0], EMPTY, [2, 1, 90, 2500, 500]], expected=1), {"sequence": 9, "ack": 6, "time": 10500}),
        ("P", "STATE", state(7, [[0, 2, 90, 530, 0], EMPTY, [2, 1, 90, 3000, 500]], selflocks=1, flags=1), {"sequence": 10, "ack": 6, "time": 11000}),
    ]  # fmt: skip


# What happens to one spot, and its state and count of changes after each step (the page's table).
LIFE = [
    {"name": "a wager of a round", "steps": [["open", 0, 0], ["chips 2500", 1, 1], ["lock", 1, 1], ["expect", 1, 1], ["lift", 0, 2], ["open", 0, 2]]},
    {"name": "too late", "steps": [["lock", 0, 0], ["chips 500", 2, 1], ["chips 1000", 2, 2], ["open", 2, 2], ["chips 1500", 2, 3], ["lift", 0, 4], ["chips 500", 1, 5]]},
    {"name": "too late and taken away", "steps": [["lock", 0, 0], ["chips 500", 2, 1], ["lift", 0, 2], ["open", 0, 2]]},
    {"name": "taken back in time", "steps": [["open", 0, 0], ["chips 500", 1, 1], ["lift", 0, 2], ["lock", 0, 2]]},
    {"name": "taken back too late", "steps": [["open", 0, 0], ["chips 500", 1, 1], ["lock", 1, 1], ["lift", 3, 2], ["open", 0, 2]]},
    {"name": "and put back", "steps": [["open", 0, 0], ["chips 500", 1, 1], ["lock", 1, 1], ["lift", 3, 2], ["chips 500", 2, 3], ["open", 2, 3]]},
    {"name": "added to", "steps": [["open", 0, 0], ["chips 500", 1, 1], ["lock", 1, 1], ["chips 1000", 4, 2], ["chips 500", 4, 3], ["lift", 3, 4], ["open", 0, 4]]},
    {"name": "added to, next round", "steps": [["open", 0, 0], ["chips 500", 1, 1], ["lock", 1, 1], ["chips 1000", 4, 2], ["open", 1, 2], ["lock", 1, 2]]},
    {"name": "paid by the dealer", "steps": [["open", 0, 0], ["chips 500", 1, 1], ["lock", 1, 1], ["expect", 1, 1], ["chips 1000", 1, 2], ["lock", 1, 2], ["lift", 3, 3]]},
    {"name": "put back by the dealer", "steps": [["open", 0, 0], ["chips 500", 1, 1], ["lock", 1, 1], ["lift", 3, 2], ["expect", 3, 2], ["chips 500", 1, 3]]},
    {"name": "silence", "steps": [["open", 0, 0], ["silence", 0, 0], ["chips 500", 2, 1]]},
    {"name": "blinded", "steps": [["open", 0, 0], ["chips 500", 1, 1], ["blind", 5, 2], ["lock", 5, 2], ["see", 2, 3]]},
]  # fmt: skip


def _frames(key_out: bytes = b"", key_in: bytes = b"") -> list[Fields]:
    rows = [("H", "HELLO", hello(wants=bool(key_out)), {}), ("P", "IDENTITY", identity(), {"time": 4900})]
    if key_out:
        rows += [
            ("H", "PROVE", {}, {}),
            ("P", "PROOF", {"signature": authentication()["signature"]}, {"time": 4950}),
        ]
        rows += exchange()[:4]
    else:
        rows += exchange()
    keys = {"ORDER": key_out, "STATE": key_in}
    return [
        {
            "from": who,
            "message": name,
            "fields": f,
            "header": head,
            "frame": frame(name, f, **head, key=keys.get(name, b""))[1].hex(),
        }
        for who, name, f, head in rows
    ]


def authentication() -> dict[str, str]:
    hello_signed, identity_signed = (
        frame("HELLO", hello(wants=1))[0],
        frame("IDENTITY", identity(), time=4900)[0],
    )
    transcript = hashlib.sha256(b"sabot-pads/1 transcript" + hello_signed + identity_signed).digest()
    signer = Ed25519PrivateKey.from_private_bytes(SIGNING_KEY)
    ours = X25519PrivateKey.from_private_bytes(HOST_KEY)
    shared = ours.exchange(X25519PrivateKey.from_private_bytes(PAD_KEY).public_key())
    keys = hkdf(shared, transcript, b"sabot-pads/1 session")
    public = signer.public_key().public_bytes_raw()
    return {
        "host_nonce": HOST_NONCE.hex(),
        "host_x25519_private": HOST_KEY.hex(),
        "pad_nonce": PAD_NONCE.hex(),
        "pad_x25519_private": PAD_KEY.hex(),
        "pad_ed25519_private": SIGNING_KEY.hex(),
        "pad_ed25519_public": public.hex(),
        "fingerprint": hashlib.sha256(public).hexdigest()[:16],
        "transcript": transcript.hex(),
        "signature": signer.sign(b"sabot-pads/1 proof" + transcript).hex(),
        "shared_secret": shared.hex(),
        "key_to_pad": keys[:32].hex(),
        "key_to_host": keys[32:].hex(),
    }


def vectors() -> Fields:
    secrets = authentication()
    keys = (bytes.fromhex(secrets["key_to_pad"]), bytes.fromhex(secrets["key_to_host"]))
    return {
        "page": "sabot-pads, version 1",
        "crc32": [{"data": text.encode().hex(), "crc": f"{zlib.crc32(text.encode()):08x}"} for text in ("", "123456789", "sabot-pads")],
        "authentication": secrets,
        "plain": _frames(),
        "authenticated": _frames(*keys),
        "life": LIFE,
    }  # fmt: skip


def _line(row: Fields) -> str:
    shown = {
        name: f"{value[:8]}…" if isinstance(value, str) and len(value) > 32 else value
        for name, value in row["fields"].items()
    }
    words = " ".join(
        f"{name}={str(value).replace(' ', '')}" for name, value in (row["header"] | shown).items()
    )
    return f"{row['from']}> {row['message']} {words}\n   {row['frame']}"


def page_part(found: Fields) -> str:
    parts = [
        "",
        "### Authentication",
        "",
        "```",
        *(f"{name:20} {value}" for name, value in found["authentication"].items()),
        "```",
        "",
    ]
    parts += ["### A round of one seat without authentication: ante on spot 0, play on 1, a bonus on 2", "",
              "Opened; an ante of $25; lit; locked; $5 on the bonus too late; the play spot opened with the seat's lamp; the dealer takes the",
              "ante, which is expected; then the host falls silent. A record reads state, changes, light, age, cents.", "", "```"]  # fmt: skip
    parts += [
        *map(_line, found["plain"]),
        "```",
        "",
        "### The beginning of a session with authentication",
        "",
        "```",
    ]
    parts += [
        *map(_line, found["authenticated"]),
        "```",
        "",
        "### Lives of a spot",
        "",
        "Each step: what happens → state / changes.",
        "",
        "```",
    ]
    for life in found["life"]:
        steps = "  ".join(f"{what} → {now}/{count}" for what, now, count in life["steps"])
        parts.append(f"{life['name']}:\n   {steps}")
    return "\n".join([*parts, "```", ""])


def rendered() -> dict[Path, str]:
    """The JSON file and the page as they should be."""
    found = vectors()
    page = PAGE.read_text(encoding="utf-8")
    before, after = page.split(BEGIN)[0], page.split(END)[1]
    return {
        JSON_FILE: json.dumps(found, indent=1) + "\n",
        PAGE: f"{before}{BEGIN}\n{page_part(found)}\n{END}{after}",
    }


if __name__ == "__main__":
    stale = [
        path
        for path, text in rendered().items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if "--write" in sys.argv:
        for path, text in rendered().items():
            path.write_text(text, encoding="utf-8")
    elif stale:
        sys.exit(f"stale: {', '.join(path.name for path in stale)}")
