"""Where signed orders are handed in: a Unix socket of the service, a line there and a line back.

Who may knock is a matter of the socket's rights, who may order is one of signatures alone. An order is
answered after the commit; whoever hears nothing hands it in again, for it counts once.
"""

import json
import os
import socketserver
import sys
from concurrent.futures import TimeoutError as NotYet
from contextlib import suppress
from pathlib import Path
from socket import AF_UNIX, SOCK_STREAM, socket
from threading import Thread
from typing import Any, cast

from sabot.floor import order_file
from sabot.floor.committer import Committer
from sabot.floor.entry import FloorEntry
from sabot.floor.errors import FloorError
from sabot.floor.order_file import OrderFile
from sabot.rules.errors import SabotError

RIGHTS = 0o660
PATIENCE_S = 20.0
Said = dict[str, Any]


class OrderSocket(socketserver.ThreadingUnixStreamServer):
    """The socket of a service."""

    daemon_threads = True

    def __init__(self, path: Path, committer: Committer) -> None:
        self._path, self.committer = path, committer
        try:
            # Of a service that was killed: nobody listens there. No other file is anybody's to remove.
            if path.is_socket():
                path.unlink()
            super().__init__(str(path), _Visit)
            path.chmod(RIGHTS)
        except OSError as error:
            raise FloorError("E-FLOOR-021", str(path), why=error.strerror or error) from error
        Thread(target=self.serve_forever, name="office", daemon=True).start()

    def close(self) -> None:
        """Take no more orders, and remove the socket."""
        self.shutdown()
        self.server_close()
        with suppress(OSError):
            self._path.unlink()

    def handle_error(self, request: Any, client_address: object) -> None:  # noqa: ANN401 (as the library has it)
        """Pass over a client that hung up, of whose order nothing is lost; print anything else: our slip."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Visit(socketserver.StreamRequestHandler):
    """Somebody who hands in an order."""

    timeout = PATIENCE_S

    def handle(self) -> None:
        """Take one order, and answer what became of it."""
        line = self.rfile.readline(order_file.LONGEST).decode(errors="replace")
        office = cast("OrderSocket", self.server)
        self.wfile.write(json.dumps(_carried_out(office.committer, line)).encode() + b"\n")


def _carried_out(committer: Committer, line: str) -> Said:
    try:
        order = order_file.parse(line, "order")
        entry = committer.order(order.body, order.signatures).result(PATIENCE_S)
    except SabotError as error:
        return {"error": str(error)}
    except NotYet:
        return {"error": str(FloorError("E-FLOOR-013", "order", why="its commit takes long"))}
    assert isinstance(entry, FloorEntry)
    return {"entry": entry.number, "link": entry.link.hex(), "outcome": json.loads(entry.outcome)}


def hand_in(path: Path, order: OrderFile) -> Said:
    """Hand an order to the service at this socket; return its entry, or why there is none under ``error``."""
    with socket(AF_UNIX, SOCK_STREAM) as line:
        try:
            # Longer than the service waits for its commit: it should say itself that it does not know.
            line.settimeout(PATIENCE_S + 5)
            line.connect(os.fspath(path))
            # One line is one order. JSON has no line break within a text, so a blank may stand for each.
            line.sendall(order.text().replace("\n", " ").encode() + b"\n")
            with line.makefile("rb") as file:
                said = file.readline()
        except OSError as error:
            raise FloorError("E-FLOOR-021", str(path), why=error.strerror or error) from error
    if not said:
        raise FloorError("E-FLOOR-021", str(path), why="the service ended before it answered")
    found: Said = json.loads(said)
    return found
