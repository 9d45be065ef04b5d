"""Errors that keep the program from opening a table."""

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
        "The directory of the socket is missing or belongs to somebody else, or a file lies there.",
        "Start Sabot by its service, which makes the directory, or name one with RUNTIME_DIRECTORY.",
    ),
    (
        "E-RUN-008",
        "a program runs here already",
        "The service is running, or somebody started another table on this board.",
        "Look at it with `sabot console`; stop it before starting another. Nothing was opened.",
    ),
    (
        "E-RUN-009",
        "the program stumbled and stopped itself ({error} at {place}, over {over})",
        "A slip in the program, or memory that ran out. Every spot was locked and the shoe halted first.",
        "It starts again and is held: look at the felt, then CONFIRM ROUND or RELEASE; tell the maker.",
    ),
    (
        "E-RUN-010",
        "the program stumbled too often ({why})",
        "The same slip comes back at every start, or the board has a fault of its own.",
        "A technician looks at `slips` and types `lift slips` at the console; the program starts anew.",
    ),
    (
        "E-RUN-011",
        "its driver stumbled ({error} at {at})",
        "A slip in the driver, often over something that its device had never said before.",
        "The driver starts anew by itself; after the third time in ten minutes by `retest`. Tell its maker.",
    ),
    (
        "E-RUN-012",
        "the second medium is no second one: it lies on the medium of {state}",
        "Nothing is mounted there, or `second` names a folder of the board's own medium.",
        "Mount the medium and start again; until then a lost board loses its copy too.",
    ),
    (
        "E-RUN-013",
        "the chapters were changed while the table was open",
        "The folder of chapters is not the one under which the table stopped; a round may be on the felt.",
        "Lay the folder of then there again, close the table, stop the program; then change the folder.",
    ),
    (
        "E-RUN-014",
        "no uplink can call ({why})",
        "The directory of `socket` under [floor] is missing or another one's, or a file lies there.",
        "Start Sabot by its service, which makes the directory, or name another path under [floor].",
    ),
)


class RunError(SabotError):
    """Something keeps the table closed."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
