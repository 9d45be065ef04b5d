"""The process of a table behind kernel devices: ``python -m sabot.hil.kernel.table DIRECTORY``.

It is the process of a simulated table (`sabot.hil.table`) with other wires: the same files, the same
socket.
"""

import asyncio
import sys
from pathlib import Path

from sabot.hil.kernel.world import KernelWorld
from sabot.hil.table.control_socket import serve

if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), KernelWorld))
