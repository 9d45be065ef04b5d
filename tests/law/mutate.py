"""Change every number, list entry and outcome of the chapter files, one at a time: a named test must fail each time.

A test that names a paragraph proves little until it has been seen to fail when the paragraph's number is wrong. The
tests are collected once; each change then runs in a forked child, where the loader is handed the changed file, until
the first test fails. A change that the loader refuses is counted apart: no test is needed to notice a chapter that does
not load, and none is credited.
"""

import argparse
import copy
import os
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from sabot.config import CHAPTER_IDS, loader
from sabot.config.reader import Toml, read_toml
from sabot.rules.chapter import Fate

REPO = Path(__file__).resolve().parents[2]
# Readings with one answer and the words that explain them decide nothing; their ids are held by the ledger.
# Random rounds name no paragraph, and odds reckon for seconds: they are asked when nothing else has failed.
SLOW = ("against_the_model", "/odds/")
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]

Path_ = tuple[str | int, ...]


class Change(NamedTuple):
    """One value of one chapter file, changed."""

    chapter: str
    path: Path_
    before: object
    after: object

    def __str__(self) -> str:
        place = ".".join(map(str, self.path))
        return f"{self.chapter}.toml {place}: {self.before!r} -> {self.after!r}"


def changes(chapter: str, data: Toml) -> Iterator[Change]:
    """Every change to a chapter's data: numbers by one, entries of lists altered or left out, other outcomes."""
    for path, value in leaves(data, ()):
        if isinstance(value, bool):
            yield Change(chapter, path, value, not value)
        elif isinstance(value, int):
            yield Change(chapter, path, value, value + 1)
        elif isinstance(value, list):
            for place, entry in enumerate(value):
                yield Change(chapter, path, value, value[:place] + value[place + 1 :])
                if isinstance(entry, str):
                    altered = _altered(entry)
                    yield Change(chapter, path, value, [*value[:place], altered, *value[place + 1 :]])
        elif isinstance(value, str) and _payout_like(value):
            yield Change(chapter, path, value, _altered(value))
        elif path[-1] == "outcome":
            yield from (Change(chapter, path, value, str(other)) for other in Fate if other != value)


def leaves(value: object, path: Path_) -> Iterator[tuple[Path_, object]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, (*path, key))
        return
    yield path, value
    if isinstance(value, list):
        for place, each in enumerate(value):
            if not isinstance(each, str):
                yield from leaves(each, (*path, place))


def _payout_like(text: str) -> bool:
    return bool(re.fullmatch(r"[\d,]+ (to|for) \d+|\d+% of \w+|\$[\d,]+", text))


def _altered(text: str) -> str:
    """Another entry of the same form: a payout with another number, a neighbouring rank, a word spoilt."""
    if text in RANKS:
        return RANKS[RANKS.index(text) - 1]
    number = re.search(r"\d+(,\d{3})*", text)
    if number and _payout_like(text):
        value = int(number[0].replace(",", "")) + (-1 if "%" in text else 1)
        return text[: number.start()] + f"{value:,}" + text[number.end() :]
    if text == "-":
        return "1 to 1"
    return {"push": "loss", "loss": "push"}.get(text, f"{text}_x")


def changed(data: Toml, change: Change) -> Toml:
    """A copy of the data with the change made."""
    result = copy.deepcopy(data)
    here: object = result
    for key in change.path[:-1]:
        here = here[key]  # type: ignore[index]
    here[change.path[-1]] = change.after  # type: ignore[index]
    return result


class Campaign:
    """A pytest plugin: instead of running the tests once it runs them for every change, in forked children."""

    def __init__(self, chosen: list[Change], files: dict[str, Toml]) -> None:
        self.chosen = chosen
        self.files = files
        self.survivors: list[Change] = []
        self.killers: Counter[str] = Counter()
        self._order: dict[str, list[pytest.Item]] = {}

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the campaign in place of the tests, as many changes at once as there are cores."""
        start, width = time.monotonic(), os.cpu_count() or 1
        for chapter in CHAPTER_IDS:
            self._order[chapter] = _by_relevance(session.items, chapter)
        for done in range(0, len(self.chosen), width):
            batch = [(change, *self._begin(change)) for change in self.chosen[done : done + width]]
            for change, child, pipe in batch:
                self._end(change, child, pipe)
            self._show_progress(done + len(batch), start)
        print()
        return True

    def _show_progress(self, number: int, start: float) -> None:
        if number % 20 > 1 and number != len(self.chosen):
            return
        left = (time.monotonic() - start) / number * (len(self.chosen) - number)
        end = "\r" if sys.stdout.isatty() else "\n"
        if sys.stdout.isatty() or number % 500 == 0:
            print(f"{number}/{len(self.chosen)} changes, {left:.0f} s left  ", end=end, flush=True)

    def _begin(self, change: Change) -> tuple[int, int]:
        read_end, write_end = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read_end)
            data = changed(self.files[change.chapter], change)
            os.write(write_end, _killer(data, change.chapter, self._order[change.chapter]).encode())
            os._exit(0)
        os.close(write_end)
        return child, read_end

    def _end(self, change: Change, child: int, pipe: int) -> None:
        with os.fdopen(pipe) as stream:
            killer = stream.read()
        os.waitpid(child, 0)
        self.killers[killer] += 1
        self._move_to_front(self._order[change.chapter], killer)
        if not killer:
            self.survivors.append(change)
            print(f"\nSURVIVED {change}", flush=True)

    def _move_to_front(self, items: list[pytest.Item], killer: str) -> None:
        """What failed last is likely to fail next: neighbouring numbers are held by one test."""
        found = next((item for item in items if item.nodeid == killer), None)
        if found is not None:
            items.remove(found)
            items.insert(0, found)


def _by_relevance(items: list[pytest.Item], chapter: str) -> list[pytest.Item]:
    """Tests of the chapter first, the slow ones last."""
    number = chapter.removeprefix("pa")

    def distance(item: pytest.Item) -> tuple[bool, bool]:
        name = item.nodeid
        return any(slow in name for slow in SLOW), not (chapter in name or number in name)

    return sorted(items, key=distance)


def _killer(data: Toml, chapter: str, items: list[pytest.Item]) -> str:
    """The first test that fails when the chapter is this, or the loader's refusal."""
    target = loader.HERE / "chapters" / f"{chapter}.toml"
    # The name that the loader itself looks up is the one to change.
    vars(loader)["read_toml"] = lambda path: data if path == target else read_toml(path)
    loader.PRINTED.known.clear()
    try:
        loader.load_chapter(chapter)
    except Exception as error:  # any refusal is one
        return f"(refused by the loader: {type(error).__name__})"
    _silence()
    for item in items:
        reports = item.ihook.pytest_runtest_protocol(item=item, nextitem=None) and _failures.copy()
        if reports:
            return item.nodeid
    return ""


_failures: list[str] = []


class _Watcher:
    """Keeps the names of failed tests."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember a failure."""
        if report.failed:
            _failures.append(report.nodeid)


def _silence() -> None:
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)


def main() -> int:
    """Run the campaign."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--chapter", choices=CHAPTER_IDS, action="append", help="only this chapter; may repeat"
    )
    parser.add_argument("--every", type=int, default=1, help="only each N-th change (a short form)")
    parser.add_argument(
        "--only", default="", metavar="TEXT", help="only changes that have this in their line"
    )
    parser.add_argument("--list", action="store_true", help="list the changes and stop")
    args = parser.parse_args()
    files = {
        name: read_toml(loader.HERE / "chapters" / f"{name}.toml") for name in args.chapter or CHAPTER_IDS
    }
    every = [
        change for name, data in files.items() for change in changes(name, data) if args.only in str(change)
    ]
    chosen = every[:: args.every]
    if args.list:
        print("\n".join(map(str, chosen)))
        return 0
    campaign = Campaign(chosen, files)
    quiet = ["-p", "no:cacheprovider", "-p", "no:terminal", "-o", "addopts=--import-mode=importlib"]
    words = ["-c", str(REPO / "pyproject.toml"), *quiet, str(REPO / "tests" / "rules")]
    code = pytest.main(words, plugins=[campaign, _Watcher()])
    if code not in (0, pytest.ExitCode.NO_TESTS_COLLECTED):
        print(f"the tests could not be collected (pytest exit {code})")
        return 1
    return _report(campaign, len(chosen), len(every))


def _report(campaign: Campaign, tried: int, possible: int) -> int:
    refused = sum(n for name, n in campaign.killers.items() if name.startswith("("))
    killed = tried - refused - len(campaign.survivors)
    print(
        f"{tried} of {possible} changes tried: {killed} failed a named test, {refused} refused by the loader, ",
        end="",
    )
    print(f"{len(campaign.survivors)} survived")
    for name, count in campaign.killers.most_common(15):
        print(f"  {count:5} {name}")
    return 1 if campaign.survivors else 0


if __name__ == "__main__":
    sys.exit(main())
