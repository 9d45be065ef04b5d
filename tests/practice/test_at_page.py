"""A day at the practice page in real Chromium: opened and dealt by clicks, dealt by keys, and what goes wrong.

It is one table and one day, in the order of the tests, for to open a table takes its time: `make practice-test`,
which sets SABOT_PRACTICE.
"""

import os
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.practice.at_page import PageCrew
from tests.practice.at_socket import Onlooker, serving

CHAPTERS = {"pa641a": "auto_shoe", "md4cp": "hand", "pa679a": "auto_shoe", "pa683a": "auto_shoe"}
pytestmark = pytest.mark.skipif("SABOT_PRACTICE" not in os.environ, reason="minutes: make practice-test")


class Day:
    """A page, somebody at it, and everything that went wrong in the browser."""

    def __init__(self, page: Page, crew: PageCrew, onlooker: Onlooker) -> None:
        self.page, self.crew, self.onlooker = page, crew, onlooker
        self.errors: list[str] = []
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)

    def world(self, words: str) -> None:
        """A button of the tab for what the world does."""
        self.crew.tab("World")
        self.page.get_by_role("button", name=words, exact=True).click()

    def sees(self, *words: str) -> None:
        """The page itself shows these words on its display."""
        self.crew.at.wait_display(*words)
        for word in words:
            self.page.locator(f"#display[aria-label*='{word}']").wait_for()


def sit_down(page: Page, *words: str, by_keys: bool) -> Iterator[Day]:
    with serving(*words) as served:
        page.goto(served.address)
        onlooker = Onlooker(served.address)
        crew = PageCrew(served.root, page, onlooker, by_keys=by_keys)
        day = Day(page, crew, onlooker)
        try:
            crew.at.wait_display("SIGN ON")
            yield day
        finally:
            onlooker.close()
        assert day.errors == []


def deal_a_round(day: Day, *seats: int) -> None:
    """From the chips of these seats to the next wagers."""
    crew = day.crew
    crew.follow_to("BETS OPEN")
    for seat in seats:
        crew.lay(seat, "ante", 2500)
    crew.at.wait("their lamps", lambda: day.page.locator(".spot.lit").count() == len(seats))
    crew.at.press("LOCK")
    crew.at.wait("the lock", lambda: day.page.locator(".spot.open").count() == 0)
    crew.follow_to("CARDS TO RACK")
    felt = crew.felt()
    assert all(felt["places"][f"SEAT {seat}"] for seat in seats)
    crew.rack()
    crew.follow_to("BETS OPEN")


@pytest.fixture(scope="module")
def day(page: Page) -> Iterator[Day]:
    yield from sit_down(page, "pa682a", by_keys=False)


def test_a_day_is_opened_and_a_round_dealt_by_clicks_alone(day: Day) -> None:
    deal_a_round(day, 1, 4)
    assert sum(len(pile) for pile in day.crew.felt()["places"].values()) == 0


def test_a_round_is_dealt_by_the_keyboard_alone(day: Day) -> None:
    day.crew.at.by_keys = True
    day.page.mouse.move(0, 0)
    deal_a_round(day, 2)
    day.crew.at.by_keys = False


def test_why_is_said_beside_the_display_and_so_is_a_refusal(day: Day) -> None:
    assert "682a" in day.page.locator("#why strong").inner_text()
    day.crew.at.press("FOLD")
    day.page.locator("#why .refused").wait_for()


def test_the_console_in_the_pane_is_the_real_one(day: Day) -> None:
    day.page.locator("#console-line").fill("status")
    day.page.keyboard.press("Enter")
    day.page.locator("#panes .out", has_text="NOT FOR PLAY").wait_for()


def test_a_cable_is_pulled_and_put_back(day: Day) -> None:
    day.world("shuffler: pull")
    day.page.get_by_role("button", name="shuffler: plug in", exact=True).wait_for()
    day.onlooker.wait(lambda: "lost_link" in str(day.onlooker.seen["told"]["view"]["held"]))
    day.world("shuffler: plug in")
    day.page.get_by_role("button", name="shuffler: pull", exact=True).wait_for()
    day.sees("HELD: DEVICE SILENT", "FLOOR: RELEASE")
    day.crew.floor("RELEASE")
    day.sees("BETS OPEN")


def test_axe_finds_nothing_and_would_have(day: Day) -> None:
    day.crew.tab("World")
    found = Axe().run(day.page)
    assert found.violations_count == 0, found.generate_report()
    day.page.evaluate("document.getElementById('hours').labels[0].remove()")
    assert Axe().run(day.page, context="#hands").violations_count == 1


@pytest.mark.parametrize("size", [(1280, 800), (820, 1180), (390, 844)])
def test_the_page_fits_a_screen_a_tablet_and_a_phone(day: Day, size: tuple[int, int]) -> None:
    day.page.set_viewport_size({"width": size[0], "height": size[1]})
    too_wide = day.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    day.page.set_viewport_size({"width": 1280, "height": 800})
    assert too_wide <= 0


def test_the_page_does_no_work_while_nothing_happens(day: Day) -> None:
    changes = day.page.evaluate(
        """() => new Promise((done) => {
          let count = 0;
          const watch = new MutationObserver((records) => { count += records.length; });
          watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
          setTimeout(() => { watch.disconnect(); done(count); }, 700);
        })"""
    )
    assert changes == 0


def test_a_round_plays_itself_while_somebody_watches(day: Day) -> None:
    day.crew.tab("Watch")
    for name in ("fast", "players", "dealer", "floor"):
        day.page.get_by_role("button", name=name, exact=True).click()
    day.sees("CARDS TO RACK")
    assert day.page.locator("#felt .face").count() >= 5
    day.crew.tab("Watch")
    for name in ("players", "dealer", "floor"):
        day.page.get_by_role("button", name=name, exact=True).click()
    day.crew.in_play, day.crew.loaded = "A", ["A"]
    day.crew.follow_to("BETS OPEN")


def test_power_is_cut_in_the_middle_of_a_round_and_it_comes_back_held(day: Day) -> None:
    day.crew.lay(1, "ante", 2500)
    day.crew.at.press("LOCK")
    day.sees("CARD 1 TO", "SEAT 1")
    day.crew.draw()
    day.world("cut the power")
    day.page.get_by_text("The controller has no power.").wait_for()
    day.world("power on")
    day.page.get_by_text("The controller is on.").wait_for()
    day.sees("HELD: RESTARTED")
    assert day.page.locator("#felt .back").count() >= 1


@pytest.mark.parametrize("by_keys", [False, True], ids=["clicks", "keys"])
@pytest.mark.parametrize("chapter", sorted(CHAPTERS))
def test_a_round_of_every_chapter(browser: Browser, chapter: str, by_keys: bool) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    for day in sit_down(page, chapter, "--method", CHAPTERS[chapter], by_keys=by_keys):
        deal_a_round(day, 1, 2)
    page.close()
