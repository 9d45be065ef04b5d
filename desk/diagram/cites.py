"""The paragraph behind a row: the chapter's own where one is drawn, else with ``x`` for every chapter."""

from collections.abc import Callable, Mapping

from sabot.rules.chapter import OUR_POLICY, Chapter
from sabot.statemachine.phases import Row

_Cited = Callable[[Chapter], str]


def _rule(*names: str) -> _Cited:
    return lambda chapter: ", ".join(chapter.deck.rules[name].cite for name in names)


# Where the chapter file itself has the citation of a row, it is taken from there.
_CITED: Mapping[str, _Cited] = {
    "cut": _rule("cut"),
    "dealt": lambda chapter: ", ".join(dict.fromkeys(plan.cite for plan in chapter.plans.values())),
    "stub_differs": lambda chapter: chapter.irregularities["stub_short"].cite,
    "recount": _rule("stub"),
    "ask": lambda chapter: ", ".join(chapter.contest.forfeit_cites),
    "settle": lambda chapter: chapter.order_cite,
    "other_deck_in": _rule("two_decks"),
}


def row_cite(row: Row, chapter: Chapter | None) -> str:
    """The paragraph behind a row."""
    if chapter is not None and row.trigger in _CITED:
        return ".".join(parts_of(_CITED[row.trigger](chapter), chapter))
    return section_cite(row.section, chapter)


def section_cite(section: str, chapter: Chapter | None) -> str:
    """A section as a chapter has it, or with ``x`` for every chapter (none: our own policy)."""
    if section == "-":
        return OUR_POLICY
    return chapter.section(section) if chapter else f"x.{section}"


def parts_of(cite: str, chapter: Chapter) -> tuple[str, str]:
    """A list of citations as the chapter's name, once, and what follows it."""
    head = chapter.numbering.head.rstrip(".")
    sections = (each.strip().removeprefix(f"{head}.") for each in cite.split(","))
    return head, ", ".join(dict.fromkeys(sections))
