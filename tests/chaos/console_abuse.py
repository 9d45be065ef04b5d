"""Clients of the console that mean no good: each by name, on a thread of its own, until it has done its worst.

None of them speaks the page of the console for longer than it must. They take what the socket gives them:
being dropped is what they are to meet.
"""

from __future__ import annotations

import random
import socket
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from pathlib import Path

BLOCK = 65_536
STATUS = b'{"id":1,"do":["status"]}\n'
WATCH = b'{"id":1,"do":["watch"]}\n'
CONNECTIONS = 40
GIVES_UP_S = 20.0


def connected(path: Path) -> socket.socket:
    """A connection that gives up after a while."""
    client = socket.socket(socket.AF_UNIX)
    client.settimeout(GIVES_UP_S)
    client.connect(str(path))
    return client


def noise(path: Path, count: int) -> None:
    """So many bytes that mean nothing, over as many connections as it takes; most are dropped at once."""
    draws, sent = random.Random(path.name), 0
    while sent < count:
        with connected(path) as client, suppress(OSError):
            while sent < count:
                block = draws.randbytes(BLOCK)
                sent += len(block)
                client.sendall(block)


def flood(path: Path, count: int) -> None:
    """Good commands without a pause, and no answer is read."""
    for _ in range(CONNECTIONS):
        with connected(path) as client, suppress(OSError):
            client.settimeout(0.5)
            client.sendall(STATUS * (count // CONNECTIONS // len(STATUS)))


def half_lines(path: Path, _count: int) -> None:
    """Lines that are never ended."""
    for _ in range(CONNECTIONS):
        with connected(path) as client, suppress(OSError):
            client.sendall(b'{"id":1,"do":["' + b"a" * 2000)


def never_reads(path: Path, _count: int) -> None:
    """A live screen and long answers that nobody looks at."""
    with connected(path) as client, suppress(OSError):
        client.sendall(WATCH)
        while client.recv(BLOCK, socket.MSG_PEEK):
            threading.Event().wait(0.1)
            client.sendall(STATUS)


def dies(path: Path, _count: int) -> None:
    """Gone in the middle of an answer, again and again."""
    for _ in range(CONNECTIONS):
        with connected(path) as client, suppress(OSError):
            client.sendall(b'{"id":1,"do":["events","1000"]}\n')
            client.recv(10)


def _on_a_thread(
    abuse: Callable[[Path, int], None],
) -> Callable[[Path, int], AbstractContextManager[threading.Thread]]:
    @contextmanager
    def at_work(path: Path, count: int) -> Iterator[threading.Thread]:
        thread = threading.Thread(target=abuse, args=(path, count), name=abuse.__name__, daemon=True)
        thread.start()
        yield thread

    return at_work


ABUSES: Mapping[str, Callable[[Path, int], AbstractContextManager[threading.Thread]]] = {
    each.__name__.replace("_", " "): _on_a_thread(each)
    for each in (noise, flood, half_lines, never_reads, dies)
}
