"""The page in Firefox: it loads, a card is dealt and turned by clicks, and nothing is said on its console."""

import os
from pathlib import Path

import pytest

from tests.practice.at_socket import Onlooker, serving
from tests.practice.firefox import FIREFOX, INSTALL, firefox

pytestmark = [
    pytest.mark.skipif("SABOT_PRACTICE" not in os.environ, reason="minutes: make practice-test"),
    pytest.mark.skipif(FIREFOX is None, reason=f"there is no Firefox: {INSTALL}"),
]
DEALER = "#felt [aria-label^='Lay a card at dealer']"
TURN = "#felt [aria-label^='Turn dealer, card 1']"


def test_a_card_is_dealt_and_turned_and_nothing_goes_wrong(tmp_path: Path) -> None:
    with serving("pa641a", "--method", "hand") as served, firefox(tmp_path) as browser:
        onlooker = Onlooker(served.address)
        browser.open(served.address)
        browser.wait("!!document.querySelector('#display[aria-label*=\"SIGN ON\"]')")
        browser.click("[data-do=by_hand]")
        onlooker.wait(lambda: len(onlooker.seen["cards"]["pack"]) == 52)
        browser.click(DEALER, dy=-28)
        onlooker.wait(lambda: bool(onlooker.seen["cards"]["places"].get("DEALER")))
        browser.wait(f'document.querySelector("{TURN}")?.querySelector(".back") !== null')
        browser.click(TURN)
        browser.wait(f'!!document.querySelector("{TURN} .face")')
        browser.click("#key-OK")
        onlooker.wait(lambda: "SIGN ON" not in " ".join(onlooker.seen["shows"]["display"]["lines"]))
        width = browser.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        onlooker.close()
        assert width <= 0
        assert browser.errors == []
