"""Resident memory of the program as people run it: an hour's play by the display, a console attached."""

import board
import program
from figure import Figure
from fresh import run_job

TITLE = "the whole program in play: three seats, every key by the display, a console that follows (resident)"
MOST_MB = 46.0
HOUR, FEW = 40, 4


def measure(*, quick: bool) -> list[Figure]:
    """An hour of rounds by hand is about forty."""
    python, is_board = board.interpreter()
    found = run_job("program_in_play", python, program.CHAPTER, program.METHOD, FEW if quick else HOUR)
    first, half, all_of_it = found["resident_mb"]
    rounds = found["rounds"]
    return [
        Figure("bets open for the first time", "MB", (first,), None, board.NOTES[is_board]),
        Figure(f"after {rounds // 2} rounds", "MB", (half,)),
        Figure(f"after {rounds} rounds", "MB", (all_of_it,), MOST_MB),
    ]
