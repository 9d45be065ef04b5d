"""An order on its way from person to person: a file with its body and the signatures that it has so far.

It is drawn by one, read and signed by each in turn, wherever their keys are, and handed to the floor. What
is signed is the body, so a file that was changed on the way has no signature any more.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sabot.floor import orders, wire
from sabot.floor.entry import read_signatures, signed_by
from sabot.floor.errors import FloorError
from sabot.floor.orders import Signature

OUTSIDE = "@"  # before a value: it is the content of the file of that name
# A line of an order with the longest configuration, quoted, has far less.
LONGEST = 1 << 20


class OrderFile(NamedTuple):
    """An order, and who has signed it."""

    body: bytes
    signatures: Sequence[Signature] = ()

    @property
    def fields(self) -> dict[str, Any]:
        """Return the fields of the order."""
        return orders.read(self.body)

    def text(self) -> str:
        """Return the content of the file."""
        said = {"order": self.body.decode(), "signatures": signed_by(self.signatures).split()}
        return json.dumps(said, indent=1, ensure_ascii=False) + "\n"

    def signed(self, signature: Signature) -> "OrderFile":
        """Return the order with one more signature; an earlier one of the same person is replaced."""
        others = [each for each in self.signatures if each.person != signature.person]
        return self._replace(signatures=[*others, signature])


def parse(text: str, place: str) -> OrderFile:
    """Return the order that a text holds; raise FloorError where it is none."""
    try:
        said = json.loads(text)
        found = OrderFile(said["order"].encode(), read_signatures(" ".join(said["signatures"])))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise FloorError("E-FLOOR-020", place, why="it is no file of an order") from error
    orders.read(found.body)
    return found


def read(path: Path) -> OrderFile:
    """Return the order of a file; raise FloorError where it cannot be read or is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FloorError("E-FLOOR-020", str(path), why=error) from error
    return parse(text, str(path))


def write(path: Path, order: OrderFile) -> None:
    """Write the file of an order."""
    try:
        path.write_text(order.text(), encoding="utf-8")
    except OSError as error:
        raise FloorError("E-FLOOR-020", str(path), why=error.strerror or error) from error


def drawn(kind: str, number: int, words: Sequence[str]) -> OrderFile:
    """Return an order out of words such as ``table=T1``; a value after @ is the content of that file."""
    values: dict[str, object] = {"order": number}
    for word in words:
        name, is_there, text = word.partition("=")
        if not is_there:
            raise FloorError("E-FLOOR-020", kind, why=f"{word!r} is no name=value")
        if name in values:
            raise FloorError("E-FLOOR-020", kind, why=f"{name} is there twice, or is not for you to say")
        values[name] = _value(kind, name, text)
    return OrderFile(orders.order(kind, **values))


def _value(kind: str, name: str, text: str) -> object:
    """Return a value as it stands where the field takes that, else as the JSON that it is."""
    if text.startswith(OUTSIDE):
        text = _content(Path(text[1:]))
    check = orders.KINDS[kind].get(name)
    if check is None:
        known = " ".join(orders.KINDS[kind])
        raise FloorError("E-FLOOR-020", kind, why=f"it has no {name}; its fields are {known}")
    # The text first: a name of digits alone stays a text where the field wants one.
    if check(text):
        return text
    try:
        return json.loads(text)
    except ValueError as error:
        raise wire.malformed(kind, f"{name} is {text!r}") from error


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FloorError("E-FLOOR-020", str(path), why=error) from error
