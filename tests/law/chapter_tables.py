"""The paytables, meters and limits of the chapter files, cell by cell, as a text would print them.

The chapter files are read here as plain TOML, not through the loader: what is compared with the
law is what stands in the file, before any code has made something of it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from printed import ONLY, Key, Tables, gathered

DOCUMENTS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
Node = dict[str, Any]


def _cites(node: Node) -> list[str]:
    """Return a table's citations; Maryland's file says `ch.` before the first one only."""
    cites: list[str] = node["cite"].split(", ")
    return [f"ch.{c}" if cites[0].startswith("ch.") and c[0].isdigit() else c for c in cites]


def _sheets(tables: Node) -> Iterator[Node]:
    """Yield the sheets of the paytables; some have more than one."""
    for table in tables.values():
        yield from table if isinstance(table, list) else [table]


def _paytable_cells(chapter: Node) -> Iterator[tuple[Key, str]]:
    for sheet in _sheets(chapter["paytables"]):
        for row in sheet["rows"].values():
            for letter, cell in zip(sheet["letters"], row["pays"], strict=True):
                yield Key(_cites(sheet)[0], letter, row["text"]), cell


def _envy_cells(chapter: Node) -> Iterator[tuple[Key, str]]:
    for sheet in _sheets(chapter.get("envy", {})):
        cites = _cites(sheet)
        for row in sheet["rows"].values():
            for cite, unit in zip((cites[0], cites[-1]), (1, 5), strict=True):
                cells = row[f"unit_{unit}00"]
                for letter, cell in zip(sheet["letters"], cells, strict=True):
                    yield Key(cite, letter, f"${unit} {row['text']}"), cell


def _meter_cells(chapter: Node) -> Iterator[tuple[Key, str]]:
    for meter in chapter.get("meters", {}).values():
        for letter, levels in meter["levels"].items():
            for level, terms in levels.items():
                for row, value in _terms("" if level == "main" else f" {level}", terms):
                    yield Key(_meter_cite(meter, row), letter, row), value


def _meter_cite(meter: Node, row: str) -> str:
    """Return where a meter's number is printed: Maryland's minima stand one level lower."""
    cite: str = meter["cite"]
    return f"{cite.removesuffix('(b)')}(b)" if row.startswith("minimum") else cite


def _terms(level: str, terms: dict[str, int]) -> Iterator[tuple[str, str]]:
    """Yield the terms of a meter level as the documents would print them."""
    if "minimum_dollars" in terms:
        yield f"minimum{level}", f"${terms['minimum_dollars']:,}"
        return
    seed, reseed = terms["seed_for_1"], terms["reseed_for_1"]
    rows = {"seed/reseed": seed} if seed == reseed else {"seed": seed, "reseed": reseed}
    for row, dollars in rows.items():
        yield row + level, f"${dollars:,} for 1" if dollars else "$0"
    for kind, percent in (("primary", "primary_percent"), ("reserve", "reserve_percent")):
        printed = level if level and kind == "primary" else f" {kind}{level}"
        yield f"incrementation rate{printed}", f"{terms[percent]}%" if terms[percent] else "-"


def _single_cells(chapter: Node) -> Iterator[tuple[Key, str]]:
    for extra in chapter.get("extras", {}).values():
        yield Key(extra["cite"], ONLY, extra["name"]), extra["pays"]
    if limit := chapter.get("limit"):
        yield Key(limit["cite"], ONLY, "least payout limit"), f"${limit['least_dollars']:,}"
    yield from _contest_odds(chapter["contest"])


def _contest_odds(contest: Node) -> Iterator[tuple[Key, str]]:
    """Yield the odds of the wagers that have no paytable, all that have one citation together."""
    results = [result for result in contest.values() if isinstance(result, dict)]
    actions = [a for result in results for a in result.values() if isinstance(a, dict)]
    odds: dict[str, set[str]] = {}
    for action in actions:
        if " to " in action.get("pays", ""):
            odds.setdefault(_cites(action)[-1], set()).add(action["pays"])
    for cite, values in odds.items():
        yield Key(cite, ONLY, "odds"), " / ".join(sorted(values))


def chapter_paytables(chapters: Path) -> Tables:
    """Return every value of the paytables, meters and limits as the chapter files have it."""
    files = [tomllib.loads((chapters / f"{d}.toml").read_text("utf-8")) for d in DOCUMENTS]
    kinds = (_paytable_cells, _envy_cells, _meter_cells, _single_cells)
    return gathered(pair for chapter in files for kind in kinds for pair in kind(chapter))
