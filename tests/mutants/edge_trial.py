"""The trial of a change at the edge, in a ground of its own: by the tests that reach its line, in forked children.

All of Sabot and its libraries are loaded once. A child gives the functions of the changed module their changed code,
which costs milliseconds where loading everything again takes a second; a change outside of functions, or in one that
was called while loading, is loaded afresh. The file is changed too, for programs that a test starts. Each test has a
deadline in processor time and one on the wall; what runs out of either is timed out, and everything it started ended.
"""

import ctypes
import gc
import importlib
import importlib.util
import json
import multiprocessing
import os
import pkgutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import hypothesis
import pytest

TREE = Path(next((path for path in sys.path if path.endswith("/tree/src")), ".")).parent
LOADED = ("config", "drivers", "firmware", "desk", "statemachine", "rules", "hil.simulators")
LEFT_OUT = ("__main__", "sabot.firmware.update.first_install")
TIMES = 6
WALL_GRACE_S, WALL_TIMES = 90.0, 40  # a busy machine may add so much
EXAMPLES = 15
PR_SET_PDEATHSIG = 1
BROKEN = 70
NOT_LOADED = ("ImportError while loading conftest", "\nERROR tests/")
NORMAL = (0, 1, 2)  # passed, failed, not to be loaded; what else pytest says is no verdict
OPTIONS = (
    "-x",
    "--tb=line",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "-p",
    "no:cov",
    "-p",
    "no:faulthandler",
)
LATE = (signal.SIGPROF, signal.SIGALRM, signal.SIGXCPU, signal.SIGKILL)


class Verdict(NamedTuple):
    """What became of it, by which test, in what processor time, and what pytest said."""

    outcome: str
    test: str
    cpu_s: float
    said: str


class Job(NamedTuple):
    """A changed source with its tests, each with the seconds it usually takes; no module: a control."""

    module: str
    source: str
    is_live: bool
    tests: dict[str, float]
    grace_s: float = 4.0


class Chaser:
    """A plugin: the tests in the order of the job, few examples and always the same, and a deadline for each."""

    def __init__(self, job: Job, pipe: int) -> None:
        self.tests, self.grace_s = job.tests, job.grace_s
        self.rank = {test: place for place, test in enumerate(job.tests)}
        self.pipe = pipe

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> None:
        few = hypothesis.settings(max_examples=EXAMPLES, derandomize=True, database=None, deadline=None)
        hypothesis.settings.register_profile("trial", few)
        hypothesis.settings.load_profile("trial")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if item.nodeid in self.rank]
        items.sort(key=lambda item: self.rank[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        usual_s = self.tests[item.nodeid]
        signal.setitimer(signal.ITIMER_PROF, self.grace_s + TIMES * usual_s)
        signal.setitimer(signal.ITIMER_REAL, WALL_GRACE_S + WALL_TIMES * usual_s)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os.write(self.pipe, report.nodeid.encode() + b"\n")


def load() -> None:
    """Everything a test may want but the tests: what cannot be loaded here is left to them."""
    for name in LOADED:
        if importlib.util.find_spec(f"sabot.{name.partition('.')[0]}") is None:
            continue
        package = importlib.import_module(f"sabot.{name}")
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not each.name.endswith(LEFT_OUT):
                _try(each.name)


def _try(name: str) -> None:
    try:
        importlib.import_module(name)
    except (ImportError, SystemExit):
        return


class Loaded:
    """The functions of the loaded program, by file and name."""

    def __init__(self) -> None:
        load()
        self.functions: dict[str, list[FunctionType]] = {}
        for each in gc.get_objects():
            if isinstance(each, FunctionType) and each.__code__.co_filename.startswith(str(TREE / "src")):
                self.functions.setdefault(each.__code__.co_filename, []).append(each)
        gc.collect()
        gc.freeze()

    def give(self, path: str, was: str, now: str) -> bool:
        """Give functions their changed code; whether that could be done."""
        pairs = list(
            _pairs(
                compile(was, path, "exec", dont_inherit=True), compile(now, path, "exec", dont_inherit=True)
            )
        )
        changed = {_key(old): new for old, new in pairs if new is not None and old != new}
        if any(new is None for _, new in pairs) or len({_key(old) for old, _ in pairs}) < len(pairs):
            return False
        try:
            given = [
                _give(each, changed[_key(each.__code__)])
                for each in self.functions.get(path, [])
                if _key(each.__code__) in changed
            ]
        except ValueError:  # another closure
            return False
        return bool(given)


def _give(function: FunctionType, code: CodeType) -> bool:
    function.__code__ = code
    return True


def _key(code: CodeType) -> tuple[str, int, int]:
    return code.co_qualname, code.co_firstlineno, next(iter(code.co_positions()), (0, 0, 0, 0))[2] or 0


def _pairs(old: CodeType, new: CodeType) -> Iterator[tuple[CodeType, CodeType | None]]:
    """Functions of both, side by side; comprehensions belong to their function."""
    mine, theirs = ([each for each in code.co_consts if isinstance(each, CodeType)] for code in (old, new))
    for one, other in zip(mine, theirs, strict=False):
        if one.co_qualname != other.co_qualname:
            yield one, None
            return
        yield one, other
        yield from _pairs(one, other)
    if len(mine) != len(theirs):
        yield old, None


class Trials:
    """Trials one after another in one ground."""

    def __init__(self, loaded: Loaded) -> None:
        self.loaded = loaded
        self.stamp = 1_000_000_000

    def run(self, job: Job) -> Verdict:
        """The tests of a job on its source."""
        if not job.module:
            return self._forked(job, "", Path())
        path = TREE / "src" / "sabot" / job.module
        text, times = path.read_text(), path.stat()
        self.stamp += 10  # bytecode is kept by second and size: each change has a second of its own
        try:
            path.write_text(job.source)
            os.utime(path, (self.stamp, self.stamp))
            return self._forked(job, text, path)
        finally:
            path.write_text(text)
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))

    def _forked(self, job: Job, text: str, path: Path) -> Verdict:
        reads, writes = os.pipe()
        with tempfile.TemporaryFile() as output:
            child = os.fork()
            if not child:
                os.close(reads)
                self._be_the_child(job, text, path, writes, output.fileno())
            os.close(writes)
            os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
            _end_all(child)
            _, status, used = os.wait4(child, 0)
            with os.fdopen(reads, "rb") as pipe:
                os.set_blocking(pipe.fileno(), False)
                tests = (pipe.read() or b"").decode().split("\n")
            output.seek(0)
            said = output.read().decode(errors="replace")
        killers = "\n".join(dict.fromkeys(filter(None, tests)))
        return Verdict(_outcome(status, said), killers, used.ru_utime + used.ru_stime, said[-1500:])

    def _be_the_child(self, job: Job, text: str, path: Path, pipe: int, output: int) -> None:
        code = BROKEN
        try:
            os.setsid()
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            os.dup2(output, 1)
            os.dup2(output, 2)
            os.chdir(TREE)
            signal.setitimer(signal.ITIMER_PROF, 10 * job.grace_s)
            signal.setitimer(signal.ITIMER_REAL, 3 * WALL_GRACE_S)
            self._change(job, text, path)
            files = list(dict.fromkeys(test.partition("::")[0] for test in job.tests))
            words = list(job.tests) if len(job.tests) < 20 else files
            code = int(pytest.main([*OPTIONS, "--rootdir", str(TREE), *words], plugins=[Chaser(job, pipe)]))
        except MemoryError:
            code = 1
        finally:
            sys.stdout.flush()
            os._exit(code)

    def _change(self, job: Job, text: str, path: Path) -> None:
        _prepared_calls()
        if job.module and not (job.is_live and self.loaded.give(str(path), text, job.source)):
            for name in [name for name in sys.modules if name.partition(".")[0] == "sabot"]:
                del sys.modules[name]


def _prepared_calls() -> None:
    """``tests/firmware/calling.py`` forks its programs from one that loaded the tree: here this process is it."""
    usual = multiprocessing.get_context

    def get_context(method: str | None = None) -> Any:
        context = usual("fork" if method == "forkserver" else method)
        context.set_forkserver_preload = lambda *_: None  # type: ignore[method-assign]
        return context

    multiprocessing.get_context = get_context


def _end_all(group: int) -> None:
    try:
        os.killpg(group, signal.SIGKILL)
    except ProcessLookupError:
        return


def _outcome(status: int, said: str) -> str:
    if os.WIFSIGNALED(status):
        return "timed_out" if os.WTERMSIG(status) in LATE else "killed"
    code = os.WEXITSTATUS(status)
    if code not in NORMAL and not any(words in said for words in NOT_LOADED):
        return "broken"
    return "killed" if code else "survived"


def main() -> None:
    """Take jobs from standard input, a line each, and answer with a line each."""
    trials = Trials(Loaded())
    for line in sys.stdin:
        verdict = trials.run(Job(**json.loads(line)))
        print(json.dumps(verdict._asdict()), flush=True)


if __name__ == "__main__":
    main()
