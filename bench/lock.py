"""How soon a press of LOCK is a lock, with the journal at its ease and with its file held for a second.

The lock is in the safe direction and waits for no commit: the two must not differ.
"""

from figure import Figure
from fresh import run_job

TITLE = "LOCK: real lines driver, runner and journal; full rounds of seven seats (wall)"
GOAL_MS = 5.0
WAYS = {
    "edge": "key edge to the level of the lock output",
    "runner": "the key at the runner to the lock handed to lines and pads",
}
CASES = {"": (), ", the journal's file held for 1 s": ("stalls",)}


def measure(*, quick: bool) -> list[Figure]:
    """Both ways in both cases, the percentiles of some turns."""
    turns, shifts = (1, 1) if quick else (2, 2)
    figures = []
    for case, words in CASES.items():
        found = [run_job("lock_edges", shifts, *words) for _ in range(turns)]
        note = f"{', '.join(str(each['locks']) for each in found)} locks a turn; 40 rounds a journal"
        figures += [
            Figure(
                f"{title}{case}, {name}",
                "ms",
                tuple(each[way][name] for each in found),
                GOAL_MS if name == "p99" else None,
                note,
            )
            for way, title in WAYS.items()
            for name in ("p50", "p99", "worst")
        ]
    return figures
