"""The root of every error a person can meet.

An error is worth reading only when it says what happened, where, why that is likely and what to do next.
So an error is raised by its code, and the words stand once, in a table beside the code that raises it:
the same table is joined with ``docs/errors.md`` by a test, and no message can be born without its page.
"""

from collections.abc import Iterable

from sabot.rules.frozen import frozen

# How alike two words must be, as a ratio of ``difflib``: a slip of the pen, one that nothing but a slip
# explains, and whichever word is nearest.
ALIKE, LIKE, ANY = 0.6, 0.75, 0.0


@frozen
class ErrorCode:
    """One kind of error: its code, then templates of what happened, the likely cause and the cure."""

    code: str
    what: str
    cause: str
    cure: str


class SabotError(Exception):
    """An error with a code, a place and a cure; ``str()`` of it is the whole message."""

    def __init__(self, kind: ErrorCode, place: str, **facts: object) -> None:
        self.kind = kind
        self.place = place
        self.facts = facts
        self.what = kind.what.format(**facts)
        advice = f"{kind.cause} {kind.cure}".format(**facts)
        super().__init__(f"{kind.code} {place}: {self.what}. {advice}")


def table(*rows: tuple[str, str, str, str]) -> dict[str, ErrorCode]:
    """Return the error codes of a package, by code."""
    return {row[0]: ErrorCode(*row) for row in rows}


def nearest(text: str, known: Iterable[str], least: float) -> str:
    """Return the nearest of some words, or an empty text where none is near."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where somebody erred: 170 kB

    return (get_close_matches(text, list(known), 1, least) or [""])[0]
