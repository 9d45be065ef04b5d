"""The process of a table outside an emulated board: ``python -m sabot.hil.board.table DIRECTORY``."""

import asyncio
import sys
from pathlib import Path

from sabot.hil.board.world import BoardWorld
from sabot.hil.table.control_socket import serve

if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), BoardWorld))
