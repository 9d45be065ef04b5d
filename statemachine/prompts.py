"""The dealer's two lines: the next step, or who is wanted and why.

Each phase has one function from the state to two lines and the paragraph behind them. The first line says
where the table stands, the second what to do; no line is ever longer than a display.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sabot.rules.chapter import OUR_POLICY
from sabot.rules.payouts import dollars
from sabot.rules.plan import DISCARD, Placement
from sabot.statemachine import cures, dealing, late_chips, outcome, shoe_reading
from sabot.statemachine.action import Actions, Refused
from sabot.statemachine.by_hand import ByHand
from sabot.statemachine.card_turning import Turned
from sabot.statemachine.chips import Answering, ChipCount
from sabot.statemachine.contest import Contest, LaidCards
from sabot.statemachine.cures import Cures
from sabot.statemachine.cutting import IdleWatch
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.decks import Decks
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.labels import (
    HELD_LINES,
    WIDTH,
    first_that_fits,
    place_words,
    question_words,
    row_words,
    sum_words,
    wager_words,
)
from sabot.statemachine.law import PROGRESSIVE, Law
from sabot.statemachine.linked import LinkedMeters
from sabot.statemachine.linked_hits import LinkedHits
from sabot.statemachine.opening import Opening
from sabot.statemachine.out_of_order import OutOfOrder
from sabot.statemachine.outcome import LargePayments
from sabot.statemachine.settling import Settling
from sabot.statemachine.settling_words import SettlingWords
from sabot.statemachine.shoe_reading import ShoeReading
from sabot.statemachine.shuffling import Shuffling
from sabot.statemachine.state.parts import Devices, EntryState, HeldFault, OpenWagers, TableCrew
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import BY_EXIT, GoesBack, Play
from sabot.statemachine.state.setup import AUTOMATED, Shuffler
from sabot.statemachine.state.stock import Deck, Stock
from sabot.statemachine.stub import Stub
from sabot.statemachine.vocabulary.events import Exit, Role

if TYPE_CHECKING:
    from sabot.rules.chapter import Wager

Lines = tuple[str, str, str]
Prompt = Callable[[Any], Lines]
# The line that a list stood on may not be taken any more.
GONE = "NOT ANY MORE, < >"
TO_RACK = "CARDS TO RACK"
SIGN_ON, REGISTER, CHANGE = "OK=DEALER SIGN ON", "FLOOR: REGISTER DECK", "FLOOR: CHANGE DECK"


def _fixed(first: str, second: str, section: str) -> Prompt:
    return lambda room: (first, second, room.law.cite(section))


def _stack_lines(stack: "list[Placement]") -> tuple[str, str]:
    """A stack, and how the dealer divides it where it is for several places: the most cards first."""
    placed = [each for each in stack if each.place != DISCARD]
    count, rack = len(stack), len(stack) - len(placed)
    up = _up(count, rack, placed)
    places = [place for place, _ in Counter(each.place for each in placed).most_common()] or ["rack"]
    if len(places) == 1 and rack in (0, count):
        return f"{count} CARDS TO", place_words(places[0]) + up
    rest = [*map(place_words, places[1:]), *([f"{rack} TO RACK"] if rack else [])]
    return f"{count} CARDS TO {place_words(places[0])}{up}", ", ".join(rest)


def _up(count: int, rack: int, placed: "list[Placement]") -> str:
    """Return whether a card of a stack is turned face up, and which."""
    if not any(each.face_up for each in placed):
        return ""
    if rack or len({each.place for each in placed}) > 1:
        return " UP"
    return " FACE UP" if count == 1 else ", BOTTOM UP"


def _by_hand(left: "list[Placement]") -> tuple[str, str]:
    """One way around the table; the dealer says when it is done."""
    lap = [each for each in left if each.lap == left[0].lap]
    places = list(dict.fromkeys(each.place for each in lap))
    if len(places) > 1:
        return f"DEAL {len(lap)} CARDS AROUND", "THEN OK"
    what = "FACE UP" if lap[0].face_up else f"{len(lap)} CARDS" if len(lap) > 1 else "1 CARD"
    return f"DEAL {place_words(places[0])}", f"{what}, THEN OK"


# Where the stub is taken from, and whether the shuffler's count of the deck waives this one.
_STUB_LINES = {
    (True, True): "FROM SHOE (52)  OK",
    (True, False): "FROM SHOE UNSEEN  OK",
    (False, True): "52 BY SHUFFLER  OK",
    (False, False): "NOT EXPOSED  OK",
}


def _choices(wager: "Wager") -> str:
    """Return the answers of a player."""
    times = wager.times
    assert times is not None  # a second wager has multiples
    most = f"-{times.most}X" if times.most > times.least else ""
    return f"{times.least}X{most} OR FOLD"


@dataclass(slots=True, eq=False, repr=False)
class Prompts:
    """Word the dealer's two lines."""

    law: Law
    contest: Contest
    actions: Actions
    crew: TableCrew
    entry: EntryState
    stock: Stock
    devices: Devices
    layout: OpenWagers
    play: Play
    answering: Answering
    by_hand: ByHand
    cards: LaidCards
    chip_count: ChipCount
    cures: Cures
    dealing: Dealing
    deck_room: Decks
    declaring: Declaring
    idle_watch: IdleWatch
    large: LargePayments
    linked_meters: LinkedMeters
    linked_hits: LinkedHits
    opening: Opening
    out_of_order: OutOfOrder
    reading: ShoeReading
    settling: Settling
    settling_words: SettlingWords
    shuffling: Shuffling
    stub: Stub
    turned: Turned

    def menu_lines(self) -> Lines:
        """An open list: where one is in it, and what OK would take."""
        menu = self.entry.menu
        assert menu is not None  # asked only when one is open
        name = menu.action or menu.actions[menu.cursor]
        action = self.actions.named(name)
        cite = self.law.cite(action.section)
        if menu.action:
            return action.title, GONE if menu.gone else action.words(menu.values[menu.cursor]), cite
        title = "FLOOR" if menu.role is Role.FLOOR else "MENU"
        return f"{title} {menu.cursor + 1}/{len(menu.actions)}", GONE if menu.gone else action.title, cite

    def held_lines(self, held: HeldFault) -> Lines:
        """Why the table waits, who is wanted, and what for: the next step of the cure."""
        why, todo = HELD_LINES[held.kind], self.cures.steps(held)
        call = cures.call_words(todo)
        # These two say where to look: the cure's own words could only say that somebody should.
        if held.kind == "card_out_of_turn":
            call = f"{cures.CALLED[held.role]}: {self._whither(todo[0].short)}"
        elif held.kind == shoe_reading.MISSED:
            many, whose = self.reading.lines_of_missed()
            why, call = many or why, whose or call
        return f"HELD: {why}", call, held.cite

    def _whither(self, next_card: str) -> str:
        """Return where a card goes that left the shoe unexposed when none was due (x.13(b))."""
        if self.dealing.is_before_deal() or self.reading.is_due():
            return next_card
        is_dealt = self.play.round is not None and self.play.phase is not Phase.DEALING
        return "TO THE STUB" if is_dealt else "TO ITS DECK"

    # ---------------------------------------------------------------- between rounds

    def closed_lines(self) -> Lines:
        """Word the step of a closed table."""
        # The first thing that is missing, and who can bring it: a dealer, then decks.
        second = "OK=RECEIVE CARDS" if len(self.stock.lots) >= self.devices.deck_count else REGISTER
        return "CLOSED", second if self.crew.dealer else SIGN_ON, self.law.cite("4(a)")

    def inspecting_lines(self) -> Lines:
        """Word the inspection."""
        name = self.opening.deck_at_hand()
        return f"INSPECT DECK {name}" if name else "INSPECT CARDS", "THEN OK", self.law.cite("4(a)")

    def spread_lines(self) -> Lines:
        """Word the spread."""
        name = self.opening.deck_at_hand()
        return f"SPREAD {name}{' ' * bool(name)}IN COLUMNS", "PLAYER LOOKED? OK", self.law.cite("4(b)")

    def washing_lines(self) -> Lines:
        """Word the wash."""
        name = self.opening.deck_at_hand()
        return f"WASH {name}{' ' * bool(name)}AND STACK", "FACE DOWN, THEN OK", self.law.cite("4(c)")

    def verifying_lines(self) -> Lines:
        """Word what the floor verifies."""
        second = "FLOOR: VERIFY CARDS" if self.crew.checklist else "FLOOR: CHECK DEVICES"
        return "CARDS INSPECTED", second, self.law.cite("4(a)")

    def idle_lines(self) -> Lines:
        """Word the spread of an idle table."""
        way = "UP" if self.stock.spread_up else "DOWN"
        return f"SPREAD FACE {way}", "PLAYER LOOKED? OK", self.law.cite("5(f)")

    def shuffling_lines(self) -> Lines:
        """Word the shuffle, or that the deck is due."""
        name = self.stock.in_shuffler
        deck = self.stock.decks.get(name)
        if deck is not None and self.deck_room.is_due(deck):
            return self._due(name)
        return (*self._shuffle_words(name), self.law.cite("5(a)"))

    def _shuffle_words(self, name: str) -> tuple[str, str]:
        # A person has to do something before the machine goes on: that comes before WAIT.
        if self.shuffling.shuffles_by_device() and self.stock.blocked == name:
            return "CARDS IN THE MACHINE", "TAKE THEM OUT"
        if self.shuffling.shuffles_by_device() and self.stock.put_in == name:
            return f"PUT DECK {name} IN", "TO BE SHUFFLED"
        if self.shuffling.shuffles_by_device():
            return f"SHUFFLING DECK {name}", "WAIT"
        return f"SHUFFLE DECK {name}", "THEN OK"

    def _due(self, name: str) -> Lines:
        second = CHANGE if self.cures.fitting_lots(name) else REGISTER
        return f"DECK {name} IS DUE", second, self.law.chapter.deck.rules["change"].cite

    def bets_open_lines(self) -> Lines:
        """Word open bets, or what is missing before them."""
        deck = self.stock.decks.get(self.stock.in_play)
        if deck is not None and self.deck_room.is_due(deck):
            return self._due(deck.name)
        return self._not_yet(deck) or self._open()

    def _not_yet(self, deck: Deck | None) -> Lines | None:
        """Return the lines for what is missing before a round, or None where nothing is."""
        if not self.crew.dealer:
            return "NO DEALER", SIGN_ON, OUR_POLICY
        if not self.crew.checklist:
            return "DEVICES NOT CHECKED", "FLOOR: CHECK DEVICES", OUR_POLICY
        if deck is None or not deck.ready:
            return f"DECK {self.stock.in_play} NOT READY", "FLOOR: RESHUFFLE", self.law.cite("5(a)")
        if self.devices.out_of_order and self._lacks_device():
            return "DEVICE OUT OF ORDER", "FLOOR: CHOOSE METHOD", self.law.chapter.out_of_order.cite
        if self.layout.empty_since is not None and self.idle_watch.is_idle():
            return "NO PLAY: EMPTY SHOE", "AND RACK, SPREAD, OK", self.law.cite("5(f)")
        return None

    def _open(self) -> Lines:
        """Until somebody has a wager the display says where the deck goes; a machine has it inside."""
        shut = self.linked_meters.shut_words() if self.law.links else ""
        first = f"BETS, {shut}" if shut else "BETS OPEN"
        if self.layout.bets or self.law.setup.one_machine or self.devices.shuffler == Shuffler.RESHUFFLER:
            return first, f"{len(self.layout.bets)} SEATS  LOCK=END", self.law.cite("7(c)")
        where = "HAND" if self.devices.method == "hand" else "SHOE"
        return first, f"DECK {self.stock.in_play} INTO {where}", self.law.cite("8(a)")

    def _lacks_device(self) -> bool:
        try:
            self.out_of_order.verify_devices()
        except Refused:
            return True
        return False

    # ---------------------------------------------------------------- the deal

    def hand_back_lines(self, back: GoesBack) -> Lines:
        """Return the lines for chips that go back: whose, which wager, how much."""
        what = wager_words(back.wager, self.law.chapter)
        whole = what if back.cents is None else f"{what} {dollars(back.cents)}"
        words = first_that_fits(
            *(f"LATE: {each}" for each in (whole, what) if back.way == late_chips.LATE), whole, what
        )
        first = f"PUT BACK SEAT {back.seat}" if back.way == late_chips.TAKEN else f"RETURN SEAT {back.seat}"
        return first, words, self.law.cite("7(c)" if back.way else "7(d)")

    def counting_lines(self) -> Lines:
        """Return the lines of a count, and nothing of what is expected."""
        return f"COUNT CHIPS: {self._counted()}", "+ - THEN OK", self.law.cite("8(b)")

    def _counted(self) -> str:
        """The count that is being entered; it starts empty."""
        number = self.entry.pending.number
        return "-" if number is None else str(number)

    def mismatch_lines(self) -> Lines:
        """The dealer may count again, so only the floor sees both numbers."""
        counted = self.play.current.chips
        # A count is blind: who may count again does not read what would be right.
        is_floor = Role.FLOOR.value in self.crew.unlocked
        first = (
            f"CHIPS {counted}, WAGERS {self.chip_count.accepted()}"
            if is_floor
            else f"{counted} CHIPS: NOT EQUAL"
        )
        return first, "FLOOR: CHIP MISMATCH", self.law.cite("8(b)")

    def dealing_lines(self) -> Lines:
        """Word the next card, stack or way around."""
        round_ = self.play.current
        # What comes before the next card comes first: the deck, what is put away, a stack in the exit.
        if self.dealing.waits_for_deck():
            return self._deck_first()
        if round_.to_do:
            return TO_DO[round_.to_do](self)
        if self.dealing.lies_in_exit():
            return self._exit()
        if self.dealing.is_reported():
            first, second = self._stack() if self.dealing.is_automated() else self._card()
        else:
            first, second = _by_hand(self.dealing.left_to_deal())
        return first, second, self.law.chapter.plans[round_.method].cite

    def _deck_first(self) -> Lines:
        """A shuffle or a cut that was ordered comes before the first card."""
        if self.dealing.wants_shuffle():
            return self._reshuffling()
        return *self._cut_words(), self.law.cite("5(e)")

    def _reshuffling(self) -> Lines:
        """The shuffle that the floor directed, or what comes before it where the shuffler is out of order."""
        name = self.play.current.deck
        if dealing.SHUFFLER in self.devices.uncovered():
            return f"SHUFFLE DECK {name}", "FLOOR: COVER OR SIGN", self.law.chapter.out_of_order.cite
        if self.dealing.lacks_shuffler():
            cite = self.law.chapter.plans[self.play.current.method].needs_shuffler
            return f"SHUFFLE DECK {name}", "FLOOR: CHOOSE METHOD", cite
        return *self._shuffle_words(name), self.law.cite("5(a)")

    def to_rack_lines(self) -> Lines:
        """Word where a face-up card goes."""
        return "FACE-UP CARD TO RACK", "UNUSED, THEN OK", self.law.chapter.irregularities["one_face_up"].cite

    def cutting_lines(self) -> Lines:
        """Word the cut."""
        return *self._cut_words(), self.law.cite("5(d)")

    def _cut_words(self) -> tuple[str, str]:
        """Return how deep the cover card goes, and where it and all above it go (x.5(d))."""
        return f"CUT: COVER CARD {self.law.chapter.deck.cut_least_from_top}+", "ABOVE TO BOTTOM, OK"

    def _card(self) -> tuple[str, str]:
        """One card, and where it goes."""
        card = self.contest.laid.order[self.play.current.drawn]
        return f"CARD {card.nth} TO", place_words(card.place) + (" FACE UP" if card.face_up else "")

    def _stack(self) -> tuple[str, str]:
        """One stack, and where it goes."""
        round_, stack = self.play.current, self.dealing.stack_left()
        # The shoe says that something lies there. After a stack
        # that was seen taken it is nothing of this deal.
        if round_.ordered and round_.delayed == BY_EXIT:
            is_last = round_.drawn and round_.exit != dealing.TAKEN
            return self._lying() if is_last else ("EMPTY THE EXIT", f"THEN {len(stack)} CARDS")
        if round_.ordered and round_.delayed:
            return f"SHOE {round_.delayed}", f"WAIT, THEN {len(stack)} CARD{'S' * (len(stack) > 1)}"
        return _stack_lines(stack)

    def _lying(self, ok: str = "") -> tuple[str, str]:
        """The stack that lies in the exit, and where it goes; divided, the lines say how."""
        first, second = _stack_lines(self.dealing.last_stack())
        second = f"{second}{', ' * bool(ok)}{ok}"
        if first.endswith("CARDS TO"):
            return "TAKE THE STACK", second
        return first, second if len(second) <= WIDTH else f"DIVIDE IT, THEN {ok}"

    def _exit(self) -> Lines:
        """A stack lies in the exit; where nobody sees it taken the dealer says so."""
        ok = "OK" if self.play.current.exit == Exit.UNSENSED else ""
        return (*self._lying(ok), self.law.chapter.plans[self.play.current.method].cite)

    def stub_lines(self) -> Lines:
        """Word what becomes of the stub."""
        if self.dealing.lies_in_exit():
            return self._exit()
        if self.stub.is_count_due():
            return self.count_stub_lines()
        is_in_shoe = self.play.current.method != "hand" and not self._is_in_hand()
        is_waived = bool(self.stub.waiver())
        return "STUB TO RACK", _STUB_LINES[is_in_shoe, is_waived], self.law.cite("8(e)")

    def _is_in_hand(self) -> bool:
        """Return whether the stub was taken out of a shoe to deal the rest by hand (x.10(c))."""
        # Reading V21.
        last = self.contest.laid.order[-1]
        return self.play.current.method.startswith(AUTOMATED) and not last.stack

    def count_stub_lines(self) -> Lines:
        """Word the count of the stub."""
        return f"COUNT STUB: {self._counted()}", "< > 10  + - 1   OK", self.law.stub_cite

    def stub_wrong_lines(self) -> Lines:
        """That it is wrong, and not what would be right: the dealer may count again."""
        return f"STUB {self.play.current.stub}: WRONG", "OK=MISDEALT FOLD=NO", self.law.cite("8(h)")

    # ---------------------------------------------------------------- decisions, settlement

    def deciding_lines(self) -> Lines:
        """Return the lines of the seat that is asked; chips and key side by side where they differ."""
        pending, seat, cite = self.entry.pending, self.play.current.asking, self.law.cite("11(b)")
        wager, number = self.law.chapter.wagers[self.answering.second_wager()], self.answering.amount()
        unknown = f"{pending.choice}X" if pending.choice else "PRESENT"
        shown = unknown if number is None else sum_words("", number)
        if self.answering.differs() and not pending.counts:
            felt, keyed = sum_words("FELT", pending.felt or 0), sum_words("KEYED", pending.number or 0)
            return (
                first_that_fits(f"S{seat} {felt} <", f"{felt} <", felt),
                first_that_fits(f"{keyed} >", keyed),
                cite,
            )
        if pending.fold:
            answer = "FOLD? CHIPS GO BACK" if self.answering.has_chips() else "FOLD?"
        elif pending.counts:
            answer = first_that_fits(f"{shown} {pending.counts.upper()}, OK", shown)
        else:
            answer = shown if pending.choice or self.answering.has_chips() else _choices(wager)
        return f"SEAT {seat}: {wager.title.upper()}", answer, cite

    def turning_lines(self) -> Lines:
        """The next card to turn, and what folds forfeited, which is collected before it (x.11(c))."""
        # 641a.12(g)(3): no hand is settled before the draw is open.
        if self.play.current.sealed:
            return "WAIT FOR THE DRAW", "GAME SYSTEM OPENS IT", self.law.cite("12(g)(3)")
        community, second = self.law.chapter.hands.places.get("community", 0), self._forfeits()
        if self.play.current.turned < community:
            return f"TURN COMMUNITY {self.play.current.turned + 1}", second, self.law.cite("11(b)")
        # The contest is void, and no wager that stands is settled by the dealer's hand.
        if not self.turned.dealer_turned():
            return "DEALER NOT TURNED", "OPTIONAL WAGERS, OK", self.law.cite("13(d)")
        return "REVEAL DEALER", second, self.law.cite("11(c)")

    def _forfeits(self) -> str:
        """Return whether folded cards go to the rack first, or forfeited wagers alone.

        An option keeps its cards.
        """
        round_ = self.play.current
        folds = (
            [] if self.contest.is_void else [each for each in round_.folded if each not in round_.collected]
        )
        if all(map(self.cards.has_cards_left, folds)):
            return "FORFEITS TAKEN? OK" if folds else "THEN OK"
        return "FOLDS IN RACK? OK"

    def declaring_lines(self) -> Lines:
        """The question, and the row under the cursor; it opens on a line that is no answer."""
        question = self.declaring.open_question()
        row = self.declaring.chosen_row(question)
        second = (
            row_words(question.key, row)
            if row
            else "CHOOSE < >, THEN OK"
            if question.rows
            else "TAKE BACK: BACK"
        )
        return question_words(question.key, question.seat, self.law.chapter), second, self.law.cite("11(c)")

    def validating_lines(self) -> Lines:
        """Word what the floor validates."""
        line = self.settling.due().awaited[0]
        if not self.large.is_on_device(line):
            return outcome.payment_words(line), "FLOOR: VALIDATE HIT", line.cite
        if self.linked_hits.does_wait():
            return self.linked_hits.waiting_lines(line)
        wager = self.law.chapter.wagers[line.wager]
        light = " LIGHT ON?" if wager.device == PROGRESSIVE else ""
        return f"HIT SEAT {line.seat}{light}", "FLOOR: VALIDATE HIT", line.cite

    def clearing_lines(self) -> Lines:
        """Return the lines of clearing: the floor enters what people settled by hand before the cards go."""
        round_ = self.play.current
        # A deck that has left is not shuffled again.
        if round_.void and round_.deck not in self.stock.decks:
            return "DECK OFF THE TABLE", "ALL CARDS, THEN OK", round_.void
        if round_.void:
            # The cards that the shoe did not deal are reshuffled with those it did (x.13(f)).
            is_machine = round_.irregularity == "shoe_jam"
            return TO_RACK, "OUT OF SHOE TOO, OK" if is_machine else "THEN RESHUFFLE, OK", round_.void
        if self.by_hand.unpriced() is not None:
            return self._how_much()
        still = len(self.by_hand.open_stakes())
        if still:
            return f"{still} STAKE{'S' * (still > 1)} BY HAND", "FLOOR: SETTLED HOW?", self.law.cite("-")
        # Asked, not demanded: whether a meter paid anything by hand only people know.
        if self.by_hand.hits_by_hand():
            return "HIT PAID? CALL FLOOR", "CARDS TO RACK, OK", self.law.cite("11(d)")
        return TO_RACK, "IN ORDER, THEN OK", self.law.cite("11(d)")

    def _how_much(self) -> Lines:
        """The sum that the floor enters, in cents, for a stake that was paid by hand."""
        line, number = self.by_hand.unpriced(), self.entry.pending.number
        assert line is not None  # the caller looked
        words = f"S{line.seat} {wager_words(line.wager, self.law.chapter)}"
        if not self.by_hand.takes_digits():
            second = "FLOOR: HOW MUCH?"
        else:
            second = "DIGITS IN CENTS, OK" if number is None else f"{dollars(number)}, OK"
        return first_that_fits(f"{words} PAID", words), second, self.law.cite("-")

    def returning_lines(self) -> Lines:
        """All stakes go back, and what was paid before comes back, one by one."""
        cite, paid = self.play.current.void or self.law.cite("13"), self.play.current.take_back
        if not paid:
            return "VOID: RETURN ALL", "WAGERS, THEN OK", cite
        at = self.entry.pending.choice % len(paid)
        each = paid[at]
        words = f"S{each.seat} {wager_words(each.wager, self.law.chapter)}"
        if each.cents is not None:
            in_short = f"S{each.seat} {dollars(each.cents)}"
            words = first_that_fits(f"{words} {dollars(each.cents)}", in_short, words)
        return f"TAKE BACK {at + 1}/{len(paid)} < >", words, cite


# What the dealer puts away before the next card.
TO_DO: Mapping[str, Prompt] = {
    dealing.TO_TRAY: _fixed("CHIPS TO TRAY", "THEN OK", "8(b)"),
    dealing.TO_RACK: Prompts.to_rack_lines,
}


PROMPTS: Mapping[Phase, Prompt] = {
    Phase.CLOSED: Prompts.closed_lines,
    Phase.INSPECTING: Prompts.inspecting_lines,
    Phase.VERIFYING: Prompts.verifying_lines,
    Phase.SPREAD: Prompts.spread_lines,
    Phase.WASHING: Prompts.washing_lines,
    Phase.SHUFFLING: Prompts.shuffling_lines,
    Phase.CUTTING: Prompts.cutting_lines,
    Phase.IDLE: Prompts.idle_lines,
    Phase.BETS_OPEN: Prompts.bets_open_lines,
    Phase.COUNTING_CHIPS: Prompts.counting_lines,
    Phase.CHIP_MISMATCH: Prompts.mismatch_lines,
    Phase.DEALING: Prompts.dealing_lines,
    Phase.STUB: Prompts.stub_lines,
    Phase.STUB_WRONG: Prompts.stub_wrong_lines,
    Phase.DECIDING: Prompts.deciding_lines,
    Phase.TURNING: Prompts.turning_lines,
    Phase.DECLARING: Prompts.declaring_lines,
    Phase.SETTLING: lambda room: room.settling_words.settling_lines(),
    Phase.VALIDATING: Prompts.validating_lines,
    Phase.DOCUMENTS: _fixed("HIT HANDS STAY", "FLOOR: DOCUMENTS", "11(c)(5)(iv)"),
    Phase.CLEARING: Prompts.clearing_lines,
    Phase.RETURNING: Prompts.returning_lines,
    Phase.LAST_COUNT: Prompts.count_stub_lines,
    Phase.LAST_WRONG: Prompts.stub_wrong_lines,
}
