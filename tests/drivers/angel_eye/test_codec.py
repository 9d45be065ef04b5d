"""The codec of the reading shoe: known answers, round trip, noise, copies and gaps."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.angel_eye import CONVENTION
from sabot.drivers.angel_eye.codec import BUFFER_MOST, AngelEyeCodec
from sabot.drivers.angel_eye.messages import (
    KINDS,
    LOCK,
    Message,
    Nak,
    Report,
    ShoeAck,
    ShoeCommand,
    clear,
    command_of,
    describe,
    refusal,
)
from sabot.drivers.angel_eye.profile import LENGTHS, profile_of
from sabot.drivers.errors import DriverError
from sabot.hil.simulators.angel_eye_wire import CARD_BYTES
from sabot.rules.cards import NAMES
from tests.drivers.wired_host import vectors

KNOWN = vectors("angel-eye")
SIZES = profile_of({}).lengths
ACE = Report(2, "D", bytes((0x11, 0x31)))

reports = st.sampled_from(sorted(SIZES)).flatmap(
    lambda kind: st.builds(
        Report,
        st.integers(0, 255),
        st.just(kind),
        st.binary(min_size=SIZES[kind], max_size=SIZES[kind]),
    )
)
plain = st.text(st.characters(min_codepoint=0, max_codepoint=255), min_size=2, max_size=2)
messages = st.one_of(
    reports, st.builds(ShoeCommand, plain, plain), st.just(ShoeAck()), st.builds(Nak, st.integers(0, 255))
)


def frame(report: Report) -> bytes:
    return AngelEyeCodec().encode(report)


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["name"] for row in rows]


@pytest.mark.parametrize("row", KNOWN["reports"], ids=ids(KNOWN["reports"]))
def test_reports_of_the_page(row: dict[str, Any]) -> None:
    data = bytes.fromhex(row["bytes"])
    report = Report(row["sequence"], row["kind"], bytes.fromhex(row["data"]))
    assert AngelEyeCodec().receive(data) == [report]
    assert frame(report) == data
    if "card" in row:
        assert (None if report.card is None else NAMES[report.card]) == row["card"]


@pytest.mark.parametrize("row", KNOWN["commands"], ids=ids(KNOWN["commands"]))
def test_commands_of_the_page(row: dict[str, Any]) -> None:
    options = {"bcc_with_stx": row.get("bcc_with_stx", True)}
    data, command = bytes.fromhex(row["bytes"]), ShoeCommand(row["kind"], row["argument"])
    assert AngelEyeCodec(options).encode(command) == data
    assert AngelEyeCodec(options).receive(data) == [command]
    assert AngelEyeCodec({"bcc_with_stx": not options["bcc_with_stx"]}).receive(data) == []


@pytest.mark.parametrize("row", KNOWN["answers"], ids=ids(KNOWN["answers"]))
def test_answers_of_the_page(row: dict[str, Any]) -> None:
    wanted = Nak(row["code"]) if "code" in row else ShoeAck()
    data = bytes.fromhex(row["bytes"])
    assert AngelEyeCodec().receive(data) == [wanted]
    assert AngelEyeCodec().encode(wanted) == data


@pytest.mark.parametrize("row", KNOWN["damaged"], ids=ids(KNOWN["damaged"]))
def test_damaged_frames_are_counted_and_the_next_good_one_is_read(row: dict[str, Any]) -> None:
    codec = AngelEyeCodec()
    assert codec.receive(bytes.fromhex(row["bytes"]) + frame(ACE)) == [ACE]
    assert codec.statistics.resyncs == 1


def test_every_card_of_a_deck_has_its_byte() -> None:
    cards = {Report(0, "D", bytes((0, byte))).card: name for name, byte in CARD_BYTES.items()}
    assert {NAMES[card]: name for card, name in cards.items() if card is not None} == {
        name: name for name in NAMES
    }


@given(st.lists(messages, max_size=12), st.integers(1, 9))
def test_what_is_encoded_is_read_however_it_is_cut(sent: list[Message], step: int) -> None:
    codec = AngelEyeCodec({"copies": 1, "gap_is_fault": False})
    wire = b"".join(AngelEyeCodec().encode(each) for each in sent)
    got: list[Message] = []
    for at in range(0, len(wire), step):
        got += codec.receive(wire[at : at + step])
    repeated = [
        each
        for before, each in zip([None, *_reports(sent)], _reports(sent), strict=False)
        if before is None or not _is_again(before, each)
    ]
    assert [(each.sequence, each.kind, each.data) for each in _reports(got)] == [
        (each.sequence, each.kind, each.data) for each in repeated
    ]
    assert [each for each in got if not isinstance(each, Report)] == [
        each for each in sent if not isinstance(each, Report)
    ]


def _reports(found: list[Message]) -> list[Report]:
    return [each for each in found if isinstance(each, Report)]


def _is_again(before: Report, each: Report) -> bool:
    same = (before.sequence, before.data) == (each.sequence, each.data)
    return same and each.kind == "R" and before.kind in "DdR"


@given(st.binary(max_size=300), st.integers(1, 40))
def test_noise_never_raises_and_the_first_good_frame_after_silence_is_read(noise: bytes, step: int) -> None:
    codec = AngelEyeCodec()
    for at in range(0, len(noise), step):
        codec.receive(noise[at : at + step])
        assert len(codec._buffer) <= 16
    codec.fall_silent()
    assert codec.receive(frame(Report(9, "S")))[-1].kind == "S"  # type: ignore[union-attr]
    assert codec.statistics.buffer_high_water <= 2 * BUFFER_MOST


def test_a_frame_cut_short_does_not_swallow_the_next() -> None:
    codec = AngelEyeCodec()
    assert codec.receive(frame(ACE)[:4] + frame(Report(3, "C"))) == [Report(3, "C")]


def test_an_acknowledgement_behind_a_frame_cut_short_is_read_after_silence() -> None:
    codec = AngelEyeCodec()
    assert codec.receive(frame(ACE)[:4]) == []
    assert codec.fall_silent() == []
    assert codec.receive(b"\x06") == [ShoeAck()]


def test_silence_gives_up_a_frame_cut_short_but_not_a_good_one_inside_it() -> None:
    codec = AngelEyeCodec({"lengths": LENGTHS.replace("M2", "M60")})
    assert codec.receive(b"\x05\x01M" + frame(ACE)) == []
    assert codec.fall_silent() == [ACE]


def test_a_six_inside_garbage_is_no_acknowledgement() -> None:
    codec = AngelEyeCodec()
    bent = bytearray(frame(Report(6, "D", bytes((0x06, 0x31)))))
    bent[0] ^= 0x40
    assert codec.receive(bytes(bent)) == []
    assert codec.receive(b"\x06") == []
    assert codec.receive(frame(ACE) + b"\x06") == [ACE, ShoeAck()]


def test_a_report_comes_once_however_often_it_is_sent() -> None:
    codec = AngelEyeCodec()
    assert codec.receive(frame(ACE) * 3) == [ACE]
    assert codec.statistics.duplicates == 2


def test_one_copy_more_than_a_shoe_sends_is_a_report_of_its_own() -> None:
    assert AngelEyeCodec().receive(frame(ACE) * 4) == [ACE, Report(2, "D", ACE.data, 255)]


def test_another_card_under_the_same_number_is_no_copy() -> None:
    other = Report(2, "D", bytes((0x11, 0x32)))
    assert AngelEyeCodec().receive(frame(ACE) + frame(other)) == [
        ACE,
        Report(2, "D", other.data, 255),
    ]


def test_no_card_is_lost_when_the_counter_wraps() -> None:
    codec = AngelEyeCodec()
    cards = list(CARD_BYTES.values())
    sent = [Report(number & 0xFF, "D", bytes((1, cards[number % 52]))) for number in range(600)]
    got = [each for report in sent for each in codec.receive(frame(report) * 3)]
    assert got == sent


def test_a_counter_of_its_own_bounds_wraps_without_a_gap() -> None:
    codec = AngelEyeCodec({"sequence_low": 0x30, "sequence_high": 0x39})
    wire = frame(Report(0x39, "C")) + frame(Report(0x30, "C"))
    assert codec.receive(wire) == [Report(0x39, "C"), Report(0x30, "C")]


@pytest.mark.parametrize(("last", "sequence", "missing"), [(0xFF, 0, 0), (0xFE, 0, 1), (0, 2, 1)])
def test_the_numbers_of_a_shoe_begin_at_nought_and_fill_a_byte(
    last: int, sequence: int, missing: int
) -> None:
    codec = AngelEyeCodec()
    wire = frame(Report(last, "C")) + frame(Report(sequence, "C"))
    assert codec.receive(wire)[-1] == Report(sequence, "C", missing=missing)


def test_a_missing_number_is_a_report_that_never_came() -> None:
    codec = AngelEyeCodec()
    assert codec.receive(frame(ACE) + frame(Report(4, "C"))) == [ACE, Report(4, "C", missing=1)]
    assert codec.receive(frame(Report(12, "C"))) == [Report(12, "C", missing=7)]


@pytest.mark.parametrize(
    ("last", "sequence", "missing"), [(0x38, 0x30, 1), (0x39, 0x31, 1), (0x30, 0x40, 10)]
)
def test_missing_reports_are_counted_over_the_end_of_the_numbers(
    last: int, sequence: int, missing: int
) -> None:
    codec = AngelEyeCodec({"sequence_low": 0x30, "sequence_high": 0x39})
    wire = frame(Report(last, "C")) + frame(Report(sequence, "C"))
    assert codec.receive(wire)[-1] == Report(sequence, "C", missing=missing)
    assert (missing <= codec.profile.believable_gap) is (missing == 1)


def test_one_value_cannot_say_both_locked_and_free() -> None:
    with pytest.raises(DriverError) as raised:
        AngelEyeCodec({"locked_value": 1})
    assert "another value than free_value" in str(raised.value)


@pytest.mark.parametrize("kind", ["S", "E", "e"])
def test_start_and_error_forget_the_sequence(kind: str) -> None:
    codec = AngelEyeCodec()
    data = b"" if kind == "S" else b"\x41"
    first, forgetting, card = ACE, Report(77, kind, data), Report(77, "D", ACE.data)
    assert codec.receive(b"".join(map(frame, (first, forgetting, card)))) == [first, forgetting, card]


def test_copies_of_an_error_are_one_error_and_of_a_start_each_its_own() -> None:
    error, start = Report(8, "E", b"\x41"), Report(0, "S")
    assert AngelEyeCodec().receive(frame(error) * 3) == [error]
    assert AngelEyeCodec().receive(frame(start) * 3) == [start] * 3


def test_a_card_sent_again_under_its_number_is_a_copy_however_often() -> None:
    again = Report(2, "R", ACE.data)
    assert AngelEyeCodec().receive(frame(ACE) * 3 + frame(again) * 5) == [ACE]
    assert AngelEyeCodec().receive(frame(again)) == [again]


def test_no_word_of_a_message_shows_a_card_but_the_one_that_may() -> None:
    for report in (ACE, Report(2, "d", ACE.data), Report(2, "R", ACE.data, missing=1)):
        assert "31" not in repr(report)
        assert "As" not in describe(report, False)
        assert "As" in describe(report, True)
    assert repr(Report(1, "E", b"\x41")) == "Report(1, 'E', 41)"
    assert repr(Report(1, "D", ACE.data, missing=1)) == "Report(1, 'D', **, missing=1)"


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (LOCK, "command LK 02"),
        (ShoeAck(), "taken"),
        (Nak(8), "refused: busy"),
        (Nak(0x38), "refused: busy"),
        (Nak(0), "refused: other reason (00)"),
        (Nak(0x7F), "refused: other reason (7F)"),
        (Report(7, "E", b"\x41"), "  7 error: cannot read a card"),
        (Report(7, "E", b"\x4f"), "  7 error: unknown error"),
        (Report(7, "L", b"\x02"), "  7 lock changed 02"),
        (Report(7, "C"), "  7 cut card seen"),
        (Report(7, "D", b"\x11\x05"), "  7 card drawn no card"),
    ],
)
def test_messages_in_words(message: Message, words: str) -> None:
    assert describe(message, True) == words


def test_every_letter_has_a_length_and_words() -> None:
    assert set(KINDS) == set(SIZES)


@pytest.mark.parametrize(
    ("words", "command"),
    [
        ("lock", LOCK),
        ("clear 3", clear(3)),
        ("LK 01", ShoeCommand("LK", "01")),
        (" ask ", ShoeCommand("GP", "00")),
    ],
)
def test_a_technicians_words(words: str, command: ShoeCommand) -> None:
    assert command_of(words) == command
    assert CONVENTION.compose(words) == AngelEyeCodec().encode(command)


@pytest.mark.parametrize("words", ["", "clear x", "LKK 01", "LK 0102", "öö 01"])
def test_words_that_are_no_command(words: str) -> None:
    with pytest.raises(ValueError, match="none of"):
        command_of(words)


def test_refusals_by_number() -> None:
    assert refusal(1) == refusal(ord("1")) == "line error"
    assert refusal(2) == "wrong check"
    assert refusal(9) == "write busy"
    for code in (0, 10, ord("0"), 0xFF):
        assert refusal(code) == f"other reason ({code:02X})"


def test_a_refusal_of_two_digits_leaves_the_codec_in_step() -> None:
    two = AngelEyeCodec({"refusal_bytes": 2})
    assert two.receive(b"\x1508\x06\x15zz\x06") == [Nak(8), ShoeAck()]
    assert two.encode(Nak(8)) == b"\x1508"
    assert AngelEyeCodec({}).receive(b"\x158\x06") == [Nak(ord("8")), ShoeAck()]


def test_a_start_is_never_a_copy_for_a_shoe_that_starts_twice_lost_its_lock_twice() -> None:
    start, codec = Report(1, "S", bytes(SIZES["S"])), AngelEyeCodec()
    assert codec.receive(frame(start) * 3) == [start] * 3
    assert codec.statistics.duplicates == 0


@pytest.mark.parametrize(
    "wrong",
    ["D0", "D1", "d1", "R1", "E0", "e0", "L0", "X2", "D", "D100", "2D", ""],
    ids=lambda word: word or "none",
)
def test_a_length_by_which_a_report_could_not_be_read_is_no_option(wrong: str) -> None:
    words = LENGTHS.replace("D2", wrong) if wrong else ""
    with pytest.raises(DriverError, match="E-LINK-008") as caught:
        profile_of({"lengths": words}, "shoe")
    assert wrong in str(caught.value)
