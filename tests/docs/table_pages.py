"""Pages and pictures of the table, written from its rows: docs/table.md, docs/events.md, docs/pictures/table-*.svg.

Run with ``--write`` to write them, with nothing to check that they are up to date. Of ``table.md`` only what
stands between two marks is written here, the rest is a person's.
"""

from __future__ import annotations

import argparse
import re
import sys
import tomllib
from dataclasses import MISSING, fields
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING

from pages import CURE_HEADS
from sabot.config import CHAPTER_IDS, load_chapter
from sabot.desk.diagram.life import life, run_of, section_cite, title
from sabot.desk.diagram.mermaid import life_lines
from sabot.desk.diagram.picture import picture
from sabot.desk.diagram.trouble import cures, faults, irregularities
from sabot.statemachine.rooms import ACTIONS, MEANT
from sabot.statemachine.state.books import RoundRecord
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Setup
from sabot.statemachine.vocabulary.codec import EFFECTS, EVENTS, MASKED
from sabot.statemachine.vocabulary.events import Key, Role

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs"
MARKED = re.compile(r"(?<=<!-- rows: )(\w+)( -->\n).*?(?=<!-- end of rows -->)", re.DOTALL)


# ---------------------------------------------------------------- the table


def table_page() -> str:
    """``docs/table.md``, its marked blocks from the rows."""
    return _with_blocks("table.md")


def operator_page() -> str:
    """``docs/operator.md``, its cures from the rows."""
    return _with_blocks("operator.md")


def _with_blocks(name: str) -> str:
    text = (DOCS / name).read_text(encoding="utf-8")
    return MARKED.sub(lambda found: f"{found[1]}{found[2]}\n{BLOCKS[found[1]]()}\n\n", text)


def _rows(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def _life() -> str:
    return "```mermaid\nflowchart TB\n" + "\n".join(life_lines(life())) + "\n```"


def _keys() -> str:
    rows = [
        (title(phase), ACTIONS[name].title, ACTIONS[name].by.value, section_cite(ACTIONS[name].section, None))
        for phase in Phase
        if (name := MEANT[Key.OK].get(phase))
    ]
    return _rows(("phase", "OK means", "by", "paragraph"), rows)


def _list_of(role: Role) -> str:
    rows = [
        (
            action.title,
            "any phase" if action.phases == frozenset(Phase) else run_of(action.phases),
            "also while held" if action.while_held else "",
            section_cite(action.section, None),
        )
        for action in ACTIONS.values()
        if action.by is role and action.key is None
    ]
    return _rows(("action", "in the phases", "", "paragraph"), rows)


def _irregularities() -> str:
    chapters = [load_chapter(name) for name in CHAPTER_IDS]
    rows = [
        (row.kind, row.phases, each.fate, each.then, ", ".join(each.chapters), each.cite)
        for row in irregularities(chapters)
        for each in row.outcomes
    ]
    return _rows(("irregularity", "in the phases", "what it does", "then", "chapters", "paragraph"), rows)


def _faults() -> str:
    rows = [(row.kind, row.words, row.cure, row.releases, row.basis, row.cite) for row in faults()]
    return _rows(("fault", "says", "cure", "released by", "whose rule", "beside"), rows)


def _cures() -> str:
    return _rows(CURE_HEADS, cures())


BLOCKS: Mapping[str, Callable[[], str]] = {
    "life": _life,
    "keys": _keys,
    "menu": lambda: _list_of(Role.DEALER),
    "floor": lambda: _list_of(Role.FLOOR),
    "irregularities": _irregularities,
    "faults": _faults,
    "cures": _cures,
}


# ---------------------------------------------------------------- events and effects


EVENTS_PAGE = """\
# Events and effects

An event is the only way into the table, an effect is the only way out of it. Both are plain frozen values in
`statemachine/vocabulary/events.py` and `statemachine/vocabulary/effects.py`; in a file each is one JSON object a line, its name first:

```json
{{"event": "WagerSensed", "at": 31.0, "source": "pad", "seat": 2, "wager": "ante", "cents": 1000}}
{{"effect": "ShowPrompt", "cite": "641a.8(b)", "first": "CHIPS: 0", "second": "ACCEPTED: 1  OK"}}
```

Every event has `at`, the monotonic second in which it was seen, and `source`, who saw it (empty where it does not matter).
Every effect has `cite`, the paragraph behind it (empty where it decides nothing). Reading is strict: an unknown field, a
missing one or a value of another type is refused with its place ([errors](errors.md), E-EVENT). A field with a default may
be left out.

A card is written by its name (`As`, `Td`) and, as long as it is not public, as null: the identity is written only for those
who seal it, and for recordings of a simulated table. No effect ever has the identity of a card that is not public.

## A recording

`sabot replay` reads a file whose first line (or lines, each with fields of its own) sets up the table, and whose others are
events:

```json
{{"table": {{"chapter": "pa679a", "options": {{"paytables": {{"bad_beat": "A"}}}}, "offers": ["prime"], "method": "hand", "knowledge": "none"}}}}
```

Only `chapter` has no default. {setup}

`--json` answers each event with `{{"event": ..., "effects": [...], "phase": ...}}` and each finished round with
`{{"round": ...}}`, its record. Recorded effects for `--diff` are a list for each event, or what `--json` printed. There are
recordings of a shift of each chapter in `tests/data/shifts`.

A recording whose cards were masked does not replay: a card that is null was not readable.

## Events

{events}
## Effects

{effects}
## The record of a round

{record}"""


def events_page() -> str:
    """``docs/events.md``."""
    return EVENTS_PAGE.format(
        setup=_setup_words(),
        events="\n".join(_entries(EVENTS, without={"at", "source"})),
        effects="\n".join(_entries(EFFECTS, without={"cite"})),
        record="\n".join(_entries({"RoundRecord": RoundRecord}, without=set())),
    )


def _setup_words() -> str:
    names = ", ".join(f"`{each.name}`" for each in fields(Setup) if each.name != "chapter")
    return f"The other fields are those of `Setup` in `statemachine/state/setup.py`: {names}."


def _entries(kinds: Mapping[str, type], without: set[str]) -> Iterator[str]:
    meanings = tomllib.loads((HERE / "events.toml").read_text(encoding="utf-8"))
    for name, kind in kinds.items():
        said = meanings.get(name, {})
        shown = [each for each in _fields(kind) if each[0] not in without or each[0] in said]
        if name not in meanings or said.keys() != {field for field, _, _ in shown}:
            raise LookupError(f"tests/docs/events.toml does not say what the fields of {name} are")
        rows = [(f"`{field}`", words, default, said[field]) for field, words, default in shown]
        table = _rows(("field", "value", "default", "meaning"), rows) + "\n" if rows else ""
        yield f"### {name}\n\n{said_of(kind)}\n\n{table}"


def said_of(kind: type) -> str:
    """What a class says of itself."""
    return cleandoc(kind.__doc__ or "").replace("``", "`")


def _fields(kind: type) -> Iterator[tuple[str, str, str]]:
    """Each field with the words a reader wants and its default."""
    codings = MASKED.fields(kind).codings
    for each in fields(kind):
        default = "" if each.default is MISSING else _SHOWN.get(repr(each.default), repr(each.default))
        yield each.name, codings[each.name].wanted, default


_SHOWN = {"''": "empty", "()": "empty", "None": "null", "True": "true", "False": "false"}


# ---------------------------------------------------------------- writing


def pages() -> Iterator[tuple[Path, str]]:
    """Every page and picture, and what should stand in it."""
    chapters = [load_chapter(name) for name in CHAPTER_IDS]
    yield DOCS / "table.md", table_page()
    yield DOCS / "operator.md", operator_page()
    yield DOCS / "events.md", events_page()
    yield DOCS / "pictures" / "table-life.svg", picture(chapters)
    for chapter in chapters:
        yield DOCS / "pictures" / f"table-{chapter.id}.svg", picture(chapters, chapter)


def stale() -> list[str]:
    """The pages that do not say what the rows say."""
    return [
        path.name for path, text in pages() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]


def main() -> int:
    """Write the pages, or say which are stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the pages")
    if parser.parse_args().write:
        for path, text in pages():
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    for name in stale():
        print(f"docs: {name} is not what the program says: python tests/docs/table_pages.py --write")
    return 1 if stale() else 0


if __name__ == "__main__":
    sys.exit(main())
