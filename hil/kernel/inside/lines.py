"""The lines' driver under the real GPIO library: keys, bounce, outputs, a second owner, death, no chip."""

# Theory of operation. The chip is the kernel's (`sabot.hil.kernel.world`): a check moves its contacts from
# outside, and reads its outputs there. The driver holds them in a process of its own, the holder, for
# some checks want a second one that finds the lines taken, or the death of the first, killed or by itself
# when the chip is gone. It says a line for each event, and the checks compare what it said with what was
# done. Checks share a holder until one of them ends it; the next that asks for one gets a new one.

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from sabot.drivers.lines.plan import KEYS, LOCK, OUTPUTS, make_plan
from sabot.hil.kernel import live_table
from sabot.hil.kernel.inside.holder import AGAIN
from sabot.hil.kernel.inside.report import Check, expect, wait_until
from sabot.hil.kernel.world import KernelLines

_PLAN = make_plan({}, "lines")
PINS = {line.name: line.pin for line in (*_PLAN.inputs, *_PLAN.outputs)}
AT_REST = [line.name for line in _PLAN.inputs if line.is_active_high]
BOUNCES = 7
ALL_SAFE = dict.fromkeys(OUTPUTS, 0)


class Holder:
    """A process that holds the lines, and what it says."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sabot.hil.kernel.inside.holder"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **live_table.surroundings(Path.cwd())},
        )
        self._flood = 0
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()
        wait_until("the holder's start", lambda: bool(self.told("started")), live_table.START_S)

    def _read(self) -> None:
        assert self.process.stdout is not None
        self.said.extend(line.strip() for line in self.process.stdout)

    def _drain(self) -> None:
        """Read what the library writes without end: a full pipe would hold it up."""
        assert self.process.stderr is not None
        for _line in self.process.stderr:
            self._flood += 1

    def told(self, word: str) -> list[str]:
        """Return everything of one kind that it said."""
        return [line.partition(" ")[2] for line in self.said if line.split(" ")[0] == word]

    def end(self) -> None:
        """Kill it without a word."""
        self.process.kill()
        self.process.wait()


class LinesPart:
    """Checks that share one chip."""

    def __init__(self) -> None:
        self.lines = KernelLines(Path.cwd(), PINS, AT_REST)
        self._holder: Holder | None = None

    @property
    def holder(self) -> Holder:
        """Return the holder of the lines, a new one if there is none."""
        if self._holder is None or self._holder.process.poll() is not None:
            self._holder = Holder()
        return self._holder

    def checks(self) -> Mapping[str, Check]:
        """Return the checks, in their order: the last takes the chip away."""
        return {
            "lines-keys": self.keys,
            "lines-bounce": self.bounce,
            "lines-outputs": self.outputs,
            "lines-second-owner": self.second_owner,
            "lines-killed": self.killed,
            "lines-chip-gone": self.gone,
        }

    def _act(self, name: str, words: str) -> None:
        asyncio.run(self.lines.act(name, words))

    def keys(self) -> str:
        """Press each key once, and hear nothing else."""
        holder = self.holder
        expect("the driver is up", holder.told("started"), ["True"])
        for name in KEYS:
            self._act("press", name)
        wanted = [key.value for key in KEYS.values()]
        wait_until("a press of each key", lambda: len(holder.told("KeyPressed")) >= len(wanted))
        expect("the presses", holder.told("KeyPressed"), wanted)
        return f"{len(wanted)} keys"

    def bounce(self) -> str:
        """Check that a press of a worn key is one press."""
        holder = self.holder
        before = len(holder.told("KeyPressed"))
        for name in (LOCK, "key_ok", "key_one"):
            self._act("bounce", f"{name} {BOUNCES}")
        self._act("press", "key_floor")
        wait_until("the last press", lambda: holder.told("KeyPressed")[-1:] == ["FLOOR"])
        expect("the presses", holder.told("KeyPressed")[before:], ["LOCK", "OK", "ONE", "FLOOR"])
        return f"{BOUNCES} bounces each way"

    def outputs(self) -> str:
        """Check the outputs that the driver energises, by the kernel's own reading."""
        self.holder.told("started")
        shown = self._outputs()
        expect("the outputs", shown, {"lock_open": 1, "healthy": 1, "hit": 0, "call": 0})
        return str(shown)

    def second_owner(self) -> str:
        """Check that another program cannot have the lines, and says why."""
        self.holder.told("started")
        other = Holder()
        try:
            expect("the other is up", other.told("started"), ["False"])
            (why,) = other.told("LinkLost")
        finally:
            other.end()
        return why

    def killed(self) -> str:
        """Kill the holder, and check that every output falls to where its resistor holds it."""
        self.holder.end()
        wait_until("safe outputs", lambda: self._outputs() == ALL_SAFE)
        return "kill -9: every output low"

    def gone(self) -> str:
        """Check that a chip that vanishes is one loss and an end, however the library rages."""
        holder = self.holder
        self._act("vanish", "")
        code = holder.process.wait(live_table.START_S)
        expect("exit code", code, AGAIN)
        expect("losses", len(holder.told("LinkLost")), 1)
        self._act("back", "")
        expect("up on a chip that is back", self.holder.told("started"), ["True"])
        self._act("press", "key_ok")
        wait_until("a press", lambda: self.holder.told("KeyPressed") == ["OK"])
        return holder.told("LinkLost")[0]

    def _outputs(self) -> dict[str, int]:
        shown = self.lines.shows()
        return {name: shown[name] for name in OUTPUTS}

    def close(self) -> None:
        """End the holder, and take the chip away."""
        if self._holder is not None:
            self._holder.end()
        self.lines.close()
