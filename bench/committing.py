"""One commit of the journal, beside a plain SQLite commit and a bare flush of as many bytes, in turns.

What the journal adds to SQLite is its chain, its seal and its mark; what SQLite adds to a flush is its
log. The medium's own time is in all three and is most of each.
"""

from figure import Figure, ratio
from fresh import run_job

MOST_PLAIN = 1.4
TITLE = "one event durable: the journal's commit beside plain ones on the same medium, in turns (wall)"
WAYS = {
    "journal": "the journal's commit",
    "processor": "of that on the processor",
    "plain": "plain SQLite, one row, WAL, synchronous=FULL",
    "plain processor": "of that one on the processor",
    "flush": "bare write and fdatasync",
}


def measure(*, quick: bool) -> list[Figure]:
    """The percentiles of each, and how many plain commits one of the journal's is."""
    turns, rounds = (1, 2) if quick else (5, 6)
    found = [run_job("commits", rounds) for _ in range(turns)]
    note = "{commits} commits a turn, some {bytes:,.0f} bytes each".format_map(found[0])
    figures = {
        (way, name): Figure(f"{words}, {name}", "us", tuple(each[way][name] for each in found), None, note)
        for way, words in WAYS.items()
        for name in ("p50", "p99")
    }
    times = ratio(
        "the journal's commit / plain SQLite, p50",
        figures["journal", "p50"],
        figures["plain", "p50"],
        MOST_PLAIN,
    )
    return [*figures.values(), times]
