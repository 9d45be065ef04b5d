"""Sabot Link devices that are wrong about the cards inside, their exit, or what a session may begin with."""

from collections.abc import Callable, Mapping
from typing import Any

from sabot.hil.simulators.sabot_link import Card, Machine
from sabot.hil.simulators.sabot_link.inside import Lying
from sabot.hil.simulators.sabot_link.link import DeviceLink
from sabot.hil.simulators.sabot_link.wire import Fields, WireHeard

from .broken_link import with_link, with_machine
from .virtual import Clock


class FirstCommand(DeviceLink):
    """Any command opens a session."""

    def _reliable(self, message: WireHeard, now: float) -> None:
        if not self.taken and message.sequence == 1 and message.name != "QUERY":
            self.is_open, self.taken, self.told_state = True, 1, True
            self._say("ACK", {})
            self._command(message, now)
        else:
            super()._reliable(message, now)


class OldHello(DeviceLink):
    """A session that has ended is opened again by its HELLO."""

    def _close(self) -> None:
        super()._close()
        self.ended = b""


class StoppedClock(DeviceLink):
    """The time of STATE stands still."""

    def _command(self, message: WireHeard, now: float) -> None:
        super()._command(message, now)
        for _, values in self.answers:
            values.update({"time": 5} if "time" in values else {})


class LatchesForAStranger(DeviceLink):
    """Who sends it nonsense puts it out of order."""

    def _close(self) -> None:
        if self.forged:
            self.works.fault = 5  # type: ignore[attr-defined]
        super()._close()


class TalksToStrangers(DeviceLink):
    """However many frames have no right MAC."""

    def _is_believed(self, message: WireHeard) -> bool:
        self.forged = 0
        return super()._is_believed(message)


class Unsure(Machine):
    """A confidence that no table takes."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values | ({"confidence": 60} if name == "CARD_READ" else {}))


class ColorBlind(Machine):
    """It claims to see colors, and tells none."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values | ({"color": 0} if name == "CARD_READ" else {}))


class ForgetsItsStacks(Machine):
    """Of five cards of which two left as a stack it tells three as given out when hands have the rest."""

    def empty(self, now: float, left_inside: int = 0) -> None:
        forgotten = 2 if self.inside.count == 3 else 0
        super().empty(now, left_inside + forgotten)
        self.cards_in = left_inside


class KeepsALooseCard(Machine):
    """One of the loose cards stays in it when they are put out."""

    def state(self, now: float) -> dict[str, int]:
        told = super().state(now)
        return told | {"inside": told["inside"] + self.keeps}

    keeps = 0

    def _eject(self, deck: int, now: float) -> None:
        super()._eject(deck, now)
        self.keeps = not deck

    def empty(self, now: float, left_inside: int = 0) -> None:
        self.keeps = 0
        super().empty(now, left_inside)


class OneHeap(Machine):
    """Whatever deck is named, it deals what it has."""

    def _has(self, name: str, values: dict[str, int]) -> int:
        return len(self.inside.cards) if name == "DISPENSE" else super()._has(name, values)

    def _stack_out(self, wanted: dict[str, int], now: float) -> None:
        super()._stack_out(wanted | {"deck": self.inside.decks[0].name}, now)


class PilesUp(Machine):
    """A stack on top of a stack."""

    def _refusal(self, name: str, values: dict[str, int]) -> int:
        lying, self.inside.lying = self.inside.lying, None
        try:
            return super()._refusal(name, values)
        finally:
            self.inside.lying = lying


class TakenByAnother(Machine):
    """TAKEN names no order."""

    def lift(self, now: float, what: Lying | None = None) -> None:
        if self.inside.lying is not None and what in (None, self.inside.lying):
            self.inside.lying = what = Lying(0, self.inside.lying.deck, self.inside.lying.cards)
        super().lift(now, what)


class Misreads(Machine):
    """Each card is read as the next one of its suit: a whole deck stays a whole deck."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        if name == "CARD_READ" and values["rank"]:
            values["rank"] = (int(values["rank"]) - 1) % 13 + 2
        super().say(name, now, **values)

    def _digest(self, cards: list[Card]) -> bytes:
        return super()._digest([each._replace(rank=(each.rank - 1) % 13 + 2) for each in cards])


class AlwaysTheSameCards(Machine):
    """The cards of every stack are those of a deck that nobody laid in."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        if name == "STACK" and values["cards"]:
            values["cards"] = bytes(range(int(values["size"])))
        super().say(name, now, **values)


class Counts52(Machine):
    """A counter that always says 52, and reads to go with it."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        super().say(name, now, **values | ({"count": 52} if name == "CYCLE_COMPLETED" else {}))


class DealsOn(Machine):
    """After a start it goes on with the deck that it believes to have."""

    def lose_power(self, now: float) -> None:
        decks = list(self.inside.decks)
        super().lose_power(now)
        self.inside.decks, self.inside.loose = decks, []


class UnlistedCodes(Machine):
    """A card code that no deck has."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        if name == "STACK" and values["order"] == 9:
            values["cards"] = bytes([77, *bytes(values["cards"])[1:]])
        super().say(name, now, **values)


class NotRead(Machine):
    """No card of a stack is read."""

    def say(self, name: str, now: float, **values: int | bytes) -> None:
        if name == "STACK" and values["order"] == 9:
            values["cards"] = bytes([255]) * int(values["size"])
        super().say(name, now, **values)


class KeptTooMany(DeviceLink):
    """STATE promises more events than follow."""

    def _command(self, message: WireHeard, now: float) -> None:
        super()._command(message, now)
        for _, values in self.answers:
            values.update({"kept": values["kept"] + 1} if values.get("kept") else {})


class Doubled(DeviceLink):
    """Each reliable frame is a second one with the next number."""

    def _say(self, name: str, values: Fields, sequence: int = 0) -> None:
        super()._say(name, values, sequence)
        if sequence:
            self.last += 1
            self.current.sequence = self.last  # type: ignore[union-attr]
            super()._say(name, values, self.last)


DEVICES: Mapping[str, tuple[Callable[[Clock], Any], str]] = {
    "a session that begins with any command": (with_link(FirstCommand), "link.query"),
    "a session that comes back": (with_link(OldHello), "link.ended"),
    "a clock that stands": (with_link(StoppedClock), "link.time"),
    "a fault by a stranger": (with_link(LatchesForAStranger), "link.stranger"),
    "a session with strangers": (with_link(TalksToStrangers), "link.stranger"),
    "cards read with 60 percent": (with_machine(Unsure), "link.sure"),
    "backs of no color": (with_machine(ColorBlind), "link.sure"),
    "any deck for any name": (with_machine(OneHeap), "link.deck"),
    "a stack on top of a stack": (with_machine(PilesUp), "link.exit"),
    "a stack taken that was not ordered": (with_machine(TakenByAnother), "link.exit"),
    "a deck read as another whole deck": (with_machine(Misreads), "link.cards"),
    "stacks of cards that are not in it": (with_machine(AlwaysTheSameCards), "link.cards"),
    "a counter that always says 52": (with_machine(Counts52), "link.miscount"),
    "stacks forgotten when it is emptied": (with_machine(ForgetsItsStacks), "link.given"),
    "the deck of before dealt after a start": (with_machine(DealsOn), "link.loose"),
    "a loose card that stays": (with_machine(KeepsALooseCard), "link.loose"),
    "a code in a stack that no card has": (with_machine(UnlistedCodes), "link.listed"),
    "a stack that was not read": (with_machine(NotRead), "link.stack"),
    "more events promised than kept": (with_link(KeptTooMany), "link.kept"),
}
