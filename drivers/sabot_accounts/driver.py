"""The driver of an electronic wagering system: its talk on a serial line, in the loop."""

import os
from collections.abc import Callable, Mapping

from sabot.drivers.device import Host
from sabot.drivers.options import Value
from sabot.drivers.sabot_accounts.books import FAULT_WORDS
from sabot.drivers.sabot_accounts.talk import AccountsTalk
from sabot.drivers.sabot_link.line_driver import LineDriver
from sabot.statemachine.vocabulary import effects as ef

NAME = "sabot-accounts"
PHASES = {0: "closed", 1: "open", 2: "taken in"}


class SabotAccountsDriver(LineDriver[AccountsTalk]):
    """One wagering system."""

    convention = NAME

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        talk = AccountsTalk(name, options, lambda: host.keyring.key_of(name), os.urandom)
        super().__init__(name, options, host, talk)

    def perform(self, effect: ef.Effect) -> None:
        """Do what this effect means for stations and accounts."""
        row = _EFFECTS.get(type(effect))
        if row is not None:
            row(self, effect)
            self._carry_out()

    def facts(self) -> dict[str, Value]:
        """Return the facts of the last STANDING."""
        state = self.talk.state
        if state is None:
            return {}
        return {
            "bets": PHASES[state.phase],
            "round": state.round,
            "stations": state.stations,
            "placed": state.placed,
            "cents": state.cents,
            "credits": state.credits,
            "credited_cents": state.total,
            "draws": state.draw,
            "not_confirmed": len(self.talk.books.orders),
            "fault": FAULT_WORDS.get(state.fault, str(state.fault or "")),
        }

    def has_fault(self) -> bool:
        """Return whether a fault is latched, or nothing is known of it."""
        return self.talk.state is None or bool(self.talk.state.fault)

    # ---------------------------------------------------------------- effects

    def lock(self, effect: ef.Effect) -> None:
        """Close bets, where all spots are locked or those that stations go by."""
        assert isinstance(effect, ef.LockWagers)
        if not effect.spots or self._is_ours(effect.spots):
            self.talk.close(self.host.now())

    def unlock(self, effect: ef.Effect) -> None:
        """Open bets, where the spots that stations go by are opened."""
        assert isinstance(effect, ef.OpenSpots)
        if self._is_ours(effect.spots):
            self.talk.open(self.host.now())

    def _is_ours(self, spots: tuple[tuple[int, str], ...]) -> bool:
        # Stations have no spots of their own: they go by those of a wager on the felt.
        return any(wager == self.options["beside"] for _, wager in spots)

    def accept(self, effect: ef.Effect) -> None:
        """Answer that a wager counts."""
        assert isinstance(effect, ef.AcceptWager)
        self._answer(effect.seat, effect.wager, effect.ticket, None)

    def refuse(self, effect: ef.Effect) -> None:
        """Answer that a wager does not count, or counts no more."""
        assert isinstance(effect, ef.RefuseWager)
        self._answer(effect.seat, effect.wager, effect.ticket, effect.why)

    def _answer(self, seat: int, wager: str, ticket: int, why: str | None) -> None:
        spot = self.talk.books.spot_of(seat, wager)
        if spot is not None:
            self.talk.answer(spot, ticket, why, self.host.now())

    def take(self, effect: ef.Effect) -> None:
        """Tell the system which stakes are in the round."""
        assert isinstance(effect, ef.TakeStakes)
        found = [(self.talk.books.spot_of(seat, wager), cents) for seat, wager, cents in effect.stakes]
        stakes = [(*spot, cents) for spot, cents in found if spot is not None]
        self.talk.take(effect.number, stakes, self.host.now())

    def open_draws(self, effect: ef.Effect) -> None:
        """Order draws open that are due."""
        assert isinstance(effect, ef.OpenDraws)
        self.talk.open_draws(dict(effect.draws), self.host.now())

    def owe(self, effect: ef.Effect) -> None:
        """Tell the system what accounts are owed."""
        assert isinstance(effect, ef.OweAccounts)
        self.talk.owe(effect.owed, self.host.now())

    def darken(self, effect: ef.Effect) -> None:
        """Darken the stations whose wager the lock would refuse now."""
        assert isinstance(effect, ef.DarkenSpots)
        found = [self.talk.books.spot_of(seat, wager) for seat, wager in effect.spots]
        self.talk.darken([spot for spot in found if spot is not None], self.host.now())

    def clear(self, effect: ef.Effect) -> None:
        """Clear this system's fault, which a person released."""
        assert isinstance(effect, ef.ClearFault)
        if effect.device == self.name:
            self.talk.clear(self.host.now())


# By the exact type of an effect; all others mean nothing to stations and accounts.
_EFFECTS: dict[type[ef.Effect], Callable[[SabotAccountsDriver, ef.Effect], None]] = {
    ef.LockWagers: SabotAccountsDriver.lock,
    ef.OpenSpots: SabotAccountsDriver.unlock,
    ef.AcceptWager: SabotAccountsDriver.accept,
    ef.RefuseWager: SabotAccountsDriver.refuse,
    ef.TakeStakes: SabotAccountsDriver.take,
    ef.OpenDraws: SabotAccountsDriver.open_draws,
    ef.OweAccounts: SabotAccountsDriver.owe,
    ef.DarkenSpots: SabotAccountsDriver.darken,
    ef.ClearFault: SabotAccountsDriver.clear,
}
