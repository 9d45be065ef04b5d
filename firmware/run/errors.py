"""What can keep the program from opening a table."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-RUN-002",
        "less than {least_mb} MB are free for the journal ({free_mb} MB)",
        "Old entries were never exported, or something else fills the medium.",
        "Export and shorten the journal (`sabot journal retain`), or clear the medium.",
    ),
    (
        "E-RUN-003",
        "the board is too hot ({celsius:.0f} C)",
        "The vents are covered, or the fan stands still.",
        "Let it cool, clear the vents; above 80 C the processor slows itself down.",
    ),
    (
        "E-RUN-004",
        "the supply voltage is too low",
        "The power supply or its cable is too weak for the board and its devices.",
        "Fit the supply named in docs/technician.md and a shorter cable.",
    ),
    (
        "E-RUN-005",
        "the clock cannot be trusted (UTC {utc})",
        "Nothing has set it since the start: no network, no battery clock.",
        "Set it, or fit the battery clock; until then every deck is due after a start.",
    ),
    (
        "E-RUN-006",
        "the state directory cannot be used ({why})",
        "Its medium is not mounted or not readable, or the path under [storage] is another.",
        "Mount the medium; `sabot enrol board` makes the directory of a new board.",
    ),
    (
        "E-RUN-007",
        "no console can be offered ({why})",
        "The directory of the socket is missing, or belongs to somebody else.",
        "Start Sabot by its service, which makes the directory, or name one with RUNTIME_DIRECTORY.",
    ),
    (
        "E-RUN-008",
        "a program runs here already",
        "The service is running, or somebody started another table on this board.",
        "Look at it with `sabot console`; stop it before starting another. Nothing was opened.",
    ),
)


class RunError(SabotError):
    """Something keeps the table closed."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
