"""Which tests one process takes together, and which begin first, where many processes share the tests.

A module is taken as a whole, for its tests share what its fixtures make. Where each test takes long it is taken
alone; those of the demo go by the chapter whose shift they look at, which is played once. The long ones begin
first, so that none is left for the end.
"""

import re
from typing import TYPE_CHECKING

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    import pytest
    from xdist.remote import Producer

# What takes long, the longest first, and what of a test's name is taken together: nothing is the module.
ALONE, CHAPTER, MODULE = re.compile(r"::.*"), re.compile(r"::test_\w+$|\[\w+\]$"), re.compile("")
LONG = {
    "tests/hil/scenarios/test_playing.py": MODULE,
    "tests/desk/test_par.py": ALONE,
    "tests/desk/test_demo.py": CHAPTER,
    "tests/chaos/": ALONE,
    "tests/statemachine/walk/test_exhaustive.py": ALONE,
    "tests/firmware/update/": MODULE,
    "tests/firmware/run/": ALONE,
    "tests/hil/": MODULE,
    "tests/statemachine/walk/": ALONE,
    "tests/rules/counted/": ALONE,
}


def rank(nodeid: str) -> int:
    """The place of a test's module in the order."""
    return next((place for place, start in enumerate(LONG) if nodeid.startswith(start)), len(LONG))


def share(nodeid: str) -> str:
    """What is taken together has one name."""
    how = next((how for start, how in LONG.items() if nodeid.startswith(start)), MODULE)
    together = how.search(nodeid)
    return nodeid.partition("::")[0] + (together[0] if together else "")


class Sharing(LoadScopeScheduling):  # type: ignore[misc]
    """A process that has little left takes the next share."""

    def __init__(self, config: "pytest.Config", log: "Producer") -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return share(nodeid)
