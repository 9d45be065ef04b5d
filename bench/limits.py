"""The kept limits of instruction counts: a file of numbers, and the interpreter that they are for.

Another interpreter, or the same one built otherwise, takes other numbers of instructions for the same
lines. So a count is held against a limit only where the words for the interpreter are the same; elsewhere
nothing is judged.
"""

import platform
import sysconfig
import tomllib
from collections.abc import Mapping
from importlib.metadata import version
from typing import NamedTuple

from counting import FIXED

LIMITS = FIXED / "limits.toml"
TOLERANCE_PERCENT = 3
BUILT_WITH = ("--enable-optimizations", "--with-lto", "--enable-shared", "--with-pydebug")
HEAD = """\
# Instructions of one decision, counted by callgrind over the events kept beside this file, and the
# interpreter that they are for. Written by  python bench/instructions.py --keep  (a count may be
# {tolerance} % above).
"""
Counts = Mapping[str, Mapping[str, int]]


class Limits(NamedTuple):
    """The kept counts by way of dealing and row, and the interpreter that took them."""

    interpreter: str
    counts: Counts


def this_interpreter() -> str:
    """The interpreter in words, with the one library on the way of a decision."""
    options = str(sysconfig.get_config_var("CONFIG_ARGS") or "")
    built = [option.lstrip("-") for option in BUILT_WITH if option in options]
    words = [
        f"{platform.python_implementation()} {platform.python_version()}",
        platform.python_compiler(),
        *built,
        platform.machine(),
        f"transitions {version('transitions')}",
    ]
    return ", ".join(words)


def read(text: str) -> Limits:
    """The limits of a file's text."""
    found = tomllib.loads(text)
    return Limits(found.pop("interpreter"), found)


def written(counts: Counts, interpreter: str) -> str:
    """The text of the file."""
    lines = [HEAD.format(tolerance=TOLERANCE_PERCENT), f'interpreter = "{interpreter}"\n']
    for way, rows in counts.items():
        lines.append(f"\n[{way}]\n")
        lines += [f"{row} = {number:_}\n" for row, number in rows.items()]
    return "".join(lines)


def kept() -> Limits:
    """What is kept beside the events."""
    return read(LIMITS.read_text(encoding="utf-8"))


def most(number: int) -> int:
    """How many instructions are allowed where so many are kept."""
    return number * (100 + TOLERANCE_PERCENT) // 100


def goals(limits: Limits, interpreter: str) -> dict[tuple[str, str], int]:
    """The limit of each way and row; none for another interpreter."""
    if limits.interpreter != interpreter:
        return {}
    return {(way, row): most(number) for way, rows in limits.counts.items() for row, number in rows.items()}
