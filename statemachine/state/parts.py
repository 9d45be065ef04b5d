"""The smaller parts of the state: clock, devices, wagers before the lock, what holds the table, its people.

Each is changed by its own methods alone, and by one room (``tests/statemachine/test_rooms.py``).
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from sabot.rules.frozen import mutable
from sabot.statemachine.state.round import Note
from sabot.statemachine.vocabulary.events import Role


@mutable(kw_only=True)
class TableClock:
    """The table's own time, which never goes back."""

    now: float = 0.0
    # Monotonic seconds begin anew with each boot. This is what the events' own time lacks to the table's.
    clock_offset: float = 0.0


@mutable(kw_only=True)
class Devices:
    """The devices that deal and shuffle now, and those that are out of order."""

    method: str
    knowledge: str
    shuffler: str
    deck_count: int
    # The devices that left play mode: what they hold may lie in the order of suits (x.5(a)).
    sorting: list[str] = field(default_factory=list)
    covered: list[str] = field(default_factory=list)
    out_of_order: list[str] = field(default_factory=list)

    def is_set_aside(self, device: str) -> bool:
        """Return whether a device is out of order and covered or signed: it is not used (x.13(g))."""
        return device in self.out_of_order and device in self.covered

    def uncovered(self) -> list[str]:
        """Return the devices out of order that nobody has seen covered or signed (x.13(g))."""
        return [device for device in self.out_of_order if device not in self.covered]

    def deal_by(self, method: str, knowledge: str, shuffler: str) -> None:
        """Set how cards are dealt, known and shuffled from now on."""
        self.method, self.knowledge, self.shuffler = method, knowledge, shuffler

    def shuffle_by(self, shuffler: str, deck_count: int) -> None:
        """Set what shuffles from now on, and how many decks alternate."""
        self.shuffler, self.deck_count = shuffler, deck_count


@mutable(kw_only=True)
class OpenWagers:
    """The wagers before the lock, whose boxes are whose, and what came too late."""

    bets: dict[int, dict[str, int | None]] = field(default_factory=dict)
    boxes: dict[int, str] = field(default_factory=dict)
    # Beside the round, not in it: UNDO VOID puts the round back, and what was done to chips stays noted.
    late: list[Note] = field(default_factory=list)
    # Since when bets are open and nobody has one (x.5(f)).
    empty_since: float | None = None

    def clear_bets(self) -> None:
        """Forget all wagers before the lock."""
        self.bets = {}

    def keep_bets(self, kept: dict[int, dict[str, int | None]]) -> None:
        """Keep these wagers before the lock and no others; a seat without any is dropped."""
        self.bets = {seat: placed for seat, placed in kept.items() if placed}

    def own_box(self, seat: int, owner: str) -> None:
        """Make a box this player's."""
        self.boxes[seat] = owner

    def part_boxes(self, boxes: dict[int, str] | None = None) -> None:
        """Make each box its own player's again, or each as it was before."""
        self.boxes = boxes if boxes is not None else {}

    def note_late(self, at: float, words: str, cite: str, by: str = "") -> None:
        """Note what was done to chips after the lock."""
        self.late.append(Note(at, words, cite, by))

    def late_notes(self) -> tuple[Note, ...]:
        """Return the notes since the last record, and begin anew."""
        notes, self.late = tuple(self.late), []
        return notes


@mutable
class Missed:
    """Cards entered unread because their reports never came: from which position of the deck, how many."""

    # Positions count from 1, in the order in which the cards left the deck.
    first: int
    count: int


@mutable
class HeldFault:
    """A latched fault: why the table waits, and who may lift it once its cause was tested again.

    ``unaccounted`` is how many cards went into the device and did not come out when it was emptied.
    """

    kind: str
    device: str
    why: str
    cite: str
    role: Role
    needs_retest: bool
    since: float = 0.0
    retested: bool = False
    unaccounted: int = 0

    @property
    def may_be_lifted(self) -> bool:
        """Return whether the right role's word is all that is missing."""
        return self.retested or not self.needs_retest

    def tested(self, *, is_good: bool) -> None:
        """Note that the cause was tested again."""
        # A bad test takes an earlier good one away: the last one counts.
        self.retested = is_good

    def passed(self) -> None:
        """Take the device's own word that it is well again."""
        self.retested, self.unaccounted = True, 0

    def miss_cards(self, count: int) -> None:
        """Note how many cards did not come out of the device."""
        # Cards that are missing undo a test: 16 cards left in a shuffler were once played past for 46 rounds.
        self.unaccounted, self.retested = count, False


@mutable(kw_only=True)
class Trouble:
    """The faults that hold the table, and the cards that were perhaps missed."""

    holds: list[HeldFault] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)

    def miss(self, first: int, count: int) -> None:
        """Note cards that were entered unread because their reports never came."""
        self.missed.append(Missed(first, count))

    def forget_missed(self) -> None:
        """Forget all cards that were thought missed."""
        self.missed.clear()

    def was_none(self, first: int, count: int) -> None:
        """Drop a gap where no card lay: what came after moves up."""
        self.missed = [
            # What was entered behind the gap lies so many places earlier.
            Missed(each.first - count * (each.first > first), each.count)
            for each in self.missed
            if each.first != first
        ]


# ------------------------------------------------------------ people and their keys


@mutable(kw_only=True)
class TableCrew:
    """The people at the table with their roles, and those who were called."""

    dealer: str = ""
    floor: str = ""
    unlocked: dict[str, str] = field(default_factory=dict)
    calls: dict[str, str] = field(default_factory=dict)
    checklist: list[str] = field(default_factory=list)

    def person(self, role: Role) -> str:
        """Return the person who has unlocked a role."""
        # A release may be of another role than the action's own (``any_role``): then it is whoever is there.
        return self.unlocked.get(role.value) or next(iter(self.unlocked.values()), "")

    def unlock(self, role: Role, person: str) -> None:
        """Take a person who has proved a role."""
        self.unlocked[role.value] = person
        if role is Role.FLOOR:
            self.floor = person

    def lock_role(self, role: Role) -> None:
        """Take a role as gone."""
        self.unlocked.pop(role.value, None)

    def lock_all(self) -> None:
        """Take all roles as gone."""
        self.unlocked.clear()

    @contextmanager
    def proved(self, role: Role, person: str) -> Iterator[None]:
        """Unlock a role for one order."""
        # A proof at the console must not open the lists at the
        # table: it is taken away again whatever happens.
        before = self.unlocked
        self.unlocked = {role.value: person} | {
            name: each for name, each in before.items() if name != role.value
        }
        try:
            yield
        finally:
            self.unlocked = before

    def check_off(self, words: str) -> None:
        """Check off something of the day's checklist."""
        self.checklist.append(words)

    def end_day(self) -> None:
        """Clear the checklist for the next day."""
        self.checklist.clear()


@mutable
class Pending:
    """An entry of the dealer that is not yet confirmed: a number or a choice.

    ``felt`` is what a pad feels on the spot of the wager that is asked for (None: chips of unknown value),
    and ``counts`` whether that or the key counts where the two differ. ``lot`` is the color of a deck whose
    lot is being keyed in, ``digits`` as far as it has come. ``row`` is the row, and its question, that the
    cursor of a declaration was moved to: where a player leaves, another may stand there.
    """

    number: int | None = None
    choice: int = 0
    fold: bool = False
    felt: int | None = 0
    counts: str = ""
    lot: str = ""
    # Kept as text: the number of a lot may begin with a zero.
    digits: str = ""
    row: str = ""

    def count_to(self, number: int | None) -> None:
        """Set the number that is entered."""
        self.number = number

    def move_to(self, choice: int) -> None:
        """Move the cursor to a line."""
        self.choice = choice

    def key(self, number: int | None, choice: int, *, fold: bool) -> None:
        """Enter an answer by key; which of key and chips counts is open again."""
        # A new key is a new difference between key and chips: the dealer says anew which counts.
        self.number, self.choice, self.fold, self.counts = number, choice, fold, ""


@mutable
class Menu:
    """An open list: its actions, the cursor, and the argument being chosen.

    ``gone`` while the line that was shown may not be taken any more, until the cursor is moved.
    """

    role: Role
    actions: list[str]
    cursor: int = 0
    action: str = ""
    values: list[str] = field(default_factory=list)
    gone: bool = False

    @property
    def lines(self) -> list[str]:
        """The lines that the cursor walks."""
        return self.values if self.action else self.actions

    def move(self, way: int) -> None:
        """Go to the next line; from one that is gone to what took its place, or to the one before."""
        # The line that took the place of a gone one lies under the cursor already.
        step = 0 if self.gone and way > 0 else way
        self.cursor, self.gone = (self.cursor + step) % len(self.lines), False


@mutable(kw_only=True)
class EntryState:
    """The entry at the keys: a number, a choice, a line of a list."""

    pending: Pending = field(default_factory=Pending)
    menu: Menu | None = None
    # When a list closed by itself; an OK just after it was meant for the list (``keys.CLOSED_S``).
    list_closed_at: float | None = None

    def clear_pending(self) -> None:
        """Forget what was being entered."""
        self.pending = Pending()

    def shut_list(self, at: float) -> None:
        """Shut a list that somebody may be reading, so that an OK meant for it can be told by its time."""
        if self.menu is not None:
            self.menu, self.list_closed_at = None, at

    def close_list(self) -> None:
        """Close the list that somebody opened."""
        self.menu = None

    def open_list(self, menu: Menu) -> None:
        """Open a list."""
        self.menu = menu
