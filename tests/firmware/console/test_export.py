"""A console's export is the journal's own format: proved by both verifiers, whole or not there, off the loop."""

from __future__ import annotations

import errno
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from at_the_console import PINS, Board, Console, console
from calling import Answer, sabot
from sabot.firmware.console import export
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.console.export import STICK, folder_of, verify_stick
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal.entry import Entry
from sabot.firmware.journal.errors import JournalError
from sabot.firmware.journal.export import ExportPart, Making
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.statemachine.vocabulary.events import DeviceFaulted

TOOL = Path(__file__).parents[3] / "tools" / "check_journal.py"
OTHER = "22 1 8:2 / / rw,relatime shared:1 - ext4 /dev/root rw\n"
HARMLESS = "nosuid,nodev,noexec"


@pytest.fixture
def desk(board: Board) -> Iterator[Console]:
    with console(board) as found:
        found.unlock("08")
        yield found


def streamed(board: Board, *options: str) -> Answer:
    words = ("--socket", str(board.socket), *options, "--as", "08", "--why", "audit", "export", "stream")
    return sabot("console", *words, stdin=f"{PINS['08']}\n", patience_s=60)


def verdicts(board: Board, file: Path) -> tuple[int, int]:
    """The exit codes of `sabot journal verify` and of the checker that needs no Sabot."""
    key = board.board.public_key.hex()
    ours = sabot("journal", "verify", "--file", str(file), "--key", key)
    line = [sys.executable, "-I", str(TOOL), str(file), "--key", key]
    theirs = subprocess.run(line, capture_output=True, check=False, timeout=120)
    return ours.code, theirs.returncode


def altered(file: Path, place: int) -> Path:
    """The same file with one byte changed."""
    content = bytearray(file.read_bytes())
    content[place] ^= 1
    other = file.with_suffix(".altered")
    other.write_bytes(content)
    return other


def left(board: Board) -> list[Path]:
    return list((board.rooms.root / "exports").iterdir())


# ---------------------------------------------------------------- proved by both


@pytest.mark.parametrize("options", [(), ("--json",), ("--ascii",)])
def test_policy_a_stream_is_proved_by_both_verifiers(
    board: Board, tmp_path: Path, options: tuple[str, ...]
) -> None:
    board.play()
    answer = streamed(board, *options)
    assert answer.code == 0, answer.err
    file = tmp_path / "stream.jsonl"
    file.write_text(answer.out, encoding="utf-8", newline="")
    assert verdicts(board, file) == (0, 0)
    assert verdicts(board, altered(file, len(answer.out) // 2)) == (1, 1)


@pytest.mark.parametrize("part", ["", " 17", " 30 30"])
def test_policy_a_file_is_proved_by_both_verifiers(board: Board, desk: Console, part: str) -> None:
    board.play()
    assert desk(f"export board{part}", why="audit")["end"] == "done", desk.said
    (file,) = left(board)
    assert verdicts(board, file) == (0, 0)
    assert verdicts(board, altered(file, file.stat().st_size // 2)) == (1, 1)


@pytest.mark.parametrize("line", [0, 1, 20, -2, -1])
def test_policy_a_byte_of_any_line_is_missed(board: Board, desk: Console, line: int) -> None:
    board.play(40)
    assert desk("export board", why="audit")["end"] == "done"
    (file,) = left(board)
    lines = file.read_bytes().splitlines(keepends=True)
    before = sum(map(len, lines[: line % len(lines)]))
    assert verdicts(board, altered(file, before + len(lines[line]) - 5)) == (1, 1)


def test_policy_a_stick_gets_the_same_file(
    board: Board, desk: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder stands for the mounted stick; whether one is mounted harmlessly is tested below."""
    stick, mounts = tmp_path / "stick", tmp_path / "mounts"
    stick.mkdir()
    mounts.write_text(mounted(HARMLESS).replace(str(STICK), str(stick)))
    monkeypatch.setattr(export, "STICK", stick)
    monkeypatch.setattr(export, "MOUNTS", mounts)
    board.play()
    board.lines.add("door")
    desk.unlock("42")
    assert desk("service on", why="audit")["end"] == "done"
    assert desk("export stick", why="audit of May")["end"] == "done", desk.said
    (file,) = stick.iterdir()
    assert verdicts(board, file) == (0, 0)
    kept = board.commands()[-1]
    assert (kept["command"], kept["arguments"]["target"], kept["why"]) == ("export", "stick", "audit of May")
    assert (kept["by"], kept["role"]) == ("42 Bob", "technician")


def test_policy_a_table_that_keeps_itself_closed_is_exported_all_the_same(
    board: Board, desk: Console
) -> None:
    board.play(40)
    board.settle()
    runner, board.runner = board.runner, None
    try:
        assert desk("export board", why="audit")["end"] == "done", desk.said
    finally:
        board.runner = runner
    assert verdicts(board, left(board)[0]) == (0, 0)


# ---------------------------------------------------------------- whole, or not there


@pytest.mark.parametrize(
    ("part", "words"),
    [("5 3", "no entry 5 among 1 to 3"), ("999999", "no entry 999999 among 1 to")],
)
def test_policy_what_is_not_there_is_not_exported(board: Board, desk: Console, part: str, words: str) -> None:
    board.play(20)
    end = desk(f"export board {part}", why="audit")
    assert (end["code"], words in end["why"]) == ("E-CONS-011", True), end
    assert not (board.rooms.root / "exports").exists()


def test_policy_without_room_nothing_is_begun(
    board: Board, desk: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "KEPT_FREE_BYTES", 2**62)
    assert "MB are free" in desk("export board", why="audit")["why"]
    assert left(board) == []


def test_policy_of_an_export_that_fails_nothing_is_left(
    board: Board, desk: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.play(40)

    def full(_fd: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as medium:
        medium.setattr("sabot.firmware.console.export.os.fsync", full)
        end = desk("export board 1 30", why="audit")
    assert (end["code"], "No space left" in end["why"]) == ("E-CONS-012", True)
    assert left(board) == []
    assert desk("export board 1 30", why="audit")["end"] == "done"


def test_policy_a_journal_that_breaks_off_leaves_no_file(
    board: Board, desk: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    board.play(60)
    made = Making.entry

    def torn(making: Making, entry: Entry) -> bytes:
        if entry.number == 25:
            raise ConsoleError("E-CONS-012", "console", why="a page is torn")
        return made(making, entry)

    monkeypatch.setattr(Making, "entry", torn)
    assert "a page is torn" in desk("export board", why="audit")["why"]
    assert left(board) == []


def test_policy_two_do_not_make_one_file_at_once(board: Board, desk: Console) -> None:
    board.play(20)
    folder = board.rooms.root / "exports"
    folder.mkdir()
    other = export.begin(folder, board.rooms.journal, ExportPart(1, 10))
    assert "is being made" in desk("export board 1 10", why="audit")["why"]
    export.write(other, [b"left by a cut of power, and longer than nothing\n" * 1000])
    other.file.close()
    assert desk("export board 1 10", why="audit")["end"] == "done"
    (file,) = left(board)
    assert ImportedExport(file, board.board.public_key).verify(lambda _size: None).number == 10


def test_policy_a_stream_that_was_cut_off_is_refused(board: Board, desk: Console, tmp_path: Path) -> None:
    board.play(20)
    assert desk("export stream", why="audit")["end"] == "done"
    lines = [said["line"] for said in desk.said if "line" in said]
    file = tmp_path / "cut.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines[:-1]))
    with pytest.raises(JournalError, match="the closing line is missing"):
        ImportedExport(file).verify(lambda _size: None)


# ---------------------------------------------------------------- off the loop


@pytest.mark.parametrize("target", ["stream", "board"])
def test_policy_no_line_of_an_export_is_made_on_the_loop(
    board: Board, desk: Console, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    board.play()
    makers: list[int] = []

    def spied(name: str) -> None:
        made = getattr(Making, name)

        def spy(making: Making, *given: object) -> bytes:
            makers.append(threading.get_ident())
            line = made(making, *given)
            assert isinstance(line, bytes)
            return line

        monkeypatch.setattr(Making, name, spy)

    for name in ("header", "entry", "closing"):
        spied(name)

    async def loops_thread() -> int:
        return threading.get_ident()

    assert desk(f"export {target}", why="audit")["end"] == "done"
    assert len(makers) > 100
    assert board.do(loops_thread()) not in makers


def test_policy_the_table_goes_on_while_it_is_exported(board: Board, desk: Console) -> None:
    """What comes meanwhile is handled, and is not in the export that had begun."""
    board.play()
    said = desk.client.ask(do=["export", "stream"], why="audit")
    header = json.loads(next(said)["line"])
    board.post(DeviceFaulted(at=1.0, device="shoe", fault="device", detail="lamp"))
    *lines, end = said
    assert end["end"] == "done"
    closing = json.loads(lines[-1]["line"])["closing"]
    assert (header["first"], closing["last"]) == (1, len(lines) - 1)
    assert board.entries("event")[-1].number > closing["last"]


# ---------------------------------------------------------------- a stick


def mounted(options: str) -> str:
    return f"{OTHER}36 22 8:17 / {STICK} rw,{options} shared:9 - vfat /dev/sda1 rw\n"


def test_policy_a_stick_that_is_mounted_harmlessly_is_taken() -> None:
    verify_stick(mounted("nosuid,nodev,noexec,relatime"))


@pytest.mark.parametrize(
    ("mounts", "why"),
    [
        (OTHER, "no stick is mounted at /run/sabot/stick"),
        (mounted("nosuid,nodev"), "the stick is mounted without noexec"),
        (mounted("relatime"), "the stick is mounted without nodev noexec nosuid"),
        (mounted("nosuid,nodev,noexec") + mounted("noexec"), "the stick is mounted without nodev nosuid"),
    ],
)
def test_policy_any_other_is_not(mounts: str, why: str) -> None:
    with pytest.raises(ConsoleError, match=why) as caught:
        verify_stick(mounts)
    assert caught.value.kind.code == "E-CONS-012"


def test_policy_others_do_not_look_into_the_exports(tmp_path: Path) -> None:
    assert folder_of(Rooms(tmp_path), to_stick=False).stat().st_mode & 0o027 == 0
