"""From the last byte of a card's report to the first byte of the answer, over a pseudo-terminal.

Both ends are processes of their own; the program's end is the real driver on the real link. The table and its
journal are no part of it: the journal's commit comes on top.
"""

from figure import Figure, ratio
from fresh import run_job
from wiretime import wire_time

TITLE = "wire to event to answer: the reading shoe's driver over a pty, two processes"
PERCENTILES = ("p50", "p99")
MOST_BARE = 1.6
NOTE = "time on the wall; a report every 5 ms"
REPORT_BYTES, BAUD = 8, 4_800  # of the reading shoe
BARE_NOTE = "what the machine takes by itself just then: its scheduler is in every p99"


def measure(*, quick: bool) -> list[Figure]:
    """The percentiles of some turns; driver and bare loop take them in turn."""
    turns, count = (1, 200) if quick else (5, 1000)
    found, bare = [], []
    for _ in range(turns):
        found.append(run_job("wire_device", count))
        bare.append(run_job("wire_device", count, "bare"))
    ours = [_figure("card in, answer out", found, name, NOTE) for name in PERCENTILES]
    bares = [_figure("a loop that only reads and writes", bare, name, BARE_NOTE) for name in PERCENTILES]
    wire = wire_time("the report itself, on a real wire", REPORT_BYTES, BAUD)
    title = "card in, answer out / a loop that only reads and writes, p50"
    return [*ours, *bares, wire, ratio(title, ours[0], bares[0], MOST_BARE)]


def _figure(words: str, found: list[dict[str, float]], name: str, note: str) -> Figure:
    return Figure(f"{words}, {name}", "us", tuple(each[name] for each in found), None, note)
