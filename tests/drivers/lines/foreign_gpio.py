"""A GPIO module of somebody else's, with nothing but what docs/devices.md names, over a list of levels."""

from collections.abc import Callable

BCM, IN, OUT, BOTH = "bcm", "in", "out", "both"
PUD_UP, PUD_DOWN, PUD_OFF = "up", "down", "off"
levels: dict[int, int] = {}
outputs: dict[int, int] = {}
edges: dict[int, Callable[[int], None]] = {}
is_gone = False


def setwarnings(_is_on: object) -> None:
    """Warn of nothing."""


def setmode(mode: str) -> None:
    """Number the pins as the processor does."""
    if mode != BCM:
        raise ValueError(mode)


def setup(pin: int, way: str, *, pull_up_down: str = PUD_OFF, initial: int = 0) -> None:
    """Claim a pin; an output has its level from the first moment on."""
    if way == OUT:
        outputs[pin] = initial
    else:
        levels[pin] = int(pull_up_down == PUD_UP)


def add_event_detect(pin: int, edge: str, *, callback: Callable[[int], None]) -> None:
    """Call back at each edge."""
    assert edge == BOTH
    edges[pin] = callback


def input(pin: int) -> int:  # noqa: A001 - the real one's name
    """The level of a pin, output or input."""
    if is_gone:
        raise OSError(19, "No such device")
    return outputs[pin] if pin in outputs else levels[pin]


def output(pin: int, level: int) -> None:
    """Set an output."""
    outputs[pin] = level


def cleanup() -> None:
    """Let go of every pin."""
    edges.clear()
    outputs.clear()


def drive(pin: int, level: int) -> None:
    """Somebody presses or lets go."""
    levels[pin] = level
    edges[pin](pin)
