"""The whole program beside its simulated devices: how soon it is ready, what it holds, what it takes idle.

The devices are in another process, there before the program starts. Ready is what the service manager is
told. Idle is the program's process alone: it asks its devices, looks at its lines and waits.
"""

import board
from figure import Figure
from fresh import run_job

TITLE = "the whole program, `sabot run TABLE.toml`, simulated devices in another process"
MOST_READY_MS, MOST_MB, MOST_IDLE_PERCENT = 400.0, 48.0, 0.5
CHAPTER, METHOD = "pa641a", "manual_shoe"


def measure(*, quick: bool) -> list[Figure]:
    """Some starts on a new journal and on its own, then a while in which nothing happens."""
    starts, idles, idle_s = (3, 1, 5) if quick else (10, 2, 30)
    python, is_board = board.interpreter()
    found = run_job("program_at_work", python, CHAPTER, METHOD, starts, idles, idle_s)
    note = f"{found['devices']} devices; {board.NOTES[is_board]}"
    return [
        Figure("exec to READY=1 (wall)", "ms", tuple(found["ready_ms"]), MOST_READY_MS, note),
        Figure("of that on the processor, all threads", "ms", tuple(found["processor_ms"])),
        Figure("a bare interpreter, exec to its end (wall)", "ms", tuple(found["bare_ms"])),
        Figure("resident once ready and all devices up", "MB", tuple(found["resident_mb"]), MOST_MB),
        Figure(
            f"processor, idle for {idle_s} s",
            "%",
            tuple(found["idle_percent"]),
            MOST_IDLE_PERCENT,
            "lines and pads reach their devices through a socket and JSON, which is counted with them",
        ),
        *(
            Figure(f"  of that the thread {name}", "%", tuple(shares))
            for name, shares in found["threads"].items()
        ),
    ]
