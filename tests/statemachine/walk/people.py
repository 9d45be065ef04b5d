"""People and devices that do their work: from any state of a table, an event that brings it on.

The dealer follows the phases, the floor and the technician come when something holds the table, devices
answer. What a person wants from a list is a *goal*, an action and a value; the keys to it are found one at a
time from what the list shows, so that a list that changed under the cursor is left and opened again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sabot.rules.cards import PACK_SIZE
from sabot.statemachine import events as ev
from sabot.statemachine.chips import PROGRESSIVE, accepted
from sabot.statemachine.dealing import wants_cut
from sabot.statemachine.deciding import second_wager
from sabot.statemachine.decks import due_decks
from sabot.statemachine.events import Event, Key, Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge
from sabot.statemachine.shuffling import shuffles_by_device

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from sabot.statemachine.state import Deck, Hold
    from sabot.statemachine.table import Table

    from .world import World

Goal = tuple[str, str]
P = Phase
COLORS = ("red", "blue", "green", "brown", "black")
MULTIPLES = {Key.ONE: 1, Key.TWO: 2, Key.THREE: 3}
WHIMS = (
    "join_boxes",
    "nobody",
    "recut",
    "reshuffle",
    "player_left",
    "face_up",
    "drawn_in_error",
    "irregular",
    "choose_lot",
    "change_deck",
    "close",
)


class People:
    """The people of one table, and the devices they work with."""

    def __init__(self, table: Table, world: World, rng: random.Random, *, whims: float = 0.02) -> None:
        self.table = table
        self.world = world
        self.rng = rng
        self.whims = whims
        self.goal: Goal | None = None
        self.places_left = 0
        self.seats_wanted = table.setup.seat_count
        self._lots = 0
        self._at = 0.0

    # ------------------------------------------------------------ the next event

    def next(self, at: float) -> Event:
        """An event that makes sense now."""
        self._at = at
        table = self.table
        if self.goal is None:
            self.goal = self._goal_when_held() or self._whim()
        if self.goal is not None and not self._is_possible(*self.goal):
            self.goal = None
        if self.goal is not None:
            return self._towards(*self.goal)
        if table.state.menu is not None:
            return self._press(Key.BACK)
        if table.held is not None and table.state.phase not in (P.RETURNING, P.CLEARING):
            return self._help(self.rng.choice(table.state.holds))
        return _BY_PHASE[table.state.phase](self)

    def _event(self, kind: Callable[..., Event], **fields: Any) -> Event:
        return kind(at=self._at, **fields)

    def _press(self, key: Key) -> Event:
        return self._event(ev.KeyPressed, key=key)

    def _ok(self) -> Event:
        return self._press(Key.OK)

    # ------------------------------------------------------------ lists

    def _is_possible(self, name: str, value: str) -> bool:
        action = self.table.action(name)
        state = self.table.state
        if state.phase not in action.phases or (self.table.held is not None and not action.while_held):
            return False
        return action.values is None or not value or value in action.values(self.table)

    def _towards(self, name: str, value: str) -> Event:
        """The next key on the way to an action of a list; when it is the last one the goal is reached."""
        state, action = self.table.state, self.table.action(name)
        menu = state.menu
        if action.by is not Role.DEALER and action.by.value not in state.unlocked:
            return self._event(ev.RoleUnlocked, role=action.by, person=f"{action.by} 1")
        if menu is None:
            return self._press(Key.MENU if action.by is Role.DEALER else Key.FLOOR)
        wanted, shown = (value, menu.values) if menu.action == name else (name, menu.actions)
        if wanted not in shown or (menu.action and menu.action != name):
            return self._lose_patience()
        if shown[menu.cursor] != wanted:
            return self._press(Key.RIGHT)
        if menu.action or action.values is None or not action.values(self.table):
            self.goal = None
        return self._ok()

    def _lose_patience(self) -> Event:
        if self.rng.random() < 0.5:
            self.goal = None
        return self._press(Key.BACK)

    def _want(self, name: str, value: str = "") -> Event:
        self.goal = (name, value)
        return self._towards(name, value)

    def _value_of(self, name: str) -> str:
        values = self.table.action(name).values
        offered = values(self.table) if values else []
        return self.rng.choice(offered) if offered else ""

    def _whim(self) -> Goal | None:
        """Now and then somebody wants something else than the next step."""
        if self.table.state.menu is not None or self.rng.random() >= self.whims:
            return None
        name = self.rng.choice(WHIMS)
        return (name, self._value_of(name)) if self._is_possible(name, "") else None

    # ------------------------------------------------------------ what holds the table

    def _goal_when_held(self) -> Goal | None:
        holds = self.table.state.holds
        ready = [(n, each) for n, each in enumerate(holds, 1) if self._may_be_lifted(each)]
        if not ready:
            return None
        number, held = self.rng.choice(ready)
        if held.role is not Role.FLOOR and held.role.value not in self.table.state.unlocked:
            return None
        names = {"restarted": ("confirm_round", "take_over", "release")}.get(held.kind, ("release",))
        name = self.rng.choice(names)
        value = f"{number} {held.kind} {held.device}" if name == "release" else self._value_of(name)
        return name, value

    def _may_be_lifted(self, held: Hold) -> bool:
        state = self.table.state
        if held.kind == "deck_removed" and held.device.removeprefix("deck ") not in state.decks:
            return False
        if held.kind == "out_of_order" and held.device not in state.covered:
            return False
        return held.may_be_lifted

    def _help(self, held: Hold) -> Event:
        """Do what a fault waits for."""
        state = self.table.state
        if held.kind == "out_of_order" and held.device not in state.covered:
            return self._want("covered", held.device)
        if held.kind == "deck_removed" and held.device.removeprefix("deck ") not in state.decks:
            return self._change(held.device.removeprefix("deck "))
        if held.kind == "sort_mode" and self.rng.random() < 0.5:
            return self._event(ev.DeviceModeChanged, device=held.device, mode="play")
        if not held.may_be_lifted:
            return self._event(ev.DeviceRetested, device=held.device, fault=held.kind, good=True)
        return self._event(ev.RoleUnlocked, role=held.role, person=f"{held.role} 1")

    # ------------------------------------------------------------ opening and decks

    def _register(self, color: str, *, preshuffled: bool = False) -> Event:
        self._lots += 1
        lot = f"L{self._lots} {self._at:.0f}"
        return self._event(ev.LotRegistered, lot=lot, color=color, preshuffled=preshuffled)

    def _closed(self) -> Event:
        state = self.table.state
        if not state.dealer:
            return self._event(ev.DealerSignedOn, person=f"dealer {self.rng.randint(1, 4)}")
        if self.table.can("receive"):
            return self._ok()
        if len(state.lots) > state.deck_count:
            return self._want("choose_lot", self.rng.choice(state.lots).lot)
        first = state.lots[0] if state.lots else None
        used = {lot.color for lot in state.lots}
        preshuffled = first.preshuffled if first else self.rng.random() < 0.3
        color = self.rng.choice([each for each in COLORS if each not in used] or COLORS)
        return self._register(color, preshuffled=preshuffled)

    def _change(self, deck: str) -> Event:
        """Another deck: of a color that differs from the one that stays."""
        state = self.table.state
        if state.phase not in self.table.action("change_deck").phases:
            return _BY_PHASE[state.phase](self)
        if self.table.state.menu is None and FLOOR in state.unlocked and self.table.can("change_deck", deck):
            return self._want("change_deck", deck)
        if FLOOR not in state.unlocked:
            return self._event(ev.RoleUnlocked, role=Role.FLOOR, person="floor 1")
        stays = {each.color for name, each in state.decks.items() if name != deck}
        fitting = [lot.lot for lot in state.lots if lot.color not in stays]
        if fitting:
            return self._want("choose_lot", self.rng.choice(fitting))
        color = next(each for each in COLORS if each not in stays)
        return self._register(color)

    def _verifying(self) -> Event:
        return self._want("verify_cards" if self.table.state.checklist else "check_devices")

    def _shuffling(self) -> Event:
        state = self.table.state
        name = state.in_shuffler
        deck = state.decks.get(name)
        due = due_decks(self.table)
        if deck is None or due:
            return self._change(due[0] if due else name or "A")
        if not shuffles_by_device(self.table):
            return self._ok()
        return self._shuffled(deck)

    def _shuffled(self, deck: Deck) -> Event:
        if deck.sorted_since and self.table.state.sorting:
            return self._event(ev.DeviceModeChanged, device=self.table.state.sorting[0], mode="play")
        if deck.sorted_since:
            return self._event(ev.ShuffleStarted, deck=deck.name)
        if deck.name in self.world.in_shuffler:
            self.world.in_shuffler.remove(deck.name)
        faces = self.world.faces() if self.rng.random() < 0.2 else ()
        counts = self.table.setup.shuffler.value in ("counting", "reshuffler")
        count = PACK_SIZE if counts else None
        return self._event(ev.ShuffleCompleted, deck=deck.name, count=count, composition=faces)

    # ------------------------------------------------------------ wagers

    def _bets_open(self) -> Event:
        state = self.table.state
        due, deck = due_decks(self.table), state.decks.get(state.in_play)
        if due or deck is None or not deck.ready:
            return self._change(due[0]) if due else self._want("reshuffle")
        waiting = [name for name in self.world.in_shuffler if name in state.decks and name != state.in_play]
        if waiting and self.rng.random() < 0.3:
            return self._shuffled(state.decks[waiting[0]])
        if not state.bets and self.places_left == 0:
            self.places_left = self.rng.randint(1, 4 * self.seats_wanted)
        if self.places_left > 0:
            self.places_left -= 1
            return self._wager()
        if not state.checklist:
            return self._want("check_devices")
        if not self.table.can("lock"):
            return self._mend()
        return self._press(Key.LOCK)

    def _wager(self) -> Event:
        seat = self.rng.randint(1, self.table.setup.seat_count)
        chapter, setup = self.table.chapter, self.table.setup
        names = ["ante", "ante", *(name for name in chapter.wagers if name in setup.offers)]
        name = self.rng.choice(names)
        if seat not in self.table.state.bets:
            name = "ante" if "aces_up" not in setup.offers or self.rng.random() < 0.8 else "aces_up"
        wager = chapter.wagers[name]
        if wager.device == "account":
            return self._event(ev.AccountWager, seat=seat, wager=name, cents=self._cents())
        cents = setup.options.progressive_unit if wager.envy else self._cents()
        unknown = self.rng.random() < 0.02
        return self._event(ev.WagerSensed, seat=seat, wager=name, cents=None if unknown else cents)

    def _cents(self) -> int:
        return self.rng.choice((500, 1_000, 2_500, 10_000, 1_500, 333))

    def _mend(self) -> Event:
        """The lock is refused: a device is out of order, too many boxes, or nobody has a wager that stands."""
        bets, methods = self.table.state.bets, self.table.action("choose_method")
        if self.table.state.out_of_order and self.rng.random() < 0.7:
            return self._want("choose_method", self.rng.choice(methods.values(self.table)))  # type: ignore[misc]
        if len(bets) > 1:
            seat = self.rng.choice(sorted(bets))
            return self._event(ev.WagerSensed, seat=seat, wager=self.rng.choice(sorted(bets[seat])), cents=0)
        seat = next(iter(bets), 1)
        return self._event(ev.WagerSensed, seat=seat, wager="ante", cents=1_000)

    def _counting(self) -> Event:
        counted, wanted = self.table.state.pending.number or 0, accepted(self.table)
        if counted == wanted and self.rng.random() < 0.95:
            return self._ok()
        if counted != wanted and self.rng.random() < 0.05:
            return self._ok()
        return self._press(Key.PLUS if counted <= wanted else Key.MINUS)

    def _mismatch(self) -> Event:
        table = self.table
        way = "up" if table.round.chips > accepted(table) else "down"
        fixes = [each for each in table.action("resolve_chips").values(table) if each.endswith(way)]  # type: ignore[misc]
        return self._want("resolve_chips", self.rng.choice(fixes)) if fixes else self._press(Key.BACK)

    # ------------------------------------------------------------ cards and decisions

    def _dealing(self) -> Event:
        table = self.table
        knowledge, method = table.round.knowledge, table.round.method
        is_automated = method.startswith("auto_shoe")
        if wants_cut(table):
            return self._ok()
        if knowledge == Knowledge.EACH_CARD:
            return self._event(ev.CardDrawn, card=self.world.draw(1)[0])
        if is_automated and table.state.knowledge != Knowledge.NONE and self.world.wanted:
            count, self.world.wanted = self.world.wanted, 0
            cards = self.world.draw(count)
            reads = table.state.knowledge == Knowledge.STACK
            return self._event(ev.StackDispensed, count=count, cards=cards if reads else ())
        return self._ok()

    def _stub_wrong(self) -> Event:
        return self._press(self.rng.choice((Key.BACK, Key.OK, Key.FOLD)))

    def _deciding(self) -> Event:
        table, pending = self.table, self.table.state.pending
        if pending.fold or (pending.choice and table.can("decide")):
            return self._ok()
        if self.rng.random() < 0.25:
            return self._press(Key.FOLD)
        wager = table.chapter.wagers[second_wager(table)]
        assert wager.times is not None
        keys = [key for key, times in MULTIPLES.items() if wager.times.least <= times <= wager.times.most]
        key = self.rng.choice(keys)
        ante = table.round.bets[table.round.asking]["ante"]
        if self.rng.random() < 0.5:
            return self._press(key)
        cents = None if ante is None else ante * MULTIPLES[key]
        return self._event(ev.WagerSensed, seat=table.round.asking, wager=wager.name, cents=cents)

    def _declaring(self) -> Event:
        return self._press(self.rng.choice((Key.OK, Key.FOLD, Key.RIGHT)))

    def _validating(self) -> Event:
        return self._want("validate_hit")

    def _documents(self) -> Event:
        return self._want("documents")


FLOOR = Role.FLOOR.value
_OK: Callable[[People], Event] = People._ok
_BY_PHASE: dict[Phase, Callable[[People], Event]] = dict.fromkeys(Phase, _OK) | {
    P.CLOSED: People._closed,
    P.VERIFYING: People._verifying,
    P.SHUFFLING: People._shuffling,
    P.BETS_OPEN: People._bets_open,
    P.COUNTING_CHIPS: People._counting,
    P.CHIP_MISMATCH: People._mismatch,
    P.DEALING: People._dealing,
    P.STUB_WRONG: People._stub_wrong,
    P.DECIDING: People._deciding,
    P.DECLARING: People._declaring,
    P.VALIDATING: People._validating,
    P.DOCUMENTS: People._documents,
}
__all__ = ["PROGRESSIVE", "People"]
