"""Keeping books over a shift from its events and effects: who is there, which decks, and the rounds.

Nothing here objects. ``Shift`` takes one step after the other and knows what a careful person at the table
would: the time, who signed on and whose key is turned, where each deck came from and when it was last
shuffled, which spots are open, what holds the table. From the lock to the record the steps of a round are
gathered in a ``Round``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from .law import OUR_POLICY, PACK
from .story import (
    AGAIN,
    BACK_IN_SERVICE,
    BY_HAND,
    CUT,
    INSPECT,
    NO_STEP,
    SPREAD,
    WASH,
    Deck,
    Receipt,
    Round,
    opening_step,
)

if TYPE_CHECKING:
    from .reading import Json, Step, TableSetup
    from .story import Spot


class Shift:
    """Follows a table; ``see`` takes the next step, and ``round`` is the one on the felt."""

    def __init__(self, setup: TableSetup) -> None:
        self.now = self._offset = 0.0
        self.prompt: Json = {}
        self.step = ""
        self.dealer = ""
        self.unlocked: dict[str, str] = {}
        self.lots: dict[str, tuple[str, bool]] = {}
        self.spots: set[Spot] = set()
        self.bets: dict[int, dict[str, int | None]] = {}
        self.round: Round | None = None
        self.faults: dict[tuple[str, str], bool] = {}
        self.covered: set[str] = set()
        # Out of order and not back in service yet: of covered ones the text asks for the whole round.
        self.given_up: set[str] = set()
        self.since_count = 0
        self.decks: dict[str, Deck] = {}
        self.is_one_deck = False
        self.last_deck = ""
        self.last_receipts: dict[str, Receipt | None] = {}
        self.start(setup)

    def start(self, setup: TableSetup) -> None:
        """Take up a table, or the same one after a start of the program."""
        self.setup = setup
        for name in "AB"[: setup.decks]:
            self.decks.setdefault(name, Deck(name, setup.is_beginning, setup.is_beginning))

    def see(self, step: Step) -> None:
        """Take the next step: first what it is told before, then what it changes."""
        self._clock(step)
        step.at, step.before, step.unlocked = self.now, self.prompt, dict(self.unlocked)
        self._people(step)
        self._faults(step)
        if self.round is not None:
            self.round.steps.append(step)
        self._wagers(step)
        self._shuffles(step)
        self._display(step)
        if self.round is None and self._is_lock(step):
            self._lock(step)

    def _lock(self, step: Step) -> None:
        """A round begins; a wager that went back at the lock is none of it."""
        self._gone_back(step)
        self.round = Round(
            step,
            {name: replace(deck) for name, deck in self.decks.items()},
            {seat: dict(bets) for seat, bets in self.bets.items() if bets},
            set(self.spots),
            self.dealer,
            dict(self.faults),
            set(self.covered),
            [step],
        )

    def close(self, record: Json) -> None:
        """The round is over: its deck has been used and lies unshuffled, where it did not leave."""
        deck = self.decks.setdefault(record["deck"], Deck(record["deck"]))
        removed = [effect["deck"] for _, effect in self.round.effects("RemoveDeck")] if self.round else []
        if record["deck"] not in removed:
            self._use(deck, record)
        self.since_count += 1
        self.bets = {}
        self.round = None

    def _use(self, deck: Deck, record: Json) -> None:
        deck.rounds, deck.since_count = deck.rounds + 1, deck.since_count + 1
        deck.lot = record["lot"] or deck.lot
        deck.in_use, deck.shuffled = True, False
        deck.completed_after_stop = deck.was_by_hand = False
        deck.methods.add(record["method"])
        deck.is_known = True

    # ------------------------------------------------------------ time and people

    def _clock(self, step: Step) -> None:
        """The table's time never runs back; after a restart the time that it was down has passed."""
        at = float(step.event.get("at", 0.0))
        if step.name == "Resumed":
            down = step.event.get("down_s")
            self._offset = max(self._offset, self.now + (down or 0.0) - at)
            for deck in self.decks.values():
                deck.age_unknown = deck.age_unknown or (down is None and deck.receipt is not None)
        self.now = max(self.now, at + self._offset)

    def _people(self, step: Step) -> None:
        event = step.event
        if step.name == "RoleUnlocked" and not step.is_refused:
            self.unlocked[event["role"]] = event["person"]
            step.unlocked = dict(self.unlocked)
        elif step.name == "RoleLocked":
            self.unlocked.pop(event["role"], None)
        elif step.name == "Resumed":
            self.unlocked.clear()
        elif step.name == "DealerSignedOn" and not step.is_refused:
            self.dealer = event["person"]
        elif step.name == "LotRegistered" and not step.is_refused:
            self.lots[event["lot"]] = event["color"], bool(event.get("preshuffled"))

    # ------------------------------------------------------------ wagers

    def _wagers(self, step: Step) -> None:
        """What lies on the spots before the lock; a wager that was refused does not lie there."""
        before = set(self.spots)
        for effect in step.effects:
            spots = {(seat, wager) for seat, wager in effect.get("spots", ())}
            if effect["effect"] == "OpenSpots":
                self.spots |= spots
            elif effect["effect"] == "LockWagers":
                self.spots = self.spots - spots if spots else set()
        if self.round is None and step.name in ("WagerSensed", "AccountWager"):
            self._place(step, before)
        elif self.round is None and step.name == "AccountsRead" and not step.is_refused:
            self._read_accounts(step)
        elif step.name == "Resumed" and self.round is None:
            accounts = [w for w in self.setup.law.needs if w.startswith("hand_bonus")]
            self.bets = {
                seat: {w: c for w, c in bets.items() if w in accounts} for seat, bets in self.bets.items()
            }

    def _place(self, step: Step, spots: set[Spot]) -> None:
        """A chip or an account tells its value; one that was refused leaves what lay there before."""
        event = step.event
        seat, wager, cents = event["seat"], event["wager"], event["cents"]
        refused = {(each["seat"], each["wager"]) for each in step.all("RefuseWager")}
        is_open = step.name == "AccountWager" or (seat, wager) in spots
        if cents == 0 and not step.is_refused:
            self.bets.get(seat, {}).pop(wager, None)
        elif is_open and not step.is_refused and (seat, wager) not in refused:
            self.bets.setdefault(seat, {})[wager] = cents
        self._gone_back(step, but=(seat, wager))

    def _read_accounts(self, step: Step) -> None:
        """Before the lock the wagering system says what stands in it; what the table had besides is none."""
        there = {(int(seat), wager): cents for seat, wager, cents in step.event["stakes"]}
        accounts = [wager for wager in self.setup.law.needs if wager.startswith("hand_bonus")]
        for seat, bets in self.bets.items():
            for wager in [wager for wager in accounts if wager in bets]:
                bets[wager] = there.get((seat, wager), 0)
                if not bets[wager]:
                    del bets[wager]

    def _gone_back(self, step: Step, but: Spot = (0, "")) -> None:
        """A wager that goes back before the cards, such as one that lost the Ante it needs, is no wager."""
        for effect in step.all("RefuseWager", "ReturnWager"):
            if (effect["seat"], effect["wager"]) != but:
                self.bets.get(effect["seat"], {}).pop(effect["wager"], None)

    def _is_lock(self, step: Step) -> bool:
        """Whether "no more bets" was said and taken: spots that were open are locked."""
        is_key = step.name == "KeyPressed" and step.event.get("key") == "LOCK" and not step.is_refused
        return is_key and bool(self.bets) and any(effect["spots"] for effect in step.all("LockWagers"))

    # ------------------------------------------------------------ decks

    def _shuffles(self, step: Step) -> None:
        """What devices are told and say; of a deck that was shuffled by hand since they know nothing."""
        for effect in step.all("StartShuffle"):
            ordered = self._begin(effect["deck"])
            ordered.in_use = ordered.is_ordered = True
        deck = self.decks.get(step.event.get("deck", ""))
        if deck is not None and not step.is_refused:
            self._reported(deck, step)
        for effect in step.all("RemoveDeck"):
            self.decks[effect["deck"]] = Deck(effect["deck"])

    def _reported(self, deck: Deck, step: Step) -> None:
        if self._lies_on_felt(deck):
            return
        may_be_inside = deck.is_by_device or not deck.shuffled
        if step.name == "ShuffleCompleted" and not (step.has("RaiseFault") or self._is_given_up(deck)):
            self._complete(deck, step)
        elif step.name == "ShuffleStarted" and may_be_inside:
            self._begin(deck.name)
        # What is out of order has no deck (x.13(g)).
        elif step.name == "ShufflerStopped" and may_be_inside and "shuffler" not in self.given_up:
            deck.shuffled, deck.is_stopped = False, True

    def _is_given_up(self, deck: Deck) -> bool:
        """Whether a shuffler that is out of order speaks, to which nobody gave an order since.

        Its first word contradicts what the table knows, which is latched; later ones raise nothing new.
        """
        is_doubted = ("contradiction", "shuffler") in self.faults
        return is_doubted and "shuffler" in self.given_up and not deck.is_ordered

    def _lies_on_felt(self, deck: Deck) -> bool:
        """Whether new cards are to be inspected, spread or washed yet (x.4(a)-(c)): no device has them.

        A word about them is no shuffle, and puts them to no use, also where the table latches nothing new.
        """
        if deck.receipt is None or deck.in_use or WASH in deck.receipt.done:
            return False
        return bool(deck.receipt.done or opening_step(self.step)[0])

    def _begin(self, name: str) -> Deck:
        deck = self.decks.setdefault(name, Deck(name))
        deck.shuffled = deck.counted = deck.cut = deck.is_stopped = False
        deck.is_known = True
        return deck

    def _complete(self, deck: Deck, step: Step) -> None:
        deck.in_use = deck.shuffled = deck.is_by_device = deck.is_known = True
        deck.counted = step.event.get("count") == PACK
        deck.met_order, deck.is_ordered = deck.is_ordered, False
        deck.completed_after_stop, deck.is_stopped = deck.is_stopped, False

    def _display(self, step: Step) -> None:
        """What the dealer is told; OK on a step takes it."""
        if step.is_ok and not step.is_refused and step.before.get("first") == BACK_IN_SERVICE:
            self.given_up.discard(step.before["second"].lower())
        for effect in step.all("ShowPrompt"):
            self._arrive(effect, step)
            self.prompt = effect

    def _arrive(self, prompt: Json, step: Step) -> None:
        first, came_from = prompt["first"], self.step
        if step.is_ok and not step.is_refused and step.before.get("first") == came_from != first:
            self._took(came_from)
        if first.startswith(NO_STEP) or prompt["cite"] == OUR_POLICY or first == came_from:
            return
        if first.startswith("CLOSED"):
            self.step = first
            return
        kind, was = opening_step(first)[0], opening_step(came_from)[0]
        if (kind == INSPECT and was != INSPECT) or (first.startswith(CUT) and came_from == "CLOSED"):
            self._receive()
        if kind == SPREAD and was != WASH:
            self._opened({"verified"}, by=step.unlocked.get("floor", ""))
        self.step = first

    def _took(self, step: str) -> None:
        """The dealer confirmed a step of the opening, a shuffle by hand or a cut."""
        kind, name = opening_step(step)
        if kind:
            self._opened({kind}, name)
        elif by_hand := BY_HAND.match(step):
            deck = self.decks.setdefault(by_hand[1], Deck(by_hand[1]))
            deck.in_use = deck.shuffled = deck.was_by_hand = deck.is_known = True
            deck.is_by_device = deck.counted = deck.cut = deck.is_stopped = False
        elif step.startswith(CUT):
            for deck in self.decks.values():
                deck.cut = True

    def _receive(self) -> None:
        """Decks come to the table: whatever was not used yet may be one of them."""
        for deck in self.decks.values():
            if not deck.in_use:
                deck.receipt = Receipt(self.now, self.dealer)
                deck.since_count, deck.age_unknown = 0, False

    def _opened(self, done: set[str], name: str = "", *, by: str = "") -> None:
        """Something was done to the deck of this name that came last, or to all that came with it."""
        received = [(deck.name, deck.receipt) for deck in self.decks.values() if deck.receipt]
        last = max((receipt.at for _, receipt in received), default=0.0)
        for deck, receipt in received:
            if receipt.at == last and name in ("", deck):
                receipt.done |= done
                receipt.verified_by = by or receipt.verified_by

    # ------------------------------------------------------------ faults

    def _faults(self, step: Step) -> None:
        """What is latched, and whether its cause was tested well since."""
        for fault in self.faults:
            tested = _tests(step, *fault, deals=fault[1] != "shuffler" or self.setup.shuffler == "reshuffler")
            if tested is not None:
                self.faults[fault] = tested
        for effect in step.all("ClearFault", "RaiseFault"):
            fault = effect["fault"], effect["device"]
            self.is_one_deck = self.is_one_deck or fault == ("out_of_order", "shuffler")
            if effect["effect"] == "RaiseFault":
                self.faults[fault] = False
                self._void_orders(fault)
                continue
            step.lifted.append((*fault, self.faults.pop(fault, None)))
            if fault[0] == "out_of_order":
                self.covered.add(fault[1])
                self.given_up.add(fault[1])

    def _void_orders(self, fault: tuple[str, str]) -> None:
        """What was ordered of a shuffler that is given up is ordered no more."""
        for deck in self.decks.values() if fault == ("out_of_order", "shuffler") else ():
            deck.is_ordered = False


def _tests(step: Step, kind: str, device: str, *, deals: bool) -> bool | None:
    """Return how an event tests the cause of a fault, None where it says nothing of it.

    A jam of what only shuffles is the shuffler's (x.13(e)), and no news of another fault of it.
    """
    event = step.event
    if event.get("device", "shuffler") != device:
        return None
    if step.name in AGAIN:
        is_shuffle = step.name == "DeviceJammed" and not deals
        told = "shuffler_jam" if is_shuffle else AGAIN[step.name] or event["fault"]
        return False if kind == told else None
    if step.name == "DeviceRetested":
        return bool(event["good"]) if event["fault"] in (kind, "all", "") else None
    tests = {
        ("LinkRestored", "lost_link"): True,
        ("DeviceModeChanged", "sort_mode"): event.get("mode") == "play",
        ("DeviceEmptied", "not_emptied"): event.get("cards_in") == event.get("cards_out"),
    }
    return tests.get((step.name, kind))
