"""A cut at every operation of a trace, in every way that a medium may come out of it."""

import gzip
import json
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from random import Random

from sabot.desk.recording import Recording
from tests.powercut import shift, trace
from tests.powercut.disk import SECTOR, Disk, Files
from tests.powercut.judge import Judge, LostError, whole_of
from tests.powercut.trace import Op
from tests.quick_medium import quick_medium

GOES_ON_OF = 10
SHARED_BYTES = 32768
Way = Callable[[Disk, Random], Files]

AFTER: dict[str, Way] = {
    "as written": lambda disk, _draws: disk.as_written(),
    "only what was synced": lambda disk, _draws: disk.only_safe(),
    "some of what was not": lambda disk, draws: disk.shuffled(draws),
}
TORN: dict[str, Way] = {
    "torn at a sector": lambda disk, draws: disk.torn(draws, SECTOR),
    "torn at a byte": lambda disk, draws: disk.torn(draws, 1),
}


@dataclass
class Verdicts:
    """What came of all cuts."""

    operations: int = 0
    acknowledged: int = 0
    states: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)

    def report(self) -> str:
        """A page of it."""
        lines = [f"{self.operations:,} operations, {self.acknowledged:,} entries acknowledged"]
        lines += [f"  {count:>9,} states: {way}" for way, count in sorted(self.states.items())]
        lines += [f"  {count:>9,} {verdict}" for verdict, count in sorted(self.verdicts.items())]
        return "\n".join([*lines, f"  {len(self.lost):>9,} silently wrong", *self.lost[:20]])


def cuts(ops: Sequence[Op], seed: int) -> Iterator[tuple[int, str, int, Files]]:
    """Each state that a cut may leave: operation, way, what was acknowledged by then, the files."""
    disk, acknowledged = Disk(), 0
    seen: set[bytes] = set()
    for index, op in enumerate(ops):
        ways = AFTER
        if op.kind == trace.ACKNOWLEDGE:
            acknowledged = op.number
        else:
            disk.do(op)
            ways = AFTER | TORN if op.kind == trace.WRITE else AFTER
        for name, way in ways.items():
            files = way(disk, Random(f"{seed} {index} {name}"))
            mark = _digest(files, acknowledged)
            if mark not in seen:
                seen.add(mark)
                yield index, name, acknowledged, files


def _digest(files: Files, acknowledged: int) -> bytes:
    digest = blake2b(str(acknowledged).encode(), digest_size=16)
    for name in sorted(files):
        digest.update(f"\n{name} {len(files[name])}\n".encode())
        digest.update(files[name])
    return digest.digest()


def judged(
    ops: Sequence[Op],
    recording: Recording,
    *,
    seed: int = 0,
    every: int = 1,
    tick: Callable[[int], None] = lambda _index: None,
) -> Verdicts:
    """Every cut, or one in so many, before the judge."""
    found = Verdicts(len(ops), sum(op.kind == trace.ACKNOWLEDGE for op in ops))
    with tempfile.TemporaryDirectory(prefix="powercut-", dir=quick_medium()) as folder:
        judge = _judge(Path(folder), ops, recording)
        for number, (index, way, acknowledged, files) in enumerate(cuts(ops, seed)):
            tick(index)
            if number % every:
                continue
            draws = Random(f"{seed} {index} {way} shared")
            judge.lay_out(files, draws.randbytes(SHARED_BYTES) if draws.random() < 0.5 else None)
            found.states[way] += 1
            try:
                verdict = judge.verdict(acknowledged, goes_on=draws.randrange(GOES_ON_OF) == 0)
            except (LostError, Exception) as error:  # what no code names is as bad
                found.lost.append(f"operation {index}, {way}: {type(error).__name__}: {error}")
            else:
                found.verdicts[verdict] += 1
    return found


def _judge(folder: Path, ops: Sequence[Op], recording: Recording) -> Judge:
    """A judge who has seen the run that nobody cut."""
    board_of = folder / "whole"
    shift.prepare(board_of)
    for name, content in whole_files(ops).items():
        (board_of / name).write_bytes(content)
    whole = whole_of(board_of)
    return Judge(folder / "cut", board_of, recording, whole)


def is_of_today(ops: Sequence[Op], recording: Recording) -> bool:
    """Whether the table still says to these events what it said when the trace was recorded."""
    with tempfile.TemporaryDirectory(prefix="powercut-", dir=quick_medium()) as folder:
        judge = _judge(Path(folder), ops, recording)
        judge.lay_out(whole_files(ops), None)
        return judge.says_the_same()


def whole_files(ops: Sequence[Op]) -> Files:
    """What all operations together leave."""
    disk = Disk()
    for op in ops:
        if op.kind != trace.ACKNOWLEDGE:
            disk.do(op)
    return disk.as_written()


# ---------------------------------------------------------------- a trace that is kept


def keep(path: Path, ops: Sequence[Op], events: int) -> None:
    """Write a trace, for a machine without strace."""
    text = json.dumps({"events": events, "operations": [op.as_json() for op in ops]})
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


def kept(path: Path) -> tuple[list[Op], int]:
    """A trace that was kept, and of how many events it is."""
    content = json.loads(gzip.decompress(path.read_bytes()))
    return [Op.of_json(row) for row in content["operations"]], int(content["events"])
