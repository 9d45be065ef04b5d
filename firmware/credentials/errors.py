"""Errors of the credentials that the board keeps."""

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
    (
        "E-KEEP-004",
        "{number!r} is not a free two-digit number",
        "Somebody was enrolled under it, or it is not 00 to 99.",
        "Take another number; `people` lists those that are taken.",
    ),
    (
        "E-KEEP-005",
        "the PIN {why}",
        "A PIN is 5 to 10 digits, and none that a stranger would try first.",
        "Choose another.",
    ),
    (
        "E-KEEP-006",
        "number or PIN is wrong",
        "A digit slipped, or nobody is enrolled under this number.",
        "Try again; after a few wrong attempts there is a wait that grows.",
    ),
    (
        "E-KEEP-007",
        "no attempt for another {wait_s:.0f} s",
        "There were several wrong PINs, of one person or of many.",
        "Wait; a restart begins the wait anew.",
    ),
    (
        "E-KEEP-008",
        "person {number} is locked out",
        "There were {most} wrong PINs in a row.",
        (
            "Two people of different roles let the person in again: `person readmit {number}`. "
            "The table's keys and the board's serial console are doors of their own."
        ),
    ),
    (
        "E-KEEP-009",
        "{what} is not enrolled",
        "It was never enrolled here, or it was taken off the list.",
        "`people` and `devices` list who and what is enrolled.",
    ),
    (
        "E-KEEP-010",
        "person {number} is the last {role}",
        "Without one nobody could clear faults or enrol others.",
        "Enrol another one first.",
    ),
    (
        "E-KEEP-011",
        "{text!r} is not {wanted}",
        "A name or a key was not copied whole.",
        "Copy it again from the label or the maker's certificate.",
    ),
    (
        "E-KEEP-012",
        "this key is enrolled as {other} already",
        "One key is one device: it was pasted under a second name, or a maker gave two units the same key.",
        "Enrol the device's own key; `forget device {other}` first where it has moved to another place.",
    ),
)


class KeepError(SabotError):
    """Something the board should keep is missing, damaged or of another table."""
