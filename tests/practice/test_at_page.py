"""A day at the practice page in real Chromium: opened and dealt by clicks, dealt by keys, and what goes wrong.

It is one table and one day, in the order of the tests, for to open a table takes its time: `make practice-test`,
which sets SABOT_PRACTICE.
"""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from sabot.hil.table.console import RigConsole
from tests.practice.at_page import PageCrew
from tests.practice.at_socket import Onlooker, serving

CABLES = ("pads", "display", "shuffler", "shoe", "accounts", "sign")
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
        self.crew.at.mark()
        self.page.get_by_role("button", name=words, exact=True).click()

    def is_heard(self, device: str) -> bool:
        """The console says that a device is up again."""
        desk = RigConsole(self.onlooker.folder / "console.sock")
        try:
            return any(each["device"] == device and each["up"] for each in desk.say("devices").data)
        finally:
            desk.close()

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


def test_a_round_plays_itself_while_somebody_watches(day: Day) -> None:
    day.crew.tab("Watch")
    for name in ("fast", "players", "dealer", "floor"):
        day.page.get_by_role("button", name=name, exact=True).click()
    day.sees("CARDS TO RACK")
    assert day.page.locator("#felt .face").count() >= 5
    day.crew.tab("Watch")
    for name in ("players", "dealer", "floor"):
        day.page.get_by_role("button", name=name, exact=True).click()
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


@pytest.fixture(scope="module")
def wired(browser: Browser) -> Iterator[Day]:
    """A table with every kind of cable, and bets open."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    for day in sit_down(page, "pa641a", "--method", "manual_shoe", by_keys=False):
        day.crew.follow_to("BETS OPEN")
        yield day
    page.close()


def test_the_cables_are_those_of_every_device(wired: Day) -> None:
    wired.crew.tab("World")
    names = wired.page.locator("[data-cable]").evaluate_all("all => all.map((each) => each.dataset.cable)")
    assert sorted(names) == sorted(CABLES)


@pytest.mark.parametrize("device", CABLES)
def test_each_cable_is_pulled_and_put_back(wired: Day, device: str) -> None:
    wired.world(f"{device}: pull")
    wired.page.get_by_role("button", name=f"{device}: plug in", exact=True).wait_for()
    wired.onlooker.wait(lambda: "lost_link" in str(wired.onlooker.seen["told"]["view"]["held"]))
    wired.world(f"{device}: plug in")
    wired.page.get_by_role("button", name=f"{device}: pull", exact=True).wait_for()
    wired.onlooker.wait(lambda: wired.is_heard(device))
    wired.sees("HELD: DEVICE SILENT", "FLOOR: RELEASE")
    wired.crew.floor("RELEASE")
    wired.sees("BETS OPEN")


@pytest.mark.parametrize("by_keys", [False, True], ids=["clicks", "keys"])
@pytest.mark.parametrize("chapter", sorted(CHAPTERS))
def test_a_round_of_every_chapter(browser: Browser, chapter: str, by_keys: bool) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    for day in sit_down(page, chapter, "--method", CHAPTERS[chapter], by_keys=by_keys):
        deal_a_round(day, 1, 2)
    page.close()
