"""Run the devices of a practice table in a process of their own: ``python -m sabot.practice DIRECTORY``.

They live in the table's own time (``sabot.hil.table.own_time``), which has to be in place before anything
that reads a clock is imported: hence the imports by name below.
"""

import asyncio
import sys
from importlib import import_module
from pathlib import Path

from sabot.hil.table import own_time


def main(root: Path) -> None:
    """Serve the devices until the control socket says that nobody needs them any more."""
    own_time.keep(own_time.of(root))
    # Only now: these modules take the clock's functions as they are when they are imported.
    watched = import_module("sabot.practice.devices").Watched
    asyncio.run(import_module("sabot.hil.table.control_socket").serve(root, watched))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
