"""The content of the pictures: phases by part of the life, the ways between them, what can go wrong.

Everything comes from the rows of ``statemachine`` and the citations of the chapters; only which part of the
life a phase belongs to is said here. With a chapter, rows that its wagers cannot lead to are left out and
each citation is the chapter's own; without one, ``x`` stands for the chapter's number.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sabot.rules.chapter import OUR_POLICY, Chapter
from sabot.statemachine.state.phases import ROWS, Phase, Row

P = Phase


class LifePart(NamedTuple):
    """A part of the life, with its phases."""

    name: str
    phases: tuple[Phase, ...]


PARTS = (
    LifePart(
        "opening",
        (P.CLOSED, P.INSPECTING, P.VERIFYING, P.SPREAD, P.WASHING, P.SHUFFLING, P.CUTTING),
    ),
    LifePart("betting", (P.IDLE, P.BETS_OPEN, P.COUNTING_CHIPS, P.CHIP_MISMATCH)),
    LifePart("dealing", (P.DEALING, P.STUB, P.STUB_WRONG)),
    LifePart("decisions", (P.DECIDING, P.TURNING, P.DECLARING)),
    LifePart("settlement", (P.SETTLING, P.VALIDATING, P.DOCUMENTS, P.CLEARING)),
    LifePart("void", (P.RETURNING, P.LAST_COUNT, P.LAST_WRONG)),
)
PART_OF = {phase: part.name for part in PARTS for phase in part.phases}

# A row out of so many phases is drawn once, and its phases are marked.
MANY = 4


class DiagramWay(NamedTuple):
    """One way from phase to phase, or one that leads out of many."""

    sources: tuple[Phase, ...]
    dest: Phase
    words: str
    cite: str


class Life(NamedTuple):
    """The phases of a table and the ways between them."""

    phases: tuple[Phase, ...]
    ways: tuple[DiagramWay, ...]
    from_many: tuple[DiagramWay, ...]


# ---------------------------------------------------------------- the life


def _has_chips(chapter: Chapter) -> bool:
    return any(wager.device == "progressive" for wager in chapter.wagers.values())


def _has_hits(chapter: Chapter) -> bool:
    return bool(chapter.meters)


# What must be wagered at a table before a row can be taken.
_NEEDS: Mapping[str, Callable[[Chapter], bool]] = {
    "lock": _has_chips,
    "recount_chips": _has_chips,
    "hit": _has_hits,
    "await_documents": _has_hits,
    "stand_counting_chips": _has_chips,
    "stand_chip_mismatch": _has_chips,
    "stand_validating": _has_hits,
}


def life(chapter: Chapter | None = None, only: Phase | None = None) -> Life:
    """Return the whole life of a table, or one phase with its ways in and out."""
    rows = [row for row in ROWS if chapter is None or _NEEDS.get(row.trigger, _always)(chapter)]
    ways = list(_split(_reached_ways(rows, chapter)))
    if only is not None:
        ways = [way._replace(sources=(only,)) if only in way.sources else way for way in ways]
        ways = [way for way in ways if only in (*way.sources, way.dest)]
    many = tuple(way for way in ways if len(way.sources) > MANY)
    drawn = tuple(way for way in ways if len(way.sources) <= MANY)
    shown = {phase for way in drawn for phase in (*way.sources, way.dest)}
    shown |= {way.dest for way in many} if only is None else {only}
    return Life(tuple(phase for part in PARTS for phase in part.phases if phase in shown), drawn, many)


def _reached_ways(rows: Sequence[Row], chapter: Chapter | None) -> Iterator[DiagramWay]:
    reached = _reached(rows)
    for row in rows:
        sources = tuple(phase for phase in row.sources if phase in reached)
        if sources:
            yield DiagramWay(sources, row.dest, row.words, row_cite(row, chapter))


def _split(ways: Iterable[DiagramWay]) -> Iterator[DiagramWay]:
    """Yield ways; those out of many phases apart from the few that such a row has beyond those of another."""
    found = list(ways)
    # A void can begin in nearly every phase. Drawn whole, such a row would be an arrow each, so phases that
    # several rows share get one mark between them, and only what a row has beyond them is drawn as arrows.
    sets = sorted({frozenset(way.sources) for way in found if len(way.sources) > MANY}, key=len)
    for way in found:
        common = next((each for each in sets if each < set(way.sources)), frozenset())
        few = tuple(phase for phase in way.sources if phase not in common)
        if common and len(few) <= MANY:
            yield way._replace(sources=few)
            yield way._replace(sources=tuple(phase for phase in way.sources if phase in common))
        else:
            yield way


def _always(_chapter: Chapter) -> bool:
    return True


def _reached(rows: Iterable[Row]) -> set[Phase]:
    """Return the phases that these rows lead to from a closed table."""
    found = {Phase.CLOSED}
    while True:
        more = {row.dest for row in rows if found & set(row.sources)} - found
        if not more:
            return found
        found |= more


def marks(ways: Iterable[DiagramWay]) -> dict[tuple[Phase, ...], list[DiagramWay]]:
    """Return the ways out of many phases, by their phases: each such set has a mark of its own."""
    found: dict[tuple[Phase, ...], list[DiagramWay]] = {}
    for way in ways:
        found.setdefault(way.sources, []).append(way)
    return found


def title(phase: Phase) -> str:
    """Return a phase as a picture names it."""
    return phase.value.replace("_", " ")


def parts(phases: Iterable[Phase]) -> Iterator[LifePart]:
    """Yield the parts of the life that these phases belong to."""
    wanted = set(phases)
    for part in PARTS:
        found = tuple(phase for phase in part.phases if phase in wanted)
        if found:
            yield LifePart(part.name, found)


def run_of(phases: Iterable[Phase]) -> str:
    """Return phases in the order of a life, each run of three or more by its ends."""
    order, wanted = list(Phase), set(phases)
    runs: list[list[str]] = [[]]
    for phase in order:
        if phase in wanted:
            runs[-1].append(title(phase))
        elif runs[-1]:
            runs.append([])
    return ", ".join(name for run in runs for name in _ends(run))


def _ends(run: Sequence[str]) -> Sequence[str]:
    return run if len(run) <= len(("first", "last")) else [f"{run[0]} to {run[-1]}"]


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
    """Return the paragraph behind a row."""
    if chapter is not None and row.trigger in _CITED:
        return ".".join(parts_of(_CITED[row.trigger](chapter), chapter))
    return section_cite(row.section, chapter)


def section_cite(section: str, chapter: Chapter | None) -> str:
    """Return a section as a chapter has it, or with ``x`` for every chapter; ``-`` is our own policy."""
    if section == "-":
        return OUR_POLICY
    return chapter.section(section) if chapter else f"x.{section}"


def parts_of(cite: str, chapter: Chapter) -> tuple[str, str]:
    """Return a list of citations as the chapter's name, once, and what follows it."""
    head = chapter.numbering.head.rstrip(".")
    sections = (each.strip().removeprefix(f"{head}.") for each in cite.split(","))
    return head, ", ".join(dict.fromkeys(sections))
