"""A shift as the people of a table live it: dealer's verbs that press real keys and send real events.

Nothing here reaches into the table: a verb is a handful of keys and events as the devices and people of one
table would bring them, in their order, a second apart. The world beside the table is here too: a pack of
cards that is dealt from the top, a shuffler that answers ``StartShuffle``, a shoe that answers ``Dispense``,
pads and a game system. Verbs never check whether the table agreed; ``why`` is the reason of the last refusal
and ``said`` finds effects since the last ``mark``.

    shift = Shift("pa641a")
    shift.open_table()
    shift.bet(2, ante=1000, prog4=100)
    shift.lock()                              # counts the chips too
    shift.deal(seat2="As Ah Ad Ac 9d")        # the rest comes from a shuffled pack
    shift.answer(2, play=3000)
    shift.reveal()
    shift.settle_all()                        # floor validates hits, documents done
    shift.next_round()
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any, TypeVar

from sabot.rules.cards import PACK_SIZE
from sabot.statemachine.action import Refused
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge, Setup
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.effects import Dispense, Effect, RefuseInput, ShowPrompt, StartShuffle
from sabot.statemachine.vocabulary.events import (
    DIGITS,
    AccountWager,
    CardDrawn,
    DealerSignedOn,
    Event,
    Exit,
    Key,
    KeyPressed,
    LotRegistered,
    Role,
    RoleLocked,
    RoleUnlocked,
    Secret,
    ShuffleCompleted,
    ShuffleStarted,
    StackDispensed,
    TimeReached,
    WagerSensed,
)
from tests.dealt import parse_all

from .eyes import Eyes
from .tables import table_setup

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from sabot.statemachine.state.books import RoundRecord

E = TypeVar("E", bound=Effect)
Answer = int | str | dict[str, int]
MULTIPLE_KEYS = {1: Key.ONE, 2: Key.TWO, 3: Key.THREE}
COLORS = ("red", "blue", "green", "brown")
SHORT_CUTS = (Key.ONE, Key.TWO, Key.THREE)


def keys_to(place: int, count: int) -> tuple[Key, ...]:
    """The fewest keys to a row of a question: a short cut, FOLD to the last, or steps from the nearer end."""
    if place < len(SHORT_CUTS):
        return (SHORT_CUTS[place],)
    from_end = count - 1 - place
    ways = ((SHORT_CUTS[-1], *(Key.RIGHT,) * (place - 2)), (Key.FOLD, *(Key.LEFT,) * from_end))
    return min(ways, key=len)


class NotOfferedError(AssertionError):
    """A list does not show what was to be chosen."""


class Shift:
    """One table and the world around it; ``most`` events, so that what leads nowhere ends."""

    most = 1_000_000

    def __init__(
        self, chapter: str = "pa641a", *, seed: int = 1, setup: Setup | None = None, **changes: Any
    ) -> None:
        self.setup = setup or table_setup(chapter, **changes)
        self.table = Table(self.setup)
        self.chapter = self.setup.chapter
        self.events: list[Event] = []
        self.effects: list[Effect] = []
        self.last: list[Effect] = []
        self.now = 0.0
        self.quick_shuffler = True
        self.in_shuffler: list[str] = []
        self.wanted: int = 0
        self.pack: list[int] = []
        self.out = 0
        self._mark = 0
        self._lots = 0
        self._random = random.Random(seed)

    # ------------------------------------------------------------ the wire

    def send(self, kind: Callable[..., Event], **fields: Any) -> list[Effect]:
        """An event a second after the one before."""
        self.now += 1
        return self.handle(kind(at=self.now, **fields))

    def handle(self, event: Event) -> list[Effect]:
        """An event as it is; devices answer what it made the table order."""
        self.last = self.table.handle(event)
        self.events.append(event)
        assert len(self.events) < self.most, "it leads nowhere"
        self.effects += self.last
        for effect in self.last:
            if isinstance(effect, Dispense):
                self.wanted = effect.count
            elif isinstance(effect, StartShuffle) and effect.deck not in self.in_shuffler:
                self.in_shuffler.append(effect.deck)
        return self.last

    def wait(self, seconds: float) -> list[Effect]:
        """Time passes, and the deadline that the table may have named has come."""
        self.now += seconds
        return self.send(TimeReached)

    def press(self, *keys: Key) -> list[Effect]:
        """Keys of the dealer; what the last of them brought."""
        for key in keys:
            self.send(KeyPressed, key=key)
        return self.last

    def ok(self, times: int = 1) -> list[Effect]:
        """The OK key."""
        return self.press(*(Key.OK,) * times)

    # ------------------------------------------------------------ what was said

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        return self.table.state.play.phase

    def is_in(self, phase: Phase) -> bool:
        """Whether the table is in a phase; where not, what it shows and why."""
        assert self.phase is phase, (self.phase, phase, self.prompt, self.why)
        return True

    @property
    def why(self) -> str:
        """Why the last input was refused, empty when it was not."""
        return next((effect.why for effect in self.last if isinstance(effect, RefuseInput)), "")

    @property
    def prompt(self) -> tuple[str, str]:
        """The dealer's two lines."""
        shown = next(effect for effect in reversed(self.effects) if isinstance(effect, ShowPrompt))
        return shown.first, shown.second

    @property
    def record(self) -> RoundRecord:
        """The record of the last round."""
        assert self.table.rooms.recorded.last is not None
        return self.table.rooms.recorded.last

    def mark(self) -> None:
        """What is said from now on counts for ``said``."""
        self._mark = len(self.effects)

    def said(self, kind: type[E], **fields: Any) -> list[E]:
        """The effects of a kind since the mark whose fields are these."""
        return [
            effect
            for effect in self.effects[self._mark :]
            if isinstance(effect, kind)
            and all(getattr(effect, name) == want for name, want in fields.items())
        ]

    # ------------------------------------------------------------ lists

    def menu(self, title: str, value: str = "") -> list[Effect]:
        """The dealer takes an action from the MENU list."""
        self.press(Key.MENU)
        return self._choose(title, value)

    def floor(
        self, title: str, value: str = "", *, person: str = "floor", role: Role = Role.FLOOR
    ) -> list[Effect]:
        """A floorperson unlocks, takes an action from the FLOOR list, and locks again."""
        self.unlock(role, person)
        self.press(Key.FLOOR)
        try:
            done = self._choose(title, value)
        finally:
            self.send(RoleLocked, role=role)
        self.last = done
        return done

    def technician(self, title: str, value: str = "") -> list[Effect]:
        """The same by a technician."""
        return self.floor(title, value, person="tech", role=Role.TECHNICIAN)

    def unlock(self, role: Role = Role.FLOOR, person: str = "floor") -> None:
        """The key switch and a right PIN."""
        self.send(RoleUnlocked, role=role, person=person)

    def titles(self) -> list[str]:
        """The actions of the open list."""
        menu = self.table.state.entry.menu
        return [self.table.rooms.actions.named(name).title for name in menu.actions] if menu else []

    def _choose(self, title: str, value: str) -> list[Effect]:
        titles, why = self.titles(), self.why
        if title not in titles:
            self._leave_list()
            if reason := self._why_hidden(title, value):
                return self._is_refused(reason)
            raise NotOfferedError(f"{title!r} is not offered: {titles or why}")
        self._walk_to(titles.index(title), len(titles))
        menu = self.table.state.entry.menu
        if menu is not None and menu.action:
            if value not in menu.values and value:
                offered = list(menu.values)
                self._leave_list()
                if reason := self._why_hidden(title, value):
                    return self._is_refused(reason)
                raise NotOfferedError(f"{value!r} is not offered: {offered}")
            self._walk_to(menu.values.index(value) if value else menu.cursor, len(menu.values))
        done = self.last
        if self.table.state.entry.menu is not None:
            self._leave_list()
        self.last = done
        return done

    def _why_hidden(self, title: str, value: str) -> str:
        """Why a line that the phase has is not shown: what its action says; empty where that is not why."""
        action = next(each for each in self.table.rooms.actions.known.values() if each.title == title)
        is_shown = action.when is None or action.when()
        if (
            self.phase not in action.phases
            or not self.table.rooms.actions.is_entitled(action)
            or not is_shown
        ):
            return ""
        offered = action.values() if action.values else [""]
        try:
            action.verify(value or next(iter(offered), ""))
        except (Refused, IndexError, ValueError) as refusal:
            return str(refusal) if isinstance(refusal, Refused) else ""
        return ""

    def _is_refused(self, why: str) -> list[Effect]:
        self.last = [RefuseInput(why=why)]
        return self.last

    def _walk_to(self, place: int, count: int) -> None:
        menu = self.table.state.entry.menu
        assert menu is not None  # a list is open
        self.press(*(Key.RIGHT,) * ((place - menu.cursor) % count), Key.OK)

    def _leave_list(self) -> None:
        while self.table.state.entry.menu is not None:
            self.press(Key.BACK)

    # ------------------------------------------------------------ opening

    def sign_on(self, person: str = "dealer") -> list[Effect]:
        """A dealer takes the table."""
        return self.send(DealerSignedOn, person=person)

    def register(self, *, color: str = "", preshuffled: bool = False) -> str:
        """A deck is registered on the console; its lot."""
        self._lots += 1
        lot = f"L{self._lots}"
        self.send(LotRegistered, lot=lot, color=color or self._next_color(), preshuffled=preshuffled)
        return lot

    def _next_color(self) -> str:
        state = self.table.state
        used = {deck.color for deck in state.stock.decks.values()} | {lot.color for lot in state.stock.lots}
        return next(color for color in COLORS if color not in used)

    def receive(self, *, preshuffled: bool = False) -> list[Effect]:
        """A dealer is on, the decks are registered and received."""
        if not self.table.state.crew.dealer:
            self.sign_on()
        for _ in range(self.table.state.devices.deck_count):
            self.register(preshuffled=preshuffled)
        return self.ok()

    def verify_cards(self) -> None:
        """The dealer inspected each deck, the floor verifies cards and devices."""
        self.ok(len(self.table.state.stock.opening))
        self.verify_inspected()

    def verify_inspected(self) -> None:
        """The floor verifies devices and cards."""
        if not self.table.state.crew.checklist:
            self.floor("DEVICES CHECKED")
        self.floor("VERIFY CARDS")

    def wash(self) -> None:
        """The first player looked; washed and stacked, deck by deck."""
        self.ok(2 * max(1, len(self.table.state.stock.opening)))

    def open_table(self, *, preshuffled: bool = False) -> None:
        """From the closed layout to open bets."""
        self.receive(preshuffled=preshuffled)
        if self.phase is Phase.INSPECTING:
            self.verify_cards()
            self.wash()
        self.get_ready()

    def get_ready(self) -> None:
        """Shuffle, and cut where it is due, until bets are open."""
        for _ in range(4):
            if self.phase is Phase.SHUFFLING and self.in_shuffler:
                self.shuffler_done()
            elif self.phase in (Phase.SHUFFLING, Phase.CUTTING):
                self.ok()
        while self.quick_shuffler and self.in_shuffler:
            self.shuffler_done()
        assert self.phase is Phase.BETS_OPEN, (self.phase, self.why)

    def shuffler_done(
        self, deck: str = "", *, count: int | None = PACK_SIZE, read: bool = False
    ) -> list[Effect]:
        """The shuffler reports: the deck that it began with first, unless another is named."""
        deck = deck or self.in_shuffler[0]
        if deck in self.in_shuffler:
            self.in_shuffler.remove(deck)
        faces = tuple(Secret(card) for card in range(PACK_SIZE)) if read else ()
        known = self.table.state.stock.decks.get(deck)
        if known is not None and known.failed:
            self.send(ShuffleStarted, deck=deck)
        return self.send(ShuffleCompleted, deck=deck, count=count, composition=faces)

    # ------------------------------------------------------------ wagers

    def bet(self, seat: int, **wagers: int | None) -> list[Effect]:
        """Chips on the spots of a seat (0 lifts them, None is a value the pad cannot sense)."""
        for wager, cents in wagers.items():
            self.send(WagerSensed, seat=seat, wager=wager, cents=cents)
        return self.last

    def account(self, seat: int, **wagers: int) -> list[Effect]:
        """Wagers on a game account."""
        for wager, cents in wagers.items():
            self.send(AccountWager, seat=seat, wager=wager, cents=cents)
        return self.last

    def lock(self, *, chips: int | None = None) -> list[Effect]:
        """No more bets; the chips of progressive wagers are counted (as many as there are wagers)."""
        said = self.press(Key.LOCK)
        self.hand_back()
        if self.phase is Phase.COUNTING_CHIPS:
            self.count_chips(chips)
        return said

    def hand_back(self) -> None:
        """What did not stand goes back over the layout."""
        while self.table.rooms.lockout.to_hand_back() is not None:
            self.ok()

    def count_chips(self, chips: int | None = None) -> list[Effect]:
        """So many chips were wagered: PLUS for each, then OK."""
        if self.table.state.entry.pending.number is not None:
            self.press(Key.BACK)
        wagers = self.chapter.wagers
        assert self.table.state.play.round is not None
        bets = self.table.state.play.round.bets.values()
        right = sum(wagers[wager].device == "progressive" for each in bets for wager in each)
        counted = right if chips is None else chips
        self.press(*(Key.PLUS,) * counted or (Key.PLUS, Key.MINUS))
        return self.ok()

    # ------------------------------------------------------------ cards

    def deal(self, **hands: str) -> None:
        """All cards by the plan, these hands among them, until the stub is left; the stub goes to the rack."""
        self.deal_cards(**hands)
        if self.phase is Phase.STUB:
            self.rack_stub()

    def rack_stub(self) -> list[Effect]:
        """The stub goes to the rack, counted rightly where a count is due."""
        return self.count_stub() if self.table.rooms.stub.is_count_due() else self.ok()

    def deal_cards(self, **hands: str) -> None:
        """All cards by the plan; the stub stays in the dealer's hand."""
        if not self.out:
            self.stack(**hands)
        for _ in range(PACK_SIZE):
            if self.phase is not Phase.DEALING or self.table.rooms.faults.held is not None:
                return
            self.draw()

    def stack(self, **hands: str) -> None:
        """Put the pack in an order that gives these hands by the plan (``seat2_fourth`` is seat2:fourth)."""
        assert self.table.state.play.round is not None
        plan = self.table.state.play.round.plan
        wanted: dict[int, int] = {}
        for name, cards in hands.items():
            place = name.replace("_fourth", ":fourth")
            where = {each.nth: each.position for each in plan if each.place == place}
            wanted |= {where[nth]: card for nth, card in enumerate(parse_all(cards), 1)}
        rest = [card for card in range(PACK_SIZE) if card not in wanted.values()]
        self._random.shuffle(rest)
        self.pack = [wanted[nth] if nth in wanted else rest.pop() for nth in range(1, PACK_SIZE + 1)]
        self.out = 0

    def draw(self) -> list[Effect]:
        """What the dealing method brings next: a card that is read, a stack, or a lap by the dealer's key."""
        if not self.pack:
            self.stack()
        state = self.table.state
        assert state.play.round is not None
        if state.play.round.method == "manual_shoe" and state.devices.knowledge == Knowledge.EACH_CARD:
            return self.send(CardDrawn, card=self._top(1)[0])
        if self.wanted and state.devices.knowledge != Knowledge.NONE:
            return self.dispense(self.wanted)
        self.wanted = 0
        said = self.ok()
        self.out = state.play.round.drawn
        return said

    def dispense(self, count: int, exit: Exit = Exit.NONE) -> list[Effect]:  # noqa: A002 - the event's word
        """The automated shoe puts out a stack."""
        self.wanted = 0
        cards = self._top(count)
        reads = self.table.state.devices.knowledge == Knowledge.STACK
        return self.send(StackDispensed, count=count, cards=cards if reads else (), exit=exit)

    def _top(self, count: int) -> tuple[Secret, ...]:
        cards = tuple(Secret(card) for card in self.pack[self.out : self.out + count])
        self.out += count
        return cards

    def truth(self, place: str) -> tuple[int, ...]:
        """The cards that really lie at a place, whoever can see them."""
        assert self.table.state.play.round is not None
        plan = sorted(
            (each for each in self.table.state.play.round.plan if each.place == place),
            key=lambda each: each.nth,
        )
        return tuple(self.pack[each.position - 1] for each in plan if each.position <= self.out)

    def count_stub(self, count: int | None = None) -> list[Effect]:
        """The dealer counts the stub, and enters as many as there are, or as many as said: tens, then ones."""
        assert self.table.state.play.round is not None
        number = PACK_SIZE - self.table.state.play.round.drawn if count is None else count
        return self.press(*(Key.RIGHT,) * (number // 10), *(Key.PLUS,) * (number % 10), Key.OK)

    def wrong_number(self, place: str = "") -> list[Effect]:
        """The dealer says where a wrong number of cards lies (anywhere: for the first place of the list)."""
        return self.menu("WRONG NUMBER", place)

    def expose(self) -> list[Effect]:
        """Deal on until the dealer, or the board, has a card; then it is seen too early."""
        assert self.table.state.play.round is not None
        place = "community" if "community_exposed" in self.chapter.irregularities else "dealer"
        while not any(
            each.place == place and each.position <= self.table.state.play.round.drawn and not each.face_up
            for each in self.table.state.play.round.plan
        ):
            self.draw()
        return self.menu("IRREGULARITY", f"{place}_exposed")

    # ------------------------------------------------------------ decisions

    def answer(self, seat: int, answer: Answer = 1, **wager: int) -> list[Effect]:
        """The asked seat answers: a multiple, "fold", or chips on the spot (``play=3000``)."""
        assert self.table.state.play.round is not None
        assert self.table.state.play.round.asking == seat, (seat, self.prompt, self.phase)
        for name, cents in (wager or (answer if isinstance(answer, dict) else {})).items():
            self.send(WagerSensed, seat=seat, wager=name, cents=cents)
            return self.ok()
        if answer == "fold":
            return self.press(Key.FOLD, Key.OK)
        assert isinstance(answer, int)
        return self.press(MULTIPLE_KEYS[answer], Key.OK)

    def answer_all(self, answers: Mapping[int, Answer] | None = None, *, otherwise: Answer = 1) -> None:
        """Everybody who is asked on this street answers."""
        while self.phase is Phase.DECIDING:
            assert self.table.state.play.round is not None
            seat = self.table.state.play.round.asking
            self.answer(seat, (answers or {}).get(seat, otherwise))

    def reveal(self, answers: Mapping[int, Answer] | None = None, *, otherwise: Answer = 1) -> None:
        """Answers and turns until the hands are declared or settled (Cajun Stud: all streets)."""
        for _ in range(8):
            self.answer_all(answers, otherwise=otherwise)
            if self.phase is Phase.TURNING:
                self.ok()
        if self.phase is Phase.DECLARING:
            self.declare_all()

    def press_until_revealed(self) -> None:
        """Turn card after card, where nobody is asked any more."""
        while self.phase is Phase.TURNING:
            self.ok()

    # ------------------------------------------------------------ declaring

    def declare_all(self) -> None:
        """The dealer looks at the cards that really lie there and says what they are."""
        eyes = Eyes(self)
        while self.phase is Phase.DECLARING and self.table.rooms.faults.held is None:
            self.declare(eyes.sees())

    def declare(self, row: str) -> list[Effect]:
        """Go to a row of the open question by the fewest keys, and take it."""
        question = Eyes(self).question()
        if row not in question.rows:
            raise NotOfferedError(f"no row {row!r} for {question}")
        return self.press(*keys_to(question.rows.index(row), len(question.rows)), Key.OK)

    def open_row(self) -> str:
        """The row under the cursor."""
        return self.table.rooms.declaring.chosen_row(Eyes(self).question())

    # ------------------------------------------------------------ settling, clearing

    def settle_seat(self) -> list[Effect]:
        """One seat, its hits validated."""
        said = self.ok()
        while self.phase is Phase.VALIDATING:
            self.floor("VALIDATE HIT")
            said = self.ok()
        return said

    def settle_all(self) -> None:
        """Every seat, and the documents."""
        while self.phase is Phase.SETTLING and self.table.rooms.faults.held is None:
            self.settle_seat()
        if self.phase is Phase.DOCUMENTS:
            self.floor("DOCUMENTS DONE")

    def clear(self) -> list[Effect]:
        """Wagers of a void round are back, the cards in the rack."""
        if self.phase is Phase.RETURNING:
            self.ok()
        if self.phase is Phase.LAST_COUNT:
            self.count_stub()
        assert self.phase is Phase.CLEARING, self.phase
        if self.table.rooms.by_hand.open_stakes():
            self.floor("SETTLED BY HAND", "rest taken")
        said = self.ok()
        self.pack, self.out, self.wanted = [], 0, 0
        return said

    def how_much(self, cents: int | str) -> list[Effect]:
        """The floor enters what was paid by hand, digit by digit."""
        self.unlock()
        keys = {digit: key for key, digit in DIGITS.items()}
        said = self.press(*(keys[digit] for digit in str(cents)), Key.OK)
        self.send(RoleLocked, role=Role.FLOOR)
        self.last = said
        return said

    def next_round(self) -> None:
        """Cleared, and bets are open again."""
        self.clear()
        self.get_ready()

    def play(
        self,
        bets: Mapping[int, Mapping[str, int | None]] | Iterable[int] = (2, 5),
        answers: Mapping[int, Answer] | None = None,
        *,
        otherwise: Answer = 1,
        **hands: str,
    ) -> RoundRecord:
        """A whole round, from open bets to open bets, and its record."""
        wagers = bets if hasattr(bets, "items") else {seat: {"ante": 1000} for seat in bets}
        for seat, placed in wagers.items():
            self.bet(seat, **placed)
        self.lock()
        self.deal(**hands)
        self.reveal(answers, otherwise=otherwise)
        self.settle_all()
        self.next_round()
        return self.record


# ------------------------------------------------------------ where most stories begin


def opened(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = Shift(chapter, **changes)
    shift.open_table()
    return shift


def locked(chapter: str = "pa641a", **changes: Any) -> Shift:
    shift = opened(chapter, **changes)
    shift.bet(2, ante=1000)
    shift.lock()
    return shift
