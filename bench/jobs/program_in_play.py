"""The whole program through an hour's play by the display, with a console attached that follows all of it.

A round by hand takes a minute and more; here people press as fast as the display answers. What the program
holds does not hang on the time it took but on what it has heard and shown since it was ready.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from program_at_work import program, resident_mb

from sabot.firmware.simulated import simulated_table
from sabot.hil.table.crew import Crew

CENTS, SEATS = 2500, 3


@contextmanager
def console(python: str, place: Path) -> Iterator[None]:
    """A console that follows each event, as a process of its own."""
    order = [python, "-c", "import sys; from sabot.cli import main; sys.exit(main())", "console"]
    with Path(os.devnull).open("wb") as nowhere:
        follows = subprocess.Popen([*order, "--socket", str(place), "--json", "follow"], stdout=nowhere)
        yield
        if follows.poll() is not None:
            raise SystemExit("the console went away")
        follows.terminate()
        follows.wait()


def spots_of(table_file: Path) -> int:
    """How many spots of the pads each seat has."""
    table = tomllib.loads(table_file.read_text(encoding="utf-8"))
    return len(table["device"]["pads"]["spots"].split())


def play(crew: Crew, spots: int) -> None:
    """One round of some seats, an ante each, to the next open bets."""
    for seat in range(SEATS):
        crew.bet(seat * spots, CENTS)
    crew.hands.wait_display(f"{SEATS} SEATS")
    crew.hands.press("LOCK")
    crew.follow_to("CARDS TO RACK")
    crew.follow_to("BETS OPEN")


def measure(python: str, table_file: Path, rounds: int) -> dict[str, object]:
    """Resident when bets are open first, after half of the rounds and after all of them."""
    with program(python, table_file) as ready, console(python, table_file.with_name("console.sock")):
        crew = Crew(table_file.parent)
        crew.follow_to("BETS OPEN")
        found = [resident_mb(ready.pid)]
        for _half in range(2):
            for _ in range(rounds // 2):
                play(crew, spots_of(table_file))
            found.append(resident_mb(ready.pid))
        crew.close()
    return {"rounds": rounds // 2 * 2, "resident_mb": found}


def main() -> None:
    """Print what was seen."""
    python, chapter, method = sys.argv[1:4]
    with (
        tempfile.TemporaryDirectory() as folder,
        simulated_table(Path(folder) / "state", chapter, method) as table_file,
    ):
        print(json.dumps(measure(python, table_file, int(sys.argv[4]))))


if __name__ == "__main__":
    main()
