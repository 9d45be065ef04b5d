"""The people of a simulated table, who do what the display tells them, as a dealer would on the first day.

Everything they know they read from the dealer's two lines; everything they do goes through contacts, chips,
cards and the console. So a round that they bring to its end proves that the display alone is enough.
"""

import random
import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sabot.hil.table.desk import Desk
from sabot.hil.table.hands import Hands, NotSeenError

DIGITS = dict(
    zip(
        "1234567890",
        ("ONE", "TWO", "THREE", "FOLD", "LEFT", "RIGHT", "MINUS", "PLUS", "MENU", "FLOOR"),
        strict=True,
    )
)
PACK = [rank + suit for suit in "cdhs" for rank in "23456789TJQKA"]
LONGEST_LIST, MOST_OPENINGS, MOST_STEPS = 60, 5, 400
# The first line of a list of more than one: each step through it shows there.
OF_SEVERAL = re.compile(r" \d+/(?!1\b)")
# How long the display is watched: while devices work, after a step that shows, after one that may not.
STILL_S, MOVED_S, LAP_S = 3.0, 10.0, 0.5
TAKING_IN = 1


class Person(NamedTuple):
    """Somebody with a key and a PIN."""

    number: str
    pin: str


DEALER, FLOOR, TECHNICIAN = Person("11", "31415"), Person("21", "27182"), Person("31", "14142")


class Crew:
    """Dealer, floor and technician of one table."""

    def __init__(self, root: Path, *, seed: int = 1) -> None:
        self.hands = Hands(root)
        self.root = root
        self.chance = random.Random(seed)  # noqa: S311 - cards of a rig
        self.pack: list[str] = []
        self.answers: dict[int, str] = {}
        self.told: list[tuple[str, str]] = []
        self.loaded: list[str] = []
        self.in_play = ""
        self._lots = 0

    def close(self) -> None:
        """Go home."""
        self.hands.close()

    # ------------------------------------------------------------ keys and lists

    def turn_key(self, person: Person) -> None:
        """Turn the key switch and give a number and a PIN, watching the stars."""
        self.hands.do("lines", "hold key_switch")
        self.hands.wait_display("PERSON+PIN", patience_s=10.0)
        for count, digit in enumerate(person.number + person.pin, 1):
            self.hands.press(DIGITS[digit])
            self.hands.wait(f"{count} stars", partial(self._shows_stars, count), 10.0)
        self.hands.press("OK")
        self.hands.wait("the end of the PIN", lambda: "PERSON" not in self.hands.lines[0], 20.0)
        self.hands.wait("the end of the check", lambda: "CHECKING" not in self.hands.lines[0], 20.0)

    def _shows_stars(self, count: int) -> bool:
        return self.hands.lines[0].count("*") == count

    def turn_back(self) -> None:
        """Take the key away."""
        self.hands.do("lines", "let key_switch")

    def sign_on(self, person: Person = DEALER) -> None:
        """A dealer takes the table."""
        self.turn_key(person)
        self.turn_back()

    def floor(self, title: str, value: str = "", person: Person = FLOOR) -> None:
        """Somebody with a key takes an action from the FLOOR list."""
        self.turn_key(person)
        self.choose("FLOOR", title, value)
        self.turn_back()
        self.hands.rest(0.02)

    def menu(self, title: str, value: str = "") -> None:
        """The dealer takes an action from the MENU list."""
        self.choose("MENU", title, value)

    def choose(self, key: str, title: str, value: str = "") -> None:
        """Open a list, walk to a title, take it, and a value of it where one is asked.

        The table closes a list when it moves on beneath it, as when a shuffle ends; then it is opened again.
        """
        for _ in range(MOST_OPENINGS):
            self.hands.press(key)
            self.hands.wait_display(f"{key} 1/", patience_s=10.0)
            if self._walk(title, f"{key} ") and self._take(title, value):
                return
        message = f"the {key} list closed {MOST_OPENINGS} times before {title!r} was taken"
        raise NotSeenError(message)

    def _take(self, title: str, value: str) -> bool:
        """Take what the list stands on, and a value; False when the list of values has gone."""
        before = self.hands.lines[0]
        self._press_ok()
        self._until_head_is_not(before)
        if value:
            self.hands.wait("the list of values", lambda: self.hands.lines[0] == title)
            if not self._walk(value, title):
                return False
        if self.hands.lines[0] == title:
            self._press_ok()
            self._until_head_is_not(title)
        return True

    def _press_ok(self) -> None:
        before = self.hands.lines
        self.hands.press("OK")
        self._settle(before, MOVED_S)

    def _walk(self, wanted: str, head: str) -> bool:
        """Step until the second line is what is wanted; False when the list under this head has gone."""
        seen: list[str] = []
        for _ in range(LONGEST_LIST):
            first, second = before = self.hands.lines
            if not first.startswith(head):
                # A line that was only half written is whole in a moment.
                self._settle(before, LAP_S)
                if not self.hands.lines[0].startswith(head):
                    return False
                continue
            if second == wanted:
                return True
            if second in seen[:1] and len(seen) > 1:
                break
            seen.append(second)
            self.hands.press("RIGHT")
            if OF_SEVERAL.search(first):
                self._until_head_is_not(first)
            self._settle(before, MOVED_S)
        self.hands.press("BACK", "BACK")
        message = f"{wanted!r} is not in the list: {seen}"
        raise NotSeenError(message)

    def _until_head_is_not(self, before: str) -> None:
        """A display that is slow has its time; one that will not change is taken as it is."""
        end = self.hands.now() + STILL_S
        while self.hands.lines[0] == before and self.hands.now() < end:
            self.hands.rest(0.004)

    def _settle(self, before: tuple[str, str], patience_s: float = 0.5) -> None:
        """Until the display shows something else; some steps change nothing, so not for ever."""
        end = self.hands.now() + patience_s
        while self.hands.lines == before and self.hands.now() < end:
            self.hands.rest(0.004)

    # ------------------------------------------------------------ before play

    def register(self, color: str) -> str:
        """A deck is registered at the console."""
        self._lots += 1
        lot = f"LOT{self._lots}"
        desk = Desk(self.root / "console.sock")
        try:
            desk.unlock(*FLOOR)
            answer = desk.say(f"register lot {lot} {color}")
        finally:
            desk.close()
        if answer.end != "done":
            raise NotSeenError(f"lot {lot}: {answer}")
        return lot

    def register_next(self) -> None:
        """The next deck, of the other color than the last."""
        self.register(("red", "blue")[self._lots % 2])

    # ------------------------------------------------------------ following the display

    def follow(self, until: Callable[[tuple[str, str]], bool], steps: int = MOST_STEPS) -> tuple[str, str]:
        """Do what the display says until it shows what is waited for."""
        for _ in range(steps):
            lines = self.hands.lines
            if not self.told or self.told[-1] != lines:
                self.told.append(lines)
            if lines[0] == "BETS OPEN":
                self.ready()
            if until(lines):
                return lines
            self._do(lines)
        message = f"still at {self.hands.lines} after {steps} steps; the last were {self.told[-8:]}"
        raise NotSeenError(message)

    def follow_to(self, first: str) -> tuple[str, str]:
        """Go on until the first line begins so."""
        return self.follow(lambda lines: lines[0].startswith(first))

    def _do(self, lines: tuple[str, str]) -> None:
        text = "\n".join(lines)
        for pattern, act in STEPS.items():
            if found := re.search(pattern, text, re.DOTALL):
                act(self, found)
                self._settle(lines, PATIENCE_S.get(act, MOVED_S))
                return
        message = f"nobody knows what to do at {lines}"
        raise NotSeenError(message)

    def rack(self) -> None:
        """The cards of a round go to the rack, and from there into the shuffler."""
        self.hands.press("OK")
        self.pack = []
        played, self.in_play = self.in_play, self.other_deck()
        self.loaded = [deck for deck in self.loaded if deck != played]
        self.load(played)

    def other_deck(self) -> str:
        """The deck that comes in when a round is over."""
        return {"A": "B", "B": "A"}[self.in_play] if self._lots > 1 else self.in_play

    def ready(self) -> None:
        """Bets are open: the deck that is not in play is laid into the shuffler."""
        other = self.other_deck()
        if other and other != self.in_play and other not in self.loaded:
            self.load(other)

    def draw_next(self, cards: list[str]) -> None:
        """The next cards out of the shoe are these; those after them come by chance."""
        rest = [card for card in PACK if card not in cards]
        self.chance.shuffle(rest)
        self.pack = rest + cards[::-1]

    def draw(self) -> None:
        """The dealer draws the next card from a shoe that reads it."""
        if not self.pack:
            self.pack = PACK[:]
            self.chance.shuffle(self.pack)
        # A locked shoe gives no card; its lock opens a moment after the display has said whose card it is.
        self.hands.wait("the shoe free", lambda: not self.hands.see("shoe")["locked"])
        self.hands.do("shoe", f"draw {self.pack.pop()}")

    def shuffle(self, deck: str) -> None:
        """The deck that is wanted is laid into the shuffler, once, and shuffles."""
        self.in_play = deck
        if deck not in self.loaded:
            self.load(deck)

    def load(self, deck: str) -> None:
        """A deck is laid into the shuffler."""
        self.loaded.append(deck)
        shuffler = "shuffler" if "shuffler" in self._devices() else "shoe"

        def takes_cards() -> bool:
            state = self.hands.see(shuffler)
            return not state["intake"] and state["cycle"] != TAKING_IN

        self.hands.wait(f"room for deck {deck}", takes_cards, 20.0)
        self.hands.do(shuffler, f"load {'blue' if deck == 'B' else 'red'}")

    def _devices(self) -> Mapping[str, Any]:
        return self.hands.see_all()

    def bet(self, spot: int, cents: int) -> None:
        """Chips on a spot of the pads, as soon as the pads take them."""
        self.hands.wait(f"spot {spot} open", lambda: not self.hands.see("pads")["locked"] >> spot & 1)
        self.hands.do("pads", f"chips {spot} {cents}")

    def count_chips(self, wanted: str) -> None:
        """As many as were accepted."""
        self.press_each(*("PLUS",) * int(wanted), "OK")

    def answer(self, seat: int) -> None:
        """A player decides."""
        self.press_each(*self.answers.get(seat, "ONE").split(), "OK")

    def press_each(self, *keys: str) -> None:
        """Each key when the display has answered the one before: else it would be read as it was between."""
        for key in keys:
            before = self.hands.lines
            self.hands.press(key)
            self._settle(before, MOVED_S)


def _ok(crew: Crew, _found: re.Match[str]) -> None:
    crew.hands.press("OK")


def _lap(crew: Crew, _found: re.Match[str]) -> None:
    """Once around the table; the next lap may look the same."""
    crew.hands.press("OK")


def _wait(_crew: Crew, _found: re.Match[str]) -> None:
    """The devices are at work."""


def _floor(title: str) -> Callable[[Crew, re.Match[str]], None]:
    return lambda crew, _found: crew.floor(title)


STEPS: Mapping[str, Callable[[Crew, re.Match[str]], None]] = {
    r"SIGN ON": lambda crew, _: crew.sign_on(),
    r"REGISTER DECKS": lambda crew, _: crew.register_next(),
    r"FLOOR: CHECK DEVICES": _floor("DEVICES CHECKED"),
    r"FLOOR: VERIFY CARDS": _floor("VERIFY CARDS"),
    r"FLOOR: VALIDATE HIT": _floor("VALIDATE HIT"),
    r"FLOOR: DOCUMENTS": _floor("DOCUMENTS DONE"),
    r"^CHIPS: .*ACCEPTED: (\d+)": lambda crew, found: crew.count_chips(found[1]),
    r"^SEAT (\d+): .*FOLD": lambda crew, found: crew.answer(int(found[1])),
    r"^CARD \d+ TO": lambda crew, _: crew.draw(),
    r"^DEAL \d+ CARDS AROUND": _lap,
    r"^\d+ CARDS TO|^SHOE (SHUFFLES|IS BUSY)": _wait,
    r"^SHUFFLING DECK (\w)": lambda crew, found: crew.shuffle(found[1]),
    r"^CARDS TO RACK": lambda crew, _: crew.rack(),
    r"BETS OPEN|^\s*$": _wait,
    r"\bOK\b|THEN|^SEAT|^S\d|^PAY|^TAKE|WINS\?|HAND|NONE|BONUS|MAGIC": _ok,
}
# The display stays as it was while devices work, and after the first of two decks was registered.
PATIENCE_S = {
    _wait: STILL_S,
    STEPS[r"^SHUFFLING DECK (\w)"]: STILL_S,
    STEPS[r"REGISTER DECKS"]: LAP_S,
    _lap: LAP_S,
}
