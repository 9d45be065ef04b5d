"""The state of a wiring walk: which line is on which pin, what was not found, and where it goes on.

It is kept after each answer in a file beside the table file, so that a walk which was stopped, by a person
or by a cut of power, goes on where it was. Nothing here touches a pin or asks anybody.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import field
from pathlib import Path
from typing import NamedTuple

from sabot.drivers.lines.errors import ERRORS, LineError
from sabot.drivers.lines.plan import (
    FREE_PINS,
    HEALTHY,
    INPUTS,
    KEYS,
    LOCK_AT_REST,
    LOCK_OPEN,
    NOT_WIRED,
    OUTPUTS,
    RESERVED,
)
from sabot.drivers.options import Value
from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.errors import CommandError
from sabot.rules.frozen import mutable


class WiringStep(NamedTuple):
    """One line to be found: the words for its person, and whether its contact is closed at rest."""

    line: str
    words: str
    is_closed_at_rest: bool = False


_SWITCHES = {
    "key_switch": ("turn the floor's key switch, and turn it back", False),
    "door": ("open the service door, and close it again", True),
    "cover": ("lay the cover or sign of a device that is out of order, and take it away again", False),
}
IN_STEPS = (
    *(WiringStep(line, f"press {key} and let it go") for line, key in KEYS.items()),
    *(WiringStep(line, *what) for line, what in _SWITCHES.items()),
)
OUT_STEPS = (
    WiringStep(LOCK_OPEN, "did the lock relay pull, and fall again"),
    WiringStep(HEALTHY, "did the red lamp go out, and burn again"),
    WiringStep("hit", "did the lamp of a hit burn, and go out again"),
    WiringStep("call", "did the call lamp burn, and go out again"),
)
STEPS = (*IN_STEPS, *OUT_STEPS)
assert {step.line for step in STEPS} | {LOCK_AT_REST} == {*INPUTS, *OUTPUTS}


@mutable
class Wiring:
    """The pin of each line, ``NOT_WIRED`` where a person said so, and the lines wired the other way round."""

    pins: dict[str, int] = field(default_factory=dict)
    inverted: list[str] = field(default_factory=list)

    def owner_of(self, pin: int) -> str:
        """Return the line that has a pin, empty where none has."""
        return next((line for line, taken in self.pins.items() if taken == pin), "")

    def give(self, line: str, pin: int, *, is_inverted: bool = False) -> None:
        """Note a line; a pin that another line has, or that the board needs, is refused."""
        if pin in RESERVED:
            raise LineError(ERRORS["E-LINE-009"], line, name=line, pin=pin, owner=RESERVED[pin])
        if pin not in FREE_PINS:
            raise LineError(ERRORS["E-LINE-010"], line, pin=pin)
        owner = self.owner_of(pin)
        if owner not in ("", line):
            raise LineError(ERRORS["E-LINE-001"], line, pin=pin, first=owner, second=line)
        self.forget(line)
        self.pins[line] = pin
        if is_inverted:
            self.inverted.append(line)

    def skip(self, line: str) -> None:
        """Note that a line is not wired, or was not found."""
        self.forget(line)
        self.pins[line] = NOT_WIRED

    def forget(self, line: str) -> None:
        """Ask for a line again."""
        self.pins.pop(line, None)
        if line in self.inverted:
            self.inverted.remove(line)

    def next_of(self, steps: Iterable[WiringStep]) -> WiringStep | None:
        """Return the first line that nobody has answered for."""
        return next((step for step in steps if step.line not in self.pins), None)

    def back(self, steps: Iterable[WiringStep]) -> None:
        """Forget the newest answer among these lines, the second contact of LOCK with its key."""
        mine = {step.line for step in steps} | {LOCK_AT_REST}
        answered = [line for line in self.pins if line in mine and line != LOCK_AT_REST]
        if answered:
            self.forget(answered[-1])
            if answered[-1] == "key_lock":
                self.forget(LOCK_AT_REST)

    @property
    def found(self) -> dict[str, int]:
        """The lines that have a pin."""
        return {line: pin for line, pin in self.pins.items() if pin != NOT_WIRED}

    @property
    def not_found(self) -> list[str]:
        """The lines that were asked for and have none."""
        return [line for line in (*INPUTS, *OUTPUTS) if self.pins.get(line) == NOT_WIRED]

    def options(self, before: Mapping[str, Value]) -> dict[str, Value]:
        """Return its options for the table file: every line, in the order of docs/wiring.md."""
        values: dict[str, Value] = {
            line: self.pins[line] for line in (*INPUTS, *OUTPUTS) if line in self.pins
        }
        # Written empty too where the file had some: what the walk found is all that counts.
        if self.inverted or before.get("inverted"):
            values["inverted"] = " ".join(sorted(self.inverted))
        return values


def kept_beside(table: Path, name: str) -> Path:
    """Return where a walk is kept until its part is written."""
    return table.with_name(f"{table.name}.{name}-wiring")


def load(path: Path) -> Wiring:
    """Return a walk that was stopped, or a fresh one."""
    if not path.exists():
        return Wiring()
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return _wiring_of(kept["pins"], kept["inverted"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, LineError) as error:
        raise CommandError("E-CLI-014", str(path), why=error) from error


def _wiring_of(pins: Mapping[str, int], inverted: list[str]) -> Wiring:
    wiring = Wiring()
    # By ``give`` again: a file that somebody changed is held to the same rules.
    for line, pin in pins.items():
        if line not in (*INPUTS, *OUTPUTS):
            raise KeyError(line)
        if pin == NOT_WIRED:
            wiring.skip(line)
        else:
            wiring.give(line, pin, is_inverted=line in inverted)
    return wiring


def keep(path: Path, wiring: Wiring) -> None:
    """Keep a walk: all of it or what was kept before."""
    content = json.dumps({"pins": wiring.pins, "inverted": wiring.inverted})
    try:
        write_whole(path, content.encode())
    except OSError as error:
        raise CommandError("E-CLI-005", str(path), why=error.strerror or error) from error
