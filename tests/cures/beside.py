"""The pure table as people have it: what it prints, keys, orders, and devices that answer what they are told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.firmware.console.commands.faults import NOTHING, printed, steps_left
from sabot.statemachine.vocabulary.effects import RetestDevice
from sabot.statemachine.vocabulary.events import (
    DeviceEmptied,
    DeviceModeChanged,
    DeviceRetested,
    Key,
    LinkRestored,
    ReleaseOrdered,
    Role,
    RoleLocked,
    ServiceModeChanged,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.statemachine.shift import Shift

PACK = 52


class Beside:
    """A table alone, without program, journal and wires."""

    def __init__(self, shift: Shift) -> None:
        self.shift = shift

    @property
    def prompt(self) -> tuple[str, str]:
        """The two lines of the display."""
        return self.shift.prompt

    def printed(self) -> list[str]:
        """The lines that ``faults`` prints."""
        table = self.shift.table
        found: list[str] = []
        for held in table.state.trouble.holds:
            found += printed(table, held, steps_left(table, held, lambda held: held.device))
        return found or [NOTHING]

    def press(self, *keys: Key) -> None:
        """Press keys; a device that is told to test itself finds nothing wrong any more."""
        self.shift.press(*keys)
        for effect in list(self.shift.last):
            if isinstance(effect, RetestDevice):
                self._test(effect.device, effect.fault)

    def _test(self, device: str, fault: str) -> None:
        self.shift.send(DeviceRetested, device=device, fault=fault, good=True)

    def unlock(self, role: Role) -> None:
        """Turn the key switch and enter the PIN."""
        self.shift.unlock(role, str(role))

    def lock(self, role: Role) -> None:
        """Turn the key switch back."""
        self.shift.send(RoleLocked, role=role)

    def order(self, words: str, role: Role) -> None:
        """Type an order at the console, which makes the table's event of it."""
        name, *rest = words.split()
        if words == "service off":
            self.shift.send(ServiceModeChanged, on=False, person=str(role))
        elif name == "retest":
            *device, fault = rest
            self._test(" ".join(device), fault)
        elif name == "clear":
            fault, *device = rest
            self.shift.send(ReleaseOrdered, fault=fault, device=" ".join(device), role=role, person=str(role))
        else:
            raise AssertionError(f"no console has an order {words!r}")

    def touch(self, how: str, device: str) -> None:
        """Do something at a device."""
        TOUCHES[how](self.shift, device)

    def count_stub(self) -> None:
        """Count the cards that lie there."""
        self.shift.count_stub()


TOUCHES: dict[str, Callable[[Shift, str], object]] = {
    "make room": lambda shift, device: shift.send(DeviceRetested, device=device, fault="device", good=True),
    "plug": lambda shift, device: shift.send(LinkRestored, device=device),
    "set": lambda shift, device: shift.send(DeviceModeChanged, device=device, mode="play"),
    "empty": lambda shift, device: shift.send(DeviceEmptied, device=device, cards_in=PACK, cards_out=PACK),
}
