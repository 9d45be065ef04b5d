"""No module of tests leaves an event loop running in the thread of those that come after it.

A browser of Playwright's runs its loop in the thread of the test for as long as it is open; every ``asyncio.run`` of a
later module in the same process would be refused. Which module comes after which hangs on the machine, so a leak fails
where it is made.
"""

import asyncio
from collections.abc import Generator

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None, None, None]:
    """Fail the last test of a module whose fixtures left their event loop running."""
    yield
    ends = nextitem is None or nextitem.nodeid.partition("::")[0] != item.nodeid.partition("::")[0]
    # The public get_running_loop says the same by raising, and RuntimeError says many things.
    if ends and asyncio._get_running_loop() is not None:
        pytest.fail("an event loop is left running: its fixture lasts longer than its module", pytrace=False)
