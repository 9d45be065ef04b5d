"""The simulated shoe against the page: its bytes are the known ones, and it takes the known commands."""

import asyncio
from typing import Any

import pytest

from sabot.hil.simulators.angel_eye import AngelEyeShoe
from sabot.hil.simulators.angel_eye_wire import report
from tests.drivers.waiting import until
from tests.drivers.wired_host import vectors

KNOWN = vectors("angel-eye")


class Wire:
    """What the shoe sends."""

    def __init__(self, shoe: AngelEyeShoe) -> None:
        self.data = b""
        shoe.attached(self.take)

    def take(self, data: bytes) -> None:
        self.data += data


@pytest.mark.parametrize("row", KNOWN["reports"], ids=[row["name"] for row in KNOWN["reports"]])
def test_reports_of_the_page(row: dict[str, Any]) -> None:
    told = report(row["sequence"], row["kind"].encode(), bytes.fromhex(row["data"]))
    assert told == bytes.fromhex(row["bytes"])


@pytest.mark.parametrize("row", KNOWN["commands"], ids=[row["name"] for row in KNOWN["commands"]])
def test_commands_of_the_page(row: dict[str, Any]) -> None:
    shoe = AngelEyeShoe(bcc_with_stx=row.get("bcc_with_stx", True))
    wire = Wire(shoe)
    for byte in bytes.fromhex(row["bytes"]):
        shoe.received(bytes([byte]))
    assert [(order.kind, order.argument) for order in shoe.orders] == [(row["kind"], row["argument"])]
    assert wire.data.startswith(b"\x06")


def test_a_damaged_command_is_refused_and_an_unknown_one_too() -> None:
    shoe = AngelEyeShoe()
    wire = Wire(shoe)
    shoe.received(bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 43"))
    assert wire.data == b"\x15\x02"
    shoe.received(b"\x02OPLK0203")  # no ETX where it must be
    shoe.received(b"\x02OPXX00\x031E")
    assert wire.data == b"\x15\x02\x15\x06"
    assert not shoe.is_locked


def test_a_card_drawn_from_a_locked_shoe_is_outside_play() -> None:
    shoe = AngelEyeShoe()
    wire = Wire(shoe)
    shoe.received(bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42"))
    assert wire.data == b"\x06" + report(0, b"L", b"\x02")
    shoe.draw("As")
    assert wire.data.endswith(report(1, b"d", b"\x11\x31"))


def test_it_deals_a_game_of_its_own() -> None:
    shoe = AngelEyeShoe(game=True)
    wire = Wire(shoe)
    for card in ("As", "2s", "3s", "4s", "5s", "6s", "7s"):
        shoe.draw(card)
    assert report(6, b"G", b"\x01") in wire.data
    assert wire.data.endswith(report(8, b"E", b"\x02"))


def test_at_4800_baud_a_report_takes_its_time() -> None:
    async def work() -> None:
        shoe = AngelEyeShoe(baud=4800)
        wire = Wire(shoe)
        began = asyncio.get_running_loop().time()
        shoe.draw("As")
        shoe.draw("Kd")
        assert wire.data == b""
        await until(lambda: len(wire.data) == 16)
        assert asyncio.get_running_loop().time() - began >= 2 * 8 * 10 / 4800
        shoe.draw("As")
        shoe.detached()
        assert shoe._timer is None

    asyncio.run(work())


def test_every_word_of_a_technician_does_something() -> None:
    shoe = AngelEyeShoe()
    wire = Wire(shoe)
    with pytest.raises(ValueError, match="no card was drawn"):
        shoe.again()
    typed = {"draw": "As Kd", "lose": "2c", "error": "41", "reboot": "3c", "noise": "FF 00", "refuse": "8"}
    said = (
        "draw",
        "unread",
        "faceup",
        "again",
        "error",
        "cut",
        "game",
        "setting",
        "start",
        "reboot",
        "noise",
    )
    for word, (help_words, act) in shoe.actions().items():
        before, state = wire.data, repr(vars(shoe))
        act(typed.get(word, "2" if word == "copies" else "on"))
        assert (wire.data != before) == (word in said), word
        assert repr(vars(shoe)) != state or wire.data != before, word
        assert help_words.startswith(word)
    with pytest.raises(ValueError, match="is not a card"):
        shoe.actions()["draw"][1]("1x")
