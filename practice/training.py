"""A learner's progress: a file with a line for each finished lesson, and its page for the training record."""

import json
import os
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from html import escape
from pathlib import Path
from typing import Any

from sabot import __version__
from sabot.practice.lesson import Lesson
from sabot.practice.marks import WHOLE, Marks

FOLDER = "sabot-practice"
Row = Mapping[str, Any]
_PLAIN = re.compile(r"[^\w.-]+")
STYLE = """
body { font: 11pt/1.4 system-ui, "DejaVu Sans", sans-serif; margin: 2rem auto; max-width: 60rem; }
body { color: #111; background: #fff; }
h1 { font-size: 1.3rem; margin: 0; }
.notice { font-weight: 700; border: 2px solid #111; padding: 0 .5rem; display: inline-block; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { border-bottom: 1px solid #999; text-align: left; padding: .2rem .5rem; vertical-align: top; }
td.number { text-align: right; }
.sign { display: flex; gap: 3rem; margin-top: 3rem; }
.sign p { flex: 1; border-top: 1px solid #111; padding-top: .2rem; }
@media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; } }
"""


def folder() -> Path:
    """Return the folder that progress is kept in by default."""
    home = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(home) / FOLDER


class LearnerProgress:
    """The record of one learner."""

    def __init__(self, learner: str, kept_in: Path) -> None:
        self.learner = learner
        self.file = kept_in / f"{_PLAIN.sub('-', learner).strip('-.') or 'learner'}.jsonl"

    def add(self, lesson: Lesson, roles: Sequence[str], marks: Marks) -> None:
        """Append a finished lesson to the record."""
        scenario = lesson.scenario
        row = {
            "learner": self.learner,
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "lesson": scenario.name,
            "kind": lesson.kind,
            "paragraph": scenario.paragraph,
            "chapter": scenario.chapter,
            "method": scenario.method,
            "roles": sorted(roles),
            "version": __version__,
            **marks.seen(),
        }
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def rows(self) -> list[Row]:
        """Return every lesson that was finished, oldest first; a line that cannot be read is left out."""
        if not self.file.exists():
            return []
        return [row for line in self.file.read_text("utf-8").splitlines() if (row := _read(line))]

    def best(self) -> dict[str, int]:
        """Return the best score of each lesson."""
        found: dict[str, int] = {}
        for row in self.rows():
            found[row["lesson"]] = max(row["score"], found.get(row["lesson"], 0))
        return found

    def page(self) -> str:
        """Return the training record as a page to print."""
        rows = self.rows()
        whole = len({row["lesson"] for row in rows if row["score"] == WHOLE})
        body = "".join(map(_row, rows)) or '<tr><td colspan="7">No lesson has been finished yet.</td></tr>'
        heads = "".join(
            f'<th scope="col">{head}</th>'
            for head in ("When (UTC)", "Lesson", "As", "Keys right", "Missed", "Seconds", "Score")
        )
        title = f"Training record: {escape(self.learner)}"
        return (
            f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
            f"<style>{STYLE}</style></head><body><main><h1>{title}</h1>"
            '<p class="notice">Practice table, NOT FOR PLAY</p>'
            f"<p>{len(rows)} lessons finished, {whole} different ones with a full score. "
            f"Sabot {__version__}.</p>"
            f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"
            '<div class="sign"><p>Learner</p><p>Trainer</p><p>Date</p></div></main></body></html>\n'
        )


def _read(line: str) -> Row | None:
    try:
        row = json.loads(line)
    except ValueError:
        return None
    return row if isinstance(row, dict) and {"lesson", "score", "at"} <= row.keys() else None


def _row(row: Row) -> str:
    missed = "<br>".join(
        escape(f"{each['pressed']} at {each['display'] or 'a step'}: {each['wanted']}")
        for each in row["missed"]
    )
    cells = (
        f"<td>{escape(row['at'][:16].replace('T', ' '))}</td>",
        f"<td>{escape(row['lesson'])}<br><small>{escape(row['method'])}</small></td>",
        f"<td>{escape(', '.join(row['roles']))}</td>",
        f'<td class="number">{row["right"]}</td>',
        f"<td>{missed or 'nothing'}</td>",
        f'<td class="number">{row["seconds"]:g}</td>',
        f'<td class="number">{row["score"]}</td>',
    )
    return f"<tr>{''.join(cells)}</tr>"
