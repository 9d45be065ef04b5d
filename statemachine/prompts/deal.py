"""The lines of the deal: the count of the chips, the next card, stack or way around, and the stub.

By a device the lines say where the next cards go, by hand who gets how many. A count is blind: what would be
right is on no line that the dealer reads.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sabot.rules.payouts import dollars
from sabot.rules.plan import DISCARD, Placement
from sabot.statemachine import dealing, late_chips
from sabot.statemachine.chips import ChipCount
from sabot.statemachine.contest import Contest
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.labels import (
    WIDTH,
    Lines,
    first_that_fits,
    place_words,
    wager_words,
)
from sabot.statemachine.law import Law
from sabot.statemachine.prompts.before_round import BeforeRoundPrompts
from sabot.statemachine.state.parts import Devices, EntryState, TableCrew
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import BY_EXIT, GoesBack, Play
from sabot.statemachine.state.setup import AUTOMATED
from sabot.statemachine.stub import Stub
from sabot.statemachine.vocabulary.events import Exit, Role


def _stack_lines(stack: "list[Placement]") -> tuple[str, str]:
    """Word a stack, and how it is divided where it is for several places: the most cards first."""
    placed = [each for each in stack if each.place != DISCARD]
    count, rack = len(stack), len(stack) - len(placed)
    up = _up(count, rack, placed)
    places = [place for place, _ in Counter(each.place for each in placed).most_common()] or ["rack"]
    if len(places) == 1 and rack in (0, count):
        return f"{count} CARDS TO", place_words(places[0]) + up
    rest = [*map(place_words, places[1:]), *([f"{rack} TO RACK"] if rack else [])]
    return f"{count} CARDS TO {place_words(places[0])}{up}", ", ".join(rest)


def _up(count: int, rack: int, placed: "list[Placement]") -> str:
    """Return the words for a card of a stack that is turned face up, empty where none is."""
    if not any(each.face_up for each in placed):
        return ""
    if rack or len({each.place for each in placed}) > 1:
        return " UP"
    return " FACE UP" if count == 1 else ", BOTTOM UP"


def _by_hand(left: "list[Placement]") -> tuple[str, str]:
    """Word one way around the table; the dealer says when it is done."""
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


@dataclass(slots=True, eq=False, repr=False)
class DealPrompts:
    """Word the steps from the lock to the stub."""

    law: Law
    contest: Contest
    crew: TableCrew
    entry: EntryState
    devices: Devices
    play: Play
    chip_count: ChipCount
    dealing: Dealing
    stub: Stub
    before_round_prompts: BeforeRoundPrompts

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
        """Return the count that is being entered; it starts empty."""
        number = self.entry.pending.number
        return "-" if number is None else str(number)

    def mismatch_lines(self) -> Lines:
        """Word a count that differs; only the floor sees both numbers, for the dealer may count again."""
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
        """Word the shuffle or the cut that was ordered before the first card."""
        if self.dealing.wants_shuffle():
            return self._reshuffling()
        return *self.before_round_prompts.cut_words(), self.law.cite("5(e)")

    def _reshuffling(self) -> Lines:
        """Word the shuffle that the floor directed, or what comes first with the shuffler out of order."""
        name = self.play.current.deck
        if dealing.SHUFFLER in self.devices.uncovered():
            return f"SHUFFLE DECK {name}", "FLOOR: COVER OR SIGN", self.law.chapter.out_of_order.cite
        if self.dealing.lacks_shuffler():
            cite = self.law.chapter.plans[self.play.current.method].needs_shuffler
            return f"SHUFFLE DECK {name}", "FLOOR: CHOOSE METHOD", cite
        return *self.before_round_prompts.shuffle_words(name), self.law.cite("5(a)")

    def to_rack_lines(self) -> Lines:
        """Word where a face-up card goes."""
        return "FACE-UP CARD TO RACK", "UNUSED, THEN OK", self.law.chapter.irregularities["one_face_up"].cite

    def _card(self) -> tuple[str, str]:
        """Word one card, and where it goes."""
        card = self.contest.laid.order[self.play.current.drawn]
        return f"CARD {card.nth} TO", place_words(card.place) + (" FACE UP" if card.face_up else "")

    def _stack(self) -> tuple[str, str]:
        """Word one stack, and where it goes."""
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
        """Word the stack that lies in the exit, and where it goes, or how it is divided."""
        first, second = _stack_lines(self.dealing.last_stack())
        second = f"{second}{', ' * bool(ok)}{ok}"
        if first.endswith("CARDS TO"):
            return "TAKE THE STACK", second
        return first, second if len(second) <= WIDTH else f"DIVIDE IT, THEN {ok}"

    def _exit(self) -> Lines:
        """Word a stack that lies in the exit; where no sensor sees it taken the dealer says so."""
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
        """Word a wrong stub, and not what would be right: the dealer may count again."""
        return f"STUB {self.play.current.stub}: WRONG", "OK=MISDEALT FOLD=NO", self.law.cite("8(h)")


# What the dealer puts away before the next card.
TO_DO: Mapping[str, Callable[[DealPrompts], Lines]] = {
    dealing.TO_TRAY: lambda prompts: ("CHIPS TO TRAY", "THEN OK", prompts.law.cite("8(b)")),
    dealing.TO_RACK: DealPrompts.to_rack_lines,
}
DEAL: Mapping[Phase, Callable[[DealPrompts], Lines]] = {
    Phase.COUNTING_CHIPS: DealPrompts.counting_lines,
    Phase.CHIP_MISMATCH: DealPrompts.mismatch_lines,
    Phase.DEALING: DealPrompts.dealing_lines,
    Phase.STUB: DealPrompts.stub_lines,
    Phase.STUB_WRONG: DealPrompts.stub_wrong_lines,
    Phase.LAST_COUNT: DealPrompts.count_stub_lines,
    Phase.LAST_WRONG: DealPrompts.stub_wrong_lines,
}
