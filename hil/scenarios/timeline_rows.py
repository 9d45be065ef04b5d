"""The rows of a scenario's picture: what each shows, as pieces of SVG on one axis."""

# Theory of operation. All rows share one axis, half time and half turn: a second's place is the mean of where
# it would stand if seconds were as wide as each other, and where it would stand if everything that happened
# were. So the milliseconds of a deal are wide enough to be read, and a minute of waiting still looks like
# one. A mark has words beside it only where there is room before the next; a tooltip has them always.

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any, NamedTuple

from sabot.desk.drawing.svg import Pen
from sabot.hil.scenarios.record import PlayedScenario

WIDTH, LEFT, LETTER, DENSE = 1160.0, 110.0, 6.1, 14
COLORS = {"PASS": "#3b8f5a", "FAIL": "#c2413b", "ERROR": "#9c3f8c", "SKIP": "#9a9a9a"}
Mark = tuple[float, str]
PEN = Pen(1)


class Lane(NamedTuple):
    """One row of the picture."""

    title: str
    parts: list[str]


class Axis:
    """From seconds to places, half by time and half by how many things have happened."""

    def __init__(self, times: list[float]) -> None:
        self._times = sorted({0.0, *(each for each in times if each >= 0.0)})
        self._end = self._times[-1] or 1.0

    def x(self, at: float) -> float:
        """Return the place of a second."""
        at = min(max(at, 0.0), self._end)
        place = bisect_right(self._times, at) - 1
        before = self._times[place]
        after = self._times[min(place + 1, len(self._times) - 1)]
        part = (at - before) / (after - before) if after > before else 0.0
        by_turn = (place + part) / max(1, len(self._times) - 1)
        return LEFT + (WIDTH - LEFT - 10) * (by_turn + at / self._end) / 2

    def seconds(self) -> Iterator[tuple[float, float]]:
        """Yield round seconds with their places."""
        step = next((each for each in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60) if self._end / each < DENSE), 300)
        number = 0
        while number * step <= self._end:
            yield number * step, self.x(number * step)
            number += 1


def times(played: PlayedScenario) -> Iterator[float]:
    """Yield every second in which something was done, shown or recorded."""
    yield from (float(row[0]) for row in played.diary)
    yield from (float(each["at_s"]) for each in events(played))
    for phase in played.phases:
        yield from (at for at in (phase.start_s, phase.end_s) if at is not None)


def lanes_of(played: PlayedScenario, axis: Axis) -> Iterator[Lane]:
    """Yield the rows from top to bottom, also those with nothing in them."""
    rows = played.diary
    end_s = max(times(played))
    yield Lane("steps", list(_steps(played, axis)))
    yield Lane("display", list(_spans(_display(rows), end_s, axis)))
    yield Lane("lock open", _level(rows, "lock_open", end_s, axis))
    yield Lane("hit lamp", _level(rows, "hit", end_s, axis) if _has(rows, "hit") else [])
    yield Lane("keys", _ticks(_keys(rows), axis))
    for device in _devices(rows):
        yield Lane(device, _ticks(_wire(rows, device), axis))
    yield Lane("events", _ticks([(float(e["at_s"]), _event_words(e)) for e in events(played)], axis))
    yield Lane("effects", _ticks(_effects(played), axis))


def _steps(played: PlayedScenario, axis: Axis) -> Iterator[str]:
    for number, phase in enumerate(played.phases, 1):
        if phase.start_s is None or phase.end_s is None:
            continue
        x, end = axis.x(phase.start_s), axis.x(phase.end_s)
        color, words = COLORS[phase.outcome], f"{number}. {phase.name}"
        look = {"fill": color, "fill-opacity": "0.85" if number % 2 else "0.55"}
        yield _titled(words, _box(x, end, look), _fitting(words, x + 3, end - x - 4, "on"))


def _titled(words: str, *drawn: str) -> str:
    """Return a drawing with its words as a tooltip."""
    return PEN.group(drawn, title=words)


def _box(x: float, end: float, look: dict[str, str]) -> str:
    return PEN.empty("rect", **look, x=x, y=2, rx=2, height=18, width=max(1.0, end - x))


def _fitting(words: str, x: float, room: float, kind: str) -> str:
    """Return as much of the words as there is room for."""
    letters = int(room / LETTER)
    shown = words if len(words) <= letters else words[: letters - 1] + "…" if letters > 3 else ""  # noqa: PLR2004
    return PEN.text(shown, PEN.attributes(**{"class": kind}, x=x, y=15)) if shown else ""


def _display(rows: list[list[Any]]) -> list[Mark]:
    """Return the display's marks with their times; two lines that come together are one thing."""
    lines, marks = {"lines.0": "", "lines.1": ""}, list[Mark]()
    for at, device, name, value, how in rows:
        if device == "display" and how == "showed" and name in lines:
            lines[name] = str(value).strip()
            words = " / ".join(filter(None, lines.values()))
            if marks and float(at) - marks[-1][0] < 0.002:  # noqa: PLR2004 - one look of the diary
                marks[-1] = (marks[-1][0], words)
            else:
                marks.append((float(at), words))
    return marks


def _spans(marks: list[Mark], end_s: float, axis: Axis) -> Iterator[str]:
    for (at, words), (until, _) in zip(marks, [*marks[1:], (end_s, "")], strict=True):
        x, end = axis.x(at), axis.x(until)
        text = _fitting(words, x + 3, end - x - 4, "in")
        yield _titled(f"{at:.3f} s: {words}", _box(x, end, {"class": "span"}), text)


def _has(rows: list[list[Any]], line: str) -> bool:
    return any(row[1:4] == ["lines", line, 1] for row in rows)


def _level(rows: list[list[Any]], line: str, end_s: float, axis: Axis) -> list[str]:
    """Return a line as an oscilloscope would show it."""
    level, points = 0, list[str]()
    for at, device, name, value, _ in rows:
        if (device, name) == ("lines", line):
            x = axis.x(float(at))
            points += [_point(x, level), _point(x, int(value))]
            level = int(value)
    points = [_point(LEFT, 0), *points, _point(axis.x(end_s), level)]
    return [PEN.empty("polyline", **{"class": "level"}, points=" ".join(points))]


def _point(x: float, level: int) -> str:
    return f"{PEN.number(x)},{PEN.number(19 - 14 * level)}"


def _keys(rows: list[list[Any]]) -> list[Mark]:
    return [
        (float(at), str(value).partition(" ")[2].replace("key_", "").upper())
        for at, device, _, value, how in rows
        if device == "lines" and how == "did" and str(value).startswith("press")
    ]


def _devices(rows: list[list[Any]]) -> list[str]:
    """Return the devices that did something, in the order in which they came."""
    found = dict.fromkeys(str(row[1]) for row in rows if row[0] > 0)
    return [name for name in found if name not in ("lines", "display")]


def _wire(rows: list[list[Any]], device: str) -> list[Mark]:
    """Return the marks of a device: what was done to it, and what it then showed."""
    marks: list[Mark] = []
    for at, name, what, value, how in rows:
        if name == device and at > 0:
            marks.append((float(at), f"▸ {value}" if how == "did" else f"{what} = {_short(value)}"))
    return marks


def _short(value: object) -> str:
    return f"{value:#x}" if isinstance(value, int) and value > 1 << 20 else str(value)


def _ticks(marks: list[Mark], axis: Axis) -> list[str]:
    """Return a mark for each, and the words of those that have room until the next one that is written."""
    parts, free_from = list[str](), LEFT
    places = [axis.x(at) for at, _ in marks]
    for number, ((at, words), x) in enumerate(zip(marks, places, strict=True)):
        room = next((each for each in places[number + 1 :] if each > x + 1), WIDTH) - x - 4
        text = _fitting(words, x + 3, room, "in") if x >= free_from else ""
        free_from = x + room if text else free_from
        mark = PEN.empty("line", **{"class": "mark"}, x1=x, x2=x, y1=3, y2=20)
        parts.append(_titled(f"{at:.3f} s: {words}", mark, text))
    return parts


def events(played: PlayedScenario) -> list[dict[str, Any]]:
    """Return the events of the journal, each with its second."""
    return [each for each in played.journal if isinstance(each.get("at_s"), float)]


def _event_words(entry: dict[str, Any]) -> str:
    event = {name: value for name, value in entry["body"]["event"].items() if name not in ("at", "source")}
    return " ".join([str(event.pop("event")), *(str(value) for value in event.values())])


def _effects(played: PlayedScenario) -> list[Mark]:
    return [
        (float(entry["at_s"]), _effect_words(effect))
        for entry in events(played)
        for effect in entry["body"].get("effects", [])
    ]


def _effect_words(effect: dict[str, Any]) -> str:
    left = {name: value for name, value in effect.items() if name not in ("effect", "cite") and value != ""}
    cite = f" [{effect['cite']}]" if effect.get("cite") else ""
    return " ".join([str(effect["effect"]), *(str(value) for value in left.values())]) + cite
