"""Every fault of a link, of USB and of a line at a table in play, and the way back that people have."""

# Each check lets something fail under a table in play. Where the program must hold it the relay is seen to be
# locked, people put right what failed, and go on by what the display says, until wagers are open again.

import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from sabot.firmware.journal import store
from sabot.hil.kernel import live_table
from sabot.hil.kernel.inside.floor import OPEN, MachineFloor, wait_for_shuffler
from sabot.hil.kernel.inside.holder import AGAIN
from sabot.hil.kernel.inside.report import Check, expect, run, wait_until
from sabot.hil.kernel.inside.rounds import CENTS, play_round

CHAPTER, METHOD = "pa641a", "manual_shoe"
BOUNCES = 9


class Faults(MachineFloor):
    """One table that meets every fault."""

    def __init__(self, program: live_table.Running) -> None:
        super().__init__(program.root)
        self.program = program

    def checks(self) -> Mapping[str, Check]:
        """Return the checks, in their order; each begins and ends with wagers open."""
        serial = ("display", "shoe", "shuffler", "sign")
        devices = self.crew.hands.see_all()
        return {
            **{f"fault-unplug-{name}": partial(self.lose, name) for name in serial if name in devices},
            "fault-unplug-pads": partial(self.lose, "pads"),
            "fault-cut-pads": partial(self.lose, "pads", how="cut"),
            "fault-stall-pads": self.stall,
            "fault-bounce-lock": self.bounce,
            "fault-door": partial(self.line, "door"),
            "fault-lock-wire": partial(self.line, "lock_at_rest"),
            "fault-shoe-in-a-round": self.in_a_round,
            # These two end the program, so they come last.
            "fault-chip-gone": self.chip_gone,
            "fault-killed": self.killed,
        }

    # ---------------------------------------------------------------- links

    def lose(self, device: str, how: str = "unplug") -> str:
        """Pull a cable, and plug it in again."""
        wait_for_shuffler(self.crew)
        hands = self.crew.hands
        hands.do(device, how)
        took_s = wait_until(f"the loss of {device}", lambda: bool(self.held(device)))
        faults = self.held(device)
        wait_until("the lock", self.is_locked)
        hands.do(device, "plug")
        wait_until(f"{device} again", lambda: self.is_up(device), live_table.START_S)
        self.open_again()
        expect("what still holds the table", self.ask("faults"), [])
        return f"{' '.join(faults)}, seen in {took_s:.2f} s"

    def stall(self) -> str:
        """Halt endpoints twice each, and play a round over it."""
        for way in ("in", "out"):
            self.crew.hands.do("pads", f"stall {way} 2")
        play_round(self.crew)
        expect("what holds the table", self.ask("faults"), [])
        return "a round over halts of both endpoints"

    def in_a_round(self) -> str:
        """Lose the shoe between two cards; the round must go on where it stood."""
        crew, hands = self.crew, self.crew.hands
        crew.bet(0, CENTS)
        hands.wait_display("1 SEATS")
        hands.press("LOCK")
        crew.follow_to("CARD 1 TO")
        first = hands.lines
        crew.draw()
        hands.wait("the next card", lambda: hands.lines != first)
        hands.do("shoe", "unplug")
        hands.wait_display("HELD")
        hands.do("shoe", "plug")
        wait_until("the shoe again", lambda: self.is_up("shoe"), live_table.START_S)
        crew.floor("RELEASE")
        hands.wait("the round again", lambda: not hands.lines[0].startswith("HELD"))
        where = hands.lines
        crew.follow_to("CARDS TO RACK")
        crew.follow_to(OPEN)
        return f"went on at {' '.join(where)}"

    # ---------------------------------------------------------------- lines

    def bounce(self) -> str:
        """Press a worn lock-out button: it locks once, and the round goes its way."""
        crew, hands = self.crew, self.crew.hands
        crew.bet(0, CENTS)
        hands.wait_display("1 SEATS")
        hands.do("lines", f"bounce key_lock {BOUNCES}")
        wait_until("the lock", self.is_locked)
        crew.follow_to("CARDS TO RACK")
        crew.follow_to(OPEN)
        return f"{BOUNCES} bounces each way; {self.locks()} locks since the start"

    def line(self, name: str) -> str:
        """Open a contact that is closed at rest, and close it again."""
        self.crew.hands.do("lines", f"hold {name}")
        wait_until(f"the fault of {name}", lambda: bool(self.held("lines")))
        faults = self.held("lines")
        wait_until("the lock", self.is_locked)
        self.crew.hands.do("lines", f"let {name}")
        self.ask("retest lines")
        self.open_again()
        return " ".join(faults)

    # ---------------------------------------------------------------- the program ends

    def chip_gone(self) -> str:
        """Take the chip away: the program must say so and end, for only a new process gets the lines back."""
        wait_for_shuffler(self.crew)
        self.crew.hands.do("lines", "vanish")
        expect("exit code", self.program.ended(), AGAIN)
        self.crew.hands.do("lines", "back")
        return self.start_again()

    def killed(self) -> str:
        """Kill the program without a word."""
        wait_for_shuffler(self.crew)
        self.program.kill()
        wait_until("the lock", self.is_locked)
        return self.start_again()

    def start_again(self) -> str:
        """Start the service again, and check that the table is as it was."""
        before = store_last(self.program.root)
        self.program.start()
        self.crew.hands.wait("a display", lambda: bool(self.crew.hands.lines[0]))
        self.open_again()
        expect("entries were lost", store_last(self.program.root) < before, wanted=False)
        return f"{before} entries, all there"


def store_last(root: Path) -> int:
    """Return the newest entry of the journal."""
    db = store.open_for_reading(root / "journal.db")
    try:
        return store.last_of(db)[0]
    finally:
        db.close()


def main() -> int:
    """Run all checks at one table."""
    root = Path("t").resolve()
    with live_table.table(root, CHAPTER, METHOD) as program:
        floor = Faults(program)
        code = run({name: _telling(floor, check) for name, check in floor.checks().items()})
        floor.crew.close()
    return code


def _telling(floor: Faults, check: Check) -> Callable[[], str | None]:
    def telling() -> str | None:
        try:
            return check()
        except Exception as error:
            raise AssertionError(f"{error}; {floor.lately()}; log: {floor.program.said()}") from error

    return telling


if __name__ == "__main__":
    sys.exit(main())
