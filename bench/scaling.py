"""``make bench-scaling``: how cost grows with seats, wagers, rounds played and the journal's length.

Each study prints its table; ``--page`` writes it into ``docs/performance.md`` and draws its picture
beside it. A curve is flat, or the page says why it is not.
"""

import argparse
import sys
import time
from collections.abc import Sequence

import markdown
from curve import Panel, rows
from figure import machine, machine_line
from fresh import ROOT
from studies import STUDIES

PICTURES = ROOT / "docs" / "pictures"


def main() -> int:
    """Measure what was asked for, and print it."""
    args = _arguments()
    for place, name in enumerate(args.names or STUDIES, 1):
        title, study = STUDIES[name]
        print(f"[{place}/{len(args.names or STUDIES)}] {name}", file=sys.stderr, flush=True)
        machine_words, start = f"{machine_line(machine())}.", time.monotonic()
        panels = study(quick=args.quick)
        text = tables(panels)
        print(f"{title}\n{machine_words}\n\n{text}\n", flush=True)
        print(f"{name}: {(time.monotonic() - start) / 60:.1f} min", file=sys.stderr)
        if args.page:
            _keep(name, title, machine_words, panels)
    return 0


def tables(panels: Sequence[Panel]) -> str:
    """A table for each panel."""
    return "\n\n".join(markdown.table(head, body) for head, *body in map(rows, panels))


def _keep(name: str, title: str, machine_words: str, panels: Sequence[Panel]) -> None:
    from graph import graph  # noqa: PLC0415 (only who draws needs it)

    path = PICTURES / f"scaling-{name}.svg"
    path.write_text(graph(title, machine_words, panels), encoding="utf-8")
    link = f"![{title}](pictures/{path.name})"
    markdown.write(f"scaling {name}", f"{machine_words}\n\n{link}\n\n{tables(panels)}\n")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure how cost grows.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"one of {' '.join(STUDIES)}; all without it"
    )
    parser.add_argument("--page", action="store_true", help="write docs/performance.md and its pictures too")
    parser.add_argument("--quick", action="store_true", help="few points: to try the bench itself")
    args = parser.parse_args()
    if unknown := [name for name in args.names if name not in STUDIES]:
        parser.error(f"no study {unknown[0]!r}; there are {' '.join(STUDIES)}")
    return args


if __name__ == "__main__":
    sys.exit(main())
