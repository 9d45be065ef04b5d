"""A person at the practice page: real Chromium, moved by clicks alone or by keys alone.

What the page shows a test reads from a second connection, as another page would get it; whatever is done is done
in the browser.
"""

import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

from sabot.hil.table.crew import FLOOR, CrewMember
from sabot.hil.table.game import Game, read_game
from sabot.hil.table.hands import Hands, NotSeenError
from sabot.practice.layout import KEYS
from sabot.practice.players import PracticePlayers
from tests.practice.at_socket import PATIENCE_S, Onlooker

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
INSTALL = "sudo apt-get install chromium"
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
TYPED = {name: typed for name, _legend, typed in KEYS}
TITLES = {"11": "Dealer", "21": "Floor", "31": "Technician"}
MOST_TABS = 160


class PageHands(Hands):
    """The eyes of a crew, and hands that reach nothing but a page."""

    def __init__(self, root: Path, page: Page, *, by_keys: bool) -> None:
        super().__init__(root, PATIENCE_S)
        self.page, self.by_keys = page, by_keys

    def do(self, device: str, action: str) -> None:
        raise AssertionError(f"nobody does {action} to {device} but at the page")

    def press(self, *names: str) -> None:
        for name in names:
            # The next row of the diary is what the page does with it.
            self.listen(0.0)
            self.did = len(self.rows)
            if self.by_keys:
                self.page.keyboard.press(TYPED[name].lower() if len(TYPED[name]) == 1 else TYPED[name])
            else:
                self.page.locator(f"#key-{name}").click()

    # ------------------------------------------------------------ what is reached

    def use(self, target: Locator, near: str = "", *, at_edge: bool = False) -> None:
        """Click it; or go there with the keyboard and press Enter."""
        if not self.by_keys:
            target.click(position={"x": 6, "y": 6} if at_edge else None)
            return
        for key in near:
            self.page.keyboard.press(key)
        for _ in range(MOST_TABS):
            if target.evaluate("element => element === document.activeElement"):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise NotSeenError(f"no key leads to {target}")


class PageCrew(PracticePlayers):
    """A crew whose every move is a move at the page."""

    def __init__(self, root: Path, page: Page, onlooker: Onlooker, *, by_keys: bool) -> None:
        self.page, self.onlooker = page, onlooker
        super().__init__(root)
        self.hands.close()
        self.hands = self.at = PageHands(root, page, by_keys=by_keys)
        self._spots = [spot["wager"] for spot in onlooker.seen["layout"]["spots"]]

    @property
    def game(self) -> Game:
        return read_game(str(self.onlooker.seen["layout"]["chapter"]))

    @property
    def sizes(self) -> Mapping[str, int]:
        return dict(self.onlooker.seen["layout"]["places"])

    def felt(self) -> Mapping[str, Any]:
        return dict(self.onlooker.seen["cards"])

    def labelled(self, start: str) -> Locator:
        return self.page.locator(f"#felt [aria-label^='{start}']").first

    def tab(self, name: str) -> None:
        tab = self.page.get_by_role("button", name=name, exact=True)
        if tab.get_attribute("aria-expanded") != "true":
            self.at.use(tab, "h")

    # ------------------------------------------------------------ deeds

    def act(self, name: str, **words: Any) -> None:
        news, laid = self.onlooker.news, self._laid(words)
        self.at.mark()
        getattr(self, f"_{name}")(**words)
        if name == "lay":  # a device may have news of its own just then
            self.onlooker.wait(lambda: self._laid(words) > laid)
        elif name != "chips":
            self.onlooker.wait(lambda: self.onlooker.news > news)

    def _laid(self, words: dict[str, Any]) -> int:
        """Return how many cards the page has shown at a place."""
        return len(self.felt()["places"].get(words.get("place"), ()))

    def _lay(self, place: str) -> None:
        self.at.use(self.labelled(f"Lay a card at {place.lower()}:"), _way(place), at_edge=True)

    def _turn(self, place: str, nth: int | None = None) -> None:
        many = len(self.felt()["places"][place]) > 1
        start = (
            f"Turn all cards at {place.lower()}"
            if nth is None and many
            else f"Turn {place.lower()}, card {(nth or 0) + 1}:"
        )
        self.at.use(self.labelled(start), _way(place))

    def _take_exit(self) -> None:
        self.at.use(self.labelled("Take the stack in the exit"), "p")

    def _take_tray(self) -> None:
        self.at.use(self.labelled("Take the shuffled deck"), "p")

    def _load(self, color: str, *, out: bool = False) -> None:
        assert not out
        self.at.use(self.labelled(f"Lay the {color} deck into the machine"), "p")

    def _clear(self) -> None:
        self.tab("Chips and cards")
        self.at.use(self.page.locator("[data-do=clear]"), "h")

    def _to_rack(self, *, whole: bool) -> None:
        assert not whole
        self.tab("Chips and cards")
        self.at.use(self.page.locator("[data-do=to_rack]"), "h")

    def _chips(self, seat: int, wager: str, cents: int) -> None:
        self.tab("Chips and cards")
        spot = self.page.locator(f"#seat-{seat} .spot").nth(self._spots.index(wager))
        number = (seat - 1) * len(self._spots) + self._spots.index(wager)
        for chip in (0,) if not cents else _chips_of(cents):
            before = self.at.see("pads")["cents"][number]
            self.at.use(self.page.locator(f"[data-cents='{chip}']"), "h")
            self.at.use(spot, f"s{seat}")
            after = before + chip if chip else 0
            self.onlooker.wait(lambda after=after: self.at.see("pads")["cents"][number] == after)  # type: ignore[misc]

    # ------------------------------------------------------------ people

    def turn_key(self, person: CrewMember) -> None:
        self.tab("People")
        self.at.mark()
        self.at.use(
            self.page.get_by_role("button", name=f"{TITLES[person.number]}: key and PIN", exact=True), "h"
        )
        self.at.wait_display("PERSON+PIN")
        self.at.wait_picture("the end of the PIN", lambda lines: not re.search("PERSON|CHECKING", lines[0]))

    def turn_back(self) -> None:
        self.tab("People")
        self.at.use(self.page.get_by_role("button", name="Turn the key back", exact=True), "h")
        self.onlooker.wait(lambda: self.at.see("lines")["key_switch"] == 1)

    def register(self, color: str) -> str:
        self._lots += 1
        self.turn_key(FLOOR)
        self.choose("FLOOR", "REGISTER DECK", color.upper())
        self.at.wait_display("LOT OF")
        self.press_each("ONE", "OK") if color == "red" else self.press_each("TWO", "OK")
        self.turn_back()
        return str(self._lots)


def _way(place: str) -> str:
    """The keys that lead near a place."""
    return f"s{place.split()[1]}" if place.startswith("SEAT") else "p"


def _chips_of(cents: int) -> list[int]:
    chips = []
    for chip in (50000, 10000, 2500, 500, 100):
        count, cents = divmod(cents, chip)
        chips += [chip] * count
    return chips
