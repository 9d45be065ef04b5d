"""The next step of each phase, as dealer, floor, players and devices take it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.rules.cards import PACK_SIZE
from sabot.statemachine.by_hand import MOST_CENTS
from sabot.statemachine.dealing import SHUFFLER
from sabot.statemachine.law import ACCOUNT
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.events import DIGITS, Event, Key, Role

from .help import COLORS, change, register

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from sabot.statemachine.state.snapshot import Deck

    from .people import People

MULTIPLES = {Key.ONE: 1, Key.TWO: 2, Key.THREE: 3}
STAKES = (500, 1_000, 2_500, 10_000, 1_500, 333)
P = Phase
TEN = 10


def step(people: People) -> Event:
    """What comes next."""
    if people.table.rooms.lockout.to_hand_back() is not None:
        return people.ok()
    return _BY_PHASE.get(people.table.state.play.phase, _ok)(people)


def _ok(people: People) -> Event:
    return people.ok()


# ---------------------------------------------------------------- opening and decks


def _closed(people: People) -> Event:
    state, rng = people.table.state, people.rng
    if not state.crew.dealer:
        return people.event(ev.DealerSignedOn, person=f"dealer {rng.randint(1, 4)}")
    if people.table.rooms.actions.can("receive"):
        return people.ok()
    if len(state.stock.lots) > state.devices.deck_count:
        return people.want("choose_lot", rng.choice(state.stock.lots).lot)
    used = {lot.color for lot in state.stock.lots}
    preshuffled = state.stock.lots[0].preshuffled if state.stock.lots else rng.random() < 0.3
    color = rng.choice([each for each in COLORS if each not in used] or COLORS)
    return register(people, color, preshuffled=preshuffled)


def _verifying(people: People) -> Event:
    return people.want("verify_cards" if people.table.state.crew.checklist else "check_devices")


def due_decks(table: Table) -> list[str]:
    """The decks whose time is over."""
    room = table.rooms.deck_room
    return [name for name, deck in room.stock.decks.items() if room.is_due(deck)]


def _shuffling(people: People) -> Event:
    state = people.table.state
    deck, due = state.stock.decks.get(state.stock.in_shuffler), due_decks(people.table)
    if deck is None or due:
        return change(people, due[0] if due else state.stock.in_shuffler or "A")
    return _shuffled(people, deck) if people.table.rooms.shuffling.shuffles_by_device() else people.ok()


def _shuffled(people: People, deck: Deck) -> Event:
    """The shuffler reports a deck, begun in play mode."""
    sorting = people.table.state.devices.sorting
    if deck.sorted_since and sorting:
        return people.event(ev.DeviceModeChanged, device=sorting[0], mode="play")
    if deck.sorted_since or deck.failed:
        return people.event(ev.ShuffleStarted, deck=deck.name)
    if deck.name in people.world.in_shuffler:
        people.world.in_shuffler.remove(deck.name)
    faces = people.world.faces() if people.rng.random() < 0.2 else ()
    counts = people.table.law.setup.shuffler.value in ("counting", "reshuffler")
    count = PACK_SIZE if counts else None
    return people.event(ev.ShuffleCompleted, deck=deck.name, count=count, composition=faces)


# ---------------------------------------------------------------- wagers


def _bets_open(people: People) -> Event:
    table, state = people.table, people.table.state
    due, deck = due_decks(table), state.stock.decks.get(state.stock.in_play)
    if due:
        return change(people, due[0])
    if deck is None or not deck.ready:
        return people.want("reshuffle")
    waiting = [
        name for name in people.world.in_shuffler if name in state.stock.decks and name != state.stock.in_play
    ]
    if waiting and people.rng.random() < 0.3:
        return _shuffled(people, state.stock.decks[waiting[0]])
    return _betting(people)


def _betting(people: People) -> Event:
    """Wagers for a while, then the lock."""
    state = people.table.state
    if not state.layout.bets and people.places_left == 0:
        people.places_left = people.rng.randint(1, 4 * people.table.law.setup.seat_count)
    if people.places_left > 0:
        people.places_left -= 1
        return _wager(people)
    if not state.crew.checklist:
        return people.want("check_devices")
    if state.devices.out_of_order and people.rng.random() < 0.3:
        return people.want("in_service", state.devices.out_of_order[0])
    if not state.devices.out_of_order and people.value_of("choose_method"):
        return people.want("choose_method", people.table.law.setup.method)
    return people.press(Key.LOCK) if people.table.rooms.actions.can("lock") else _mend(people)


def _wager(people: People) -> Event:
    table, setup, rng = people.table, people.table.law.setup, people.rng
    seat = rng.randint(1, setup.seat_count)
    name = rng.choice(["ante", "ante", *(name for name in table.law.chapter.wagers if name in setup.offers)])
    if seat not in table.state.layout.bets:
        name = "ante" if "aces_up" not in setup.offers or rng.random() < 0.8 else "aces_up"
    wager = table.law.chapter.wagers[name]
    if wager.device == ACCOUNT:
        return people.event(ev.AccountWager, seat=seat, wager=name, cents=rng.choice(STAKES))
    cents = setup.options.progressive_unit if wager.envy else rng.choice(STAKES)
    unknown = rng.random() < 0.02
    return people.event(ev.WagerSensed, seat=seat, wager=name, cents=None if unknown else cents)


def _mend(people: People) -> Event:
    """The lock is refused: no dealer, a device out of order, too many boxes, or no wager that stands."""
    bets, rng = people.table.state.layout.bets, people.rng
    if not people.table.state.crew.dealer:
        return people.event(ev.DealerSignedOn, person=f"dealer {rng.randint(1, 4)}")
    if people.table.state.devices.out_of_order and rng.random() < 0.7:
        return people.want("choose_method", people.value_of("choose_method"))
    if len(bets) > 1:
        seat = rng.choice(sorted(bets))
        return people.event(ev.WagerSensed, seat=seat, wager=rng.choice(sorted(bets[seat])), cents=0)
    return people.event(ev.WagerSensed, seat=next(iter(bets), 1), wager="ante", cents=1_000)


def _counting(people: People) -> Event:
    """Chips, one by one; now and then one is overlooked."""
    return _count(people, people.table.rooms.chip_count.accepted())


def _count(people: People, wanted: int) -> Event:
    """So many, by tens where the display says so, and one by one; now and then one is overlooked."""
    number, tens = (
        people.table.state.entry.pending.number,
        people.table.state.play.phase is not P.COUNTING_CHIPS,
    )
    counted = number or 0
    if number is not None and people.rng.random() < (0.95 if counted == wanted else 0.05):
        return people.ok()
    if tens and wanted - counted >= TEN:
        return people.press(Key.RIGHT)
    return people.press(Key.PLUS if counted <= wanted else Key.MINUS)


def _stub(people: People) -> Event:
    """To the rack, or counted where a count is due."""
    if not people.table.rooms.stub.is_count_due():
        return people.ok()
    return _count(people, people.table.rooms.dealing.expected_stub())


def _last_count(people: People) -> Event:
    return _count(people, people.table.rooms.dealing.expected_stub())


def _mismatch(people: People) -> Event:
    table = people.table
    way = "up" if table.state.play.current.chips > table.rooms.chip_count.accepted() else "down"
    values = table.rooms.actions.named("resolve_chips").values
    fixes = [each for each in values() if each.endswith(way)] if values else []
    return people.want("resolve_chips", people.rng.choice(fixes)) if fixes else people.press(Key.BACK)


# ---------------------------------------------------------------- cards and decisions


def _dealing(people: People) -> Event:
    table, world = people.table, people.world
    if table.rooms.dealing.wants_shuffle():
        return _reshuffling(people)
    if table.rooms.dealing.waits_for_deck() or (table.state.play.current.to_do and people.rng.random() < 0.5):
        return people.ok()
    if table.state.play.current.knowledge == Knowledge.EACH_CARD:
        # Of a pack that accidents have emptied nothing can be read.
        return people.event(ev.CardDrawn, card=next(iter(world.draw(1)), None))
    is_automated = (
        table.state.play.current.method.startswith("auto_shoe")
        and table.state.devices.knowledge != Knowledge.NONE
    )
    if not (is_automated and world.wanted):
        return people.ok()
    count, world.wanted = world.wanted, 0
    cards = world.draw(count)
    reads = table.state.devices.knowledge == Knowledge.STACK
    return people.event(ev.StackDispensed, count=count, cards=cards if reads else ())


def _reshuffling(people: People) -> Event:
    """The shuffle that the floor directed for a locked round, by a device or by hand."""
    table = people.table
    if table.rooms.shuffling.shuffles_by_device():
        return _shuffled(people, table.state.stock.decks[table.state.play.current.deck])
    if SHUFFLER in table.state.devices.uncovered():
        return people.want("covered", SHUFFLER)
    if table.rooms.dealing.lacks_shuffler():
        return people.want("choose_method", people.rng.choice(table.rooms.out_of_order.methods_left()))
    return people.ok()


def _stub_wrong(people: People) -> Event:
    return people.press(people.rng.choice((Key.BACK, Key.OK, Key.FOLD)))


def _deciding(people: People) -> Event:
    table, rng = people.table, people.rng
    if table.rooms.actions.can("decide"):
        return people.ok()
    if table.rooms.answering.differs():
        return people.press(rng.choice((Key.LEFT, Key.RIGHT, Key.BACK)))
    if table.state.books.owed and rng.random() < 0.3:
        owed = table.state.books.owed[0]
        return people.event(ev.AccountCredited, device="accounts", number=owed.number, cents=owed.cents)
    if table.law.chapter.extras and rng.random() < 0.1:
        return _drawn(people)
    if rng.random() < 0.25:
        return people.press(Key.FOLD)
    return _second_wager(people)


def _drawn(people: People) -> Event:
    """A draw, open or under seal."""
    rng = people.rng
    if rng.random() < 0.5:
        return people.event(ev.DrawSealed, device="accounts", draw=rng.randint(1, 9), seal="5e")
    card, lucky = rng.randrange(PACK_SIZE), rng.choice((*people.table.state.play.current.bets, "dealer"))
    return people.event(ev.DrawMade, magic_card=people.world.mark(card), lucky=lucky)


def _turning(people: People) -> Event:
    """What is under seal is opened before a card is turned."""
    sealed = people.table.state.play.current.sealed
    if not sealed:
        return people.ok()
    return people.event(ev.DrawMade, draw=sealed[0].draw, lucky="dealer")


def _second_wager(people: People) -> Event:
    """By a key, or by chips that the pad senses."""
    table = people.table
    wager, seat = (
        table.law.chapter.wagers[table.rooms.answering.second_wager()],
        table.state.play.current.asking,
    )
    assert wager.times is not None  # a second wager has multiples
    keys = [key for key, times in MULTIPLES.items() if wager.times.least <= times <= wager.times.most]
    key = people.rng.choice(keys)
    if people.rng.random() < 0.5:
        return people.press(key)
    ante = table.state.play.current.bets[seat]["ante"]
    cents = None if ante is None else ante * MULTIPLES[key]
    return people.event(ev.WagerSensed, seat=seat, wager=wager.name, cents=cents)


def _declaring(people: People) -> Event:
    """Any row that can be; where an earlier word left none, the floor has one taken back."""
    if not people.table.rooms.declaring.open_question().rows:
        return people.want("correct", people.rng.choice(people.table.rooms.declaring.may_reopen()))
    return people.press(people.rng.choice((Key.OK, Key.FOLD, Key.RIGHT, Key.ONE)))


def _clearing(people: People) -> Event:
    """The floor enters what people settled by hand, then the cards go."""
    if people.table.rooms.by_hand.unpriced() is not None:
        return _how_much(people)
    if not people.table.rooms.by_hand.open_stakes():
        return people.ok()
    values = people.table.rooms.by_hand.entries_by_hand()
    rest = [value for value in values if value.startswith("rest")]
    return people.want("settled_by_hand", people.rng.choice(rest if people.rng.random() < 0.5 else values))


def _how_much(people: People) -> Event:
    """The floor enters a sum, digit by digit."""
    if not people.table.rooms.by_hand.takes_digits():
        return people.unlock(Role.FLOOR)
    number = people.table.state.entry.pending.number or 0
    is_enough = number and (number >= MOST_CENTS or people.rng.random() < 0.3)
    return people.ok() if is_enough else people.press(people.rng.choice(tuple(DIGITS)))


def _validating(people: People) -> Event:
    return people.want("validate_hit")


def _documents(people: People) -> Event:
    return people.want("documents")


_BY_PHASE: Mapping[Phase, Callable[[People], Event]] = {
    P.CLOSED: _closed,
    P.VERIFYING: _verifying,
    P.SHUFFLING: _shuffling,
    P.BETS_OPEN: _bets_open,
    P.COUNTING_CHIPS: _counting,
    P.CHIP_MISMATCH: _mismatch,
    P.DEALING: _dealing,
    P.STUB: _stub,
    P.STUB_WRONG: _stub_wrong,
    P.LAST_COUNT: _last_count,
    P.LAST_WRONG: _stub_wrong,
    P.DECIDING: _deciding,
    P.TURNING: _turning,
    P.DECLARING: _declaring,
    P.VALIDATING: _validating,
    P.CLEARING: _clearing,
    P.DOCUMENTS: _documents,
}
