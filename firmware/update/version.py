"""The order of versions. A version is numbers with dots, and nothing else is one."""

from sabot.firmware.update.errors import UpdateError


def parse(version: str, place: str) -> tuple[int, ...]:
    """Return a version as numbers that compare."""
    parts = version.split(".")
    if not all(part.isascii() and part.isdigit() for part in parts):
        raise UpdateError("E-UPDATE-001", place, why=f"{version!r} is no version")
    numbers = [int(part) for part in parts]
    # 1.2 and 1.2.0 are one version.
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def is_older(found: str, current: str, place: str) -> bool:
    """Return whether a version is older than the one that runs."""
    return parse(found, place) < parse(current, place)


def is_same(found: str, current: str, place: str) -> bool:
    """Return whether it is the one that runs."""
    return parse(found, place) == parse(current, place)
