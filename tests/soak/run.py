"""``make soak``: a million random rounds, resumable, with a bar; a seed that breaks is one command away.

    python -m tests.soak.run --rounds 1000000 --jobs 2 --state FILE     begin, or go on where the file says
    python -m tests.soak.run --seed 4711                                one shift again, cut down where it breaks

The file has how many seeds are done, what was counted, and what was objected to in which seed.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import deque
from contextlib import contextmanager
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from typing import TYPE_CHECKING

from sabot.statemachine.vocabulary.codec import event_json

from .count import Bar, Count, keep, kept
from .plan import plan
from .shift import Played, Rehearsal, play
from .shrink import shrunk

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from multiprocessing.pool import Pool as PoolOf

SAVED_EVERY_S = 5.0
MOST_BROKEN = 50
ENDLESS = 10**9
AHEAD = 8
STOPPED = 130


def main(arguments: list[str] | None = None) -> int:
    """Play; 1 where somebody objected."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rounds", type=int, default=1_000_000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--state", type=Path, help="where the run is kept, so that it can go on")
    parser.add_argument("--first", type=int, default=0, help="the first seed of a new run")
    parser.add_argument("--seed", type=int, help="play one shift again and cut it down")
    args = parser.parse_args(arguments)
    if args.seed is not None:
        return again(args.seed)
    count = kept(args.state) or Count(first=args.first, next=args.first)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        soak(count, args.rounds, args.jobs, args.state)
    except KeyboardInterrupt:
        print("stopped; the same command goes on", file=sys.stderr)
        return STOPPED
    print(count.report())
    for each in count.broken:
        print(
            f"BROKEN: python -m tests.soak.run --seed {each['seed']}   # {each['who']}: {str(each['words'])[:200]}"
        )
    return 1 if count.broken else 0


def soak(count: Count, rounds: int, jobs: int, state: Path | None) -> None:
    """Shift after shift until so many rounds are played."""
    bar, begun, before = Bar(rounds), time.monotonic(), count.seconds
    saved = begun
    try:
        with _shifts(range(count.next, ENDLESS), jobs) as shifts:
            for played in shifts:
                count.add(played)
                now = time.monotonic()
                count.seconds = before + now - begun
                bar.show(count, now)
                if now - saved > SAVED_EVERY_S:
                    saved = now
                    keep(count, state)
                if count.rounds >= rounds or len(count.broken) >= MOST_BROKEN:
                    break
    finally:
        keep(count, state)


@contextmanager
def _shifts(seeds: Iterable[int], jobs: int) -> Iterator[Iterator[Played]]:
    """The shifts in the order of their seeds; the processes end with the last one that is wanted."""
    if jobs == 1:
        yield map(_play, seeds)
        return
    with Pool(jobs, _leave_quietly) as pool:
        yield _in_order(pool, iter(seeds), jobs * AHEAD)


def _leave_quietly() -> None:
    """A player goes when the run does, and leaves Ctrl-C to it."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _in_order(pool: PoolOf, seeds: Iterator[int], ahead: int) -> Iterator[Played]:
    """A few shifts ahead of the one that is waited for, and no more: ``imap`` would take all seeds at once."""
    under_way = deque(pool.apply_async(_play, (seed,)) for seed in islice(seeds, ahead))
    while under_way:
        yield under_way.popleft().get()
        under_way.extend(pool.apply_async(_play, (seed,)) for seed in islice(seeds, 1))


def _play(seed: int) -> Played:
    return play(plan(seed))


def again(seed: int) -> int:
    """One shift with all its looks; where it breaks, the few events that it takes."""
    planned = plan(seed)
    played = play(planned, keep_events=True)
    print(f"seed {seed}: {planned}")
    print(f"{played.rounds} rounds, {played.events:,} events")
    if played.broken is None:
        print("nobody objected")
        return 0
    print(f"BROKEN at step {played.broken.step}, {played.broken.who}: {played.broken.words}")
    rehearsal = Rehearsal(planned)
    if rehearsal.objects(played.heard) is None:
        print("the events alone do not bring it about: it is in the way home")
        return 1
    for event in shrunk(rehearsal, played.heard, played.broken):
        print(json.dumps(event_json(event, with_secrets=True)))
    return 1


if __name__ == "__main__":
    sys.exit(main())
