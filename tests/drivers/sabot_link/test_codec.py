"""Bytes to messages and back; noise, lost places, bounds."""

import random
from collections.abc import Container
from typing import Any, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.sabot_link import account_messages as a
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.codec import Frame, SabotLinkCodec, head, seal
from sabot.drivers.sabot_link.fields import Counted, Number, Raw
from sabot.drivers.sabot_link.frame import BUFFER_MOST, LONGEST, cobs, disclose, enclose, uncobs
from sabot.drivers.sabot_link.messages import (
    LAYOUTS,
    TYPES,
    CardRead,
    HoldCards,
    Malformed,
    Message,
    Ping,
    Shuffle,
    StackOut,
    Unknown,
    read,
    write,
)
from sabot.hil.simulators.sabot_link import wire

from .link_campaign import Count, block

WIDTHS = {"B": 255, "H": 65535, "I": 2**32 - 1, "Q": 2**64 - 1}


def _listed(values: Container[int]) -> list[int]:
    return [value for value in range(256) if value in values]


def values_of(kind: Any) -> st.SearchStrategy[Any]:
    if isinstance(kind, Number):
        return (
            st.sampled_from(_listed(kind.listed))
            if kind.listed is not None
            else st.integers(0, WIDTHS[kind.code])
        )
    if isinstance(kind, Raw):
        return st.binary(min_size=kind.size, max_size=kind.size)
    assert isinstance(kind, Counted)
    data = st.lists(st.sampled_from(_listed(kind.values)), max_size=kind.most)
    return data.map(lambda found: bytes(found).decode() if kind.is_text else bytes(found))


def messages() -> st.SearchStrategy[Message]:
    kinds = []
    for message in TYPES.values():
        hints = get_type_hints(message, include_extras=True)
        fields = [values_of(hints[name].__metadata__[0]) for name in LAYOUTS[message.code].names]
        kinds.append(st.builds(message, *fields))
    return st.one_of(kinds)


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    message = draw(messages())
    number = st.integers(1, 2**32 - 1)
    sequence = draw(number) if message.code >= 0x10 else 0
    return Frame(
        message,
        draw(number),
        sequence,
        draw(number),
        draw(st.sampled_from([b"", bytes(16), bytes(range(16))])),
    )


@given(frames())
def test_what_is_written_is_read(frame: Frame) -> None:
    assert SabotLinkCodec().receive(SabotLinkCodec().encode(frame)) == [frame]


@given(frames())
def test_the_simulator_reads_what_the_driver_writes_and_the_other_way_around(frame: Frame) -> None:
    data = SabotLinkCodec().encode(frame)
    (heard,) = wire.Receiver().feed(data)
    assert list(heard.values()) == [
        getattr(frame.message, name) for name in LAYOUTS[frame.message.code].names
    ]
    body = wire.head_of(heard.name, heard.session, heard.sequence, heard.ack, heard, maced=bool(heard.mac))
    assert wire.frame_of(body + heard.mac) == data


@given(st.lists(frames(), max_size=4), st.binary(max_size=900), st.integers(1, 40))
def test_the_first_frame_after_noise_is_read(sent: list[Frame], noise: bytes, size: int) -> None:
    codec = SabotLinkCodec()
    data = noise + b"\0" + b"".join(SabotLinkCodec().encode(frame) for frame in sent)
    got = [frame for at in range(0, len(data), size) for frame in codec.receive(data[at : at + size])]
    assert got[len(got) - len(sent) :] == sent
    assert codec.statistics.buffer_high_water <= BUFFER_MOST


@given(st.binary(max_size=600))
def test_cobs_there_and_back(data: bytes) -> None:
    short = data[:253]
    assert 0 not in cobs(short)
    assert uncobs(cobs(short)) == short


@given(st.binary(max_size=300))
def test_no_bytes_raise(data: bytes) -> None:
    clean = data.replace(b"\0", b"")
    assert uncobs(clean) == wire.unstuff(clean) or not clean
    assert disclose(clean) is None or len(clean) > 20
    for code in LAYOUTS:
        message = read(code, data)
        assert isinstance(message, Malformed) or write(message) == (code, data)


def test_memory_is_bounded_and_one_zero_ends_the_flood() -> None:
    codec = SabotLinkCodec()
    for _ in range(1000):
        assert codec.receive(b"\x11" * 100) == []
    ping = Frame(Ping(1), 7)
    assert codec.receive(b"\0" + seal(ping, None)) == [ping]
    assert (codec.statistics.resyncs, codec.statistics.buffer_high_water) == (1, 200)


def test_zeros_between_frames_are_nothing() -> None:
    codec = SabotLinkCodec()
    assert codec.receive(bytes(500)) == []
    assert (codec.statistics.crc_errors, codec.statistics.resyncs) == (0, 0)


@pytest.mark.parametrize("at", range(24))
def test_a_frame_begun_again_in_the_middle(at: int) -> None:
    data = seal(Frame(Shuffle(65), 7, 1), None)
    codec = SabotLinkCodec()
    codec.receive(data[:at] + b"\0" + data)
    assert codec.statistics.frames_in == (2 if at >= len(data) - 1 else 1)


def header(**changed: int) -> bytes:
    """A HOLD with some bytes of its header changed."""
    body = bytearray(head(Frame(HoldCards(), 7, 3), is_signed=False))
    for at, value in changed.items():
        body[int(at[1:])] = value
    return bytes(body)


@pytest.mark.parametrize(
    "changed", [{"b0": 2}, {"b2": 0x05}, {"b3": 201}, {"b3": 1}, {"b2": 0}, {"b2": 3}, {"b11": 0}, {"b1": 7}]
)
def test_a_header_that_is_not_of_version_1_is_refused(changed: dict[str, int]) -> None:
    codec = SabotLinkCodec()
    assert codec.receive(enclose(header(**changed))) == []
    assert codec.statistics.refused == 1
    assert len(codec.receive(enclose(header()))) == 1


def test_longest_frame_fits() -> None:
    body = bytes([1, 0x77, 3, 200]) + bytes(7) + b"\x01" + bytes(4) + bytes(200) + bytes(16)
    assert len(body) + 4 == LONGEST
    (frame,) = SabotLinkCodec().receive(enclose(body))
    assert frame.message == Unknown(0x77, bytes(200))
    assert disclose(cobs(body + bytes(5))) is None


@pytest.mark.parametrize(
    ("code", "payload"),
    [
        (0x11, b""),
        (0x11, b"A!"),
        (0x11, b"a"),
        (0x24, bytes(14)),
        (0x24, bytes(14) + b"\x01"),
        (0x24, bytes(14) + b"\x01\x34"),
        (0x24, bytes(14) + b"\x00\x00"),
        (0x24, bytes(14) + b"\x35" + bytes(53)),
        (0x12, bytes(4) + b"[\x01"),
    ],
)  # fmt: skip
def test_what_the_page_does_not_list_is_malformed(code: int, payload: bytes) -> None:
    message = read(code, payload)
    assert type(message) is Malformed
    assert write(message) == (code, payload)


@pytest.mark.parametrize(("fault", "holds"), [(0, False), (1, True), (3, False), (4, True), (77, True)])
def test_a_fault_of_its_own_holds_the_table_unless_the_table_knows_it(fault: int, holds: bool) -> None:
    assert words.is_device_fault(fault) is holds


def test_no_repr_names_a_card() -> None:
    queen = CardRead(1, 2, 3, 12, 2, 1, 1, 99)
    stack = StackOut(1, 2, 3, 65, 2, b"\x2a\x2b")
    for message in (
        queen,
        stack,
        Unknown(0x70, b"\x2a\x2b"),
        Malformed(0x24, b"\x2a\x2b"),
        Frame(stack, 1, 1, signed=b"\x2a\x2b"),
    ):
        assert not any(word in repr(message) for word in ("12", "rank", "\\x2a", "*+", "42", "43"))


def test_no_wrong_card_in_damaged_frames() -> None:
    count = Count(done=random.Random(4).randrange(2**20))
    start = count.done
    block(count, 20_000)
    assert count.wrong == 0
    assert count.refused + count.unhurt + count.other == count.done - start == 20_000
    assert count.refused > 19_000


def test_the_longest_body_is_a_whole_frame_and_one_byte_more_is_none() -> None:
    for length in (16, 16 + 200 + 16):
        body = bytes(range(1, 200))[:16].ljust(length, b"x")
        assert disclose(enclose(body)[:-1]) == body
    assert disclose(enclose(b"x" * 15)[:-1]) is None
    assert disclose(enclose(b"x" * (16 + 200 + 17))[:-1]) is None


@pytest.mark.parametrize(
    ("kind", "given", "most"), [(a.AnswerWager, (1, 1, 1, 500, 0), 40), (a.Credit, (1, 7, 1, 1, 1, 500), 60)]
)
def test_a_text_of_an_account_message_is_as_long_as_the_page_says(
    kind: Any, given: tuple[int, ...], most: int
) -> None:
    for length, is_good in ((most, True), (most + 1, False)):
        code, payload = write(kind(*given, "x" * length))
        assert isinstance(read(code, payload), kind) is is_good
