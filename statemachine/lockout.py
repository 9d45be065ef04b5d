"""No more bets: whose the boxes are; what stands makes the round, and every spot closes at once (x.7).

A player may bet on several boxes that lie side by side (x.7(e)). Envy, payout limit and adjacency are a
player's, not a box's; until the dealer joins two boxes each is a player of its own, named after the seat.

What does not stand by the chapter (a wager without what it requires, out of the table's limits) goes back
and never was in the round; the record says why.
"""

# Theory of operation. LOCK is the one moment at which wagers become a round. What stands is mostly known by
# then: while bets are open each seat that changed is looked at (``Looked``), and spots whose wagers would go
# back are told dark. So at LOCK a table without dark spots is taken over as it was found; else all of it is
# held against the law once more, until nothing falls any more. What falls goes back before the round begins,
# what stands feeds the meters (x.7(c)), and progressive chips are counted before the first card (x.8(b)).

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused, phases
from sabot.statemachine.chips import ChipCount
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.hits import Shares
from sabot.statemachine.late_chips import TOLD_IN, Looked
from sabot.statemachine.law import ACCOUNT, Law, why_not_standing
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.out_of_order import OutOfOrder
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.books import MoneyBooks
from sabot.statemachine.state.ledger import Fed
from sabot.statemachine.state.parts import Devices, OpenWagers, TableClock, TableCrew
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import GoesBack, Play, RoundState
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.effects import RefuseWager
from sabot.statemachine.vocabulary.events import Key, Role
from sabot.statemachine.voiding import TakingBack

JOINED, APART = "+", "/"


def own_player(seat: int) -> str:
    """Return the player of a box that was joined to no other."""
    return f"seat{seat}"


@lru_cache(maxsize=64)
def _own_players(seats: tuple[int, ...]) -> Mapping[int, str]:
    """Return the players of boxes none of which was joined to another."""
    return {seat: own_player(seat) for seat in seats}


def _mark(value: str) -> str:
    return JOINED if JOINED in value else APART


@dataclass(slots=True, eq=False, repr=False)
class Boxes:
    """Join boxes of one player, and part them."""

    law: Law
    out: Outbox
    layout: OpenWagers
    undo: TakingBack

    def player_of(self, seat: int) -> str:
        """Return the player of a box."""
        return self.layout.boxes.get(seat, own_player(seat))

    def players(self, seats: Iterable[int]) -> dict[int, str]:
        """Return the players of some boxes."""
        if not self.layout.boxes:
            return dict(_own_players(tuple(seats)))
        return {seat: self.player_of(seat) for seat in seats}

    def box_pairs(self) -> list[str]:
        """Return neighbours, with a plus to be joined, with a slash to be parted if they are one player's."""
        pairs = zip(range(1, self.law.setup.seat_count), range(2, self.law.setup.seat_count + 1), strict=True)
        return [f"{left}{self._sign(left, right)}{right}" for left, right in pairs]

    def _sign(self, left: int, right: int) -> str:
        return APART if self.player_of(left) == self.player_of(right) else JOINED

    def join_boxes(self, value: str) -> None:
        """Make two adjacent boxes one player's, or two players' again."""
        # Before the change: BACK parts what was joined by mistake.
        self.undo.remember(self.pair_words(value).lower())
        left, right = int(value[: value.index(_mark(value))]), int(value[value.index(_mark(value)) + 1 :])
        if _mark(value) == JOINED:
            # All boxes of the right one's player, for it may have been joined to others before.
            self._give(self.player_of(right), range(1, self.law.setup.seat_count + 1), self.player_of(left))
        else:
            # The boxes to the right of the cut stay together, under the name of the first of them.
            self._give(self.player_of(right), range(right, self.law.setup.seat_count + 1), own_player(right))
        words = "one player" if _mark(value) == JOINED else "two players"
        self.out.note(f"seats {left} and {right}: {words}", self.law.cite("7(e)"))

    def _give(self, player: str, seats: range, owner: str) -> None:
        """Give the boxes of a player among these seats another owner."""
        for seat in [seat for seat in seats if self.player_of(seat) == player]:
            self.layout.own_box(seat, owner)

    def pair_words(self, value: str) -> str:
        """Return two neighbours as a list shows them."""
        return f"{'JOIN' if JOINED in value else 'PART'} {value[0]} AND {value[2:]}"


BOX_ACTIONS = (
    Action(
        "join_boxes",
        "JOIN BOXES",
        Role.DEALER,
        BETWEEN_ROUNDS,
        "7(e)",
        Boxes.join_boxes,
        values=Boxes.box_pairs,
        say=Boxes.pair_words,
    ),
)


# ------------------------------------------------------------ the lock

Bets = dict[int, dict[str, int | None]]


@dataclass(slots=True, eq=False, repr=False)
class Lockout:
    """Close the bets, and make the round of what stands."""

    law: Law
    phases: Phases
    out: Outbox
    looked: Looked
    clock: TableClock
    crew: TableCrew
    stock: Stock
    devices: Devices
    layout: OpenWagers
    books: MoneyBooks
    play: Play
    box_owners: Boxes
    chip_count: ChipCount
    dealing: Dealing
    deck_room: Decks
    linked_meters: LinkedMeters
    out_of_order: OutOfOrder
    shares: Shares
    # The next round, made before it is locked: of its many fields most begin empty.
    _blank: RoundState | None = field(init=False, default=None)

    def prepare(self) -> None:
        """Make the next round's blank."""
        if self._blank is None:
            self._blank = RoundState.blank()

    def standing_bets(
        self, placed: Mapping[int, Mapping[str, int | None]]
    ) -> tuple[Bets, dict[tuple[int, str], str]]:
        """Return bets without those that may not stand, and why each of those fell."""
        standing, why = self.linked_meters.without_shut(placed)
        # Until nothing falls any more: what required a wager that fell falls after it.
        while True:
            fallen = {
                (seat, wager): reason
                for seat, bets in standing.items()
                if not self.law.wagers_of(tuple(bets.items())).all_stand
                for wager in bets
                if (reason := why_not_standing(self.law.setup, wager, bets))
            }
            for seat, wager in fallen:
                del standing[seat][wager]
            why |= fallen
            if not fallen:
                return {seat: bets for seat, bets in sorted(standing.items()) if bets}, why

    def dark_spots(self) -> tuple[tuple[int, str], ...]:
        """Return the spots whose wagers would go back if it were locked now."""
        return self.looked.dark(self.layout.bets, self.would_fall)

    def would_fall(self, seat: int, bets: Mapping[str, int | None]) -> tuple[tuple[int, str], ...]:
        """Return the spots of a seat that would fall, its neighbours left aside."""
        is_shut = bool(self.law.links) and self.linked_meters.has_shut(bets)
        wagers = self.law.wagers_of(tuple(bets.items()))
        if not is_shut and wagers.all_stand:
            self.looked.found(seat, wagers)
            return ()
        return tuple(sorted(self.standing_bets({seat: bets})[1]))

    def verify_lock(self, _value: str) -> None:
        """Raise unless a dealer, inspected devices, a ready deck that is not due, and a wager are there."""
        if not self.crew.dealer:
            raise Refused("no dealer has signed on")
        if not self.crew.checklist:
            raise Refused("shoe and shuffler not inspected today")
        deck = self.stock.decks.get(self.stock.in_play)
        if deck is None or not deck.ready:
            raise Refused("no deck is ready")
        # The spots are shut by then, too; but a deck may come due between two events.
        if self.deck_room.is_due(deck):
            raise Refused(
                f"deck {deck.name} is due for change ({self.law.chapter.deck.rules['change'].cite})"
            )
        if self.devices.out_of_order:
            self.out_of_order.verify_devices()
        if not any(map(self._stands, self.layout.bets)):
            raise Refused("nobody has a wager that stands")
        # Only joined boxes can be too many: each other box is a player of its own.
        if self.layout.boxes:
            self._verify_adjacency()

    def _stands(self, seat: int) -> bool:
        """Return whether any wager of a seat stands; what its neighbours have does not matter."""
        bets = self.layout.bets[seat]
        if bets and (self.looked.is_clear(seat) or self.law.wagers_of(tuple(bets.items())).all_stand):
            return True
        standing, _ = self.standing_bets({seat: bets})
        return bool(standing)

    def _verify_adjacency(self) -> None:
        """Raise where a player has too many boxes, or boxes not side by side (x.7(e))."""
        # Only boxes with a wager that stands count; a box alone needs no look, for it is never too many.
        boxes: dict[str, list[int]] = {}
        for seat in sorted(self.layout.bets):
            boxes.setdefault(self.box_owners.player_of(seat), []).append(seat)
        for seats in boxes.values():
            self._verify_boxes([seat for seat in seats if self._stands(seat)] if len(seats) > 1 else seats)

    def _verify_boxes(self, seats: list[int]) -> None:
        if len(seats) > self.law.setup.adjacent_boxes:
            raise Refused(f"one player on {len(seats)} boxes ({self.law.cite('7(e)')})")
        for left, right in pairwise(seats):
            if right - left > 1:
                raise Refused(f"boxes {left} and {right} are not adjacent ({self.law.cite('7(e)')})")

    def lock(self, _value: str) -> None:
        """Close the bets: the standing wagers make the round, the others go back."""
        standing, fallen = self._found()
        for (seat, wager), why in fallen.items():
            self.out.emit(RefuseWager(seat=seat, wager=wager, why=why, cite=self.law.cite("7(d)")))
            self.chip_count.give_back(seat, wager, self.layout.bets[seat][wager], self.law.cite("7(d)"))
        # A number is used once, also where the round is void: contributions, debts and claims go by it.
        self.books.rounds += 1
        self.play.begin(self._new_round(standing))
        back = [
            GoesBack(seat, wager, self.layout.bets[seat][wager])
            for seat, wager in sorted(fallen)
            # Nobody hands a sum on an account over the layout.
            if self.law.chapter.wagers[wager].device != ACCOUNT
        ]
        self.play.current.handed_back(back)
        # After what goes back was read out of it.
        self.layout.clear_bets()
        for (seat, wager), why in fallen.items():
            self.out.note(f"seat {seat} {wager} went back: {why}", self.law.cite("7(d)"))
        # From the accepted wagers alone, and at the lock, not when the chips were laid (x.7(c)).
        self.chip_count.take_in(self._fed(standing))
        self.linked_meters.begin_round(standing)
        # Only progressive chips are counted (x.8(b)); without any the deal begins at once.
        if self.chip_count.has_accepted():
            self.phases.lock()
        else:
            self.phases.lock_without_chips()
            self.dealing.begin_dealing()

    def _found(self) -> tuple[Bets, dict[tuple[int, str], str]]:
        """Return the bets that stand and those that fall; where no spot is dark all were found to stand."""
        if not self.looked.is_all_lit:
            return self.standing_bets(self.layout.bets)
        # No copies: what lies there is the round's from now on.
        placed = self.layout.bets
        return {seat: bets for seat in sorted(placed) if (bets := placed[seat])}, {}

    def _fed(self, standing: Bets) -> dict[int, Fed]:
        """Return what each seat contributes, as it was found before where no spot is dark."""
        if not self.looked.is_all_lit:
            return self.chip_count.fed(standing)
        wagers = self.looked.wagers
        return {seat: wagers[seat].fed for seat in standing}

    def to_hand_back(self) -> GoesBack | None:
        """Return the chips to hand back before the dealer does anything else (x.7(d)), None for none."""
        round_ = self.play.round
        if round_ is None or not round_.hand_back or self.play.phase not in TOLD_IN:
            return None
        # A device may have dealt to its end meanwhile: what lies there is no wager after the deal either.
        return round_.hand_back[0]

    def went_back(self, seat: int, wager: str, cents: int | None) -> bool:
        """Strike refused chips off what goes back where their spot is empty now; return whether it was so."""
        round_ = self.play.current
        left = [each for each in round_.hand_back if (each.seat, each.wager, each.way) != (seat, wager, "")]
        # The pad's word is enough: the spot is empty.
        is_gone = cents == 0 and len(left) < len(round_.hand_back)
        round_.handed_back(left if is_gone else round_.hand_back)
        return is_gone

    def handed_back(self, _value: str) -> None:
        """Take the dealer's word that chips went back; a table without pads has no other word for it."""
        back = self.to_hand_back()
        assert back is not None  # it was verified
        self.play.current.handed_back([each for each in self.play.current.hand_back if each is not back])
        if back.way:
            words = f"seat {back.seat} {back.wager} put right, said the dealer"
            self.layout.note_late(self.clock.now, words, self.law.cite("7(c)"), self.crew.dealer)

    def verify_hand_back(self, _value: str) -> None:
        """Raise where nothing is to be handed back."""
        if self.to_hand_back() is None:
            raise Refused("nothing is to be handed back")

    def _new_round(self, standing: Bets) -> RoundState:
        """Make a new round, with what was noted since the last one."""
        # Notes from between the rounds belong to the record of the next one.
        notes, self.books.notes = self.books.notes, []
        self.deck_room.deal_by(self.stock.decks[self.stock.in_play], self.devices.method)
        round_, self._blank = self._blank or RoundState.blank(), None
        players = self.box_owners.players(standing)
        round_.lock(
            self.books.rounds, self.stock.in_play, self.crew.dealer, self.clock.now, standing, players
        )
        round_.deal_by(self.devices.method, self.devices.knowledge)
        round_.begin_with(notes, self.shares.meters())
        return round_


ACTIONS = (
    Action(
        "lock",
        "NO MORE BETS",
        Role.DEALER,
        phases(Phase.BETS_OPEN),
        "8(b)",
        Lockout.lock,
        Lockout.verify_lock,
        key=Key.LOCK,
    ),
    Action(
        "handed_back",
        "CHIPS HANDED BACK",
        Role.DEALER,
        TOLD_IN,
        "7(d)",
        Lockout.handed_back,
        Lockout.verify_hand_back,
        key=Key.OK,
        comes_first=True,
    ),
)
