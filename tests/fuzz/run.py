"""``make fuzz``: everything that takes bytes from outside under fire for a while; what breaks it is kept.

With atheris installed its coverage leads the way, and what it found goes on in the next run (``.fuzz``); else
bent inputs do, drawn from a seed that is printed. Everything in the corpus is thrown again by the unit tests,
for ever; ``--keep`` adds some of the inputs that led somewhere new.
"""

import argparse
import re
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random

from .mutate import mutated
from .registry import aim, close, include, longest, names
from .targets import CORPUS, kept

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / ".fuzz"
MOST_KEPT, KEPT_BYTES = 30, 2048
SLOWEST_S = 60
_FIGURES = re.compile(r"stat::number_of_executed_units: +(\d+)")


def main() -> int:
    """Fuzz what was asked for; 1 where something broke."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {' '.join(names())}; all without it")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--keep", action="store_true", help="add what led somewhere new to the corpus")
    parser.add_argument("--guided", metavar="NAME", help=argparse.SUPPRESS)
    args, rest = parser.parse_known_args()
    if args.guided:
        return _led_by_coverage(args.guided, [*args.names, *rest])
    broken = []
    for name in args.names or names():
        broken += [] if _fuzz(name, args.seconds, args.seed) else [name]
        close(name)
    if args.keep:
        for name in args.names or names():
            print(f"{name}: {_keep_new(name)} more inputs in the corpus")
    return 1 if broken else 0


def _fuzz(name: str, seconds: float, seed: int) -> bool:
    if find_spec("atheris"):
        return _guided(name, seconds)
    draws, known, thrown = Random(f"{seed}/{name}"), kept(name), 0
    good = [*aim(name).seeds, *aim(name).words]
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutated(draws, good, known)[: longest(name)]
        thrown += 1
        try:
            aim(name).check(data)
        except Exception as error:  # any at all is what is looked for
            print(f"{name}: BROKEN by {_keep(name, data)}: {error!r}")
            return False
    print(f"{name}: {thrown:,} inputs in {seconds:g} s, seed {seed}, nothing broke", flush=True)
    return True


def _keep(name: str, data: bytes) -> Path:
    """One more line of the corpus."""
    path = CORPUS / f"{name}.hex"
    with path.open("a", encoding="ascii") as lines:
        lines.write(f"{data.hex()}\n")
    return path


# ---------------------------------------------------------------- led by coverage


def _guided(name: str, seconds: float) -> bool:
    """Atheris ends its process: one for each name."""
    work = OUT / name
    work.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate([*aim(name).seeds, *kept(name)]):
        (work / f"known-{number}").write_bytes(data)
    limits = [f"-max_total_time={seconds:.0f}", f"-max_len={longest(name)}", *_dictionary(name)]
    slow = [f"-timeout={SLOWEST_S}", f"-report_slow_units={SLOWEST_S}"]
    found = _atheris(name, work, *limits, *slow, f"-artifact_prefix={work}/broken-")
    good = found.returncode == 0
    executed = _FIGURES.search(found.stderr)
    if not good:
        print(f"{name}: BROKEN\n{_trouble(found.stderr)}")
    for path in work.glob("broken-*"):
        print(f"{name}: BROKEN by {_keep(name, path.read_bytes())}")
        path.unlink()
        good = False
    inputs = sum(1 for _ in work.iterdir())
    thrown = int(executed.group(1)) if executed else 0
    print(f"{name}: {thrown:,} inputs in {seconds:g} s led by coverage, {inputs:,} in its corpus", flush=True)
    return good


def _atheris(name: str, *words: object) -> "subprocess.CompletedProcess[str]":
    order = [
        sys.executable,
        "-m",
        "tests.fuzz.run",
        "--guided",
        name,
        *map(str, words),
        "-print_final_stats=1",
    ]
    return subprocess.run(order, check=False, cwd=ROOT, capture_output=True, text=True, errors="replace")


def _dictionary(name: str) -> list[str]:
    """The words of an aim, as libFuzzer reads them; a file without any it would not take."""
    path = OUT / f"{name}.dict"
    words = [word for word in aim(name).words if 1 < len(word) <= 64]
    path.write_text("".join('"' + "".join(f"\\x{byte:02x}" for byte in word) + '"\n' for word in words))
    return [f"-dict={path}"] if words else []


def _trouble(told: str) -> str:
    """What was raised, out of all that libFuzzer says."""
    start = told.find("=== Uncaught Python exception")
    return told[start : start + 3000] if start >= 0 else told[-1500:]


def _keep_new(name: str) -> int:
    """Some of the inputs that led somewhere new, small and large ones; how many."""
    known = {*aim(name).seeds, *kept(name)}
    found = {path.read_bytes() for path in (OUT / name).glob("*") if not path.name.startswith("known-")}
    new = sorted(
        (data for data in found - known if 0 < len(data) <= KEPT_BYTES), key=lambda data: (len(data), data)
    )
    chosen = new[:: -(-len(new) // MOST_KEPT) or 1]
    for data in chosen:
        _keep(name, data)
    return len(chosen)


def _led_by_coverage(name: str, arguments: list[str]) -> int:
    import atheris  # noqa: PLC0415 - an extra

    with atheris.instrument_imports(include=list(include(name))):
        fired_at = aim(name)
        for data in fired_at.seeds:  # a command is imported when it is first called
            fired_at.check(data)

    def throw(data: bytes) -> None:
        fired_at.check(data)

    atheris.Setup([sys.argv[0], *arguments], throw)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
