"""What can be wrong with a file that configures Sabot."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-CONF-001",
        "{why}",
        "The file is not TOML, or cannot be read.",
        "Mend the file at the place named; nothing of it was used.",
    ),
    (
        "E-CONF-002",
        "unknown key {key!r}, the nearest known key is {nearest!r}",
        "Every key must be known, so that a slip of the pen is not an option left unset.",
        "Correct the key or take it out.",
    ),
    (
        "E-CONF-003",
        "{key!r} is missing",
        "The key has no default.",
        "Add it; in a chapter file, with its citation.",
    ),
    (
        "E-CONF-004",
        "{key!r} is {value!r}, expected {bound}",
        "The value is of the wrong type or out of its bounds.",
        "Write a value within the bound.",
    ),
    (
        "E-CONF-005",
        "no hand can make the row {row!r} ({why})",
        "The row's hand is not in the ranking, or a row above it takes every such hand.",
        "Correct the row's hand or its place in the table.",
    ),
    (
        "E-CONF-006",
        "the plan needs {needed} cards with {seats} seats, the pack has {pack}",
        "A plan that deals nothing, or more than the pack, cannot be dealt.",
        "Correct the steps, the hand sizes or the number of seats.",
    ),
    (
        "E-CONF-007",
        "paytable {letter} pays {lower!r} {lower_pays} under {higher!r}, which pays {higher_pays}",
        "Rows stand highest first, and a lower hand seldom pays more.",
        "Correct the cells.",
    ),
    (
        "E-CONF-008",
        "{key!r} names {value!r}, which is not among {known}",
        "One part of the file speaks of another that is not there.",
        "Correct the name or add the part.",
    ),
    (
        "E-CONF-009",
        "there is no chapter {chapter!r}; the chapters are {known}",
        "The id is misspelt or the chapter file is not installed.",
        "Choose one of those, or see `sabot chapter`.",
    ),
)


class ConfigError(SabotError):
    """A configuration file that cannot be used."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
