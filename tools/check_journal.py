#!/usr/bin/env python3
"""Checks a journal that a Sabot table exported, without Sabot: one file, the standard library, nothing else.

    python3 check_journal.py journal.jsonl
    python3 check_journal.py journal.jsonl --key 64_HEX_DIGITS_OF_THE_BOARD

It was written from the page that describes the format, and shares no line with the program that writes it. It
proves that every entry follows from the one before it, that the board signed what its heads say it signed,
that no entry is missing between the first and the last, and that the closing line is the board's word for the
whole file. It does not judge what the entries say, and it cannot know whose key a file carries: compare that
with the one written down when the board was commissioned, or give it with --key.

Exit code 0: all of it holds. 1: something does not, and the first such line is named. 2: no such file.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

Point = tuple[int, int, int, int]

# ---------------------------------------------------------------------------------------------------------
# Ed25519, verification only (RFC 8032, section 5.1.7). The curve is -x^2 + y^2 = 1 + d x^2 y^2 over the
# integers modulo p; a point is kept as (X, Y, Z, T) with x = X/Z, y = Y/Z, x y = T/Z. Slow, plain, and
# nothing in it is secret.

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT_OF_MINUS_ONE = pow(2, (P - 1) // 4, P)
NEUTRAL: Point = (0, 1, 1, 0)
KEY = 32


def plus(a: Point, b: Point) -> Point:
    """The sum of two points."""
    e = (a[1] - a[0]) * (b[1] - b[0]) % P
    f = (a[1] + a[0]) * (b[1] + b[0]) % P
    g = 2 * a[3] * b[3] * D % P
    h = 2 * a[2] * b[2] % P
    i, j, k, m = f - e, h - g, h + g, f + e
    return i * j % P, k * m % P, j * k % P, i * m % P


def times(number: int, point: Point) -> Point:
    """A point, so many times."""
    found = NEUTRAL
    while number:
        if number & 1:
            found = plus(found, point)
        point = plus(point, point)
        number >>= 1
    return found


def is_same(a: Point, b: Point) -> bool:
    """Tell whether two points are one."""
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 and (a[1] * b[2] - b[1] * a[2]) % P == 0


def point_of(data: bytes) -> Point | None:
    """The point that 32 bytes stand for, None where they stand for none."""
    if len(data) != KEY:
        return None
    y = int.from_bytes(data, "little")
    odd, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT_OF_MINUS_ONE % P
    if (x * x - square) % P or (x == 0 and odd):
        return None
    if x & 1 != odd:
        x = P - x
    return x, y, 1, x * y % P


BASE = point_of((4 * pow(5, P - 2, P) % P).to_bytes(KEY, "little"))
assert BASE is not None


def signature_holds(key: bytes, message: bytes, signature: bytes) -> bool:
    """Tell whether these 64 bytes are this key's signature of the message."""
    if len(signature) != 2 * KEY:
        return False
    holder, commitment = point_of(key), point_of(signature[:KEY])
    answer = int.from_bytes(signature[KEY:], "little")
    if holder is None or commitment is None or answer >= ORDER:
        return False
    question = int.from_bytes(hashlib.sha512(signature[:KEY] + key + message).digest(), "little") % ORDER
    assert BASE is not None
    return is_same(times(answer, BASE), plus(commitment, times(question, holder)))


# ---------------------------------------------------------------------------------------------------------
# The file.

DIGITS = 2 * KEY
ZEROS = "0" * DIGITS
EVERY = 5000
WANTED = {
    "number": int,
    "kind": str,
    "boot": str,
    "at": str,
    "utc": str,
    "trusted": bool,
    "body": str,
    "seal": str,
    "link": str,
}


class BrokenError(Exception):
    """Something does not hold: in which line of the file, at which entry."""

    def __init__(self, line: int, entry: object, words: str) -> None:
        at = f"line {line}" + (f", entry {entry}" if entry else "")
        super().__init__(f"{at}: {words}")
        self.line, self.entry, self.words = line, entry, words


def sha256(text: str) -> str:
    """SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def is_hex(text: object, length: int) -> bool:
    """Tell whether a text is so many lower-case hexadecimal digits."""
    return isinstance(text, str) and len(text) == length and not set(text) - set("0123456789abcdef")


def parse(raw: bytes, line: int) -> dict[str, Any]:
    """The JSON object of a line."""
    try:
        value = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BrokenError(line, 0, "not JSON") from error
    if not isinstance(value, dict):
        raise BrokenError(line, 0, "not an object")
    return value


class Checker:
    """Goes through a file from its first line to its last."""

    def __init__(self, key: bytes | None = None, say: Callable[[int], None] | None = None) -> None:
        self.key = key or b""
        self.is_known = key is not None
        self.say = say
        self.entries = self.heads = self.rounds = self.sealed = self.covered = 0
        self.number = self.unsigned_round = 0
        self.first = 0
        self.link = ZEROS
        self.digest = hashlib.sha256()

    def check(self, lines: Iterable[bytes]) -> None:
        """All lines; BrokenError at the first that does not hold."""
        rows = enumerate(lines, 1)
        line, raw = next(rows, (1, b""))
        self.header(parse(raw, line), line)
        while True:
            self.digest.update(raw)
            line, raw = next(rows, (line + 1, b""))
            if not raw:
                raise BrokenError(line, 0, "the file ends without its closing line")
            value = parse(raw, line)
            if "closing" in value:
                break
            self.entry(value, line)
        self.closing(value["closing"], line)
        if next(rows, None) is not None:
            raise BrokenError(line + 1, 0, "something follows the closing line")

    def header(self, value: dict[str, Any], line: int) -> None:
        """The first line: whose journal it is, and what the first entry follows."""
        if value.get("sabot_journal") != 1:
            raise BrokenError(line, 0, "not an export of format 1")
        board, first, before = value.get("board"), value.get("first"), value.get("before")
        if not (is_hex(board, DIGITS) and is_hex(before, DIGITS) and type(first) is int and first > 0):
            raise BrokenError(line, 0, "board, first or before is missing or misshapen")
        if self.is_known and board != self.key.hex():
            raise BrokenError(line, 0, f"the file is of board {board}")
        if first == 1 and before != ZEROS:
            raise BrokenError(line, 0, "the first entry of a journal follows nothing")
        self.key = bytes.fromhex(str(board))
        self.first, self.number, self.link = first, first - 1, str(before)
        if "anchor" in value:
            self.anchor(value["anchor"], line)

    def anchor(self, text: str, line: int) -> None:
        """Check the words that the board signed when it removed the entries before the first one."""
        try:
            said = json.loads(text)
            message = f"sabot journal anchor\n{said['entries']}\n{said['link']}\n{said['digest']}"
            signature = bytes.fromhex(said["signature"])
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenError(line, 0, "the anchor is misshapen") from error
        if (said["entries"], said["link"]) != (self.number, self.link):
            raise BrokenError(line, 0, "the anchor speaks of another entry")
        if not signature_holds(self.key, message.encode(), signature):
            raise BrokenError(line, 0, "the anchor is not signed by the board")

    def entry(self, value: dict[str, Any], line: int) -> None:
        """An entry: shape, number, link; then what kind it is."""
        number = value.get("number")
        shapely = all(type(value.get(name)) is kind for name, kind in WANTED.items())
        if not shapely or set(value) - set(WANTED) - {"sealed"}:
            raise BrokenError(line, number, "not the fields of an entry")
        if number != self.number + 1:
            raise BrokenError(line, number, f"entry {self.number + 1} is missing")
        trusted = "trusted" if value["trusted"] else "untrusted"
        fields = [str(number), value["kind"], value["boot"], value["at"], value["utc"], trusted]
        text = "\n".join([self.link, *fields, value["body"], value["seal"]])
        if sha256(text) != value["link"]:
            raise BrokenError(line, number, "its content or its link was changed")
        self.seal(value, line)
        if value["kind"] == "head":
            self.head(value, line)
        else:
            self.ordinary(value, line)
        self.number, self.link = number, value["link"]
        self.entries += 1
        if self.say and self.entries % EVERY == 0:
            self.say(self.entries)

    def seal(self, value: dict[str, Any], line: int) -> None:
        """Sealed data, where it was exported, is what its digest says."""
        if "sealed" not in value:
            return
        try:
            data = bytes.fromhex(value["sealed"])
        except (ValueError, TypeError) as error:
            raise BrokenError(line, value["number"], "its sealed data is misshapen") from error
        if hashlib.sha256(data).hexdigest() != value["seal"]:
            raise BrokenError(line, value["number"], "its seal was changed")
        self.sealed += 1

    def head(self, value: dict[str, Any], line: int) -> None:
        """A head signs everything before it."""
        try:
            said = json.loads(value["body"])
            entries, link, key = said["entries"], said["link"], said["key"]
            signature = bytes.fromhex(said["signature"])
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenError(line, value["number"], "not a head") from error
        if (entries, link, key) != (self.number, self.link, self.key.hex()):
            raise BrokenError(line, value["number"], "the head speaks of other entries or of another key")
        if not signature_holds(self.key, f"sabot journal head\n{entries}\n{link}".encode(), signature):
            raise BrokenError(line, value["number"], "the head is not signed by the board")
        self.heads, self.covered, self.unsigned_round = self.heads + 1, entries, 0

    def ordinary(self, value: dict[str, Any], line: int) -> None:
        """After the record of a round comes its head, or what says why the program ended, then a head."""
        if self.unsigned_round and value["kind"] not in ("start", "slip", "slips lifted"):
            raise BrokenError(
                line, value["number"], f"the end of round {self.unsigned_round} was never signed"
            )
        try:
            record = json.loads(value["body"]).get("record")
        except (ValueError, AttributeError) as error:
            raise BrokenError(line, value["number"], "its body is not a JSON object") from error
        if record and not self.unsigned_round:
            self.unsigned_round = record["number"]
            self.rounds += 1

    def closing(self, said: Any, line: int) -> None:  # noqa: ANN401 (any JSON)
        """The board's word for the whole file."""
        try:
            first, last, link, digest = said["first"], said["last"], said["link"], said["digest"]
            key, signature = said["key"], bytes.fromhex(said["signature"])
        except (ValueError, KeyError, TypeError) as error:
            raise BrokenError(line, 0, "the closing line is misshapen") from error
        if (first, last, link) != (self.first, self.number, self.link):
            raise BrokenError(
                line, 0, f"the closing line speaks of entries {first} to {last}, here are others"
            )
        if digest != self.digest.hexdigest():
            raise BrokenError(line, 0, "the lines are not those that were closed")
        message = f"sabot journal export\n{first}\n{last}\n{link}\n{digest}"
        if key != self.key.hex() or not signature_holds(self.key, message.encode(), signature):
            raise BrokenError(line, 0, "the closing line is not signed by the board")


def main() -> int:
    """Check one file."""
    parser = argparse.ArgumentParser(description="Checks a journal that a Sabot table exported.")
    parser.add_argument("file", help="the export, JSON lines")
    parser.add_argument("--key", type=bytes.fromhex, help="the board's public key, 64 hexadecimal digits")
    args = parser.parse_args()
    say = (lambda count: print(f"  {count} entries ...", file=sys.stderr)) if sys.stderr.isatty() else None
    checker = Checker(args.key, say)
    try:
        with Path(args.file).open("rb") as rows:
            checker.check(rows)
    except OSError as error:
        print(f"{args.file}: {error.strerror}", file=sys.stderr)
        return 2
    except BrokenError as broken:
        print(f"BROKEN: {args.file}, {broken}")
        return 1
    print(f"WHOLE: entries {checker.first} to {checker.number}, every link; {checker.rounds} rounds")
    print(f"  {checker.heads} heads signed by the board, the last covers entry {checker.covered}")
    print(f"  {checker.sealed} seals checked against their digests; the closing line is signed")
    print(f"  board {checker.key.hex()}" + ("" if args.key else "  <- compare it with the one you know"))
    return 0


if __name__ == "__main__":
    sys.exit(main())
