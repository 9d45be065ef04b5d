"""What the program does while nobody waits, between two events of a job."""

from time import thread_time_ns

from sabot.firmware.run import garbage
from sabot.statemachine.table import Table

garbage.put_off()


def rest(table: Table) -> float:
    """Prepare all that there is to prepare and look for garbage; the nanoseconds of the longest piece."""
    longest, has_more = 0.0, True
    while has_more:
        start = thread_time_ns()
        has_more = table.prepare()
        longest = max(longest, thread_time_ns() - start)
    garbage.look()
    return longest
