"""The hands and eyes at a simulated table: what a dealer, players and a technician do, and what they see.

Eyes miss nothing. The devices keep a diary in which every picture of the display stands, however short it
was, between the rows of what was done. People read on in it from where they are; so a prompt that came and
went while nobody looked was seen, and whether a picture is the answer to a key is no matter of time but of
order. They act on the newest. Nobody looks again and again: who waits is woken when something has changed.
"""

import json
import socket
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from sabot.hil.table import own_time

# How long somebody sits without a look where nothing changes; what a device shows changes the diary.
LOOK_S = 1.0
# Beyond every patience: whoever keeps the control socket is gone.
GONE_S = 1200.0
DISPLAY, SHOWED = "display", "showed"
Row = list[Any]


class NotSeenError(AssertionError):
    """Raised where an expected sight did not come in time; the words say what was seen instead."""


class NotListedError(NotSeenError):
    """Raised where a list does not have what was to be taken from it."""


class Picture(NamedTuple):
    """A picture of the display, without the blanks at the ends; ``row`` is its place in the diary."""

    row: int
    lines: tuple[str, str]


NO_PICTURE = Picture(-1, ("", ""))


class Hands:
    """A connection to the control socket of a simulated table."""

    def __init__(self, root: Path, patience_s: float = 5.0) -> None:
        # Whoever shows the table to people meanwhile lets them look in these pauses, and counts their time.
        self.rest: Callable[[float], None] = self.listen
        self.now: Callable[[], float] = own_time.clock_of(own_time.of(root))
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.settimeout(GONE_S)
        self._socket.connect(str(root / "control.sock"))
        self._stream = self._socket.makefile("rwb")
        self.patience_s = patience_s
        self.rows: list[Row] = []
        self._pictures: list[Picture] = []
        self._half = ["", ""]
        # The row of what was done last: what stands behind it came after it, and may be its answer.
        self.did = -1
        self.mark()

    def close(self) -> None:
        """Hang up."""
        self._stream.close()
        self._socket.close()

    def _ask(self, **what: object) -> dict[str, Any]:
        self._stream.write(json.dumps(what).encode() + b"\n")
        self._stream.flush()
        answer: dict[str, Any] = json.loads(self._stream.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    # ------------------------------------------------------------ what is done

    def do(self, device: str, action: str) -> None:
        """Do something to a device, in the words of `sabot sim`."""
        self.did = int(self._ask(device=device, do=action)["row"])

    def press(self, *keys: str) -> None:
        """Press keys of the dealer, each with a finger's time."""
        names = " ".join(f"key_{key.lower()}" for key in keys)
        self.do("lines", f"press {names}")

    def swap(self, one: str, other: str) -> None:
        """Put the cables of two devices into each other's ports."""
        self._ask(swap=[one, other])

    def program_gone(self) -> None:
        """Let ports and lines be as at a machine that was switched off: the program was killed."""
        self._ask(gone=True)

    def mark(self) -> None:
        """Take note of something done to no device: what was seen so far is no answer to it."""
        self.listen(0.0)
        self.did = len(self.rows) - 1

    # ------------------------------------------------------------ what is seen

    def see_all(self) -> dict[str, Any]:
        """Return the visible side of every device."""
        return dict(self._ask()["shows"])

    def see(self, device: str) -> dict[str, Any]:
        """Return the visible side of a device."""
        return dict(self._ask(device=device)["shows"])

    def diary(self, first: int = 0) -> list[Row]:
        """Return the rows of deeds and sights from one on: time, device, name, value, how."""
        self.listen(0.0)
        return self.rows[first:]

    def keep(self) -> dict[str, Any]:
        """Return the contents of the devices, for a table that is put away."""
        return dict(self._ask(keep=True)["kept"])

    def longest_pause_s(self) -> float:
        """Return the longest time that the devices stood still because the machine was busy."""
        return float(self._ask(pause=True)["pause"])

    def listen(self, most_s: float) -> None:
        """Read on in the diary; if there is nothing new, wait for it, at most that long."""
        here = len(self.rows)
        more = self._ask(diary=here, wait=most_s) if most_s else self._ask(diary=here)
        for row in more["diary"]:
            self._read(row)

    def _read(self, row: Row) -> None:
        """Keep a row; a picture is two rows of one time, and whole with the second."""
        self.rows.append(row)
        if row[1] == DISPLAY and row[2] in ("lines.0", "lines.1") and row[4] == SHOWED:
            number = int(row[2][-1])
            self._half[number] = str(row[3]).rstrip()
            if number:
                self._pictures.append(Picture(len(self.rows) - 1, (self._half[0], self._half[1])))

    @property
    def lines(self) -> tuple[str, str]:
        """Return the two lines of the dealer's display, without the blanks at their ends."""
        return self.newest.lines

    @property
    def newest(self) -> Picture:
        """Return the picture on the display now."""
        self.listen(0.0)
        return self._pictures[-1] if self._pictures else NO_PICTURE

    def since(self, row: int) -> list[Picture]:
        """Return the pictures behind a row of the diary, in their order."""
        count = 0
        for picture in reversed(self._pictures):
            if picture.row <= row:
                break
            count += 1
        return self._pictures[len(self._pictures) - count :]

    def before(self, row: int) -> Picture:
        """Return the picture that stood there when this was done."""
        return next((each for each in reversed(self._pictures) if each.row < row), NO_PICTURE)

    def seen(self) -> list[Picture]:
        """Return every picture since something was done, in order; the one that stands if there was none."""
        newest = self.newest
        return self.since(self.did) or [newest]

    def go_on_from(self, picture: Picture) -> None:
        """Take a picture for what somebody waited for: what comes behind it is still to be seen."""
        self.did = max(self.did, picture.row - 1)

    def wait(self, what: str, is_so: Callable[[], bool], patience_s: float | None = None) -> None:
        """Wait until something is seen; raise NotSeenError if it is not."""
        if not self.comes(is_so, patience_s or self.patience_s):
            message = f"{what} was not seen; the display shows {self.lines}"
            raise NotSeenError(message)

    def comes(self, is_so: Callable[[], bool], patience_s: float, every_s: float = LOOK_S) -> bool:
        """Wait until it is so, and return whether it came to that.

        The last look is behind the end: between a look and a glance at the clock this process may have to
        wait for the processor longer than its patience is.
        """
        end, left_s = self.now() + patience_s, patience_s
        while not is_so():
            if left_s <= 0:
                return False
            self.rest(min(every_s, left_s))
            left_s = end - self.now()
        return True

    def wait_display(self, *words: str, patience_s: float | None = None) -> None:
        """Wait until the display shows all these words, or see that it has shown them."""
        self.wait_picture(f"a display with {words}", lambda lines: _has_all(lines, words), patience_s)

    def wait_picture(
        self, what: str, is_it: Callable[[tuple[str, str]], bool], patience_s: float | None = None
    ) -> None:
        """Wait for a picture, or see that it was there since something was done last."""

        def found() -> bool:
            picture = first(self.seen(), is_it)
            if picture is not None:
                self.go_on_from(picture)
            return picture is not None

        self.wait(what, found, patience_s)

    def wait_behind(self, row: int, patience_s: float) -> bool:
        """Wait until the display shows something new behind a row, and return whether it did."""
        return self.comes(lambda: self.newest.row > row, patience_s)


def first(pictures: Iterable[Picture], is_it: Callable[[tuple[str, str]], bool]) -> Picture | None:
    """Return the first of these pictures that is it; None if none is."""
    return next((each for each in pictures if is_it(each.lines)), None)


def _has_all(lines: tuple[str, str], words: Iterable[str]) -> bool:
    return all(word in "\n".join(lines) for word in words)
