"""A simulated bus or chip at the end of a socket, which knows whether a program that died has let go of it.

A kernel closes all that a program had open before anybody hears that the program has ended. Here a thread has
to see the end of each connection, and on a busy machine it sees it late: the program that is started next
would find its pads used by another.
"""

import select
import threading
from contextlib import suppress
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingUnixStreamServer
from typing import Any


class FarEnd(ThreadingUnixStreamServer):
    """The far end of a socket; ``serve`` returns at once."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, path: str, handler: type[BaseRequestHandler]) -> None:
        with suppress(FileNotFoundError):
            Path(path).unlink()
        super().__init__(path, handler)
        self._served: set[Any] = set()

    def serve(self) -> None:
        """Answer in a thread of its own until ``shutdown``."""
        name = type(self).__name__
        threading.Thread(target=self.serve_forever, args=(0.05,), name=name, daemon=True).start()

    def process_request(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - the library's
        """Serve a connection in a thread of its own."""
        self._served.add(request)
        super().process_request(request, client_address)

    def shutdown_request(self, request: Any) -> None:  # noqa: ANN401 - the library's
        """Forget a connection whose handler has let go of everything."""
        self._served.discard(request)
        super().shutdown_request(request)

    @property
    def serves_the_dead(self) -> bool:
        """Return whether a connection that has no other end any more has still to be cleared away."""
        looked = select.poll()
        for request in tuple(self._served):
            if request.fileno() >= 0:
                looked.register(request, 0)  # POLLHUP is told unasked
        return bool(looked.poll(0))
