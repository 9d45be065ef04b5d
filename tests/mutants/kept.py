"""What is kept of the trials: a file a module, a line a mutant tried, so that a run can stop and go on at any time.

A session belongs to one source: when the module changes, what was found out about its mutants is void. Only what was
tried is counted, never an extrapolation.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

KILLED, TIMED_OUT, SURVIVED = "killed", "timed_out", "survived"
HEADS = ("mutants", "tried", "killed", "timed out", "survived", "killed of tried")

Found = dict[str, Any]


class Session:
    """The trials of one module."""

    def __init__(self, folder: Path, module: str, text: str, made: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.path = folder / (module.replace("/", ".") + ".jsonl")
        self.head = {"module": module, "source": sha256(text.encode()).hexdigest(), "made": made}
        lines = self.path.read_text().splitlines() if self.path.exists() else []
        is_ours = bool(lines) and json.loads(lines[0]) == self.head
        self.found: dict[str, Found] = {}
        if is_ours:
            self.found = {each["id"]: each for each in map(json.loads, lines[1:])}
        else:
            self.path.write_text(json.dumps(self.head) + "\n")

    def add(self, found: Found) -> None:
        """Keep what became of a mutant; of two findings the later counts."""
        self.found[found["id"]] = found
        with self.path.open("a") as file:
            file.write(json.dumps(found) + "\n")

    def killers(self) -> list[str]:
        """The tests that killed, the last one first."""
        tests = [each["test"] for each in reversed(self.found.values()) if each["test"]]
        return list(dict.fromkeys(tests))


class Tally(NamedTuple):
    """What became of the mutants of a module, or of many."""

    made: int
    tried: int
    killed: int
    timed_out: int
    survived: int

    def row(self, name: str) -> str:
        gone = self.killed + self.timed_out
        share = f"{gone * 100 / self.tried:.1f} %" if self.tried else "-"
        return "| " + " | ".join((name, *map(str, self), share)) + " |"


def tally(session: Path) -> tuple[str, Tally, list[Found]]:
    """The module of a session file, its numbers and its survivors."""
    head, *lines = map(json.loads, session.read_text().splitlines())
    found = {each["id"]: each for each in lines}
    count = Counter(each["outcome"] for each in found.values())
    numbers = Tally(head["made"], len(found), count[KILLED], count[TIMED_OUT], count[SURVIVED])
    return head["module"], numbers, [each for each in found.values() if each["outcome"] == SURVIVED]


def total(tallies: Sequence[Tally]) -> Tally:
    return Tally(*map(sum, zip(*tallies, strict=True)))


def table(folder: Path) -> Iterator[str]:
    """Markdown: each module that was tried, and each package."""
    found = [tally(path)[:2] for path in sorted(folder.glob("*.jsonl"))]
    yield "| module | " + " | ".join(HEADS) + " |"
    yield "|---|" + "---:|" * len(HEADS)
    for module, numbers in found:
        if numbers.tried:
            yield numbers.row(f"`{module}`")
    for package in sorted({module.split("/")[0] for module, _ in found}):
        of_it = [numbers for module, numbers in found if module.startswith(package + "/") and numbers.tried]
        if of_it:
            yield total(of_it).row(f"**{package}**")


def as_json(folder: Path) -> dict[str, Any]:
    """The same for a program, with the survivors by line."""
    said = {}
    for path in sorted(folder.glob("*.jsonl")):
        module, numbers, survivors = tally(path)
        said[module] = {**numbers._asdict(), "survivors": sorted(survivors, key=lambda each: each["line"])}
    return said
