"""Dealing by the plan, card by card or stack by stack, and the stub afterwards (x.8 to x.10).

However much is known of the cards, one number says how far the deal is: how many cards have left the deck.
Where a card goes follows from the plan, so a face-up card that moves the rest is a new plan and nothing
else.
"""

from typing import TYPE_CHECKING

from sabot.rules.plan import OWN, Bets, plan
from sabot.statemachine.action import CONFIRMED, Action, Refused, phases
from sabot.statemachine.effects import Dispense
from sabot.statemachine.events import CardDrawn, Role, Secret, StackDispensed
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge, Shuffler

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

ONE_FACE_UP, SEVERAL_FACE_UP = "one_face_up", "several_face_up"


# ---------------------------------------------------------------- the plan


def begin_dealing(table: "Table") -> None:
    """Compute the plan from the locked wagers; an automated shoe gets its first order."""
    make_plan(table)
    order_stack(table)


def make_plan(table: "Table") -> None:
    """The plan for what is wagered and what lay face up."""
    round_ = table.round
    by_wager = {
        wager: {s for s, bets in round_.bets.items() if wager in bets} for wager in table.chapter.wagers
    }
    bets = Bets(
        six_card=bool(by_wager.get("six_card")),
        all_six=bool(by_wager.get("all_six")),
        pair_bonus=frozenset(by_wager.get("pair_bonus", ())),
        pair_bonus_card=table.setup.options.pair_bonus_card if "pair_bonus" in table.chapter.wagers else OWN,
    )
    seats = sorted(round_.bets)
    round_.plan = plan(table.chapter, round_.method, seats, bets, table.readings, round_.face_up)


def order_stack(table: "Table") -> None:
    """Let an automated shoe put out the next stack."""
    wanted = next_stack(table)
    if wanted and table.round.method.startswith("auto_shoe") and table.held is None:
        table.emit(Dispense(count=wanted, cite=table.chapter.plans[table.round.method].cite))


def next_stack(table: "Table") -> int:
    """How many cards the next stack still wants (0: everything is dealt)."""
    left = [each for each in table.round.plan if each.position > table.round.drawn]
    if not left:
        return 0
    first = min(left, key=lambda each: each.position)
    return sum(each.stack == first.stack for each in left)


# ---------------------------------------------------------------- cards


def last_position(table: "Table") -> int:
    """The position of the last card that the plan wants."""
    return max(each.position for each in table.round.plan)


def on_card(table: "Table", event: CardDrawn) -> None:
    """A reading shoe saw a card leave: it is the next card, even one drawn in error (x.13(b))."""
    if table.state.knowledge != Knowledge.EACH_CARD or "shoe" in table.state.out_of_order:
        raise Refused("no shoe at this table reads single cards")
    if table.state.phase is not Phase.DEALING:
        table.hold("card_out_of_turn", "shoe", "a card left the shoe when none was due")
        return
    if table.held is not None:
        table.hold("card_out_of_turn", "shoe", "a card left the shoe while the table was held")
    if event.card is None:
        take(table, (None,))
        table.hold("unreadable_card", "shoe", "a card could not be read")
        return
    _verify_composition(table, (event.card,))
    take(table, (event.card,))


def on_stack(table: "Table", event: StackDispensed) -> None:
    """An automated shoe put out a stack: as many as the plan wants, or the table holds.

    What left the shoe is dealt as far as the plan wants it, so that every card stays somewhere.
    """
    is_automated = table.state.method.startswith("auto_shoe") and table.state.knowledge != Knowledge.NONE
    if not is_automated or "shoe" in table.state.out_of_order:
        raise Refused("no shoe at this table reports stacks")
    if table.state.phase is not Phase.DEALING:
        table.hold("card_out_of_turn", "shoe", "a stack came when none was due")
        return
    if table.held is not None:
        table.hold("card_out_of_turn", "shoe", "a stack came while the table was held")
    wanted = next_stack(table)
    if event.count != wanted:
        table.hold("short_stack", "shoe", f"a stack of {event.count}, {wanted} were wanted")
    take(table, _cards_of(table, event)[:wanted])
    order_stack(table)


def _cards_of(table: "Table", event: StackDispensed) -> tuple[Secret | None, ...]:
    """The identities of a stack, where as many were read as left."""
    if len(event.cards) == event.count:
        _verify_composition(table, event.cards)
        return event.cards
    if event.cards:
        table.hold("contradiction", "shoe", f"{len(event.cards)} cards read in a stack of {event.count}")
    return (None,) * event.count


def _verify_composition(table: "Table", cards: tuple[Secret, ...]) -> None:
    """A card that this deck has already given is no card of this deck (our own policy)."""
    seen = {card for card in table.round.seen if card is not None}
    if table.policies.composition and (seen & set(cards) or len(set(cards)) < len(cards)):
        table.hold("composition", f"deck {table.round.deck}", "a card came twice out of one deck")


def take(table: "Table", cards: tuple[Secret | None, ...]) -> None:
    """Cards left the deck."""
    round_ = table.round
    round_.seen += cards
    round_.drawn += len(cards)
    if any(card is None for card in cards) and round_.knowledge != Knowledge.NONE:
        round_.knowledge = Knowledge.COUNT_ONLY
    _end_when_dealt(table)


def _end_when_dealt(table: "Table") -> None:
    if table.round.drawn >= last_position(table):
        table.phases.dealt()
        table.state.pending.number = expected_stub(table)


def verify_lap(table: "Table", _value: str) -> None:
    """By key only where no device sees the cards."""
    if table.round.knowledge in (Knowledge.EACH_CARD, Knowledge.STACK):
        raise Refused("the shoe reports the cards")


def deal_lap(table: "Table", _value: str) -> None:
    """The dealer dealt the next way around the table."""
    round_ = table.round
    left = [each for each in round_.plan if each.position > round_.drawn]
    first = min(left, key=lambda each: each.position)
    end = max(each.position for each in left if each.lap == first.lap)
    round_.lap_from = round_.drawn
    take(table, (None,) * (end - round_.drawn))
    order_stack(table)


def take_back_lap(table: "Table") -> None:
    """BACK: the last way around that was keyed in is not dealt yet."""
    round_ = table.round
    if round_.lap_from is None:
        raise Refused(CONFIRMED)
    round_.note(table.now, f"{round_.drawn - round_.lap_from} cards not dealt yet", "", round_.dealer)
    del round_.seen[round_.lap_from :]
    round_.drawn, round_.lap_from = round_.lap_from, None
    if table.phases.state is Phase.STUB:
        table.phases.not_dealt()
        table.clear_pending()


def cards_at(table: "Table", place: str) -> list[Secret | None]:
    """The cards of a place so far, in the order dealt; None where the identity is not known."""
    round_ = table.round
    found = sorted((each for each in round_.plan if each.place == place), key=lambda each: each.nth)
    return [round_.seen[each.position - 1] for each in found if each.position <= round_.drawn]


# ---------------------------------------------------------------- face up, drawn in error


def face_up(table: "Table", value: str) -> None:
    """A card lies face up: to the rack, the next one takes its place; a second one voids (x.13(a))."""
    round_ = table.round
    if round_.face_up:
        table.irregular(SEVERAL_FACE_UP)
        return
    if round_.drawn == 0:
        round_.drawn, round_.seen = 1, [None]
    round_.face_up.append(int(value) if value else round_.drawn)
    round_.lap_from = None
    make_plan(table)
    table.irregular(ONE_FACE_UP)
    order_stack(table)


def face_up_positions(table: "Table") -> list[str]:
    """Which card of the last stack it was; dealt singly it is the last card."""
    round_ = table.round
    if not round_.method.startswith("auto_shoe") or not round_.drawn:
        return []
    last = next(each for each in round_.plan if each.position == round_.drawn)
    return [str(each.position) for each in sorted(round_.plan) if each.stack == last.stack]


def drawn_in_error(table: "Table", _value: str) -> None:
    """A card drawn in error, its face not seen, is the next card (x.13(b))."""
    table.irregular("drawn_in_error")


# ---------------------------------------------------------------- the stub


def expected_stub(table: "Table") -> int:
    """How many cards should be left."""
    return table.chapter.deck.pack - table.round.drawn


def waiver(table: "Table") -> str:
    """Why the stub need not be counted, empty when it must be from time to time."""
    state = table.state
    deck = state.decks.get(table.round.deck)
    counts = (
        state.shuffler in (Shuffler.COUNTING, Shuffler.RESHUFFLER) and "shuffler" not in state.out_of_order
    )
    if counts and deck is not None and deck.counted:
        return f"shuffler counted {table.chapter.deck.pack} in deck {deck.name}"
    return ""


def is_count_due(table: "Table") -> bool:
    """Whether this round's stub must be counted (at least once every five rounds; reading V14)."""
    if waiver(table):
        return False
    every = table.chapter.deck.stub_count_every_rounds - 1
    scope = table.readings.get("stub_count_scope", "both")
    deck = table.state.decks[table.round.deck]
    by_table = scope != "deck" and table.state.since_count >= every
    by_deck = scope != "table" and deck.since_count >= every
    return by_table or by_deck


def rack_stub(table: "Table", _value: str) -> None:
    """The stub goes to the rack unexposed, counted first when a count is due."""
    round_ = table.round
    round_.lap_from = None
    if is_count_due(table):
        round_.stub = table.state.pending.number
        if round_.stub != expected_stub(table):
            round_.note(table.now, f"stub {round_.stub}, expected {expected_stub(table)}", table.stub_cite)
            table.phases.stub_differs()
            return
        deck = table.state.decks[round_.deck]
        table.state.since_count = deck.since_count = -1  # this round's end makes it 0
        round_.note(table.now, f"stub counted: {round_.stub}", table.stub_cite)
    after_stub(table)


def after_stub(table: "Table") -> None:
    """Players are asked, unless the contest is void or nobody has an Ante."""
    table.state.pending.number = None
    if table.contest_is_void or not table.players_to_ask():
        table.phases.reveal()
    else:
        table.phases.ask()
        table.ask_next()


def recount(table: "Table", _value: str) -> None:
    """Count again."""
    table.phases.recount()
    table.state.pending.number = expected_stub(table)


def misdealt(table: "Table", _value: str) -> None:
    """A place has a wrong number of cards, and 52 are there in all: void."""
    table.irregular("stub_misdealt")


def stub_short(table: "Table", _value: str) -> None:
    """Not misdealt: void, and the deck leaves the table."""
    table.irregular("stub_short")


P = Phase
DEALER = Role.DEALER
ACTIONS = (
    Action("deal_lap", "CARDS DEALT", DEALER, phases(P.DEALING), "8(d)", deal_lap, verify_lap),
    Action(
        "face_up",
        "CARD FACE UP",
        DEALER,
        phases(P.DEALING),
        "13(a)",
        face_up,
        values=face_up_positions,
        while_held=True,
        value_may_lack=True,
    ),
    Action("drawn_in_error", "DRAWN IN ERROR", DEALER, phases(P.DEALING), "13(b)", drawn_in_error),
    Action("rack_stub", "STUB TO RACK", DEALER, phases(P.STUB), "8(e)", rack_stub),
    Action("recount", "COUNT AGAIN", DEALER, phases(P.STUB_WRONG), "8(f)", recount),
    Action("misdealt", "MISDEALT", DEALER, phases(P.STUB_WRONG), "8(h)", misdealt),
    Action("stub_short", "NOT MISDEALT", DEALER, phases(P.STUB_WRONG), "8(h)", stub_short),
)
