"""Garbage is looked for while nobody waits, and no more in the middle of an event.

CPython looks after each 700 new objects that stay (2,000 from 3.13 on), which stops the whole program: mostly
for some 20 us, now and then for as long as it takes to go through all that it holds. It would do so where
most is made, in a lock or in the record of a round. So it is left to look ten times as rarely by itself, for
a program that never rests; and the loop looks whenever all that the table has said was carried out.

What is there when the start is over stays to the end: it is put aside, and not gone through again.
"""

import gc

YOUNG, MIDDLE, OLD = gc.get_threshold()
BY_ITSELF = 10


def put_off() -> None:
    """Look for it where nobody rests, and ten times as rarely as the language would."""
    gc.set_threshold(BY_ITSELF * YOUNG, MIDDLE, OLD)


def put_start_aside() -> None:
    """Free what the start left behind, and leave what it made alone from now on."""
    gc.collect()
    gc.freeze()


def look() -> None:
    """Look for it where it is time to, as far back as it is time for."""
    young, middle, old = gc.get_count()
    if young > YOUNG:
        gc.collect(2 if old > OLD else 1 if middle > MIDDLE else 0)
