"""A mutant's trial: its tests in a forked child of a process that has pytest and Hypothesis loaded, and nothing of Sabot.

A child puts the changed source in the module's place before anything imports it, so that all who depend on it see it.
It is held to a size and a time, since a changed bound can ask for all memory there is, and its tests begin with those
that failed last: neighbours tend to fall to the same test.
"""

import ctypes
import gc
import os
import resource
import select
import signal
import sys
import tempfile
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import hypothesis
import pytest

MEMORY_BYTES = 1_500_000_000
EXAMPLES = 15
TIMES, GRACE_S = 5, 2.0  # so many times the unchanged module's time, and that much more
WALL_TIMES = 6  # what a busy machine may add to the time used
PR_SET_PDEATHSIG = 1
NO_MEMORY = 1
BROKEN = 70  # a child's exit code where the trial itself went wrong
OPTIONS = (
    "-x",
    "--tb=no",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-p",
    "no:cov",
    "-p",
    "no:faulthandler",
)


class Verdict(NamedTuple):
    """What became of a trial: ``survived``, ``killed`` or ``timed_out``, by which test, in what time."""

    outcome: str
    test: str
    cpu_s: float
    output: str


class Case(NamedTuple):
    """A module under trial in a tree, with its tests."""

    tree: Path
    module: str  # rules/cards.py
    tests: Sequence[str]

    @property
    def name(self) -> str:
        return "sabot." + self.module.removesuffix(".py").replace("/", ".")

    @property
    def path(self) -> Path:
        return self.tree / "src" / "sabot" / self.module


class InPlace(MetaPathFinder):
    """Answers the import of one module with another source."""

    def __init__(self, case: Case, source: str) -> None:
        self.case, self.source = case, source

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        del path, target
        if name != self.case.name:
            return None
        return spec_from_file_location(
            name, self.case.path, loader=Changed(name, str(self.case.path), self.source)
        )


class Changed(SourceFileLoader):
    """Runs the source it was given, under the name of the file."""

    def __init__(self, name: str, path: str, source: str) -> None:
        super().__init__(name, path)
        self.text = source

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        return compile(self.text, self.path, "exec", dont_inherit=True)


class Chaser:
    """A plugin: last killers first, few examples and always the same, and word of the first failure."""

    def __init__(self, first: Sequence[str], pipe: int) -> None:
        self.rank = {test: place for place, test in enumerate(first)}
        self.pipe = pipe

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        few = hypothesis.settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
        hypothesis.settings.register_profile("trial", few)
        hypothesis.settings.load_profile("trial")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self.rank.get(item.nodeid, len(self.rank)))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os.write(self.pipe, report.nodeid.encode() + b"\n")


def ready() -> None:
    """What a child should not have to load or to sweep; nothing of Sabot may be among it."""
    assert not any(name.split(".")[0] == "sabot" for name in sys.modules)
    gc.collect()
    gc.freeze()


def run(case: Case, source: str, first: Sequence[str] = (), usual_s: float | None = None) -> Verdict:
    """The tests of a case on a source; without the usual time it has two minutes."""
    cpu_s = 120.0 if usual_s is None else usual_s * TIMES + GRACE_S
    reads, writes = os.pipe()
    with tempfile.TemporaryFile() as output:
        child = os.fork()
        if not child:
            os.close(reads)
            _be_the_child(case, source, Chaser(first, writes), output.fileno(), cpu_s)
        os.close(writes)
        is_late = not _ended(child, cpu_s * WALL_TIMES)
        _, status, used = os.wait4(child, 0)
        with os.fdopen(reads, "rb") as pipe:
            test = pipe.readline().decode().strip()
        output.seek(0)
        said = output.read().decode(errors="replace")
    outcome = "timed_out" if is_late else _outcome(status, said)
    return Verdict(outcome, test, used.ru_utime + used.ru_stime, said)


def _ended(child: int, wall_s: float) -> bool:
    handle = os.pidfd_open(child)
    try:
        in_time = bool(select.select([handle], [], [], wall_s)[0])
        if not in_time:
            os.killpg(child, signal.SIGKILL)
        return in_time
    finally:
        os.close(handle)


def _outcome(status: int, said: str) -> str:
    if os.WIFSIGNALED(status):
        by_time = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL)
        return "timed_out" if by_time else "killed"
    code = os.WEXITSTATUS(status)
    if code == BROKEN:
        raise RuntimeError(f"the trial itself went wrong:\n{said}")
    return "killed" if code else "survived"


def _be_the_child(case: Case, source: str, chaser: Chaser, output: int, cpu_s: float) -> None:
    code = BROKEN
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        ctypes.CDLL(None).prctl(
            PR_SET_PDEATHSIG, signal.SIGKILL
        )  # no child outlives a campaign that is stopped
        os.dup2(output, 1)
        os.dup2(output, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_s) + 1, int(cpu_s) + 2))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(case.tree)
        sys.path.insert(0, str(case.tree / "src"))
        sys.meta_path.insert(0, InPlace(case, source))
        code = int(pytest.main([*OPTIONS, "--rootdir", str(case.tree), *case.tests], plugins=[chaser]))
        loaded = sys.modules.get("sabot")
        if loaded and not str(loaded.__file__).startswith(str(case.tree)):
            print(f"another Sabot answered: {loaded.__file__}", flush=True)
            code = BROKEN
    except MemoryError:
        code = NO_MEMORY  # the change asked for more than there is, and pytest itself had none left
    finally:
        os._exit(code)
