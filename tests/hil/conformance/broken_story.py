"""Sabot Link devices whose messages are right one by one and do not follow from each other.

Most are wrong with the second deck only: the first is looked at number by number by checks of its own.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.hil.simulators.sabot_link import Card, Machine, SabotLinkDevice, Who
from sabot.hil.simulators.sabot_link.link import DeviceLink
from sabot.hil.simulators.sabot_link.wire import Fields, WireHeard

from .broken_link import with_link, with_machine
from .virtual import Clock

A, B = ord("A"), ord("B")
SHORT, LONG = 51, 53


class StartsAnother(Machine):
    """The deck of which a card is missing is shuffled under another name."""

    def start_cycle(self, now: float, deck: int = 0) -> None:
        super().start_cycle(now, B if len(self.intake) == SHORT else deck)


class EndsAsAnother(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        wrong = {"deck": B} if name == "CYCLE_COMPLETED" and self.cycles > 1 else {}
        super().say(name, now, **values | wrong)


class StartsTwice(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values)
        if name == "CYCLE_STARTED" and self.cycles > 1:
            super().say(name, now, **values | {"deck": 0})


class EndsTwice(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values)
        if name == "CYCLE_COMPLETED" and values["count"] == LONG:
            super().say(name, now, **values)


class StopsAsAnother(Machine):
    """A cycle that the key at the device begins and ends."""

    def change_mode(self, now: float, mode: int) -> None:
        if mode != 1:
            self.say("CYCLE_STARTED", now, deck=0)
            self.say("CYCLE_STOPPED", now, deck=B, cause=7, count=0)
        super().change_mode(now, mode)


class ShufflesOnceMore(Machine):
    """Back in play it begins a cycle by itself, under the name of the last order."""

    def change_mode(self, now: float, mode: int) -> None:
        super().change_mode(now, mode)
        if mode == 1:
            self.say("CYCLE_STARTED", now, deck=A)
            self.say("CYCLE_STOPPED", now, deck=A, cause=7, count=0)


class TellsTheOrderLater(Machine):
    """The order of a deck, of every one but the first."""

    def _complete(self, now: float) -> None:
        self.lies.leaks_order = self.cycles > 0
        super()._complete(now)


class SkipsAnIndex(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        if name == "CARD_READ" and self.cycles:
            values["index"] = int(values["index"]) * 2
        super().say(name, now, **values)


class AnotherDigest(Machine):
    def _digest(self, cards: list[Card]) -> bytes:
        return super()._digest(cards[: 52 if self.cycles == 1 else 1])


class TellsMoreReads(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        if name == "CYCLE_COMPLETED" and self.cycles > 1:
            values["reads"] = int(values["reads"]) + 1
        super().say(name, now, **values)


class CountsLessThanItReads(Machine):
    """Of an intake of five cards; 51, 52 and 53 are counted rightly."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        if name == "CYCLE_COMPLETED" and values["count"] == 5:
            values["count"] = 4
        super().say(name, now, **values)


class ReadsWithoutAReader(Machine):
    """It claims to read nothing, and tells what it reads of every deck but the first."""

    def _tell(self, taken: Card, index: int, now: float) -> None:
        self.say(
            "CARD_READ",
            now,
            index=index,
            rank=taken.rank,
            suit=taken.suit,
            face=taken.face,
            color=taken.color,
            confidence=99,
        )

    def _next_card(self, now: float) -> None:
        if self.cycle == 1 and self.intake and self.cycles:
            self._tell(self.intake[0], len(self.taken_in) + 1, now)
        super()._next_card(now)


class TellsMoreStacks(Machine):
    """Behind the stack of order 21 it tells one more, of no card."""

    order = 0

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values)
        if name == "TAKEN" and values["order"] == 21:
            super().say("STACK", now, order=self.order, deck=A, size=0, cards=b"")


class TellsAStackTwice(TellsMoreStacks):
    order = 21


class OutOfAnother(Machine):
    """The stack of order 21 comes out of another deck than ordered."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        wrong = {"deck": B} if name in ("STACK", "TAKEN") and values["order"] == 21 else {}
        super().say(name, now, **values | wrong)


class RefusesAndGives(Machine):
    """The order that it refused for want of cards puts out what there is."""

    def command(self, name: str, values: dict[str, int], now: float) -> int:
        code = super().command(name, values, now)
        if name == "DISPENSE" and values["order"] == 8 and code:
            self.say("STACK", now, order=8, deck=A, size=0, cards=b"")
        return code


class AnotherStub(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        wrong = {"deck": B} if name == "EJECTED" or (name == "TAKEN" and not values["order"]) else {}
        super().say(name, now, **values | wrong)


class TakenTwice(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values)
        if name == "TAKEN":
            super().say(name, now, **values)


class TakenFromAnother(Machine):
    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values | ({"deck": B} if name == "TAKEN" else {}))


class SpeaksOfAnExit(Machine):
    """It does not sense its exit, and says that something was taken from it."""

    def _lay_out(self, lying: Any, now: float) -> None:
        super()._lay_out(lying, now)
        if lying.cards:
            self.say("TAKEN", now, order=lying.order, deck=lying.deck)


class ShowsAnExit(Machine):
    """It does not sense its exit, and STATE shows something in it."""

    def state(self, now: float) -> dict[str, int]:
        return super().state(now) | {"exit": int(self.stacks > 0)}


def showing(wrong: Callable[[dict[str, int]], Fields], *, at_first: bool = False) -> type[Machine]:
    """STATE with something of its cards wrong, in the first of each session or in all others."""

    class Shows(Machine):
        is_first = True

        def no_host(self) -> None:
            super().no_host()
            self.is_first = True

        def state(self, now: float) -> dict[str, int]:
            told, is_first = super().state(now), self.is_first
            self.is_first = False
            return told | (wrong(told) if is_first == at_first else {})

    return Shows


def _split(second: int) -> Callable[[dict[str, int]], Fields]:
    """The last card of the ready deck is another deck's."""

    def split(told: dict[str, int]) -> Fields:
        more = {"first_cards": told["first_cards"] - 1, "second": second, "second_cards": 1}
        return more if told["first_cards"] > 1 else {}

    return split


def _one_more(told: dict[str, int]) -> Fields:
    return {"first_cards": told["first_cards"] + 1} if told["first_cards"] else {}


def _without_its_stack(told: dict[str, int]) -> Fields:
    more = 4 if told["first_cards"] == 48 else 0
    return {name: told[name] + more for name in ("first_cards", "inside")}


def _second_alone(told: dict[str, int]) -> Fields:
    return {"second": B, "second_cards": 1} if told["inside"] and not told["first_cards"] else {}


class HappensBefore(Machine):
    """What was taken was taken before it came."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, self.began if name == "TAKEN" else now, **values)


class TellsInOneSession(DeviceLink):
    """An event that was acknowledged is told again, under the number that it had."""

    told_again = False

    def _acknowledged(self) -> None:
        kept = self.kept[0] if self.kept else None
        super()._acknowledged()
        is_over = kept is not None and (not self.kept or self.kept[0] is not kept)
        if is_over and not self.told_again and kept is not None and kept[0] == "RETESTED":
            self.told_again = True
            self.kept.append(kept)


class UnlistedMode(DeviceLink):
    """Behind an open lid STATE has a mode that is none."""

    def _command(self, message: WireHeard, now: float) -> None:
        super()._command(message, now)
        for _, values in self.answers:
            values.update(_without_mode(values))


def _without_mode(values: Fields) -> Fields:
    return {"mode": 9} if values.get("cycles") == 1 and values.get("stacks") else {}


def without(capability: int, machine: type[Machine], capabilities: int = 0x3FF) -> Callable[[Clock], Any]:
    """A device without something, that has it all the same."""
    has = capabilities & ~capability
    return lambda _: SabotLinkDevice(Who(capabilities=has), machine(speed=20.0, capabilities=has))


DEVICES: Mapping[str, tuple[Callable[[Clock], Any], str]] = {
    "a cycle of a deck that nobody ordered": (with_machine(StartsAnother), "link.cycle"),
    "a cycle that ends as another deck's": (with_machine(EndsAsAnother), "link.cycle"),
    "a cycle that begins twice": (with_machine(StartsTwice), "link.cycle"),
    "a cycle that ends twice": (with_machine(EndsTwice), "link.cycle"),
    "a cycle that stops as another deck's": (with_machine(StopsAsAnother), "link.cycle"),
    "a cycle that nobody ordered, under an old name": (with_machine(ShufflesOnceMore), "link.cycle"),
    "the order told of every deck but the first": (with_machine(TellsTheOrderLater), "link.cycle"),
    "cards read out of their turn": (with_machine(SkipsAnIndex), "link.cycle"),
    "a digest of the first card alone": (with_machine(AnotherDigest), "link.cycle"),
    "more reads told than sent": (with_machine(TellsMoreReads), "link.cycle"),
    "five cards counted as four": (with_machine(CountsLessThanItReads), "link.cycle"),
    "cards read by who reads none": (without(8, ReadsWithoutAReader), "link.cycle"),
    "a stack of no order": (with_machine(TellsMoreStacks), "link.ordered"),
    "a stack told twice": (with_machine(TellsAStackTwice), "link.ordered"),
    "a stack of an order that was refused": (with_machine(RefusesAndGives), "link.ordered"),
    "a stack out of another deck": (with_machine(OutOfAnother), "link.ordered"),
    "the stub of another deck": (with_machine(AnotherStub), "link.stub"),
    "a stack taken twice": (with_machine(TakenTwice), "link.taken"),
    "a stack of another deck taken": (with_machine(TakenFromAnother), "link.taken"),
    "a stack taken where nothing senses it": (without(256, SpeaksOfAnExit), "link.taken"),
    "an exit shown where nothing senses it": (without(256, ShowsAnExit), "link.taken"),
    "one deck twice": (with_machine(showing(_split(A))), "link.inside"),
    "two decks in one that holds one": (without(512, showing(_split(B))), "link.inside"),
    "more cards ready than inside": (with_machine(showing(_one_more)), "link.inside"),
    "a deck counted without its last stack": (
        with_machine(showing(_without_its_stack, at_first=True)),
        "link.inside",
    ),
    "a second deck and no first": (with_machine(showing(_second_alone)), "link.inside"),
    "a first deck of no cards": (
        with_machine(showing(lambda told: {} if told["first_cards"] else {"first": B})),
        "link.inside",
    ),
    "a second deck of no cards": (
        with_machine(showing(lambda told: {} if told["second_cards"] else {"second": B})),
        "link.inside",
    ),
    "the deck of no cycle": (
        with_machine(showing(lambda told: {} if told["cycle"] else {"deck": A})),
        "link.inside",
    ),
    "an event that happened before the one before it": (with_machine(HappensBefore), "link.events"),
    "an event told twice in a session": (with_link(TellsInOneSession), "link.events"),
    "a mode that is none": (with_link(UnlistedMode), "link.listed"),
}
