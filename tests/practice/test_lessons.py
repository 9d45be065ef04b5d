"""Lessons as a learner meets them: a full score, a miss, a step back, the floor's part, and what is kept of it."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.practice.at_socket import serving
from tests.practice.learner import Learner


class Played(NamedTuple):
    """A lesson that was played: what the page showed in the end, and what was saved of it."""

    now: dict[str, Any]
    story: str


VOID = "pa641a.13(c) lesson: a wrong number of cards"
COVERED = "pa641a.13(g) lesson: a device is out of order"


@pytest.fixture(scope="module")
def learner() -> Iterator[Learner]:
    with serving("pa641a", "--method", "hand", "--learner", "A. Dealer") as served:
        made = Learner(served)
        yield made
        made.close()


@pytest.fixture(scope="module")
def voided(learner: Learner) -> Played:
    """A wrong number of cards, played by a dealer who knows."""
    return play(learner, VOID, "dealer")


@pytest.fixture(scope="module")
def covered(voided: Played, learner: Learner) -> Played:
    """A device out of order, played by a floorperson who knows."""
    assert voided.now
    return play(learner, COVERED, "floor")


def play(learner: Learner, name: str, role: str) -> Played:
    learner.order("begin", name=name, roles=[role])
    learner.wait_for_step()
    learner.play()
    return Played(learner.now, learner.get("round.toml"))


def test_641a_13c_a_lesson_is_finished_with_a_full_score(voided: Played) -> None:
    assert voided.now["why"] == ""
    assert voided.now["done"]
    assert voided.now["marks"]["missed"] == []
    assert voided.now["marks"]["score"] == 100


def test_641a_13c_what_was_played_is_a_scenario_that_holds_on_the_rig(voided: Played, tmp_path: Path) -> None:
    file = tmp_path / "found.toml"
    file.write_text(voided.story, encoding="utf-8")
    command = [sys.executable, "-Im", "sabot", "hil", "run", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + voided.story
    assert "key: MENU" in voided.story
    assert "see display: VOID: RETURN ALL / WAGERS, THEN OK" in voided.story


def test_a_wrong_key_is_missed_and_a_step_back_is_the_step_before(learner: Learner) -> None:
    learner.order("begin", name=VOID)
    learner.wait_for_step()
    learner.order("again")
    locking = learner.wait_for_step()
    crew = learner.crew()
    crew.press("OK")
    learner.onlooker.wait(lambda: bool(learner.now["marks"]["missed"]))
    assert learner.now["marks"]["missed"][0]["wanted"] == "LOCK"
    crew.press("LOCK")
    dealing = learner.wait_for_step(locking)
    crew.close()
    learner.order("back")
    assert learner.wait_for_step() == locking
    assert learner.now["marks"]["right"] == 1
    learner.onlooker.do(do="lesson", word="show")
    assert learner.wait_for_step(locking) == dealing
    assert learner.now["marks"]["missed"][-1]["pressed"] == "(shown)"
    assert learner.now["marks"]["score"] == 33


def test_641a_13g_the_floors_part_is_learnt_alone(covered: Played) -> None:
    assert covered.now["why"] == ""
    assert covered.now["tasks"][0]["who"] == "dealer"
    assert covered.now["marks"]["score"] == 100


@pytest.mark.usefixtures("covered")
def test_progress_is_kept_and_printed(learner: Learner) -> None:
    kept = list((learner.served.root.parent / "progress").iterdir())
    assert [path.name for path in kept] == ["A.-Dealer.jsonl"]
    rows = [json.loads(line) for line in kept[0].read_text(encoding="utf-8").splitlines()]
    assert [(row["lesson"], row["roles"], row["score"]) for row in rows] == [
        (VOID, ["dealer"], 100),
        (COVERED, ["floor"], 100),
    ]
    page = learner.get("record.html")
    assert "NOT FOR PLAY" in page
    assert COVERED in page
    best = {row["name"]: row["best"] for row in json.loads(learner.get("lessons.json"))}
    assert best[VOID] == 100


def test_what_is_no_lesson_is_refused(learner: Learner) -> None:
    learner.onlooker.do(do="lesson", word="begin", name="how to win")
    learner.onlooker.wait(lambda: "how to win" in str(learner.onlooker.seen.get("refused")))
    learner.onlooker.do(do="lesson", word="begin", name=VOID, roles=["player"])
    learner.onlooker.wait(lambda: "dealer or floor" in str(learner.onlooker.seen.get("refused")))
    learner.order("leave")
    learner.onlooker.do(do="lesson", word="again")
    learner.onlooker.wait(lambda: "no lesson" in str(learner.onlooker.seen.get("refused")))


def test_a_page_that_leaves_while_a_lesson_is_made_ready_takes_nothing_with_it(learner: Learner) -> None:
    learner.order("begin", name="pa679a.13(c) lesson: a wrong number of cards")
    learner.onlooker.close()
    again = Learner(learner.served)
    again.wait_for_step()
    assert again.now["chapter"] == "pa679a"
    again.close()
