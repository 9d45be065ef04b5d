"""The real client: at a terminal of 80 x 24, in a pipe, with one command."""

from __future__ import annotations

import json
import os
import signal
import termios
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from at_the_console import PINS, Board
from calling import Answer, sabot
from on_a_terminal import Terminal
from sabot.firmware.console.talk import shown
from sabot.firmware.console.terminal import MORE

PROMPT = "locked> "


def call(board: Board, *words: str, stdin: str = "") -> Answer:
    return sabot("console", "--socket", str(board.socket), *words, stdin=stdin, patience_s=60)


def after(terminal: Terminal, text: str) -> str:
    """What came since, up to a text; what came before is forgotten."""
    terminal.read_until(text)
    seen, terminal.seen = terminal.plain(), ""
    return seen


# ---------------------------------------------------------------- one command, and a pipe


def test_policy_one_command_and_its_exit_code(board: Board) -> None:
    answer = call(board, "status")
    assert (answer.code, answer.err) == (0, "")
    assert "NOT FOR PLAY" in answer.out
    refused = call(board, "people")
    assert (refused.code, refused.out) == (1, "")
    assert refused.err.startswith("E-CONS-003")
    assert call(board, "peopel").code == 2
    assert call(board, "round").code == 2


def test_policy_no_program_is_told_in_one_message(tmp_path: Path) -> None:
    answer = sabot("console", "--socket", str(tmp_path / "none.sock"), "status")
    assert answer.code == 2
    assert "E-CONS-013" in answer.err
    assert len(answer.err.splitlines()) == 1


def test_policy_json_is_an_object_a_line(board: Board) -> None:
    answer = call(board, "--json", "meters")
    rows = [json.loads(line) for line in answer.out.splitlines()]
    assert {"meter": "prog4", "level": "main", "cents": 500_000} in rows
    assert rows[-1] == {"balanced": True}
    refused = call(board, "--json", "people")
    assert json.loads(refused.out)["refused"] == "E-CONS-003"


def test_policy_a_pipe_brings_commands_and_answers(board: Board) -> None:
    answer = call(board, stdin=f"unlock 42\n{PINS['42']}\nlog level debug\nwhoami\nquit\nstatus\n")
    assert answer.code == 0, answer.err
    assert answer.out.splitlines()[-1] == "42 Bob (technician), session 1"
    assert board.log_level == "debug"
    assert "NOT FOR PLAY" not in answer.out


def test_policy_a_pipe_that_brings_no_answer_is_bad_input(board: Board) -> None:
    answer = call(board, "unlock", "42")
    assert answer.code == 2
    assert "E-CONS-015" in answer.err


def test_policy_a_role_for_one_command_and_nothing_but_its_answer(board: Board) -> None:
    board.play(10)
    answer = call(board, "--as", "08", "--why", "audit", "export", "stream", stdin=f"{PINS['08']}\n")
    assert answer.code == 0, answer.err
    assert [json.loads(line)["number"] for line in answer.out.splitlines()[1:4]] == [1, 2, 3]
    wrong = call(board, "--as", "08", "status", stdin="11223\n")
    assert (wrong.code, wrong.out) == (1, "")


def test_policy_plain_ascii_where_it_is_asked_for(board: Board) -> None:
    board.play()
    assert not call(board, "round", "1").out.isascii()
    answer = call(board, "--ascii", "round", "1")
    assert answer.out.isascii()
    assert "=====" in answer.out


@pytest.mark.parametrize(
    ("text", "plain"),
    [("a\x1b[2Jb", "a?[2Jb"), ("─═│┌\N{MULTIPLICATION SIGN}·…", "-=|+x...."), ("Zoë", "Zo?"), ("\x9b", "?")],
)
def test_policy_no_letter_moves_the_cursor(text: str, plain: str) -> None:
    assert shown(text, is_ascii=True) == plain


def test_policy_utf8_stays_what_it_is() -> None:
    assert shown("─ë\x1b", is_ascii=False) == "─ë?"


def test_policy_watch_in_a_pipe_is_screen_after_screen(board: Board) -> None:
    board.play(40)
    answer = call(board, "watch", "1")
    assert answer.code == 0
    assert "devices: shoe up" in answer.out
    assert "\x1b" not in answer.out
    assert "? refused" not in answer.out
    told = call(board, "--json", "watch", "1")
    assert {json.loads(line)["phase"] for line in told.out.splitlines()} == {
        board.table.state.play.phase.value
    }


# ---------------------------------------------------------------- at a terminal


@pytest.fixture
def terminal(board: Board) -> Iterator[Terminal]:
    environment = {"TERM": "vt100", "INPUTRC": os.devnull}
    with Terminal("console", "--socket", str(board.socket), environment=environment) as found:
        assert "Table 7, NOT FOR PLAY" in after(found, PROMPT)
        yield found


@pytest.mark.parametrize(
    ("names", "is_plain"),
    [
        ({}, True),
        ({"LC_ALL": "C"}, True),
        ({"LANG": "en_US"}, True),
        ({"LANG": "en_US.UTF-8"}, False),
        ({"LC_ALL": "C.UTF-8"}, False),
    ],
)
def test_policy_a_terminal_whose_locale_nobody_set_gets_plain_ascii(
    board: Board, names: Mapping[str, str], is_plain: bool
) -> None:
    board.play()
    unset = dict.fromkeys(("LC_ALL", "LC_CTYPE", "LANG"), "")
    words = ("console", "--socket", str(board.socket), "round", "1")

    with Terminal(*words, lines=200, environment={**unset, "TERM": "vt100", **names}) as terminal:
        seen = terminal.read_until()

    assert "ROUND 1" in seen
    assert seen.isascii() == is_plain


def test_policy_the_prompt_takes_commands_and_leaves(terminal: Terminal) -> None:
    terminal.press("whoami\r")
    assert "locked, session 1" in after(terminal, PROMPT)
    terminal.press("quit\r")
    terminal.read_until()
    assert terminal.process.wait(20) == 0


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_policy_an_export_is_shown_on_a_terminal_too(board: Board, options: tuple[str, ...]) -> None:
    words = ("console", "--socket", str(board.socket), *options, "--as", "08", "--why", "audit")
    with Terminal(*words, "export", "stream", environment={"TERM": "vt100"}) as terminal:
        after(terminal, "PIN")
        terminal.press(f"{PINS['08']}\r")
        assert board.board.public_key.hex() in after(terminal, '"sealed":false}')


def test_policy_tab_completes_names_and_arguments(terminal: Terminal) -> None:
    terminal.press("who\t")
    after(terminal, "whoami ")
    terminal.press("\r")
    assert "locked, session" in after(terminal, PROMPT)
    terminal.press("devices sh\t")
    after(terminal, "shoe ")
    terminal.press("\r")
    assert "/dev/shoe" in after(terminal, PROMPT)


def test_policy_the_arrow_up_brings_the_last_command_back(terminal: Terminal) -> None:
    terminal.press("whoami\r")
    after(terminal, PROMPT)
    terminal.press("\x1b[A")
    after(terminal, "whoami")
    terminal.press("\r")
    assert "locked, session" in after(terminal, PROMPT)


def test_policy_a_pin_is_not_shown_and_enters_no_history(board: Board, terminal: Terminal) -> None:
    terminal.press("unlock 42\r")
    after(terminal, "PIN: ")
    terminal.press(f"{PINS['42']}\r")
    seen = after(terminal, "42 Bob (technician)> ")
    assert PINS["42"] not in seen
    terminal.press("\x1b[A")
    after(terminal, "unlock 42")
    terminal.press("\x15lock\r")
    after(terminal, PROMPT)
    assert board.commands()[-1]["command"] == "lock"


def rows_of(line: str) -> int:
    """Return how many rows of a screen of 80 columns a line takes, without what was wiped from it before."""
    return max(1, -(-len(line.rpartition("\r")[2]) // 80))


def test_policy_a_long_answer_stops_at_each_page(board: Board, terminal: Terminal) -> None:
    board.play()
    terminal.press("events 100\r")
    typed, *lines = after(terminal, MORE).split("\r\n")
    assert typed == "events 100"
    terminal.press(" ")
    more = after(terminal, MORE).split("\r\n")
    rows = sum(rows_of(line) for line in lines[:-1])
    assert rows <= 23 < rows + rows_of(more[0])  # full: the next line is of another page
    assert sum(rows_of(line) for line in more[:-1]) <= 23
    terminal.press("\r")
    assert after(terminal, MORE).count("\n") == 1
    terminal.press("q")
    after(terminal, PROMPT)
    terminal.press("whoami\r")
    assert "locked, session" in after(terminal, PROMPT)


def test_policy_a_person_who_pauses_at_a_page_is_not_dropped(
    board: Board, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sabot.firmware.console.line.STALLED_S", 0.1)
    board.play()
    terminal.press("events 1000\r")
    after(terminal, MORE)
    board.settle()
    monkeypatch.undo()
    terminal.press("q")
    after(terminal, PROMPT)
    terminal.press("whoami\r")
    assert "locked, session 1" in after(terminal, PROMPT)


def test_policy_a_live_screen_sends_what_changed_and_any_key_ends_it(
    board: Board, terminal: Terminal
) -> None:
    terminal.press("watch\r")
    after(terminal, "devices: shoe up")
    assert not terminal.settings()[3] & termios.ICANON, "a key counts from the first screen on"
    board.play(40)
    terminal.read_until("ante")
    assert "\x1b[2J" not in terminal.seen
    terminal.press("x")
    after(terminal, PROMPT)
    terminal.press("whoami\r")
    assert "locked, session" in after(terminal, PROMPT)
    terminal.press("quit\r")
    terminal.read_until()
    assert terminal.settings() == terminal.settings_before


def test_policy_control_c_leaves_a_question_and_a_command(terminal: Terminal) -> None:
    terminal.press("unlock 42\r")
    after(terminal, "PIN: ")
    terminal.process.send_signal(signal.SIGINT)
    after(terminal, PROMPT)
    terminal.press("watch\r")
    after(terminal, "devices: shoe up")
    terminal.process.send_signal(signal.SIGINT)
    after(terminal, PROMPT)
    terminal.press("whoami\r")
    assert "locked" in after(terminal, PROMPT)
    terminal.press("\x04")
    terminal.read_until()
    assert terminal.process.wait(20) == 0


def test_policy_a_program_that_stops_ends_its_consoles(board: Board, terminal: Terminal) -> None:
    board.do(board.server.stop())
    terminal.press("status\r")
    assert "E-CONS-014" in terminal.read_until("E-CONS-014")
    terminal.read_until()
    assert terminal.process.wait(20) == 2
