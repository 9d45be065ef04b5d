"""The simulated sign against the page: what it keeps, drops, answers and shows."""

from typing import Any

import pytest

from sabot.hil.simulators.alpha import AlphaSign
from tests.drivers.wired_host import vectors

KNOWN = vectors("alpha")
BY_NAME = {row["name"]: bytes.fromhex(row["bytes"]) for row in KNOWN["packets"]}


def sign_with(*names: str) -> tuple[AlphaSign, list[bytes]]:
    sign = AlphaSign()
    out: list[bytes] = []
    sign.attached(out.append)
    for name in names:
        sign.received(BY_NAME[name])
    return sign, out


SET_UP = ("memory: text A and string a", "text A: MEGA, then string a, held", "string a: $12,345.67")


@pytest.mark.parametrize("row", KNOWN["packets"], ids=[row["name"] for row in KNOWN["packets"]])
def test_packets_of_the_page_are_taken(row: dict[str, Any]) -> None:
    sign = AlphaSign()
    for byte in bytes.fromhex(row["bytes"]):
        sign.received(bytes([byte]))
    assert (sign.taken, sign.dropped) == (1, 0)


@pytest.mark.parametrize("row", KNOWN["damaged"], ids=[row["name"] for row in KNOWN["damaged"]])
def test_damaged_packets_are_dropped_without_a_word(row: dict[str, Any]) -> None:
    sign, out = sign_with()
    sign.received(bytes.fromhex(row["bytes"]))
    assert (sign.taken, sign.dropped, out) == (0, 1, [])


def test_it_shows_an_amount_and_reads_it_out() -> None:
    sign, out = sign_with(*SET_UP, "read string a")
    assert sign.shown() == ["MEGA $12,345.67"]
    assert out == [bytes.fromhex(KNOWN["answers"][0]["bytes"])]


def test_a_string_does_not_blank_it_and_a_text_does() -> None:
    sign, _ = sign_with(*SET_UP)
    blanks = sign.blanks
    sign.received(BY_NAME["string a: $12,345.67"])
    assert sign.blanks == blanks
    sign.received(BY_NAME["text A: MEGA, then string a, held"])
    assert sign.blanks == blanks + 1


def test_without_memory_there_is_no_file() -> None:
    sign, out = sign_with("string a: $12,345.67", "text A: HELLO", "read string a")
    assert (sign.files, sign.shown(), out) == ({}, [], [])


def test_a_priority_text_is_shown_alone_until_it_is_taken_away() -> None:
    sign, _ = sign_with(*SET_UP, "priority: a hit")
    assert sign.shown() == ["SEAT 3 WINS $5,000.00"]
    sign.received(BY_NAME["no priority"])
    assert sign.shown() == ["MEGA $12,345.67"]


def test_a_locked_file_takes_nothing_from_a_remote_control() -> None:
    sign, _ = sign_with(*SET_UP)
    sign.remote("a", "$1.00")
    assert sign.shown() == ["MEGA $12,345.67"]
    sign.files["a"].is_locked = False
    sign.remote("a", "$1.00")
    assert sign.shown() == ["MEGA $1.00"]


def test_a_dumb_one_answers_nothing() -> None:
    sign, out = sign_with(*SET_UP)
    sign.is_dumb = True
    sign.received(BY_NAME["read string a"])
    assert out == []


def test_every_word_of_a_technician_does_something(capsys: pytest.CaptureFixture[str]) -> None:
    sign, out = sign_with(*SET_UP)
    sign.files["a"].is_locked = False
    typed = {"remote": "a $1", "corrupt": "a $2", "stick": "a", "drop": "3", "mute": "on", "noise": "FF"}
    for word, (help_words, act) in sorted(sign.actions().items()):
        before = (repr(vars(sign)), len(out))
        act(typed.get(word, ""))
        assert (repr(vars(sign)), len(out)) != before or word in {"show", "free"}, word
        assert help_words.startswith(word)
        if word == "drop":
            sign.stuck.add("x")
    assert "MEGA" in capsys.readouterr().out
    with pytest.raises(ValueError, match="there is no file"):
        sign.actions()["corrupt"][1]("q x")
