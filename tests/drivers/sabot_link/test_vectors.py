"""The known answers hold on both sides, in the page and in the file."""

import json
import re
import zlib
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.drivers import enrolment
from sabot.drivers.sabot_link import messages
from sabot.drivers.sabot_link.codec import SabotLinkCodec, seal
from sabot.drivers.sabot_link.cycle_proof import digest_of
from sabot.drivers.sabot_link.fields import Counted, Number
from sabot.drivers.sabot_link.frame import cobs, uncobs
from sabot.drivers.sabot_link.session import PROOF
from sabot.drivers.sabot_link.words import card_of
from sabot.hil.simulators.sabot_link import wire

from .link_vectors import JSON_FILE, PAGE, ROOT, json_text, page_with, vectors

VECTORS: dict[str, Any] = json.loads(JSON_FILE.read_text())
LINES = [line for exchange in VECTORS["exchanges"] for line in exchange["lines"]] + VECTORS["frames"]
NAMES = [f"{at}-{line['message']}" for at, line in enumerate(LINES)]


def small_cobs(data: bytes) -> bytes:
    out = b""
    for piece in data.split(b"\0"):
        out += bytes([len(piece) + 1]) + piece
    return out


def test_the_file_and_the_page_are_what_the_third_hand_computes() -> None:
    assert JSON_FILE.read_text() == json_text(vectors())
    page = PAGE.read_text()
    assert page == page_with(vectors(), page)


def test_the_file_beside_the_page_is_the_file_of_the_tests() -> None:
    assert (ROOT / "docs/sabot-link-vectors.json").resolve() == JSON_FILE.resolve()


def test_every_frame_of_the_file_stands_in_the_page_in_hex() -> None:
    in_page = set(re.findall(r"^   ([0-9a-f]+)$", PAGE.read_text(), re.MULTILINE))
    assert in_page == {line["wire"] for line in [*LINES, *VECTORS["bad"]]}


def test_every_message_has_a_frame() -> None:
    assert {line["message"] for line in LINES} == set(wire.LINK)


@pytest.mark.parametrize("row", VECTORS["crc32"], ids=lambda row: row["ascii"])
def test_crc(row: dict[str, str]) -> None:
    data = row["ascii"].encode()
    assert f"{zlib.crc32(data):08x}" == f"{wire.crc32(data):08x}" == row["crc"]


def test_crc_check_value_of_the_page() -> None:
    assert wire.crc32(b"123456789") == 0xCBF43926
    assert "`123456789` give CBF43926" in PAGE.read_text()


@pytest.mark.parametrize("row", VECTORS["cobs"], ids=lambda row: row["plain"][:12])
def test_cobs_on_both_sides(row: dict[str, str]) -> None:
    plain, coded = bytes.fromhex(row["plain"]), bytes.fromhex(row["coded"])
    assert cobs(plain) == wire.stuff(plain) == small_cobs(plain) == coded
    assert uncobs(coded) == wire.unstuff(coded) == plain


@pytest.mark.parametrize("line", LINES, ids=NAMES)
def test_driver_reads_and_writes_each_frame(line: dict[str, Any]) -> None:
    codec, data = SabotLinkCodec(), bytes.fromhex(line["wire"])
    (frame,) = codec.receive(data)
    assert (frame.session, frame.sequence, frame.ack) == (line["session"], line["sequence"], line["ack"])
    assert (frame.signed.hex(), frame.mac.hex()) == (line["body"], line["mac"])
    assert type(frame.message) is messages.TYPES[wire.MESSAGES[line["message"]][0]]
    values = [value.hex() if isinstance(value, bytes) else value for value in _values(frame.message)]
    assert values == list(line["fields"].values())
    assert codec.encode(frame) == data


def _values(message: messages.Message) -> list[Any]:
    return [getattr(message, name) for name in messages.LAYOUTS[message.code].names]


@pytest.mark.parametrize("line", LINES, ids=NAMES)
def test_simulator_reads_and_writes_each_frame(line: dict[str, Any]) -> None:
    (heard,) = wire.Receiver().feed(bytes.fromhex(line["wire"]))
    assert (heard.name, heard.session, heard.sequence, heard.ack) == (
        line["message"],
        line["session"],
        line["sequence"],
        line["ack"],
    )
    assert {
        name: value.hex() if isinstance(value, bytes) else value for name, value in heard.items()
    } == line["fields"]
    head = wire.head_of(
        heard.name, heard.session, heard.sequence, heard.ack, dict(heard), maced=bool(heard.mac)
    )
    assert head.hex() == line["body"]
    assert wire.frame_of(head + heard.mac).hex() == line["wire"]


@pytest.mark.parametrize("row", VECTORS["bad"], ids=lambda row: row["name"])
def test_what_is_bad_is_thrown_away_on_both_sides(row: dict[str, str]) -> None:
    data, good = bytes.fromhex(row["wire"]), bytes.fromhex(LINES[2]["wire"])
    codec, receiver = SabotLinkCodec(), wire.Receiver()
    assert (codec.receive(data), receiver.feed(data)) == ([], [])
    assert len(codec.receive(good)) == len(receiver.feed(good)) == 1
    statistics = codec.statistics
    assert statistics.crc_errors + statistics.refused + statistics.resyncs == 1


def known(name: str) -> bytes:
    return bytes.fromhex(VECTORS["authentication"][name])


def test_authentication() -> None:
    lines = VECTORS["exchanges"][-1]["lines"]
    transcript = PROOF.transcript_of(bytes.fromhex(lines[0]["body"]), bytes.fromhex(lines[1]["body"]))
    assert transcript == known("transcript")
    assert enrolment.public_of(known("host_x25519_private")) == known("host_x25519_public")
    assert PROOF.is_proved(known("device_ed25519_public"), known("signature"), transcript)
    keys = PROOF.agree(known("host_x25519_private"), known("device_x25519_public"), transcript)
    assert keys == (known("key_to_device"), known("key_to_host"))
    assert enrolment.fingerprint(known("device_ed25519_public")) == VECTORS["authentication"]["fingerprint"]
    signer = Ed25519PrivateKey.from_private_bytes(known("device_ed25519_private"))
    assert signer.sign(b"sabot-link/1 proof" + transcript) == known("signature")


@pytest.mark.parametrize("line", [line for line in LINES if line["mac"]], ids=lambda line: line["message"])
def test_mac(line: dict[str, Any]) -> None:
    keys = [known("key_to_device"), known("key_to_host")]
    key, other = keys if line["from"] == "host" else keys[::-1]
    (frame,) = SabotLinkCodec().receive(bytes.fromhex(line["wire"]))
    assert enrolment.is_of(key, frame.signed, frame.mac)
    assert seal(frame, lambda signed: enrolment.mac(key, signed)).hex() == line["wire"]
    assert not enrolment.is_of(other, frame.signed, frame.mac)


@pytest.mark.parametrize("row", VECTORS["digest"], ids=lambda row: row["name"])
def test_digest(row: dict[str, Any]) -> None:
    assert digest_of([card_of(rank, suit) for rank, suit in row["cards"]]).hex() == row["digest"]


def test_digest_has_no_order_in_it() -> None:
    assert digest_of([1, 2, 3, None]) == digest_of([3, None, 1, 2])
    assert digest_of([1, 2, 3]) != digest_of([1, 2, 2])


# ---------------------------------------------------------------- the page's tables


def page_layouts() -> dict[str, tuple[int, list[tuple[str, str, str]]]]:
    """Code, and (at, bytes, name) of each field, of each message as the page prints them."""
    found = {}
    for part in PAGE.read_text().split("\n#### ")[1:]:
        code, name, *_ = part.split()
        rows = re.findall(r"^\| (\d+|-) \| (\S+) \| `(\w+)` \|", part.split("\n#")[0], re.MULTILINE)
        found[name] = (int(code, 16), rows)
    return found


@pytest.mark.parametrize("name", list(wire.LINK))
def test_the_pages_table_is_the_drivers_and_the_simulators(name: str) -> None:
    code, rows = page_layouts()[name]
    assert wire.MESSAGES[name][0] == code
    assert [field for field, _ in wire.MESSAGES[name][1]] == [field for _, _, field in rows]
    at = 0
    for (offset, size, _), kind in zip(rows, _kinds(messages.TYPES[code]), strict=True):
        assert offset in (str(at), "-")
        width = (
            0
            if isinstance(kind, Counted)
            else {"B": 1, "H": 2, "I": 4}[kind.code]
            if isinstance(kind, Number)
            else kind.size
        )
        assert size == (str(width) if width else "1+n")
        at += width


def _kinds(message: type[messages.Message]) -> list[Any]:
    from typing import get_type_hints  # noqa: PLC0415

    hints = get_type_hints(message, include_extras=True)
    return [hints[name].__metadata__[0] for name in messages.LAYOUTS[message.code].names]


def test_the_page_knows_no_other_message() -> None:
    assert set(page_layouts()) == set(wire.LINK)
