"""What a slip tells every device, in which order, and what it leaves on record."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sabot.firmware.journal.entry import Stamp
from sabot.firmware.run.safe_stop import SafeStop, stop_devices
from sabot.firmware.run.slips import CODE, SlipRegister
from sabot.statemachine.vocabulary.effects import (
    OUT_OF_SERVICE,
    Effect,
    HaltShoe,
    LockWagers,
    RaiseFault,
    RequireRole,
    ShowPrompt,
)
from sabot.statemachine.vocabulary.events import Key, KeyPressed, Role

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabot.firmware.journal.writer import Make
    from sabot.firmware.run.slips import Slip

STAMP = Stamp("boot", "1.000000", "2026-01-01T00:00:00.000Z", True)


class Heard:
    """A device that keeps what it is told, and may break over it."""

    def __init__(self, *, is_broken: bool = False) -> None:
        self.effects: list[Effect] = []
        self.is_broken = is_broken

    def perform(self, effect: Effect) -> None:
        self.effects.append(effect)
        if self.is_broken:
            raise MemoryError


class Program:
    """The part of the program that its end needs."""

    def __init__(self, *devices: Heard) -> None:
        self.devices_at_work: Sequence[Heard] = devices
        self.told: list[str] = []
        self.drafts: list[Any] = []

    def halt(self) -> None:
        assert all(not each.effects for each in self.devices_at_work)
        self.told.append("halt")

    def stamp(self) -> Stamp:
        return STAMP

    def last_word(self, make: Make) -> None:
        self.drafts.append(make(1, b""))

    def over(self, slip: Slip) -> None:
        self.told.append(slip.error)


def test_every_device_is_locked_before_any_is_halted_and_then_all_is_said() -> None:
    broken, sound = Heard(is_broken=True), Heard()

    stop_devices([broken, sound], CODE)

    kinds = [LockWagers, HaltShoe, RaiseFault, ShowPrompt, RequireRole]
    for device in (broken, sound):
        assert [type(each) for each in device.effects] == kinds
    lock, _, fault, prompt, wanted = sound.effects
    assert isinstance(lock, LockWagers)
    assert not lock.spots, "all of them"
    assert isinstance(fault, RaiseFault)
    assert fault.fault == "slip", "the red lamp"
    assert isinstance(prompt, ShowPrompt)
    assert (prompt.first, prompt.second) == (OUT_OF_SERVICE, CODE)
    assert isinstance(wanted, RequireRole)
    assert wanted.role is Role.FLOOR, "the floor is called"


def test_a_slip_is_counted_journalled_and_ends_the_program_once(tmp_path: Path) -> None:
    program, register = Program(Heard()), SlipRegister(tmp_path / "slips.json")
    stop = SafeStop(program, register)
    event = KeyPressed(at=1.0, key=Key.LOCK)

    stop.begin(KeyError("As"), "KeyPressed LOCK", event)
    stop.begin(ValueError("again"), "something on the way")

    assert program.told == ["halt", "KeyError"]
    assert [each.error for each in SlipRegister.read(register.path).slips] == ["KeyError"]
    (draft,) = program.drafts
    body = json.loads(draft.body)
    assert (draft.kind, body["code"], body["over"]) == ("slip", CODE, "KeyPressed LOCK")
    assert body["event"]["key"] == "LOCK"
    assert "As" not in draft.body
