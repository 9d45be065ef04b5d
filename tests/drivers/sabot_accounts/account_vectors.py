"""The known answers of Sabot accounts, computed from the page by the third hand of Sabot Link.

`python -m tests.drivers.sabot_accounts.account_vectors --write` writes the JSON file and the page's last part.
"""

import hashlib
import struct
import sys
from typing import Any

from tests.drivers.sabot_link.link_vectors import (
    BEGIN,
    BOOT,
    DEVICE_KEY,
    DEVICE_NONCE,
    END,
    PUBLIC,
    ROOT,
    _line,
    event,
    frame,
    hello,
    json_text,
)

JSON_FILE = ROOT / "tests/drivers/vectors/sabot-accounts.json"
PAGE = ROOT / "docs/sabot-accounts.md"
SALT = bytes(range(0x40, 0x50))
MAGIC_CARD, NINE_OF_SPADES = 1, 31
ACCOUNT = 0xACC07001


def seal(draw: int, round_: int, kind: int, value: int, salt: bytes) -> str:
    text = b"sabot-accounts/1 draw" + struct.pack(">IIBB", draw, round_, kind, value) + salt
    return hashlib.sha256(text).hexdigest()


def stake(seat: int, wager: int, cents: int) -> str:
    return struct.pack(">BBI", seat, wager, cents).hex()


def standing_stake(seat: int, wager: int, cents: int, account: int) -> str:
    return struct.pack(">BBII", seat, wager, cents, account).hex()


def identity() -> dict[str, Any]:
    return frame(
        "device", "IDENTITY", version=1, kind=4, capabilities=0, boot=BOOT, nonce=DEVICE_NONCE.hex(),
        key=DEVICE_KEY.public_key().public_bytes_raw().hex(), public=PUBLIC.hex(),
        maker="Example Works", model="Stations 7", serial="0001", firmware="1.0.0",
    )  # fmt: skip


STANDING = {
    "command": 1, "phase": 0, "round": 6, "stations": 7, "wagers": 2, "placed": 0, "cents": 0,
    "credits": 30, "total": 1_234_500, "draw": 11, "fault": 0, "kept": 0, "time": 900,
}  # fmt: skip


def opening() -> list[dict[str, Any]]:
    return [
        hello(0), identity(),
        frame("host", "QUERY", 1, 0), frame("device", "STANDING", 1, 1, **STANDING), frame("host", "ACK", 0, 1),
        frame("host", "COUNT", 2, 1),
        frame("device", "STAKES", 2, 2, command=2, round=0, stakes=""), frame("host", "ACK", 0, 2),
        frame("host", "OPEN_BETS", 3, 2), frame("device", "RESULT", 3, 3, command=3, code=0), frame("host", "ACK", 0, 3),
    ]  # fmt: skip


def placing() -> list[dict[str, Any]]:
    first = {"ticket": 101, "seat": 3, "wager": 1, "cents": 500}
    second = {"ticket": 102, "seat": 3, "wager": 2, "cents": 100_000}
    return [
        frame("device", "WAGER", 4, 3, **event(1, **first, account=ACCOUNT)), frame("host", "ACK", 0, 4),
        frame("host", "ANSWER", 4, 4, **first, accepted=1, why=""),
        frame("device", "RESULT", 5, 4, command=4, code=0), frame("host", "ACK", 0, 5),
        frame("device", "WAGER", 6, 4, **event(2, **second, account=ACCOUNT)), frame("host", "ACK", 0, 6),
        frame("host", "ANSWER", 5, 6, **second, accepted=0, why="over the maximum of 2500 cents"),
        frame("device", "RESULT", 7, 5, command=5, code=0), frame("host", "ACK", 0, 7),
    ]  # fmt: skip


def taking() -> list[dict[str, Any]]:
    sealed = seal(12, 7, MAGIC_CARD, NINE_OF_SPADES, SALT)
    return [
        frame("host", "CLOSE_BETS", 6, 7), frame("device", "RESULT", 8, 6, command=6, code=0), frame("host", "ACK", 0, 8),
        frame("host", "TAKE", 7, 8, round=7, stakes=stake(3, 1, 500)),
        frame("device", "RESULT", 9, 7, command=7, code=0), frame("host", "ACK", 0, 9),
        frame("device", "SEALED", 10, 7, **event(3, draw=12, round=7, seal=sealed)), frame("host", "ACK", 0, 10),
        frame("device", "TAKEN_IN", 11, 7, **event(4, round=7, count=1, cents=500, draws=1)), frame("host", "ACK", 0, 11),
    ]  # fmt: skip


def paying() -> list[dict[str, Any]]:
    opened = event(5, draw=12, round=7, kind=MAGIC_CARD, value=NINE_OF_SPADES, salt=SALT.hex())
    credit = {"number": 31, "round": 7, "seat": 3, "wager": 1, "kind": 1, "cents": 25_000}
    credited = {"number": 31, "round": 7, "cents": 25_000, "account": ACCOUNT, "total": 1_259_500}
    return [
        frame("host", "UNSEAL", 8, 11, draw=12), frame("device", "RESULT", 12, 8, command=8, code=0),
        frame("host", "ACK", 0, 12), frame("device", "OPENED", 13, 8, **opened), frame("host", "ACK", 0, 13),
        frame("host", "CREDIT", 9, 13, **credit, cite="641a.11(c)(7), 641a.12(g)"),
        frame("device", "RESULT", 14, 9, command=9, code=0), frame("host", "ACK", 0, 14),
        frame("device", "CREDITED", 15, 9, **event(6, **credited, again=0)), frame("host", "ACK", 0, 15),
    ]  # fmt: skip


def others() -> list[dict[str, Any]]:
    two = standing_stake(3, 1, 500, ACCOUNT) + standing_stake(5, 2, 100, 7)
    again = {"number": 31, "round": 7, "cents": 25_000, "account": ACCOUNT, "total": 1_259_500}
    return [
        frame("host", "DARK", 10, 15, spots="0301"),
        frame("device", "STAKES", 16, 10, command=11, round=7, stakes=two),
        frame("device", "CREDITED", 17, 10, **event(7, **again, again=1)),
        frame("host", "ANSWER", 11, 17, ticket=0, seat=3, wager=1, cents=0, accepted=0, why="its Ante was lifted"),
    ]  # fmt: skip


def vectors() -> dict[str, Any]:
    seals = [(12, 7, 1, NINE_OF_SPADES), (13, 7, 2, 5), (14, 8, 2, 0)]
    return {
        "title": "Sabot accounts, version 1: known answers",
        "seal": [
            {"draw": draw, "round": round_, "kind": kind, "value": value, "salt": SALT.hex(),
             "seal": seal(draw, round_, kind, value, SALT)}
            for draw, round_, kind, value in seals
        ],
        "exchanges": [
            {"name": "a session without authentication; bets are open", "lines": opening()},
            {"name": "a wager that is accepted, and one that is not", "lines": placing()},
            {"name": "no more bets", "lines": taking()},
            {"name": "a draw is opened, a win credited", "lines": paying()},
        ],
        "frames": others(),
    }  # fmt: skip


def page_part(values: dict[str, Any]) -> str:
    part = [BEGIN, "", "### Seals", "", "```"]
    for row in values["seal"]:
        words = " ".join(f"{name}={row[name]}" for name in ("draw", "round", "kind", "value", "salt"))
        part += [f"seal   {words}\n       {row['seal']}"]
    part += ["```", ""]
    for exchange in values["exchanges"]:
        name = exchange["name"]
        part += [f"### {name[0].upper()}{name[1:]}", "", "```", *map(_line, exchange["lines"]), "```", ""]
    part += ["### The messages not seen above", "", "```", *map(_line, values["frames"]), "```", ""]
    return "\n".join([*part, END])


def page_with(values: dict[str, Any], text: str) -> str:
    before, _, rest = text.partition(BEGIN)
    return before + page_part(values) + rest.partition(END)[2]


def main() -> None:
    values = vectors()
    if "--write" in sys.argv:
        JSON_FILE.write_text(json_text(values))
        PAGE.write_text(page_with(values, PAGE.read_text()))


if __name__ == "__main__":
    main()
