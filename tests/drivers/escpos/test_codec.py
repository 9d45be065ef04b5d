"""The display's commands, its characters, what is sent for a change, and lines that run."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.escpos import CONVENTION
from sabot.drivers.escpos.codec import (
    HEIGHT,
    WIDTH,
    Brightness,
    Cursor,
    DisplayText,
    EscposCodec,
    Message,
    Move,
    Plain,
    describe,
    message_of,
)
from sabot.drivers.escpos.screen import (
    BLANK,
    GAP,
    HOME,
    REST_STEPS,
    Cell,
    Lines,
    Marquee,
    changes,
    code_of,
    codes_of,
)
from sabot.hil.simulators.escpos import EscposDisplay
from tests.drivers.wired_host import vectors

KNOWN = vectors("escpos")
characters = st.binary(min_size=1, max_size=30).map(
    lambda raw: bytes(code for code in raw if code >= 0x20 and code != 0x7F) or b"x"
)
messages = st.one_of(
    st.builds(DisplayText, characters),
    st.sampled_from([Plain(name) for name in ("initialise", "clear", "home", "clear_line")]),
    st.builds(Move, st.integers(0, 255), st.integers(0, 255)),
    st.builds(Brightness, st.integers(0, 255)),
    st.builds(Cursor, st.booleans()),
)
letters = st.sampled_from(b"AB ")
line = st.lists(letters, min_size=WIDTH, max_size=WIDTH).map(bytes)
pictures = st.tuples(line, line)


def message_in(row: dict[str, Any]) -> Message:
    makers: dict[str, Any] = {
        "plain": Plain,
        "move": lambda at: Move(*at),
        "brightness": Brightness,
        "cursor": Cursor,
        "text": lambda text: DisplayText(text.encode("cp437")),
    }
    (kind,) = makers.keys() & row.keys()
    made: Message = makers[kind](row[kind])
    return made


@pytest.mark.parametrize("row", KNOWN["messages"], ids=[row["name"] for row in KNOWN["messages"]])
def test_messages_of_the_page(row: dict[str, Any]) -> None:
    data = bytes.fromhex(row["bytes"])
    assert EscposCodec().encode(message_in(row)) == data
    assert EscposCodec().receive(data) == [message_in(row)]


@pytest.mark.parametrize("row", KNOWN["pictures"], ids=[row["name"] for row in KNOWN["pictures"]])
def test_pictures_of_the_page_on_the_simulated_display(row: dict[str, Any]) -> None:
    display = EscposDisplay()
    display.received(bytes.fromhex(row["bytes"]))
    assert list(display.lines()) == row["shows"]


def merged(found: list[Message]) -> list[Message]:
    """Text that was cut in two is the same text."""
    out: list[Message] = []
    for each in found:
        if out and isinstance(each, DisplayText) and isinstance(out[-1], DisplayText):
            out[-1] = DisplayText(out[-1].characters + each.characters)
        else:
            out.append(each)
    return out


@given(st.lists(messages, max_size=10), st.integers(1, 9))
def test_what_is_encoded_is_read_however_it_is_cut(sent: list[Message], step: int) -> None:
    codec = EscposCodec()
    wire = b"".join(EscposCodec().encode(each) for each in sent)
    got = [each for at in range(0, len(wire), step) for each in codec.receive(wire[at : at + step])]
    assert merged(got) == merged(sent)


@given(st.binary(max_size=200), st.integers(1, 30))
def test_noise_never_raises_and_the_buffer_stays_small(noise: bytes, step: int) -> None:
    codec = EscposCodec()
    for at in range(0, len(noise), step):
        codec.receive(noise[at : at + step])
        assert len(codec._buffer) < 4
    codec.receive(b"   ")
    assert codec.receive(b"\x0c")[-1] == Plain("clear")


def test_the_buffer_is_bounded() -> None:
    codec = EscposCodec()
    assert len(codec.receive(b"A" * 10_000)) == 40
    assert codec.statistics.buffer_high_water <= 300


def test_what_means_nothing_is_skipped_and_counted() -> None:
    codec = EscposCodec()
    assert codec.receive(b"\x1b\x41\x1f\x99\x7f\x01A") == [DisplayText(b"\x99"), DisplayText(b"A")]
    assert codec.statistics.resyncs == 4


@pytest.mark.parametrize(
    ("words", "message", "shown"),
    [
        ("text HELLO", DisplayText(b"HELLO"), "text 'HELLO'"),
        ("clear_line", Plain("clear_line"), "clear line"),
        ("move 3 2", Move(3, 2), "cursor to column 3, row 2"),
        ("brightness 4", Brightness(4), "brightness 4"),
    ],
)
def test_words(words: str, message: Message, shown: str) -> None:
    assert message_of(words) == message
    assert describe(message, False) == shown
    assert CONVENTION.compose(words) == EscposCodec().encode(message)


def test_words_of_a_cursor() -> None:
    assert [describe(Cursor(on), False) for on in (True, False)] == ["cursor on", "cursor off"]


@pytest.mark.parametrize("words", ["", "text", "move 1", "brightness", "dance"])
def test_words_that_are_no_message(words: str) -> None:
    with pytest.raises(ValueError, match="none of"):
        message_of(words)


# ---------------------------------------------------------------- characters


@pytest.mark.parametrize(
    ("text", "tested", "codes"),
    [
        ("641a.13(a)", "", b"641a.13(a)"),
        ("\u00a7 13", "", b"s. 13"),
        ("A\u2660 K\u2665 Q\u2666 J\u2663", "", b"As Kh Qd Jc"),
        ("\u00fc", "", b"?"),
        ("\u00fc\u00e4", "\u00fc", b"\x81?"),
        ("\u20ac\n\x1b\x7f", "\u20ac", b"????"),
        ("1\u20133\u00d7\u2026", "", b"1-3x..."),
    ],
)
def test_only_characters_that_a_display_has(text: str, tested: str, codes: bytes) -> None:
    assert codes_of(text, tested) == codes


@given(st.text(max_size=60), st.text(max_size=10))
def test_no_text_becomes_a_command(text: str, tested: str) -> None:
    assert all(code >= 0x20 and code != 0x7F for code in codes_of(text, tested))


# ---------------------------------------------------------------- what is sent for a change


def sent(found: list[Message]) -> bytes:
    return b"".join(EscposCodec().encode(each) for each in found)


@given(st.lists(pictures, min_size=1, max_size=5), st.booleans())
def test_the_display_shows_what_is_wanted_wherever_its_cursor_goes(shown: list[Lines], wraps: bool) -> None:
    display = EscposDisplay(wraps=wraps)
    before, cursor = BLANK, HOME
    at: Cell | None = cursor
    for after in shown:
        found, at = changes(before, after, at)
        display.received(sent(found))
        assert display.lines() == tuple(each.decode() for each in after)
        before = after


@given(pictures, pictures)
def test_a_change_never_costs_more_than_all_of_it(before: Lines, after: Lines) -> None:
    found, _ = changes(before, after, None)
    changed = sum(
        a != b for old, new in zip(before, after, strict=True) for a, b in zip(old, new, strict=True)
    )
    assert len(sent(found)) <= min(HEIGHT * (4 + WIDTH), 5 * changed)
    assert changes(after, after, None) == ([], None)


@pytest.mark.parametrize(
    ("before", "after", "cursor", "wire"),
    [
        (b"A", b"B", None, b"\x0bB"),
        (b"A", b"B", (0, 0), b"B"),
        (b"AAAA", b"AAAB", None, b"\x1f$\x04\x01B"),
        (b"AAAA", b"AAAB", (1, 0), b"AAB"),  # two cells again are cheaper than a move
        (b"AAAAA", b"BAAAB", (0, 0), b"BAAAB"),
        (b"AAAAAA", b"BAAAAB", (0, 0), b"B\x1f$\x06\x01B"),
        (b"A" * 20, b"A" * 19 + b"B", (19, 0), b"B"),
    ],
)
def test_only_changed_cells_are_sent_moves_counted(
    before: bytes, after: bytes, cursor: Cell | None, wire: bytes
) -> None:
    old, new = (each.ljust(WIDTH) for each in (before, after))
    found, _ = changes((old, BLANK[1]), (new, BLANK[1]), cursor)
    assert sent(found) == wire


def test_behind_the_last_cell_the_cursor_counts_as_lost() -> None:
    full = (b"A" * WIDTH, BLANK[1])
    assert changes(BLANK, full, HOME)[1] is None


# ---------------------------------------------------------------- lines that run


def test_a_line_that_fits_stands_still() -> None:
    assert Marquee(b"BETS OPEN").shown() == b"BETS OPEN".ljust(WIDTH)


def test_a_line_that_does_not_fit_rests_and_runs_round() -> None:
    words = b"SEAT 7 MUST BE VALIDATED BY THE FLOOR"
    marquee, shown = Marquee(words), []
    for _ in range(len(words) + len(GAP) + REST_STEPS + 1):
        shown.append(marquee.shown())
        marquee.advance()
    assert shown[: REST_STEPS + 1] == [words[:WIDTH]] * (REST_STEPS + 1)
    assert shown[REST_STEPS + 1] == words[1 : WIDTH + 1]
    assert words[-WIDTH:] in shown
    assert shown[-1] == words[:WIDTH]
    assert {len(each) for each in shown} == {WIDTH}


@pytest.mark.parametrize(
    ("character", "tested", "shown"),
    [
        (" ", "", b" "),
        ("~", "", b"~"),
        ("\x1f", "", b"?"),
        ("\x7f", "\x7f", b"?"),
        ("\N{LATIN CAPITAL LETTER C WITH CEDILLA}", "\N{LATIN CAPITAL LETTER C WITH CEDILLA}", b"\x80"),
        ("\N{LATIN CAPITAL LETTER C WITH CEDILLA}", "", b"?"),
        ("\N{GREEK SMALL LETTER OMEGA}", "\N{GREEK SMALL LETTER OMEGA}", b"?"),
    ],
)
def test_a_character_has_its_byte_from_the_first_to_the_last_that_displays_share(
    character: str, tested: str, shown: bytes
) -> None:
    assert code_of(character, tested) == shown
