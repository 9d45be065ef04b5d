"""The people of the demo: the crew of a simulated table, with a script for what is worth showing.

They press keys, lay chips, draw cards and read the dealer's display, and know nothing else of the table.
Whatever the script leaves open they do as the display says, so a shift goes on by itself however its cards
fall.
"""

from collections.abc import Sequence

from sabot.desk.demo.show import Show
from sabot.firmware.simulated import spots
from sabot.hil.table.console import RigConsole
from sabot.hil.table.crew import MOVED_S, Crew
from sabot.hil.table.dealer_eyes import PACK
from sabot.hil.table.hands import Hands, NotSeenError
from sabot.hil.table.stacks import Stacks

ANSWERS = {"1": "ONE", "2": "TWO", "3": "THREE", "fold": "FOLD"}
CENTS = 100
PATIENCE_S, AGAIN_S, LOOK_S = 30.0, 3.0, 0.05


class Players(Crew):
    """Dealer, floor, technician and players of one shift."""

    def __init__(self, show: Show, seed: int) -> None:
        super().__init__(show.program.state, seed=seed)
        self.show = show
        shift = show.felt.shift
        self.decks = shift.submission.decks
        self.spots = spots(shift.chapter, shift.submission)
        self.second = shift.chapter.contest.wagers[1:]
        # The hands to come that the script plans, by the words of the display.
        self.planned: dict[str, list[str]] = {}
        self.replies: dict[int, list[str]] = {}
        self.streets: dict[int, int] = {}
        self.lying: set[int] = set()
        self._watch()

    def _watch(self) -> None:
        """Wait in the table's time, but for what the show takes, and let it look meanwhile."""
        self.show.clock = self.hands.now
        self.hands.rest, self.hands.now = self._rest, self.show.now
        self.hands.patience_s = PATIENCE_S

    def _rest(self, seconds: float) -> None:
        if not self.show.look():
            self.hands.listen(min(seconds, LOOK_S))

    def come_back(self) -> None:
        """Connect to the devices again, which have started anew after a power cut."""
        self.hands.close()
        self.hands = Hands(self.root)
        self.stacks = Stacks()
        self._watch()

    # ------------------------------------------------------------ steps

    def step(self) -> None:
        """Do what the display says, once."""
        self._do(self.hands.newest)

    # ------------------------------------------------------------ cards

    def plan(self, place: str, cards: Sequence[str]) -> None:
        """Plan the cards of a place, in this order."""
        self.planned[place] = [card.replace("10", "T") for card in cards]
        self.eyes.plan(place, cards)

    def draw(self) -> None:
        """Draw the next card for the place that the display names."""
        self.draw_card(self.next_card(self.hands.lines[1].removesuffix(" FACE UP")))

    def next_card(self, place: str = "") -> str:
        """Return the card that the script wants there, else any that no hand wants."""
        if not self.pack:
            # Whatever a later place is promised must not come out before its turn.
            wanted = {card for hand in self.planned.values() for card in hand}
            self.pack = [card for card in PACK if card not in wanted]
            self.chance.shuffle(self.pack)
        hand = self.planned.get(place)
        return hand.pop(0) if hand else self.pack.pop()

    def draw_card(self, card: str) -> None:
        """Draw this card out of the shoe, and wait until the display has moved on."""
        self.hands.wait("the shoe free", self._is_shoe_free, PATIENCE_S)
        self.lay_down(card)
        self.hands.do("shoe", f"draw {card}")
        self._settle(self.hands.did, MOVED_S)

    def draw_unread(self) -> None:
        """Draw the next card, whose face the shoe does not read."""
        self.lay_down(self.next_card(self.hands.lines[1].removesuffix(" FACE UP")))
        self.hands.do("shoe", "unread")

    def _is_shoe_free(self) -> bool:
        shoe = self.hands.see("shoe")
        return not shoe["locked"] and not shoe["error"]

    def other_deck(self) -> str:
        """Return the deck that comes in when a round is over."""
        return {"A": "B", "B": "A"}.get(self.in_play, "") if self.decks > 1 else self.in_play

    def register_next(self) -> None:
        """Register every deck that the table needs, red first."""
        for _ in range(self.decks):
            super().register_next()

    def rack(self) -> None:
        """Clear the chips off the felt together with the cards."""
        self._clear_felt()
        super().rack()

    def rack_for_good(self) -> None:
        """Clear the cards of the round off the table, and load them nowhere."""
        self._clear_felt()
        self.loaded = [deck for deck in self.loaded if deck != self.in_play]
        self.pack = []
        self.hands.press("OK")

    def _clear_felt(self) -> None:
        self.lift()
        self.planned.clear()
        self.eyes.clear()
        self.replies.clear()
        self.streets.clear()

    # ------------------------------------------------------------ chips

    def lay(self, seat: int, wager: str, cents: int) -> None:
        """Lay chips on a spot of a seat."""
        spot = (seat - 1) * len(self.spots) + self.spots.index(wager)
        self.bet(spot, cents)
        self.lying.add(spot)

    def wait_for_machine(self) -> None:
        """Wait for the end of a shuffle: a machine that shuffles and deals does one after the other."""
        if self.shuffler() == "shoe":
            self.show.wait("the end of the shuffle", lambda: not self.show.felt.shuffling)

    def see_chips(self, seat: int, wager: str) -> None:
        """Wait until the table has felt the chips: nobody calls "no more bets" before."""
        felt = self.show.felt
        self.show.wait(f"the chips of seat {seat}", lambda: wager in felt.bets.get(seat, {}))

    def lift(self) -> None:
        """Take the chips off every spot."""
        for spot in sorted(self.lying):
            self.hands.do("pads", f"chips {spot} 0")
        self.lying.clear()

    # ------------------------------------------------------------ answers

    def answer(self, seat: int) -> None:
        """Fold, raise by a multiple of the Ante, or lay chips, as the script has it."""
        replies = self.replies.get(seat)
        reply = replies.pop(0) if replies else "1"
        street = self.streets.get(seat, 0)
        self.streets[seat] = street + 1
        if reply in ANSWERS:
            self._press_until_shown(ANSWERS[reply])
        else:
            self.lay(seat, self.second[street], int(reply.removeprefix("$")) * CENTS)
            self.hands.wait("the wager", self._is_answer_shown)
        self.hands.press("OK")

    def _is_answer_shown(self) -> bool:
        return not self.hands.lines[1].endswith("OR FOLD")

    def _press_until_shown(self, key: str) -> None:
        """Press a key, again if the display shows nothing of it, as a person would."""
        end = self.hands.now() + PATIENCE_S
        while self.hands.now() < end:
            self.press(key, AGAIN_S)
            if self._is_answer_shown():
                return

    # ------------------------------------------------------------ the console

    def order(self, person: tuple[str, str], words: str) -> None:
        """Give a command at a console, as this person."""
        desk = RigConsole(self.root / "console.sock")
        try:
            desk.unlock(*person)
            answer = desk.say(words)
        finally:
            desk.close()
        if answer.end != "done":
            message = f"the console refused {words!r}: {answer.why}"
            raise NotSeenError(message)
