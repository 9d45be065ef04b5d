"""Whole rounds of one chapter, by the real program on devices of the kernel, played by the display alone."""

import json
import sys
from contextlib import closing
from pathlib import Path

from sabot.firmware.journal import store
from sabot.hil.kernel import live_table
from sabot.hil.kernel.inside.report import expect, run
from sabot.hil.table.crew import Crew

CENTS = 2500


def play(root: Path, chapter: str, method: str) -> str:
    """Play from a closed table to the end of a round; return what the journal has of it."""
    with live_table.table(root, chapter, method) as program:
        crew = Crew(root)
        crew.hands.patience_s = live_table.PATIENCE_S
        crew.follow_to("BETS OPEN")
        play_round(crew)
        crew.close()
        expect("exit code", program.stop(), 0)
        log = program.log.read_text(encoding="utf-8")
    expect("a traceback in the log", "Traceback" in log, wanted=False)
    # The dealer's, which the keys of this round have entered: nothing may write it down.
    expect("a PIN in the log", "31415" in log, wanted=False)
    return told(root, chapter)


def play_round(crew: Crew) -> None:
    """Play one round with one wager, until wagers are open again."""
    hands = crew.hands
    hands.wait("the lock open", lambda: hands.see("lines")["lock_open"] == 1)
    crew.bet(0, CENTS)
    hands.wait_display("1 SEATS")
    hands.press("LOCK")
    hands.wait("the lock", lambda: hands.see("lines")["lock_open"] == 0)
    crew.follow_to("CARDS TO RACK")
    crew.follow_to("BETS OPEN")


def told(root: Path, chapter: str) -> str:
    """Return the record of the only round, in words, from the journal."""
    with closing(store.open_for_reading(root / "journal.db")) as db:
        records = [json.loads(each.body)["record"] for each in store.entries(db) if '"record":' in each.body]
        entries = store.last_of(db)[0]
    expect("records of rounds", len(records), 1)
    (record,) = records
    expect("chapter", record["chapter"], chapter)
    expect("wagers", record["bets"], {"1": {"ante": CENTS}})
    return f"{entries} entries, settled {', '.join(line['wager'] for line in record['lines'])}"


if __name__ == "__main__":
    chapter, method = sys.argv[1:]
    sys.exit(
        run(
            {
                f"round {chapter} {method}".replace(" ", "-"): lambda: play(
                    Path("t").resolve(), chapter, method
                )
            }
        )
    )
