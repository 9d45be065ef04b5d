"""``make fuzz``: each codec under fire for a while; what breaks one is kept in the corpus.

With atheris installed its coverage leads the way, else bent frames do, drawn from a seed that is printed.
Everything in the corpus is thrown again by the unit tests, for ever.
"""

import argparse
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path
from random import Random

from .mutate import LONGEST, mutated
from .targets import CORPUS, check, kept, names, target

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / ".fuzz"


def main() -> int:
    """Fuzz what was asked for; 1 where something broke."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="CODEC", help=f"of {' '.join(names())}; all without it")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each codec")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    parser.add_argument("--guided", metavar="CODEC", help=argparse.SUPPRESS)
    args, rest = parser.parse_known_args()
    if args.guided:
        return _led_by_coverage(args.guided, [*args.names, *rest])
    broken = [name for name in args.names or names() if not _fuzz(name, args.seconds, args.seed)]
    return 1 if broken else 0


def _fuzz(name: str, seconds: float, seed: int) -> bool:
    if find_spec("atheris"):
        return _guided(name, seconds)
    draws, known, thrown = Random(f"{seed}/{name}"), kept(name), 0
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        data = mutated(draws, target(name).frames, known)
        thrown += 1
        try:
            check(name, data)
        except Exception as error:  # noqa: BLE001 - any at all is what is looked for
            print(f"{name}: BROKEN by {_keep(name, data)}: {error!r}")
            return False
    print(f"{name}: {thrown:,} inputs in {seconds:g} s, seed {seed}, nothing broke")
    return True


def _keep(name: str, data: bytes) -> Path:
    """One more line of the corpus."""
    path = CORPUS / f"{name}.hex"
    with path.open("a", encoding="ascii") as lines:
        lines.write(f"{data.hex()}\n")
    return path


def _guided(name: str, seconds: float) -> bool:
    """Atheris ends its process: one for each codec."""
    work = OUT / name
    work.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate([*target(name).frames, *kept(name)]):
        (work / f"known-{number}").write_bytes(data)
    limits = [f"-max_total_time={seconds:.0f}", f"-max_len={LONGEST}", f"-artifact_prefix={work}/broken-"]
    order = [sys.executable, "-m", "tests.fuzz.run", "--guided", name, str(work), *limits]
    good = subprocess.run(order, check=False, cwd=ROOT).returncode == 0
    for path in work.glob("broken-*"):
        print(f"{name}: BROKEN by {_keep(name, path.read_bytes())}")
        path.unlink()
    return good


def _led_by_coverage(name: str, arguments: list[str]) -> int:
    import atheris  # noqa: PLC0415 - an extra

    with atheris.instrument_imports(include=["sabot.drivers"]):
        target(name)

    def throw(data: bytes) -> None:
        check(name, data)

    atheris.Setup([sys.argv[0], *arguments], throw)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())
