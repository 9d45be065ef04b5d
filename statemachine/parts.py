"""The other parts of a table: its clock, its devices, the wagers before the lock, what holds it."""

from dataclasses import dataclass, field

from sabot.statemachine.events import Role
from sabot.statemachine.round import Note


@dataclass(slots=True, kw_only=True)
class TableClock:
    """The table's own time, which never goes back."""

    now: float = 0.0
    clock_offset: float = 0.0


@dataclass(slots=True, kw_only=True)
class Devices:
    """The devices that deal and shuffle now, and those that are out of order."""

    method: str
    knowledge: str
    shuffler: str
    deck_count: int
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
        """Cards are dealt and shuffled so from now on."""
        self.method, self.knowledge, self.shuffler = method, knowledge, shuffler

    def shuffle_by(self, shuffler: str, deck_count: int) -> None:
        """This shuffles from now on, and so many decks alternate."""
        self.shuffler, self.deck_count = shuffler, deck_count


@dataclass(slots=True, kw_only=True)
class OpenWagers:
    """The wagers before the lock, whose boxes are whose, and what came too late."""

    bets: dict[int, dict[str, int | None]] = field(default_factory=dict)
    boxes: dict[int, str] = field(default_factory=dict)
    late: list[Note] = field(default_factory=list)
    empty_since: float | None = None

    def clear_bets(self) -> None:
        """No wager waits for the lock."""
        self.bets = {}

    def keep_bets(self, kept: dict[int, dict[str, int | None]]) -> None:
        """Of the wagers before the lock these are kept; a seat without any has none."""
        self.bets = {seat: placed for seat, placed in kept.items() if placed}

    def own_box(self, seat: int, owner: str) -> None:
        """A box is this player's."""
        self.boxes[seat] = owner

    def part_boxes(self, boxes: dict[int, str] | None = None) -> None:
        """Each box is its own player's again, or as it was before."""
        self.boxes = boxes if boxes is not None else {}

    def note_late(self, at: float, words: str, cite: str, by: str = "") -> None:
        """Something was done to chips after the lock."""
        self.late.append(Note(at, words, cite, by))

    def late_notes(self) -> tuple[Note, ...]:
        """Return what was done since the last record, and begin anew."""
        notes, self.late = tuple(self.late), []
        return notes


@dataclass(slots=True)
class Missed:
    """Cards entered unread because their reports never came: from which position of the deck, how many."""

    first: int
    count: int


@dataclass(slots=True)
class HeldFault:
    """Why the table waits, and who may lift it once its cause was tested again.

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
        """Its cause was tested again."""
        self.retested = is_good

    def passed(self) -> None:
        """The device is well again by its own word."""
        self.retested, self.unaccounted = True, 0

    def miss_cards(self, count: int) -> None:
        """So many cards did not come out of the device."""
        self.unaccounted, self.retested = count, False


@dataclass(slots=True, kw_only=True)
class Trouble:
    """The faults that hold the table, and the cards that were perhaps missed."""

    holds: list[HeldFault] = field(default_factory=list)
    missed: list[Missed] = field(default_factory=list)

    def miss(self, first: int, count: int) -> None:
        """Cards were entered unread because their reports never came."""
        self.missed.append(Missed(first, count))

    def forget_missed(self) -> None:
        """No card is thought missed."""
        self.missed.clear()

    def was_none(self, first: int, count: int) -> None:
        """No card lay there: what came after moves up."""
        self.missed = [
            Missed(each.first - count * (each.first > first), each.count)
            for each in self.missed
            if each.first != first
        ]
