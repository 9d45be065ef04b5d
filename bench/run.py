"""The figures of speed and size that Sabot holds itself to, measured: one command, one table.

``python bench/run.py`` measures them all; names choose some. The exit code is 1 when a goal is missed.
What the figures were, and what was tried, is in ``docs/performance.md``.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable

import answer
import deciding
import decoding
import hands
import idle
import lock
import memory
import program
import recovery
import settling
import shifts
import starting
import streams
import tables
import wire
from figure import Figure, Section, as_table, machine, machine_line

import journal

Measure = Callable[..., list[Figure]]

SECTIONS: dict[str, tuple[str, Measure]] = {
    "hands": (hands.TITLE, hands.measure),
    "tables": (tables.TITLE, tables.measure),
    "round": (settling.TITLE, settling.measure),
    "stream": (streams.TITLE, streams.measure),
    "start": (starting.TITLE, starting.measure),
    "memory": (memory.TITLE, memory.measure),
    "decide": (deciding.TITLE, deciding.measure),
    "shift": (shifts.TITLE, shifts.measure),
    "journal": (journal.TITLE, journal.measure),
    "recovery": (recovery.TITLE, recovery.measure),
    "wire": (wire.TITLE, wire.measure),
    "codecs": (decoding.TITLE, decoding.measure),
    "idle": (idle.TITLE, idle.measure),
    "program": (program.TITLE, program.measure),
    "lock": (lock.TITLE, lock.measure),
    "answer": (answer.TITLE, answer.measure),
}


def main() -> int:
    """Measure and print."""
    args = _arguments()
    facts = machine()
    sections = {name: _measured(name, quick=args.quick) for name in args.names or SECTIONS}
    if args.json:
        figures = {name: [figure.as_json() for figure in every] for name, (_, every) in sections.items()}
        print(json.dumps({"machine": facts, "figures": figures}, indent=1))
    else:
        print(machine_line(facts), "", as_table(list(sections.values())), sep="\n")
    return int(_misses(sections.values()))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure Sabot's speed and size beside its goals and its peers."
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {' '.join(SECTIONS)}; all without it"
    )
    parser.add_argument("--json", action="store_true", help="for other programs")
    parser.add_argument(
        "--quick", action="store_true", help="fewer repeats and rounds: to try the bench itself"
    )
    args = parser.parse_args()
    unknown = [name for name in args.names if name not in SECTIONS]
    if unknown:
        parser.error(f"no figure {unknown[0]!r}; there are {' '.join(SECTIONS)}")
    return args


def _measured(name: str, *, quick: bool) -> Section:
    title, measure = SECTIONS[name]
    print(f"measuring {name} ...", file=sys.stderr)
    return title, measure(quick=quick)


def _misses(sections: Iterable[Section]) -> bool:
    return any(figure.verdict == "MISSED" for _, figures in sections for figure in figures)


if __name__ == "__main__":
    sys.exit(main())
