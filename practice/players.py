"""People at the practice table: the crew of the rig, whose cards are the real ones that lie on its felt.

They read the dealer's display and do what it says, as a person at the page would, by the same deeds. So what
they do can be watched on the page, and a person may take over in the middle of it.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from sabot.hil.table.crew import STILL_S, Crew
from sabot.hil.table.declaring import declare
from sabot.hil.table.hands import Picture
from sabot.hil.table.stacks import ORDER, RACK, places_of

AROUND = re.compile(r"DEAL (\d+) CARDS AROUND")
TO_ONE = re.compile(r"DEAL (.+)\n(?:(\d+) CARDS?|FACE UP), THEN OK")
# Hands that are turned as the display comes to them.
TURNED = re.compile(r"REVEAL (DEALER)|(SEAT \d+)\n(?:TAKE|PAY|WINS)")
COMMUNITY = re.compile(r"TURN COMMUNITY (\d)")
# A device that was silent for a moment is released by the floor.
HEARD_AGAIN = re.compile(r"HELD: DEVICE SILENT\nFLOOR: (RETEST|RELEASE)")
TAKE, READY_S = "TAKE THE STACK", 20.0


class PracticePlayers(Crew, ABC):
    """A crew that deals cards which somebody can see."""

    @abstractmethod
    def act(self, name: str, **words: object) -> None:
        """Do one of the page's deeds."""

    @abstractmethod
    def felt(self) -> Mapping[str, Any]:
        """Return the cards as a person sees them."""

    # ------------------------------------------------------------ cards

    def step(self) -> None:
        """Do what the display says, once."""
        self._do(self.hands.newest)

    def _do(self, picture: Picture) -> None:
        lines = picture.lines
        if found := HEARD_AGAIN.fullmatch("\n".join(lines)):
            self.floor(found[1])
        # A stack lies in the exit: it is divided first, whatever the display says by now.
        elif self.felt()["exit"]:
            self.divide(lines)
            self.hands.wait_behind(picture.row, STILL_S)
        elif found := AROUND.match(lines[0]):
            self.deal_around(int(found[1]))
            super()._do(picture)
        elif found := TO_ONE.fullmatch("\n".join(lines)):
            self.deal_to(found[1].removesuffix(" FACE UP"), int(found[2] or 1), is_up="FACE UP" in lines[1])
            super()._do(picture)
        else:
            if found := TURNED.match("\n".join(lines)):
                self.turn_up(found[1] or found[2])
            elif found := COMMUNITY.match(lines[0]):
                self.act("turn", place="COMMUNITY", nth=int(found[1]) - 1)
            super()._do(picture)

    def divide(self, lines: tuple[str, str]) -> None:
        """Lay the stack in the exit where the display said, divided as the law has it.

        What no order was given for is the rest of the deck, which is dealt from the hand.
        """
        count = len(self.felt()["exit"])
        # At TAKE THE STACK the first line has no count, and the stack is as long as what lies there.
        order = (f"{count} CARDS TO", lines[1].removesuffix(", OK")) if lines[0] == TAKE else lines
        places = places_of(self.game, order, count) if ORDER.fullmatch(order[0]) else []
        self.act("take_exit")
        for place in places:
            if place == RACK:
                self.act("to_rack", whole=False)
            else:
                self.act("lay", place=place)
        if "UP" in f"{order[0]} {order[1]}".split():
            self.turn_last(next(place for place in reversed(places) if place != RACK))

    def deal_around(self, count: int) -> None:
        """Lay a card at each seat with chips, and those that are left at the dealer's place and beyond."""
        self.take_up()
        places = [f"SEAT {seat}" for seat in self.seats()]
        middle = [
            place for place in self.middle() if len(self.felt()["places"].get(place, ())) < self.sizes[place]
        ]
        for place in (*places, *middle)[:count]:
            self.act("lay", place=place)

    def deal_to(self, place: str, count: int, *, is_up: bool) -> None:
        """Lay that many cards at one place."""
        self.take_up()
        for _ in range(count):
            self.act("lay", place=place)
        if is_up:
            self.turn_last(place)

    def turn_last(self, place: str) -> None:
        """Turn the card that was laid last at a place."""
        self.act("turn", place=place, nth=len(self.felt()["places"][place]) - 1)

    def turn_up(self, place: str) -> None:
        """Turn all cards of a place face up; do nothing if none of them lies face down."""
        if any(len(card) == 1 for card in self.felt()["places"].get(place, ())):
            self.act("turn", place=place)

    def seats(self) -> list[int]:
        """Return the seats with chips."""
        cents = self.hands.see("pads")["cents"]
        return sorted({number // len(self._spots) + 1 for number, lies in enumerate(cents) if lies})

    def middle(self) -> list[str]:
        """Return the places that are no seat's, the dealer's first."""
        return sorted(
            (each for each in self.sizes if not each.startswith("SEAT")), key=lambda each: each != "DEALER"
        )

    @property
    @abstractmethod
    def sizes(self) -> Mapping[str, int]:
        """Return how many cards lie at each place in the end."""

    def draw(self) -> None:
        """Draw the next card out of a shoe that reads, to where the display says."""
        self.hands.wait("the shoe free", lambda: not self.hands.see("shoe")["locked"])
        # Read before the card is drawn: the display goes on to the next place with it.
        place = self.hands.lines[1]
        self.act("lay", place=place.removesuffix(" FACE UP"))
        if place.endswith(" FACE UP"):
            self.turn_last(place.removesuffix(" FACE UP"))

    def declare(self) -> None:
        """Turn the cards, look at them, and take the row that they make."""
        for place in self.felt()["places"]:
            self.turn_up(place)
        for place, pile in self.felt()["places"].items():
            self.eyes.plan(place, [card[1] for card in pile])
        declare(self)

    def ready(self) -> None:
        """Take the shuffled deck to where it is dealt from, and load the other one."""
        self.take_up()
        self.fill()

    def take_up(self) -> None:
        """Take the shuffled deck out of the tray, if it still lies there."""
        # Before each deal as well: wagers may have been open too briefly for anybody to do it then.
        felt = self.felt()
        if felt["tray"] and not felt["pack"] and not felt["hand"]:
            self.act("take_tray")

    def fill(self) -> None:
        """Load a deck that lies in its box into the shuffler, if there is room.

        Whoever comes to the table in the middle of a round sees that too, so nobody has to remember it.
        """
        for color, count in self.felt()["boxes"].items():
            if count and self._has_room():
                self.act("load", color=color)
                return

    def rack(self) -> None:
        """Clear chips and cards off the felt, and load the deck into the shuffler."""
        self.rack_for_good()
        self.hands.wait("room in the shuffler", self._has_room, READY_S)
        self.fill()

    def rack_for_good(self) -> None:
        """Clear chips and cards off the felt, and load nothing."""
        self.lift()
        self.act("clear")
        self.eyes.clear()
        self.press("OK")

    def shuffle(self, deck: str) -> None:
        """Load the deck that is wanted into the shuffler, unless it is there."""
        self.put_in(deck)

    def put_in(self, deck: str) -> None:
        """Load the deck that the display names into the machine, unless it is there."""
        if self.felt()["boxes"][self.color_of(deck)] and self._has_room():
            self.act("load", color=self.color_of(deck))

    def load(self, deck: str) -> None:
        """Load a deck, from the felt or, if it still lies there, out of the machine."""
        if not self.felt()["boxes"][self.color_of(deck)]:
            self.act("clear")
        self.hands.wait(f"room for deck {deck}", self._has_room, READY_S)
        self.act("load", color=self.color_of(deck), out=True)

    def color_of(self, deck: str) -> str:
        """Return the color of a deck; the red one is registered first."""
        return "blue" if deck == "B" else "red"

    def count_stub(self, count: int | None = None) -> None:
        """Enter that count of the stub; by default as many cards as lie there."""
        felt = self.felt()
        stub = len(felt["exit"]) + len(felt["hand"]) + len(felt["pack"])
        super().count_stub(count or stub or None)

    # ------------------------------------------------------------ chips

    def lay(self, seat: int, wager: str, cents: int) -> None:
        """Lay chips on a spot as soon as it is open."""
        number = (seat - 1) * len(self._spots) + self._spots.index(wager)
        self.hands.wait(f"spot {number} open", lambda: self.is_open(number))
        self.act("chips", seat=seat, wager=wager, cents=cents)

    def is_open(self, number: int) -> bool:
        """Return whether a spot takes chips."""
        return not self.hands.see("pads")["locked"] >> number & 1

    def lift(self) -> None:
        """Take the chips off every spot."""
        for number, cents in enumerate(self.hands.see("pads")["cents"]):
            if cents:
                seat, spot = divmod(number, len(self._spots))
                self.act("chips", seat=seat + 1, wager=self._spots[spot], cents=0)
