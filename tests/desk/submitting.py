"""Rules Submissions for tests: the example of a chapter, changed at a few keys, in memory or as a file."""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sabot.config import load_chapter
from sabot.config.submission import Submission, read_submission
from sabot.config.submission_rules import problems
from sabot.desk.sign.content import Content, sign_content

EXAMPLES = Path(__file__).resolve().parents[2] / "config" / "submissions"
Changes = Mapping[str, Any]


def example(chapter: str) -> Path:
    return EXAMPLES / f"{chapter}.toml"


def data(chapter: str, changes: Changes | None = None) -> dict[str, Any]:
    """The example's content with these dotted keys set, or taken out where the value is None."""
    content = tomllib.loads(example(chapter).read_text(encoding="utf-8"))
    for path, value in (changes or {}).items():
        *above, key = path.split(".")
        part = content
        for name in above:
            part = part.setdefault(name, {})
        if value is None:
            part.pop(key, None)
        else:
            part[key] = value
    return content


def submission(chapter: str, changes: Changes | None = None) -> Submission:
    return read_submission("house.toml", data(chapter, changes))


def sign_of(chosen: Submission) -> Content:
    """What the sign of a submission says, which must stand."""
    chapter = load_chapter(chosen.chapter)
    assert problems(chosen, chapter) == []
    return sign_content(chapter, chosen)


def sign(chapter: str, changes: Changes | None = None) -> Content:
    return sign_of(submission(chapter, changes))


def file(folder: Path, chapter: str, changes: Changes | None = None) -> Path:
    """The same as a file."""
    path = folder / "house.toml"
    path.write_text("\n".join(_lines("", data(chapter, changes))) + "\n", encoding="utf-8")
    return path


def _lines(name: str, table: Mapping[str, Any]) -> list[str]:
    lines = [f"[{name}]"] if name else []
    lines += [f"{key} = {_value(each)}" for key, each in table.items() if not isinstance(each, dict)]
    for key, each in table.items():
        if isinstance(each, dict):
            lines += _lines(f"{name}.{key}" if name else key, each)
    return lines


def _value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return f'"{value}"' if isinstance(value, str) else str(value)
