"""What it costs to have every device connected while nothing happens: questions, heartbeats, looks.

Each driver is on its own simulated device, in another process. The pads and the lines reach theirs through a
socket and JSON, which is dearer than a transfer of libusb or an edge of the kernel, and counted with them.
"""

from figure import Figure
from fresh import run_job

TITLE = "idle: every device connected, nothing happening (processor time of the drivers' process)"
DRIVERS = ("alpha", "angel-eye", "escpos", "sabot-accounts", "sabot-link", "sabot-pads", "lines")


def measure(*, quick: bool) -> list[Figure]:
    """All together, then each by itself."""
    turns, seconds = (1, 3) if quick else (3, 10)
    every = [run_job("idle_drivers", seconds) for _ in range(turns)]
    alone = {name: run_job("idle_drivers", seconds, name)["percent"] for name in DRIVERS}
    note = (
        f"{every[0]['devices']} devices; the table, its journal and the interpreter's start are no part of it"
    )
    together = Figure("all together", "%", tuple(each["percent"] for each in every), None, note)
    return [together, *(Figure(f"{name} alone", "%", (percent,)) for name, percent in alone.items())]
