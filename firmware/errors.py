"""Errors in what a person asked of the command line."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-CLI-001",
        "{why}",
        "The file cannot be read as text.",
        "Name a file that exists and is readable, or - for standard input.",
    ),
    (
        "E-CLI-002",
        "not JSON: {why}",
        "A round is one JSON object; a stream of rounds has one object a line.",
        "Correct the JSON at the place named.",
    ),
    (
        "E-CLI-003",
        "{text!r} is not {wanted}",
        "The option is written another way.",
        "See `sabot {command} --help`.",
    ),
    (
        "E-CLI-004",
        "{package} is not installed",
        "{what} needs it, and it comes with an extra of Sabot.",
        "Install the extra: pip install 'sabot[{extra}]'.",
    ),
    (
        "E-CLI-005",
        "{why}",
        "The file cannot be written; what stood there before still stands.",
        "Name a file in a folder that exists and is yours to write in.",
    ),
    (
        "E-CLI-006",
        "the payouts do not fit on one sheet of {paper}",
        "Even in the smallest letters that can be read there is more to post than paper.",
        "Take a larger sheet with --size, or post two signs.",
    ),
    (
        "E-CLI-007",
        "{what} wants a yes, and nobody is there to say it",
        "It reaches into a device, and standard input is not a terminal.",
        "Say --yes if it is meant.",
    ),
    (
        "E-CLI-008",
        "a table is open on this machine",
        "While cards are dealt nobody tests a device or sends to it by hand.",
        "Close the table first, then do it again.",
    ),
    (
        "E-CLI-009",
        "{text!r} cannot be sent ({why})",
        "The words are not those of a message of this convention.",
        "See the page of the convention, or give the bytes with --hex.",
    ),
    (
        "E-CLI-010",
        "the simulators are not here ({why})",
        "The bundle for a device on the floor leaves them out.",
        "Run this on a machine with the whole of Sabot installed.",
    ),
    (
        "E-CLI-011",
        "{why}",
        "The program or its simulated devices ended, or the display never showed what was waited for.",
        "Read the program's log, {log}; what it kept is in {state}.",
    ),
    (
        "E-CLI-012",
        "the floor is not here ({why})",
        "The bundle for a table's board leaves the controller of linked meters out.",
        "Run this on the floor's own machine, with the whole of Sabot installed.",
    ),
    (
        "E-CLI-013",
        "{why}",
        "Only a part with one option on each line is changed.",
        "Copy the part that was printed into the file by hand.",
    ),
    (
        "E-CLI-014",
        "what was kept of a wiring walk makes no sense ({why})",
        "Somebody changed it, or it is of another version.",
        "Begin the walk anew: sabot device wire --again.",
    ),
    (
        "E-CLI-015",
        "there is no {what} {text!r}{near}",
        "It may be {known}.",
        "Choose one of those.",
    ),
    (
        "E-CLI-016",
        "{missing} is missing",
        "`{command}` cannot guess it.",
        "Say for example: {example}.",
    ),
    (
        "E-CLI-017",
        "nothing takes {text!r} here{near}",
        "The option is misspelt, belongs to another command, or a word too many was said.",
        "Take it out or correct it; `{command} --help` explains each option.",
    ),
    (
        "E-CLI-018",
        "{why}",
        "The words do not go together, or one is written another way.",
        "See `{command} --help`.",
    ),
    (
        "E-CLI-019",
        "this machine has no {file}",
        "That is where the table file of a board lies, and no other was named.",
        "Name the table file with --table, or a state directory with --state; `sabot check` reads a new one.",
    ),
)


class CommandError(SabotError):
    """An order that the command line cannot carry out."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
