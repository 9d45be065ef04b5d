"""The people of a simulated table, who do what the display tells them, as a dealer would on the first day.

Everything they know they read from the dealer's two lines; everything they do goes through contacts, chips,
cards and the console. So a round that they bring to its end proves that the display alone is enough. They see
each picture that stood there, in order, and act on the newest: an answer to a key is a picture behind it.
"""

# Theory of operation. `follow` reads one picture after the other and acts on the newest by the first row of
# STEPS that fits it. Cards that leave the deck are counted (`out`) by the words of the picture: when the step
# was done there, or when a machine did it and the picture went. People need that number to count the stub.

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sabot.hil.table.console import RigConsole
from sabot.hil.table.dealer_eyes import PACK, Eyes, HandLooked
from sabot.hil.table.declaring import NEUTRAL, declare
from sabot.hil.table.game import Game, game_of
from sabot.hil.table.hands import Hands, NotListedError, NotSeenError, Picture, first
from sabot.hil.table.stacks import Stacks

DIGITS = dict(
    zip(
        "1234567890",
        ("ONE", "TWO", "THREE", "FOLD", "LEFT", "RIGHT", "MINUS", "PLUS", "MENU", "FLOOR"),
        strict=True,
    )
)
# How many cards leave the deck with a step, as the display words it.
CARDS = re.compile(
    r"^DEAL (\d+) CARDS AROUND|^DEAL .*\n(?:(\d+) CARDS?|FACE UP)|^(\d+) CARDS TO|^CARD \d+ TO"
)
LONGEST_LIST, MOST_OPENINGS, MOST_STEPS = 60, 5, 400
# The first line of a list: where it stands, and of how many.
PLACE = re.compile(r" (\d+)/(\d+)$")
OF_TITLES = r"(?:MENU|FLOOR) \d+/"
# How long the display is watched, in the table's time: while devices work, after a step that shows, after one
# that may not.
STILL_S, MOVED_S, LAP_S = 3.0, 10.0, 0.5
TAKING_IN = 1
TO_PLACE = re.compile(r"CARD (\d+) TO\n(.+)")


class CrewMember(NamedTuple):
    """A person with a key and a PIN."""

    number: str
    pin: str


DEALER, FLOOR, TECHNICIAN = CrewMember("11", "31415"), CrewMember("21", "27182"), CrewMember("31", "14142")


class Lap:
    """A way around a list: by the places in its first line, else until it is where it began."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._place = (0, 0)

    def is_whole_with(self, lines: tuple[str, str]) -> bool:
        """Return whether every line of the list has been seen, this one as the last or again."""
        found = PLACE.search(lines[0])
        if found is None:
            is_again = lines[1] in self.seen[:1]
            self.seen.append(lines[1])
            return is_again
        last, self._place = self._place, (int(found[1]), int(found[2]))
        if self._place != (last[0] % max(last[1], 1) + 1, last[1]):
            self.seen = []
        self.seen.append(lines[1])
        return len(self.seen) >= self._place[1]


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
        self.out = 0
        self._lots = 0
        self._spots: list[str] = json.loads((root / "world.json").read_text("utf-8")).get("spots", [])
        self._eyes: Eyes | None = None
        self._game: Game | None = None
        self.stacks = Stacks()
        # Whoever keeps a record hears what was looked at and declared.
        self.on_look: Callable[[HandLooked], None] = lambda _looked: None

    @property
    def eyes(self) -> Eyes:
        """Return the cards on the felt, as somebody sees them who looks."""
        if self._eyes is None:
            self._eyes = Eyes(self.game, self.chance)
        return self._eyes

    @property
    def game(self) -> Game:
        """Return the game that is played here."""
        self._game = self._game or game_of(self.root)
        return self._game

    def close(self) -> None:
        """Go home."""
        self.hands.close()

    # ------------------------------------------------------------ keys and lists

    def turn_key(self, person: CrewMember) -> None:
        """Turn the key switch and give number and PIN; take the key out again if that led nowhere."""
        self.hands.do("lines", "hold key_switch")
        try:
            self._give_pin(person)
        except NotSeenError:
            self.turn_back()
            raise

    def _give_pin(self, person: CrewMember) -> None:
        """Give a number and a PIN, watching the stars."""
        self.hands.wait_display("PERSON+PIN", patience_s=10.0)
        for count, digit in enumerate(person.number + person.pin, 1):
            # The next digit only when the star of this one is there, however busy the program is.
            self.hands.press(DIGITS[digit])
            self.hands.wait_picture(f"{count} stars", partial(_has_stars, count), 10.0)
        self.hands.press("OK")
        self.hands.wait_picture("the end of the PIN", _is_past_the_pin, 20.0)

    def turn_back(self) -> None:
        """Take the key away."""
        self.hands.do("lines", "let key_switch")

    def sign_on(self, person: CrewMember = DEALER) -> None:
        """Sign a dealer on."""
        self.turn_key(person)
        self.turn_back()

    def floor(self, title: str, value: str = "", person: CrewMember = FLOOR) -> None:
        """Take an action from the FLOOR list, as somebody with a key."""
        self.turn_key(person)
        try:
            self.choose("FLOOR", title, value)
        finally:
            self.turn_back()

    def menu(self, title: str, value: str = "") -> None:
        """Take an action from the MENU list, as the dealer."""
        self.choose("MENU", title, value)

    def choose(self, key: str, title: str, value: str = "") -> None:
        """Open a list, walk to a title, take it, and take a value of it if one is asked for.

        The list opens at the line that the display asks for. A fault closes it; then it is opened again.
        """
        for _ in range(MOST_OPENINGS):
            self.hands.press(key)
            if self._opened(key) and self._walk(title, f"{key} ") and self._take(title, value):
                self._note(title, value)
                return
        message = f"the {key} list did not stay open for {title!r} to be taken, {MOST_OPENINGS} times"
        raise NotSeenError(message)

    def _opened(self, key: str) -> bool:
        """Wait for a list, and return whether it opened."""
        try:
            self.hands.wait_display(f"{key} ", "/", patience_s=MOVED_S)
        except NotSeenError:
            return False
        return True

    def _note(self, title: str, value: str) -> None:
        """Take note that a card of a stack lay face up: it is in the rack, and in no hand."""
        if title == "CARD FACE UP" and value:
            self.stacks.hear(self.hands.diary(self.stacks.rows))
            self.stacks.rack(int(value.partition(" ")[0]))

    def _take(self, title: str, value: str) -> bool:
        """Take what the list stands on, and a value; return False if OK fell on something else."""
        if not self._press_ok_at(lambda lines: lines[1] == title):
            return False
        if value:
            self.hands.wait_picture("the list of values", lambda lines: lines[0] == title)
            return self._walk(value, title) and self._press_ok_at(lambda lines: lines[1] == value)
        if self.hands.lines[0] == title:
            self.press("OK")
        return True

    def _press_ok_at(self, is_it: Callable[[tuple[str, str]], bool]) -> bool:
        """Press OK, and return whether it fell on what it was meant for."""
        self.press("OK")
        # A device's news may have moved the list between a look and the key.
        return is_it(self.hands.before(self.hands.did).lines)

    def press(self, key: str, patience_s: float = MOVED_S) -> None:
        """Press a key and see its answer, if it has one."""
        self.hands.press(key)
        self._settle(self.hands.did, patience_s)

    def _walk(self, wanted: str, head: str) -> bool:
        """Step until the second line is what is wanted; return False when this list has gone.

        What was not there in a whole lap is not in it; a list that a device's news changes is a new one.
        """
        lap, began = Lap(), self.hands.newest.row
        for _ in range(LONGEST_LIST):
            lines = self.hands.lines
            if not lines[0].startswith(head):
                return False
            if lines[1] == wanted:
                return True
            if lap.is_whole_with(lines) and not self._was_there(wanted, began):
                break
            self.press("RIGHT")
        self._leave_lists(head)
        message = f"{wanted!r} is not in the list: {lap.seen}"
        raise NotListedError(message)

    def _was_there(self, wanted: str, row: int) -> bool:
        """Return whether a line was stepped over because a device's news looked like the answer to a key."""
        return any(each.lines[1] == wanted for each in self.hands.since(row))

    def _leave_lists(self, head: str) -> None:
        """Go back from the values to the titles, and out; BACK beside a list would be a refused key."""
        for at in (head, OF_TITLES):
            if re.match(at, self.hands.lines[0]):
                self.press("BACK")

    def _settle(self, row: int, patience_s: float) -> bool:
        """Wait until the display shows something new behind this row, and return whether it did."""
        # Some steps show nothing new, so nobody waits for ever.
        return self.hands.wait_behind(row, patience_s)

    # ------------------------------------------------------------ before play

    def register(self, color: str) -> str:
        """Register a deck at the console, and return its lot."""
        self._lots += 1
        lot = f"LOT{self._lots}"
        desk = RigConsole(self.root / "console.sock")
        try:
            desk.unlock(*FLOOR)
            answer = desk.say(f"register lot {lot} {color}")
        finally:
            desk.close()
        if answer.end != "done":
            raise NotSeenError(f"lot {lot}: {answer}")
        return lot

    def register_next(self) -> None:
        """Register the next deck, of the other color than the last."""
        self.register(("red", "blue")[self._lots % 2])

    # ------------------------------------------------------------ following the display

    def follow(self, until: Callable[[tuple[str, str]], bool], steps: int = MOST_STEPS) -> tuple[str, str]:
        """Do what the display says until it shows, or has shown meanwhile, what is waited for."""
        pictures = self.hands.seen()
        for _ in range(steps):
            if found := first(self._hear(pictures), until):
                self.hands.go_on_from(found)
                return found.lines
            newest = pictures[-1]
            self._do(newest)
            pictures = self.hands.since(newest.row) or [newest]
        message = f"still at {self.hands.lines} after {steps} steps; the last were {self.told[-8:]}"
        raise NotSeenError(message)

    def follow_to(self, words: str) -> tuple[str, str]:
        """Go on until the first line begins with these words."""
        return self.follow(lambda lines: lines[0].startswith(words))

    def _hear(self, pictures: list[Picture]) -> Iterator[Picture]:
        """Yield one picture after the other, and keep count of the cards that went with them."""
        for number, picture in enumerate(pictures, 1):
            if not self.told or self.told[-1] != picture.lines:
                self.told.append(picture.lines)
            if picture.lines[0] == "BETS OPEN":
                self.out = 0
                if number == len(pictures):
                    self.ready()
            yield picture
            # Of a picture that has gone again a machine's cards went with it; of
            # the newest `_do` counts them.
            if number < len(pictures) and _step_of(picture)[0] is _wait:
                self.out += _cards_of(picture)

    def _do(self, picture: Picture) -> None:
        """Take the step of this picture, and count its cards if they came out."""
        act, found = _step_of(picture)
        if found is None:
            # A notice why a key was refused goes away by itself.
            if not self.hands.wait_behind(picture.row, MOVED_S):
                message = f"nobody knows what to do at {picture.lines}"
                raise NotSeenError(message)
            return
        act(self, found)
        has_come = self._settle(picture.row, PATIENCE_S.get(act, MOVED_S))
        if has_come if act is _wait else self.hands.before(self.hands.did).lines == picture.lines:
            self.out += _cards_of(picture)

    def rack(self) -> None:
        """Put the cards of a round into the rack, and from there into the shuffler."""
        self.press("OK")
        self.pack = []
        self.eyes.clear()
        played, self.in_play = self.in_play, self.other_deck()
        self.loaded = [deck for deck in self.loaded if deck != played]
        self.load(played)

    def rack_for_good(self) -> None:
        """Take the cards of a round off the table, and load them nowhere."""
        self.press("OK")
        self.pack = []
        self.loaded = [deck for deck in self.loaded if deck != self.in_play]

    def other_deck(self) -> str:
        """Return the deck that comes in when a round is over."""
        return {"A": "B", "B": "A"}[self.in_play] if self._lots > 1 else self.in_play

    def ready(self) -> None:
        """Load the deck that is not in play, now that bets are open."""
        other = self.other_deck()
        if other and other != self.in_play and other not in self.loaded:
            self.load(other)

    def draw_next(self, cards: list[str]) -> None:
        """Arrange for these cards to come next out of the shoe; those after them come by chance."""
        rest = [card for card in PACK if card not in cards]
        self.chance.shuffle(rest)
        self.pack = rest + cards[::-1]

    def draw(self) -> None:
        """Draw the next card from a shoe that reads it."""
        if not self.pack:
            self.pack = PACK[:]
            self.chance.shuffle(self.pack)
        # A locked shoe gives no card; its lock opens a moment after the display has said whose card it is.
        self.hands.wait("the shoe free", lambda: not self.hands.see("shoe")["locked"])
        self.lay_down(card := self.pack.pop())
        self.hands.do("shoe", f"draw {card}")

    def lay_down(self, card: str) -> None:
        """Lay a card where the display says."""
        if found := TO_PLACE.match("\n".join(self.hands.lines)):
            self.eyes.put(found[2].removesuffix(" FACE UP"), int(found[1]), card)

    def declare(self) -> None:
        """Look at the cards that a question is about, and take the row that they make."""
        declare(self)

    def shuffle(self, deck: str) -> None:
        """Load the deck that is wanted into the shuffler, once; it shuffles."""
        self.in_play = deck
        if deck not in self.loaded:
            self.load(deck)

    def load(self, deck: str) -> None:
        """Load a deck into the shuffler."""
        self.loaded.append(deck)
        self.hands.wait(f"room for deck {deck}", self._has_room, 20.0)
        self.hands.do(self.shuffler(), f"load {'blue' if deck == 'B' else 'red'}")

    def put_in(self, deck: str) -> None:
        """Load the deck that the display names into the machine, unless one lies there already."""
        if self._has_room():
            self.load(deck)

    def _has_room(self) -> bool:
        state = self.hands.see(self.shuffler())
        return not state["intake"] and state["cycle"] != TAKING_IN

    def shuffler(self) -> str:
        """Return the device that shuffles."""
        return "shuffler" if "shuffler" in self._devices() else "shoe"

    def _devices(self) -> Mapping[str, Any]:
        return self.hands.see_all()

    def bet(self, spot: int, cents: int) -> None:
        """Lay chips on a spot of the pads, as soon as the pads take them."""
        self.hands.wait(f"spot {spot} open", lambda: not self.hands.see("pads")["locked"] >> spot & 1)
        self.hands.do("pads", f"chips {spot} {cents}")

    def count_chips(self) -> None:
        """Enter as many chips as lie on progressive spots that are lit."""
        pads, names = self.hands.see("pads"), self._spots
        lying = [
            number for number, cents in enumerate(pads["cents"]) if cents != 0 and pads["lit"] >> number & 1
        ]
        count = sum(names[number % len(names)] in self.game.counted for number in lying)
        self.press_each(*(("PLUS",) * count or ("PLUS", "MINUS")), "OK")

    def count_stub(self, count: int | None = None) -> None:
        """Enter that count of the stub; by default what is left of a whole deck."""
        number = len(PACK) - self.out if count is None else count
        # By tens, then one by one.
        self.press_each(*("RIGHT",) * (number // 10), *("PLUS",) * (number % 10), "OK")

    def answer(self, seat: int) -> None:
        """Enter a player's decision."""
        self.press_each(*self.answers.get(seat, "ONE").split(), "OK")

    def press_each(self, *keys: str) -> None:
        """Press each key when the display has answered the one before."""
        # Else a key would be read as it was between two pictures.
        for key in keys:
            self.press(key)


def _has_stars(count: int, lines: tuple[str, str]) -> bool:
    return lines[0].count("*") == count


def _is_past_the_pin(lines: tuple[str, str]) -> bool:
    return not any(word in lines[0] for word in ("PERSON", "CHECKING"))


def _ok(crew: Crew, _found: re.Match[str]) -> None:
    crew.press("OK")


def _lap(crew: Crew, _found: re.Match[str]) -> None:
    """Deal once around the table; the next lap may look the same."""
    crew.press("OK", LAP_S)


def _cards_of(picture: Picture) -> int:
    """Return how many cards left the deck with a step."""
    found = CARDS.search("\n".join(picture.lines))
    return int(next(filter(None, found.groups()), 1)) if found else 0


def _wait(_crew: Crew, _found: re.Match[str]) -> None:
    """Do nothing: the devices are at work."""


def _floor(title: str) -> "Act":
    return lambda crew, _found: crew.floor(title)


Act = Callable[[Crew, re.Match[str]], None]
STEPS: Mapping[str, Act] = {
    NEUTRAL: lambda crew, _: crew.declare(),
    r"SIGN ON": lambda crew, _: crew.sign_on(),
    r"REGISTER DECK": lambda crew, _: crew.register_next(),
    r"FLOOR: CHECK DEVICES": _floor("DEVICES CHECKED"),
    r"FLOOR: VERIFY CARDS": _floor("VERIFY CARDS"),
    r"FLOOR: VALIDATE HIT": _floor("VALIDATE HIT"),
    r"FLOOR: DOCUMENTS": _floor("DOCUMENTS DONE"),
    r"FLOOR: SETTLED HOW": lambda crew, _: crew.floor("SETTLED BY HAND", "REST BACK"),
    r"^COUNT CHIPS": lambda crew, _: crew.count_chips(),
    r"^COUNT STUB": lambda crew, _: crew.count_stub(),
    r"^SEAT (\d+): .*FOLD": lambda crew, found: crew.answer(int(found[1])),
    r"^CARD \d+ TO": lambda crew, _: crew.draw(),
    r"^DEAL \d+ CARDS AROUND": _lap,
    r"^\d+ CARDS TO.*(, OK|THEN OK)$|^TAKE THE STACK.*, OK$": _ok,
    r"^\d+ CARDS TO|^SHOE (SHUFFLES|IS BUSY)|^TAKE THE STACK|^EMPTY THE EXIT|^CARDS IN THE MACHINE": _wait,
    r"^PUT DECK (\w) IN": lambda crew, found: crew.put_in(found[1]),
    r"^SHUFFLING DECK (\w)": lambda crew, found: crew.shuffle(found[1]),
    r"^(?:FAULT: )?CARDS TO RACK": lambda crew, _: crew.rack(),
    r"^DECK OFF THE TABLE": lambda crew, _: crew.rack_for_good(),
    # A chip that came too late, or that was taken: put right, which the dealer says.
    r"^(?:RETURN|PUT BACK) SEAT": _ok,
    r"BETS OPEN|^WAIT FOR THE DRAW|^\s*$": _wait,
    r"\bOK\b|THEN|^SEAT|^S\d|^PAY|^TAKE": _ok,
}


def _step_of(picture: Picture) -> "tuple[Act, re.Match[str] | None]":
    """Return the act for a picture and what was found in it; None for that if nobody knows the picture."""
    for pattern, act in STEPS.items():
        if found := re.search(pattern, "\n".join(picture.lines), re.DOTALL):
            return act, found
    return _wait, None


# The display stays as it was while devices work, and after the first of two decks was registered.
PATIENCE_S = {
    _wait: STILL_S,
    STEPS[r"^SHUFFLING DECK (\w)"]: STILL_S,
    STEPS[r"REGISTER DECK"]: LAP_S,
    _lap: 0.0,
}
