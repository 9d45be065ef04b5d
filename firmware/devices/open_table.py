"""The check that no table is open on this machine: while one is, no technician may see a card of it.

The program that runs a table listens on a socket in the service's runtime directory for as long as it lives;
the kernel closes it with the program, however that ends. So whoever can connect has proof of a running
program, a socket file that nobody listens on is what a power cut left behind, and every other doubt counts
as an open table.
"""

import os
import socket
from pathlib import Path

RUNTIME = Path("/run/sabot")
SOCKET = "console.sock"
CONNECT_S = 0.5


def runtime_directory() -> Path:
    """Return the folder of the running program's socket: what systemd says, or the place of the service."""
    return Path(os.environ.get("RUNTIME_DIRECTORY", "").split(":")[0] or RUNTIME)


def is_table_open(directory: Path | None = None) -> bool:
    """Return whether a program with a table is running here (doubt counts as yes)."""
    path = (directory or runtime_directory()) / SOCKET
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(CONNECT_S)
        try:
            probe.connect(str(path))
        except (FileNotFoundError, NotADirectoryError, ConnectionRefusedError):
            return False
        except OSError:
            return True
    return True
