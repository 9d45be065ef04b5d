"""The controller of a practice table: the real program in a process of its own, and the switch of its power.

The program is started as its service starts it and told nothing but by signals. Where it ends by itself, as
it does after a slip, it is started again, as its service would. Hours pass as they do on the rig: it is
stopped in good order and comes back with every clock ahead. It lives in the time of the table, which stands
still while a busy machine lets it wait, so nothing here goes wrong that nobody did.
"""

import asyncio
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

HOUR_S, STOP_S, AGAIN_S = 3600.0, 20.0, 1.0
SIGNALS = {"cut": signal.SIGKILL, "stop": signal.SIGTERM}


class PracticeBoard:
    """The program's process; ``changed`` is called when it comes or goes."""

    def __init__(self, root: Path, changed: Callable[[], None]) -> None:
        self.root, self._changed = root, changed
        self.is_wanted, self.offset_s, self.starts = False, 0.0, 0
        self._process: asyncio.subprocess.Process | None = None
        self._watching: asyncio.Task[None] | None = None

    @property
    def is_on(self) -> bool:
        """Return whether the program runs."""
        return self._process is not None and self._process.returncode is None

    @property
    def console(self) -> Path:
        """Return the path of the socket that consoles connect to."""
        return self.root / "console.sock"

    async def on(self) -> None:
        """Switch the program on."""
        if self.is_on:
            return
        self.is_wanted = True
        # A cut leaves the socket's file behind, and whoever waits for the console would knock at that one.
        self.console.unlink(missing_ok=True)
        # The process that keeps the table's own time runs the program: a clock
        # cannot be changed from outside.
        in_own_time = ("-Im", "sabot.hil.table.own_time", str(self.root), str(self.offset_s))
        with (self.root / "program.log").open("ab") as log:
            self._process = await asyncio.create_subprocess_exec(
                *(sys.executable, *in_own_time, "run", str(self.root / "table.toml")),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                # Ctrl-C at the terminal is for the server; the program hears of its end by SIGTERM.
                start_new_session=True,
            )
        self.starts += 1
        self._watching = asyncio.create_task(self._watch(self._process))
        self._changed()

    async def off(self, how: str) -> None:
        """Cut the program's power (``cut``), or stop it in good order (``stop``)."""
        # First of all: the watcher below takes the end of a wanted program for a slip and starts it again.
        self.is_wanted = False
        if self._process is None or not self.is_on:
            return
        with suppress(ProcessLookupError):
            self._process.send_signal(SIGNALS[how])
        try:
            await asyncio.wait_for(self._process.wait(), STOP_S)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        if self._watching is not None:
            await self._watching

    async def pass_hours(self, hours: float) -> None:
        """Stop the program in good order, and start it again that many hours later."""
        await self.off("stop")
        self.offset_s += hours * HOUR_S
        await self.on()

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Start the program again when it has ended by itself."""
        await process.wait()
        self._changed()
        if self.is_wanted:
            # As long as its service waits; a power switch may have been turned meanwhile.
            await asyncio.sleep(AGAIN_S)
            if self.is_wanted:
                await self.on()
