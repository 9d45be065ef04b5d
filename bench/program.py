"""The whole program beside its simulated devices: how soon it is ready, what it holds, what it takes idle.

The devices are in another process, there before the program starts. Ready is what the service manager is
told. Idle is the program's process alone: it asks its devices, looks at its lines and waits.
"""

import board
from figure import Figure, ratio
from fresh import run_job

TITLE = "the whole program, `sabot run TABLE.toml`, simulated devices in another process"
MOST_STARTS, MOST_MB, MOST_WAKES = 24.0, 45.0, 40.0
CHAPTER, METHOD = "pa641a", "manual_shoe"


def measure(*, quick: bool) -> list[Figure]:
    """Some starts on a new journal and on its own, then a while in which nothing happens."""
    starts, idles, idle_s = (3, 1, 5) if quick else (10, 2, 30)
    python, is_board = board.interpreter()
    found = run_job("program_at_work", python, CHAPTER, METHOD, starts, idles, idle_s)
    note = f"{found['devices']} devices; {board.NOTES[is_board]}"
    ready = Figure("exec to READY=1 (wall)", "ms", tuple(found["ready_ms"]), None, note)
    bare = Figure("a bare interpreter, exec to its end (wall)", "ms", tuple(found["bare_ms"]))
    return [
        ready,
        Figure("of that on the processor, all threads", "ms", tuple(found["processor_ms"])),
        bare,
        ratio("exec to READY=1 / a bare interpreter", ready, bare, MOST_STARTS),
        Figure("resident once ready and all devices up", "MB", tuple(found["resident_mb"]), MOST_MB),
        Figure(
            f"wake-ups a second of all threads at rest, for {idle_s} s",
            "a second",
            tuple(found["wakes_a_second"]),
            MOST_WAKES,
            "lines in the program's own process; pads behind a socket, which is counted with them",
        ),
        Figure(f"processor, idle for {idle_s} s", "%", tuple(found["idle_percent"])),
        *(
            Figure(f"  of that the thread {name}", "%", tuple(shares))
            for name, shares in found["threads"].items()
        ),
    ]
