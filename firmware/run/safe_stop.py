"""The end of a program that slipped: everything locked and halted, said to people, put on record, over.

The order is the order of what matters. Devices come first, each by itself, so that the last word on a
display costs no lock and a device that raises costs no other. Then the file beside the journal, then the
journal, then the log. A step that breaks too is logged and costs no other: there is no one left to stop for
it.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Protocol

import structlog

from sabot.firmware.journal.entry import Stamp
from sabot.firmware.journal.writer import Make
from sabot.firmware.run.runner import Performer
from sabot.firmware.run.slips import CODE, Slip, SlipRegister, slip_entry, slip_of
from sabot.statemachine.vocabulary.effects import (
    OUT_OF_SERVICE,
    Effect,
    HaltShoe,
    LockWagers,
    RaiseFault,
    RequireRole,
    ShowPrompt,
)
from sabot.statemachine.vocabulary.events import Event, Role
from sabot.statemachine.vocabulary.fault_kinds import POLICY

CONTROLLER, SLIP = "controller", "slip"


class Endangered(Protocol):
    """The part of the program that its end needs."""

    @property
    def devices_at_work(self) -> Iterable[Performer]:
        """The devices, in the order in which they are told."""

    def halt(self) -> None:
        """Handle and perform nothing more."""

    def stamp(self) -> Stamp:
        """Return the time as the journal has it."""

    def last_word(self, make: Make) -> None:
        """Put an entry into the journal, as far as it takes any."""

    def over(self, slip: Slip) -> None:
        """End the process, and say why wherever somebody may still ask."""


class SafeStop:
    """The safe stop that a slip brings about, once."""

    def __init__(self, program: Endangered, register: SlipRegister) -> None:
        self._program, self.register = program, register
        self.slip: Slip | None = None
        self._has_begun = False

    def begin(self, error: BaseException, over: str, event: Event | None = None) -> None:
        """Stop for good. A slip on the way there adds nothing."""
        if self._has_begun:
            return
        self._has_begun = True
        # Before the devices: nothing may be handled or opened behind their last lock.
        self._program.halt()
        stop_devices(self._program.devices_at_work, CODE)
        self.slip = slip = slip_of(error, over, self._program.stamp(), event)
        # The file beside the journal before the journal: it counts even where the journal is what broke.
        for tell in (self._program.over, self.register.add, self._put_on_record, _log):
            _attempt(partial(tell, slip))

    def _put_on_record(self, slip: Slip) -> None:
        self._program.last_word(lambda _number, _before: slip_entry(slip))


def _log(slip: Slip) -> None:
    structlog.get_logger().error("slip", words=slip.words, frames=slip.frames)


def _attempt(step: Callable[[], None]) -> None:
    """Take a step of the end; where it breaks, the others are still to come."""
    try:
        step()
    except BaseException as error:
        structlog.get_logger().error("a step of the stop broke", error=type(error).__name__)


def stop_effects(code: str) -> tuple[Effect, ...]:
    """Return the effects of a stop for every device: lock, halt, red lamp, words, and a call of the floor."""
    why = "the program stopped itself"
    return (
        LockWagers(cite=POLICY),
        HaltShoe(cite=POLICY),
        RaiseFault(fault=SLIP, device=CONTROLLER, why=why, cite=POLICY),
        ShowPrompt(first=OUT_OF_SERVICE, second=code, cite=POLICY),
        RequireRole(role=Role.FLOOR, why=why, cite=POLICY),
    )


def stop_devices(devices: Iterable[Performer], code: str) -> None:
    """Lock and halt every device, then say so."""
    known = list(devices)
    # Effect by effect and not device by device: every lock is out before a display hears its first word.
    for effect in stop_effects(code):
        for device in known:
            _attempt(partial(device.perform, effect))
