"""How quick the practice table is: from its start to a table, and from a click to its pixels.

``python -m tests.practice.measure [COUNT]`` serves a table, opens it in Chromium and clicks. Each time begins in
the page where the click is handled and ends two frames after what it changed was drawn. What only the browser
and the socket take is measured beside it, in the same page, with a deed that is refused.
"""

import os
import platform
import sys
import time
from statistics import median
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from tests.practice.at_page import CHROMIUM, FLAGS, INSTALL
from tests.practice.at_socket import Onlooker, serving

COUNT, WARM = 200, 10
# Clicks `press`, and is done when the text or the attributes of `watch` have changed and were drawn.
CLICK = """([press, watch, dx, dy]) => new Promise((done, give_up) => {
  setTimeout(() => give_up(new Error(`nothing changed at ${watch}`)), 30000);
  const target = document.querySelector(press);
  const box = target.getBoundingClientRect();
  const began = performance.now();
  const seen = new MutationObserver(() => {
    seen.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
  });
  seen.observe(document.querySelector(watch), { subtree: true, childList: true, attributes: true, characterData: true });
  const at = { bubbles: true, cancelable: true, button: 0, pointerId: 1, clientX: box.x + dx, clientY: box.y + dy };
  if (press.startsWith("#key")) {
    target.dispatchEvent(new PointerEvent("lostpointercapture", at));
    target.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
    setTimeout(() => target.dispatchEvent(new KeyboardEvent("keyup", { key: "Enter", bubbles: true })), 0);
  } else target.dispatchEvent(new MouseEvent("click", at));
})"""


class Way(NamedTuple):
    """A click, where its pixels are, and what lies between."""

    name: str
    press: str
    watch: str
    between: str


WAYS = (
    Way("socket alone", "[data-cable=nothing]", "#said", "page and server: a deed that is refused"),
    Way("a card turned", "#felt [aria-label^='Turn dealer, card 1']", "#felt", "page, server, cards"),
    Way("chips on a spot", "#seat-1 .spot", "#seat-1", "page, server, devices and back"),
    Way(
        "a key, refused", "#key-FOLD", ".events", "page, server, devices, program, journal, console and back"
    ),
)


def ms(times: list[float], share: float) -> float:
    """Return what so many of a hundred are at most, in milliseconds."""
    return sorted(times)[min(len(times) - 1, round(share / 100 * len(times)))]


def click(page: Page, way: Way) -> float:
    """Return the milliseconds of one click."""
    return float(page.evaluate(CLICK, [way.press, way.watch, 4, 4]))


def measure(page: Page, way: Way, count: int) -> list[float]:
    """Return the milliseconds of many clicks, without the first ones."""
    times = []
    for _ in range(count + WARM):
        times.append(click(page, way))
        page.wait_for_timeout(20)
    return times[WARM:]


def main(count: int) -> None:
    """Print what was measured."""
    assert CHROMIUM is not None, INSTALL
    began = time.monotonic()
    with serving("pa641a", "--method", "hand") as served, sync_playwright() as playwright:
        listening_s = time.monotonic() - began
        onlooker = Onlooker(served.address)
        onlooker.wait(lambda: "SIGN ON" in " ".join(onlooker.seen["shows"]["display"]["lines"]))
        ready_s = time.monotonic() - began
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(served.address)
        page.locator("#key-OK").wait_for()
        page.locator("[data-do=by_hand]").first.click()
        page.locator("#felt [aria-label^='Lay a card at dealer']").click(position={"x": 6, "y": 6})
        page.locator("#felt [aria-label^='Turn dealer, card 1']").wait_for()
        _add_refusal(page)
        print(
            f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        )
        print("load " + " ".join(f"{each:.1f}" for each in os.getloadavg()) + f", {count} clicks of each")
        print(
            f"from exec to the address {listening_s:.2f} s, to a table that asks for its dealer {ready_s:.2f} s\n"
        )
        print("| click | p50 ms | p99 ms | what lies between |\n|---|---|---|---|")
        for way in WAYS:
            times = measure(page, way, count)
            print(f"| {way.name} | {median(times):.1f} | {ms(times, 99):.1f} | {way.between} |", flush=True)
        onlooker.close()
        browser.close()


def _add_refusal(page: Page) -> None:
    """A button of the page that asks for what cannot be: its answer is words, and different ones each time."""
    page.evaluate(
        """() => {
          const cables = document.querySelector("[data-do=turn_key]");
          const button = cables.cloneNode(true);
          button.dataset.cable = "nothing";
          let n = 0;
          button.addEventListener("click", () => window.practice.do("cable", { device: `nothing ${++n}`, in: true }));
          document.body.append(button);
        }"""
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else COUNT)
