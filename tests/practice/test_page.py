"""The page in real Chromium, at a table that nobody has opened yet: it loads, hands work, and everybody can use it."""

from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.practice.at_socket import Onlooker, serving

PANES = ("Lessons", "Console", "Events", "Wire", "Journal", "Phase")
TABS = ("Chips and cards", "People", "World", "Watch")
SIZES = [(1280, 800), (1180, 820), (820, 1180), (390, 844)]


@pytest.fixture(scope="module")
def onlooker(page: Page) -> Iterator[Onlooker]:
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    with serving("pa641a", "--method", "hand") as served:
        page.goto(served.address)
        page.locator("#display[aria-label*='SIGN ON']").wait_for()
        onlooker = Onlooker(served.address)
        yield onlooker
        onlooker.close()
    assert errors == []


def open_tab(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def test_a_card_is_drawn_laid_and_turned(page: Page, onlooker: Onlooker) -> None:
    page.get_by_role("button", name="Shuffle red by hand", exact=True).click()
    page.locator("#felt [aria-label^='Lay a card at seat 2']").click(position={"x": 6, "y": 6})
    page.locator("#felt [aria-label^='Turn seat 2, card 1: face down, red back']").click()
    page.locator("#felt [aria-label^='Turn seat 2, card 1'] .face").wait_for()
    assert len(onlooker.seen["cards"]["places"]["SEAT 2"][0]) == 2


def test_chips_are_dragged_to_a_spot_to_another_and_off_the_felt(page: Page, onlooker: Onlooker) -> None:
    first, second = page.locator("#seat-1 .spot").nth(0), page.locator("#seat-3 .spot").nth(1)
    page.locator("[data-cents='2500']").drag_to(first)
    page.locator("#seat-1 .spot[aria-label*='Ante: $25']").wait_for()
    first.drag_to(second)
    page.locator("#seat-3 .spot[aria-label*='$25']").wait_for()
    assert onlooker.seen["shows"]["pads"]["cents"][0] == 0
    second.drag_to(page.locator("header h1"))
    onlooker.wait(lambda: not any(onlooker.seen["shows"]["pads"]["cents"]))


def test_keys_go_down_by_click_and_by_letter_and_a_refusal_is_said(page: Page, onlooker: Onlooker) -> None:
    page.locator("#key-FOLD").click()
    page.locator("#why .refused").wait_for()
    for letter in ("o", "b"):
        page.keyboard.down(letter)
    page.locator(".key.down").nth(1).wait_for()
    onlooker.wait(
        lambda: onlooker.seen["shows"]["lines"]["key_ok"] == onlooker.seen["shows"]["lines"]["key_back"] == 0
    )
    for letter in ("o", "b"):
        page.keyboard.up(letter)
    onlooker.wait(lambda: onlooker.seen["shows"]["lines"]["key_ok"] == 1)


@pytest.mark.usefixtures("onlooker")
def test_the_panes_have_bytes_entries_and_the_phase(page: Page) -> None:
    open_tab(page, "Wire")
    page.locator(".wire li", has_text="pads").first.wait_for()
    open_tab(page, "Journal")
    page.locator(".out.tall", has_text="LinkRestored").wait_for()
    open_tab(page, "Phase")
    page.locator(".life rect.now").wait_for()
    open_tab(page, "Console")
    page.locator("#console-line").fill("status")
    page.keyboard.press("Enter")
    page.locator("#panes .console .out", has_text="NOT FOR PLAY").wait_for()


@pytest.mark.usefixtures("onlooker")
def test_axe_finds_nothing_in_any_tab_and_would_have(page: Page) -> None:
    for tab, pane in zip((*TABS, *TABS[:2]), PANES, strict=True):
        open_tab(page, tab)
        open_tab(page, pane)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
    open_tab(page, "World")
    page.evaluate("document.getElementById('hours').labels[0].remove()")
    assert Axe().run(page, context="#hands").violations_count == 1


@pytest.mark.usefixtures("onlooker")
@pytest.mark.parametrize("size", SIZES)
def test_the_page_fits_and_says_that_it_is_not_for_play(page: Page, size: tuple[int, int]) -> None:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    too_wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert too_wide <= 0
    assert page.locator("header .notice").is_visible()
    page.set_viewport_size({"width": 1280, "height": 800})


@pytest.mark.usefixtures("onlooker")
def test_the_page_does_no_work_while_nothing_happens(page: Page) -> None:
    """Nothing changes for as long as anything periodic at a table would take, once the table has come to rest."""
    open_tab(page, "Console")
    is_quiet = page.evaluate(
        """() => new Promise((done) => {
          const end = (said) => { watch.disconnect(); clearTimeout(rest); clearTimeout(most); done(said); };
          const most = setTimeout(() => end(false), 60_000);
          let rest = setTimeout(() => end(true), 2_500);
          const watch = new MutationObserver(() => { clearTimeout(rest); rest = setTimeout(() => end(true), 2_500); });
          watch.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
        })"""
    )
    assert is_quiet
