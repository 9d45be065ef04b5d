"""The report from inside, a line a check on the console: ``RIG-RESULT name ok|fail seconds words``.

A check is a function that does something and raises when something else comes than was expected; what it
returns is printed beside its result. One that fails stops none after it.
"""

import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping

MARK = "RIG-RESULT"
Check = Callable[[], str | None]


class NotAsExpectedError(AssertionError):
    """Raised where something else came than was expected; the words say both."""


def expect(what: str, came: object, wanted: object) -> None:
    """Raise NotAsExpectedError if something else came than was wanted."""
    if came != wanted:
        raise NotAsExpectedError(f"{what}: {wanted!r} was expected, {came!r} came")


def wait_until(what: str, is_so: Callable[[], bool], limit_s: float = 60.0, every_s: float = 0.01) -> float:
    """Wait until something is so, looking that often; return how long it took."""
    began = time.monotonic()
    while not is_so():
        if time.monotonic() - began > limit_s:
            raise NotAsExpectedError(f"{what} did not come in {limit_s:.0f} s")
        time.sleep(every_s)
    return time.monotonic() - began


def command(*words: str) -> str:
    """Run a command of the system, and return what it printed; raise with what it said if it failed."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603 (our own words)
    if done.returncode:
        raise NotAsExpectedError(f"{' '.join(words)}: {done.stderr.strip()}")
    return done.stdout


def say(words: str) -> None:
    """Print a line on the console."""
    sys.stdout.write(f"{words}\n")
    sys.stdout.flush()


def result(name: str, began: float, *, is_good: bool, words: str) -> None:
    """Print the line of one check."""
    verdict = "ok" if is_good else "fail"
    say(f"{MARK} {name} {verdict} {time.monotonic() - began:.2f} {' '.join(words.split())}")


def run(checks: Mapping[str, Check]) -> int:
    """Make every check, and return 1 if one of them did not hold."""
    return max([_run(name, check) for name, check in checks.items()], default=1)


def _run(name: str, check: Check) -> int:
    began = time.monotonic()
    try:
        words = check() or ""
    except Exception as error:  # whatever it was, it is this check's result
        result(name, began, is_good=False, words=f"{type(error).__name__}: {error}")
        traceback.print_exc()
        return 1
    result(name, began, is_good=True, words=words)
    return 0
