"""The problems of a Rules Submission with the law: the words of every one, in one table.

A problem is not raised but collected, so that a house sees all of its slips at once. Each has a code, the key
of the file that it is about, what is wrong, the paragraph that says so and what to do.
"""

from collections.abc import Iterable

from sabot.rules.errors import table
from sabot.rules.frozen import frozen

ERRORS = table(
    (
        "E-SUBM-001",
        "the submission is for {theirs}, not for {ours}",
        "A submission chooses among what one chapter leaves open ({cite}).",
        "Check it against {theirs}.",
    ),
    (
        "E-SUBM-002",
        "the submission is marked simulated",
        "{cite} wants the sign of a table that is played at; a simulated one is never posted.",
        "Take simulated out when the choices are those of a house.",
    ),
    (
        "E-SUBM-010",
        "{seats} seats, and the table may have {most} betting positions",
        "{cite} allows no more.",
        "Write {most} or fewer.",
    ),
    (
        "E-SUBM-011",
        "the number of adjacent boxes is not said",
        "{cite} asks for the number of adjacent boxes on which one player may wager in a round.",
        "Add adjacent_boxes to [table]; 1 is no adjacent box beside the player's own.",
    ),
    (
        "E-SUBM-012",
        "{boxes} adjacent boxes at a table of {seats}",
        "The boxes of {cite} are betting positions of this table.",
        "Write {seats} or fewer.",
    ),
    (
        "E-SUBM-020",
        "there is no dealing method {method!r}, the nearest is {nearest!r}",
        "The chapter deals by {known} ({cite}).",
        "Choose one of those.",
    ),
    (
        "E-SUBM-021",
        "dealing by {method!r} without an automated shuffler",
        "{cite} wants one.",
        "Write shuffler = true, or choose another method.",
    ),
    (
        "E-SUBM-022",
        "{decks} decks, and the table may have {most} {when}",
        "{cite} allows a second deck only beside an automated shuffler, and never a third.",
        "Write decks = {most}, or use a shuffler.",
    ),
    (
        "E-SUBM-023",
        "{chapter} deals no Pair Bonus card",
        "Only a chapter with a Pair Bonus Wager leaves this choice ({cite}).",
        "Take the key out.",
    ),
    (
        "E-SUBM-024",
        "a Pair Bonus card is chosen and no wager on offer uses one",
        "The card is for the players who placed the wager ({cite}).",
        "Offer pair_bonus, or take the key out.",
    ),
    (
        "E-SUBM-030",
        "there is no wager {name!r}, the nearest is {nearest!r}",
        "The chapter permits its own wagers and no others ({cite}).",
        "Correct the name or take it out.",
    ),
    (
        "E-SUBM-031",
        "{title} is not among the wagers",
        "It is no option: every table of the game has it ({cite}).",
        "Add it to [wagers] with its min and max.",
    ),
    (
        "E-SUBM-032",
        "{title} has an entry of its own",
        "Its size follows the wager it is made on ({cite}).",
        "Take it out.",
    ),
    (
        "E-SUBM-033",
        "{title} is offered, and {needs} is not",
        "A player may place it only after {needs} ({cite}).",
        "Offer {needs} too, or take {title} out.",
    ),
    (
        "E-SUBM-034",
        "{title} is offered alone",
        "The player chooses between {both} ({cite}).",
        "Offer both.",
    ),
    (
        "E-SUBM-035",
        "{title} has no {end}",
        "A wager is placed within posted bounds ({cite}), and the payout limit is measured at the minimum.",
        "Add its {end}.",
    ),
    (
        "E-SUBM-036",
        "the min of {title}, {least}, is above its max, {most}",
        "No wager could be placed ({cite}).",
        "Correct one of the two.",
    ),
    (
        "E-SUBM-037",
        "the min of {title} is nothing",
        "A wager is placed in value chips or the like ({cite}).",
        "Write an amount above $0.",
    ),
    (
        "E-SUBM-038",
        "{title} has a min or max of its own",
        "A progressive is wagered in one amount, progressive_unit ({cite}).",
        "Take min and max out.",
    ),
    (
        "E-SUBM-039",
        "{name!r} is no extra of a wager on offer",
        "The extras that go with a wager are {known} ({cite}).",
        "Correct the name, offer the wager, or take it out.",
    ),
    (
        "E-SUBM-040",
        "no paytable is chosen for {title}",
        "{cite} leaves the operator to select one in the submission.",
        "Add {name} to [paytables]: one of {known}.",
    ),
    (
        "E-SUBM-041",
        "there is no paytable {letter} for {title}",
        "{cite} prints {known}.",
        "Choose one of those.",
    ),
    (
        "E-SUBM-042",
        "a paytable is chosen for {title}, which is not offered",
        "The choice belongs to a wager on offer ({cite}).",
        "Offer the wager, or take the entry out.",
    ),
    (
        "E-SUBM-043",
        "there is no paytable {name!r} to choose, the nearest is {nearest!r}",
        "The chapter prints no such table, or only one of it ({cite}).",
        "Correct the name or take it out.",
    ),
    (
        "E-SUBM-050",
        "the amount of the progressive wager is not said",
        "Seed, reseed and envy amounts are based upon it ({cite}).",
        "Add progressive_unit: {known}.",
    ),
    (
        "E-SUBM-051",
        "a progressive wager of {unit}",
        "Envy amounts are printed for {known} alone ({cite}).",
        "Choose one of those.",
    ),
    (
        "E-SUBM-052",
        "a progressive unit is chosen and no wager with a meter is offered",
        "The unit is the amount of a wager on offer ({cite}).",
        "Take the key out.",
    ),
    (
        "E-SUBM-053",
        "the meter {name!r} has terms of the operator's own",
        "{cite} leaves none to the operator here: {why}.",
        "Take them out.",
    ),
    (
        "E-SUBM-054",
        "the meter of {title} has no level {level!r}, the nearest is {nearest!r}",
        "Its paytable {letter} pays from {known} ({cite}).",
        "Correct the level or take it out.",
    ),
    (
        "E-SUBM-055",
        "the {item} of the {level} meter is not said",
        "{cite} asks for it in the submission.",
        "Add it.",
    ),
    (
        "E-SUBM-056",
        "the {item} amount of the {level} meter is {amount}, under {least}",
        "{cite} sets {least} as the least for paytable {letter}.",
        "Write {least} or more.",
    ),
    (
        "E-SUBM-057",
        "the rates of the meter come to {total}% of the wager",
        "A meter cannot grow by more than is wagered ({cite}).",
        "Lower the rates.",
    ),
    (
        "E-SUBM-060",
        "{chapter} allows no payout limit",
        "No paragraph of {cite} sets the odds aside.",
        "Take the key out.",
    ),
    (
        "E-SUBM-061",
        "a payout limit of {limit} is under {least}",
        "{cite} wants at least {least}.",
        "Write {least} or more.",
    ),
    (
        "E-SUBM-062",
        "a payout limit of {limit} is under what one patron could win at the minimum wagers, {won}",
        "{cite} wants at least that, on what the limit covers: {covers}.",
        "Write {won} or more, or lower the minimum wagers.",
    ),
    (
        "E-SUBM-063",
        "the payout limit covers no wager on offer",
        "{cite} lets it cover {covers} alone.",
        "Take the key out.",
    ),
    (
        "E-SUBM-070",
        "there is no reading {name!r}, the nearest is {nearest!r}",
        "A reading is a named ambiguity of the chapter ({cite}).",
        "Correct the name, or see `sabot chapter`.",
    ),
    (
        "E-SUBM-071",
        "{value!r} is no answer of the reading {name!r}",
        "The text of {cite} leaves open {known}.",
        "Choose one of those.",
    ),
)


@frozen
class Problem:
    """One thing that the law says against a submission."""

    code: str
    key: str
    what: str
    paragraph: str
    why: str
    cure: str

    def __str__(self) -> str:
        return f"{self.code} {self.key}: {self.what}. {self.why} {self.cure}"


def problem(code: str, key: str, cite: str, **facts: object) -> Problem:
    """Return a problem in the words of the table; ``cite`` is the paragraph it goes back to."""
    kind = ERRORS[code]
    what, why, cure = (text.format(cite=cite, **facts) for text in (kind.what, kind.cause, kind.cure))
    return Problem(code, key, what, cite, why, cure)


def listed(words: Iterable[str], last: str = "and") -> str:
    """Return words as a person lists them."""
    *first, final = words
    return f"{', '.join(first)} {last} {final}" if first else final
