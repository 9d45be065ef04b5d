"""The figures of speed and size that Sabot holds itself to, measured: one command, one table.

``python bench/run.py`` measures them all; names choose some. The exit code is 1 when a goal is missed. What
cannot be measured is a line that says why, never a line left out. What the figures were, and what was tried,
is in ``docs/performance.md``.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from subprocess import SubprocessError

import markdown
from figure import Figure, Section, as_table, machine, machine_line
from fresh import JobError
from sections import PARTS


def main() -> int:
    """Measure and print, and write what was asked for."""
    args = _arguments()
    facts = machine()
    found, took_s = _measured(args.names or list(PARTS), quick=args.quick)
    sections = list(found.values())
    print(machine_line(facts), "", as_table(sections), sep="\n")
    if args.json:
        figures = {name: [figure.as_json() for figure in every] for name, (_, every) in found.items()}
        _write(args.json, json.dumps({"machine": facts, "took_s": took_s, "figures": figures}, indent=1))
    if args.svg:
        from picture import picture  # noqa: PLC0415 (the one thing here that is made of what is measured)

        _write(args.svg, picture(facts, sections))
    if args.page:
        markdown.write("every figure", markdown.of_figures(facts, sections, sum(took_s.values())))
    return int(any(figure.verdict == "MISSED" for _, figures in sections for figure in figures))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Measure Sabot's speed and size beside its goals and its peers."
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {' '.join(PARTS)}; all without it")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures for other programs too")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw them too")
    parser.add_argument("--page", action="store_true", help="write them into docs/performance.md too")
    parser.add_argument(
        "--quick", action="store_true", help="fewer repeats and rounds: to try the bench itself"
    )
    args = parser.parse_args()
    unknown = [name for name in args.names if name not in PARTS]
    if unknown:
        parser.error(f"no figure {unknown[0]!r}; there are {' '.join(PARTS)}")
    if args.page and args.names:
        parser.error("the page has every figure: --page goes without names")
    return args


def _measured(names: Sequence[str], *, quick: bool) -> tuple[dict[str, Section], dict[str, float]]:
    """The sections, and how long each took; on the way people read how far it is."""
    found: dict[str, Section] = {}
    took_s: dict[str, float] = {}
    start = time.monotonic()
    for place, name in enumerate(names, 1):
        left_s = sum(PARTS[each].about_s for each in names[place - 1 :])
        still = "" if quick else f", about {left_s / 60:.0f} min to go on a quiet machine"
        print(f"[{place}/{len(names)}] {name}{still}", file=sys.stderr, flush=True)
        before = time.monotonic()
        found[name] = PARTS[name].title, _figures(name, quick=quick)
        took_s[name] = round(time.monotonic() - before, 1)
    print(f"measured in {(time.monotonic() - start) / 60:.1f} min", file=sys.stderr)
    return found, took_s


def _figures(name: str, *, quick: bool) -> list[Figure]:
    """What a section finds; where its job fails, why, and the other sections go on."""
    try:
        return PARTS[name].measure(quick=quick)
    except (JobError, SubprocessError) as error:
        return [Figure(name, "", (), None, str(error))]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
