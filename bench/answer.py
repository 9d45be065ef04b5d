"""From a card on the shoe's line to the first byte of the prompt on the display's, beside the commit between.

Everything of the way is real: two drivers on their lines, the table, the journal on this medium. The commit
is what the writer's thread spent on it; what goes beyond is Sabot's, and the system's that wakes the threads.
"""

from figure import Figure
from fresh import run_job

TITLE = "wire to wire: a card's report in, the dealer's prompt out, over two ptys (wall)"
WAYS = {"whole": "card in, prompt out", "commit": "the journal's commit", "beyond": "beyond the commit"}


def measure(*, quick: bool) -> list[Figure]:
    """The percentiles of some turns of full rounds, seven seats, a card read at a time."""
    turns, rounds = (1, 5) if quick else (5, 8)
    found = [run_job("answer_device", rounds) for _ in range(turns)]
    note = f"{', '.join(str(each['cards']) for each in found)} cards a turn"
    return [
        Figure(
            f"{words}, {name}",
            "us",
            tuple(each[way][name] for each in found),
            None,
            note if way == "whole" else "",
        )
        for way, words in WAYS.items()
        for name in ("p50", "p99")
    ]
