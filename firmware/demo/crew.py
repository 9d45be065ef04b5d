"""The crew of the demo: the people and devices around one table, as the events they send.

It presses real keys, walks the real lists and deals from a real pack; the table never knows that it is a
demo. What each event brought goes to the felt, which sees the table's view and effects and nothing else.
"""

import random

from sabot.firmware.demo.book import Book, Shift
from sabot.firmware.demo.felt import Felt
from sabot.firmware.demo.law import law_of
from sabot.firmware.demo.pack import Pack
from sabot.firmware.demo.stage import Stage
from sabot.rules.cards import PACK_SIZE, Card
from sabot.statemachine import events as ev
from sabot.statemachine.effects import Effect, StartShuffle, WakeAt
from sabot.statemachine.events import Event, Key, Role, Secret
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge, Shuffler
from sabot.statemachine.table import Table

OPENS_AT_S = 18 * 3600.0
PEOPLE = {Role.FLOOR: "Flora", Role.TECHNICIAN: "Tom"}
COUNTING = (Shuffler.COUNTING, Shuffler.RESHUFFLER)


class Crew:
    """Dealer, floor, players, shoe and shuffler of one shift."""

    def __init__(self, shift: Shift, book: Book, stage: Stage, dice: random.Random) -> None:
        self.table = Table(shift.setup)
        self.stage = stage
        self.felt = Felt(shift, book, self.table.view(Role.FLOOR))
        self.pack = Pack(dice)
        self.now = self.felt.clock = OPENS_AT_S
        self.wake_at = float("inf")
        # What the script plans: hands to come, answers by seat, rows to declare, the next shuffle's count.
        self.hands: dict[str, list[Card]] = {}
        self.answers: dict[int, list[str]] = {}
        self.declared: dict[str, str] = {}
        self.shuffle_count = PACK_SIZE
        self.shuffling = ""
        self.expected = ""

    # ------------------------------------------------------------ events

    def send(self, event: Event) -> None:
        """One event into the table, and what came of it on to the stage."""
        noted = len(self._notes())
        effects = self.table.handle(event)
        self._heed(effects)
        news = self.felt.take(event, effects, self.table.view(Role.FLOOR))
        cite = law_of(effects, self._notes()[noted:])
        if self.expected and cite:
            news.insert(0, self.felt.announce(self.expected, cite))
            self.expected = ""
        self.stage.show(self.felt, news)

    def _heed(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, WakeAt):
                self.wake_at = effect.at
            elif isinstance(effect, StartShuffle):
                self.shuffling = effect.deck

    def _notes(self) -> list[str]:
        round_ = self.table.state.round
        return [note.cite for note in round_.notes] if round_ else []

    def at(self, seconds: float = 2.0) -> float:
        """The time of the next event."""
        self.now += seconds
        return self.now

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return self.table.phases.state

    # ------------------------------------------------------------ keys and lists

    def key(self, key: Key) -> None:
        """The dealer presses a key."""
        self.send(ev.KeyPressed(at=self.at(), source="keys", key=key))

    def choose(self, opened_by: Key, name: str, value: str = "") -> None:
        """Open a list, walk to an action (and to its value, else take the first), and take it."""
        self.key(opened_by)
        menu = self.table.state.menu
        assert menu is not None, f"no list for {name} while {self.phase.value}"
        self._walk(menu.actions, name)
        if self.table.state.menu is not None:
            self._walk(menu.values, value)

    def _walk(self, entries: list[str], wanted: str) -> None:
        menu = self.table.state.menu
        fits = (number for number, entry in enumerate(entries) if wanted in ("", entry, *entry.split()))
        at = next(fits, None)
        assert menu is not None, f"no list for {wanted}"
        assert at is not None, f"{wanted} is not in {entries}"
        right = (at - menu.cursor) % len(entries)
        left = len(entries) - right
        for _ in range(min(left, right)):
            self.key(Key.RIGHT if right <= left else Key.LEFT)
        self.key(Key.OK)

    def with_key_switch(self, role: Role, name: str, value: str = "") -> None:
        """Somebody turns the key switch, gives the PIN, chooses, and turns it back."""
        self.send(ev.RoleUnlocked(at=self.at(8), source="key switch", role=role, person=PEOPLE[role]))
        self.choose(Key.FLOOR, name, value)
        self.send(ev.RoleLocked(at=self.at(), source="key switch", role=role))

    # ------------------------------------------------------------ cards

    def deal_once(self) -> None:
        """The next card, stack or way around the table, by whatever deals here."""
        knowledge = self.table.state.knowledge
        if knowledge == Knowledge.NONE:
            self.key(Key.OK)
        elif knowledge == Knowledge.EACH_CARD:
            self.send(ev.CardDrawn(at=self.at(1), source="shoe", card=self.take_next()[0]))
        else:
            cards = self.take_next()
            seen = cards if knowledge == Knowledge.STACK else ()
            self.send(ev.StackDispensed(at=self.at(3), source="shoe", count=len(cards), cards=seen))

    def take_next(self) -> tuple[Secret, ...]:
        """The cards that come out of the deck together next."""
        round_ = self.table.round
        left = sorted(each for each in round_.plan if each.position > round_.drawn)
        return tuple(self.pack.draw(each) for each in left if each.stack == left[0].stack)

    def finish_shuffle(self) -> None:
        """The shuffler reports, with its count where it counts."""
        deck = self.shuffling or self.table.state.in_shuffler
        count = self.shuffle_count if self.table.state.shuffler in COUNTING else None
        self.shuffling, self.shuffle_count = "", PACK_SIZE
        self.send(ev.ShuffleCompleted(at=self.at(45), source="shuffler", deck=deck, count=count))
