"""The driver of a shuffler or packet shoe that speaks Sabot Link: its talk on a serial line, in the loop."""

import os
from collections.abc import Callable, Mapping

from sabot.drivers.device import Host
from sabot.drivers.options import Value
from sabot.drivers.sabot_link import words
from sabot.drivers.sabot_link.card_machine import CardMachineTalk
from sabot.drivers.sabot_link.line_driver import LineDriver
from sabot.statemachine.vocabulary.effects import (
    ONE_MACHINE,
    ClearFault,
    Dispense,
    Effect,
    EjectStub,
    FreeShoe,
    HaltShoe,
    StartShuffle,
)

NAME = "sabot-link"
ANY_DUTY = ("both", "shuffle", "dispense")


class SabotLinkDriver(LineDriver[CardMachineTalk]):
    """One shuffler or packet shoe."""

    convention = NAME

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        talk = CardMachineTalk(name, options, lambda: host.keyring.key_of(name), os.urandom)
        super().__init__(name, options, host, talk)

    def perform(self, effect: Effect) -> None:
        """Do what this effect means for a shuffler or a packet shoe."""
        row = _EFFECTS.get(type(effect))
        if row is not None and self.options["duty"] in _DUTIES.get(type(effect), ANY_DUTY):
            row(self, effect)
            self._carry_out()

    def facts(self) -> dict[str, Value]:
        """Return the facts of the last STATE."""
        state = self.talk.state
        if state is None:
            return {}
        return {
            "mode": words.MODES[self.talk.reporter.mode],
            "inside": state.inside,
            "cycles": state.cycles,
            "stacks": state.stacks,
            "cards_out": state.cards_out,
            "held": bool(state.gate),
            "doors": state.doors,
            "fault": words.FAULT_WORDS.get(state.fault, str(state.fault or "")),
        }

    def has_fault(self) -> bool:
        """Return whether a fault is latched, or nothing is known of it."""
        return self.talk.state is None or bool(self.talk.state.fault)

    # ---------------------------------------------------------------- effects

    def halt(self, _effect: Effect) -> None:
        """Let no more cards out."""
        self.talk.halt(self.host.now())

    def free(self, _effect: Effect) -> None:
        """Let cards come out again."""
        self.talk.free(self.host.now())

    def dispense(self, effect: Effect) -> None:
        """Put out a stack."""
        assert isinstance(effect, Dispense)
        self.talk.dispense(effect.count, self.host.now(), effect.deck)

    def eject(self, effect: Effect) -> None:
        """Put out what is left of a deck."""
        assert isinstance(effect, EjectStub)
        self.talk.eject(effect.deck, self.host.now())

    def shuffle(self, effect: Effect) -> None:
        """Shuffle a deck."""
        assert isinstance(effect, StartShuffle)
        self.talk.shuffle(effect.deck, self.host.now())

    def clear(self, effect: Effect) -> None:
        """Clear a fault that a person released, under this name, or what else the one machine is called."""
        assert isinstance(effect, ClearFault)
        # A machine that does both is shuffler and shoe to the table: its fault is released under either name.
        names = ONE_MACHINE if self.options["duty"] == "both" else ()
        if effect.device in (self.name, *names):
            self.talk.clear(self.host.now())


_EFFECTS: dict[type[Effect], Callable[[SabotLinkDriver, Effect], None]] = {
    HaltShoe: SabotLinkDriver.halt,
    FreeShoe: SabotLinkDriver.free,
    Dispense: SabotLinkDriver.dispense,
    EjectStub: SabotLinkDriver.eject,
    StartShuffle: SabotLinkDriver.shuffle,
    ClearFault: SabotLinkDriver.clear,
}
_DUTIES: dict[type[Effect], tuple[str, ...]] = {
    HaltShoe: ("both", "dispense"),
    FreeShoe: ("both", "dispense"),
    Dispense: ("both", "dispense"),
    EjectStub: ("both", "dispense"),
    StartShuffle: ("both", "shuffle"),
}
