"""Trials of the board's system under the kernel's rig: its parts, and scenarios of the floor, on arm64."""

import tempfile
from pathlib import Path

from sabot.hil.kernel.machine import MachineHost
from sabot.hil.kernel.parts import chosen_of, rows, run_parts
from sabot.hil.kernel.results import CannotRunError, RigPart, as_table, held, is_good
from sabot.hil.kernel.scenarios import play_in
from sabot.hil.scenarios import runner
from sabot.hil.scenarios.errors import CannotPlayError
from sabot.hil.scenarios.record import PASS, PlayedScenario, summary
from sabot.hil.scenarios.rig import RigOrder, read_rig
from sabot.hil.scenarios.scenario_file import read_library
from sabot.image import rig_root
from sabot.image.errors import ImageError
from sabot.image.stage import Stage
from sabot.rules.errors import SabotError

MACHINES = 2
TARGET = "kernel"


class RigTrials(Stage):
    """Trials in machines of the rig whose root is the image's; each returns in words what was seen."""

    def rig(self, part: str = "") -> str:
        """Run the parts of the kernel's rig, or one of them."""
        try:
            chosen = chosen_of([part] if part else [], rows(is_long=False))
            # A root is large: it goes with the trial.
            with tempfile.TemporaryDirectory(dir=self.work) as folder:
                parts = run_parts(chosen, self._rig_host(Path(folder)), Path(folder), MACHINES, _tell_part)
        except (CannotRunError, ValueError) as error:
            raise ImageError(str(error)) from error
        if not is_good(parts):
            raise ImageError(held(parts))
        return held(parts)

    def rig_scenarios(self, pattern: str = "") -> str:
        """Play scenarios of the floor: those that the kernel rig's file keeps, or others by their name."""
        library, rig = read_library(), read_rig(TARGET)
        try:
            kept = runner.chosen(library.scenarios, [pattern]) if pattern else None
            order = RigOrder(TARGET, None, kept or runner.selected(library.scenarios, rig))
            played = play_in(self._rig_host, order, rig, _tell_scenario)
        except (CannotPlayError, SabotError) as error:
            raise ImageError(str(error)) from error
        if played.outcome != PASS:
            raise ImageError(summary(played))
        return summary(played)

    def _rig_host(self, folder: Path) -> MachineHost:
        return rig_root.make(self.card(), self._packages, folder)


def _tell_part(part: RigPart) -> None:
    print(as_table([part]), flush=True)


def _tell_scenario(played: PlayedScenario, done: int, count: int, _left_s: float) -> None:
    words = f"{played.outcome:<5} {played.seconds:6.1f} s  {done}/{count}  {played.name} {played.why}"
    print(words.rstrip(), flush=True)
