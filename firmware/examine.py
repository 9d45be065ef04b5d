"""Checks before a table may open, and their findings: machine, program and law are examined alike."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sabot.rules.errors import SabotError


class Finding(NamedTuple):
    """The result of a check; ``fault`` is None where all is well."""

    name: str
    fault: SabotError | None
    keeps_closed: bool = True


class Check(NamedTuple):
    """A check, and whether the table stays closed where it fails."""

    name: str
    test: Callable[[], None]
    keeps_closed: bool = True


def examine(rows: Iterable[Check]) -> list[Finding]:
    """Make every check, also after one has failed: a technician sees all that is wrong at once."""
    return [_examine(row) for row in rows]


def _examine(row: Check) -> Finding:
    try:
        row.test()
    except SabotError as fault:
        return Finding(row.name, fault, row.keeps_closed)
    return Finding(row.name, None, row.keeps_closed)
