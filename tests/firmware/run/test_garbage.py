"""Garbage is looked for at rest; each case in a process of its own, for it is the process that is changed."""

from __future__ import annotations

import subprocess
import sys


def said(words: str) -> str:
    done = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    return done.stdout.strip()


COUNTED = """\
import gc
from sabot.firmware.run import garbage
garbage.put_off()
looked = []
gc.callbacks.append(lambda phase, info: phase == "stop" and looked.append(info["generation"]))
stays = []
def make(count):
    stays.extend([] for _ in range(count))
"""


def test_importing_what_a_start_needs_puts_it_off() -> None:
    words = (
        "import gc; before = gc.get_threshold()\n"
        "from sabot.firmware.run import slim_imports\n"
        "after = gc.get_threshold(); print(after[0] // before[0], after[1:] == before[1:])"
    )
    assert said(words) == "10 True"


def test_nothing_is_looked_for_while_something_is_made_but_at_the_next_rest() -> None:
    words = "garbage.look(); make(2000); print(looked); garbage.look(); print(looked); garbage.look(); print(looked)"
    assert said(COUNTED + words).splitlines() == ["[]", "[0]", "[0]"]


def test_a_rest_looks_further_back_where_it_is_time_to() -> None:
    words = (
        "for _ in range(13): make(1000); garbage.look()\n"
        "print(looked.count(1), set(looked) <= {0, 1})\n"
        "for _ in range(200): make(1000); garbage.look()\n"
        "print(2 in looked)"
    )
    assert said(COUNTED + words).splitlines() == ["1 True", "True"]


def test_a_program_that_never_rests_looks_by_itself() -> None:
    assert said(COUNTED + "make(20_000); print(len(looked) > 1)") == "True"


def test_a_ring_of_garbage_is_freed_at_a_rest() -> None:
    words = (
        "import weakref\n"
        "class Ring: pass\n"
        "ring = Ring(); ring.itself = ring; gone = weakref.ref(ring); del ring\n"
        "make(1000); print(gone() is None); garbage.look(); print(gone() is None)"
    )
    assert said(COUNTED + words).splitlines() == ["False", "True"]


def test_what_the_start_made_is_put_aside_once_its_garbage_is_freed() -> None:
    words = (
        "class Ring: pass\n"
        "ring = Ring(); ring.itself = ring; del ring\n"
        "import weakref; alive = Ring()\n"
        "garbage.put_start_aside(); print(looked, gc.get_freeze_count() > 1000)"
    )
    assert said(COUNTED + words) == "[2] True"
