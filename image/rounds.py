"""Trials of a card from the switch-on to a whole round, on the generic machine and on a Pi 3."""

import time
from contextlib import closing

from sabot.drivers.lines.plan import LOCK_OPEN
from sabot.hil.kernel.inside.rounds import play_round
from sabot.image.emulator import ENVIRONMENT
from sabot.image.errors import ImageError
from sabot.image.outside_table import PI, VIRT, Plugs
from sabot.image.people import BoardCrew, SerialConsole
from sabot.image.raspberry import at_rest, pi
from sabot.image.stage import FIRST, GOOD, JUDGED, METHODS, Stage

SETTLED_S = 5.0


class RoundTrials(Stage):
    """Trials that end with a table at work, or its slot judged; each returns in words what was seen."""

    def pi(self) -> str:
        """Start a Pi 3 from U-Boot on: relays at rest, first boot, the slot judged, its tries given back."""
        found = self.card()
        steps = ("slot A, tries left A=2", "first boot: the state", GOOD, "OUT OF SERVICE", JUDGED)
        with pi(found, self._log) as board:
            told = [at_rest(board, board.wait(words)) for words in steps]
            # RAUC writes the variables after the slot was judged, and the card is read when the power is
            # gone.
            time.sleep(SETTLED_S)
        variables = found.variables()
        if variables.get("BOOT_A_LEFT") != "3" or "bootcmd" not in variables:
            raise ImageError(f"U-Boot's variables are others: {variables}")
        sector = found.take("firmware", ENVIRONMENT).read_bytes()[:512]
        if any(name.encode() not in sector for name in ("BOOT_A_LEFT=", "BOOT_B_LEFT=", "BOOT_ORDER=")):
            raise ImageError("what U-Boot decides by is not in one sector with its checksum")
        return "; ".join(told)

    def round(self, chapter: str = FIRST) -> str:
        """Play a first day with devices outside: READY, enrolment at the serial console, a whole round."""
        return self._round(chapter, VIRT)

    def pi_round(self, chapter: str = FIRST) -> str:
        """Play the same on a Pi 3, from U-Boot on; pads come by USB/IP."""
        return self._round(chapter, PI)

    def _round(self, chapter: str, plugs: Plugs) -> str:
        found = self.card()
        with (
            self.table(found, chapter, METHODS[chapter], plugs) as table,
            self.at(found, table) as board,
        ):
            fingerprint = board.wait(r"fingerprint [0-9a-f]{16}").removeprefix("fingerprint ")
            judged = board.wait(JUDGED)
            ready_s = board.seconds()
            if "the table is ready" not in judged:
                raise ImageError(f"the slot was not judged by its table: {judged}")
            console = SerialConsole(board)
            console.ready()
            with closing(BoardCrew(table.root, console)) as crew:
                crew.hands.wait_display("THIS BOARD'S KEY", fingerprint)
                crew.enrol_everybody(table.keys)
                crew.release_devices()
                before = len(crew.hands.diary())
                crew.follow_to("BETS OPEN")
                play_round(crew)
                opened = [row[1:4] == ["lines", LOCK_OPEN, 1] for row in crew.hands.diary()]
                if any(opened[:before]) or not any(opened):
                    raise ImageError("the lock was open before anybody played, or never")
                crew.hands.do("lines", "memory")
                used = crew.hands.see("lines")["used_kb"]
                rounds = console.rounds()
        told = f"{chapter}, rounds {rounds}; the whole system takes {used // 1024} MB"
        return f"{told}; judged after {ready_s:.0f} s of the wall"
