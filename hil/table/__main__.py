"""Run the devices of a simulated table: ``python -m sabot.hil.table DIRECTORY``.

Where the table has a time of its own (``own_time``), this process keeps it: before anything that reads a
clock is imported.
"""

import asyncio
import sys
from importlib import import_module
from pathlib import Path

from sabot.hil.table import own_time


def main(root: Path) -> None:
    """Serve the devices until nobody needs them any more."""
    if (file := own_time.of(root)).exists():
        own_time.keep(file)
    asyncio.run(import_module("sabot.hil.table.control_socket").serve(root))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
