"""The vocabulary of the link, byte for byte: known answers, and what is no message."""

import hashlib
import json
from typing import Any

import pytest

from sabot.desk.evidence.check_journal import signature_holds
from sabot.floor import messages, orders, wire
from sabot.floor.entry import FloorEntry, follows, read_signatures
from sabot.floor.errors import FloorError
from sabot.floor.wire import hex_of

from .link_vectors import FILE, page
from .making import DAWN, key, linked

KNOWN: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))


def public(name: str) -> bytes:
    return bytes.fromhex(KNOWN["keys"][name]["public"])


def signed(name: str, purpose: str, body: str, signature: str) -> bool:
    """Whether another program's Ed25519 finds the signature good."""
    return signature_holds(
        public(name), (KNOWN["purposes"][purpose] + body).encode(), bytes.fromhex(signature)
    )


def test_prog_12_the_known_answers_are_those_of_the_program() -> None:
    assert FILE.read_text(encoding="utf-8") == page(), "python -m tests.floor.link_vectors"


@pytest.mark.parametrize("each", KNOWN["up"], ids=lambda each: json.loads(each["body"])["kind"])
def test_prog_12_a_message_of_a_table_is_signed_and_understood(each: dict[str, str]) -> None:
    message = messages.read_up(each["body"].encode())

    assert signed(message["table"], "from_table", each["body"], each["signature"])
    assert not signed(message["table"], "from_floor", each["body"], each["signature"])
    kind = message.pop("kind")
    del message["v"]
    assert messages.up(key(message["table"]), kind, **message) == (
        bytes.fromhex(each["signature"]) + each["body"].encode()
    )


@pytest.mark.parametrize("each", KNOWN["down"], ids=lambda each: json.loads(each["body"])["kind"])
def test_prog_12_a_message_of_the_floor_is_signed_and_understood(each: dict[str, str]) -> None:
    raw = bytes.fromhex(each["signature"]) + each["body"].encode()

    assert signed("floor", "from_floor", each["body"], each["signature"])
    assert messages.read_down(raw, public("floor").hex())["kind"] in messages.DOWN
    with pytest.raises(FloorError, match="the floor's key did not sign it"):
        messages.read_down(raw, public("T1").hex())


def test_prog_12_every_kind_of_message_has_its_known_answer() -> None:
    assert {json.loads(each["body"])["kind"] for each in KNOWN["up"]} == set(messages.UP)
    assert {json.loads(each["body"])["kind"] for each in KNOWN["down"]} == set(messages.DOWN)


@pytest.mark.parametrize("each", KNOWN["not_applied"], ids=lambda each: each["what"])
def test_prog_6_what_is_not_applied_is_known_by_its_verdict(each: dict[str, str]) -> None:
    floor, (one, _) = linked("T1", "T2")
    floor.take(one.bets(1, 1))

    assert floor.take(bytes.fromhex(each["payload"])).verdict == each["verdict"]


def test_prog_12_the_ledger_can_be_chained_by_anybody() -> None:
    link = "00" * 32
    for each in KNOWN["ledger"]:
        text = "\n".join([link, *(str(value) for name, value in each.items() if name != "link")])
        link = hashlib.sha256(text.encode()).hexdigest()
        assert link == each["link"]
        _verify_signatures(each)
    head = KNOWN["head"]
    assert signed("floor", "head", f"{head['number']}\n{link}", head["signature"])
    sums: dict[str, int] = {}
    for each in KNOWN["ledger"]:
        for source, target, units, _, _ in json.loads(each["outcome"])["moved"]:
            sums[source] = sums.get(source, 0) - units
            sums[target] = sums.get(target, 0) + units
    assert {name: units for name, units in sorted(sums.items()) if units} == KNOWN["balances"]


def _verify_signatures(each: dict[str, Any]) -> None:
    if each["table"]:
        assert signed(each["table"], "from_table", each["content"], each["signatures"])
    else:
        people = read_signatures(each["signatures"])
        assert [person.person for person in people] == ["11", "12"]
        assert all(signed(person.person, "order", each["content"], person.signature) for person in people)


def test_prog_12_an_entry_is_held_by_each_of_its_fields() -> None:
    first, second = (
        FloorEntry(**{**each, "link": bytes.fromhex(each["link"])}) for each in KNOWN["ledger"][:2]
    )
    assert follows(first.link, second)
    changed: dict[str, Any] = {
        "number": 3, "at": "2026-11-20T06:00:01Z", "kind": "x", "table": "T7", "message": 1, "content": "{}",
        "signatures": "", "outcome": "{}", "link": bytes(32),
    }  # fmt: skip
    for name, value in changed.items():
        assert not follows(first.link, second._replace(**{name: value})), name
    assert not follows(bytes(32), second)


# ---------------------------------------------------------------- what is no message

GOOD: dict[str, Any] = {
    "table": "T1", "number": 1, "heard": 0, "at": DAWN, "journal": "ab" * 32, "link": "pit", "round": 1,
    "config": 1, "spots": [[1, "prog5", 100]],
}  # fmt: skip


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("table", ""), ("table", "T" * 21), ("table", 1), ("table", "T\n1"), ("number", 0), ("number", True),
        ("number", 2**53), ("number", 1.0), ("heard", -1), ("at", "2026-11-20 06:00:00Z"), ("at", "2026-11-20T06:00:00"),
        ("journal", "AB" * 32), ("journal", "ab" * 31), ("link", None), ("round", 0), ("config", 0), ("spots", []),
        ("spots", [[1, "prog5"]]), ("spots", [[0, "prog5", 100]]), ("spots", [[100, "prog5", 100]]),
        ("spots", [[1, "Prog5", 100]]), ("spots", [[1, "prog5", 0]]), ("spots", [[1, "prog5", 100]] * 501),
    ],
)  # fmt: skip
def test_prog_12_a_field_out_of_its_bounds_is_no_message(field: str, value: object) -> None:
    with pytest.raises(FloorError, match=f"contribution: {field} is"):
        messages.up(key("T1"), messages.CONTRIBUTION, **{**GOOD, field: value})


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body[:-1],
        lambda body: body + b" ",
        lambda body: body.replace(b'"v":1', b'"v":2'),
        lambda body: body.replace(b"contribution", b"gift"),
        lambda body: body.replace(b'"heard":0', b'"heard":0,"heard":0'),
        lambda body: body.replace(b'"heard":0', b'"Heard":0'),
        lambda body: body.replace(b'"T1","number":1', b'"T1"').replace(b"]]}", b']],"number":1}'),
        lambda body: body.replace(b"T1", b"\\u00541"),
        lambda _body: b"[]",
        lambda _body: b"\xff",
        lambda _body: b"[" * 50_000,
    ],
)
def test_prog_12_a_body_has_one_form_only(change: Any) -> None:
    body = wire.body_of(messages.CONTRIBUTION, GOOD)
    assert messages.read_up(body)["spots"] == [[1, "prog5", 100]]

    with pytest.raises(FloorError, match="E-FLOOR-005"):
        messages.read_up(change(body))


def test_prog_12_a_message_with_a_field_too_many_is_not_made() -> None:
    with pytest.raises(FloorError, match="its fields are"):
        messages.up(key("T1"), messages.HEARTBEAT, table="T1", number=0, heard=0, at=DAWN, more=1)


def test_prog_12_orders_and_messages_are_not_each_other() -> None:
    body = orders.order(orders.STOP, order=1, cause="a jam", link="pit")

    assert orders.read(body)["link"] == "pit"
    with pytest.raises(FloorError, match="called 'stop'"):
        messages.read_up(body)
    with pytest.raises(FloorError, match="configuration: file is"):
        orders.order(orders.CONFIGURATION, order=1, cause="x", file="")


def test_prog_12_a_key_that_is_none_signs_nothing() -> None:
    assert not wire.is_signed("zz", wire.ORDER, b"", bytes(64))
    assert not wire.is_signed("ab" * 31, wire.ORDER, b"", bytes(64))
    assert wire.is_signed(hex_of(key("x")), wire.ORDER, b"y", key("x").sign(wire.ORDER + b"y"))
