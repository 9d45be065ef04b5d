"""The process of a practice table's devices: ``python -m sabot.practice DIRECTORY``.

It keeps the table's own time (``sabot.hil.table.own_time``), before anything that reads a clock is imported.
"""

import asyncio
import sys
from importlib import import_module
from pathlib import Path

from sabot.hil.table import own_time


def main(root: Path) -> None:
    """Be the devices until nobody wants them."""
    own_time.keep(own_time.of(root))
    watched = import_module("sabot.practice.devices").Watched
    asyncio.run(import_module("sabot.hil.table.control_socket").serve(root, watched))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
