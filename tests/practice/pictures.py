"""The pictures of docs/practice.md, taken of a round that is dealt: ``python -m tests.practice.pictures``."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from sabot.practice.lesson import shelf
from tests.practice.at_page import CHROMIUM, FLAGS
from tests.practice.at_socket import serving
from tests.practice.learner import take
from tests.practice.test_lesson_at_page import AtPage

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
WAGERS = ((1, "ante", 2500), (3, "ante", 5000), (3, "prime", 1000), (5, "ante", 11000))
LESSON = "pa641a.13(c) lesson: a wrong number of cards"


def main() -> None:
    """Take them all."""
    with serving("pa682a") as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(served.address)
        learner = AtPage(served, page)
        take_felt(learner)
        take_lesson(learner)
        learner.close()
        browser.close()


def take_felt(learner: AtPage) -> None:
    """A round in which seat 1 has raised and seat 3 is asked."""
    page, crew = learner.page, learner.crew()
    crew.follow_to("BETS OPEN")
    for seat, wager, cents in WAGERS:
        crew.lay(seat, wager, cents)
    crew.hands.wait("the lamps", lambda: page.locator(".spot.lit").count() == len(WAGERS))
    crew.press("LOCK")
    crew.follow_to("SEAT 3")
    crew.act("turn", place="SEAT 1")
    page.locator("#console-line").fill("status")
    page.keyboard.press("Enter")
    page.mouse.move(0, 0)
    page.screenshot(path=PICTURES / "practice-felt.png")
    crew.close()


def take_lesson(learner: AtPage) -> None:
    """The players are asked; somebody has pressed a key too many, and has a wrong number of cards to tell."""
    learner.choose(LESSON, "dealer")
    crew, tasks = learner.crew(), shelf().lessons[LESSON].tasks
    locking = learner.wait_for_step()
    crew.press("OK")
    crew.press("LOCK")
    dealing = learner.wait_for_step(locking)
    take(crew, tasks[dealing].step)
    learner.wait_for_step(dealing)
    learner.page.get_by_role("button", name="Phase", exact=True).click()
    learner.page.locator(".life rect.now").wait_for()
    learner.page.mouse.move(0, 0)
    learner.page.screenshot(path=PICTURES / "practice-lesson.png")
    crew.close()


if __name__ == "__main__":
    main()
