"""The tables that fill themselves: what the first hands cost, and what a whole table would.

Nothing is built at start and nothing is shipped, so the cost of the look-up tables falls on the hands that
first need an entry. These figures show it from three sides: the first 10,000 random hands of a process,
every entry there can be, and what is spent on filling while 10,000 rounds of seven seats are settled.
"""

import json

from figure import Figure
from fresh import out_file, run_job
from hands import random_hands
from rounds import stream

TITLE = "tables filling themselves, none built at start, none shipped (processor time)"
ROUNDS = 10_000


def measure(*, quick: bool) -> list[Figure]:
    """First hands, whole tables, and filling in the course of play."""
    turns = 1 if quick else 5
    hands = out_file("hands.json", json.dumps(random_hands(10_000)))
    cold = [run_job("cold_hands", hands) for _ in range(turns)]
    whole = [run_job("fill_tables") for _ in range(turns)]
    return [
        *(_figure(cold, job, f"{job}: a hand among the first 10,000", "ns") for job in cold[0]),
        *(_figure(whole, name, name, unit) for name, unit in WHOLE),
        *_in_play(turns, ROUNDS // 10 if quick else ROUNDS),
    ]


WHOLE = (
    ("the largest table, every entry", "ms"),
    ("all tables of the five chapters, every entry", "ms"),
    ("the dearest of those entries", "us"),
    ("all of them in one file instead, its size", "MB"),
    ("all of them in one file instead, reading it", "ms"),
)


def _figure(found: list[dict[str, float]], key: str, name: str, unit: str) -> Figure:
    return Figure(name, unit, tuple(each[key] for each in found))


def _in_play(turns: int, rounds: int) -> list[Figure]:
    made = stream("full", rounds)
    path = out_file("filling.jsonl", "\n".join(json.dumps(each) for each in made))
    found = [run_job("fill_by_rounds", path) for _ in range(turns)]
    words = f"filled in by {rounds:,} rounds of 7 seats"
    return [
        _figure(found, "all_ms", f"{words}, {found[0]['entries']:,} entries", "ms"),
        _figure(found, "dearest_us", f"{words}, the dearest entry", "us"),
    ]
