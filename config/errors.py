"""Errors of the files that configure Sabot."""

from collections.abc import Iterable

from sabot.rules.errors import LIKE, SabotError, nearest, table

ERRORS = table(
    (
        "E-CONF-001",
        "{why}",
        "There is no such file, or this user may not read it.",
        "Name another file, or begin with the example that is nearest: config/tables, docs/table-file.md.",
    ),
    (
        "E-CONF-002",
        "unknown key {key!r}, {nearest}",
        "Every key must be known, so that a slip of the pen is not an option left unset.",
        "Correct the key or take it out.",
    ),
    (
        "E-CONF-003",
        "{key!r} is missing{near}",
        "The key has no default.",
        "Add it, or correct the name of what is meant for it; in a chapter file, with its citation.",
    ),
    (
        "E-CONF-004",
        "{key!r} is {value!r}, expected {bound}",
        "The value is of the wrong type or out of its bounds.",
        "Write a value within the bound{hint}.",
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
        "there is no chapter {chapter!r}{near}; the chapters are {known}",
        "The id is misspelt, or the chapter is one of a folder that was not named.",
        "Choose one of those, or name the folder with --law (docs/own-chapters.md).",
    ),
    (
        "E-CONF-010",
        "it begins with a byte order mark",
        "An editor saved it as UTF-16 or as UTF-8 with a mark, which TOML does not allow.",
        "Save it again as UTF-8 without a mark (without BOM).",
    ),
    (
        "E-CONF-011",
        "line {line} has the byte {byte}, which is no UTF-8",
        "An editor saved it in another encoding, such as Latin-1 or Windows-1252.",
        "Save it again as UTF-8 (`iconv -f latin1 -t utf-8`), or write the letter without its accent.",
    ),
    (
        "E-CONF-012",
        "it is not TOML: {why}",
        "A quote or bracket is not closed, text has no quotes, or a key stands twice.",
        "Mend the line named; nothing of the file was used.",
    ),
    (
        "E-CONF-013",
        "there is no {file} ({why})",
        "A path that does not begin with / counts from the folder of the table file{near}.",
        "Correct the path, or put the Rules Submission there (docs/submission.md).",
    ),
    (
        "E-CONF-014",
        "{key!r} is {value!r}{near}",
        "It may be {known}.",
        "Write one of those, in quotes.",
    ),
    (
        "E-CONF-015",
        "this is no folder of chapters: {why}",
        "It has chapters/ID.toml, submissions/ID.toml, shifts/ID.toml, stated.toml and its signature alone.",
        "Correct the folder, or name another (docs/own-chapters.md).",
    ),
    (
        "E-CONF-016",
        "there is no example Rules Submission for {chapter}",
        "A simulated table is played by the example beside the chapter, and nobody wrote one.",
        "Write {file} (docs/submission.md).",
    ),
    (
        "E-CONF-017",
        "{key!r} names {name!r}, which is outside of {folder}",
        "What a table is made of lies in one folder, the one that `sabot verify` covers.",
        "Move it there, and name it by its path from the file that wants it.",
    ),
    (
        "E-CONF-018",
        "{key!r} names {name!r}, which includes this file",
        "A part that includes what includes it has no end.",
        "Take one of the two out.",
    ),
    (
        "E-CONF-019",
        "{key!r} names {file}, and there is no such file",
        "A part is named by its path from the file that includes it{near}.",
        "Correct the path.",
    ),
    (
        "E-CONF-020",
        "this is {found}, and {wanted} is wanted here",
        "One file was named for another. {use}.",
        "Name the other file, or give this one to the command that reads it.",
    ),
    (
        "E-CONF-021",
        "no wager here opens the contest",
        "The contest settles the wager that has neither `settles` nor `of`, and those that are `of` it.",
        "Take `settles` out of the wager with which a player enters the contest.",
    ),
    (
        "E-CONF-022",
        "there is no reading {name!r}{near}, which is asked for {where}",
        "The text leaves it open, and the chapter has to say how it is answered.",
        "Correct the name, or add [readings.{name}], the default first: {answers} (docs/own-chapters.md).",
    ),
    (
        "E-CONF-023",
        "{name!r} is missing{near}, which is needed {where}",
        "The program asks for it by this name, and a round would stop there.",
        "Correct the name, or add {name} to [{part}] with its citation (docs/own-chapters.md).",
    ),
)


class ConfigError(SabotError):
    """A configuration file that cannot be used."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **{"near": "", "hint": ""} | facts)


def meant(name: str, known: Iterable[str]) -> str:
    """Return in brackets the known name that may be meant by another, empty where none is near."""
    near = nearest(name, known, LIKE)
    return f" (is {near!r} meant?)" if near else ""
