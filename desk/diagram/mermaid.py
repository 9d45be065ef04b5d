"""The same life as Mermaid text: a flow chart with a frame for each part, which GitHub and others draw.

Mermaid's own state diagram refuses arrows between phases of different frames, so this is a flow chart.
"""

from collections.abc import Iterator, Sequence

from sabot.desk.diagram.life import Life, life, marks, parts, run_of, title
from sabot.desk.diagram.trouble import DrawnIrregularity, faults, irregularities
from sabot.rules.chapter import Chapter
from sabot.statemachine.state.phases import Phase


def mermaid(chapters: Sequence[Chapter], chapter: Chapter | None = None, only: Phase | None = None) -> str:
    """Return the whole flow chart."""
    shown = life(chapter, only)
    known = [chapter] if chapter else list(chapters)
    lines = [
        "flowchart TB",
        *life_lines(shown),
        *_irregularities(irregularities(known, only), len(known)),
        *_faults(chapter),
    ]
    return "\n".join(lines) + "\n"


def life_lines(shown: Life) -> Iterator[str]:
    """Yield the phases in the frames of their parts, and the ways between them."""
    for part in parts(shown.phases):
        yield f'  subgraph part_{part.name}["{part.name}"]'
        yield from (f'    {phase.value}("{title(phase)}")' for phase in part.phases)
        yield "  end"
    for way in shown.ways:
        for source in way.sources:
            yield _arrow(source.value, way.words, way.cite, way.dest.value)
    for number, (sources, those) in enumerate(marks(shown.from_many).items(), 1):
        yield f'  many{number}[/"from {run_of(sources)}"/]'
        for way in those:
            yield _arrow(f"many{number}", way.words, way.cite, way.dest.value)


def _arrow(source: str, words: str, cite: str, dest: str) -> str:
    return f'  {source} -- "{words}<br>{cite}" --> {dest}'


def _irregularities(rows: Sequence[DrawnIrregularity], chapters: int) -> Iterator[str]:
    """Yield each irregularity with an arrow to what becomes of the round."""
    if not rows:
        return
    yield '  subgraph irregularities["irregularities"]'
    fates = list(dict.fromkeys(each.fate for row in rows for each in row.outcomes))
    names = {fate: f"fate{number}" for number, fate in enumerate(fates, 1)}
    yield from (f'    {name}(["{fate}"])' for fate, name in names.items())
    for row in rows:
        name = f"irregularity_{row.kind.replace(' ', '_')}"
        yield f'    {name}["{row.kind}<br>{row.phases}"]'
        for each in row.outcomes:
            those = "" if len(each.chapters) == chapters else f"<br>{', '.join(each.chapters)}"
            yield _arrow(f"  {name}", each.then, f"{each.cite}{those}", names[each.fate])
    yield "  end"


def _faults(chapter: Chapter | None) -> Iterator[str]:
    """Yield each fault with an arrow to the hold, and on it who releases it."""
    yield '  subgraph faults["faults, over any phase"]'
    yield '    held{{"held"}}'
    for row in faults(chapter):
        name = f"fault_{row.kind.replace(' ', '_')}"
        yield f'    {name}["{row.kind}<br>{row.cure}"]'
        yield _arrow(f"  {name}", row.releases, row.cite, "held")
    yield "  end"
