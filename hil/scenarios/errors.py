"""Errors of a scenario, of a rig, or of what was asked of them."""

from sabot.rules.errors import SabotError, nearest, table

ERRORS = table(
    (
        "E-HIL-001",
        "cannot be read ({why})",
        "It is no TOML file of scenarios or of a rig, or it is not there.",
        "See docs/hil.md, which has a scenario and a rig to begin with.",
    ),
    (
        "E-HIL-002",
        "{name!r} is no {what}{near}",
        "It is misspelt, or nothing of this name exists.",
        "There are: {known}.",
    ),
    (
        "E-HIL-003",
        "{why}",
        "A step is one line: a verb, a colon, and its words.",
        "Write it as in `{usage}`.",
    ),
    (
        "E-HIL-004",
        "{why}",
        "Names, paragraphs and steps of scenarios must be whole, and no two may have one name.",
        "See docs/hil.md for what a scenario has.",
    ),
    (
        "E-HIL-005",
        "no scenario's name has {pattern!r} in it{near}",
        "The pattern is misspelt.",
        "See `sabot hil list`; * and ? stand for any letters.",
    ),
    (
        "E-HIL-006",
        "the rig cannot be used ({why})",
        "Something that it is made of is not there or does not start.",
        "See the rig's file and docs/hil.md.",
    ),
    (
        "E-HIL-007",
        "this machine cannot run the rig, and nothing was played ({why})",
        "The rig needs more of a machine than this one has.",
        "See docs/kernel-rig.md for what it needs.",
    ),
)


class ScenarioError(SabotError):
    """A scenario or a rig that cannot be used as it is written."""

    def __init__(self, code: str, place: str, **facts: object) -> None:
        super().__init__(ERRORS[code], place, **facts)


class CannotPlayError(ScenarioError):
    """The machine is not one on which the rig can stand: neither good nor bad."""

    def __init__(self, place: str, why: object) -> None:
        super().__init__("E-HIL-007", place, why=why)


def unknown(place: str, what: str, name: str, known: "list[str]") -> ScenarioError:
    """Return the error for a name that does not exist, with the nearest one that does."""
    return ScenarioError(
        "E-HIL-002", place, name=name, what=what, near=near(name, known), known=", ".join(known)
    )


def near(name: str, known: "list[str]") -> str:
    """Return the nearest known word, in words; empty if none is near."""
    found = nearest(name, known, 0.5)
    return f"; the nearest is {found!r}" if found else ""
