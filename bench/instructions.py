"""``make instructions``: what a decision takes in instructions, held against kept limits.

A regression that no clock shows on a busy machine shows here. Exit code 1: above a limit. 77: nothing was
judged, because valgrind is missing or the limits are another interpreter's; what to do is said.
"""

import argparse
import sys

import limits
from counting import WAYS, NoValgrindError, by_row, count, kept_events
from figure import Figure, as_table, machine, machine_line
from fresh import JOBS, JobError, run_text

TITLE = "instructions of one decision (callgrind, kept events): 7 seats of pa641a, every wager"
ROWS = {
    "mean": "every event, the mean",
    "lock": "the lock",
    "reveal": "the reveal, all seats settled",
    "record": "the last OK, with the round's record",
    "rest": "all rests of a round, while nobody waits",
}
RECORDED_ROUNDS = 6
NOT_JUDGED = 77
OTHER = """\
NOT JUDGED: the limits in {path} are another interpreter's.
  kept for: {kept}
  this is:  {this}
`python bench/instructions.py --keep` keeps limits for this one instead."""


def counts() -> dict[str, dict[str, int]]:
    """The rows of each way of dealing."""
    return {way: by_row(events) for way, events in count().items()}


def figures(found: limits.Counts, goals: dict[tuple[str, str], int]) -> list[Figure]:
    """A figure for each row; in thousands, for nobody reads single instructions."""
    return [
        Figure(f"{words}: {ROWS[row]}", "k", (found[way][row] / 1000,), _thousands(goals.get((way, row))))
        for way, words in WAYS.items()
        for row in ROWS
    ]


def _thousands(number: int | None) -> float | None:
    return None if number is None else number / 1000


def measure(*, quick: bool) -> list[Figure]:
    """For the table of all figures; a count needs no second look, so a quick run is no quicker."""
    del quick
    try:
        return figures(counts(), limits.goals(limits.kept(), limits.this_interpreter()))
    except NoValgrindError as error:
        return [Figure("instructions of one decision", "k", (), None, str(error))]


def main() -> int:
    """Count, print and judge; or keep."""
    args = _arguments()
    if args.record:
        _record()
        return 0
    try:
        found = counts()
    except (NoValgrindError, JobError) as error:
        print(error, file=sys.stderr)
        return NOT_JUDGED if isinstance(error, NoValgrindError) else 1
    if args.keep:
        limits.LIMITS.write_text(limits.written(found, limits.this_interpreter()), encoding="utf-8")
    return _judge(found)


def _judge(found: limits.Counts) -> int:
    kept, this = limits.kept(), limits.this_interpreter()
    goals = limits.goals(kept, this)
    every = figures(found, goals)
    print(machine_line(machine()), "", as_table([(TITLE, every)]), sep="\n")
    if not goals:
        print(OTHER.format(path="bench/fixed/limits.toml", kept=kept.interpreter, this=this), file=sys.stderr)
        return NOT_JUDGED
    return int(any(figure.verdict == "MISSED" for figure in every))


def _record() -> None:
    for way in WAYS:
        text = run_text([sys.executable, str(JOBS / "record_fixed.py"), way, str(RECORDED_ROUNDS)])
        kept_events(way).write_text(text, encoding="utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--keep", action="store_true", help="keep what is counted now as the limits")
    parser.add_argument("--record", action="store_true", help="record the kept events anew")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
