"""What the program does while nobody waits, between two events of a job."""

from time import thread_time_ns

from sabot.firmware.run import garbage
from sabot.statemachine.table import Table

garbage.put_off()


def rest(table: Table, since: int = 0) -> float:
    """Prepare all that there is to prepare and look for garbage; the nanoseconds of the longest piece.

    ``since``: when the first piece begins. The clock is asked with each piece alone: after most events there
    is none, and asking is a call of the system.
    """
    longest = 0.0
    while table.prepare():
        now = thread_time_ns()
        longest, since = max(longest, now - since), now
    garbage.look()
    return longest
