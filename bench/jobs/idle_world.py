"""One simulated device of each kind; it says where each is, and lives until its input ends."""

import asyncio
import json
import sys
from pathlib import Path

from sabot.hil.simulators.device_kinds import KINDS


async def main() -> None:
    """Start them, and wait."""
    folder = Path(sys.argv[1])
    running = {
        name: kind.start(folder / name, 1, {each.name: each.default for each in kind.choices})
        for name, kind in KINDS.items()
    }
    print(json.dumps({name: [each.where, each.key] for name, each in running.items()}), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    for each in running.values():
        each.close()


if __name__ == "__main__":
    asyncio.run(main())
