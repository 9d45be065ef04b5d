"""A run as one page for people: nothing is fetched, so it can be filed and read in ten years.

Each scenario has a picture: steps, what was done and shown on each wire, events and effects, over time. Most
things at a table happen within milliseconds, between long waits. So the axis is half time and half turn:
where much happens it is wider, and the seconds under it say where one is. Every mark has its words as a
tooltip; those for which there is room are written out.
"""

from collections.abc import Iterator
from html import escape
from itertools import groupby
from pathlib import Path

from sabot.hil.scenarios.record import (
    ERROR,
    FAIL,
    PASS,
    SKIP,
    PlayedScenario,
    RecordedPhase,
    ScenarioRun,
    summary,
)
from sabot.hil.scenarios.timeline_rows import PEN, WIDTH, Axis, Lane, lanes_of, times

LANE = 26.0


def picture(played: PlayedScenario) -> str:
    """Return the SVG of a scenario; empty if nothing was done."""
    if not played.phases or not played.diary:
        return ""
    axis = Axis([*times(played)])
    lanes = [lane for lane in lanes_of(played, axis) if lane.parts]
    height = LANE * len(lanes) + 30
    rows = [_placed(lane, number) for number, lane in enumerate(lanes)]
    return PEN.in_page((WIDTH, height), "timeline", [*_grid(axis, height), *rows])


def _grid(axis: Axis, height: float) -> Iterator[str]:
    for second, x in axis.seconds():
        yield PEN.empty("line", **{"class": "grid"}, x1=x, x2=x, y1=4, y2=height - 22)
        yield PEN.text(f"{second:g} s", PEN.attributes(**{"class": "tick"}, x=x, y=height - 8))


def _placed(lane: Lane, number: int) -> str:
    top = 6 + number * LANE
    name = PEN.text(lane.title, PEN.attributes(**{"class": "lane"}, x=4, y=top + 14))
    return name + PEN.group(lane.parts, PEN.attributes(transform=f"translate(0 {PEN.number(top)})"))


WORDS = {PASS: "held", FAIL: "fell short", ERROR: "not played", SKIP: "skipped"}
STYLE = Path(__file__).with_name("report.css")


def write(run: ScenarioRun, path: Path) -> None:
    """Write the page."""
    path.write_text("\n".join(_page(run)) + "\n", encoding="utf-8")


def _page(run: ScenarioRun) -> Iterator[str]:
    yield "<!doctype html>"
    yield '<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    yield f"<title>Sabot rig {escape(run.rig)}: {run.outcome}</title>"
    yield f"<style>{STYLE.read_text(encoding='utf-8')}</style></head><body>"
    yield from _head(run)
    for file, group in groupby(run.scenarios, key=lambda each: each.file):
        scenarios = list(group)
        held = sum(each.outcome == PASS for each in scenarios)
        yield f"<h2>{escape(file)} <small>{held} of {len(scenarios)} held</small></h2>"
        for each in scenarios:
            yield from _scenario(each)
    yield "</body></html>"


def _head(run: ScenarioRun) -> Iterator[str]:
    yield f'<header class="{run.outcome}"><h1>{escape(summary(run))}</h1>'
    yield '<p class="warning">NOT FOR PLAY. A skip is not a pass.</p>'
    facts = {"rig": run.title, "began": run.started, "ended": run.ended, **run.environment}
    yield "<table>"
    for name, value in facts.items():
        yield f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>"
    yield f"<tr><th>features</th><td>{escape(', '.join(run.features))}</td></tr></table>"
    yield from _short(run)
    yield "</header>"


def _short(run: ScenarioRun) -> Iterator[str]:
    """Yield the scenarios that fell short, for the top of the page."""
    short = [each for each in run.scenarios if each.outcome in (FAIL, ERROR)]
    if short:
        yield "<ul>"
        for each in short:
            yield f'<li><a href="#{_anchor(each)}">{escape(each.name)}</a>: {escape(each.why)}</li>'
        yield "</ul>"


def _anchor(played: PlayedScenario) -> str:
    return "".join(letter if letter.isalnum() else "-" for letter in played.name)


def _scenario(played: PlayedScenario) -> Iterator[str]:
    is_open = " open" if played.outcome in (FAIL, ERROR) else ""
    yield f'<details id="{_anchor(played)}" class="{played.outcome}"{is_open}>'
    yield f"<summary><b>{WORDS[played.outcome]}</b> {escape(played.name)}"
    yield f"<small>{played.seconds:.1f} s</small></summary>"
    yield f"<p>{escape(played.about)} <small>{escape(played.paragraph)} · {escape(played.start)}</small></p>"
    if played.why:
        yield f'<pre class="why">{escape(played.why)}</pre>'
    yield f'<div class="picture">{picture(played)}</div>'
    yield from _phases(played.phases)
    for name, text in played.attachments.items():
        yield f"<details><summary>{escape(name)}</summary><pre>{escape(text)}</pre></details>"
    yield "</details>"


def _phases(phases: list[RecordedPhase]) -> Iterator[str]:
    if not phases:
        return
    yield "<table class=steps><tr><th>#</th><th>step</th><th>from</th><th>took</th><th>measured</th></tr>"
    for number, phase in enumerate(phases, 1):
        yield f'<tr class="{phase.outcome}"><td>{number}</td><td><code>{escape(phase.name)}</code></td>'
        yield f"<td>{_seconds(phase.start_s)}</td><td>{_took(phase)}</td><td>{_measured(phase)}</td></tr>"
    yield "</table>"


def _seconds(at: float | None) -> str:
    return "" if at is None else f"{at:.3f} s"


def _took(phase: RecordedPhase) -> str:
    if phase.start_s is None or phase.end_s is None:
        return "not taken"
    return f"{(phase.end_s - phase.start_s) * 1000:.0f} ms"


def _measured(phase: RecordedPhase) -> str:
    return "<br>".join(
        f"{escape(name)} {each.measured_value:.1f} {each.units}"
        + ("" if each.limit is None else f" (at most {each.limit:g})")
        for name, each in phase.measurements.items()
    )
