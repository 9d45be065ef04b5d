"""A second run, alone, of the tests that failed among others: ``python -m tests.alone`` after a run of pytest.

Many tests wait for programs in processes of their own, six tests at a time on two cores. Where one fails, the machine may
have let its program wait. Alone nothing competes with it: a test that fails again has found something, and one that
passes is named, so that somebody makes it wait for the state instead of the time. A fixture that was let wait takes all
tests of its module with it: one module is run again whole, and else a handful of tests.
"""

import json
import subprocess
import sys
from pathlib import Path

FAILED = Path(".pytest_cache/v/cache/lastfailed")
MOST = 5


def failed(kept: Path = FAILED) -> list[str]:
    """Return the tests that failed in the last run, none where that run did not come to its end."""
    try:
        return sorted(json.loads(kept.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return []


def main() -> int:
    """Run them one after the other; return 0 where there were few and each passes."""
    names = failed()
    modules = {name.partition("::")[0] for name in names}
    if not names or (len(names) > MOST and len(modules) > 1):
        said = f"{len(names)} failed among others, in {len(modules)} modules"
        print(f"!!! {said}: run again alone are {MOST} at the most, or one module", file=sys.stderr)
        return 1
    print(f"!!! {len(names)} failed among others, run again alone:", *names, sep="\n    ", flush=True)
    ended = subprocess.run([sys.executable, "-Im", "pytest", "--numprocesses", "0", *names], check=False)
    if ended.returncode == 0:
        print(
            "!!! passed alone; each is a test that hangs on the machine's load, to be mended:",
            *names,
            sep="\n    ",
        )
    return ended.returncode


if __name__ == "__main__":
    sys.exit(main())
