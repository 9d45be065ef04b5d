"""The words between a console and the program: one JSON object a line, each way, in UTF-8.

What a console says (a line of at most 4,096 bytes):

    {"id": 7, "do": ["round", "12"]}         a command; its words as they were typed
    {"id": 7, "do": [...], "why": "...", "pin": "...", "new_pin": "...", "second": "17", "second_pin": "..."}
                                             the same command again, with what was asked for
    {"id": 8, "complete": ["device", "te"]}  which words may stand in the last place
    {"id": 7, "stop": true}                  no more of a command that goes on

What the program answers:

    {"hello": 1, "table": "Table 7", "notice": "...", "commands": ["status", ...]}    once, at the beginning
    {"id": 7, "text": "...", "data": {...}}  a line for people, the same for programs; any number of them
    {"id": 7, "line": "..."}                 a line of a file, to be kept byte for byte
    {"id": 7, "frame": ["...", ...], "data": {...}}      a whole screen, in place of the one before
    {"id": 7, "words": ["test"]}             the words that were asked for
    {"id": 7, "ask": "pin", "words": "PIN"}  something is missing: send the command again with this field
    {"id": 7, "end": "done", "who": "42 Ann (floor)"}    or "refused" with "code" and "why", or "stopped"

One command at a time: while it goes on only its ``stop`` is heard. A line that makes no sense is answered
with ``{"id": 0, "refused": "..."}``; after the third the console is dropped.
"""

import json
from dataclasses import dataclass, fields
from typing import cast

VERSION = 1
LONGEST_LINE = 4096
MOST_WORDS = 16
LONGEST_WORD = 200


@dataclass(frozen=True, slots=True, repr=False)
class Request:
    """A request of a console; it may have a PIN in it, so it is never shown."""

    id: int
    do: tuple[str, ...] = ()
    complete: tuple[str, ...] = ()
    stop: bool = False
    why: str = ""
    pin: str = ""
    second: str = ""
    second_pin: str = ""
    new_pin: str = ""

    def __repr__(self) -> str:
        return f"Request({self.id})"


_FIELDS = {field.name: field.type for field in fields(Request)}


def read_request(line: bytes) -> Request | None:
    """Return a request, None where the line makes no sense."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    # By type, for a bool is an int too: true is no number of a command.
    if not isinstance(found, dict) or type(found.get("id")) is not int or found.keys() - _FIELDS.keys():
        return None
    read = {name: _value(name, value) for name, value in found.items()}
    if None in read.values() or sum(bool(read.get(kind)) for kind in ("do", "complete", "stop")) != 1:
        return None
    return Request(**cast("dict[str, int]", read))  # type: ignore[arg-type]


def _value(name: str, value: object) -> object:
    """Return a field as it is to be kept, None where it is not right."""
    if name in ("do", "complete"):
        return _words(value)
    if name in ("id", "stop"):
        return value if type(value) is (int if name == "id" else bool) else None
    return value if _is_word(value) else None


def _words(value: object) -> tuple[str, ...] | None:
    is_good = isinstance(value, list) and len(value) <= MOST_WORDS and all(map(_is_word, value))
    return tuple(cast("list[str]", value)) if is_good else None


def _is_word(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST_WORD and (value.isprintable() or not value)


def line_of(**said: object) -> bytes:
    """Return an answer of the program as a line."""
    return (
        json.dumps(said, separators=(",", ":"), ensure_ascii=False, default=str).encode("utf-8", "replace")
        + b"\n"
    )
