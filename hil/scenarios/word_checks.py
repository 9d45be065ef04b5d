"""The check of the words of a step, for each kind of them, made before anything is played."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from sabot.hil.scenarios import vocabulary as known
from sabot.hil.scenarios.errors import ScenarioError, unknown


class Place(NamedTuple):
    """The place of a step, the table where it is to be done, and the form of its verb."""

    where: str
    chapter: str
    method: str
    usage: str = ""


Check = Callable[[Place, str], None]


def _verify(place: Place, what: str, name: str, names: Sequence[str]) -> None:
    if name not in names:
        raise unknown(place.where, what, name, list(names))


def one_of(what: str, names: Sequence[str]) -> Check:
    """Return the check for one word out of these."""
    return lambda place, words: _verify(place, what, words, names)


def like(pattern: str) -> Check:
    """Return the check for words of this form."""

    def check(place: Place, words: str) -> None:
        if not re.fullmatch(pattern, words):
            why = f"{words!r} is not how it is written" if words else "its words are missing"
            raise ScenarioError("E-HIL-003", place.where, why=why, usage=place.usage)

    return check


some = like(r".+")
cards = like(r"[2-9TJQKA][cdhs]( [2-9TJQKA][cdhs])*")


def keys(place: Place, words: str) -> None:
    """Check keys of the dealer."""
    some(place, words)
    for key in words.split():
        _verify(place, "key", key, known.KEYS)


def title(titles: Sequence[str]) -> Check:
    """Return the check for a title of a list, and perhaps a value."""
    return lambda place, words: _verify(place, "title of the list", words.partition(" > ")[0], titles)


def spot(ending: str = "") -> Check:
    """Return the check for a seat and a wager of the chapter."""

    def check(place: Place, words: str) -> None:
        like(rf"seat \d+ \w+{ending}")(place, words)
        _, seat, wager, *_ = words.split()
        _seat(place, seat)
        _verify(place, "wager", wager, known.wagers(place.chapter))

    return check


def _seat(place: Place, seat: str) -> None:
    _verify(place, "seat", seat, [str(number + 1) for number in range(known.seats(place.chapter))])


def lifted(place: Place, words: str) -> None:
    """Check a spot, or the whole felt."""
    if words != "all":
        spot()(place, words)


def on_pads(place: Place, words: str) -> None:
    """Check what pads can show, of a spot, a seat, or all."""
    like(r"(locked|open|lit|dark|lamp|no lamp) (all|seat \d+( \w+)?)")(place, words)
    where = re.search(r"seat (\d+)(?: (\w+))?", words)
    if where:
        _seat(place, where[1])
        _verify(place, "wager", where[2] or known.wagers(place.chapter)[0], known.wagers(place.chapter))


def player(place: Place, words: str) -> None:
    """Check a seat and keys."""
    like(r"seat \d+ [A-Z ]+")(place, words)
    _, seat, *pressed = words.split()
    _seat(place, seat)
    keys(place, " ".join(pressed))


def hand(place: Place, words: str) -> None:
    """Check a place and the cards that lie there."""
    like(r"(seat \d+|dealer|community)( [2-9TJQKA][cdhs])+")(place, words)


def level(place: Place, words: str) -> None:
    """Check a line and a level."""
    like(r"\w+ = [01]")(place, words)
    _verify(place, "line", words.partition(" ")[0], known.LINES)


# ---------------------------------------------------------------- devices and people


def _there(place: Place, name: str) -> str:
    """Return the kind of a device of this table; raise ScenarioError if it has none of this name."""
    there = known.devices(place.method, place.chapter)
    _verify(place, f"device of {place.method}", name, list(there))
    return there[name]


def action_of(name: str) -> Check:
    """Return the check for something that can be done to a device."""

    def check(place: Place, words: str) -> None:
        action, _, rest = words.partition(" ")
        _verify(place, f"action of {name}", action, known.ACTIONS[_there(place, name)])
        if name == "lines" and action != "vanish":
            _verify(place, "line", rest, known.INPUTS)

    return check


def shown_by(name: str) -> Check:
    """Return the check for something that a device shows."""

    def check(place: Place, words: str) -> None:
        _there(place, name)
        like(r"\w+ = \S+")(place, words)

    return check


def cable(place: Place, words: str) -> None:
    """Check a device with a cable."""
    names = [name for name in known.devices(place.method, place.chapter) if name != "lines"]
    _verify(place, "device with a cable", words, names)


def two_cables(place: Place, words: str) -> None:
    """Check two devices on serial lines."""
    like(r"[a-z]+ [a-z]+")(place, words)
    names = [name for name in known.devices(place.method, place.chapter) if name not in ("lines", "pads")]
    one, other = words.split()
    _verify(place, "device on a serial line", one, names)
    _verify(place, "device on a serial line beside it", other, [name for name in names if name != one])


# What people do between rounds, and of which words the last one is.
_DEEDS = {
    "sign on": ("", *known.PEOPLE),
    "turn key": known.PEOPLE,
    "turn back": ("",),
    "register": known.COLORS,
    "load": ("A", "B"),
    "shuffled": ("",),
}


def people(place: Place, words: str) -> None:
    """Check a deed, and who or what."""
    deed = next((each for each in _DEEDS if words == each or words.startswith(f"{each} ")), words)
    _verify(place, "deed of people", deed, list(_DEEDS))
    _verify(place, f"word after {deed!r}", words[len(deed) :].strip(), _DEEDS[deed])
