"""Dealing by the plan, card by card or stack by stack (x.8 to x.10).

However much is known of the cards, one number says how far the deal is: how many cards have left the deck.
Where a card goes follows from the plan, so a face-up card that moves the rest is a new plan and nothing
else. A card is brought by a shoe that reports it, or by the dealer whose key says that a way around the
table is dealt; what an automated shoe does not give (683a.10(c)) is dealt by hand like the latter.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from sabot.rules.plan import DISCARD, Placement, bets_of
from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.effects import Dispense, EjectStub, FreeShoe, HaltShoe, LockWagers
from sabot.statemachine.events import Exit, Role, Secret, StackDelayed, StackDispensed, StackTaken
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge
from sabot.statemachine.shuffling import BY_HAND, shuffles_by_device

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

SHUFFLER = "shuffler"
# What the dealer puts away before the next card: progressive chips, and a card that lay face up.
TO_TRAY, TO_RACK = "chips to tray", "card to rack"
# Locked, and no card is due yet.
_BEFORE_DEAL = frozenset({Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH})
# Where an automated shoe has cards to give: stacks, then the stub.
_GIVES_CARDS = frozenset({Phase.DEALING, Phase.STUB})
# What a card that leaves before the deal may belong to: the deck that lies ready to be dealt.
_READY = _BEFORE_DEAL | {Phase.BETS_OPEN}
# How an order waits: for the dealer, who has not taken the stack before.
BY_EXIT = "EXIT"
# The stack that came last is known to be out of the exit: whatever lies there now is another.
TAKEN = "taken"
IN_RACK = "a card set aside stays in the rack once the next is dealt"

# ---------------------------------------------------------------- the plan


@dataclass(frozen=True)
class Laid:
    """A plan, its cards in the order in which they leave the deck, the positions of each place, the stacks.

    A plan places every card from the first on, none twice: how many have left the deck says which is next.
    """

    plan: list[Placement]
    order: list[Placement]
    positions: dict[str, list[int]]
    stacks: dict[int, list[Placement]]

    @cached_property
    def placed(self) -> frozenset[int]:
        """The positions of the cards that are dealt to a place."""
        return frozenset(each.position for each in self.plan if each.place != DISCARD)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The plan as the record keeps it."""
        return tuple(map(str, self.plan))


def lay_out(cards: list[Placement]) -> Laid:
    """A plan made easy to look up; places and stacks stay in the plan's order."""
    positions: dict[str, list[int]] = {each.place: [] for each in cards}
    stacks: dict[int, list[Placement]] = {each.stack: [] for each in cards}
    for each in sorted(cards, key=attrgetter("nth")):
        positions[each.place].append(each.position)
    for each in cards:
        stacks[each.stack].append(each)
    return Laid(cards, sorted(cards), positions, stacks)


def begin_dealing(table: "Table") -> None:
    """Compute the plan from the locked wagers; an automated shoe gets its first order.

    A card that left the shoe before the deal is dealt already, as the first one.
    """
    round_ = table.round
    make_plan(table)
    _take_early(table, table.state.decks[round_.deck].early)
    round_.to_do = TO_TRAY if round_.chips else ""
    order_stack(table)


def _take_early(table: "Table", early: list[Secret | None]) -> None:
    """Deal what left before the deal; what the plan does not want of it stays with the stub."""
    cards = early[: len(left_to_deal(table))]
    early.clear()
    if cards:
        take(table, known(table, tuple(cards)))


def known(table: "Table", cards: tuple[Secret | None, ...]) -> tuple[Secret | None, ...]:
    """Cards of which each was read are held against the deck."""
    known = tuple(card for card in cards if card is not None)
    return _composed(table, known) if len(known) == len(cards) else cards


def make_plan(table: "Table") -> None:
    """The plan for what is wagered and what lay face up."""
    round_ = table.round
    bets = bets_of(table.chapter, round_.bets, table.setup.options.pair_bonus_card)
    seats, face_up = tuple(sorted(round_.bets)), tuple(round_.face_up)
    round_.plan = table.planned(round_.method, seats, bets, face_up)


def left_to_deal(table: "Table") -> list[Placement]:
    """The cards that the plan still wants, in the order in which they leave the deck."""
    return table.laid.order[table.round.drawn :]


def next_card(table: "Table") -> Placement | None:
    """The card that the plan wants next, None where it wants no more."""
    order, drawn = table.laid.order, table.round.drawn
    return order[drawn] if drawn < len(order) else None


def is_automated(table: "Table") -> bool:
    """Whether the next card comes out of an automated shoe, and not of the dealer's hand."""
    if table.round.stub_out or not _has_automated_shoe(table):
        return False
    card = next_card(table)
    return card is not None and card.stack > 0


def _has_automated_shoe(table: "Table") -> bool:
    return table.round.method.startswith("auto_shoe")


def waits_for_shoe(table: "Table") -> bool:
    """Whether an automated shoe has yet to give cards of this round."""
    phase, is_round = table.phases.state, table.state.round is not None
    if is_round and phase in _BEFORE_DEAL:
        return _has_automated_shoe(table)
    return is_round and phase is Phase.DEALING and is_automated(table)


def has_begun(table: "Table") -> bool:
    """Whether an automated shoe is dealing: it has an order, or gave cards of this round already."""
    return waits_for_shoe(table) and bool(table.round.ordered or table.round.drawn)


def is_reported(table: "Table") -> bool:
    """Whether a device will say that the next card is dealt."""
    knowledge = table.round.knowledge
    return knowledge == Knowledge.EACH_CARD or (knowledge != Knowledge.NONE and is_automated(table))


def order_stack(table: "Table") -> None:
    """Let an automated shoe put out the next stack, one order at a time."""
    wanted = next_stack(table)
    is_free = table.held is None and table.phases.state is Phase.DEALING and not lies_in_exit(table)
    may_come = is_free and not (waits_for_deck(table) or table.round.to_do)
    if wanted and not table.round.ordered and may_come:
        table.round.ordered, table.round.delayed = wanted, ""
        cite = table.chapter.plans[table.round.method].cite
        table.emit(Dispense(count=wanted, deck=table.round.deck, cite=cite))
    else:
        order_stub(table)


def order_stub(table: "Table") -> None:
    """Let an automated shoe put out what is left: after its last stack, or when the round is void."""
    round_ = table.round
    is_over = round_.stub_out or bool(round_.void)
    may_come = _has_automated_shoe(table) and table.held is None and not lies_in_exit(table)
    left = expected_stub(table)
    if is_over and may_come and left > 0 and not (round_.ejecting or round_.ejected):
        round_.ejecting = left
        table.emit(EjectStub(deck=round_.deck, cite=table.cite("8(e)")))


def next_stack(table: "Table") -> int:
    """How many cards the next stack still wants of the shoe (0: it gives no more)."""
    return len(stack_left(table)) if is_automated(table) else 0


def stack_left(table: "Table") -> list[Placement]:
    """The cards of the next stack that have not come yet, in the plan's order."""
    laid, drawn = table.laid, table.round.drawn
    return [each for each in laid.stacks[laid.order[drawn].stack] if each.position > drawn]


def recall_order(table: "Table", cite: str) -> None:
    """The round stops: a shoe that has not put out its stack yet, or waits with it, forgets the order."""
    if table.round.ordered and not table.has_emitted(HaltShoe):
        table.emit(HaltShoe(cite=cite), first=not table.has_emitted(LockWagers))


def free_recalled(table: "Table", cite: str) -> None:
    """A shoe whose order was recalled may be ordered again; after a fault its release says so."""
    if table.round.ordered and table.held is None:
        table.emit(FreeShoe(cite=cite))
    table.round.ordered = 0


# ---------------------------------------------------------------- cards that a device reports


def stray(table: "Table", cards: tuple[Secret | None, ...], what: str) -> None:
    """Cards left the shoe when none was due: before the deal they are the first of it (x.13(b))."""
    if is_before_deal(table):
        table.state.decks[table.state.in_play].early += cards
        table.note(f"{what} left the shoe before the deal: it is dealt first", table.cite("13(b)"))
    table.state.missed.clear()  # it may be the very card that was thought missed
    table.hold("card_out_of_turn", "shoe", f"{what} left the shoe when none was due")


def is_before_deal(table: "Table") -> bool:
    """Whether a deck lies ready to be dealt, and none of its cards is due yet."""
    state = table.state
    if state.phase is Phase.DEALING:  # a deck that is to be shuffled again gives no card of this deal
        return wants_cut(table) and not wants_shuffle(table)
    deck = state.decks.get(state.in_play)
    return state.phase in _READY and deck is not None and deck.ready


def on_delayed(table: "Table", event: StackDelayed) -> None:
    """The shoe is busy, with the other deck as a rule: its order waits, and the dealer is told for what."""
    if table.state.phase is not Phase.DEALING or not table.round.ordered:
        raise Refused("no stack is ordered")
    is_known = event.deck in table.state.decks
    busy = f"SHUFFLES DECK {event.deck}" if is_known else "IS BUSY"
    table.round.delayed = BY_EXIT if event.by_exit else busy


# ---------------------------------------------------------------- the exit


def lies_in_exit(table: "Table") -> bool:
    """Whether a stack lies in the shoe's exit: nothing else is named before it was taken."""
    return table.phases.state in _GIVES_CARDS and table.round.exit in (Exit.SENSED, Exit.UNSENSED)


def last_stack(table: "Table") -> list[Placement]:
    """The cards of the stack that came last."""
    laid, drawn = table.laid, table.round.drawn
    return [each for each in laid.stacks[laid.order[drawn - 1].stack] if each.position <= drawn]


def on_taken(table: "Table", _event: StackTaken) -> None:
    """The shoe saw its exit empty: the next place may be named, and the next stack comes."""
    if table.state.round is not None:
        _go_on(table)


def doubt_exit(table: "Table") -> None:
    """The shoe does not see that its exit is empty: the dealer says so, as where there is no sensor."""
    if lies_in_exit(table):
        table.round.exit = Exit.UNSENSED


def verify_taken(table: "Table", _value: str) -> None:
    """By key only where the shoe does not see it."""
    if not lies_in_exit(table):
        raise Refused("no stack lies in the exit")
    if table.round.exit == Exit.SENSED:
        raise Refused("take the stack: the shoe sees when its exit is empty")


def take_stack(table: "Table", _value: str) -> None:
    """The dealer says that the stack was taken."""
    _go_on(table)


def _go_on(table: "Table") -> None:
    table.round.exit = TAKEN
    if table.phases.state in _GIVES_CARDS:
        order_stack(table)


def on_stack(table: "Table", event: StackDispensed) -> None:
    """An automated shoe put out a stack: as many as it was ordered to, or the round is not dealt by it."""
    state = table.state
    reports = state.method.startswith("auto_shoe") and state.knowledge != Knowledge.NONE
    if not reports or "shoe" in state.out_of_order:
        raise Refused("no shoe at this table reports stacks")
    if state.phase is not Phase.DEALING or not is_automated(table) or waits_for_deck(table):
        stray(table, _cards_of(table, event), f"a stack of {event.count}")
        return
    if table.held is not None:
        table.hold("card_out_of_turn", "shoe", "a stack came while the table was held")
    table.round.exit = event.exit.value
    wanted = table.round.ordered or next_stack(table)
    if event.count != wanted:
        _wrong_stack(table, event, wanted)
        return
    table.round.ordered = 0
    take(table, known(table, _cards_of(table, event)))
    order_stack(table)


def _wrong_stack(table: "Table", event: StackDispensed, wanted: int) -> None:
    """Too few cards: the shoe failed to deal all (x.13(f)); too many may lie at a place (x.13(c)).

    By reading V18 the floor counts first: a stack that it releases is whole, and no card of it is known.
    After the last stack a card too many that lies at no place that the law names stays with the stub (V6).
    """
    why, round_ = f"a stack of {event.count}, {wanted} were wanted", table.round
    is_floors = table.readings["stack_count"] == "held" and table.policies.short_stack
    is_at_place = any(_is_named(each.place) for each in left_to_deal(table)[:wanted])
    cards = known(table, _cards_of(table, event)[:wanted])
    take(table, (None,) * wanted if is_floors else cards)
    round_.note(table.now, why, table.cite("13(f)"))
    if not is_floors and event.count < wanted:
        table.irregular("shoe_jam")
    elif not is_floors and (is_at_place or left_to_deal(table)):
        table.irregular("wrong_count")
    else:
        round_.ordered = 0
    table.hold("short_stack", "shoe", why)


def _is_named(place: str) -> bool:
    """Whether a wrong number of cards at a place is one that the law names (x.13(c), reading V6)."""
    return place in ("dealer", "community") or (place.startswith("seat") and ":" not in place)


def _cards_of(table: "Table", event: StackDispensed) -> tuple[Secret | None, ...]:
    """The identities of a stack, where as many were read as left."""
    if event.cards and len(event.cards) != event.count:
        table.hold("contradiction", "shoe", f"{len(event.cards)} cards read in a stack of {event.count}")
    return event.cards if len(event.cards) == event.count else (None,) * event.count


def _composed(table: "Table", cards: tuple[Secret, ...]) -> tuple[Secret | None, ...]:
    """A card that the deck has given already, or that no deck has, is none of its cards (our own policy)."""
    if came_twice(table, cards):
        table.hold("composition", f"deck {table.round.deck}", "a card came twice out of one deck")
    if are_of_pack(table, cards):
        return cards
    table.hold("composition", f"deck {table.round.deck}", "a card that no deck has")
    return (None,) * len(cards)


def came_twice(table: "Table", cards: tuple[Secret, ...]) -> bool:
    """Whether one of these cards has left the deck already."""
    seen = {card.card for card in table.round.seen if card is not None}
    new = {card.card for card in cards}
    return len(new) < len(cards) or not seen.isdisjoint(new)


def are_of_pack(table: "Table", cards: tuple[Secret, ...]) -> bool:
    """Whether these are cards that a deck has."""
    pack = table.chapter.deck.pack
    return all(0 <= card.card < pack for card in cards)


def take(table: "Table", cards: tuple[Secret | None, ...]) -> None:
    """Cards left the deck; with the last that the plan wants the stub is left."""
    round_, table.state.undo = table.round, None
    round_.last_entry = round_.to_do = ""
    round_.seen += cards
    round_.drawn += len(cards)
    card = next_card(table)
    round_.stub_out = round_.stub_out or (_has_automated_shoe(table) and not (card and card.stack))
    if card is None:
        table.phases.dealt()


def expected_stub(table: "Table") -> int:
    """How many cards should be left."""
    return table.chapter.deck.pack - table.round.drawn


# ---------------------------------------------------------------- cards that the dealer reports


def wants_cut(table: "Table") -> bool:
    """Whether the floor has ordered a recut that is not done yet (x.5(e))."""
    deck = table.state.decks.get(table.round.deck)
    return deck is not None and deck.recut


def wants_shuffle(table: "Table") -> bool:
    """Whether the floor has directed a shuffle that is not done yet (x.5(a))."""
    deck = table.state.decks.get(table.round.deck)
    return deck is not None and deck.reshuffle


def waits_for_deck(table: "Table") -> bool:
    """Whether the deck is to be shuffled or cut before its first card."""
    deck = table.state.decks.get(table.round.deck)
    return deck is not None and (deck.reshuffle or deck.recut)


def verify_lap(table: "Table", _value: str) -> None:
    """By key only where no device sees the cards, or shuffles them; what was put away is said by key too."""
    if wants_shuffle(table):
        _verify_by_hand(table)
    if is_reported(table) and not (waits_for_deck(table) or table.round.to_do):
        raise Refused("the shoe reports the cards")


def _verify_by_hand(table: "Table") -> None:
    """A shuffle that was ordered of a locked round is by hand only where no device is left for it."""
    if shuffles_by_device(table):
        raise Refused("the shuffler does it: wait for its report")
    if SHUFFLER in table.state.uncovered():
        raise Refused(f"the shuffler is covered or signed first ({table.chapter.out_of_order.cite})")
    if lacks_shuffler(table):
        needs = table.chapter.plans[table.round.method].needs_shuffler
        raise Refused(f"not without a shuffler: choose a method ({needs})")


def lacks_shuffler(table: "Table") -> bool:
    """Whether the method of a locked round needs a shuffle that no device can make any more (x.9(a)(1))."""
    is_due = table.phases.state is Phase.DEALING and wants_shuffle(table)
    return (
        is_due
        and bool(table.chapter.plans[table.round.method].needs_shuffler)
        and not shuffles_by_device(table)
    )


def deal_by(table: "Table", method: str) -> None:
    """Deal a locked round of which no card is out by another method."""
    round_, deck = table.round, table.state.decks[table.round.deck]
    round_.method, round_.knowledge = method, table.state.knowledge
    deck.methods += [method] if method not in deck.methods else []
    make_plan(table)


def deal_lap(table: "Table", _value: str) -> None:
    """The dealer made the shuffle or cut that was ordered, put away what is to go, or dealt a way around."""
    round_ = table.round
    if wants_shuffle(table):
        deck = table.state.decks[round_.deck]
        deck.reshuffle, deck.recut, deck.proof = False, True, BY_HAND
        return
    if wants_cut(table):
        deck = table.state.decks[round_.deck]
        deck.recut, deck.was_cut = False, True
        _take_early(table, deck.early)
        order_stack(table)
        return
    if round_.to_do:
        round_.to_do = ""
        order_stack(table)
        return
    left = left_to_deal(table)
    end = max(each.position for each in left if each.lap == left[0].lap)
    round_.lap_from, round_.ordered = round_.drawn, 0
    take(table, (None,) * (end - round_.drawn))
    order_stack(table)


def take_back_lap(table: "Table") -> None:
    """BACK: the last way around that was keyed in is not dealt yet."""
    round_ = table.round
    if round_.lap_from is None:
        raise Refused(IN_RACK if round_.face_up else CONFIRMED)
    round_.note(table.now, f"{round_.drawn - round_.lap_from} cards not dealt yet", "", round_.dealer)
    del round_.seen[round_.lap_from :]
    round_.drawn, round_.lap_from = round_.lap_from, None
    if table.phases.state is Phase.STUB:
        table.phases.not_dealt()
        table.clear_pending()


ACTIONS = (
    Action("deal_lap", "CARDS DEALT", Role.DEALER, phases(Phase.DEALING), "8(d)", deal_lap, verify_lap),
    Action(
        "stack_taken",
        "STACK TAKEN",
        Role.DEALER,
        phases(Phase.DEALING, Phase.STUB),
        "-",
        take_stack,
        verify_taken,
    ),
)
