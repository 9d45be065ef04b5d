"""Cards that a reading shoe reports one by one, and reports of it that never came (x.13(a)-(b)).

A report that was lost is a card that was not read until a person says otherwise: it lies at the place of the
card that was due, and the next one goes to the next place. To leave it out would record every later card one
place early, each under a name that is wrong; a card that nobody read is declared at the reveal. The table is
held meanwhile, and the floor looks: the felt shows whether a card lies there.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.contest import Contest
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.labels import WIDTH, first_that_fits, place_words
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.state.parts import Devices, EntryState, HeldFault, TableCrew, Trouble
from sabot.statemachine.state.phases import DEALING, STUB, Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import EACH_CARD
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.events import CardDrawn, CardsMissed, Role, Secret

if TYPE_CHECKING:
    from sabot.rules.plan import Placement

MISSED = "missed_card"
SHOE = "shoe"


@dataclass(slots=True, eq=False, repr=False)
class ShoeReading:
    """Take cards that a reading shoe reports, and reports that never came."""

    law: Law
    phases: Phases
    out: Outbox
    contest: Contest
    crew: TableCrew
    entry: EntryState
    stock: Stock
    devices: Devices
    trouble: Trouble
    play: Play
    dealing: Dealing
    faults: FaultLatch

    def verify_reads(self) -> None:
        """Raise where no shoe in use reads each card."""
        if self.devices.knowledge != EACH_CARD or SHOE in self.devices.out_of_order:
            raise Refused("no shoe at this table reads single cards")

    def is_due(self) -> bool:
        """Return whether the deal wants a card now."""
        return self.play.phase is DEALING and not self.dealing.waits_for_deck()

    def on_card(self, event: CardDrawn) -> None:
        """Deal a card that a reading shoe saw leave: it is the next, even if drawn in error (x.13(b))."""
        self.verify_reads()
        # Asked before the gap, which holds the table itself.
        was_held = bool(self.trouble.holds) and self.faults.held is not None
        if event.missed:
            self._miss(event.missed)
        if not self.is_due():
            self.dealing.stray((event.card,), "a card")
            return
        if was_held:
            number = self.play.current.drawn + 1
            words = f"card {number} left the shoe while the table was held: it is the next card"
            self.out.note(words, self.law.cite("13(b)"))
            # On its way when the shoe was halted, as a rule: it is the next card all the same (x.13(b)).
            self.faults.hold("card_out_of_turn", SHOE, "a card left the shoe while the table was held")
        if event.card is None:
            # Its place is taken even so: without it every later card would lie one place early.
            self.dealing.take((None,))
            self.faults.hold("unreadable_card", SHOE, "a card could not be read")
            return
        self.dealing.take(self.dealing.known((event.card,)))

    def on_missed(self, event: CardsMissed) -> None:
        """Enter reports that never came, as another report has shown."""
        self.verify_reads()
        if event.count < 1:
            raise Refused("no report is missing")
        self._miss(event.count)

    # ---------------------------------------------------------------- reports that never came

    def _miss(self, count: int) -> None:
        """Enter cards that nobody read where the next ones were due; more than were due contradict that."""
        # Where none is due, more reports than a pack has cards are no gap either.
        left = len(self.dealing.left_to_deal()) if self.is_due() else self.law.chapter.deck.pack
        words = f"{count} report{'s' * (count > 1)} of the shoe missing"
        if count > left:
            self.faults.hold("contradiction", SHOE, f"{words}, {left} card(s) were due")
            return
        self._forget_old()
        if self.is_due():
            first = self.play.current.drawn + 1
            whose = self.whose_card(first)
            # Before the cards are entered: the position is that of the first of them.
            self.trouble.miss(first, count)
            self.dealing.take((None,) * count)
            words = f"{words}: {whose} was not read{' nor the next' * (count > 1)}, if it was dealt"
        elif self.dealing.is_before_deal():
            early = self.stock.decks[self.stock.in_play].early
            self.trouble.miss(len(early) + 1, count)
            early += (None,) * count
            words = f"{words} before the deal: what left is dealt first, unread"
        self.out.note(words, self.law.cite("13(b)"))
        self.faults.hold(MISSED, SHOE, words)

    def _forget_old(self) -> None:
        """Forget earlier gaps where no fault stands over them: its release has confirmed them."""
        if self.missing_hold() is None:
            self.trouble.forget_missed()

    def missing_hold(self) -> HeldFault | None:
        """Return the fault over cards that were perhaps missed, None where there is none."""
        return next((held for held in self.trouble.holds if held.kind == MISSED), None)

    def placed_at(self, position: int) -> "Placement":
        """Return where a card of the deal lies, by its position in the deck."""
        return self.contest.laid.order[position - 1]

    def whose_card(self, position: int) -> str:
        """Return the place of a card and its number there, as the display names them."""
        card = self.placed_at(position)
        return f"{place_words(card.place)} CARD {card.nth}"

    def lines_of_missed(self) -> tuple[str, str]:
        """Return how many cards were perhaps missed and whose the first is, empty before the deal."""
        missed, round_ = self.trouble.missed, self.play.round
        if not missed or round_ is None or not round_.drawn:
            return "", ""
        count, first = sum(each.count for each in missed), self.placed_at(missed[0].first)
        place = place_words(first.place)
        return (
            f"{count} NOT READ" if count > 1 else "",
            first_that_fits(
                f"FLOOR: {place} CARD {first.nth}", f"FLOOR: {place} {first.nth}", f"FLOOR: {place}"
            ),
        )

    # ---------------------------------------------------------------- the floor has looked

    def gaps_to_take_back(self) -> list[str]:
        """Return the gaps that may be no cards, by position and count; none before a card set aside."""
        round_ = self.play.round
        if self.missing_hold() is None or (round_ is not None and round_.void):
            return []
        aside = max(round_.face_up, default=0) if round_ is not None else 0
        cards = self._cards_out()
        return [
            f"{each.first} {each.count}"
            for each in self.trouble.missed
            # Only places where still nobody has read a card.
            if each.first > aside and cards[each.first - 1 :][: each.count] == [None] * each.count
        ]

    def no_card(self, value: str) -> None:
        """Take a gap out where no card lies: later cards move up; after the last gap the table goes on."""
        first, count = map(int, value.split())
        del self._cards_out()[first - 1 : first - 1 + count]
        self.trouble.was_none(first, count)
        if self.play.round is not None:
            self.play.current.no_card_missed()
            # The deal wants as many cards again.
            if self.play.phase is STUB:
                self.phases.not_dealt()
                self.entry.clear_pending()
        by = self.crew.person(Role.FLOOR)
        self.out.note(f"no card was missed at position {first}", self.law.cite("13(b)"), by)
        held = self.missing_hold()
        if held is not None and not self.trouble.missed:
            self.faults.lift(held, by)

    def _cards_out(self) -> "list[Secret | None]":
        """Return the cards that have left the deck: of the round once it deals, else before the deal."""
        round_ = self.play.round
        if round_ is not None and round_.drawn:
            return round_.seen
        deck = self.stock.decks.get(self.stock.in_play)
        return deck.early if deck is not None else []

    def gap_words(self, value: str) -> str:
        """Return the words for a gap to choose: whose card it would be."""
        first, _ = map(int, value.split())
        round_ = self.play.round
        if round_ is None or not round_.drawn:
            return f"BEFORE DEAL, CARD {first}"
        return self.whose_card(first)[:WIDTH]


ACTIONS = (
    Action(
        "no_card_missed",
        "NO CARD WAS MISSED",
        Role.FLOOR,
        phases(Phase.BETS_OPEN, Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, Phase.DEALING, Phase.STUB),
        "13(b)",
        ShoeReading.no_card,
        values=ShoeReading.gaps_to_take_back,
        say=ShoeReading.gap_words,
        while_held=True,
    ),
)
