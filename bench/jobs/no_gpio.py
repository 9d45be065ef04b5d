"""A GPIO module whose calls do nothing: what is measured ends at the library's door, as with peers."""

BCM, IN, OUT, BOTH, PUD_OFF, PUD_UP, PUD_DOWN = range(7)


def nothing(*_arguments: object, **_options: object) -> int:
    """Do nothing."""
    return 0


setwarnings = setmode = setup = add_event_detect = output = cleanup = nothing


def input(_pin: int) -> int:  # noqa: A001 - the real one's name
    """Return the level of an open contact."""
    return 1
