"""``make chaos``: campaigns against the running program, with a report as a table and as JSON.

    python -m tests.chaos.run                     every device out at every stop, and 40 seeds of chaos
    python -m tests.chaos.run --seeds 200 --first 1000
    python -m tests.chaos.run --seed 17           one seed again, its folder kept

A seed that was done is not done again: `bench/out/chaos.json` has its row (`--anew` forgets them). The state
directory and the log of a seed that went wrong are kept beside it.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.chaos import page
from tests.chaos.campaign import run_seed
from tests.chaos.mishaps import MISHAPS
from tests.chaos.stage import ROOT, Stage
from tests.chaos.truth import verify_stopped
from tests.chaos.unplugging import DEVICES, STOPS, tour

OUT = ROOT / "bench" / "out"
KEPT = OUT / "chaos.json"
MINUTE_S = 60.0
Row = dict[str, Any]


def main() -> int:
    """What was asked for; 1 where anything went wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=40, help="how many seeds")
    parser.add_argument("--first", type=int, default=1, help="the first of them")
    parser.add_argument("--seed", type=int, help="this one alone, its folder kept")
    parser.add_argument("--no-tours", action="store_true", help="no tours of unplugged devices")
    parser.add_argument("--page", action="store_true", help="put what is known into docs/reliability.md")
    parser.add_argument("--anew", action="store_true", help="forget what was done before")
    args = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    rows = {} if args.anew else _kept()
    if args.page:
        page.write(page.HOSTILE, page.hostile_table())
        page.write(page.CHAOS, "\n".join(_sums([row for row in rows.values() if "seed" in row])))
        return 0
    wanted = [] if args.no_tours or args.seed is not None else [f"unplug {device}" for device in DEVICES]
    wanted += [f"seed {seed}" for seed in _seeds(args)]
    for name in _with_time_left([name for name in wanted if name not in rows or args.seed is not None]):
        rows[name] = _done(name)
        KEPT.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    _report({name: rows[name] for name in wanted})
    return int(any(rows[name]["wrong"] for name in wanted))


def _seeds(args: argparse.Namespace) -> list[int]:
    return [args.seed] if args.seed is not None else [*range(args.first, args.first + args.seeds)]


def _kept() -> dict[str, Row]:
    """The rows of before."""
    try:
        found: dict[str, Row] = json.loads(KEPT.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return found


def _with_time_left(names: list[str]) -> Any:
    """Each in its turn, said with what is left."""
    began = time.monotonic()
    for number, name in enumerate(names):
        each_s = (time.monotonic() - began) / number if number else 0.0
        left = f", {each_s * (len(names) - number) / MINUTE_S:.0f} min left" if number else ""
        print(f"{number + 1}/{len(names)}{left}: {name}", file=sys.stderr, flush=True)
        yield name


def _done(name: str) -> Row:
    kind, _, what = name.partition(" ")
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    row = _tour(what, folder) if kind == "unplug" else run_seed(int(what), folder).as_json()
    if row["wrong"]:
        print(f"  WRONG: {row['wrong']}\n  kept at {folder}", file=sys.stderr, flush=True)
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return row


def _tour(device: str, folder: Path) -> Row:
    """One device pulled at every stop."""
    began, row = time.monotonic(), Row(device=device, stops=0, wrong="")
    try:
        with Stage(folder / "state", "pa641a", "manual_shoe") as stage:
            row["stops"] = len(tour(stage, (device,)))
            assert stage.traces() == []
        verify_stopped(stage.root)
        assert row["stops"] == len(STOPS)
    except Exception as error:  # whatever went wrong is what a campaign is for
        row["wrong"] = f"{type(error).__name__}: {error}"
    return row | {"seconds": round(time.monotonic() - began, 1)}


# ---------------------------------------------------------------- the report


def _report(rows: dict[str, Row]) -> None:
    """Tours and seeds as tables, then what they come to together."""
    tours = [row for row in rows.values() if "stops" in row]
    seeds = [row for row in rows.values() if "seed" in row]
    for row in tours:
        print(f"unplug {row['device']:<9} at {row['stops']:>2} stops  {_verdict(row)}")
    if seeds:
        print(f"{'seed':>6}  {'table':<20} mishaps starts rounds voids faults entries  lock ms  verdict")
    for row in seeds:
        worst = f"{max(row['lock_ms']):.1f}" if row["lock_ms"] else "-"
        print(
            f"{row['seed']:>6}  {row['table']:<20} {len(row['mishaps']):>7} {row['starts']:>6} {row['rounds']:>6}"
            f" {row['voids']:>5} {row['faults']:>6} {row['entries']:>7} {worst:>8}  {_verdict(row)}"
        )
    print("\n".join(_sums(seeds)))
    print(f"rows in {KEPT.relative_to(ROOT)}")


def _verdict(row: Row) -> str:
    return f"WRONG: {row['wrong']}" if row["wrong"] else "held"


def _sums(seeds: list[Row]) -> list[str]:
    """The whole campaign as a table."""
    mishaps = [name for row in seeds for name in row["mishaps"]]
    locks = sorted(ms for row in seeds for ms in row["lock_ms"]) or [0.0]
    sums = {
        "seeds, and those in which anything was wrong": f"{len(seeds)}, {sum(bool(row['wrong']) for row in seeds)}",
        "mishaps, and of how many kinds": f"{len(mishaps)}, {len(set(mishaps))} of {len(MISHAPS)}",
        "starts of the program": sum(row["starts"] for row in seeds),
        "rounds recorded": sum(row["rounds"] for row in seeds),
        "of them void, and finished by hand": f"{sum(r['voids'] for r in seeds)}, {sum(r['by_hand'] for r in seeds)}",
        "faults latched, every one released by its role or standing": sum(row["faults"] for row in seeds),
        "journal entries handled again": f"{sum(row['entries'] for row in seeds):,}",
        "locks, from the edge of LOCK to the lock output": len(locks),
        "the median of them, and the worst": f"{statistics.median(locks):.1f} ms, {locks[-1]:.1f} ms",
        "the most memory that a program had": f"{max((row['memory_mb'] for row in seeds), default=0):.1f} MB",
    }
    return ["| several at once | |", "|---|---:|", *(f"| {name} | {value} |" for name, value in sums.items())]


if __name__ == "__main__":
    sys.exit(main())
