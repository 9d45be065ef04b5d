"""Errors of the console: what it refuses, and what can be wrong with it."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-CONS-001",
        "there is no such command",
        "It is written another way{nearest}.",
        "`help` lists every command.",
    ),
    (
        "E-CONS-002",
        "{what}; the command is `{usage}`",
        "Something is missing, or something is too much.",
        "`help {name}` says what it takes.",
    ),
    (
        "E-CONS-003",
        "the console is locked",
        "This takes a {roles}, and nobody has proved a role here, or the time was up.",
        "`unlock NUMBER`, then the PIN.",
    ),
    (
        "E-CONS-004",
        "a {role} may not do this",
        "It is for a {roles}.",
        "Let one of them unlock the console.",
    ),
    (
        "E-CONS-005",
        "the table is out of service",
        "{why}.",
        "`status` says what the self-test found; it goes on once that is put right and Sabot is restarted.",
    ),
    (
        "E-CONS-006",
        "{why}",
        "The table's own rules stand against it now.",
        "`faults` says what holds the table, and how each fault is cleared.",
    ),
    (
        "E-CONS-007",
        "the journal did not take the order in {seconds:.0f} s",
        "The medium is full, stalls or is gone; an order that is not on record is not carried out.",
        "See `faults`; put the medium right, then give the order again.",
    ),
    (
        "E-CONS-008",
        "{person} cannot be the second person",
        "The second is somebody else, of another role: a {roles}.",
        "Let somebody else confirm.",
    ),
    (
        "E-CONS-009",
        "the second person did not confirm within {seconds:.0f} s",
        "Both must be there together.",
        "Give the order again.",
    ),
    (
        "E-CONS-010",
        "{why}",
        "A device is tested, and a stick is written, only while nobody plays and the technician is inside.",
        "`service on` as a technician, with the door open for a stick; then again.",
    ),
    (
        "E-CONS-011",
        "there is no {what}",
        "A name slipped.",
        "The list is shown by `{command}`.",
    ),
    (
        "E-CONS-012",
        "the export was not made ({why})",
        "There is no room, no medium, or the file is there already.",
        "Free some room or name another target; nothing was changed.",
    ),
    (
        "E-CONS-013",
        "the console does not answer ({why})",
        "Sabot does not run, its socket has another place, or you are not in its group.",
        "Look at the service (`systemctl status sabot`), or name the socket with --socket.",
    ),
    (
        "E-CONS-014",
        "the connection was closed ({why})",
        "Too many lines made no sense, what was sent was not read, or Sabot has stopped.",
        "Start the console again.",
    ),
    (
        "E-CONS-015",
        "{what} is asked for, and nobody is there to answer",
        "A terminal asks; a pipe must bring the answer as its next line.",
        "Give a reason with --why; use a terminal for a PIN.",
    ),
    (
        "E-CONS-016",
        "nobody may be enrolled as {role} this way",
        "Only the first floorperson and the first technician are enrolled by a turned key alone.",
        "Turn the key switch; once both are there, two people of different roles enrol others.",
    ),
    (
        "E-CONS-017",
        "{consoles} consoles are connected already",
        "Each takes a little of the program's time, so there is a bound.",
        "Close one of the others.",
    ),
    (
        "E-CONS-018",
        "the journal has taken nothing for {seconds:.0f} s, and what is not on the medium is not shown",
        "The medium is full, stalls or is gone; the table is held, and would show what a cut of power loses.",
        "`stats` and `devices` answer; put the medium right, then ask again.",
    ),
)


class ConsoleError(SabotError):
    """A command that is refused, or a console that cannot be had."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
