"""The known answers of Sabot accounts hold on both sides, in the page and in the file."""

import json
import re
from typing import Any, get_type_hints

import pytest

from sabot.drivers.sabot_accounts.draws import seal_of
from sabot.drivers.sabot_link import messages
from sabot.drivers.sabot_link.codec import SabotLinkCodec
from sabot.drivers.sabot_link.fields import Counted, Number
from sabot.hil.simulators.sabot_accounts.draws import seal as simulators_seal
from sabot.hil.simulators.sabot_link import wire
from tests.drivers.sabot_link.link_vectors import ROOT, json_text

from .account_vectors import JSON_FILE, PAGE, page_with, vectors

VECTORS: dict[str, Any] = json.loads(JSON_FILE.read_text())
LINES = [line for exchange in VECTORS["exchanges"] for line in exchange["lines"]] + VECTORS["frames"]
NAMES = [f"{at}-{line['message']}" for at, line in enumerate(LINES)]
WIDTHS = {"B": 1, "H": 2, "I": 4, "Q": 8}


def test_the_file_and_the_page_are_what_the_third_hand_computes() -> None:
    assert JSON_FILE.read_text() == json_text(vectors())
    page = PAGE.read_text()
    assert page == page_with(vectors(), page)
    assert (ROOT / "docs/sabot-accounts-vectors.json").resolve() == JSON_FILE.resolve()


def test_every_message_has_a_frame() -> None:
    assert {line["message"] for line in LINES} >= set(wire.ACCOUNTS)


@pytest.mark.parametrize("line", LINES, ids=NAMES)
def test_driver_and_simulator_read_and_write_each_frame(line: dict[str, Any]) -> None:
    data = bytes.fromhex(line["wire"])
    codec = SabotLinkCodec()
    (frame,) = codec.receive(data)
    kind = messages.TYPES[wire.MESSAGES[line["message"]][0]]
    assert type(frame.message) is kind
    values = [getattr(frame.message, name) for name in messages.LAYOUTS[kind.code].names]
    assert [each.hex() if isinstance(each, bytes) else each for each in values] == list(
        line["fields"].values()
    )
    assert codec.encode(frame) == data
    (heard,) = wire.Receiver().feed(data)
    told = {name: value.hex() if isinstance(value, bytes) else value for name, value in heard.items()}
    assert told == line["fields"]
    head = wire.head_of(heard.name, heard.session, heard.sequence, heard.ack, dict(heard), maced=False)
    assert (head.hex(), wire.frame_of(head)) == (line["body"], data)


@pytest.mark.parametrize("row", VECTORS["seal"], ids=lambda row: str(row["draw"]))
def test_a_seal_on_both_sides(row: dict[str, Any]) -> None:
    given = row["draw"], row["round"], row["kind"], row["value"], bytes.fromhex(row["salt"])
    assert seal_of(*given).hex() == simulators_seal(*given).hex() == row["seal"]


# ---------------------------------------------------------------- the page's tables


def page_layouts() -> dict[str, tuple[int, list[tuple[str, str, str]]]]:
    """Code, and (at, bytes, name) of each field, of each message as the page prints them."""
    found = {}
    for part in PAGE.read_text().split("\n#### ")[1:]:
        code, name, *_ = part.split()
        rows = re.findall(r"^\| (\d+|-) \| (\S+) \| `(\w+)` \|", part.split("\n#")[0], re.MULTILINE)
        found[name] = (int(code, 16), rows)
    return found


def test_the_page_knows_these_messages_and_no_other() -> None:
    assert set(page_layouts()) == set(wire.ACCOUNTS)


@pytest.mark.parametrize("name", list(wire.ACCOUNTS))
def test_the_pages_table_is_the_drivers_and_the_simulators(name: str) -> None:
    code, rows = page_layouts()[name]
    kind, layout = messages.TYPES[code], messages.LAYOUTS[code]
    assert wire.MESSAGES[name][0] == code
    assert [field for field, _ in wire.MESSAGES[name][1]] == [field for _, _, field in rows]
    at, hints = 0, get_type_hints(kind, include_extras=True)
    for (offset, size, _), field in zip(rows, layout.names, strict=True):
        how = hints[field].__metadata__[0]
        width = 0 if isinstance(how, Counted) else WIDTHS[how.code] if isinstance(how, Number) else how.size
        assert offset in (str(at), "-")
        assert size == (str(width) if width else "1+n")
        at += width
