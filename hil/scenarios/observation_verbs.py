"""The verbs that must see something: they wait for it, or look back over all that was.

A span in a diary is measured from the last time that one thing was to the first of another after it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sabot.hil.scenarios import vocabulary as known
from sabot.hil.scenarios.floor import Act, ScenarioFloor
from sabot.hil.scenarios.language import ScenarioStep
from sabot.hil.table.hands import first

Row = list[Any]
Is = Callable[[Row], bool]
MS = 1000.0


def _line(name: str, level: int) -> Is:
    return lambda row: row[1:4] == ["lines", name, level]


def _did(device: str, word: str) -> Is:
    return lambda row: row[4] == "did" and (not device or row[1] == device) and str(row[3]).startswith(word)


def _display(word: str) -> Is:
    return lambda row: row[1] == "display" and row[4] == "showed" and str(row[3]).startswith(word)


def _lit(row: Row) -> bool:
    return row[1:3] == ["pads", "lit"]


# The two ends of each measurement.
ENDS: Mapping[str, tuple[Is, Is]] = {
    "key to lock": (_line("key_lock", 0), _line("lock_open", 0)),
    "power to display": (_did("power", "on"), _display("")),
    "cable to hold": (_did("", "unplug"), _display("HELD")),
    "chip to lamp": (_did("pads", "chips"), _lit),
}


def measure_of(name: str, rows: list[Row]) -> list[float]:
    """Return the milliseconds of a measurement; empty if one of its ends was not seen."""
    begins, ends = ENDS[name]
    began = [number for number, row in enumerate(rows) if begins(row)]
    if not began:
        return []
    first = rows[began[-1]][0]
    return [(row[0] - first) * MS for row in rows[began[-1] + 1 :] if ends(row)][:1]


LAMP_OFF = 0


def shows(lines: tuple[str, str], words: str) -> bool:
    """Return whether the display has these words."""
    first, slash, second = words.partition(" / ")
    if slash:
        return first in lines[0] and second in lines[1]
    return any(words in line for line in lines)


def see_display(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See these words on the display, now or since something was done last."""
    hands = floor.crew.hands

    def is_so() -> bool:
        found = first(hands.seen(), lambda lines: shows(lines, step.words))
        if found is not None:
            # The next look begins here: two steps must not see the same picture for two.
            hands.go_on_from(found)
        return found is not None

    floor.wait(step, is_so, lambda: " / ".join(hands.lines))


def see_line(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See a line at this level."""
    name, _, level = step.words.split()
    see = partial(floor.crew.hands.see, "lines")
    floor.wait(step, lambda: see()[name] == int(level), lambda: f"{name} = {see()[name]}")


def see_pads(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See locks or lamps of the pads as they are named."""
    what, seat, mask = _which(floor, step.words)

    def is_so() -> bool:
        pads = floor.crew.hands.see("pads")
        if what.endswith("lamp"):
            return bool(pads["seats"][seat - 1] != LAMP_OFF) == (what == "lamp")
        found = pads["locked" if what in ("locked", "open") else "lit"] & mask
        return bool(found == (mask if what in ("locked", "lit") else 0))

    floor.wait(step, is_so, lambda: _pads_words(floor))


def _which(floor: ScenarioFloor, words: str) -> tuple[str, int, int]:
    """Return what is to be seen, at which seat, and the spots of it as a mask."""
    what, _, where = words.replace("no lamp", "nolamp").partition(" ")
    wagers = known.wagers(floor.chapter)
    if where == "all":
        return what, 1, (1 << len(wagers) * known.seats(floor.chapter)) - 1
    _, number, *wager = where.split()
    seat = int(number)
    mask = 1 << wagers.index(wager[0]) if wager else (1 << len(wagers)) - 1
    return what, seat, mask << (seat - 1) * len(wagers)


def _pads_words(floor: ScenarioFloor) -> str:
    pads = floor.crew.hands.see("pads")
    return f"locked {pads['locked']:#x}, lit {pads['lit']:#x}, seat lamps {pads['seats']}"


def see_sign(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See these words on some page of the sign."""

    def pages() -> list[str]:
        return list(floor.crew.hands.see("sign")["pages"])

    floor.wait(step, lambda: any(step.words in page for page in pages()), pages)


def see_device(name: str) -> Act:
    """Return the act that sees a device show this value."""

    def act(floor: ScenarioFloor, step: ScenarioStep) -> None:
        what, _, value = step.words.split()
        see: Callable[[], dict[str, Any]] = partial(floor.crew.hands.see, name)
        floor.wait(step, lambda: str(see().get(what)).lower() == value.lower(), see)

    return act


def see_console(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See these words in the answer, which has come already: it is looked at once."""
    said = floor.said
    text = "\n".join([*said.lines, said.why]) if said else "no console command was given before"
    if step.words not in text:
        floor.refuse(step, text)


def has_all(line: str, words: str) -> bool:
    """Return whether a line has each of these words."""
    return all(word in line for word in words.split())


def see_journal(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See all these words in some line since the scenario began."""
    floor.wait(
        step,
        lambda: any(has_all(line, step.words) for line in floor.journal()),
        lambda: "\n  ".join(["the journal ends with", *floor.journal()[-12:]]),
        every_s=0.1,
    )


def never_journal(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See that no line since the scenario began has all these words."""
    for line in floor.journal():
        if has_all(line, step.words):
            floor.refuse(step, line)


def never_display(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See that the display never had these words."""
    for _, device, _, value, _ in floor.shown():
        if device == "display" and step.words in str(value):
            floor.refuse(step, f"the display showed {value!r}")


def never_line(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See that a line was never at this level."""
    name, _, level = step.words.split()
    for _, device, line, value, _ in floor.shown():
        if (device, line, value) == ("lines", name, int(level)):
            floor.refuse(step, f"{name} was {level}")


def measure(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Take a time out of the diary, and hold it against the limit of the rig."""
    found: list[float] = []

    def is_there() -> bool:
        found.extend(measure_of(step.words, floor.diary()))
        return bool(found)

    floor.wait(step, is_there, lambda: "one of its two ends was not seen")
    floor.measured.append((step.words, found[0]))
    limit_ms = floor.rig.limits_ms.get(step.words)
    if limit_ms is not None and found[0] > limit_ms:
        floor.refuse(step, f"{found[0]:.1f} ms, and at most {limit_ms:g} ms are allowed")


def see_link(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """See that somebody at the floor sees this."""
    floor.wait(
        step,
        lambda: any(step.words in line for line in floor.at_the_floor("show")),
        lambda: " | ".join(floor.at_the_floor("show")),
        every_s=0.2,
    )
