"""What all tests share: no time limit on examples, programs that hear Ctrl-C, and who takes which tests.

A busy machine is no finding. And a job in the background of a shell ignores interrupts, which its programs
would inherit; those that the tests interrupt must not.
"""

import gc
import logging
import signal

import pytest
from hypothesis import settings
from xdist.remote import Producer

from tests.loops import pytest_runtest_teardown
from tests.sharing import Sharing, rank

__all__ = ["pytest_runtest_teardown"]

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
# For each table the machine of its phases notes some sixty triggers that nobody asked it to bind.
logging.getLogger("transitions.core").setLevel(logging.ERROR)
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes long begins first."""
    items.sort(key=lambda item: rank(item.nodeid))


def pytest_collection_finish() -> None:
    """Thousands of collected tests are not looked through again each time that garbage is looked for."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)  # a trial of a mutant runs without that plugin
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Sharing:
    """However many processes there are."""
    return Sharing(config, log)
