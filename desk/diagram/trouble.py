"""The table of what can go wrong: irregularities of the cards as the chapters have them, and faults.

An irregularity is met in certain phases and does to the round what its chapter says. A fault may come in any
phase; it lies over the phase until its cause was tested again and the right role has released it.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sabot.desk.diagram.life import parts_of, run_of, section_cite
from sabot.rules.chapter import Chapter, Fate
from sabot.rules.chapter import IrregularityRule as Irregular
from sabot.statemachine.cures import in_short, in_words
from sabot.statemachine.faults import FAULTS
from sabot.statemachine.irregular import IRREGULARITIES
from sabot.statemachine.labels import HELD_LINES
from sabot.statemachine.state.phases import Phase

FATES = {
    Fate.VOID: "the round is void",
    Fate.VOID_CONTEST: "antes and raises go back, optional wagers are settled",
    Fate.GOES_ON: "the round goes on",
}
ONLY_WHEN = {"before_raise": "only before the raises"}
THEN = {
    "one_face_up": "set aside",
    "drawn_in_error": "it is the next card",
    "shoe_jam": "reshuffle with those dealt",
}


class IrregularityOutcome(NamedTuple):
    """The effect of an irregularity on a round, its place, and its chapters."""

    fate: str
    then: str
    cite: str
    chapters: tuple[str, ...]


class DrawnIrregularity(NamedTuple):
    """A row of the table of irregularities."""

    kind: str
    phases: str
    outcomes: tuple[IrregularityOutcome, ...]


class Fault(NamedTuple):
    """A row of the table of faults."""

    kind: str
    words: str
    basis: str
    cite: str
    releases: str
    cure: str


def irregularities(chapters: Sequence[Chapter], only: Phase | None = None) -> list[DrawnIrregularity]:
    """Return the irregularities that these chapters know, with what each makes of them."""
    found = []
    for row in IRREGULARITIES:
        outcomes = tuple(_outcomes(row.kind, chapters))
        if outcomes and (only is None or only in row.phases):
            methods = f" ({row.methods.replace('_', ' ')})" if row.methods else ""
            found.append(DrawnIrregularity(_words(row.kind), run_of(row.phases) + methods, outcomes))
    return found


def then_words(found: Irregular) -> str:
    """Return what becomes of the cards: they are reshuffled, but for the kinds that say otherwise."""
    return "deck removed" if found.removes_deck else THEN.get(found.kind, "reshuffle")


def _outcomes(kind: str, chapters: Sequence[Chapter]) -> Iterable[IrregularityOutcome]:
    """Yield the outcomes of a kind, one for all chapters that have the same."""
    grouped: dict[tuple[str, str], list[Chapter]] = {}
    for chapter in chapters:
        found = chapter.irregularities.get(kind)
        if found is not None:
            when = f" ({ONLY_WHEN[found.only_when]})" if found.only_when else ""
            grouped.setdefault((FATES[found.fate] + when, then_words(found)), []).append(chapter)
        # Some texts say nothing of it, so what is done rests on a reading (docs/readings.md).
        elif kind == "exposed_other":
            grouped.setdefault(("no rule: noted", "the reading exposed_other may hold"), []).append(chapter)
    for (fate, then), those in grouped.items():
        yield IrregularityOutcome(fate, then, _cite(kind, those), tuple(chapter.id for chapter in those))


def _cite(kind: str, chapters: Sequence[Chapter]) -> str:
    """Return the paragraphs of a kind; chapters that number them alike are named together."""
    if len(chapters) == 1 and kind in chapters[0].irregularities:
        return ".".join(parts_of(chapters[0].irregularities[kind].cite, chapters[0]))
    by_section: dict[str, list[str]] = {}
    for chapter in chapters:
        if kind in chapter.irregularities:
            head, section = parts_of(chapter.irregularities[kind].cite, chapter)
            by_section.setdefault(section, []).append("MLGCA ch" if head == "ch" else head)
    return "; ".join(f"{'/'.join(heads)}.{section}" for section, heads in by_section.items()) or "-"


def faults(chapter: Chapter | None = None) -> list[Fault]:
    """Return every fault there is."""
    return [
        Fault(
            _words(row.kind),
            row.words,
            row.basis,
            section_cite(row.section, chapter),
            f"{row.role} after a retest" if row.needs_retest else str(row.role),
            in_short(row.kind),
        )
        for row in FAULTS
    ]


def _words(name: str) -> str:
    return name.replace("_", " ")


def cures() -> list[tuple[str, str, str]]:
    """Return each fault as the display says it, the steps that cure it, and its name at the console."""
    return [
        (f"HELD: {HELD_LINES[row.kind]}", "; ".join(in_words(row.kind, row.role)), row.kind) for row in FAULTS
    ]
