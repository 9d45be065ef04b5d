"""Mutation testing of the pure packages with cosmic-ray: each module against its own tests, resumable.

The mutants are made in a copy of the tree, so that a run can be stopped at any time without leaving one behind. A
session file a module is kept beside this script (``sessions/``, not in version control): a second call goes on where
the first stopped, and only what was tried is reported, never an extrapolation.
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
REPO = HERE.parents[1]
COPY = REPO / "build" / "mutants"
SESSIONS = HERE / "sessions"
TIMEOUT_S = 60.0


class Tally(NamedTuple):
    """What became of the mutants of a module."""

    module: str
    made: int
    killed: int
    survivors: tuple[str, ...]

    @property
    def tried(self) -> int:
        return self.killed + len(self.survivors)


def modules() -> dict[str, list[str]]:
    """Each module with its tests."""
    table: dict[str, list[str]] = tomllib.loads((HERE / "modules.toml").read_text())["modules"]
    return table


def copy_tree() -> None:
    """A fresh copy of what git tracks, links kept, importable from its own ``src``."""
    shutil.rmtree(COPY, ignore_errors=True)
    COPY.mkdir(parents=True)
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=REPO, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.splitlines():
        source, target = REPO / name, COPY / name
        if source.exists() or source.is_symlink():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)


def run_module(module: str, tests: list[str], seconds: float) -> None:
    """Make the session of a module when it is new, and try mutants until the time is up."""
    SESSIONS.mkdir(exist_ok=True)
    session = SESSIONS / (module.replace("/", ".") + ".sqlite")
    config = COPY / "cosmic-ray.toml"
    config.write_text(_config(module, tests))
    tool = [sys.executable, "-m", "cosmic_ray.cli"]
    if not session.exists():
        subprocess.run([*tool, "init", str(config), str(session)], cwd=COPY, check=True)
    try:
        subprocess.run([*tool, "exec", str(config), str(session)], cwd=COPY, check=False, timeout=seconds)
    except subprocess.TimeoutExpired:
        print(f"{module}: time is up, a second call goes on from here")


def _config(module: str, tests: list[str]) -> str:
    # The copy's own src goes first, so that no installed Sabot answers in its place.
    words = " ".join(tests)
    command = f"env PYTHONPATH={COPY / 'src'} {sys.executable} -m pytest -x -q -p no:cacheprovider {words}"
    return f"""[cosmic-ray]
module-path = "{module}"
timeout = {TIMEOUT_S}
excluded-modules = []
test-command = {json.dumps(command)}

[cosmic-ray.distributor]
name = "local"
"""


def tally(module: str) -> Tally | None:
    """What the session of a module holds, None where there is none."""
    session = SESSIONS / (module.replace("/", ".") + ".sqlite")
    if not session.exists():
        return None
    dump = subprocess.run(
        [sys.executable, "-m", "cosmic_ray.cli", "dump", str(session)],
        capture_output=True,
        text=True,
        check=True,
    )
    results: Counter[str] = Counter()
    survivors = []
    for line in dump.stdout.splitlines():
        item, result = json.loads(line)
        outcome = (result or {}).get("test_outcome")
        results[str(outcome)] += 1
        if outcome == "survived":
            mutation = item["mutations"][0]
            place = f"{module}:{mutation['start_pos'][0]}"
            survivors.append(f"{place} {mutation['operator_name'].removeprefix('core/')}")
    return Tally(module, sum(results.values()), results["killed"], tuple(survivors))


def report() -> Iterator[str]:
    """The table of what was tried."""
    yield "| module | mutants | tried | killed | survived |"
    yield "|---|---|---|---|---|"
    found = [each for each in map(tally, modules()) if each is not None and each.tried]
    for each in found:
        yield f"| {each.module} | {each.made} | {each.tried} | {each.killed} | {len(each.survivors)} |"
    tried, killed = sum(each.tried for each in found), sum(each.killed for each in found)
    if tried:
        yield f"| all | {sum(each.made for each in found)} | {tried} | {killed} ({killed * 100 // tried} %) | {tried - killed} |"


def main() -> int:
    """Try mutants, or report."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--module", action="append", choices=list(modules()), help="only this module; may repeat"
    )
    parser.add_argument("--minutes", type=float, default=10.0, help="at most so long a module (10)")
    parser.add_argument("--report", action="store_true", help="only report what was tried so far")
    parser.add_argument("--survivors", action="store_true", help="list the survivors too")
    args = parser.parse_args()
    if not args.report:
        copy_tree()
        for module, tests in modules().items():
            if module in (args.module or modules()):
                print(f"{time.strftime('%H:%M')} {module}", flush=True)
                run_module(module, tests, args.minutes * 60)
    print("\n".join(report()))
    if args.survivors:
        for each in map(tally, modules()):
            print("\n".join(each.survivors if each else ()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
