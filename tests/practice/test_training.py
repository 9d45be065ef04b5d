"""A learner's progress is a file that can be read, and a page that can be printed."""

from pathlib import Path

import pytest

from sabot.cli import main
from sabot.practice.judge import Miss
from sabot.practice.lesson import Lesson, shelf
from sabot.practice.marks import Marks
from sabot.practice.training import LearnerProgress, folder

NAME = "pa641a.13(c) lesson: a wrong number of cards"


def lesson() -> Lesson:
    return shelf().lessons[NAME]


def marks(*, missed: bool) -> Marks:
    made = Marks(right=9)
    if missed:
        made.judge(1, Miss("OK", ("BETS OPEN", "<1> SEATS"), "LOCK"))
    return made


def test_the_best_of_each_lesson_is_known(tmp_path: Path) -> None:
    progress = LearnerProgress("A. Dealer", tmp_path / "kept")
    assert progress.best() == {}
    for missed in (True, False, True):
        progress.add(lesson(), ["dealer"], marks(missed=missed))
    assert progress.best() == {NAME: 100}
    assert [row["score"] for row in progress.rows()] == [90, 100, 90]


def test_a_line_that_was_cut_off_takes_nothing_with_it(tmp_path: Path) -> None:
    progress = LearnerProgress("A", tmp_path)
    progress.add(lesson(), ["dealer"], marks(missed=False))
    with progress.file.open("a", encoding="utf-8") as file:
        file.write('{"lesson": "half')
    assert len(progress.rows()) == 1


@pytest.mark.parametrize(
    ("learner", "file"), [("../../etc/x", "etc-x.jsonl"), ("", "learner.jsonl"), ("Å. B", "Å.-B.jsonl")]
)
def test_a_name_is_no_path(tmp_path: Path, learner: str, file: str) -> None:
    assert LearnerProgress(learner, tmp_path).file == tmp_path / file


def test_the_page_says_what_was_missed_and_that_it_is_not_for_play(tmp_path: Path) -> None:
    progress = LearnerProgress("<b>A</b>", tmp_path)
    assert "No lesson has been finished yet" in progress.page()
    progress.add(lesson(), ["dealer", "floor"], marks(missed=True))
    page = progress.page()
    assert "NOT FOR PLAY" in page
    assert "OK at BETS OPEN / &lt;1&gt; SEATS: LOCK" in page
    assert "&lt;b&gt;A" in page
    assert "<b>" not in page


def test_the_command_prints_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    LearnerProgress("A", tmp_path).add(lesson(), ["dealer"], marks(missed=False))
    assert main(["practice", "--learner", "A", "--progress", str(tmp_path), "--record"]) == 0
    assert NAME in capsys.readouterr().out


def test_a_lesson_that_nobody_has_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["practice", "--lesson", "how to win"]) == 2
    assert "E-CLI-003" in capsys.readouterr().err


def test_progress_is_kept_in_the_users_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert folder() == Path("/data/sabot-practice")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/home/a")
    assert folder() == Path("/home/a/.local/share/sabot-practice")
