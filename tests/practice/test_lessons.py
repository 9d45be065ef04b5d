"""Lessons as a learner meets them: a full score, a miss, a step back, the floor's part, and what is kept of it."""

import json
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.practice.at_socket import serving
from tests.practice.learner import Learner

VOID = "pa641a.13(c) lesson: a wrong number of cards"
COVERED = "pa641a.13(g) lesson: a device is out of order"


@pytest.fixture(scope="module")
def learner() -> Iterator[Learner]:
    with serving("pa641a", "--method", "hand", "--learner", "A. Dealer") as served:
        made = Learner(served)
        yield made
        made.close()


def test_641a_13c_a_lesson_is_finished_with_a_full_score(learner: Learner) -> None:
    learner.order("begin", name=VOID, roles=["dealer"])
    learner.wait_for_step()
    learner.play()
    assert learner.now["why"] == ""
    assert learner.now["done"]
    assert learner.now["marks"]["missed"] == []
    assert learner.now["marks"]["score"] == 100


def test_641a_13c_what_was_played_is_a_scenario_that_holds_on_the_rig(learner: Learner) -> None:
    text = learner.get("round.toml")
    file = learner.served.root.parent / "found.toml"
    file.write_text(text, encoding="utf-8")
    command = [sys.executable, "-Im", "sabot", "hil", "run", str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + text
    assert "key: MENU" in text
    assert "see display: VOID: RETURN ALL / WAGERS, THEN OK" in text


def test_a_wrong_key_is_missed_and_a_step_back_is_the_step_before(learner: Learner) -> None:
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


def test_641a_13g_the_floors_part_is_learnt_alone(learner: Learner) -> None:
    learner.order("begin", name=COVERED, roles=["floor"])
    learner.wait_for_step()
    learner.play()
    assert learner.now["why"] == ""
    assert learner.now["tasks"][0]["who"] == "dealer"
    assert learner.now["marks"]["score"] == 100


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
