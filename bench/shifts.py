"""Whole rounds, one after the other, and what stays in memory after very many of them.

The mix is every chapter by every way of dealing and every level of knowledge, seats and wagers by chance;
where no device sees the cards the dealer's declarations are events too. No journal is written. The long
shift is closed for the day after each thousand rounds, for what a table keeps of its decks it keeps until
then.
"""

from dataclasses import replace

from figure import Figure
from fresh import run_job

TITLE = "whole rounds on one core, no journal (processor time), and memory over a long shift"
MOST_GROWTH_MB = 1.0
SEED = 641
Found = dict[str, float]


def measure(*, quick: bool) -> list[Figure]:
    """A round of the mix, the full round, and the sizes of a long shift."""
    turns, rounds_a_way, shifts = (1, 20, 1) if quick else (3, 40, 2)
    mixed = [run_job("whole_rounds", rounds_a_way, SEED + turn) for turn in range(turns)]
    full = [run_job("decide_events", "manual_shoe", shifts) for _ in range(turns)]
    return [
        _round("a round of the mix", mixed),
        _round("a round of 7 seats of pa641a, every wager", full),
        *_memory(20_000 if quick else 100_000),
    ]


def _round(name: str, found: list[Found]) -> Figure:
    """Microseconds a round; the note says how many that is in a second, and of what size."""
    samples = tuple(each["round_us"] for each in found)
    seats, events = (sum(each.get(key, 7) for each in found) / len(found) for key in ("seats", "events"))
    figure = Figure(name, "us", samples)
    speed = f"{1e6 / (figure.median or 1):,.0f} rounds a second"
    return replace(figure, note=f"{speed}; a round has {seats:.1f} seats and {events:.0f} events")


def _memory(rounds: int) -> list[Figure]:
    """Resident after a tenth, a half and all of the rounds, and what the second half added."""
    sizes = run_job("long_shift", rounds)
    names = [f"resident after {part:,} rounds" for part in (rounds // 10, rounds // 2, rounds)]
    figures = [Figure(name, "MB", (size / 1024,)) for name, size in zip(names, sizes, strict=True)]
    growth = (sizes[2] - sizes[1]) / 1024
    return [*figures, Figure("added by the second half of them", "MB", (growth,), MOST_GROWTH_MB)]
