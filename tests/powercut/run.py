"""``make powercut``: the power is cut at every write of recorded shifts, in every way a medium may come out of it.

    python -m tests.powercut.run                        the five recorded shifts, a long random one, both controls
    python -m tests.powercut.run pa641a controls        some of it
    python -m tests.powercut.run --short                the kept trace alone, one state in seven: no strace needed
    python -m tests.powercut.run --keep FILE            record the kept trace anew, after a change of journal or table

Both media are cut at the same moment. The controls tell SQLite not to wait for the medium: then the campaign
must find that acknowledged entries are lost, else it sees nothing.
"""

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from sabot.desk.recording import Recording, read_recording
from sabot.firmware.progress_bar import ProgressBar
from sabot.statemachine.state.snapshot import setup_json
from sabot.statemachine.vocabulary.codec import event_json
from tests.powercut import shift, trace
from tests.powercut.campaign import Verdicts, is_of_today, judged, keep, kept, whole_files
from tests.powercut.trace import Op
from tests.statemachine.walk.random_shift import RandomShift
from tests.statemachine.walk.setups import WAYS

DATA = Path(__file__).parents[1] / "data" / "shifts"
KEPT = Path(__file__).with_name("pa679a.trace.gz")
CHAPTERS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
KEPT_SHIFT, KEPT_EVENTS = DATA / "pa679a.jsonl", 30
SHORT_EVERY = 7
STALE = (
    "the table says other things than when the trace was kept, and strace is not installed to record it anew: "
    "python -m tests.powercut.run --keep tests/powercut/pa679a.trace.gz"
)
CONTROLS = ("NORMAL", "OFF")
RANDOM, CONTROL = "random", "controls"
ALL = (*CHAPTERS, RANDOM, CONTROL)
RANDOM_SEED, RANDOM_EVENTS = 641, 500


class NotSeenError(AssertionError):
    """What strace told is not all that was written."""


def main() -> int:
    """The campaign; 1 where something was silently wrong, or a control lost nothing."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("shifts", nargs="*", help=f"of {' '.join(ALL)}; all without it", metavar="SHIFT")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--every", type=int, default=1, help="judge one state in so many")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--random", type=int, default=RANDOM_EVENTS, metavar="EVENTS")
    parser.add_argument("--keep", type=Path, metavar="FILE")
    args = parser.parse_args()
    if args.short:
        return _short(args.seed)
    if not trace.is_there():
        print(trace.MISSING, file=sys.stderr)
        return 1
    if args.keep:
        keep(args.keep, recorded(KEPT_SHIFT, KEPT_EVENTS, "FULL"), KEPT_EVENTS)
        return 0
    wanted = args.shifts or ALL
    with tempfile.TemporaryDirectory(prefix="powercut-") as folder:
        shifts = [DATA / f"{chapter}.jsonl" for chapter in CHAPTERS if chapter in wanted]
        if RANDOM in wanted:
            shifts.append(_random_shift(Path(folder), args.random))
        lost = [_campaign(path, args.every, args.seed) for path in shifts]
    controls = CONTROLS if CONTROL in wanted else ()
    blind = [name for name in controls if not _control(name, args.every, args.seed)]
    return 1 if any(lost) or blind else 0


def _short(seed: int) -> int:
    ops = short_trace()
    if ops is None:
        print(STALE, file=sys.stderr)
        return 1
    found = judged(ops, _recording(KEPT_SHIFT, KEPT_EVENTS), seed=seed, every=SHORT_EVERY)
    print(found.report())
    return 1 if found.lost else 0


def short_trace() -> list[Op] | None:
    """The kept trace, or a new one where the table has changed since; None where that cannot be recorded."""
    ops, events = kept(KEPT)
    if is_of_today(ops, _recording(KEPT_SHIFT, events)):
        return ops
    return recorded(KEPT_SHIFT, KEPT_EVENTS, "FULL") if trace.is_there() else None


def _campaign(path: Path, every: int, seed: int) -> int:
    print(f"{path.stem}:", flush=True)
    return len(_judged(path, 0, "FULL", every, seed).lost)


def _control(synchronous: str, every: int, seed: int) -> bool:
    """Whether the campaign sees what a journal loses that does not wait."""
    print(f"control, synchronous={synchronous}: this must lose", flush=True)
    return bool(_judged(KEPT_SHIFT, KEPT_EVENTS, synchronous, every, seed).lost)


def _judged(path: Path, events: int, synchronous: str, every: int, seed: int) -> Verdicts:
    ops = recorded(path, events, synchronous)
    began = time.monotonic()
    found = judged(ops, _recording(path, events), seed=seed, every=every, tick=_bar(path.stem, len(ops)))
    print(found.report(), f"  in {time.monotonic() - began:.0f} s", sep="\n", flush=True)
    return found


def _bar(label: str, operations: int) -> Callable[[int], None]:
    tick, shown = ProgressBar().stage(label, operations), 0

    def reached(index: int) -> None:
        nonlocal shown
        tick(index - shown)
        shown = index

    return reached


def _recording(path: Path, events: int) -> Recording:
    return shift.first_of(read_recording(str(path)), events)


def recorded(path: Path, events: int, synchronous: str) -> list[Op]:
    """A trace of this recording; what it says must be what lies there."""
    with tempfile.TemporaryDirectory(prefix="powercut-") as folder:
        root = Path(folder) / "root"
        root.mkdir()
        shift.prepare(root)
        ops = trace.record(root, path, events, synchronous)
        for name, content in whole_files(ops).items():
            if name != shift.ACKNOWLEDGED and (root / name).read_bytes() != content:
                raise NotSeenError(name)
    return ops


def _random_shift(folder: Path, events: int) -> Path:
    """A long shift by chance: so long that SQLite moves its log into the file while the table runs."""
    way = next(way for way in WAYS if way.chapter == "pa641a" and way.knowledge == "each_card")
    played = RandomShift(RANDOM_SEED, way, noise=0.02, pauses=0.0)
    lines: list[dict[str, object]] = [{"table": setup_json(played.setup)}]
    for step, _ in zip(played.steps(), range(events), strict=False):
        lines.append(event_json(step.event, with_secrets=True))
    path = folder / "random.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


if __name__ == "__main__":
    sys.exit(main())
