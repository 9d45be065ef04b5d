"""How long the tests of the law and of the table take, and how many lines of test a line of source has.

Lines of code are counted: neither blank ones, nor comments, nor what documents a function. What the tests
take is asked without coverage, on as many cores as there are, without the walks, which take a while by
design.
"""

import sys
import tokenize
from collections.abc import Iterator, Sequence
from pathlib import Path

from figure import Figure
from fresh import ROOT, run_timed

TITLE = "the tests of rules and statemachine, without coverage and without the walks"
LEAST_TIMES = 1.3
ORDER = ("-Im", "pytest", "--numprocesses", "auto", "tests/rules", "tests/statemachine")
WITHOUT = "--ignore=tests/statemachine/walk"
LAW = ("rules", "statemachine")
LAW_TESTS = ("tests/rules", "tests/model", "tests/law", "tests/statemachine")
SCOPES: dict[str, tuple[Sequence[str], Sequence[str], float | None]] = {
    "rules and statemachine": (LAW_TESTS, LAW, LEAST_TIMES),
    "the whole program, its simulators and its rig": (
        ("tests",),
        ("config", "drivers", "firmware", "desk", "hil", *LAW),
        None,
    ),
}
_BETWEEN = frozenset({tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING})
_NO_CODE = _BETWEEN | {tokenize.COMMENT, tokenize.ENDMARKER}


def measure(*, quick: bool) -> list[Figure]:
    """Seconds of one run (a quick run does not ask), and the ratios."""
    ratios = [_ratio(words, *scope) for words, scope in SCOPES.items()]
    return ratios if quick else [_run(), *ratios]


def _ratio(words: str, tests: Sequence[str], sources: Sequence[str], least: float | None) -> Figure:
    tested, source = (
        sum(lines_of_code(path) for name in names for path in files(ROOT / name))
        for names in (tests, sources)
    )
    name, note = f"lines of test for a line of {words}", f"{tested:,} and {source:,} lines of code"
    return Figure(name, "x", (tested / source,), least, note, at_least=True)


def _run() -> Figure:
    took = run_timed([sys.executable, *ORDER, WITHOUT], folder=ROOT)
    note = f"{took.processor_s:.1f} s on the processor, all workers"
    return Figure("pytest, from exec to the end (wall)", "s", (took.wall_s,), None, note)


def files(folder: Path) -> Iterator[Path]:
    """Every module of a folder."""
    return (path for path in sorted(folder.rglob("*.py")) if "__pycache__" not in path.parts)


def lines_of_code(path: Path) -> int:
    """The lines of a module that hold a token of code; a text that stands alone is documentation."""
    lines: set[int] = set()
    with tokenize.open(path) as file:
        is_fresh = True
        for token in tokenize.generate_tokens(file.readline):
            if token.type in _NO_CODE:
                is_fresh = is_fresh or token.type in _BETWEEN
            elif not (is_fresh and token.type == tokenize.STRING):
                is_fresh = False
                lines.update(range(token.start[0], token.end[0] + 1))
    return len(lines)
