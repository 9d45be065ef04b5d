"""A person at the practice page: real Chromium, moved by clicks alone or by keys alone.

What the page shows a test reads from a second connection, as another page would get it; whatever is done is done
in the browser.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from playwright.sync_api import Locator, Page
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from sabot.hil.table.crew import FLOOR, Person
from sabot.hil.table.game import Game, read_game
from sabot.hil.table.hands import Hands, NotSeenError
from sabot.practice.layout import KEYS
from sabot.practice.players import Players

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
INSTALL = "sudo apt-get install chromium"
FLAGS = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
TYPED = {name: typed for name, _legend, typed in KEYS}
TITLES = {"11": "Dealer", "21": "Floor", "31": "Technician"}
PATIENCE_S, MOST_TABS = 60.0, 160


class Served(NamedTuple):
    """A practice table: where its page is, and where it keeps what is its own."""

    address: str
    root: Path


@contextmanager
def serving(*words: str) -> Iterator[Served]:
    """`sabot practice` in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="page-", dir="/tmp") as folder:
        root = Path(folder) / "t"
        with _serving(root, *words) as address:
            yield Served(address, root)


@contextmanager
def _serving(root: Path, *words: str) -> Iterator[str]:
    command = [sys.executable, "-Im", "sabot", "practice", "--no-open", "--keep", str(root), *words]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        said = [process.stdout.readline(), process.stdout.readline().strip()]
        assert said[1].startswith("http"), process.stderr.read() if process.stderr else ""
        yield said[1]
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0


class Onlooker:
    """Another page that only looks."""

    def __init__(self, address: str) -> None:
        url = urlsplit(address)
        here = f"http://{url.netloc}"
        self._socket = connect(
            f"ws://{url.netloc}/table?{url.query}", origin=Origin(here), max_size=None, legacy=True
        )
        self.seen: dict[str, Any] = {"shows": {}, "refused": []}
        self.news, self._is_over = 0, False
        self._thread = threading.Thread(target=self._hear, daemon=True)
        self._thread.start()
        self.wait(lambda: "layout" in self.seen)

    def _hear(self) -> None:
        while not self._is_over:
            try:
                part = json.loads(self._socket.recv())
            except ConnectionClosed:
                return
            self.seen["shows"].update(part.pop("shows", {}))
            self.seen.update(part)
            self.news += "cards" in part

    def do(self, **asked: object) -> None:
        """Do something as another page could."""
        self._socket.send(json.dumps(asked))

    def wait(self, is_so: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Until it is so."""
        end = time.monotonic() + patience_s
        while not is_so():
            if time.monotonic() > end:
                raise NotSeenError(f"it did not come to be so; {self.seen['shows'].get('display')}")
            time.sleep(0.005)

    def close(self) -> None:
        """Look away."""
        self._is_over = True
        self._socket.close()
        self._thread.join()


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


class PageCrew(Players):
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
        news = self.onlooker.news
        self.at.mark()
        getattr(self, f"_{name}")(**words)
        if name != "chips":
            self.onlooker.wait(lambda: self.onlooker.news > news)

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

    def _load(self, color: str) -> None:
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

    def turn_key(self, person: Person) -> None:
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
