"""The dealing plans of a chapter file.

A step either deals ``cards`` cards to each place ``around`` the table, so many ``times``, or takes a
``stack`` and divides it into ``parts``. A step may depend on what was wagered (``if``) and on a reading.
"""

from collections.abc import Collection
from typing import NamedTuple

from sabot.config.reader import Section
from sabot.rules.chapter import RESHUFFLES, Part, PlanSpec, PlanStep
from sabot.rules.plan import CONDITIONS, PLACES, TAKES

METHODS = frozenset({"manual_shoe", "hand", "auto_shoe", RESHUFFLES})
MOST_AT_ONCE = 9
HAND = frozenset({"player"})


class Known(NamedTuple):
    """The places and the conditions that the steps of a chapter may name."""

    places: frozenset[str]
    conditions: frozenset[str]


def read_plans(part: Section, places: Collection[str]) -> dict[str, PlanSpec]:
    """Return every dealing method of the chapter; ``places`` are those that have cards."""
    # A wager with cards of its own is a place and, by the same name, the condition that somebody placed it.
    # ``player`` is how many cards a hand has, not where it lies: the steps say ``seats``.
    known = Known(PLACES.union(places) - HAND, CONDITIONS.union(places) - HAND - PLACES)
    plans: dict[str, PlanSpec] = {}
    for method in part.data:
        if method not in METHODS:
            raise part.fail("E-CONF-008", key="plans", value=method, known=" ".join(sorted(METHODS)))
        plans[method] = _plan(method, part.section(method), plans, known)
    return plans


def _plan(method: str, part: Section, earlier: dict[str, PlanSpec], known: Known) -> PlanSpec:
    cite = part.text("cite")
    if "same_as" in part:
        # Only what stands above it, so that no plan is the same as one that is the same as it.
        return PlanSpec(method, cite, earlier[part.choice("same_as", frozenset(earlier))].steps)
    shuffler = part.maybe("needs_shuffler")
    return PlanSpec(
        method,
        cite,
        tuple(_step(step, known) for step in part.list_of("steps")),
        shuffler.text("cite") if shuffler and shuffler.flag("yes") else "",
    )


def _step(part: Section, known: Known) -> PlanStep:
    return PlanStep(
        around=tuple(
            _known(part, "around", place, known.places) for place in part.words("around", optional=True)
        ),
        cards=part.number("cards", 1, MOST_AT_ONCE, 1),
        times=part.number("times", 1, MOST_AT_ONCE, 1),
        face_up=_is_up(part),
        condition=part.choice("if", known.conditions, ""),
        readings=part.texts("reading"),
        by_hand=part.flag("by_hand"),
        stack=part.number("stack", 1, MOST_AT_ONCE, 0),
        parts=tuple(_part(each, known) for each in part.list_of("parts")) if "parts" in part else (),
    )


def _part(part: Section, known: Known) -> Part:
    return Part(
        to=part.choice("to", known.places),
        take=part.choice("from", TAKES),
        face_up=_is_up(part),
        condition=part.choice("if", known.conditions, ""),
        otherwise=part.choice("else", known.places, ""),
    )


def _is_up(part: Section) -> bool:
    return part.choice("face", frozenset({"up", "down"}), "down") == "up"


def _known(part: Section, key: str, value: str, known: frozenset[str]) -> str:
    if value not in known:
        raise part.fail("E-CONF-008", key=key, value=value, known=" ".join(sorted(known)))
    return value
