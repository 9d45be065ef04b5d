"""The calls of every kind of event: which slips are made, in forked processes, and what is counted.

Handling is slipped at every call for each kind of event in each phase, performing and writing for each kind of
event. Of the calls that come by the same way (the same callers, at the same lines: a loop) the first slips, and one
in ``repeats`` of those after it. Where a held table, an open list or another way of dealing meets what was had, one
call in ``thin`` is enough. A process for each trial: a slip may leave anything behind.
"""

from __future__ import annotations

import gc
import itertools
import json
import os
import random
import select
import shutil
import signal
import tempfile
import traceback
import warnings
from collections import Counter, deque
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sabot.drivers.registry import load
from tests.statemachine.walk.setups import WAYS

from .felt import prepare
from .injector import NEVER
from .places import places
from .trial import Rehearsal, Stretch, Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.statemachine.walk.setups import Way

    from .places import Place

THIN, REPEATS, MOST_TOLD, FIRST_SEED = 100, 50, 40, 1
AT_A_TIME, HANGS_S = 4, 120.0
MEMORY = Path("/dev/shm")


@dataclass
class Count:
    """What came of so many slips."""

    places: int = 0
    trials: Counter[str] = field(default_factory=Counter)
    lost_devices: int = 0
    lost_lines: int = 0
    harmless: int = 0
    given_again: int = 0
    wrong: int = 0
    objections: Counter[str] = field(default_factory=Counter)
    told: list[str] = field(default_factory=list)

    def add(self, other: Count) -> None:
        """Add the slips of another shift."""
        self.places += other.places
        self.trials += other.trials
        self.lost_devices += other.lost_devices
        self.lost_lines += other.lost_lines
        self.harmless += other.harmless
        self.given_again += other.given_again
        self.wrong += other.wrong
        self.objections += other.objections
        self.told = [*self.told, *other.told][:MOST_TOLD]

    def take(self, kind: str, verdict: dict[str, Any]) -> None:
        """Count a slip."""
        self.trials[verdict["stretch"]] += 1
        self.lost_devices += verdict["lost_device"]
        self.lost_lines += verdict["lost_lines"]
        self.harmless += verdict["was_harmless"]
        self.given_again += verdict["was_given_again"]
        self.wrong += bool(verdict["objections"])
        for words in verdict["objections"]:
            self.objections[words.partition("\n")[0]] += 1
            told = f"{kind}, {verdict['stretch']} call {verdict['at']} ({verdict['place']}): {words}"
            self.told = [*self.told, told][:MOST_TOLD]

    @property
    def slips(self) -> int:
        """Return how many slips were made."""
        return sum(self.trials.values())

    def report(self) -> str:
        """Return a page of it."""
        lines = [f"{self.slips:,} slips over {self.places:,} events of {len(WAYS)} ways of dealing"]
        lines += [f"  {count:>9,} while {stretch}" for stretch, count in sorted(self.trials.items())]
        lines += [f"  {self.lost_devices:>9,} cost a device and not the table"]
        lines += [f"  {self.lost_lines:>9,} inside the GPIO library, and a new process was asked for"]
        lines += [f"  {self.harmless:>9,} swallowed by transitions, with nothing left undone"]
        lines += [f"  {self.given_again:>9,} times the event was given again and the money compared"]
        lines += [f"  {self.wrong:>9,} wrong"]
        lines += [f"  {count:>9,} {words}" for words, count in self.objections.most_common()]
        return "\n".join([*lines, *self.told])


def slips_of(
    way: Way,
    seed: int,
    had: set[str] | None,
    *,
    thin: int,
    repeats: int = REPEATS,
    most: int = 0,
    only: str = "",
) -> Count:
    """Make the slips of one shift; the kinds that it ``had`` need no more than a sample (None: all)."""
    load("lines")  # read once: each trial is a child of this process
    gc.collect()
    gc.freeze()  # what the children do not look through they do not copy
    count = Count()
    with tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        for place in places(way, seed, random.Random(seed)):
            if only not in place.kind:
                continue
            _slips_at(Path(folder), place, way, had, count, thin=thin, repeats=repeats)
            if most and count.places >= most:
                break
    return count


def _slips_at(
    folder: Path, place: Place, way: Way, had: set[str] | None, count: Count, *, thin: int, repeats: int
) -> None:
    template = folder / "template"
    forked(lambda: prepare(_made(template), place.table))
    rehearsal = Rehearsal(place)
    count.places += 1
    for stretch in Stretch:
        # Who writes and who performs cares for the event and its effects, and not for where it came.
        what = place.kind.partition(",")[0] if stretch is Stretch.HANDLING else type(place.event).__name__
        seen = f"{what}, {stretch.value}"
        ways = _begin(folder, template, rehearsal, stretch, NEVER).answer()["ways"]
        if had is None or seen in had:
            calls = list(range(1 + (count.places * 7 + seed_of(seen)) % thin, len(ways) + 1, thin))
        else:
            had.add(seen)
            calls = chosen(ways, repeats)
        trials = (_begin(folder, template, rehearsal, stretch, at) for at in calls)
        for verdict in _some_at_a_time(trials):
            # A thread may come by another way this time, and have fewer calls.
            if verdict["has_raised"] or verdict["objections"]:
                count.take(f"{way} {place.kind}", verdict)
    shutil.rmtree(template)


def chosen(ways: list[int], repeats: int) -> list[int]:
    """Return which calls slip: the first that came by each way, and one in so many of those that came after it."""
    times: Counter[int] = Counter()
    calls = []
    for at, way in enumerate(ways, 1):
        if times[way] % repeats == 0:
            calls.append(at)
        times[way] += 1
    return calls


def seed_of(words: str) -> int:
    """Return a number that is the same for the same words in every process."""
    return sum(words.encode())


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def _some_at_a_time(trials: Iterator[Child]) -> Iterator[dict[str, Any]]:
    under_way = deque(itertools.islice(trials, AT_A_TIME))
    while under_way:
        yield under_way.popleft().answer()
        under_way.extend(itertools.islice(trials, 1))


def _begin(folder: Path, template: Path, rehearsal: Rehearsal, stretch: Stretch, at: int) -> Child:
    root = folder / f"trial{at}"
    shutil.copytree(template, root)
    return Child(lambda: Trial(root, rehearsal, stretch, at).run(), root)


def forked(work: Callable[[], object]) -> dict[str, Any]:
    """Do something in a process of its own; what it returns as JSON, what it raises as an objection."""
    return Child(work).answer()


class Child:
    """A process at work for this one, and the folder that is its own."""

    def __init__(self, work: Callable[[], object], root: Path | None = None) -> None:
        self._root = root
        self._reading, writing = os.pipe()
        self._process = os.fork()
        if not self._process:
            _answer(work, writing)
        os.close(writing)

    def answer(self) -> dict[str, Any]:
        """Wait for its verdict, and clear its folder away; one that hangs is killed, which is a verdict too."""
        with os.fdopen(self._reading, "rb") as pipe:
            if not select.select([pipe], [], [], HANGS_S)[0]:
                os.kill(self._process, signal.SIGKILL)
            said = pipe.read()
        os.waitpid(self._process, 0)
        if self._root is not None:
            shutil.rmtree(self._root)
        found: dict[str, Any] = json.loads(said or '{"objections": ["it died, or hung"]}')
        return _NO_VERDICT | found


_NO_VERDICT = {
    "stretch": "none",
    "at": 0,
    "place": "",
    "objections": [],
    "has_raised": False,
    "ways": [],
    "lost_device": False,
    "was_given_again": False,
    "was_harmless": False,
    "lost_lines": False,
}


def _answer(work: Callable[[], object], writing: int) -> None:
    """Answer through the pipe and be gone, without the parent's own leave-taking."""
    warnings.simplefilter("ignore")  # of coroutines that a slip leaves behind
    try:
        found = work()
        answer = asdict(found) if found is not None else {}  # type: ignore[call-overload]
    except BaseException:  # whatever it was, it is this trial's verdict
        answer = {"objections": [traceback.format_exc(limit=-6)]}
    with os.fdopen(writing, "wb") as pipe:
        pipe.write(json.dumps(answer).encode())
    os._exit(0)
