"""Irregularities: what the law says when cards go wrong (x.13), one row a kind.

A row says in which phases a kind can occur, at which place a card must lie for it, and its title in the
dealer's list; what it does to the round is the chapter's: it goes on, it is void, or its contest alone is
void and the optional wagers are settled. Nothing is entered on top of a stub that was counted wrong: that is
left by its determination alone (x.8(g)-(h)).

One card that lies face up in the deck, or was drawn in error, goes to the rack and the next takes its place
(x.13(a)-(b)): a new plan, in which every later card moves by one. A second one voids the round. The dealer
says so, for no device can tell; a shoe that could not read the card has held the table before.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from sabot.rules.chapter import Fate
from sabot.rules.plan import DISCARD
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.chips import Answering
from sabot.statemachine.contest import begun
from sabot.statemachine.dealing import TO_RACK, Dealing
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.labels import place_words
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Calling, Outbox
from sabot.statemachine.state.books import LastRecord
from sabot.statemachine.state.parts import EntryState, TableClock, TableCrew
from sabot.statemachine.state.phases import Phase, Phases
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import AUTOMATED, Knowledge
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.effects import TakeBackPayment
from sabot.statemachine.vocabulary.events import Role
from sabot.statemachine.voiding import TakingBack, Voiding

if TYPE_CHECKING:
    from sabot.rules.plan import Placement


P = Phase

DEAL_TO_REVEAL = phases(P.DEALING, P.STUB, P.DECIDING, P.TURNING)

WAITING = phases(P.COUNTING_CHIPS, P.CHIP_MISMATCH)
# A wrong number may show as late as when the cards are picked up.
UNTIL_CLEARED = DEAL_TO_REVEAL | phases(P.DECLARING, P.SETTLING, P.VALIDATING, P.DOCUMENTS, P.CLEARING)
WRONG_NUMBER, PLAYER = "wrong_count", "player"


class IrregularityRow(NamedTuple):
    """An irregularity in the list: where and how it may be met, its title, and whose card it is."""

    kind: str
    phases: frozenset[Phase]
    methods: str
    title: str
    place: str = ""


IRREGULARITIES = (
    # Rows without a title are met by an action of their own, not by the list.
    IrregularityRow("one_face_up", phases(P.DEALING, P.STUB), "", ""),
    IrregularityRow("several_face_up", phases(P.DEALING, P.STUB), "", ""),
    IrregularityRow("drawn_in_error", phases(P.DEALING), "", ""),
    IrregularityRow(WRONG_NUMBER, UNTIL_CLEARED, "", ""),
    IrregularityRow("dealer_exposed", DEAL_TO_REVEAL, "", "DEALER CARD SEEN", "dealer"),
    IrregularityRow("community_exposed", DEAL_TO_REVEAL, "", "COMMUNITY CARD SEEN", "community"),
    # Also before the first card: what cannot be dealt any more is void from the lock on (x.13(f)).
    IrregularityRow("shoe_jam", WAITING | phases(P.DEALING), "auto_shoe", "SHOE STOPPED"),
    IrregularityRow("stub_misdealt", phases(P.STUB_WRONG), "", ""),
    IrregularityRow("stub_short", phases(P.STUB_WRONG), "", ""),
    IrregularityRow("exposed_other", DEAL_TO_REVEAL, "", "OTHER CARD SEEN"),
)

IRREGULARITY_ROWS = {row.kind: row for row in IRREGULARITIES}


def _player_or(place: str) -> str:
    return PLAYER if place.startswith("seat") and ":" not in place else place


@dataclass(slots=True, eq=False, repr=False)
class Irregularities:
    """Meet irregularities as the law says."""

    law: Law
    phases: Phases
    out: Outbox
    recorded: LastRecord
    clock: TableClock
    crew: TableCrew
    entry: EntryState
    stock: Stock
    play: Play
    answering: Answering
    calling: Calling
    dealing: Dealing
    faults: FaultLatch
    undo: TakingBack
    voiding: Voiding

    # ---------------------------------------------------------------- what an irregularity does

    def irregular(self, kind: str, *, reopened: bool = False) -> None:
        """Meet an irregularity: note it, and do to the round what the chapter says.

        With ``reopened`` a decision is open again, so that it was met before it.
        """
        found = self.law.chapter.irregularities[kind]
        round_ = self.play.current
        round_.note(self.clock.now, kind.replace("_", " "), found.cite, self.crew.dealer)
        if found.fate is Fate.GOES_ON:
            return
        # 682a.13(d) asks whether the card was seen before the raises;
        # the last decision is what counts (reading V3).
        when = "before_raise" if reopened or self._before_last_decision() else "after_raise"
        # Kept, in case a decision is opened again.
        if found.only_when and when != found.only_when:
            round_.expose(kind)
            round_.note(self.clock.now, "after the raises: the round goes on", found.cite)
            return
        # Reading V16: by ``held`` the floor decides, where seats were paid already.
        if begun(round_) and kind == WRONG_NUMBER and self.law.readings["void_after_payment"] == "held":
            self.faults.hold("paid_first", "table", "wrong number of cards after a payment", found.cite)
            return
        round_.meet(kind, when)
        self.answering.return_chips(kind.replace("_", " "))
        # A contest that is void with no optional wager alive
        # leaves nothing to play for: the round ends at once.
        if found.fate is Fate.VOID or not self._optional_alive():
            self.voiding.void(kind.replace("_", " "), found.cite, remove=found.removes_deck)
        # Antes and raises go back: nobody is asked for another (reading V5).
        elif self.play.phase is Phase.DECIDING:
            self.entry.clear_pending()
            round_.turn_to(0)
            self.phases.reveal()

    def _before_last_decision(self) -> bool:
        return self.play.phase in (Phase.DEALING, Phase.STUB, Phase.STUB_WRONG, Phase.DECIDING)

    def _optional_alive(self) -> bool:
        """Return whether an optional wager still competes; a player who left is like any other here."""
        base, round_ = self.law.chapter.contest.wagers, self.play.current
        return any(
            wager not in base
            and (seat not in round_.folded or self.law.house.keeps_after_fold(self.law.chapter.wagers[wager]))
            for seat, bets in round_.bets.items()
            for wager in bets
        )

    # ---------------------------------------------------------------- what the dealer says

    def declare_irregular(self, kind: str) -> None:
        """Meet an irregularity that the dealer declares from the menu."""
        # Before anything changes, and also of what goes on: a mistake may be taken back whatever it led to.
        self.undo.remember(kind.replace("_", " "))
        if kind == "exposed_other":
            self.play.current.note(
                self.clock.now, "card exposed, no rule for it", self.law.cite("13(d)"), self.crew.dealer
            )
            if self.law.readings.get("exposed_other") == "held":
                self.faults.hold("exposed_other", "table", "a card was exposed for which there is no rule")
            return
        self.irregular(kind)

    def irregularities_now(self) -> list[str]:
        """Return the irregularities that may be declared now, each of a card that lies there."""
        known = set(self.law.chapter.irregularities) | {"exposed_other"}
        if self.play.current.miscounted:
            return []
        return [
            row.kind
            for row in IRREGULARITIES
            if row.title and row.kind in known and self.play.phase in row.phases and self._is_met(row)
        ]

    def _is_met(self, row: IrregularityRow) -> bool:
        """Return whether a kind can be met: a shoe has cards to give, or a card lies face down to be seen."""
        if row.methods:
            return self.dealing.waits_for_shoe()
        return self._lies_face_down(row.place)

    def _lies_face_down(self, place: str) -> bool:
        """Return whether a card that nobody should have seen yet lies there, or anywhere without a place."""
        round_ = self.play.current
        # Community cards are turned in their order: only those still face down can be seen too early.
        turned = round_.turned if place == "community" else 0
        dealt = [
            each
            for each in round_.plan
            if each.position <= round_.drawn and not each.face_up and place in ("", each.place)
        ]
        return len(dealt) > turned

    def wrong_number(self, place: str) -> None:
        """Meet a wrong number of cards at a place; where no rule names it, it voids nothing (reading V6)."""
        self.undo.remember(WRONG_NUMBER.replace("_", " "))
        found, cite = self.law.chapter.irregularities[WRONG_NUMBER], self.law.cite("13(c)")
        words = f"wrong number of cards at {place}"
        if _player_or(place) in found.places:
            self.play.current.note(self.clock.now, words, cite, self.crew.dealer)
            self.irregular(WRONG_NUMBER)
            return
        self.play.current.note(self.clock.now, f"{words}: no rule names it", cite, self.crew.dealer)
        # A place that no rule names voids nothing; people look, and the round goes on.
        self.calling.call(Role.FLOOR, words, cite)

    def places_now(self) -> list[str]:
        """Return where a wrong number may lie: at all places of the plan, once a card has left the deck."""
        round_ = self.play.current
        if not round_.drawn or round_.miscounted or round_.void or round_.by_hand:
            return []
        places = dict.fromkeys(each.place.partition(":")[0] for each in round_.plan if each.place != DISCARD)
        seats = sorted(place for place in places if place.startswith("seat"))
        named = [place for place in places if place in self.law.chapter.irregularities[WRONG_NUMBER].places]
        # Those that the paragraph names stand first.
        return seats + named + [place for place in places if place not in (*seats, *named)]

    # ---------------------------------------------------------------- found when the cards are picked up

    def places_of_last_round(self) -> list[str]:
        """Return the places where the last round may have had a wrong number, until its deck is shuffled."""
        record = self.recorded.last
        deck = self.stock.decks.get(record.deck) if record else None
        if record is None or deck is None or not deck.as_dealt or record.void or record.by_hand:
            return []
        named = self.law.chapter.irregularities[WRONG_NUMBER].places
        places = dict.fromkeys(each.partition("@")[0].strip("^") for each in record.plan)
        in_turn = sorted(places, key=lambda place: (not place.startswith("seat"), place))
        return [place for place in in_turn if _player_or(place) in named]

    def wrong_number_late(self, place: str) -> None:
        """List what a round that is over paid and lost, for it was void, and call the floor (reading V23)."""
        record, cite = self.recorded.last, self.law.cite("13(c)")
        assert record is not None  # one of its places was chosen
        # Once: a record is declared wrong one time.
        self.stock.decks[record.deck].mix()
        why = f"round {record.number}: wrong number of cards at {place}"
        self.out.note(f"{why}, found before the next shuffle", cite, self.crew.dealer)
        # The sum that the meter paid stands with the hit, that of the tray with the line.
        shares = {(hit.seat, hit.wager): hit.cents for hit in record.hits}
        for line in record.lines:
            if line.result == "win" and line.paid != 0:
                cents = shares.get((line.seat, line.wager), line.paid)
                self.out.emit(TakeBackPayment(seat=line.seat, wager=line.wager, cents=cents, cite=cite))
            elif line.stake != 0 and line.result in ("lose", "forfeit"):
                what = "chips" if line.stake is None else line.stake
                self.out.note(
                    f"round {record.number}: seat {line.seat} {line.wager}: {what} to be returned", cite
                )
        self.faults.hold("void_late", "table", why, cite)


ACTIONS = (
    Action(
        "wrong_number_late",
        "WRONG NUMBER BEFORE",
        Role.DEALER,
        phases(P.SHUFFLING, P.BETS_OPEN),
        "13(c)",
        Irregularities.wrong_number_late,
        values=Irregularities.places_of_last_round,
        say=lambda _, place: place_words(place),
        while_held=True,
    ),
    Action(
        "wrong_number",
        "WRONG NUMBER",
        Role.DEALER,
        UNTIL_CLEARED,
        "13(c)",
        Irregularities.wrong_number,
        values=Irregularities.places_now,
        say=lambda _, place: place_words(place),
        while_held=True,
    ),
    Action(
        "irregular",
        "IRREGULARITY",
        Role.DEALER,
        WAITING | DEAL_TO_REVEAL,
        "13",
        Irregularities.declare_irregular,
        values=Irregularities.irregularities_now,
        say=lambda _, kind: IRREGULARITY_ROWS[kind].title,
        while_held=True,
    ),
)


# ------------------------------------------------------------ a card face up, or drawn in error

ONE_FACE_UP, SEVERAL_FACE_UP = "one_face_up", "several_face_up"


def _way_around(left: "list[Placement]") -> "list[Placement]":
    return [each for each in left if each.lap == left[0].lap]


@dataclass(slots=True, eq=False, repr=False)
class FaceUp:
    """Put a card that lies face up aside."""

    phases: Phases
    entry: EntryState
    play: Play
    dealing: Dealing
    irregularities: Irregularities
    undo: TakingBack

    def verify_face_up(self, value: str) -> None:
        """Raise where a shoe reports cards and none has left it yet."""
        if (
            not value
            and self.play.phase is Phase.DEALING
            and self.dealing.is_reported()
            and not self.play.current.drawn
        ):
            raise Refused("no card has left the shoe yet")

    def face_up(self, value: str) -> None:
        """Put the card in the rack, and the next in its place; a second one voids the round (x.13(a))."""
        self.undo.remember("card face up")
        round_ = self.play.current
        # The second one: the round is void, and no plan is made any more.
        if round_.face_up:
            self.irregularities.irregular(SEVERAL_FACE_UP)
            return
        found = int(value.partition(" ")[0]) if value else round_.drawn
        # By hand the card may be of a way around that is not keyed in yet: those before it have left too.
        if found > round_.drawn:
            round_.draw([None] * (found - round_.drawn))
        round_.face_up.append(found)
        round_.confirm_lap()
        round_.put_away(TO_RACK)
        self.dealing.make_plan()
        self.irregularities.irregular(ONE_FACE_UP)
        if self.play.phase is Phase.STUB:
            # The next card takes its place, so the deal wants one more.
            self.phases.not_dealt()
            self.entry.clear_pending()

    def face_up_positions(self) -> list[str]:
        """Return the cards that it may be, the likeliest first; none where a device reported the last one.

        By hand it is one of the way around that is being dealt, else of the one dealt before. Out of a
        stack it is any of the last stack, but for one that is in the rack already.
        """
        dealt = sorted(each for each in self.play.current.plan if each.position <= self.play.current.drawn)
        going = [] if self.dealing.is_reported() else _way_around(self.dealing.left_to_deal())
        last = self._last_dealt(dealt[-1]) if dealt else []
        return [f"{each.position} {place_words(each.place)}" for each in [*going, *last]]

    def _last_dealt(self, last: "Placement") -> "list[Placement]":
        """Return the cards of the last stack, or of the last way around with its last card first."""
        round_ = self.play.current
        # A reading shoe reports card by card: the card is the last one, and there is nothing to choose.
        if round_.knowledge == Knowledge.EACH_CARD:
            return []
        is_stack = bool(last.stack) and round_.method.startswith(AUTOMATED)
        found = [
            each
            for each in sorted(round_.plan)
            if each.position <= round_.drawn
            and each.position not in round_.face_up
            and (each.stack == last.stack if is_stack else each.lap == last.lap)
        ]
        return found if is_stack else found[::-1]

    def drawn_in_error(self, _value: str) -> None:
        """Note a card drawn in error; its face not seen, it is the next card (x.13(b))."""
        self.undo.remember("drawn in error")
        self.irregularities.irregular("drawn_in_error")


FACE_UP_ACTIONS = (
    Action(
        "face_up",
        "CARD FACE UP",
        Role.DEALER,
        phases(Phase.DEALING, Phase.STUB),
        "13(a)",
        FaceUp.face_up,
        FaceUp.verify_face_up,
        FaceUp.face_up_positions,
        while_held=True,
        value_may_lack=True,
        when=lambda room: not room.play.current.miscounted,
    ),
    Action(
        "drawn_in_error", "DRAWN IN ERROR", Role.DEALER, phases(Phase.DEALING), "13(b)", FaceUp.drawn_in_error
    ),
)
