"""What a round writes: bytes that stay in the journal, and bytes that go to the medium for them."""

from figure import Figure
from fresh import run_job

MOST_EVENT_KB = 5.0
TITLE = "bytes written for a round of 7 seats of pa641a, every wager, cards known"


def measure(*, quick: bool) -> list[Figure]:
    """Kilobytes a round; each event is a commit of its own, as at a table."""
    found = [run_job("journal_bytes", 5 if quick else 60) for _ in range(1 if quick else 3)]
    note = "{commits:.0f} commits and {entries:.0f} entries a round".format_map(found[0])
    an_event = tuple(each["written"] / each["commits"] / 1000 for each in found)
    return [
        Figure("kept in the journal's file", "KB", tuple(each["kept"] / 1000 for each in found), None, note),
        Figure(
            "handed to write calls (log, checkpoints, mark)",
            "KB",
            tuple(each["written"] / 1000 for each in found),
            None,
            "SQLite's log has whole pages, 1 KB each",
        ),
        Figure("the same, for an event", "KB", an_event, MOST_EVENT_KB),
    ]
