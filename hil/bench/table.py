"""The process of the devices of a bench: ``python -m sabot.hil.bench.table DIRECTORY``.

It is the process of a simulated table (`sabot.hil.table`) with other wires: the same files, the same socket.
"""

import asyncio
import sys
from pathlib import Path

from sabot.hil.bench.wires import BenchWorld
from sabot.hil.table.control_socket import serve

if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1]), BenchWorld))
