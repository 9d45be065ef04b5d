"""`sabot floor run` by a clock that is wrong by hours; as a control, careless in one of two ways.

    python -m tests.uplink.odd_floor SETTINGS HOURS [no-key | no-sync]

``no-key`` counts a contribution as often as it comes; ``no-sync`` lets the server acknowledge what is not on a medium.
"""

import sys
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest.mock import patch

from sabot.floor import program
from sabot.floor.postgres_store import PostgresStore
from sabot.floor.settings import read_settings
from tests.floor.battery import without_the_key

NO_KEY, NO_SYNC = "no-key", "no-sync"


def _careless(store: PostgresStore, db: Any) -> None:
    """Ask neither for the medium nor for the timeline."""
    del store
    db.execute("SET synchronous_commit = off")


def main(settings: str, hours: str, control: str = "") -> None:
    """Run until killed."""
    apart = timedelta(hours=float(hours))

    def utc() -> str:
        return (datetime.now(UTC) + apart).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    with ExitStack() as things:
        things.enter_context(patch.object(program, "utc", utc))
        if control == NO_SYNC:
            things.enter_context(patch.object(PostgresStore, "_make_durable", _careless))
        if control == NO_KEY:
            things.enter_context(without_the_key())
        program.run(read_settings(Path(settings)), lambda words: print(words, flush=True))


if __name__ == "__main__":
    main(*sys.argv[1:])
