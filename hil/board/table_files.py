"""The files of a table on a board that is no simulation: a simulated table's, its devices the board's own.

A simulated table and a board of a rig differ in where their devices are found, and in nothing else.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from sabot.config.loader import PRINTED
from sabot.config.submission import example_submission
from sabot.firmware.simulated import submission_text, table_text, world_plan

SPEED = 20.0
# The options that name a simulator.
SIMULATORS = ("module =", "backend =")


class BoardTable(NamedTuple):
    """The plan of the devices' process, and the two files that the program reads."""

    plan: dict[str, Any]
    submission: str
    table: str


def board_table(
    state: Path,
    chapter: str,
    method: str,
    port_of: Callable[[str], object],
    *,
    left_out: tuple[str, ...] = SIMULATORS,
    seed: int = 1,
) -> BoardTable:
    """Return the table of a board whose program keeps its journal in a folder."""
    law, submission = PRINTED.chapter(chapter), example_submission(PRINTED, chapter)
    text = table_text(state, law, submission, method, has_stations=False)
    return BoardTable(
        world_plan(law, submission, method, seed=seed, speed=SPEED, has_stations=False),
        submission_text(PRINTED, chapter, method),
        _of_a_board(text, left_out, port_of),
    )


def _of_a_board(text: str, left_out: tuple[str, ...], port_of: Callable[[str], object]) -> str:
    """Return the file of a simulated table with a board's ports, less the lines that are left out."""
    lines, device = [], ""
    for line in text.splitlines():
        if line.startswith("[device."):
            device = line.removeprefix("[device.").rstrip("]")
        if line.startswith("port ="):
            lines.append(f'port = "{port_of(device)}"')
        elif not line.startswith(left_out):
            lines.append(line)
    return "\n".join(lines) + "\n"
