"""Dealing by the plan, card by card or stack by stack (x.8 to x.10).

However much is known of the cards, one number says how far the deal is: how many cards have left the deck.
Where a card goes follows from the plan, so a face-up card that moves the rest is a new plan and nothing
else. A card is brought by a shoe that reports it, or by the dealer whose key says that a way around the
table is dealt; what an automated shoe does not give (683a.10(c)) is dealt by hand like the latter.
"""

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from sabot.rules.plan import OWN, Bets, Placement
from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.effects import Dispense, FreeShoe, HaltShoe, LockWagers
from sabot.statemachine.events import CardDrawn, Role, Secret, StackDelayed, StackDispensed
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

# The wagers that a plan asks for.
PLANNED = ("six_card", "all_six", "pair_bonus")
_POSITION = attrgetter("position")
IN_RACK = "a card set aside stays in the rack once the next is dealt"

# ---------------------------------------------------------------- the plan


@dataclass(frozen=True)
class Laid:
    """A plan, its cards in the order in which they leave the deck, and the positions of each place."""

    plan: list[Placement]
    order: list[Placement]
    positions: dict[str, list[int]]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The plan as the record keeps it."""
        return tuple(map(str, self.plan))


def lay_out(cards: list[Placement]) -> Laid:
    """A plan made easy to look up; places stay in the plan's order."""
    positions: dict[str, list[int]] = {each.place: [] for each in cards}
    for each in sorted(cards, key=attrgetter("nth")):
        positions[each.place].append(each.position)
    return Laid(cards, sorted(cards), positions)


def begin_dealing(table: "Table") -> None:
    """Compute the plan from the locked wagers; an automated shoe gets its first order."""
    make_plan(table)
    order_stack(table)


def make_plan(table: "Table") -> None:
    """The plan for what is wagered and what lay face up."""
    round_ = table.round
    by_wager = {wager: [seat for seat, bets in round_.bets.items() if wager in bets] for wager in PLANNED}
    bets = Bets(
        six_card=bool(by_wager["six_card"]),
        all_six=bool(by_wager["all_six"]),
        pair_bonus=frozenset(by_wager["pair_bonus"]),
        pair_bonus_card=table.setup.options.pair_bonus_card if "pair_bonus" in table.chapter.wagers else OWN,
    )
    seats, face_up = tuple(sorted(round_.bets)), tuple(round_.face_up)
    round_.plan = table.planned(round_.method, seats, bets, face_up)


def left_to_deal(table: "Table") -> list[Placement]:
    """The cards that the plan still wants, in the order in which they leave the deck."""
    order = table.laid.order
    return order[bisect_right(order, table.round.drawn, key=_POSITION) :]


def is_automated(table: "Table") -> bool:
    """Whether the next card comes out of an automated shoe, and not of the dealer's hand."""
    left = left_to_deal(table)
    return bool(left) and table.round.method.startswith("auto_shoe") and left[0].stack > 0


def is_reported(table: "Table") -> bool:
    """Whether a device will say that the next card is dealt."""
    knowledge = table.round.knowledge
    return knowledge == Knowledge.EACH_CARD or (knowledge != Knowledge.NONE and is_automated(table))


def order_stack(table: "Table") -> None:
    """Let an automated shoe put out the next stack, one order at a time."""
    wanted = next_stack(table)
    if wanted and not table.round.ordered and table.held is None and not wants_cut(table):
        table.round.ordered, table.round.delayed = wanted, ""
        table.emit(Dispense(count=wanted, cite=table.chapter.plans[table.round.method].cite))


def next_stack(table: "Table") -> int:
    """How many cards the next stack still wants of the shoe (0: it gives no more)."""
    left = left_to_deal(table)
    return sum(each.stack == left[0].stack for each in left) if is_automated(table) else 0


def recall_order(table: "Table", cite: str) -> None:
    """The round stops: a shoe that has not put out its stack yet, or waits with it, forgets the order."""
    if table.round.ordered:
        table.emit(HaltShoe(cite=cite), first=not table.has_emitted(LockWagers))


def free_recalled(table: "Table", cite: str) -> None:
    """A shoe whose order was recalled may be ordered again; after a fault its release says so."""
    if table.round.ordered and table.held is None:
        table.emit(FreeShoe(cite=cite))
    table.round.ordered = 0


# ---------------------------------------------------------------- cards that a device reports


def on_card(table: "Table", event: CardDrawn) -> None:
    """A reading shoe saw a card leave: it is the next card, even one drawn in error (x.13(b))."""
    if table.state.knowledge != Knowledge.EACH_CARD or "shoe" in table.state.out_of_order:
        raise Refused("no shoe at this table reads single cards")
    if table.state.phase is not Phase.DEALING or wants_cut(table):
        table.hold("card_out_of_turn", "shoe", "a card left the shoe when none was due")
        return
    if table.held is not None:
        table.hold("card_out_of_turn", "shoe", "a card left the shoe while the table was held")
    if event.card is None:
        take(table, (None,))
        table.hold("unreadable_card", "shoe", "a card could not be read")
        return
    take(table, _composed(table, (event.card,)))


def on_delayed(table: "Table", event: StackDelayed) -> None:
    """The shoe is busy, with the other deck as a rule: its order waits, and the dealer is told for what."""
    if table.state.phase is not Phase.DEALING or not table.round.ordered:
        raise Refused("no stack is ordered")
    is_known = event.deck in table.state.decks
    table.round.delayed = f"SHUFFLES DECK {event.deck}" if is_known else "IS BUSY"


def on_stack(table: "Table", event: StackDispensed) -> None:
    """An automated shoe put out a stack: as many as it was ordered to, or the table holds.

    What left the shoe is dealt as far as the plan wants it, so that every card stays somewhere.
    """
    state = table.state
    reports = state.method.startswith("auto_shoe") and state.knowledge != Knowledge.NONE
    if not reports or "shoe" in state.out_of_order:
        raise Refused("no shoe at this table reports stacks")
    if state.phase is not Phase.DEALING or not is_automated(table) or wants_cut(table):
        table.hold("card_out_of_turn", "shoe", "a stack came when none was due")
        return
    if table.held is not None:
        table.hold("card_out_of_turn", "shoe", "a stack came while the table was held")
    wanted = table.round.ordered or next_stack(table)
    if event.count != wanted:
        table.hold("short_stack", "shoe", f"a stack of {event.count}, {wanted} were wanted")
    table.round.ordered = 0
    take(table, _cards_of(table, event)[: len(left_to_deal(table))])
    if table.phases.state is Phase.DEALING:
        order_stack(table)


def _cards_of(table: "Table", event: StackDispensed) -> tuple[Secret | None, ...]:
    """The identities of a stack, where as many were read as left."""
    if len(event.cards) == event.count:
        return _composed(table, event.cards)
    if event.cards:
        table.hold("contradiction", "shoe", f"{len(event.cards)} cards read in a stack of {event.count}")
    return (None,) * event.count


def _composed(table: "Table", cards: tuple[Secret, ...]) -> tuple[Secret | None, ...]:
    """A card that the deck has given already, or that no deck has, is none of its cards (our own policy)."""
    seen = {card.card for card in table.round.seen if card is not None}
    new = {card.card for card in cards}
    if seen & new or len(new) < len(cards):
        table.hold("composition", f"deck {table.round.deck}", "a card came twice out of one deck")
    if all(card.card in range(table.chapter.deck.pack) for card in cards):
        return cards
    table.hold("composition", f"deck {table.round.deck}", "a card that no deck has")
    return (None,) * len(cards)


def take(table: "Table", cards: tuple[Secret | None, ...]) -> None:
    """Cards left the deck; with the last that the plan wants the stub is left."""
    round_, table.state.undo = table.round, None
    round_.last_entry = ""
    round_.seen += cards
    round_.drawn += len(cards)
    if not left_to_deal(table):
        table.phases.dealt()
        table.state.pending.number = expected_stub(table)


def expected_stub(table: "Table") -> int:
    """How many cards should be left."""
    return table.chapter.deck.pack - table.round.drawn


def cards_at(table: "Table", place: str) -> list[Secret | None]:
    """The cards of a place so far, in the order dealt; None where the identity is not known."""
    seen, drawn = table.round.seen, table.round.drawn
    return [seen[position - 1] for position in table.laid.positions.get(place, ()) if position <= drawn]


# ---------------------------------------------------------------- cards that the dealer reports


def wants_cut(table: "Table") -> bool:
    """Whether the floor has ordered a recut that is not done yet (x.5(e))."""
    deck = table.state.decks.get(table.round.deck)
    return deck is not None and deck.recut


def verify_lap(table: "Table", _value: str) -> None:
    """By key only where no device sees the cards."""
    if is_reported(table) and not wants_cut(table):
        raise Refused("the shoe reports the cards")


def deal_lap(table: "Table", _value: str) -> None:
    """The dealer made the cut that was ordered, or dealt the next way around the table."""
    round_ = table.round
    if wants_cut(table):
        deck = table.state.decks[round_.deck]
        deck.recut, deck.was_cut = False, True
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
)
