"""Serve a serial port over the network: ``python -m sabot.hil.bench.serial_server DIRECTORY PORT``.

What ser2net does on the computer of a rig: whoever connects to the port has the bytes of the line. The line
is a pseudo-terminal, ``DIRECTORY/console.tty``, which stays when the controller loses its power, as the
adapter of a rig does. Port 0 takes any free one; the first line on standard output says which.
"""

import asyncio
import os
import pty
import sys
import tty
from contextlib import suppress
from pathlib import Path

from sabot.hil.bench.switch import SERIAL

CHUNK = 4096


class SerialServer:
    """One line, and whoever is connected to it."""

    def __init__(self, path: Path) -> None:
        # The other end stays open here too, so that the line outlives whoever uses it.
        self._master, self._slave = pty.openpty()
        # A port of bytes: no echo, and no line end turned into another.
        tty.setraw(self._master)
        path.unlink(missing_ok=True)
        path.symlink_to(os.ttyname(self._slave))
        self._path = path
        self._writers: set[asyncio.StreamWriter] = set()

    async def serve(self, port: int) -> asyncio.Server:
        """Listen on this machine."""
        asyncio.get_running_loop().add_reader(self._master, self._from_line)
        return await asyncio.start_server(self._connected, "127.0.0.1", port)

    def _from_line(self) -> None:
        data = os.read(self._master, CHUNK)
        for writer in self._writers:
            writer.write(data)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(OSError, asyncio.CancelledError):
            while (data := await reader.read(CHUNK)) and writer in self._writers:
                os.write(self._master, data)
        self._writers.discard(writer)
        writer.close()

    def close(self) -> None:
        """Take the adapter away, with whoever is connected to it."""
        self._path.unlink(missing_ok=True)
        asyncio.get_running_loop().remove_reader(self._master)
        while self._writers:
            self._writers.pop().close()
        os.close(self._slave)
        os.close(self._master)


async def main(root: Path, port: int) -> None:
    """Serve until standard input ends."""
    line = SerialServer(root / SERIAL)
    server = await line.serve(port)
    print(server.sockets[0].getsockname()[1], flush=True)  # noqa: T201 - for who started it
    await asyncio.to_thread(sys.stdin.buffer.read)
    server.close()
    line.close()


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
