"""Which tests reach which line: recorded in one run of the tests, in every process that they start.

Each process appends ``context, file, line`` the first time that a line is reached in a context, so that nothing is lost
where a program is killed. A context is a test, a fixture of many tests, or the loading of the test files; a program that
a test starts takes its context from the environment, where a child of a prepared process finds it after its fork.
"""

import os
import sys
import threading
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

WHERE, CONTEXT = "SABOT_REACH", "SABOT_REACH_CONTEXT"
LOADING = "loading"
ROOMS = ("config/", "drivers/", "firmware/", "desk/")
OFTEN = 100  # after so many calls in a context a function is no longer looked at


class Recorder:
    """The lines of the modules under a root."""

    def __init__(self, folder: Path, root: str) -> None:
        self.folder, self.root = folder, root
        self.ours = tuple(root + name for name in ROOMS)
        self.begin_again()
        os.register_at_fork(after_in_child=self.begin_again)

    def begin_again(self) -> None:
        """A new process, or a new context."""
        self.context = ""
        self.file = -1
        self.seen: set[tuple[CodeType, int]] = set()
        self.calls: Counter[CodeType] = Counter()

    def enter(self, context: str) -> None:
        """What is reached from here on belongs to another context."""
        file = self.file
        self.begin_again()
        self.file, self.context = file, context
        os.environ[CONTEXT] = context

    def call(self, frame: FrameType, event: str, argument: object) -> Any:
        """Look at the lines of a function of ours."""
        del event, argument
        code = frame.f_code
        if not code.co_filename.startswith(self.ours):
            return None
        self.calls[code] += 1
        return self.line if self.calls[code] <= OFTEN else None

    def line(self, frame: FrameType, event: str, argument: object) -> Any:
        """Keep a line that was not reached before."""
        del argument
        key = (frame.f_code, frame.f_lineno)
        if event == "line" and key not in self.seen:
            self.seen.add(key)
            self.write(frame)
        return self.line

    def write(self, frame: FrameType) -> None:
        if self.file < 0:
            self.file = os.open(self.folder / f"{os.getpid()}.tsv", os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        self.context = self.context or os.environ.get(CONTEXT, "")
        name = frame.f_code.co_filename.removeprefix(self.root)
        os.write(self.file, f"{self.context}\t{name}\t{frame.f_lineno}\n".encode())


def begin() -> Recorder | None:
    """Record in this process and in its threads, if it was asked for."""
    folder = os.environ.get(WHERE)
    if not folder:
        return None
    source = next(path for path in sys.path if path.endswith("/tree/src"))
    recorder = Recorder(Path(folder), source + "/sabot/")
    threading.settrace(recorder.call)
    sys.settrace(recorder.call)
    return recorder


RECORDER = begin()


class Contexts:
    """A plugin of pytest: whose lines are reached now, and how long each test takes."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.before, self.began_s = LOADING, 0.0
        recorder.enter(LOADING)

    def pytest_runtest_setup(self, item: Any) -> None:
        self.began_s = _used_s()
        self.within(item.nodeid)
        fixtures = item._fixtureinfo.name2fixturedefs.values()
        shared = [each for found in fixtures for each in found if each.scope != "function"]
        for each in shared:
            self._note("uses", item.nodeid, f"{each.baseid}::{each.argname}")

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call":
            self._note(report.outcome, report.nodeid, f"{_used_s() - self.began_s:.3f}")

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        del nodeid
        self.within(LOADING)

    def within(self, context: str) -> None:
        self.before = context
        self.recorder.enter(context)

    def _note(self, *words: str) -> None:
        with (self.recorder.folder / "tests.txt").open("a") as file:
            file.write("\t".join(words) + "\n")


def _used_s() -> float:
    """Return the processor time of this process and of what it waited for: how busy the machine is does not count."""
    return sum(os.times()[:4])


def wrapped(contexts: Contexts) -> None:
    """Let what a fixture of many tests reaches belong to all who use it."""
    import pytest  # noqa: PLC0415

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(fixturedef: Any, request: Any) -> Generator[None, Any, Any]:
        del request
        if fixturedef.scope == "function":
            return (yield)
        before = contexts.before
        contexts.within(f"{fixturedef.baseid}::{fixturedef.argname}")
        try:
            return (yield)
        finally:
            contexts.within(before)

    contexts.pytest_fixture_setup = pytest_fixture_setup  # type: ignore[attr-defined]


def pytest_configure(config: Any) -> None:
    """Called by pytest where this module is a plugin; of tests in several workers only those know the time they took."""
    is_led = bool(getattr(config.option, "numprocesses", None)) and not hasattr(config, "workerinput")
    if RECORDER is not None and not is_led:
        contexts = Contexts(RECORDER)
        wrapped(contexts)
        config.pluginmanager.register(contexts)
