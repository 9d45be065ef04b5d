"""The talk with a machine for cards: it orders shuffles and stacks, and watches that what was accepted comes.

At each beginning of a session the gate is brought to where the table wants it. How sessions begin and end is
``talk``'s.
"""

# Theory of operation. A command has up to three ends: its RESULT (taken on, or not), the event that shows it
# done, and the time by which that must have come. ``answered`` sorts the results, ``_expect`` sets a time for
# what was taken on, ``_note`` ends the waiting when the event comes, ``_overdue`` is the time that ran out.
# All times lie in ``_expected`` under a word: ``WHAT`` says what went wrong where one runs out.
#
# Not every refusal is a fault. A shuffle that the device cannot begin yet is a dealer who is loading: the
# order is repeated each second (``loaded``) until it is taken on, or until ``load_s`` is over. A stack that
# comes too early, because the machine is busy with the other deck or the last stack still lies in the exit,
# is repeated under its own number (``free``): a device takes a number on once, so no stack can come twice.
#
# A halt makes orders void on both sides. The device voids what it has not begun; here every number up to
# ``_void`` is never repeated and no longer waited for, and what has not left the queue is taken out of it.

from collections.abc import Callable, Mapping
from typing import Any

from sabot.drivers.options import Value
from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.reporter import Reporter
from sabot.drivers.sabot_link.session import News, SessionTerms
from sabot.drivers.sabot_link.talk import Talk
from sabot.drivers.sabot_link.words import COLORS
from sabot.statemachine.vocabulary.events import Event

# From the page's table of times.
START_S, STUB_S, RETEST_S = 10.0, 10.0, 30.0
# Busy, a door open, not enough cards, cards inside: a dealer is loading; ordered again until it is taken.
BUSY, LATCHED, OCCUPIED, INSIDE, LOOK_S = 1, 6, 9, 10, 1.0
# A dealer who is loading is not asked to; who has not begun for so long is.
EMPTY, LOADING_S = frozenset({4, 5}), 10.0
NOT_LOADED, NOT_YET = frozenset({1, 4, 5, INSIDE}), frozenset({BUSY, OCCUPIED})
PACK = range(1, 53)
WHAT = {
    "start": "a shuffle was accepted and did not begin",
    "cycle": "a cycle began and did not end",
    "stack": "a stack was accepted and did not come",
    "stub": "a stub was ordered out and did not come",
    "retest": "a test was accepted and had no result",
}


NOT_BEGUN = {"start": WHAT["start"], "told": words.VERDICTS[LATCHED]}
CardsOut = m.DispenseStack | m.EjectStubOrder


class CardMachineTalk(Talk):
    """One shuffler or packet shoe as the host knows it."""

    kinds = words.CARD_MACHINES
    dies_with_link = ("start", "stack", "stub", "retest", "loaded", "told", "taken")

    def __init__(
        self,
        name: str,
        options: Mapping[str, Value],
        enrolled: Callable[[], bytes | None],
        draw: Callable[[int], bytes],
    ) -> None:
        colors = {deck: _color(options, deck) for deck in "AB"}
        self.reporter = Reporter(name=name, confidence=int(options["confidence"]), colors=colors)
        super().__init__(self.reporter, options, enrolled, draw)
        self.state: m.MachineState | None = None
        self._is_free_wanted = True
        self._orders = self._void = 0
        self._waiting: tuple[CardsOut, float] | None = None
        self._load_until: float | None = None
        self._is_repeated = self._is_blocked = self._is_by_exit = self._is_tested = False
        self._empty_since: float | None = None

    def _terms(self) -> SessionTerms:
        identities, is_whole = bool(self.options["identities"]), self.options["duty"] == "shuffle"
        return super()._terms()._replace(identities=identities, whole=is_whole)

    # ---------------------------------------------------------------- what the table wants

    def halt(self, now: float) -> None:
        """Let no more cards out: before anything else that waits, and orders that wait are void."""
        # Every order up to this number is void, also one that a busy machine was to be given again.
        self._is_free_wanted, self._void = False, self._orders
        for what in ("stack", "stub", "taken"):
            self._expected.pop(what, None)
        self._forget_orders()
        if self.session is not None and self.is_up:
            # Not sent yet, and not to be sent behind the HOLD: a FREE behind it would undo the lock.
            self.session.reliable.withdraw(m.DispenseStack)
            self.session.reliable.withdraw(m.EjectStubOrder)
            self.session.reliable.withdraw(m.FreeCards)
            self._send(m.HoldCards(), now, is_urgent=True)

    def free(self, now: float) -> None:
        """Let cards come out again."""
        self._is_free_wanted = True
        if self.is_up:
            self._send(m.FreeCards(), now)
            if self.reporter.is_exit_timed:
                self._watch_exit(now)

    def _watch_exit(self, now: float) -> None:
        """Time what lies in the exit, unless the table is held.

        At a machine that only shuffles a deck may lie ready for as long as the other one is in play.
        """
        if self._is_free_wanted and self.options["duty"] != "shuffle":
            self._expected.setdefault("taken", now + float(self.options["taken_s"]))

    def dispense(self, cards: int, now: float, deck: str = "") -> None:
        """Order one stack of a deck; an order that nobody hears is a fault, not a wish."""
        # A new number for each stack: a device takes a number on once, so none comes twice.
        self._orders += 1
        code = _code(deck or self.reporter.deck)
        order = m.DispenseStack(self._orders, code, cards)
        self.reporter.insides.ordered(order)
        self._order(order, cards in PACK and code in m.DECKS[1:], now)

    def eject(self, deck: str, now: float) -> None:
        """Put out what is left of a deck; where the device cannot, people take it out and it says so."""
        if self.is_up and self.reporter.capabilities & words.EJECTS:
            order = m.EjectStubOrder(_code(deck))
            self.reporter.insides.ordered(order)
            self._send(order, now)

    def shuffle(self, deck: str, now: float) -> None:
        """Let it shuffle a deck."""
        self.reporter.deck, self._is_repeated, self._is_blocked = deck, False, False
        self._empty_since = None
        self.reporter.due.add(deck)
        self._expected.pop("loaded", None)
        self._load_until = None
        code = _code(deck)
        self._order(m.Shuffle(code), code in m.DECKS[1:], now)

    def _order(self, order: m.Message, makes_sense: bool, now: float) -> None:  # noqa: FBT001
        """Order something, or say at once that it will not be done."""
        if self.is_up and makes_sense:
            self._send(order, now)
        else:
            why = "the order makes no sense" if self.is_up else "it is not connected"
            self._events += self._refused(order, why, now)

    # ---------------------------------------------------------------- news

    def answered(self, news: News, now: float) -> None:
        """Take an answer: the state, or whether a command is taken on."""
        if isinstance(news.message, m.MachineState):
            self._heard_state(news.message, now)
            return
        assert isinstance(news.message, m.Result)
        assert news.command is not None
        verdict = news.message.verdict
        # A dealer who is loading is no fault.
        if isinstance(news.command, m.Shuffle) and verdict in NOT_LOADED:
            self._load(verdict, now)
        elif isinstance(news.command, m.Shuffle) and verdict == LATCHED and self._is_repeated:
            self._ended_by_a_fault(now)
        elif isinstance(news.command, (m.DispenseStack, m.EjectStubOrder)) and self._is_not_yet(verdict):
            self._wait(news.command, verdict, now)
        elif verdict and isinstance(news.command, m.EjectStubOrder):
            self.reporter.insides.refused(news.command)
            self._wait_no_more()  # nothing is left, or what stands against it is a fault of its own
        elif verdict:
            self.reporter.insides.refused(news.command)
            self._events += self._refused(news.command, words.VERDICTS[verdict], now)
        else:
            self._expect(news.command, now)

    def _is_not_yet(self, verdict: int) -> bool:
        """Return whether an order comes too early; of its exit only a device speaks that senses it."""
        return verdict in NOT_YET and (verdict != OCCUPIED or self.reporter.senses_exit)

    # ---------------------------------------------------------------- up and down

    def _heard_state(self, state: m.MachineState, now: float) -> None:
        """Take the state, which comes first in a session; then comes what the device kept."""
        self.state = state
        if self.is_up:
            self._events += self.reporter.on_state(state, now)
            self._look_inside(state, now)
            return
        self._introduce(state.kept, now)
        self._settle(now)

    def _look_inside(self, state: m.MachineState, now: float) -> None:
        """Tell after a test which decks lie inside: a device that was emptied unheard tests well too."""
        if self._is_tested:
            self._is_tested = False
            self._events.append(self.reporter.inside(state, now))

    def _settle(self, now: float) -> None:
        """Count the device as up, once all that it kept has come and its state was read."""
        if self._kept_left or self.state is None:
            return
        self._events += self.reporter.on_state(self.state, now)
        self._events += self.reporter.after_kept(self.state, now)
        if self.options["duty"] != "shuffle":
            self._events += self.reporter.found(self.state, now)
        self._restored(now)
        if self.reporter.is_exit_timed:
            self._watch_exit(now)
        # Last: a device holds its cards from HELLO on, and lets them
        # out only when the table has heard what it kept.
        self._send(m.FreeCards() if self._is_free_wanted else m.HoldCards(), now)

    def _lost(self, why: str, now: float) -> None:
        self.state = None
        super()._lost(why, now)

    def _capabilities(self, bits: int) -> tuple[str, ...]:
        return words.capabilities(bits)

    def _forget_orders(self) -> None:
        self.reporter.insides.stubs.clear()
        self._wait_no_more()

    # ---------------------------------------------------------------- orders that have to wait

    def _ended_by_a_fault(self, now: float) -> None:
        """Leave a repeated shuffle to the fault that ended it; where none is told in time it has stopped."""
        if not words.is_device_fault(self.reporter.fault):
            self._expected["told"] = now + LOOK_S

    def _load(self, verdict: int, now: float) -> None:
        """Order a shuffle again that waits for its cards, but not without end.

        Where others lie in their way the table is told so, once, and asks the dealer for as long as it takes.
        """
        # Cards in the way have no end of time: the dealer is asked for as long as it takes.
        if verdict == INSIDE or self._load_until is None:
            self._load_until = now + float(self.options["load_s"])
        elif now >= self._load_until:
            why = f"{words.VERDICTS[verdict]}, asked for {self.options['load_s']:g} s"
            self._events += self._refused(m.Shuffle(ord(self.reporter.deck[0])), why, now)
            return
        self._expected["loaded"] = now + LOOK_S
        self._wait_for_deck(now, is_empty=verdict in EMPTY)
        if verdict == INSIDE and not self._is_blocked:
            self._is_blocked = True
            self._events.append(self.reporter.blocked(self.reporter.deck, now, is_empty=False))

    def _wait_for_deck(self, now: float, *, is_empty: bool) -> None:
        """Tell the table once where nobody loads for long, else it would have the dealer wait."""
        if not is_empty:
            self._empty_since = None
        elif self._empty_since is None:
            self._empty_since = now
        elif now >= self._empty_since + LOADING_S:
            self._empty_since = float("inf")
            self._events.append(self.reporter.blocked(self.reporter.deck, now, is_empty=True))

    def _wait(self, order: CardsOut, verdict: int, now: float) -> None:
        """Order the same again, unless a halt has made it void: a busy device is no fault yet.

        Only an order that was answered busy is repeated: it was not taken on, so no stack comes twice. For a
        stack that lies in the exit a person is waited for, without an end.
        """
        if self._is_void(order):
            return
        by_exit = verdict == OCCUPIED
        if self._waiting is None or by_exit != self._is_by_exit:
            self._is_by_exit = by_exit
            self._waiting = order, now + (float(self.options["busy_s"]) if not by_exit else float("inf"))
            if by_exit:
                self._watch_exit(now)
            if isinstance(order, m.DispenseStack):
                self._events.append(self.reporter.delayed(now, by_exit=by_exit))
        waiting, until = self._waiting
        if order != waiting:
            self._events += self._refused(order, "it is busy with another order", now)
        elif now >= until:
            self._events += self._refused(order, f"busy, asked for {self.options['busy_s']:g} s", now)
        else:
            self._expected["free"] = now + LOOK_S

    def _is_void(self, order: CardsOut) -> bool:
        """Return whether a halt came after this order."""
        if isinstance(order, m.EjectStubOrder):
            return not self._is_free_wanted
        return order.order <= self._void

    def _wait_no_more(self) -> None:
        self._waiting = None
        self._expected.pop("free", None)

    # ---------------------------------------------------------------- what was promised

    def _expect(self, command: m.Message, now: float) -> None:
        """Expect the outcome of an accepted command."""
        if isinstance(command, (m.DispenseStack, m.EjectStubOrder)):
            self._wait_no_more()
            self.reporter.insides.accepted(command)
            # Accepted and void: a HOLD has crossed it. Nothing will come, so nothing is waited for.
            if self._is_void(command):
                return
        after = {
            m.Shuffle: ("start", START_S),
            m.DispenseStack: ("stack", float(self.options["stack_s"])),
            m.EjectStubOrder: ("stub", STUB_S),
            m.Retest: ("retest", RETEST_S),
        }
        row = after.get(type(command))
        if row:
            self._expected[row[0]] = now + row[1]

    def _note(self, message: m.Message, now: float) -> None:
        """Stop waiting for what has come."""
        met = _MEETS.get(type(message), ())
        for what in met:
            self._expected.pop(what, None)
        if isinstance(message, m.CycleStarted):
            self._expected["cycle"] = now + float(self.options["cycle_s"])
            if words.deck_name(message.deck) in ("", self.reporter.deck):
                # The order is carried out: who asks again would have the next deck shuffled under this name.
                self._expected.pop("loaded", None)
        if isinstance(message, m.CycleCompleted) and self.reporter.deck == self.reporter.shuffled:
            self._expected.pop("loaded", None)  # it was ordered again while it was carried out
        if isinstance(message, (m.StackOut, m.StubOut)) and self.reporter.fills_exit(message):
            self._expected.pop("taken", None)
            self._watch_exit(now)
        if isinstance(message, _ENDS) and "free" in self._expected:
            self._expected["free"] = now
        if isinstance(message, m.Retested) and self.options["duty"] != "shuffle":
            self._is_tested = True
            self.query(now)
        if isinstance(message, (m.Emptied, m.StubOut)):
            self._is_blocked = False  # what still lies in the way is told anew
        if isinstance(message, m.FaultMoved) and message.latched and words.is_device_fault(message.fault):
            self._expected.pop("loaded", None)
            self._expected.pop("told", None)

    def _overdue(self, what: str, now: float) -> list[Event]:
        if what == "retest":
            return [self.reporter.untested(WHAT[what], now)]
        if what == "loaded":
            self._is_repeated = True
            self._send(m.Shuffle(ord(self.reporter.deck[0])), now)
            return []
        if what == "free":
            assert self._waiting is not None  # the two go together
            self._send(self._waiting[0], now)
            return []
        if what == "taken":
            return self.reporter.exit_overdue(now, float(self.options["taken_s"]))
        if what in NOT_BEGUN:
            return self._refused(m.Shuffle(ord(self.reporter.deck[0])), NOT_BEGUN[what], now)
        return self.reporter.overdue(WHAT[what], now)

    def _refused(self, command: m.Message, why: str, now: float) -> list[Event]:
        """Return what the table has to know of a command that is not carried out."""
        reporter = self.reporter
        if isinstance(command, m.Shuffle):
            return [reporter.stop_found(f"it does not shuffle: {why}", now)]
        if isinstance(command, m.Retest):
            return [reporter.untested(f"it does not test itself: {why}", now)]
        if isinstance(command, (m.DispenseStack, m.EjectStubOrder)):
            self._wait_no_more()
        what = {
            m.DispenseStack: "dispense",
            m.EjectStubOrder: "eject the stub",
            m.HoldCards: "hold",
            m.FreeCards: "let cards out",
        }
        return [reporter.fault_found("device", f"it does not {what.get(type(command), 'obey')}: {why}", now)]


_MEETS: dict[type[Any], tuple[str, ...]] = {
    m.CycleStarted: ("start",),
    m.CycleCompleted: ("cycle",),
    m.CycleStopped: ("cycle", "start"),
    m.StackOut: ("stack",),
    m.StubOut: ("stub",),
    m.Jam: ("stack", "stub", "start", "cycle", "loaded", "told"),
    m.Retested: ("retest",),
    m.ExitCleared: ("taken",),
}


_ENDS = (m.CycleCompleted, m.CycleStopped, m.ExitCleared)


def _code(deck: str) -> int:
    return ord(deck) if len(deck) == 1 else 0


def _color(options: Mapping[str, Value], deck: str) -> str:
    """Return the color that the table file names for a deck, empty where it names none."""
    color = str(options[f"color_{deck.lower()}"])
    return "" if color == COLORS[0] else color
