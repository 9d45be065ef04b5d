"""A GPIO module in the program's own process, whose contacts stand as at a table where nobody is.

To read a line is a call of the kernel on a board and wakes nobody; on the simulated chip behind a socket it
is a question to another process and two wake-ups, which would be counted as the program's.
"""

from sabot.drivers.lines.plan import CLOSED_AT_REST, WIRING
from sabot.drivers.options import defaults

BCM, IN, OUT, BOTH, PUD_OFF, PUD_UP, PUD_DOWN = range(7)
_LEVELS = {int(defaults(WIRING)[name]): 0 for name in CLOSED_AT_REST}


def nothing(*_arguments: object, **_options: object) -> None:
    """Do nothing."""


setwarnings = setmode = add_event_detect = cleanup = nothing


def setup(pin: int, _way: int, *, pull_up_down: int = PUD_OFF, initial: int | None = None) -> None:
    """Claim a line; no pull moves a contact that stands."""
    assert pull_up_down in (PUD_OFF, PUD_UP, PUD_DOWN)
    if initial is not None:
        _LEVELS[pin] = initial


def output(pin: int, level: int) -> None:
    """Set an output."""
    _LEVELS[pin] = level


def input(pin: int) -> int:  # noqa: A001 - the real one's name
    """Return the level: an open contact's, but for those that are closed at rest."""
    return _LEVELS.get(pin, 1)
