"""The codec of the sign: known answers, an independent implementation, round trip, noise."""

from typing import Any

import pytest
from alphasign import Packet as TheirPacket
from alphasign.commands import ReadString, ReadText, WriteString, WriteText
from alphasign.commands.special import ReadSpecialFunction, WriteSpecialFunction
from alphasign.commands.string_file import parse_read_string_response
from alphasign.protocol import DisplayMode, DisplayPosition, FileProtection, FileType, SpecialFunction
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.alpha import CONVENTION, files
from sabot.drivers.alpha.codec import ANSWER, PACKET_MOST, AlphaCodec, Packet
from sabot.drivers.alpha.files import describe, packet_of
from sabot.drivers.alpha.profile import AmountFormat, SignError, pages_of, profile_of, written
from tests.drivers.wired_host import vectors

KNOWN = vectors("alpha")
PAGES = pages_of("prog5.mega=MEGA, prog5.major=MAJOR", "sign")
HELLO = Packet("A", b"AHELLO")

plain = st.binary(max_size=60).map(lambda raw: bytes(byte for byte in raw if byte > 4))
packets = st.builds(
    Packet,
    st.sampled_from("ABEFGH"),
    plain,
    st.sampled_from("Z0!"),
    st.sampled_from(("00", "01", "FF")),
    st.booleans(),
).filter(lambda packet: packet.is_checked or b"\x03" not in packet.data)


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


@pytest.mark.parametrize("row", KNOWN["packets"], ids=ids(KNOWN["packets"]))
def test_packets_of_the_page(row: dict[str, Any]) -> None:
    data, packet = bytes.fromhex(row["bytes"]), Packet(row["command"], bytes.fromhex(row["data"]))
    assert AlphaCodec().encode(packet) == data
    assert AlphaCodec().receive(data) == [packet]


@pytest.mark.parametrize("row", KNOWN["answers"], ids=ids(KNOWN["answers"]))
def test_answers_of_the_page(row: dict[str, Any]) -> None:
    packet = Packet(row["command"], bytes.fromhex(row["data"]), ANSWER)
    codec = AlphaCodec()
    assert codec.receive(bytes.fromhex(row["bytes"])) == [packet]
    assert codec.statistics.resyncs == 0
    assert files.is_answer(files.ask_string("a"), packet)
    assert not files.is_answer(files.ask_string("b"), packet)
    assert not files.is_answer(Packet("B", b"a"), packet)


@pytest.mark.parametrize("row", KNOWN["damaged"], ids=ids(KNOWN["damaged"]))
def test_damaged_packets_are_dropped_and_the_next_good_one_is_read(row: dict[str, Any]) -> None:
    codec = AlphaCodec()
    assert codec.receive(bytes.fromhex(row["bytes"]) + AlphaCodec().encode(HELLO)) == [HELLO]


# ---------------------------------------------------------------- the independent implementation


def theirs(command: Any) -> bytes:
    """Their bytes, without the marks of a pause that are never sent."""
    return bytes(TheirPacket().add(command).to_bytes()).replace(b"\xff", b"")


HELD = {"position": DisplayPosition.MIDDLE_LINE, "mode": DisplayMode.HOLD}
MEMORY = [
    {"label": "A", "type": FileType.TEXT, "size": 0x40, "protection": FileProtection.LOCKED},
    {"label": "B", "type": FileType.TEXT, "size": 0x40, "protection": FileProtection.LOCKED},
    {"label": "a", "type": FileType.STRING, "size": 0x20, "protection": FileProtection.LOCKED},
    {"label": "b", "type": FileType.STRING, "size": 0x20, "protection": FileProtection.LOCKED},
]
BOTH_SAY = [
    ("hello", HELLO, None),
    ("memory", files.configure(PAGES), WriteSpecialFunction.configure_memory(MEMORY)),
    ("sequence", files.run(PAGES), WriteSpecialFunction.set_run_sequence("SLAB")),
    ("page", files.page_text(PAGES[0]), WriteText(b"MEGA \x10a", label="A", **HELD)),
    ("amount", files.amount(PAGES[0], "$12,345.67"), WriteString("$12,345.67", label="a")),
    ("read string", files.ask_string("a"), ReadString("a")),
    ("read text", Packet("B", b"A"), ReadText("A")),
    ("read memory", files.ask_memory(), ReadSpecialFunction(SpecialFunction.MEMORY_CONFIG)),
    ("priority", files.priority("SEAT 3 WINS $5.00"), WriteText("SEAT 3 WINS $5.00", label="0", **HELD)),
]


@pytest.mark.parametrize(
    ("packet", "command"), [row[1:] for row in BOTH_SAY[1:]], ids=[row[0] for row in BOTH_SAY[1:]]
)
def test_byte_for_byte_as_alphasignpy(packet: Packet, command: Any) -> None:
    assert AlphaCodec().encode(packet) == theirs(command)


def test_alphasignpy_reads_an_answer_as_we_do() -> None:
    data = bytes.fromhex(KNOWN["answers"][0]["bytes"])
    (packet,) = AlphaCodec().receive(data)
    assert parse_read_string_response(data) == (packet.data[:1].decode(), packet.data[1:])


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=100))
def test_any_amount_as_alphasignpy(text: str) -> None:
    assert AlphaCodec().encode(files.amount(PAGES[1], text)) == theirs(WriteString(text, label="b"))


# ---------------------------------------------------------------- the stream


@given(st.lists(packets, max_size=8), st.integers(1, 50))
def test_what_is_encoded_is_read_however_it_is_cut(sent: list[Packet], step: int) -> None:
    codec = AlphaCodec()
    wire = b"".join(AlphaCodec().encode(packet) for packet in sent)
    got = [packet for at in range(0, len(wire), step) for packet in codec.receive(wire[at : at + step])]
    assert [_unchecked_seen_as_checked(each) for each in got] == [
        _unchecked_seen_as_checked(each) for each in sent
    ]


def _unchecked_seen_as_checked(packet: Packet) -> tuple[str, bytes, str, str]:
    return packet.command, packet.data, packet.kind, packet.address


@given(st.binary(max_size=400), st.integers(1, 60))
def test_noise_never_raises_and_the_first_good_packet_after_it_is_read(noise: bytes, step: int) -> None:
    codec = AlphaCodec()
    for at in range(0, len(noise), step):
        codec.receive(noise[at : at + step])
    assert codec.receive(AlphaCodec().encode(HELLO))[-1] == HELLO


def test_the_buffer_is_bounded() -> None:
    codec = AlphaCodec()
    for _ in range(50):
        assert codec.receive(b"\x01" + b"x" * 500) == []
    assert codec.receive(b"x" * 10_000) == []
    assert codec.statistics.buffer_high_water <= 2 * PACKET_MOST
    assert codec.receive(AlphaCodec().encode(HELLO)) == [HELLO]


def test_zeros_before_a_packet_are_no_noise_and_other_bytes_are() -> None:
    codec = AlphaCodec()
    codec.receive(bytes(40))
    codec.receive(AlphaCodec().encode(HELLO))
    assert codec.statistics.resyncs == 0
    codec.receive(b"abc\x04")
    codec.receive(b"abc" + AlphaCodec().encode(HELLO))
    assert codec.statistics.resyncs == 2


def test_a_technicians_line_is_set_as_the_page_says() -> None:
    line = CONVENTION.line
    assert (line.baud, line.bits, line.parity, line.dtr) == (9600, 7, "E", False)


def test_a_wrong_checksum_is_counted_and_a_packet_without_its_marks_is_none() -> None:
    codec = AlphaCodec()
    good = AlphaCodec().encode(HELLO)
    wrong = good.replace(good[-5:-1], b"0000")
    assert wrong != good
    assert codec.receive(wrong) == []
    assert codec.statistics.crc_errors == 1
    for without in (good.replace(b"\x02", b"*"), b"\x01Z00\x04", b"\x01Z00\x02\x04"):
        assert codec.receive(without) == []
    assert codec.statistics.crc_errors == 1
    assert codec.receive(good) == [HELLO]


def test_a_packet_without_a_checksum_is_marked() -> None:
    codec = AlphaCodec()
    (packet,) = codec.receive(b"\x01Z00\x02AAHELLO\x04")
    assert packet == Packet("A", b"AHELLO", is_checked=False)
    assert "(no checksum)" in describe(packet, False)
    assert codec.receive(b"\x01Z00\x02\x04") == []


# ---------------------------------------------------------------- words and amounts


@pytest.mark.parametrize(
    ("how", "shown"),
    [
        (AmountFormat.CENTS, "$1,234,567.08"),
        (AmountFormat.DOLLARS, "$1,234,567"),
        (AmountFormat.PLAIN, "1234567.08"),
    ],
)
def test_amounts(how: AmountFormat, shown: str) -> None:
    assert written(123_456_708, how) == shown


def test_dollars_never_show_more_than_the_meter_holds() -> None:
    assert written(199, AmountFormat.DOLLARS) == "$1"
    assert written(5, AmountFormat.CENTS) == "$0.05"


@pytest.mark.parametrize(
    ("words", "packet"),
    [
        ("text A HELLO", Packet("A", b"A\x1b bHELLO")),
        ("string a $1.00", Packet("G", b"a$1.00")),
        ("read a", Packet("H", b"a")),
        ("memory", Packet("F", b"$")),
    ],
)
def test_a_technicians_words(words: str, packet: Packet) -> None:
    assert packet_of(words) == packet
    assert CONVENTION.compose(words) == AlphaCodec().encode(packet)


@pytest.mark.parametrize("words", ["", "text", "text AB x", "sing a x", "string ä x"])
def test_words_that_are_no_packet(words: str) -> None:
    with pytest.raises(ValueError, match="none of"):
        packet_of(words)


def test_packets_in_words() -> None:
    assert describe(files.page_text(PAGES[0]), False) == "to Z00: text A<1B> bMEGA <10>a"
    assert describe(Packet("Q", b""), False) == "to Z00: Q "


@pytest.mark.parametrize(
    "meters", ["", "prog5", "prog5.", ".mega", "a.b=" + "x" * 33, "a.b=ü", ",".join(["a.b"] * 9)]
)
def test_meters_that_mean_nothing(meters: str) -> None:
    with pytest.raises(SignError, match="E-ALPHA-001"):
        pages_of(meters, "sign")


def test_a_page_may_do_without_a_caption() -> None:
    (page,) = pages_of("prog4.main", "sign")
    assert files.page_text(page).data == b"A\x1b b\x10a"


@pytest.mark.parametrize(("frame", "settings"), [("7E1", (7, "E", 1)), ("8N1", (8, "N", 1))])
def test_line_settings(frame: str, settings: tuple[int, str, int]) -> None:
    line = profile_of({"meters": "a.b", "frame": frame, "dtr": True}).line
    assert (line.bits, line.parity, line.stop) == settings
    assert line.dtr
    assert not profile_of({"meters": "a.b"}).line.dtr
