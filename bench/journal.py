"""What a round writes: bytes that stay in the journal, and bytes that go to the medium for them."""

from figure import Figure
from fresh import run_job

TITLE = "bytes written for a round of 7 seats of pa641a, every wager, cards known"


def measure(*, quick: bool) -> list[Figure]:
    """Kilobytes a round; each event is a commit of its own, as at a table."""
    found = [run_job("journal_bytes", 5 if quick else 60) for _ in range(1 if quick else 3)]
    note = "{commits:.0f} commits and {entries:.0f} entries a round".format_map(found[0])
    return [
        Figure("kept in the journal's file", "KB", tuple(each["kept"] / 1000 for each in found), None, note),
        Figure(
            "handed to write calls (log, checkpoints, mark)",
            "KB",
            tuple(each["written"] / 1000 for each in found),
            None,
            "a page of 4 KB at least for each commit: SQLite's log has whole pages",
        ),
    ]
