import re
import signal
import unicodedata
from collections.abc import Iterator, Sequence
from io import BytesIO, TextIOWrapper
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from calling import sabot
from on_a_terminal import COLUMNS, LINES, Terminal
from sabot.config import CHAPTER_IDS, load_chapter
from sabot.firmware.demo.book import Book, read_book
from sabot.firmware.demo.canvas import EIGHT, HEIGHT, LOOKS, WIDTH, Canvas
from sabot.firmware.demo.crew import Crew
from sabot.firmware.demo.drawing import STATIONS, draw
from sabot.firmware.demo.felt import Felt
from sabot.firmware.demo.news import News
from sabot.firmware.demo.picture import picture
from sabot.firmware.demo.stage import Lines
from sabot.firmware.demo.titles import title_card
from sabot.firmware.demo.verbs import VERBS, crew_of, play_shift
from sabot.rules.cards import NAMES, SYMBOLS
from sabot.statemachine.phases import Phase
from sabot.statemachine.views import public_cards

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "demo.svg"
KINDS = {
    "one_face_up",
    "several_face_up",
    "drawn_in_error",
    "wrong_count",
    "dealer_exposed",
    "community_exposed",
    "shuffler_jam",
    "shoe_jam",
    "deck_removed",
    "stub_differs",
    "chips_differ",
    "unreadable_card",
    "lost_link",
    "out_of_order",
    "deck_due",
    "meter_hit",
    "restarted",
}
# Where each chapter says what the demo shows of it; the rest is our own policy.
PARAGRAPHS = {
    "pa641a": [
        "641a.13(a)",
        "our policy, 641a.13(a)",
        "641a.8(b)",
        "641a.13(e)",
        "641a.11(c)(5), 641a.12(d)",
    ],
    "md4cp": ["ch.5.B", "our policy", "ch.13.G"],
    "pa679a": ["679a.13(d)", "679a.13(a)", "679a.8(e)"],
    "pa682a": ["682a.13(b)", "682a.13(c)", "682a.13(g)"],
    "pa683a": ["683a.13(d)", "our policy", "683a.3(c)"],
}
SUITS = "".join(SYMBOLS.values())
CARD = re.compile(rf"(10|[2-9JQKA])([{SUITS}])")


@pytest.fixture(scope="module")
def book() -> Book:
    return read_book()


def titles(book: Book, chapter: str) -> list[str]:
    return [book.irregularities[kind][0] for kind in book.shifts[chapter].irregularities]


# ---------------------------------------------------------------- plain lines


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_without_a_terminal_a_shift_is_plain_lines_that_need_no_input(chapter: str) -> None:
    answer = sabot("demo", "--fast", "--chapter", chapter)

    assert (answer.code, answer.err) == (0, "")
    assert "\x1b" not in answer.out
    assert load_chapter(chapter).document in answer.out
    lines = answer.out.splitlines()
    assert max(map(len, lines)) <= COLUMNS
    assert "[CLOSED              |OK=RECEIVE CARDS    ]" in answer.out
    assert "table closed" in answer.out


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_irregularity_is_one_line_with_the_tables_own_paragraph(book: Book, chapter: str) -> None:
    lines = sabot("demo", "--chapter", chapter).out.splitlines()
    announced = [line for line in lines if line.startswith("  !! ")]

    for line, title, cite in zip(announced, titles(book, chapter), PARAGRAPHS[chapter], strict=True):
        assert line.startswith(f"  !! {title} [{cite}] ")
    # One line each: what follows a banner is a line of its own again.
    after = [lines[at + 1] for at, line in enumerate(lines) if line.startswith("  !! ")]
    assert all(re.match(r"\d\d:\d\d:\d\d  ", line) for line in after)


def test_the_five_shifts_show_every_kind_of_irregularity_in_one_run(book: Book) -> None:
    shown = [kind for shift in book.shifts.values() for kind in shift.irregularities]

    assert tuple(book.shifts) == CHAPTER_IDS
    assert sorted(shown) == sorted(KINDS) == sorted(book.irregularities)
    out = sabot("demo", "--fast").out
    for chapter in CHAPTER_IDS:
        assert f"{load_chapter(chapter).document}" in out
    assert out.count("  !! ") == len(KINDS)
    assert [out.index(load_chapter(chapter).document) for chapter in CHAPTER_IDS] == sorted(
        out.index(load_chapter(chapter).document) for chapter in CHAPTER_IDS
    )


def test_each_payment_and_each_turned_card_is_a_line() -> None:
    out = sabot("demo", "--chapter", "pa641a").out

    assert "card  seat 6: A♠ A♥ A♦ A♣ 9♣, four of a kind" in out
    assert "pays  seat 6 Prog. is paid $5,000.87, not from the tray" in out
    assert re.search(r"pays  seat 2 Envy Bonus \(seat 6\) is paid \$100 +641a\.11\(c\)\(5\)\(v\)", out)
    assert "fault cleared by Flora: unreadable card" in out


def test_the_same_seed_gives_the_same_lines_and_another_seed_other_cards() -> None:
    first = sabot("demo", "--chapter", "pa683a").out

    assert sabot("demo", "--chapter", "pa683a", "--seed", "1").out == first
    assert sabot("demo", "--chapter", "pa683a", "--seed", "2").out != first


@pytest.mark.parametrize("seed", range(20, 32))
def test_a_shift_goes_to_its_end_with_any_cards(book: Book, seed: int) -> None:
    for chapter in CHAPTER_IDS:
        crew = crew_of(book, chapter, Watcher(), seed)
        play_shift(crew)
        assert crew.phase is Phase.CLOSED
        assert [met.kind for met in crew.felt.met] == list(book.shifts[chapter].irregularities)


def test_an_output_that_is_not_utf8_gets_plain_characters(book: Book) -> None:
    out = TextIOWrapper(BytesIO(), encoding="latin-1")
    crew = crew_of(book, "pa679a", Lines(out), seed=1)

    crew.stage.open(crew.felt, 1, 1)
    play_shift(crew)

    out.seek(0)
    text = out.read()
    assert text.isascii()
    assert "card  seat 5: Kc Qc 7c, flush" in text


# ---------------------------------------------------------------- nothing secret


class Watcher:
    """A stage that looks at the picture and the lines of every moment."""

    def __init__(self) -> None:
        self.moments: list[tuple[Canvas, list[News], set[str]]] = []
        self.crew: Crew | None = None

    def open(self, felt: Felt, number: int, shifts: int) -> None:
        pass

    def show(self, felt: Felt, news: Sequence[News]) -> None:
        if self.crew is not None:
            public = {NAMES[card] for cards in public_cards(self.crew.table).values() for card in cards}
            self.moments.append((draw(felt), list(news), public))


def cards_in_picture(canvas: Canvas) -> set[str]:
    """Every suit on the picture, with the rank above it."""
    rows = [canvas.text(row).ljust(WIDTH) for row in range(HEIGHT)]
    return {
        name(rows[row - 1][column - 1 : column + 1].strip(), rows[row][column])
        for row in range(HEIGHT)
        for column in range(WIDTH)
        if rows[row][column] in SUITS
    }


def name(rank: str, symbol: str) -> str:
    return {"10": "T"}.get(rank, rank) + next(suit for suit, each in SYMBOLS.items() if each == symbol)


def cards_in_news(news: Sequence[News]) -> set[str]:
    return {name(*found) for each in news for found in CARD.findall(each.text)}


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_no_picture_and_no_line_shows_a_card_before_it_is_public(book: Book, chapter: str) -> None:
    watcher = Watcher()
    watcher.crew = crew_of(book, chapter, watcher, seed=3)
    play_shift(watcher.crew)

    assert any(public for _, _, public in watcher.moments)
    for canvas, news, public in watcher.moments:
        assert cards_in_picture(canvas) == public
        assert cards_in_news(news) <= public


def rounds(out: str) -> Iterator[list[str]]:
    """The lines of each round, from the lock to its record."""
    for part in re.split(r"is on record", out):
        yield part.splitlines()


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_a_players_hand_is_named_only_after_the_dealer_was_told_to_turn(chapter: str) -> None:
    out = sabot("demo", "--chapter", chapter, "--seed", "5").out

    for lines in rounds(out):
        turned = [at for at, line in enumerate(lines) if re.search(r"REVEAL DEALER|TURN COMMUNITY 3", line)]
        named = [at for at, line in enumerate(lines) if re.search(r"card  seat \d", line)]
        assert not named or min(named) > turned[-1]


# ---------------------------------------------------------------- a terminal


def test_on_a_terminal_the_felt_is_drawn_in_place_and_never_too_wide(book: Book) -> None:
    with Terminal("demo", "--fast") as terminal:
        out = terminal.read_until()

        assert terminal.process.wait() == 0
        assert terminal.settings() == terminal.settings_before
    drawn = terminal.drawn_lines()
    assert len(drawn) > 1000
    assert max(map(len, drawn)) <= COLUMNS
    assert not any(char in "\r\n" for line in drawn for char in line)
    assert set(re.findall(r"\x1b\[(\d+);1H", out)) == {str(row) for row in range(1, LINES + 1)}
    assert out.index("\x1b[?1049h\x1b[?25l") < out.index("\x1b[?25h\x1b[?1049l")
    for chapter in CHAPTER_IDS:
        assert any(load_chapter(chapter).document in line for line in drawn)
        for title, cite in zip(titles(book, chapter), PARAGRAPHS[chapter], strict=True):
            assert any(line.startswith(f" ! {title} [{cite}] ") for line in drawn)


def test_what_was_met_stands_on_the_terminal_after_the_demo() -> None:
    with Terminal("demo", "--fast", "--chapter", "md4cp") as terminal:
        terminal.read_until()
    after = terminal.seen.partition("\x1b[?1049l")[2]

    assert "Wrong shuffle count     ch.5.B" in after
    assert "Automated shoe jam      ch.13.G" in after


def test_colors_are_the_terminals_to_give() -> None:
    full = colors_of(TERM="xterm-256color")
    eight = colors_of(TERM="xterm")
    none = [colors_of(TERM="xterm-256color", NO_COLOR="1"), colors_of(TERM="vt220")]

    assert any("38;5;" in each for each in full)
    assert eight
    assert not any("38;5;" in each for each in eight)
    assert none == [set(), set()]


def colors_of(**environment: str) -> set[str]:
    with Terminal("demo", "--fast", "--chapter", "pa682a", environment=environment) as terminal:
        out = terminal.read_until()
    return set(re.findall(r"\x1b\[[0-9;]*[34][0-9;]*m", out))


@pytest.mark.parametrize(
    ("columns", "lines", "term"), [(79, 24, "xterm"), (80, 23, "xterm"), (80, 24, "dumb")]
)
def test_a_terminal_that_cannot_show_the_felt_gets_plain_lines(columns: int, lines: int, term: str) -> None:
    with Terminal(
        "demo", "--chapter", "pa682a", columns=columns, lines=lines, environment={"TERM": term}
    ) as terminal:
        out = terminal.read_until()

        assert terminal.process.wait() == 0
    assert "\x1b" not in out
    assert "!! CARD DRAWN IN ERROR [682a.13(b)]" in out
    assert "wants a terminal of 80 x 24" in out


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_end_from_outside_gives_the_screen_and_the_cursor_back(number: signal.Signals, code: int) -> None:
    with Terminal("demo") as terminal:
        terminal.read_until("641a")
        terminal.process.send_signal(number)
        out = terminal.read_until()

        assert terminal.process.wait() == code
        assert terminal.settings() == terminal.settings_before
    assert out.rindex("\x1b[?25h\x1b[?1049l") > out.rindex("\x1b[?25l")


def test_keys_hold_go_on_skip_a_shift_and_leave() -> None:
    with Terminal("demo") as terminal:
        terminal.read_until("1 of 5")
        terminal.press(" ")
        terminal.read_until("on hold: space goes on")
        terminal.press("x ")
        terminal.press("\n")
        terminal.read_until("INSPECT CARDS")
        terminal.press("n")
        terminal.read_until("MLGCA Four Card Poker, version 1.2")
        terminal.press("q")
        terminal.read_until()

        assert terminal.process.wait() == 0
        assert terminal.settings() == terminal.settings_before
    assert "679a" not in terminal.plain()


# ---------------------------------------------------------------- the book and the picture


def test_each_phase_has_words_and_one_station(book: Book) -> None:
    stations = [phase for _, phases in STATIONS for phase in phases]

    assert sorted(stations) == sorted(book.phases) == sorted(phase.value for phase in Phase)


def test_each_wager_on_offer_has_a_label_that_fits(book: Book) -> None:
    for chapter in CHAPTER_IDS:
        for wager in (*book.shifts[chapter].setup.offers, *load_chapter(chapter).contest.wagers):
            assert len(book.labels[wager]) <= 12


def test_every_verb_of_the_scripts_is_known_and_every_verb_is_used(book: Book) -> None:
    used = {step.verb for shift in book.shifts.values() for step in shift.steps}

    assert used == set(VERBS)


def test_every_style_has_a_look_and_eight_colors_know_no_other() -> None:
    assert set(EIGHT) <= set(LOOKS)


def test_characters_are_one_column_wide(book: Book) -> None:
    crew = crew_of(book, "pa641a", Watcher(), seed=1)
    canvases = [title_card(crew.felt, 1, 5), draw(crew.felt)]

    for canvas in canvases:
        for row in range(HEIGHT):
            assert len(canvas.text(row)) <= WIDTH
            assert not any(unicodedata.east_asian_width(char) in "WF" for char in canvas.text(row))


def test_the_picture_in_the_docs_is_a_frame_of_the_demo(book: Book) -> None:
    drawn = picture(book, "pa641a")

    ET.fromstring(drawn)
    cure = "sabot demo --picture docs/pictures/demo.svg"
    assert PICTURE.read_text(encoding="utf-8") == drawn, f"the demo looks otherwise now: {cure}"


def test_a_picture_is_written_where_it_is_wanted(tmp_path: Path) -> None:
    file = tmp_path / "felt.svg"

    assert sabot("demo", "--picture", str(file), "--chapter", "pa683a").code == 0
    assert "683a" in file.read_text(encoding="utf-8")
    answer = sabot("demo", "--picture", str(tmp_path / "nowhere" / "felt.svg"))
    assert answer.code == 2
    assert "E-CLI-005" in answer.err


# ---------------------------------------------------------------- the worked rounds


def test_the_worked_rounds_are_settled_and_explained() -> None:
    answer = sabot("demo", "--rounds")

    assert answer.code == 0
    for chapter in CHAPTER_IDS:
        assert load_chapter(chapter).document in answer.out


def test_the_worked_rounds_outcomes_are_json_one_a_line() -> None:
    answer = sabot("demo", "--json")

    assert answer.code == 0
    assert all(line.startswith('{"settle_order"') for line in answer.out.splitlines())
