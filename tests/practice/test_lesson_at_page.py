"""Lessons in real Chromium, each irregularity once, by clicks alone; and the cables, one after the other.

`make practice-test`, which sets SABOT_PRACTICE.
"""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from sabot.practice.lesson import LESSON, shelf
from tests.practice.at_page import PageCrew
from tests.practice.at_socket import serving
from tests.practice.learner import Learner

pytestmark = pytest.mark.skipif("SABOT_PRACTICE" not in os.environ, reason="minutes: make practice-test")
# One of each paragraph of x.13, the chapters in turn.
IRREGULARITIES = (
    "pa641a.13(a) lesson: a card face up, hand",
    "md4cp.13.B lesson: a second card face up, hand",
    "pa679a.13(b) lesson: a card drawn in error",
    "pa682a.13(c) lesson: a wrong number of cards",
    "pa683a.13(d) lesson: a card is seen before its turn",
    "pa641a.13(e) lesson: the shuffler stops",
    "md4cp.13.G lesson: the automated shoe jams while it deals",
    "pa679a.13(g) lesson: a device is out of order",
)
OTHERS = (
    "pa641a.11(c)(5) lesson: four aces, and the meter is won",
    "pa679a our policy: lesson: the power fails in a round",
    "pa682a.10(d) lesson: the stub is counted",
)


class AtPage(Learner):
    """A learner who clicks."""

    def __init__(self, served: object, page: Page) -> None:
        super().__init__(
            served,  # type: ignore[arg-type]
            lambda root, onlooker: PageCrew(root, page, onlooker, by_keys=False),
        )
        self.page = page
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    def choose(self, name: str, part: str) -> None:
        """Find a lesson in the pane, and begin it."""
        self.page.get_by_role("button", name="Lessons", exact=True).click()
        self.page.get_by_role("button", name=part, exact=True).last.click()
        self.page.locator("#lesson-search").fill(name)
        self.onlooker.seen["lesson"] = {}
        self.page.get_by_role("button", name=name, exact=True).click()
        self.onlooker.wait(lambda: self.now.get("name") == name)
        self.page.locator("#lesson strong", has_text=name).wait_for()


@pytest.fixture(scope="module")
def learner(page: Page) -> Iterator[AtPage]:
    with serving("pa641a") as served:
        page.goto(served.address)
        page.locator("#key-OK").wait_for()
        made = AtPage(served, page)
        yield made
        made.close()
        assert made.errors == []


@pytest.mark.parametrize("name", [*IRREGULARITIES, *OTHERS])
def test_a_lesson_is_finished_with_a_full_score_by_clicks_alone(learner: AtPage, name: str) -> None:
    assert shelf().lessons[name].kind == LESSON
    learner.choose(name, "both")
    learner.wait_for_step()
    learner.play()
    assert learner.now["why"] == ""
    assert learner.now["marks"]["missed"] == []
    learner.page.locator("#lesson .says", has_text="Done, with 100 of 100").wait_for()
