"""What can be wrong with what the board keeps."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-KEEP-001",
        "the state directory {why}",
        "The directory is missing, belongs to somebody else, or was never prepared for a table.",
        "Prepare it with `sabot enrol board`, as the user that runs Sabot.",
    ),
    (
        "E-KEEP-002",
        "{name} cannot be read ({why})",
        "The file is damaged, or its rights were changed.",
        "Restore it from the second medium; nothing was changed.",
    ),
    (
        "E-KEEP-003",
        "the directory keeps {found} state, this table is {wanted}",
        "A simulated table keeps its journal and meters apart from a table on the floor.",
        "Name another state directory in the table file.",
    ),
)


class KeepError(SabotError):
    """Something the board should keep is missing, damaged or of another table."""
