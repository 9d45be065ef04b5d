"""Run the checker from its folder: ``python3 procedure journal.jsonl``."""

import sys
from pathlib import Path

if not __package__:
    # Started as a folder: its modules find each other only as a package of that name.
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from procedure.command import main

if __name__ == "__main__":
    sys.exit(main())
