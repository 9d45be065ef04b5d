"""One browser for the tests of a module at the page."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.practice.at_page import CHROMIUM, FLAGS, INSTALL

SIZE = {"width": 1280, "height": 800}


@pytest.fixture(scope="module")  # no longer: its loop would run in the thread of other tests (tests/loops.py)
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip(f"there is no Chromium: {INSTALL}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport=SIZE)  # type: ignore[arg-type]
    yield page
    page.close()
