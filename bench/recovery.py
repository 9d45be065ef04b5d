"""Recovery after a cut of power with a million entries behind, from opening the database to the table.

A fresh process each time: nothing of the journal's code or of the table was used before in it. The journal is
copied as the cut left it, its log not folded in; for the cold figure the system is asked to forget the file.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from figure import Figure, ratio_of_medians
from fresh import JOBS, run_job, run_timed

TITLE = "recovery after SIGKILL, from opening the database to the same state"
ENTRIES, QUICK = 1_000_000, 20_000
MOST_STARTS = 0.8


def measure(*, quick: bool) -> list[Figure]:
    """Milliseconds, warm and cold, and how many starts of a bare interpreter that is."""
    count, turns = (QUICK, 2) if quick else (ENTRIES, 7)
    with tempfile.TemporaryDirectory() as folder:
        made = made_of(Path(folder) / "left", count)
        note = f"{made['entries']:,} entries in the file, {made['replayed']} events after the newest snapshot"
        warm, cold = (
            Figure(f"recovered, file {name}", "ms", times(Path(folder), turns, name), None, note)
            for name in ("warm", "cold")
        )
    bare = Figure("a bare interpreter, exec to its end", "ms", tuple(bare_ms() for _ in range(turns)))
    title = "recovered, file warm / a bare interpreter"
    return [warm, cold, bare, ratio_of_medians(title, warm, bare, MOST_STARTS)]


def bare_ms() -> float:
    """Milliseconds from exec to the end of an interpreter that does nothing."""
    return run_timed([sys.executable, "-c", "pass"]).wall_s * 1000


def made_of(root: Path, count: int) -> dict[str, int]:
    """The journal; its maker dies by a signal, as it should."""
    root.mkdir()
    order = [sys.executable, str(JOBS / "fill_journal.py"), str(root), str(count)]
    done = subprocess.run(order, check=False, stdout=subprocess.PIPE, text=True)
    made: dict[str, int] = json.loads(done.stdout)
    return made


def times(folder: Path, turns: int, name: str) -> tuple[float, ...]:
    found = []
    log = "journal.db-wal"
    kept = folder / log
    shutil.copy(folder / "left" / log, kept)
    for _ in range(turns):
        shutil.copy(kept, folder / "left" / log)
        took = run_job("recover_journal", folder / "left", *(["cold"] if name == "cold" else []))
        assert took["is_same"], "another table came back"
        found.append(took["ms"])
    return tuple(found)
