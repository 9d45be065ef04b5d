"""How soon a press of LOCK is a lock: in time, in calls, and beside Mission Pinball's switch and coil.

The lock is in the safe direction and waits for no commit: with the journal's file held for a second it must
not differ. Mission Pinball's way is one hop without a rule of law in it. Both are asked twice: after a rest,
as a person presses a button, when nothing is warm; and warm, one event right behind the other. Ours is from
the runner's inbox to the lock handed to lines and pads, theirs from the switch controller's door to the
platform's pulse.
"""

from figure import Figure, ratio, ratio_of_medians
from fresh import JobError, run_job
from peers import PeerError, interpreter

from deciding import MPF, MPF_WORDS

TITLE = "LOCK: the program's own lines driver, guard, runner and journal; rounds of seven seats (wall)"
MOST_CALLS = 40.0
WAYS = {
    "edge": "key edge to the level of the lock output",
    "runner": "the key at the runner to the lock handed to lines and pads",
}
CASES = {"": (), ", the journal's file held for 1 s": ("stalls",)}
AFTER_REST = "after a rest"
REST_S, HITS_WARM, HITS_AFTER_REST = 0.06, 20_000, 150


def measure(*, quick: bool) -> list[Figure]:
    """Return calls, both ways in both cases, and the ratios to Mission Pinball, in turns."""
    turns, shifts = (1, 1) if quick else (3, 2)
    times = _times(turns, shifts)
    beside = _beside_pinball(turns, shifts)
    return [*_calls(), *times, *beside, _held_beside_pinball(times, beside)]


def _calls() -> list[Figure]:
    note = "Python calls of the program and of asyncio, in the library's thread and in the loop"
    name = "from the edge at the library's callback to its output, calls"
    return [
        Figure(f"{name}{words}", "calls", (float(found["calls"]),), MOST_CALLS, note)
        for words, case in CASES.items()
        for found in [run_job("lock_edges", 1, "calls", *case)]
    ]


def _held_beside_pinball(times: list[Figure], beside: list[Figure]) -> Figure:
    """Return the ratio with the journal's file held; Mission Pinball has no journal, and is as it was."""
    by_name = {figure.name: figure for figure in (*times, *beside)}
    held = next(words for words, case in CASES.items() if case)
    ours = by_name[f"{WAYS['runner']}{held}, p50"]
    theirs = by_name[f"{MPF_WORDS}, {AFTER_REST}, p50"]
    title = f"LOCK to {MPF_WORDS}, {AFTER_REST}{held}, p50"
    return ratio_of_medians(title, ours, theirs, 1.0)


def _times(turns: int, shifts: int) -> list[Figure]:
    figures = []
    for case, words in CASES.items():
        found = [run_job("lock_edges", shifts, *words) for _ in range(turns)]
        note = f"{', '.join(str(each['locks']) for each in found)} locks a turn; 40 rounds a journal"
        figures += [
            Figure(f"{title}{case}, {name}", "ms", tuple(each[way][name] for each in found), None, note)
            for way, title in WAYS.items()
            for name in ("p50", "p99", "worst")
        ]
    return figures


def _beside_pinball(turns: int, shifts: int) -> list[Figure]:
    cases = {"warm": (("warm",), HITS_WARM, 0.0), AFTER_REST: ((), HITS_AFTER_REST, REST_S)}
    return [
        figure
        for words, (ours, hits, rest_s) in cases.items()
        for figure in _pair(words, turns, ours=(shifts, *ours), theirs=(hits, rest_s))
    ]


def _pair(words: str, turns: int, *, ours: tuple[object, ...], theirs: tuple[object, ...]) -> list[Figure]:
    mine, other, absent = [], [], ""
    for _ in range(turns):
        mine.append(run_job("lock_edges", *ours)["runner"])
        try:
            other.append(run_job(MPF.job, *theirs, python=interpreter(MPF)))
        except (PeerError, JobError) as error:
            absent = f"{MPF.requirement} {error}"
    found: list[Figure] = []
    for name in ("p50", "p99"):
        here = Figure(f"{WAYS['runner']}, {words}, {name}", "us", tuple(1000 * each[name] for each in mine))
        there = Figure(
            f"{MPF_WORDS}, {words}, {name}", "us", tuple(each[name] for each in other), None, absent
        )
        goal = 1.0 if name == "p50" else None
        found += [here, there, ratio(f"LOCK to {MPF_WORDS}, {words}, {name}", here, there, goal)]
    return found
