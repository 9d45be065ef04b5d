"""What can be wrong with a table as a whole, where each key of its file is right by itself."""

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
        'Without it a progressive wager could be placed after "no more bets".',
        "Wire the key LOCK to the lines (docs/wiring.md), or take the wager out of the submission.",
    ),
)


class TableError(SabotError):
    """A table that its file describes well and that cannot be."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)
