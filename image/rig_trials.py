"""Trials of the board's system under the kernel's rig: its parts, and scenarios of the floor, on arm64."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sabot.hil.kernel.machine import MachineHost
from sabot.hil.kernel.parts import chosen_of, rows, run_parts
from sabot.hil.kernel.results import CannotRunError, RigPart, as_table, is_good
from sabot.hil.kernel.scenarios import play_in
from sabot.hil.scenarios import runner
from sabot.hil.scenarios.errors import CannotPlayError
from sabot.hil.scenarios.record import PASS, PlayedScenario, summary
from sabot.hil.scenarios.rig import RigOrder, read_rig
from sabot.hil.scenarios.scenario_file import read_library
from sabot.image import rig_root
from sabot.image.errors import ImageError
from sabot.image.stage import Stage

MACHINES = 2
TARGET = "kernel"


class RigTrials(Stage):
    """Trials in machines of the rig whose root is the image's."""

    def rig(self, part: str = "") -> str:
        """The parts of the kernel's rig, or one of them."""
        try:
            chosen = chosen_of([part] if part else [], rows(is_long=False))
            with self._rig_folder() as folder:
                parts = run_parts(chosen, self._rig_host(folder), folder, MACHINES, _tell_part)
        except (CannotRunError, ValueError) as error:
            raise ImageError(str(error)) from error
        checks = [each.is_good for found in parts for each in found.results]
        held = f"{sum(checks)} of {len(checks)} checks held"
        if not is_good(parts):
            raise ImageError(held)
        return held

    def rig_scenarios(self, pattern: str = "") -> str:
        """Scenarios of the floor: those that the file of the kernel's rig keeps, or others by their name."""
        library, rig = read_library(), read_rig(TARGET)
        kept = runner.selected(library.scenarios, rig)
        chosen = list(runner.chosen(library.scenarios, [pattern])) if pattern else kept
        try:
            played = play_in(self._rig_host, RigOrder(TARGET, None, chosen), rig, _tell_scenario)
        except CannotPlayError as error:
            raise ImageError(str(error)) from error
        if played.outcome != PASS:
            raise ImageError(summary(played))
        return summary(played)

    def _rig_host(self, folder: Path) -> MachineHost:
        return rig_root.make(self.card(), self._packages, folder)

    @contextmanager
    def _rig_folder(self) -> Iterator[Path]:
        """A folder that goes with the trial: a root is large."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            yield Path(folder)


def _tell_part(part: RigPart) -> None:
    _say(as_table([part]))


def _tell_scenario(played: PlayedScenario, done: int, count: int, _left_s: float) -> None:
    _say(f"{played.outcome:<5} {played.seconds:6.1f} s  {done}/{count}  {played.name} {played.why}".rstrip())


def _say(words: str) -> None:
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()
