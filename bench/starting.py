"""From exec to the end: `sabot --version`, and `sabot settle` of one round with every wager."""

import json
import sys

from figure import Figure, ratio
from fresh import out_file, run_timed, sabot_command
from rounds import stream

TITLE = "from exec to the end of the process (wall)"
BARE = "a bare interpreter: python -c pass"
MOST_VERSION, MOST_SETTLE = 5.0, 12.0


def measure(*, quick: bool) -> list[Figure]:
    """Milliseconds, in turn with a bare interpreter; one run before them, so that byte code is there."""
    times = 5 if quick else 20
    path = out_file("one_round.json", json.dumps(next(stream("full", 1))))
    orders = (
        (BARE, [sys.executable, "-c", "pass"], None),
        ("sabot --version", [*sabot_command(), "--version"], MOST_VERSION),
        ("sabot settle, 7 seats, every wager", [*sabot_command(), "settle", str(path)], MOST_SETTLE),
    )
    samples: dict[str, list[float]] = {title: [] for title, _, _ in orders}
    for turn in range(times + 1):
        for title, order, _ in orders:
            took = run_timed(order)
            if turn:
                samples[title].append(took.wall_s * 1000)
    figures = {title: Figure(title, "ms", tuple(samples[title])) for title, _, _ in orders}
    ratios = [
        ratio(f"{title} / a bare interpreter", figures[title], figures[BARE], most)
        for title, _, most in orders
        if most
    ]
    return [*figures.values(), *ratios]
