"""A technician's words: frames described, orders composed."""

import json

import pytest

from sabot.drivers.pads import CONVENTION
from sabot.drivers.pads import messages as m

from . import make_vectors

VECTORS = json.loads(make_vectors.JSON_FILE.read_text(encoding="utf-8"))


def described(data: bytes) -> list[str]:
    return [CONVENTION.describe(each, False) for each in CONVENTION.codec({}).receive(data)]


def test_each_frame_of_the_page_has_its_words() -> None:
    words = [line for row in VECTORS["plain"] for line in described(bytes.fromhex(row["frame"]))]

    assert words[0].startswith("5ab0ad01 ack 0 Hello lowest=1 highest=1 wants=0 nonce=000102")
    assert words[2] == "5ab0ad01 #1 ack 0 Order locked=0x7 expected=0x0 lit=0x0 seats=00000000 seen=0"
    assert words[11].endswith("selflocks=0 flags=0 0:covered=2500 1:empty 2:covered_late=500")
    assert len(words) == len(VECTORS["plain"])


def test_words_become_the_frame_that_they_name() -> None:
    (order,) = CONVENTION.codec({}).receive(
        CONVENTION.compose("order session=7 sequence=3 locked=0xff lit=1 seats=01230000")
    )
    assert order.message == m.PadOrder(
        0xFF, 0, 1, (m.Lamp.OFF, m.Lamp.ON, m.Lamp.SLOW, m.Lamp.FAST, *m.DARK[4:]), 0
    )
    assert (order.session, order.sequence) == (7, 3)
    assert described(CONVENTION.compose("prove session=7")) == ["00000007 ack 0 Prove"]
    assert "Hello" in described(CONVENTION.compose("hello session=7"))[0]
    (hello,) = CONVENTION.codec({}).receive(CONVENTION.compose("hello session=7"))
    assert hello.message == m.PadHello(1, 1, 0, bytes(32), bytes(32))


@pytest.mark.parametrize(
    "words", ["", "unlock", "order colour=red", "order seats=1", "order seats=00000009", "order locked=many"]
)
def test_words_that_mean_nothing_are_an_error(words: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        CONVENTION.compose(words)
