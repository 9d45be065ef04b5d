"""The pictures of docs/practice.md, taken of a round that is dealt: ``python -m tests.practice.pictures``."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.practice.at_page import CHROMIUM, FLAGS, PageCrew
from tests.practice.at_socket import Onlooker, serving

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


def main() -> None:
    """Take them all."""
    with serving("pa682a") as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(served.address)
        onlooker = Onlooker(served.address)
        crew = PageCrew(served.root, page, onlooker, by_keys=False)
        crew.follow_to("BETS OPEN")
        for seat, wager, cents in (
            (1, "ante", 2500),
            (3, "ante", 5000),
            (3, "prime", 1000),
            (5, "ante", 11000),
        ):
            crew.lay(seat, wager, cents)
        crew.at.wait("the lamps", lambda: page.locator(".spot.lit").count() == 4)
        crew.at.press("LOCK")
        crew.follow_to("SEAT 3")
        crew.act("turn", place="SEAT 1")
        page.locator("#console-line").fill("status")
        page.keyboard.press("Enter")
        page.mouse.move(0, 0)
        page.screenshot(path=PICTURES / "practice-felt.png")
        onlooker.close()
        browser.close()


if __name__ == "__main__":
    main()
