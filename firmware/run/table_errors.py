"""Errors of a table as a whole, where each key of its file is right by itself."""

from sabot.rules.errors import SabotError, table

ERRORS = table(
    (
        "E-TABLE-002",
        "the Rules Submission does not stand: {what}",
        "{why} See {problem} in docs/errors.md.",
        "{cure} `sabot chapter {chapter} --check {file}` lists everything that is wrong with it.",
    ),
    (
        "E-TABLE-003",
        "it names the wager {wager!r}, the nearest is {nearest!r}",
        "The wagers that are placed on the felt of {chapter} are {known}.",
        "Correct the name; a spot of a pad that is not used is written as -.",
    ),
    (
        "E-TABLE-004",
        "it shows the meter {meter!r}, and the table has no such meter",
        "The meters of the wagers on offer are {known}.",
        "Correct the name, or offer its wager in the submission.",
    ),
    (
        "E-TABLE-005",
        "one machine shuffles and deals, and the cards are dealt by {method}",
        "Only an automated dealing shoe is one machine with its shuffler ({known}).",
        "Write one_machine = false, or submit another method.",
    ),
    (
        "E-TABLE-006",
        "the {item} is {percent}% of a wager of {stake}",
        "The ledger keeps money to the hundredth of a cent, and cuts no smaller fraction off in silence.",
        "Submit a rate with at most two decimals.",
    ),
    (
        "E-TABLE-007",
        "it has a spot at seat {seat}, and the table has {seats} seats",
        "The number of seats is that of the submission.",
        "Correct the option seats, or take the spot out.",
    ),
    (
        "E-TABLE-008",
        "its {option} {value!r} is that of {other} too",
        "Two programs of one port would each read half of every message.",
        "Give each device its own; `sabot device list` shows which there are.",
    ),
    (
        "E-TABLE-009",
        "the table has the shuffler {shuffler!r}, and the submission says shuffler = {submitted}",
        "What shuffles is not what was submitted.",
        "Correct [cards] shuffler, or submit it.",
    ),
    (
        "E-TABLE-010",
        "the {wager} is offered, and nothing takes it at seat {seats}",
        "A progressive is wagered on a device at each betting position, which accepts it and is locked out.",
        "Name its spots in the pads' option spots (`{name}`), or take the wager out of the submission.",
    ),
    (
        "E-TABLE-011",
        "the {wager} is offered, and there is no lock-out button",
        'Without it a wager could be placed after "no more bets".',
        "Wire the key LOCK to the lines (docs/wiring.md), or take the wager out of the submission.",
    ),
    (
        "E-TABLE-012",
        "nothing takes the {wager} at seat {seats}",
        "Each player has a place for every wager on offer ({cite}); chips where no pad is are no wager.",
        "Name its spots in the pads' option spots (`{name}`), or take the wager out of the submission.",
    ),
    (
        "E-TABLE-013",
        "the {wager} is offered, and no station takes it at seat {seats}",
        "Each betting position has a station of the electronic wagering system ({cite}).",
        "Correct the option seats of the system, or take the wager out of the submission.",
    ),
    (
        "E-TABLE-014",
        "it brings the wager {wager!r}, and the wagers on game accounts are {known}",
        "The name is misspelt, or this chapter places the wager on the felt.",
        "Correct the option wagers; `sabot chapter {chapter}` lists them.",
    ),
    (
        "E-TABLE-015",
        "its pin {pin} is that of {other} too",
        "The board has one pin of this number; a line that the file leaves out has its usual pin.",
        "Give the line another pin, or -1 in the device where it is not wired (docs/wiring.md).",
    ),
    (
        "E-TABLE-016",
        "no device shows the dealer's prompts",
        "Without a display the dealer is told neither the next step nor why the table is held.",
        'Add [device.display] with driver = "escpos" and its port (`sabot device list` shows the ports).',
    ),
    (
        "E-TABLE-017",
        "no device has the key {key}",
        "Without it {why}.",
        "Wire it and write its pin as {line} in the section of the lines (`sabot device wire` finds it).",
    ),
    (
        "E-TABLE-018",
        "no device drives the output {line}",
        "Without a wire there {why}.",
        "Wire its relay (docs/wiring.md) and write its pin as {line} in the section of the lines, not -1.",
    ),
    (
        "E-TABLE-019",
        "the cards are known as {knowledge!r}, and no device of the table tells them so",
        "The table would wait for a shoe that is not there; {can}.",
        "Add the shoe as [device.shoe] (with {known}), or write as knowledge what they can tell.",
    ),
    (
        "E-TABLE-020",
        "the shuffler is {shuffler!r}, and no device of the table counts what it shuffles",
        "The table would wait for the count of a device that is not there.",
        'Add it as [device.shuffler] (driver = "sabot-link"), or write "plain" for one that tells nothing.',
    ),
    (
        "E-TABLE-021",
        "the second medium {second} and the journal's {state} are one place",
        "What is lost with one is lost with the other: a copy must lie on a medium of its own.",
        "Name the folder where the other medium is mounted, such as /mnt/sabot, or leave second out.",
    ),
)


class TableError(SabotError):
    """A table that its file describes well and that cannot be."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
