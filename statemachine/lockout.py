"""No more bets: what stands makes the round, and every spot closes at once (x.7, x.8(b)).

What does not stand by the chapter (a wager without what it requires, out of the table's limits) goes back
and never was in the round; the record says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.books import MoneyBooks
from sabot.statemachine.boxes import Boxes
from sabot.statemachine.chips import ChipCount
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.effects import RefuseWager
from sabot.statemachine.events import Key, Role
from sabot.statemachine.late import TOLD_IN
from sabot.statemachine.law import Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.looked import Looked
from sabot.statemachine.offers import ACCOUNT
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.outoforder import OutOfOrder
from sabot.statemachine.parts import Devices, OpenWagers, TableClock
from sabot.statemachine.people import TableCrew
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.round import GoesBack, Play, RoundState
from sabot.statemachine.shares import Shares
from sabot.statemachine.standing import why_not_standing
from sabot.statemachine.stock import Stock

# What did not stand is handed back before cards are dealt by hand; a device may deal meanwhile.
HANDING_BACK = phases(Phase.COUNTING_CHIPS, Phase.DEALING)
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

    def standing_bets(
        self, placed: Mapping[int, Mapping[str, int | None]]
    ) -> tuple[Bets, dict[tuple[int, str], str]]:
        """A bet map without what may not stand, and why each of those fell."""
        standing, why = self.linked_meters.without_shut(placed)
        while True:
            fallen = {
                (seat, wager): reason
                for seat, bets in standing.items()
                if not self.law.all_stand(tuple(bets.items()))
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
        if not is_shut and self.law.all_stand(tuple(bets.items())):
            return ()
        return tuple(sorted(self.standing_bets({seat: bets})[1]))

    def verify_lock(self, _value: str) -> None:
        """A dealer, devices that were inspected, a deck that is ready and not due, somebody to deal to."""
        if not self.crew.dealer:
            raise Refused("no dealer has signed on")
        if not self.crew.checklist:
            raise Refused("shoe and shuffler not inspected today")
        deck = self.stock.decks.get(self.stock.in_play)
        if deck is None or not deck.ready:
            raise Refused("no deck is ready")
        if self.deck_room.is_due(deck):
            raise Refused(
                f"deck {deck.name} is due for change ({self.law.chapter.deck.rules['change'].cite})"
            )
        if self.devices.out_of_order:
            self.out_of_order.verify_devices()
        if not any(map(self._stands, self.layout.bets)):
            raise Refused("nobody has a wager that stands")
        if self.layout.boxes:
            self._verify_adjacency()

    def _stands(self, seat: int) -> bool:
        """Return whether any wager of a seat stands; what its neighbours have does not matter."""
        bets = self.layout.bets[seat]
        if bets and self.law.all_stand(tuple(bets.items())):
            return True
        standing, _ = self.standing_bets({seat: bets})
        return bool(standing)

    def _verify_adjacency(self) -> None:
        """One player, so many boxes side by side and no more (x.7(e)); asked once boxes were joined."""
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
        """No more bets: the standing wagers make the round, the others go back."""
        standing, fallen = self.standing_bets(self.layout.bets)
        for (seat, wager), why in fallen.items():
            self.out.emit(RefuseWager(seat=seat, wager=wager, why=why, cite=self.law.cite("7(d)")))
            self.chip_count.give_back(seat, wager, self.layout.bets[seat][wager], self.law.cite("7(d)"))
        self.books.rounds += 1
        self.play.begin(self._new_round(standing))
        back = [
            GoesBack(seat, wager, self.layout.bets[seat][wager])
            for seat, wager in sorted(fallen)
            if self.law.chapter.wagers[wager].device != ACCOUNT
        ]
        self.play.current.handed_back(back)
        self.layout.clear_bets()
        for (seat, wager), why in fallen.items():
            self.out.note(f"seat {seat} {wager} went back: {why}", self.law.cite("7(d)"))
        self.books.ledger.take_in(self.chip_count.shares(standing))
        self.linked_meters.begin_round(standing)
        if self.chip_count.accepted():
            self.phases.lock()
        else:
            self.phases.lock_without_chips()
            self.dealing.begin_dealing()

    def to_hand_back(self) -> GoesBack | None:
        """The chips to hand back before anything else is done with the dealer's hands (x.7(d))."""
        round_, phase = self.play.round, self.play.phase
        if round_ is None or not round_.hand_back:
            return None
        due = (each for each in round_.hand_back if phase in (TOLD_IN if each.way else HANDING_BACK))
        return next(due, None)

    def went_back(self, seat: int, wager: str, cents: int | None) -> bool:
        """Return whether a spot with refused chips is empty now: nothing is left there to hand back."""
        round_ = self.play.current
        left = [each for each in round_.hand_back if (each.seat, each.wager, each.way) != (seat, wager, "")]
        is_gone = cents == 0 and len(left) < len(round_.hand_back)
        round_.handed_back(left if is_gone else round_.hand_back)
        return is_gone

    def handed_back(self, _value: str) -> None:
        """The dealer says so; a table without pads has no other word for it."""
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
        """A round, with what was noted since the last one."""
        notes, self.books.notes = self.books.notes, []
        deck = self.stock.decks[self.stock.in_play]
        deck.deal_by(self.devices.method)
        return RoundState(
            number=self.books.rounds,
            deck=self.stock.in_play,
            dealer=self.crew.dealer,
            started_at=self.clock.now,
            method=self.devices.method,
            knowledge=self.devices.knowledge,
            bets=standing,
            players={seat: self.box_owners.player_of(seat) for seat in standing},
            meters_before=self.shares.meters(),
            notes=notes,
        )


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
