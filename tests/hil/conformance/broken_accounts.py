"""Wagering systems that are wrong in one thing each, by overriding a simulator that is right."""

import os
from collections.abc import Callable, Mapping
from typing import Any

from sabot.hil.simulators.sabot_accounts import AccountsDevice, System, SystemLies
from sabot.hil.simulators.sabot_accounts.system import OK, OTHERWISE, Placed, Spot
from sabot.hil.simulators.sabot_link.wire import Fields

from .virtual import Clock, accounts_device


class AnyKind(System):
    def credit(self, values: Fields, now: float) -> int:
        return super().credit(values, now) if values["kind"] in (1, 2) else OTHERWISE


class AnswersTwice(System):
    def answer(self, values: Fields, now: float) -> int:
        standing = self.standing.get((values["seat"], values["wager"]))
        if standing is not None and standing.ticket == values["ticket"]:
            return OK
        return super().answer(values, now)


class KeepsTickets(System):
    def count(self, now: float) -> Fields:
        asked, self.asked = self.asked, {}
        try:
            return super().count(now)
        finally:
            self.asked = asked


class DropsAll(System):
    """A refused change takes what stood with it."""

    def answer(self, values: Fields, now: float) -> int:
        code = super().answer(values, now)
        if code == OK and values["ticket"] and not values["accepted"]:
            self.standing.pop((values["seat"], values["wager"]), None)
        return code


class NeverWithdraws(System):
    def _stand(self, spot: Spot, asked: Placed) -> None:
        if asked.cents:
            super()._stand(spot, asked)


class NeverFalls(System):
    def _fall(self, spot: Spot, values: Fields) -> int:  # noqa: ARG002 - as the other has it
        return OK


class TakesAnything(System):
    def _take_in(self, round_: int, stakes: dict[Spot, int], there: dict[Spot, int]) -> bool:
        named = {spot: there[spot] for spot in stakes if spot in there}
        return super()._take_in(round_, named, there)


class TakesRoundsAgain(System):
    def _take_in(self, round_: int, stakes: dict[Spot, int], there: dict[Spot, int]) -> bool:
        self.round = min(self.round, round_ - 1)
        return super()._take_in(round_, stakes, there)


class ForgetsContents(System):
    """A number that was booked is booked, whatever is told under it."""

    def credit(self, values: Fields, now: float) -> int:
        code = super().credit(values, now)
        return OK if code == OTHERWISE and values["number"] <= len(self.credits) else code


def with_system(kind: type[System], **lies: Any) -> Callable[[Clock], AccountsDevice]:
    def make(_clock: Clock) -> AccountsDevice:
        return accounts_device(kind(os.urandom, lies=SystemLies(**lies)))

    return make


DEVICES: Mapping[str, tuple[Callable[[Clock], Any], str]] = {
    "answers 11 to a kind that there is not": (with_system(AnyKind), "accounts.values"),
    "takes an answer twice": (with_system(AnswersTwice), "accounts.answer"),
    "counts and voids nothing": (with_system(KeepsTickets), "accounts.count"),
    "drops what stood with what was refused": (with_system(DropsAll), "accounts.refused"),
    "lets nobody withdraw": (with_system(NeverWithdraws), "accounts.change"),
    "tells tickets that do not rise": (with_system(System, same_ticket=True), "accounts.change"),
    "keeps what has fallen": (with_system(NeverFalls), "accounts.fallen"),
    "takes wagers after the close": (with_system(System, late=True), "accounts.closed"),
    "takes in what is named, whatever it is worth": (with_system(TakesAnything), "accounts.take"),
    "tells a stake too few": (with_system(System, short=True), "accounts.take"),
    "takes a round again": (with_system(TakesRoundsAgain), "accounts.round"),
    "opens another draw than it sealed": (with_system(System, seal=True), "accounts.draws"),
    "books each credit twice": (with_system(System, twice=True), "accounts.credit"),
    "tells each credit twice": (with_system(System, told_twice=True), "accounts.credit"),
    "credits another account": (with_system(System, other_account=True), "accounts.credit"),
    "forgets what a number was": (with_system(ForgetsContents), "accounts.order"),
    "forgets its stakes without power": (with_system(System, forgets=True), "accounts.power"),
}
