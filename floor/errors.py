"""The errors of a link that a table's program meets, and the class of all of them.

The rows of everybody else stand beside it (``floor/error_rows.py``), for a table that only plays has no room
for them; these three are here, and not read from a medium that may be what failed.
"""

from sabot.rules.errors import ErrorCode, SabotError, table

ERRORS = table(
    (
        "E-FLOOR-005",
        "{what}",
        "A message has the fields of its kind and no others, each of its type and within its bounds.",
        "Hold the sender against docs/link.md and its vectors.",
    ),
    (
        "E-FLOOR-010",
        "the store cannot be used ({why})",
        "It is not there, not reachable, full, or no store of a floor.",
        "Name the store with --store and see that its server or its medium is well.",
    ),
    (
        "E-FLOOR-022",
        "nothing can be said to the floor ({why})",
        "A board that was never answered does not know its number; one whose memory is gone does not either.",
        "See that uplink, broker and floor run, and that this board is enrolled as the table.",
    ),
)


class FloorError(SabotError):
    """An order, a message or a store that the floor does not take."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS.get(code) or _at_the_floor(code), place, **facts)


def _at_the_floor(code: str) -> ErrorCode:
    from sabot.floor import error_rows  # noqa: PLC0415 - see above

    return error_rows.ERRORS[code]
