"""A round played by hand as a scenario for the rig: a lab's finding becomes a test.

The devices' diary has every key, chip, card and cable in its order, and every picture of the display between
them. Each deed becomes a step, and before it stands the picture that the player saw then: the rig waits for
it, and falls short where another one comes. Cards come out as they came out.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sabot.hil.scenarios.scenario_file import BETS_OPEN, FRESH
from sabot.hil.table.hands import Row

DID, SHOWED = "did", "showed"
OPEN_WORDS = "BETS OPEN"
FINGER = re.compile(r"(hold|let|press) key_(\w+)")
KEY_SWITCH = "key_switch"
CABLES = {"unplug": "pull cable", "plug": "plug in"}
# What the page itself tells its machine at the start is no deed.
OWN = frozenset({"lift never"})
# What has rows of its own and is no device; who sits at a console, by the first digit of the number.
POWER, CONSOLE = "power", "console"
DESKS = {"2": "floor", "3": "technician"}


class StoryTold(NamedTuple):
    """A table, as far as a scenario needs to know it."""

    chapter: str
    method: str
    spots: Sequence[str]
    is_machine: bool


def story(told: StoryTold, rows: Sequence[Row], name: str, *, whole: bool = False) -> str:
    """Return what was done, as a scenario, since bets opened for the newest round or from the start."""
    opens = _opens(rows)
    first = 0 if whole else _begins(rows, opens)
    taken = ["shoe: lift never"] if told.is_machine else []
    lines = [*taken, *_steps(told, rows, first, opens), *_end(rows)]
    return "\n".join(
        (
            "# Saved at the practice table. NOT FOR PLAY.",
            "[[scenario]]",
            f"name = {_quoted(name)}",
            'paragraph = "our policy"',
            f'chapter = "{told.chapter}"',
            f'method = "{told.method}"',
            f'start = "{FRESH if whole else BETS_OPEN}"',
            'steps = """',
            *lines,
            '"""',
            "",
        )
    )


def _quoted(name: str) -> str:
    return '"' + name.replace("\\", "").replace('"', "'") + '"'


def _opens(rows: Sequence[Row]) -> list[int]:
    """Return the rows where bets were opened."""
    found, was_open = [], False
    for number, (_at, device, name, value, _how) in enumerate(rows):
        if (device, name) == ("display", "lines.0"):
            is_open = str(value).startswith(OPEN_WORDS)
            found += [number] if is_open and not was_open else []
            was_open = is_open
    return found


def _begins(rows: Sequence[Row], opens: Sequence[int]) -> int:
    """Return the row at which the newest locked round began; if none was locked, the newest opening."""
    locks = [number for number, row in enumerate(rows) if row[4] == DID and "key_lock" in str(row[3])]
    begun = [number for number in opens if locks and number < locks[-1]]
    return (begun or opens or [0])[-1]


def _steps(told: StoryTold, rows: Sequence[Row], first: int, opens: Sequence[int]) -> Iterator[str]:
    """Yield each deed, preceded by the picture that stood there when it differs from the last one."""
    picture, seen, stands = ["", ""], "", ""
    fingers, desk = _Fingers(), _Desk()
    for number, (_at, device, name, value, how) in enumerate(rows):
        if (device, how) == ("display", SHOWED) and name in ("lines.0", "lines.1"):
            picture[int(name[-1])] = str(value).strip()
        if number < first:
            continue
        # A scenario has the cards of a round before its first deed: the rig stacks the deck with them.
        if number in opens:
            yield from _cards(told, rows[number : next((each for each in opens if each > number), None)])
        if how != DID:
            continue
        if not fingers.is_down:  # what stood there when the finger went down, not when it let go
            stands = " / ".join(filter(None, picture))
        if device == "lines":
            deed = list(fingers.move(str(value)))
        else:
            deed = list(desk.say(str(value)) if device == CONSOLE else _deed(told, device, str(value)))
        if deed and stands not in ("", seen):
            yield f"see display: {stands}"
            seen = stands
        yield from deed


class _Desk:
    """The people at a console: a command is given by whoever has unlocked it."""

    def __init__(self) -> None:
        self._who = ""

    def say(self, words: str) -> Iterator[str]:
        """Yield the step of a command; note who unlocks and locks."""
        word, _, number = words.partition(" ")
        if word in ("unlock", "lock"):
            self._who = DESKS.get(number[:1], "")
        else:
            yield f"console{f' {self._who}' if self._who else ''}: {words}"


class _Fingers:
    """Contacts that close and open; one key that went down and up again is a press."""

    def __init__(self) -> None:
        self._down: list[str] = []

    @property
    def is_down(self) -> bool:
        """Return whether a key is down."""
        return bool(self._down)

    def move(self, words: str) -> Iterator[str]:
        """Yield the steps of a contact that moved."""
        found = FINGER.fullmatch(words)
        if found is None or found[2] == KEY_SWITCH.removeprefix("key_"):
            yield f"lines: {words}"
        elif found[1] == "press":
            yield f"key: {found[2].upper()}"
        elif found[1] == "hold":
            self._down.append(found[2])
        elif self._down == [found[2]]:
            self._down.clear()
            yield f"key: {found[2].upper()}"
        elif found[2] in self._down:  # two at once: each as it was
            yield from (f"lines: hold key_{each}" for each in self._down)
            yield from (f"lines: let key_{each}" for each in self._down)
            self._down.clear()


def _deed(told: StoryTold, device: str, words: str) -> Iterator[str]:
    """Yield the step for what was done to a device."""
    word, _, rest = words.partition(" ")
    # A stacked deck is in the ``cards`` step of its round already.
    if words in OWN or word == "stack":
        return
    if device == POWER:
        yield f"power: {word}"
    elif word in CABLES:
        yield f"{CABLES[word]}: {device}"
    elif device == "pads" and word == "chips":
        yield _chips(told.spots, rest)
    elif device == "shoe" and word == "draw" and not told.is_machine:
        yield "draw: 1"
    else:
        yield f"{device}: {words}"


def _chips(spots: Sequence[str], words: str) -> str:
    number, cents = map(int, words.split())
    where = f"seat {number // len(spots) + 1} {spots[number % len(spots)]}"
    return f"chips late: {where} {cents}" if cents else f"lift: {where}"


def _cards(told: StoryTold, rows: Iterable[Row]) -> Iterator[str]:
    """Yield the cards of a round as they came out: drawn one by one, or given in stacks."""
    found: list[str] = []
    for _at, device, name, value, how in rows:
        if told.is_machine and how == SHOWED and str(name).startswith("gave."):
            found += str(value).replace("10", "T").split()
        elif not told.is_machine and (device, how) == ("shoe", DID) and str(value).startswith("draw "):
            found.append(str(value).removeprefix("draw "))
    if found:
        yield f"cards: {' '.join(dict.fromkeys(found))}"


def _end(rows: Sequence[Row]) -> Iterator[str]:
    """Yield what stands on the display at the end."""
    last: Mapping[str, Any] = {
        name: str(value).strip()
        for _at, device, name, value, _how in rows
        if device == "display" and name in ("lines.0", "lines.1")
    }
    if words := " / ".join(filter(None, last.values())):
        yield f"see display: {words}"
