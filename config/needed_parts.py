"""The parts that a chapter must have: those that the program asks for by their names.

One that is missing would be missed in the middle of a round, as a reading would (``asked_readings``). Here
too whoever asks stands in a table, and a chapter is held against it where it is loaded.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain
from typing import NamedTuple

from sabot.config.asked_readings import always, compares_hands, gives_stacks
from sabot.config.errors import ConfigError, meant
from sabot.rules.chapter import Chapter


class NeededPart(NamedTuple):
    """What a part of the file must have, where the program asks for it, and of which chapters."""

    part: str
    name: str
    where: str
    when: Callable[[Chapter], bool] = always


class _Asked(NamedTuple):
    """A name that is asked for in a part of the file, and the names that the part has."""

    part: str
    name: str
    where: str
    there: Collection[str]


def verify_parts(chapter: Chapter, file: str) -> None:
    """Raise ConfigError for the first part that is asked for and not there."""
    # One by one: each is asked of what the ones before it found there.
    for asked in chain(_by_the_program(chapter), _by_ends(chapter)):
        if asked.name not in asked.there:
            raise _missing(asked, file)


def _missing(asked: _Asked, file: str) -> ConfigError:
    return ConfigError(
        "E-CONF-023",
        f"{file} [{asked.part}]",
        name=asked.name,
        near=meant(asked.name, asked.there),
        where=asked.where,
        part=asked.part,
    )


# ------------------------------------------------------------ by the program


def _has_to_qualify(chapter: Chapter) -> bool:
    return chapter.contest.qualifies is not None


NEEDED = (
    NeededPart("hands", "player", "where cards are dealt to a seat"),
    NeededPart("hands", "dealer", "where hands are compared with the dealer's", compares_hands),
    NeededPart("contest", "win", "where a hand wins"),
    NeededPart("contest", "lose", "where a hand loses"),
    NeededPart("contest", "unqualified", "where the dealer does not qualify", _has_to_qualify),
    NeededPart("irregularities", "one_face_up", "where a card lies face up in the deck"),
    NeededPart("irregularities", "several_face_up", "where a second card lies face up in the deck"),
    NeededPart("irregularities", "drawn_in_error", "where a card is drawn in error"),
    NeededPart("irregularities", "wrong_count", "where a place has a wrong number of cards"),
    NeededPart("irregularities", "shoe_jam", "where an automated shoe stops in a deal", gives_stacks),
    NeededPart("irregularities", "stub_misdealt", "where a wrong stub is found to be a misdeal"),
    NeededPart("irregularities", "stub_short", "where a wrong stub is found to be no misdeal"),
)
THERE: Mapping[str, Callable[[Chapter], Collection[str]]] = {
    "hands": lambda chapter: chapter.hands.places,
    "contest": lambda chapter: chapter.contest.results,
    "irregularities": lambda chapter: chapter.irregularities,
}


def _by_the_program(chapter: Chapter) -> Iterator[_Asked]:
    for need in NEEDED:
        if need.when(chapter):
            yield _Asked(need.part, need.name, need.where, THERE[need.part](chapter))


# ------------------------------------------------------------ by ends of the contest

PAYTABLE = "paytable"


def _by_ends(chapter: Chapter) -> Iterator[_Asked]:
    contest = chapter.contest
    for end, result in contest.results.items():
        for wager in contest.wagers:
            yield _Asked(f"contest.{end}", wager, "where this end settles the wager", result.actions)
    if "bad_beat" in contest.results:
        yield _paytable(
            "contest.bad_beat", contest.results["bad_beat"].paytable, "which losing hands it is for"
        )
    if not contest.against_dealer:
        yield _paytable(f"contest.win.{contest.opening}", contest.opening_paytable, "which hands win")


def _paytable(part: str, name: str, what: str) -> _Asked:
    return _Asked(part, PAYTABLE, f"where it is asked {what}", {PAYTABLE} if name else ())
