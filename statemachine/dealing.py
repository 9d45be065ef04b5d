"""Dealing by the plan, card by card or stack by stack (x.8 to x.10).

However much is known of the cards, one number says how far the deal is: how many cards have left the deck.
Where a card goes follows from the plan, so a face-up card that moves the rest is a new plan and nothing
else. A card is brought by a shoe that reports it, or by the dealer whose key says that a way around the
table is dealt; what an automated shoe does not give (683a.10(c)) is dealt by hand like the latter.
"""

# Theory of operation. The plan names a place for every card, in the order in which cards leave the deck, and
# ``drawn`` says how many have left. A card comes in one of three ways: a reading shoe reports it, an
# automated shoe reports a stack, or the dealer's OK says that a way around the table is dealt.
#
# An automated shoe has one open order at most (``ordered``). The stack comes and lies in the exit; the exit
# is told as empty, by the shoe or by OK; only then the next stack is ordered. What halts the shoe, a fault or
# a void, voids its order too. The release, WAGERS RETURNED or UNDO VOID frees the shoe, and the stack is
# ordered anew only where the deal goes on. After the last stack the stub is ordered out, once.
#
# A locked round may have to wait before its first card: for a shuffle or a cut that the floor directed
# (x.5(a), (e)), for chips that go back (x.7(d)), for what the dealer puts away first. A card that leaves the
# shoe meanwhile is the first card of the deal (x.13(b)).

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter, is_

from sabot.rules.plan import Placement, bets_of
from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.contest import Contest
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.law import Law
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.shuffling import BY_HAND, Shuffling
from sabot.statemachine.state.parts import Devices, EntryState, TableClock, Trouble
from sabot.statemachine.state.phases import DEALING, STUB, Phase, Phases
from sabot.statemachine.state.round import BUSY, BY_EXIT, Play
from sabot.statemachine.state.setup import AUTOMATED, EACH_CARD, NO_CARD
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.effects import Dispense, EjectStub, FreeShoe, HaltShoe, LockWagers
from sabot.statemachine.vocabulary.events import (
    Exit,
    Key,
    Role,
    Secret,
    StackDelayed,
    StackDispensed,
    StackTaken,
)

SHUFFLER = "shuffler"
# What the dealer puts away before the next card: progressive chips, and a card that lay face up.
TO_TRAY, TO_RACK = "chips to tray", "card to rack"
# Locked, and no card is due yet.
_BEFORE_DEAL = frozenset({Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH})
# A stack lies in the exit: the shoe sees when it is taken, or the dealer says so.
_LIES_THERE = (Exit.SENSED, Exit.UNSENSED)
# Where an automated shoe has cards to give: stacks, then the stub.
_GIVES_CARDS = frozenset({Phase.DEALING, Phase.STUB})
# What a card that leaves before the deal may belong to: the deck that lies ready to be dealt.
_READY = _BEFORE_DEAL | {Phase.BETS_OPEN}
# The stack that came last is known to be out of the exit: whatever lies there now is another.
TAKEN = "taken"
# Why a card cannot be of the deck in play (our own policy: the cards that were read are counted).
TWICE, OF_NO_DECK = "a card came twice out of one deck", "a card that no deck has"
_NUMBER = attrgetter("card")
IN_RACK = "a card set aside stays in the rack once the next is dealt"


def _is_named(place: str) -> bool:
    """Return whether a wrong number of cards at a place is one that the law names (x.13(c), reading V6)."""
    return place in ("dealer", "community") or (place.startswith("seat") and ":" not in place)


@dataclass(slots=True, eq=False, repr=False)
class Dealing:
    """Deal by the plan, card by card or stack by stack."""

    law: Law
    phases: Phases
    out: Outbox
    contest: Contest
    clock: TableClock
    entry: EntryState
    stock: Stock
    devices: Devices
    trouble: Trouble
    play: Play
    faults: FaultLatch
    shuffling: Shuffling
    # Set by who composes the rooms: an irregularity of the deal lies above it.
    irregular: Callable[[str], None] = field(init=False)
    # The cards that were held against the deck last, until they are dealt, and the answer.
    _judged: tuple[Secret | None, ...] = field(init=False, default=())
    _wrong: list[str] = field(init=False, default_factory=list)
    # The cards of the round when they were counted last, and their numbers.
    _counted: list[Secret | None] = field(init=False, default_factory=list)
    _numbers: set[int] = field(init=False, default_factory=set)

    # ---------------------------------------------------------------- the plan

    def begin_dealing(self) -> None:
        """Compute the plan from the locked wagers; an automated shoe gets its first order.

        A card that left the shoe before the deal is dealt already, as the first one.
        """
        round_ = self.play.current
        self.make_plan()
        # Before the first order: the shoe is asked only for what is left of the first stack.
        self._take_early(self.stock.decks[round_.deck].early)
        # The counted chips go to the tray before the first card (x.8(b)).
        round_.put_away(TO_TRAY if round_.chips else "")
        self.order_stack()

    def _take_early(self, early: list[Secret | None]) -> None:
        """Deal what left before the deal; what the plan does not want of it stays with the stub."""
        cards = early[: len(self.left_to_deal())]
        early.clear()
        if cards:
            self.take(self.known(tuple(cards)))

    def known(self, cards: tuple[Secret | None, ...]) -> tuple[Secret | None, ...]:
        """Hold cards that were all read against the deck; with one of no deck none counts as read."""
        if not all(cards):
            return cards
        wrong = self.wrong_with(cards)
        # Used up: after these cards lie there, the same ones would be there twice.
        self._judged, self._wrong = (), []
        for why in wrong:
            self.faults.hold("composition", f"deck {self.play.current.deck}", why)
        return (None,) * len(cards) if OF_NO_DECK in wrong else cards

    def wrong_with(self, cards: tuple[Secret | None, ...]) -> list[str]:
        """Return why cards that were read cannot be the next of this deck; empty where they can."""
        if len(cards) == len(self._judged) and all(map(is_, cards, self._judged)):
            return self._wrong  # the safe lane has asked about these very cards
        numbers = {*map(_NUMBER, cards)}
        wrong = []
        if len(numbers) < len(cards) or not numbers.isdisjoint(self._given()):
            wrong.append(TWICE)
        if not numbers <= self.law.pack:
            wrong.append(OF_NO_DECK)
        self._judged, self._wrong = cards, wrong
        return wrong

    def _given(self) -> set[int]:
        """Return the numbers of the cards that the deck has given, as far as they were read."""
        seen, begun = self.play.current.seen, len(self._counted)
        # Mostly one card more than when this was asked last, and equal lists of the same cards need no calls.
        if seen[:begun] != self._counted:
            self._numbers, begun = set(), 0
            self._counted.clear()
        new = seen[begun:]
        # A secret is true and a card that was not read is not.
        self._numbers.update(map(_NUMBER, filter(None, new)))
        self._counted += new
        return self._numbers

    def make_plan(self) -> None:
        """Make the plan for what is wagered and what lay face up."""
        round_ = self.play.current
        bets = bets_of(self.law.chapter, round_.bets, self.law.setup.options.pair_bonus_card)
        seats, face_up = tuple(sorted(round_.bets)), tuple(round_.face_up)
        # A new list: whoever keeps what follows from a plan knows it by the list itself.
        round_.plan = self.law.planned(round_.method, seats, bets, face_up)

    def left_to_deal(self) -> list[Placement]:
        """Return the cards that the plan still wants, in the order in which they leave the deck."""
        return self.contest.laid.order[self.play.current.drawn :]

    def next_card(self) -> Placement | None:
        """Return the card that the plan wants next, None once all are dealt."""
        order, drawn = self.contest.laid.order, self.play.current.drawn
        return order[drawn] if drawn < len(order) else None

    def is_automated(self) -> bool:
        """Return whether the next card comes out of an automated shoe, and not of the dealer's hand."""
        round_ = self.play.current
        # After the last stack the stub counts as out of the shoe: what
        # is wanted then is dealt by hand (reading V21).
        if round_.stub_out or not round_.method.startswith(AUTOMATED):
            return False
        card = self.next_card()
        return card is not None and card.stack > 0

    def has_automated_shoe(self) -> bool:
        """Return whether the round is dealt from an automated shoe."""
        return self.play.current.method.startswith(AUTOMATED)

    def waits_for_shoe(self) -> bool:
        """Return whether an automated shoe has yet to give cards of this round."""
        phase, is_round = self.play.phase, self.play.round is not None
        if is_round and phase in _BEFORE_DEAL:
            return self.has_automated_shoe()
        return is_round and phase is DEALING and self.is_automated()

    def has_begun(self) -> bool:
        """Return whether an automated shoe is dealing: it has an order, or gave cards of this round."""
        return self.waits_for_shoe() and bool(self.play.current.ordered or self.play.current.drawn)

    def is_reported(self) -> bool:
        """Return whether a device will say that the next card is dealt."""
        knowledge = self.play.current.knowledge
        return knowledge == EACH_CARD or (knowledge != NO_CARD and self.is_automated())

    def order_stack(self) -> None:
        """Let an automated shoe put out the next stack, one order at a time."""
        wanted = self.next_stack()
        # One order at a time, and none while the exit is full: a second stack would lie on the first.
        is_free = self.faults.held is None and self.play.phase is DEALING and not self.lies_in_exit()
        may_come = is_free and not (self.waits_for_deck() or self.play.current.to_do)
        if wanted and not self.play.current.ordered and may_come:
            self.play.current.order_cards(wanted)
            cite = self.law.chapter.plans[self.play.current.method].cite
            self.out.emit(Dispense(count=wanted, deck=self.play.current.deck, cite=cite))
        else:
            self.order_stub()

    def order_stub(self) -> None:
        """Let an automated shoe put out what is left: after its last stack, or when the round is void."""
        round_ = self.play.current
        is_over = round_.stub_out or bool(round_.void)
        may_come = self.has_automated_shoe() and self.faults.held is None and not self.lies_in_exit()
        left = self.expected_stub()
        if is_over and may_come and left > 0 and not (round_.ejecting or round_.ejected):
            round_.order_stub(left)
            self.out.emit(EjectStub(deck=round_.deck, cite=self.law.cite("8(e)")))

    def next_stack(self) -> int:
        """Return how many cards the shoe has to give for the next stack (0: it gives none any more)."""
        return len(self.stack_left()) if self.is_automated() else 0

    def stack_left(self) -> list[Placement]:
        """Return the cards of the next stack that have not come yet, in the plan's order."""
        laid, drawn = self.contest.laid, self.play.current.drawn
        return [each for each in laid.stacks[laid.order[drawn].stack] if each.position > drawn]

    def recall_order(self, cite: str) -> None:
        """Make a shoe that has not put out its stack, or waits with it, forget the order: the round stops."""
        # A shoe knows no other recall: a halt drops its order, and
        # freeing it later does not bring the order back.
        if self.play.current.ordered and not self.out.has_emitted(HaltShoe):
            self.out.emit(HaltShoe(cite=cite), first=not self.out.has_emitted(LockWagers))

    def free_recalled(self, cite: str) -> None:
        """Free a shoe whose order was recalled; while a fault is held its release does so."""
        if self.play.current.ordered and self.faults.held is None:
            self.out.emit(FreeShoe(cite=cite))
        self.play.current.end_order()

    # ---------------------------------------------------------------- cards that a device reports

    def stray(self, cards: tuple[Secret | None, ...], what: str) -> None:
        """Hold the table for cards that left out of turn; before the deal they are its first (x.13(b))."""
        if self.is_before_deal():
            self.stock.deck_in_play.leave_early(cards)
            self.out.note(f"{what} left the shoe before the deal: it is dealt first", self.law.cite("13(b)"))
        self.trouble.forget_missed()  # it may be the very card that was thought missed
        self.faults.hold("card_out_of_turn", "shoe", f"{what} left the shoe when none was due")

    def is_before_deal(self) -> bool:
        """Return whether a deck lies ready to be dealt, and none of its cards is due yet."""
        if self.play.phase is DEALING:  # a deck that is to be shuffled again gives no card of this deal
            return self.wants_cut() and not self.wants_shuffle()
        deck = self.stock.decks.get(self.stock.in_play)
        return self.play.phase in _READY and deck is not None and deck.ready

    def on_delayed(self, event: StackDelayed) -> None:
        """Let the order wait for a busy shoe, with the other deck as a rule, and tell the dealer for what."""
        if self.play.phase is not DEALING or not self.play.current.ordered:
            raise Refused("no stack is ordered")
        if event.deck in self.stock.decks and not event.by_exit:
            self.play.current.delay_by_shuffle(event.deck)
        else:
            self.play.current.delay(BY_EXIT if event.by_exit else BUSY)

    # ---------------------------------------------------------------- the exit

    def lies_in_exit(self) -> bool:
        """Return whether a stack lies in the shoe's exit: nothing else is named before it was taken."""
        if self.play.phase not in _GIVES_CARDS:
            return False
        return self.play.current.exit in _LIES_THERE

    def last_stack(self) -> list[Placement]:
        """Return the cards of the stack that came last."""
        laid, drawn = self.contest.laid, self.play.current.drawn
        return [each for each in laid.stacks[laid.order[drawn - 1].stack] if each.position <= drawn]

    def on_taken(self, _event: StackTaken) -> None:
        """Go on after the shoe saw its exit empty: the next place may be named, the next stack comes."""
        if self.play.round is not None:
            self._go_on()

    def doubt_exit(self) -> None:
        """Leave it to the dealer to say that the exit is empty, as where there is no sensor."""
        if self.lies_in_exit():
            self.play.current.exit = Exit.UNSENSED

    def verify_taken(self, _value: str) -> None:
        """Raise where no stack lies in the exit, or the shoe sees by itself that it is taken."""
        if not self.lies_in_exit():
            raise Refused("no stack lies in the exit")
        if self.play.current.exit == Exit.SENSED:
            raise Refused("take the stack: the shoe sees when its exit is empty")

    def take_stack(self, _value: str) -> None:
        """Go on after the dealer said that the stack was taken."""
        self._go_on()

    def _go_on(self) -> None:
        self.play.current.exit = TAKEN
        if self.play.phase in _GIVES_CARDS:
            self.order_stack()

    def on_stack(self, event: StackDispensed) -> None:
        """Deal a stack of as many cards as were ordered; any other number is judged by x.13(c) and (f)."""
        reports = self.devices.method.startswith(AUTOMATED) and self.devices.knowledge != NO_CARD
        if not reports or "shoe" in self.devices.out_of_order:
            raise Refused("no shoe at this table reports stacks")
        if self.play.phase is not DEALING or not self.is_automated() or self.waits_for_deck():
            self.stray(self._cards_of(event), f"a stack of {event.count}")
            return
        if self.faults.held is not None:  # on its way when the shoe was halted: it is dealt, and people look
            self.faults.hold("card_out_of_turn", "shoe", "a stack came while the table was held")
        # Before the number is judged: whatever its number, the stack lies there.
        self.play.current.exit = event.exit.value
        # A stack on its way while the order was dropped is held against what the plan wants.
        wanted = self.play.current.ordered or self.next_stack()
        if event.count != wanted:
            self._wrong_stack(event, wanted)
            return
        self.play.current.end_order()
        self.take(self.known(self._cards_of(event)))
        self.order_stack()

    def _wrong_stack(self, event: StackDispensed, wanted: int) -> None:
        """Judge a wrong number: too few is a failed shoe (x.13(f)), too many may lie at a place (x.13(c)).

        By reading V18 the floor counts first: a stack that it releases is whole, and no card of it is known.
        After the last stack a card too many that lies at no place of the law stays with the stub (V6).
        """
        why, round_ = f"a stack of {event.count}, {wanted} were wanted", self.play.current
        is_floors = self.law.readings["stack_count"] == "held" and self.law.policies.short_stack
        is_at_place = any(_is_named(each.place) for each in self.left_to_deal()[:wanted])
        cards = self.known(self._cards_of(event)[:wanted])
        self.take((None,) * wanted if is_floors else cards)
        round_.note(self.clock.now, why, self.law.cite("13(f)"))
        if not is_floors and event.count < wanted:
            self.irregular("shoe_jam")
        elif not is_floors and (is_at_place or self.left_to_deal()):
            self.irregular("wrong_count")
        else:
            round_.end_order()
        self.faults.hold("short_stack", "shoe", why)

    def _cards_of(self, event: StackDispensed) -> tuple[Secret | None, ...]:
        """Return the identities of a stack; where not as many were read as left, hold the table instead."""
        if event.cards and len(event.cards) != event.count:
            self.faults.hold(
                "contradiction", "shoe", f"{len(event.cards)} cards read in a stack of {event.count}"
            )
        # With fewer identities than cards nobody knows whose they are.
        return event.cards if len(event.cards) == event.count else (None,) * event.count

    def take(self, cards: tuple[Secret | None, ...]) -> None:
        """Deal cards that left the deck; after the last that the plan wants the stub is left."""
        round_ = self.play.current
        self.play.confirm()  # BACK cannot put back a card that left the deck after the declaration
        round_.draw(cards)
        card = self.next_card()
        # With its last stack the shoe has given the stub too, though cards may follow by hand (reading V21).
        if round_.method.startswith(AUTOMATED) and not (card and card.stack):
            round_.leave_stub()
        if card is None:
            self.phases.dealt()

    def expected_stub(self) -> int:
        """Return how many cards should be left."""
        return self.law.chapter.deck.pack - self.play.current.drawn

    # ---------------------------------------------------------------- cards that the dealer reports

    def wants_cut(self) -> bool:
        """Return whether the floor has ordered a recut that is not done yet (x.5(e))."""
        deck = self.stock.decks.get(self.play.current.deck)
        return deck is not None and deck.recut

    def wants_shuffle(self) -> bool:
        """Return whether the floor has directed a shuffle that is not done yet (x.5(a))."""
        deck = self.stock.decks.get(self.play.current.deck)
        return deck is not None and deck.reshuffle

    def waits_for_deck(self) -> bool:
        """Return whether the deck is to be shuffled or cut before its first card."""
        deck = self.stock.decks.get(self.play.current.deck)
        return deck is not None and (deck.reshuffle or deck.recut)

    def verify_lap(self, _value: str) -> None:
        """Raise where a device reports what the key would say: the cards, or the shuffle that was ordered."""
        if self.wants_shuffle():
            self._verify_by_hand()
        if self.is_reported() and not (self.waits_for_deck() or self.play.current.to_do):
            raise Refused("the shoe reports the cards")

    def _verify_by_hand(self) -> None:
        """Raise where the shuffle that was ordered is a device's, or the method may not do without one."""
        if self.shuffling.shuffles_by_device():
            raise Refused("the shuffler does it: wait for its report")
        if SHUFFLER in self.devices.uncovered():
            raise Refused(f"the shuffler is covered or signed first ({self.law.chapter.out_of_order.cite})")
        if self.lacks_shuffler():
            needs = self.law.chapter.plans[self.play.current.method].needs_shuffler
            raise Refused(f"not without a shuffler: choose a method ({needs})")

    def lacks_shuffler(self) -> bool:
        """Return whether the method of a locked round needs a shuffle that no device can make (x.9(a)(1))."""
        is_due = self.play.phase is DEALING and self.wants_shuffle()
        return (
            is_due
            and bool(self.law.chapter.plans[self.play.current.method].needs_shuffler)
            and not self.shuffling.shuffles_by_device()
        )

    def deal_by(self, method: str) -> None:
        """Deal a locked round by another method, none of its cards being out."""
        round_, deck = self.play.current, self.stock.decks[self.play.current.deck]
        round_.deal_by(method, self.devices.knowledge)
        deck.deal_by(method)
        self.make_plan()

    def deal_lap(self, _value: str) -> None:
        """Take the dealer's OK: the ordered shuffle or cut is made, something put away, or a lap dealt."""
        # One OK says one thing: the shuffle, the cut, what is put away, and only then a way around.
        round_ = self.play.current
        if self.wants_shuffle():
            self.stock.decks[round_.deck].shuffled_for_round(BY_HAND)
            return
        if self.wants_cut():
            deck = self.stock.decks[round_.deck]
            deck.cut_for_round()
            self._take_early(deck.early)
            self.order_stack()
            return
        if round_.to_do:
            round_.put_away("")
            self.order_stack()
            return
        left = self.left_to_deal()
        end = max(each.position for each in left if each.lap == left[0].lap)
        round_.begin_lap()
        self.take((None,) * (end - round_.drawn))
        self.order_stack()

    def take_back_lap(self) -> None:
        """Take back, by BACK, the last way around that was keyed in."""
        round_ = self.play.current
        if round_.lap_from is None:
            raise Refused(IN_RACK if round_.face_up else CONFIRMED)
        round_.note(
            self.clock.now, f"{round_.drawn - round_.lap_from} cards not dealt yet", "", round_.dealer
        )
        round_.undo_lap(round_.lap_from)
        if self.play.phase is STUB:
            self.phases.not_dealt()
            self.entry.clear_pending()


ACTIONS = (
    Action(
        "deal_lap",
        "CARDS DEALT",
        Role.DEALER,
        phases(Phase.DEALING),
        "8(d)",
        Dealing.deal_lap,
        Dealing.verify_lap,
        key=Key.OK,
    ),
    Action(
        "stack_taken",
        "STACK TAKEN",
        Role.DEALER,
        phases(Phase.DEALING, Phase.STUB),
        "-",
        Dealing.take_stack,
        Dealing.verify_taken,
        key=Key.OK,
        comes_first=True,
    ),
)
