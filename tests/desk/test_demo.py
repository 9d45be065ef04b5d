import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from io import BytesIO, TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.etree import ElementTree as ET

import pytest

from calling import sabot, without_the_rig
from on_a_terminal import COLUMNS, LINES, Terminal
from sabot.config import CHAPTER_IDS, load_chapter
from sabot.desk.demo.canvas import EIGHT, HEIGHT, LOG, LOOKS, WIDTH, Canvas
from sabot.desk.demo.drawing import STATIONS, draw
from sabot.desk.demo.felt import DemoFelt
from sabot.desk.demo.narration import DemoNews, NewsKind
from sabot.desk.demo.picture import Album
from sabot.desk.demo.program import RunningDemo
from sabot.desk.demo.script import DemoScript, read_book
from sabot.desk.demo.show import Show
from sabot.desk.demo.stage import DemoStage, PlainStage, title_card
from sabot.hil.demo.verbs import VERBS, play
from sabot.hil.table.dealer_eyes import HandLooked
from sabot.rules.cards import SYMBOLS, parse
from sabot.rules.rankings import PokerRanking, RankOrder
from sabot.statemachine.state.phases import Phase

PICTURE = Path(__file__).parents[2] / "docs" / "pictures" / "demo.svg"
PATIENCE_S = 600.0
NOT_FOR_PLAY = "NOT FOR PLAY"
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
    "sort_mode",
    "meter_hit",
    "restarted",
}
# Where each chapter says what the demo shows of it; the rest is our own policy.
PARAGRAPHS = {
    "pa641a": [
        "641a.13(a)",
        "our policy, 641a.13(a)",
        "641a.13(e)",
        "641a.8(b)",
        "641a.11(c)(5), 641a.12(d)",
    ],
    "md4cp": ["ch.5.B", "our policy", "ch.13.G"],
    "pa679a": ["679a.13(d)", "679a.13(a)", "679a.8(e)"],
    "pa682a": ["682a.13(b)", "682a.13(c)", "682a.13(g)"],
    "pa683a": ["683a.13(d)", "our policy, 683a.5(a)", "our policy"],
}
SUITS = "".join(SYMBOLS.values())
CARD = re.compile(rf"(10|[2-9JQKA])([{SUITS}])")
BOOK = read_book()


@pytest.fixture
def book() -> DemoScript:
    return BOOK


def titles(chapter: str) -> list[str]:
    return [BOOK.irregularities[kind][0] for kind in BOOK.shifts[chapter].irregularities]


# ---------------------------------------------------------------- a shift, seen from everywhere at once


@dataclass
class Moment:
    """One moment of a shift: what was drawn, what was said, and what the program says is public."""

    canvas: Canvas
    news: list[DemoNews]
    public: set[str]
    round: int | None


@dataclass
class Seen:
    """A stage that looks at the picture and the lines of every moment, as UTF-8 and as plain characters."""

    moments: list[Moment] = field(default_factory=list)
    out: TextIOWrapper = field(default_factory=lambda: TextIOWrapper(BytesIO(), encoding="utf-8"))
    latin: TextIOWrapper = field(default_factory=lambda: TextIOWrapper(BytesIO(), encoding="latin-1"))
    stages: list[DemoStage] = field(default_factory=list)
    album: Album = field(default_factory=lambda: Album("demo.svg"))
    looked: list[HandLooked] = field(default_factory=list)
    declared: set[tuple[str, str]] = field(default_factory=set)

    def open(self, felt: DemoFelt, number: int, shifts: int) -> None:
        self.stages += [PlainStage(self.out), PlainStage(self.latin), self.album]
        self.felt, self.title = felt, title_card(felt, number, shifts)
        for stage in self.stages:
            stage.open(felt, number, shifts)

    def show(self, felt: DemoFelt, news: Sequence[DemoNews]) -> None:
        public = {card for cards in felt.seen.get("public", {}).values() for card in cards}
        self.declared |= set(felt.seen.get("declared", {}).items())
        self.moments.append(Moment(draw(felt), list(news), public, felt.seen["round"]))
        for stage in self.stages:
            stage.show(felt, news)

    @property
    def text(self) -> str:
        return written(self.out)


def written(out: TextIOWrapper) -> str:
    """What was written so far."""
    out.seek(0)
    return out.read()


@cache
def shift(chapter: str) -> Seen:
    """A whole shift by the program in its process, played once for all tests."""
    stage = Seen()
    with TemporaryDirectory(prefix="demo-") as folder:
        running = RunningDemo(Path(folder), chapter, BOOK.shifts[chapter].method)
        show = Show(running, DemoFelt(BOOK.shifts[chapter], BOOK), stage)
        try:
            show.begin()
            stage.open(show.felt, 1, 5)
            stage.looked = play(show, seed=1)
        finally:
            show.end()
        assert running.process.returncode == 0, running.log.read_text()
        assert "Traceback" not in running.log.read_text()
    return stage


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_a_shift_of_the_running_program_comes_to_its_end(chapter: str) -> None:
    seen = shift(chapter)

    assert seen.felt.seen["phase"] == Phase.CLOSED.value
    assert seen.felt.seen["held"] == []
    assert [met.kind for met in seen.felt.met] == list(BOOK.shifts[chapter].irregularities)
    assert load_chapter(chapter).document in seen.text
    assert "\x1b" not in seen.text
    assert max(map(len, seen.text.splitlines())) <= COLUMNS
    assert "[CLOSED              |OK=RECEIVE CARDS    ]" in seen.text
    assert "table closed" in seen.text


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_irregularity_is_one_line_with_the_programs_own_paragraph(chapter: str) -> None:
    lines = shift(chapter).text.splitlines()
    announced = [line for line in lines if line.startswith("  !! ")]

    for line, title, cite in zip(announced, titles(chapter), PARAGRAPHS[chapter], strict=True):
        assert line.startswith(f"  !! {title} [{cite}] ")


def test_the_five_shifts_show_every_kind_of_irregularity(book: DemoScript) -> None:
    shown = [kind for each in book.shifts.values() for kind in each.irregularities]

    assert tuple(book.shifts) == CHAPTER_IDS
    assert sorted(shown) == sorted(KINDS) == sorted(book.irregularities)


@pytest.mark.parametrize("chapter", ["pa641a"])
def test_each_payment_and_each_turned_card_is_a_line(chapter: str) -> None:
    text = shift(chapter).text

    assert "card  seat 6: A♠ A♥ A♦ A♣ 9♣, four of a kind" in text
    assert "pays  seat 6 Prog. is paid $1,000.75, not from the tray" in text
    assert re.search(r"pays  seat 2 Envy Bonus \(seat 6\) is paid \$\d+ +641a\.11\(c\)\(5\)\(v\)", text)
    assert "fault cleared by 21 Floor: unreadable card" in text


@pytest.mark.parametrize("chapter", ["pa683a"])
def test_a_power_cut_is_a_program_that_starts_again(chapter: str) -> None:
    text = shift(chapter).text

    assert "[HELD: RESTARTED     |FLOOR: CONFIRM ROUND]" in text
    assert "fault cleared by 21 Floor: restarted" in text


@pytest.mark.parametrize("chapter", ["pa679a"])
def test_an_output_that_is_not_utf8_gets_plain_characters(chapter: str) -> None:
    text = written(shift(chapter).latin)

    assert text.isascii()
    assert "card  seat 5: Kc Qc 7c, flush" in text


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_every_picture_says_that_it_is_not_for_play(chapter: str) -> None:
    seen = shift(chapter)

    assert NOT_FOR_PLAY in seen.text.splitlines()[1]
    for canvas in (seen.title, *(moment.canvas for moment in seen.moments)):
        assert any(NOT_FOR_PLAY in canvas.text(row) for row in range(3))


# ---------------------------------------------------------------- nothing secret


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


def cards_in_news(news: Sequence[DemoNews]) -> set[str]:
    return {name(*found) for each in news for found in CARD.findall(each.text)}


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_no_picture_and_no_line_shows_a_card_before_it_is_public(chapter: str) -> None:
    moments = shift(chapter).moments

    assert any(moment.public for moment in moments)
    for moment in moments:
        assert cards_in_picture(moment.canvas) == moment.public
        assert cards_in_news(moment.news) <= moment.public


def rounds(text: str) -> Iterator[list[str]]:
    """The lines of each round, from the lock to its record."""
    for part in re.split(r"is on record", text):
        yield part.splitlines()


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_a_players_hand_is_named_only_after_the_dealer_was_told_to_turn(chapter: str) -> None:
    named_ever = False
    for lines in rounds(shift(chapter).text):
        turned = [at for at, line in enumerate(lines) if re.search(r"REVEAL DEALER|TURN COMMUNITY 3", line)]
        named = [at for at, line in enumerate(lines) if re.search(r"card  seat \d", line)]
        assert not named or min(named) > turned[-1]
        named_ever |= bool(named)
    assert named_ever


# ---------------------------------------------------------------- as a person calls it


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder with a short name: the path of a socket has at most a hundred letters."""
    with tempfile.TemporaryDirectory(prefix="d", dir="/tmp", ignore_cleanup_errors=True) as folder:
        yield Path(folder)


@pytest.mark.parametrize("chapter", ["pa683a"])
def test_plain_lines_come_without_a_terminal_and_what_is_kept_can_be_looked_at(
    tmp_path: Path, chapter: str
) -> None:
    kept = tmp_path / "evening"
    words = ["demo", "--fast", "--chapter", "pa683a", "--seed", "2", "--keep", str(kept)]
    answer = sabot(*words, patience_s=PATIENCE_S)

    assert (answer.code, answer.err) == (0, "")
    assert "Restart in a round      our policy" in answer.out
    assert hands(answer.out) != hands(shift(chapter).text)  # other cards, where the script wants none
    looks = [shlex.split(line)[1:] for line in answer.out.splitlines() if line.startswith("  sabot ")]
    assert [words[:2] for words in looks] == [
        ["journal", "verify"],
        ["journal", "tail"],
        ["journal", "show"],
        ["meters", "--state"],
    ]
    for words in looks:
        assert sabot(*words).code == 0
    again = sabot("demo", "--keep", str(kept))
    assert (again.code, "E-CLI-005" in again.err) == (2, True)


def hands(text: str) -> list[str]:
    return [line[10:] for line in text.splitlines() if " card  " in line]


def test_on_a_terminal_the_felt_is_drawn_in_place_and_never_too_wide(tmp_path: Path) -> None:
    with Terminal("demo", "--fast", "--chapter", "md4cp", environment=in_folder(tmp_path)) as terminal:
        out = to_the_end(terminal)

        assert terminal.process.wait() == 0
        assert terminal.settings() == terminal.settings_before
    drawn = terminal.drawn_lines()
    assert len(drawn) > 500
    assert max(map(len, drawn)) <= COLUMNS
    assert not any(char in "\r\n" for line in drawn for char in line)
    assert set(re.findall(r"\x1b\[(\d+);1H", out)) == {str(row) for row in range(1, LINES + 1)}
    assert out.index("\x1b[?1049h\x1b[?25l") < out.index("\x1b[?25h\x1b[?1049l")
    for title, cite in zip(titles("md4cp"), PARAGRAPHS["md4cp"], strict=True):
        assert any(line.startswith(f" ! {title} [{cite}] ") for line in drawn)
    after = terminal.seen.partition("\x1b[?1049l")[2]
    assert "Wrong shuffle count     ch.5.B" in after
    assert NOT_FOR_PLAY in after
    assert list(tmp_path.iterdir()) == []


def in_folder(tmp_path: Path, **environment: str) -> dict[str, str]:
    """Where the demo makes its folder."""
    return {"TMPDIR": str(tmp_path), **environment}


def to_the_end(terminal: Terminal) -> str:
    """Everything up to the end of the process, however long a shift takes here."""
    end = time.monotonic() + PATIENCE_S
    while terminal.read_some() and time.monotonic() < end:
        pass
    return terminal.read_until()


def test_colors_are_the_terminals_to_give(tmp_path: Path) -> None:
    full = colors_of(tmp_path, TERM="xterm-256color")
    eight = colors_of(tmp_path, TERM="xterm")
    none = [colors_of(tmp_path, TERM="xterm-256color", NO_COLOR="1"), colors_of(tmp_path, TERM="vt220")]

    assert any("38;5;" in each for each in full)
    assert eight
    assert not any("38;5;" in each for each in eight)
    assert none == [set(), set()]


def colors_of(tmp_path: Path, **environment: str) -> set[str]:
    words = ("demo", "--chapter", "pa682a")
    with Terminal(*words, environment=in_folder(tmp_path, **environment)) as terminal:
        terminal.read_until("1 of 1")
        terminal.press("q")
        out = terminal.read_until()
        assert terminal.process.wait() == 0
    return set(re.findall(r"\x1b\[[0-9;]*[34][0-9;]*m", out))


@pytest.mark.parametrize(
    ("columns", "lines", "term"), [(79, 24, "xterm"), (80, 23, "xterm"), (80, 24, "dumb")]
)
def test_a_terminal_that_cannot_show_the_felt_gets_plain_lines(
    tmp_path: Path, columns: int, lines: int, term: str
) -> None:
    environment = in_folder(tmp_path, TERM=term)
    words = ("demo", "--chapter", "pa682a")
    with Terminal(*words, columns=columns, lines=lines, environment=environment) as terminal:
        terminal.read_until("INSPECT CARDS")
        terminal.process.send_signal(signal.SIGINT)
        out = terminal.read_until()

        assert terminal.process.wait() == 130
    assert "\x1b" not in out
    assert "Traceback" not in out
    assert "wants a terminal of 80 x 24" in out


# ---------------------------------------------------------------- how it ends


def processes(folder: Path, words: str = "") -> list[int]:
    """Who runs with this folder among their words."""
    found = []
    for each in Path("/proc").glob("[0-9]*"):
        try:
            line = (each / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if str(folder) in line and words in line:
            found.append(int(each.name))
    return found


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_an_end_from_outside_leaves_screen_folder_and_processes_clean(
    tmp_path: Path, number: signal.Signals, code: int
) -> None:
    with Terminal("demo", environment=in_folder(tmp_path)) as terminal:
        terminal.read_until("1 of 5")
        terminal.press("\n")
        terminal.read_until("REGISTER DECK")
        assert len(processes(tmp_path)) == 2
        terminal.process.send_signal(number)
        out = terminal.read_until()

        assert terminal.process.wait() == code
        assert terminal.settings() == terminal.settings_before
    assert out.rindex("\x1b[?25h\x1b[?1049l") > out.rindex("\x1b[?25l")
    assert "Traceback" not in out
    assert list(tmp_path.iterdir()) == []
    assert processes(tmp_path) == []


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("sabot.hil.table.own_time", "the program was ended by signal 9"),
        ("sabot.hil.table /", "the simulated devices ended"),
    ],
)
def test_a_program_or_devices_that_die_are_told_in_words_with_the_logs_place(
    tmp_path: Path, who: str, why: str
) -> None:
    command = [sys.executable, "-Im", "sabot", "demo", "--chapter", "pa682a"]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(
        command, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as demo:
        assert demo.stdout
        for line in demo.stdout:
            if "INSPECT CARDS" in line:
                break
        (pid,) = processes(tmp_path, who)
        os.kill(pid, signal.SIGKILL)
        out, err = demo.communicate(timeout=PATIENCE_S)

    assert demo.returncode == 1
    assert "Traceback" not in out + err
    assert why in err
    (log,) = re.findall(r"log, (\S+\.log);", err)
    assert '"level"' in Path(log).read_text()
    end = time.monotonic() + PATIENCE_S
    while processes(tmp_path):  # devices end by themselves when nobody wants them any more
        assert time.monotonic() < end
        time.sleep(0.05)


def test_keys_hold_go_on_skip_a_shift_and_leave(tmp_path: Path) -> None:
    with Terminal("demo", environment=in_folder(tmp_path)) as terminal:
        terminal.read_until("1 of 5")
        terminal.press(" ")
        terminal.read_until("on hold: space goes on")
        terminal.press("x ")
        terminal.press("\n")
        terminal.read_until("REGISTER DECK")
        terminal.press("n")
        terminal.read_until("MLGCA Four Card Poker, version 1.2")
        terminal.press("q")
        terminal.read_until()

        assert terminal.process.wait() == 0
        assert terminal.settings() == terminal.settings_before
    assert "679a" not in terminal.plain()
    assert list(tmp_path.iterdir()) == []
    assert processes(tmp_path) == []


def test_the_bundle_for_the_floor_has_no_demo_and_says_so() -> None:
    answer = without_the_rig("demo")

    assert (answer.code, answer.out) == (2, "")
    assert "E-CLI-010" in answer.err
    assert without_the_rig("demo", "--rounds").code == 0


# ---------------------------------------------------------------- the book and the picture


def test_each_phase_has_words_and_one_station(book: DemoScript) -> None:
    stations = [phase for _, phases in STATIONS for phase in phases]

    assert sorted(stations) == sorted(book.phases) == sorted(phase.value for phase in Phase)


def test_each_wager_on_offer_has_a_label_that_fits(book: DemoScript) -> None:
    for chapter in CHAPTER_IDS:
        for wager in (*book.shifts[chapter].submission.wagers, *load_chapter(chapter).contest.wagers):
            assert len(book.labels[wager]) <= 12


def test_every_verb_of_the_scripts_is_known_and_every_verb_is_used(book: DemoScript) -> None:
    used = {step.verb for each in book.shifts.values() for step in each.steps}

    assert used == set(VERBS)


def test_every_style_has_a_look_and_eight_colors_know_no_other() -> None:
    assert set(EIGHT) <= set(LOOKS)


@pytest.mark.parametrize("chapter", ["pa641a"])
def test_characters_are_one_column_wide(chapter: str) -> None:
    seen = shift(chapter)

    for canvas in (seen.title, *(moment.canvas for moment in seen.moments)):
        for row in range(HEIGHT):
            assert len(canvas.text(row)) <= WIDTH
            assert not any(unicodedata.east_asian_width(char) in "WF" for char in canvas.text(row))


@pytest.mark.parametrize("chapter", ["pa641a"])
def test_the_picture_in_the_docs_is_a_frame_of_the_demo(chapter: str) -> None:
    """But for the time of day, and for the log, in which devices may have their say a moment sooner or later."""
    cure = "sabot demo --picture docs/pictures/demo.svg"
    drawn = words_by_row(shift(chapter).album.svg)

    assert any("PROGRESSIVE HIT" in row for row in drawn)
    assert words_by_row(PICTURE.read_text(encoding="utf-8")) == drawn, f"the demo looks otherwise now: {cure}"


def words_by_row(svg: str) -> list[str]:
    rows: dict[int, list[str]] = {}
    for each in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        rows.setdefault(int(each.attrib["y"]), []).append(each.text or "")
    texts = [" ".join(rows[y]) for y in sorted(rows)]
    return [re.sub(r"\d\d:\d\d:\d\d", "TIME", text) for text in texts[:LOG]]


def test_a_picture_goes_where_it_is_wanted_or_nothing_is_played(tmp_path: Path) -> None:
    answer = sabot("demo", "--picture", str(tmp_path / "nowhere" / "felt.svg"))

    assert answer.code == 2
    assert "E-CLI-005" in answer.err


@pytest.mark.parametrize("chapter", ["pa679a"])
def test_a_picture_is_that_of_the_last_irregularity(chapter: str) -> None:
    album = shift(chapter).album
    alarms = [
        each for moment in shift(chapter).moments for each in moment.news if each.kind is NewsKind.ALARM
    ]

    assert "WRONG STUB COUNT" in alarms[-1].text
    assert "STUB" in album.svg
    assert NOT_FOR_PLAY in album.title


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


# ---------------------------------------------------------------- declared and true


@pytest.mark.parametrize("chapter", CHAPTER_IDS)
def test_x_11c_what_the_demo_declares_is_what_lies_there(chapter: str) -> None:
    """Nobody's script says what a hand is: people look, and the program has just what they saw."""
    seen, spec = shift(chapter), load_chapter(chapter)
    ranking = spec.rankings[spec.contest.ranking]
    names = PokerRanking(RankOrder(ranking.size, ranking.order))
    said = set()
    for question, row, cards in seen.looked:
        if question.endswith("HAND"):
            name = names.name(names.score([parse(card) for card in cards]))
            assert row in (name.replace("_", " ").upper(), "NO PAIR OR BETTER"), (question, row, cards)
            assert (row == "NO PAIR OR BETTER") is (name == "high")
            place = "dealer" if question.startswith("DEALER") else f"seat{question[1:].partition(' ')[0]}"
            said.add((place, name))
    assert seen.declared == said
    assert "declare" not in VERBS
    assert bool(said) is (chapter in DECLARING)


DECLARING = {"pa641a", "pa682a"}
