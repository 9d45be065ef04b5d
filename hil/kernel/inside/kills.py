"""Rounds on a disk, for a machine whose power is cut while they are played: ``prepare``, then ``play``.

What a person at the table saw is said on the console as it is seen: a round that was over, and the newest
entry that another program can read, which it can only when it was on the medium. ``play`` never ends by
itself.
"""

import json
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

from sabot.firmware.journal import store
from sabot.hil.kernel import live_table
from sabot.hil.kernel.inside.floor import wait_for_shuffler
from sabot.hil.kernel.inside.report import command, result, say, wait_until
from sabot.hil.kernel.inside.rounds import play_round
from sabot.hil.table.crew import Crew

DISK, MOUNT = "/dev/vda", Path("/mnt/state")
ROOT = MOUNT / "t"
CHAPTER, METHOD = "pa641a", "auto_shoe"
MEMORY = ("in_play", "loaded", "_lots")
LOOK_S = 0.005


def mount() -> None:
    """Mount the disk, with whatever a cut has left on it."""
    wait_until("the disk", lambda: Path(DISK).exists())
    MOUNT.mkdir(parents=True, exist_ok=True)
    command("mount", "-t", "ext4", DISK, str(MOUNT))


def prepare() -> None:
    """Bring a table to open wagers on the disk, and put it away in good order."""
    with live_table.table(ROOT, CHAPTER, METHOD) as program:
        crew = _crew()
        crew.follow_to("BETS OPEN")
        play_round(crew)
        # A shuffler that loses its power in the middle of a shuffle wants people to look at it first.
        wait_for_shuffler(crew)
        memory = {name: getattr(crew, name) for name in MEMORY}
        (ROOT / "memory.json").write_text(json.dumps(memory), encoding="utf-8")
        world = json.loads((ROOT / "world.json").read_text(encoding="utf-8"))
        world["found"] = crew.hands.keep()
        (ROOT / "world.json").write_text(json.dumps(world), encoding="utf-8")
        crew.close()
        program.stop()
    for name in ("console.sock", "control.sock"):
        # Whoever plays on waits for these files to appear.
        (ROOT / name).unlink(missing_ok=True)


def play() -> None:
    """Play round after round, forever."""
    with live_table.running(ROOT):
        crew = _crew()
        for name, value in json.loads((ROOT / "memory.json").read_text(encoding="utf-8")).items():
            setattr(crew, name, value)
        crew.follow_to("BETS OPEN")
        threading.Thread(target=_tell_entries, daemon=True).start()
        say("PLAYING")
        for number in range(1, 1_000_000):
            play_round(crew)
            say(f"ROUND {number}")


def _crew() -> Crew:
    crew = Crew(ROOT)
    crew.hands.patience_s = live_table.PATIENCE_S
    return crew


def _tell_entries() -> None:
    """Print the newest entry that can be read, whenever it is another."""
    told = 0
    # Another connection sees an entry only when it is committed, that is on the medium.
    with closing(store.open_for_reading(ROOT / "journal.db")) as db:
        while True:
            number, link = store.last_of(db)
            if number != told:
                told = number
                say(f"ENTRY {number} {link.hex()}")
            time.sleep(LOOK_S)


def main() -> int:
    """Do what the first argument says: ``prepare``, or ``play``."""
    mount()
    if sys.argv[1] == "play":
        play()
    began = time.monotonic()
    prepare()
    command("umount", str(MOUNT))
    result("kills-prepare", began, is_good=True, words=f"{CHAPTER} {METHOD}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
