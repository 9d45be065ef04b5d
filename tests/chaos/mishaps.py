"""What chaos is made of: mishaps by name, each with how it begins and how it ends, drawn by a seeded hand.

A mishap is begun while people play and ended when they have had enough of it; several are under way at once.
What begins it may not raise because the table answers badly, only where the rig itself is broken.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from sabot.hil.table.hands import Hands
from tests.chaos.console_abuse import ABUSES

if TYPE_CHECKING:
    import random

    from tests.chaos.stage import Stage

End = Callable[[], None]
Begin = Callable[["Stage", "random.Random"], End]
STALLING = Path(__file__).resolve().parents[2] / "bench" / "jobs" / "stalling.py"
BURNING = "while True: sum(range(10_000))"
HOARDING = "import time; kept = bytearray(200_000_000); kept[::4096] = kept[::4096]; time.sleep(600)"
FLOOD_BYTES, STORM_EDGES, ABUSE_BYTES = 300_000, 3000, 1_000_000
SERIAL = ("shoe", "shuffler", "sign", "display")
DAY_S = 86_400.0
LATE_SPOT, LATE_CENTS = 1, 2500


def _nothing() -> None:
    """It is over by itself."""


def _device(name: str, begin: str, end: str = "") -> Begin:
    """An action of a simulator, and the one that ends it."""

    def at_work(stage: Stage, _dice: random.Random) -> End:
        stage.crew.hands.do(name, begin)
        return (lambda: stage.crew.hands.do(name, end)) if end else _nothing

    return at_work


def _unplugged(name: str) -> Begin:
    return _device(name, "unplug", "plug")


def _rough(name: str, what: str, **more: object) -> Begin:
    """Noise from a connection of its own, beside whoever plays."""

    def at_work(stage: Stage, dice: random.Random) -> End:
        stage.crew.hands.see(name)  # not every table has it

        def throw() -> None:
            hands = Hands(stage.root)
            with suppress(OSError, ValueError):  # a device that is pulled meanwhile takes no more noise
                hands._ask(device=name, rough=what, seed=dice.random(), **more)
            hands.close()

        thread = threading.Thread(target=throw, daemon=True)
        thread.start()
        return lambda: thread.join(60)

    return at_work


def _refused_and_counted(stage: Stage, _dice: random.Random) -> End:
    """A chip comes after the lock where none lay, and the pad counts it; in the end it is lifted."""
    pads = stage.crew.hands.see("pads")
    if pads["cents"][LATE_SPOT] or not pads["locked"] >> LATE_SPOT & 1:
        message = f"nothing would be refused on spot {LATE_SPOT}"
        raise ValueError(message)

    def lift() -> None:
        stage.crew.hands.do("pads", f"chips {LATE_SPOT} 0")

    stage.crew.hands.do("pads", f"chips {LATE_SPOT} {LATE_CENTS}")
    try:
        stage.crew.hands.do("pads", f"lie {LATE_SPOT}")
    except ValueError:  # the dealer's hand was expected there
        lift()
        raise
    return lift


def _lines_vanish(stage: Stage, _dice: random.Random) -> End:
    stage.crew.hands.do("lines", "vanish")
    return lambda: _ignored(stage.rough("lines", "back"))


def _killed(stage: Stage, _dice: random.Random) -> End:
    stage.kill()
    return _nothing


def _stopped(stage: Stage, dice: random.Random) -> End:
    """The process is not run for a while; pads lock by themselves after a second of that."""
    if stage.is_running:
        os.kill(stage.pid, signal.SIGSTOP)
        time.sleep(dice.uniform(0.1, 2.5))
        os.kill(stage.pid, signal.SIGCONT)
    return _nothing


def _process(*order: str) -> Begin:
    """Something that runs beside the table."""

    def at_work(stage: Stage, _dice: random.Random) -> End:
        words = [word.format(root=stage.root) for word in order]
        running = subprocess.Popen(
            [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

        def end() -> None:
            running.kill()
            running.wait()

        return end

    return at_work


def _clock(stage: Stage, dice: random.Random) -> End:
    stage.set_wall(dice.uniform(-30, 30) * DAY_S, is_set=dice.random() < 0.5)
    return _nothing


def _abuse(name: str) -> Begin:
    def at_work(stage: Stage, _dice: random.Random) -> End:
        abuse = ABUSES[name](stage.root / "console.sock", ABUSE_BYTES)
        thread = abuse.__enter__()

        def end() -> None:
            thread.join(60)
            abuse.__exit__(None, None, None)

        return end

    return at_work


def _ignored(_answer: object) -> None:
    """An answer that nobody needs."""


MISHAPS: Mapping[str, Begin] = {
    **{f"{name} unplugged": _unplugged(name) for name in (*SERIAL, "pads")},
    **{f"{name} flooded": _rough(name, "flood", bytes=FLOOD_BYTES) for name in (*SERIAL, "pads")},
    "keys in a storm": _rough("lines", "storm", lines=["key_back"], edges=STORM_EDGES),
    "chip vanishes": _lines_vanish,
    "shuffler lies about its count": _device("shuffler", "lie count 1", "lie off"),
    "shuffler lies about its digest": _device("shuffler", "lie digest", "lie off"),
    "shuffler tells an order": _device("shuffler", "lie order", "lie off"),
    "shuffler jams": _device("shuffler", "jam"),
    "shuffler is silent": _device("shuffler", "silent on", "silent off"),
    "shuffler forges": _device("shuffler", "forge on", "forge off"),
    "shuffler replays": _device("shuffler", "replay"),
    "shuffler loses power": _device("shuffler", "reboot"),
    "frames of the shuffler are bent": _device("shuffler", "spoil flip flip flip"),
    "frames of the shuffler come twice": _device("shuffler", "spoil twice twice twice"),
    "shuffler is set to sort": _device("shuffler", "mode sort", "mode play"),
    "card not read": _device("shoe", "unread"),
    "card face up": _device("shoe", "faceup"),
    "card sent again": _device("shoe", "again"),
    "report of a card lost": _device("shoe", "lose 7h"),
    "shoe in error": _device("shoe", "error 41"),
    "shoe hears nothing": _device("shoe", "mute on", "mute off"),
    "shoe lies about its lock": _device("shoe", "lie on", "lie off"),
    "shoe starts anew": _device("shoe", "start"),
    "reports of the pads damaged": _device("pads", "crc"),
    "reports of the pads forged": _device("pads", "mac"),
    "pads are mute": _device("pads", "mute", "speak"),
    "pads lose power": _device("pads", "restart"),
    "pads leave numbers out": _device("pads", "jump 5"),
    "a sensor is blind": _device("pads", "blind 0", "see 0"),
    "pads ignore the lock": _device("pads", "liar lock", "honest"),
    "a refused chip is counted": _refused_and_counted,
    "pads stall": _device("pads", "stall in"),
    "sign is wiped": _device("sign", "wipe"),
    "sign is mute": _device("sign", "mute on", "mute off"),
    "display loses power": _device("display", "power"),
    "clock jumps": _clock,
    "program killed": _killed,
    "program not run": _stopped,
    "disk stalls": _process(str(STALLING), "{root}/journal.db"),
    "processors busy": _process("-c", BURNING),
    "memory short": _process("-c", HOARDING),
    **{f"console: {name}": _abuse(name) for name in ABUSES},
}
