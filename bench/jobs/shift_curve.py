"""One table through a long shift: what an event takes, what is resident, what a round writes, by parts.

Events are made one at a time and forgotten, as are the effects. At the end of each part a copy of the process
goes on into a journal of its own for some rounds, so that what grows in the state and is written with every
snapshot shows in the bytes, and nothing of the journal's in the memory.
"""

import gc
import json
import os
import sys
from collections.abc import Iterator
from time import thread_time_ns

from long_shift import SEED, WAY
from playing import RandomShift, Table, days
from resident import resident
from timed import clock_cost

from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import Event


class Clocked:
    """A table's ``handle`` with the processor time of every event summed."""

    def __init__(self, table: Table) -> None:
        self._handle = table.handle
        self._cost = clock_cost()
        self.spent_ns, self.events = 0.0, 0

    def handle(self, event: Event) -> list[Effect]:
        """Time one event."""
        start = thread_time_ns()
        effects = self._handle(event)
        self.spent_ns += thread_time_ns() - start - self._cost
        self.events += 1
        return effects

    def mean_us(self) -> float:
        """Microseconds an event since this was asked last."""
        spent_ns, events = self.spent_ns, self.events
        self.spent_ns, self.events = 0.0, 0
        return spent_ns / events / 1000


def journal_kb(shift: RandomShift) -> float:
    """What a round writes, found by a copy of this process, so that the memory here stays what it is."""
    out, into = os.pipe()
    child = os.fork()
    if not child:
        from journalled_rounds import kilobytes_a_round  # noqa: PLC0415

        os.write(into, str(kilobytes_a_round(shift)).encode())
        os._exit(0)
    os.close(into)
    with os.fdopen(out) as answer:
        found = float(answer.read())
    os.waitpid(child, 0)
    return found


def parts(shift: RandomShift, rounds: int, count: int) -> Iterator[dict[str, float]]:
    """A point for each part of the shift."""
    clocked = Clocked(shift.table)
    shift.table.handle = clocked.handle  # type: ignore[method-assign]
    for stop in range(rounds // count, rounds + 1, rounds // count):
        for _ in days(shift, stop - shift.table.state.books.rounds):
            pass
        point = {"rounds": stop, "event_us": clocked.mean_us()}
        gc.collect()
        point["resident_mb"] = resident() / 1024
        point["journal_kb"] = journal_kb(shift)
        yield point


def main() -> None:
    """Print the points."""
    rounds, count = int(sys.argv[1]), int(sys.argv[2])
    print(json.dumps(list(parts(RandomShift(SEED, WAY, noise=0.01), rounds, count))))


if __name__ == "__main__":
    main()
