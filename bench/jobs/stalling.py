"""Holds a journal's file again and again, as a medium that takes nothing for a second would; says when."""

import sqlite3
import sys
import time

HOLD_S, REST_S = 1.0, 0.3


def main() -> None:
    """A line for each hold: from when to when, in monotonic seconds. Runs until it is ended."""
    db = sqlite3.connect(sys.argv[1], timeout=HOLD_S, isolation_level=None)
    while True:
        time.sleep(REST_S)
        db.execute("BEGIN IMMEDIATE")
        start = time.monotonic()
        time.sleep(HOLD_S)
        end = time.monotonic()
        db.execute("ROLLBACK")
        print(start, end, flush=True)


if __name__ == "__main__":
    main()
