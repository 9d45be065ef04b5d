"""The record of a run of the kit: each check with its measurements, who the device says it is, a digest.

The record is the certificate: the text that is printed and the file that is kept are made of the same facts,
and the digest lets anybody find out whether a file is still the one that was written.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

PASSED, WRONG, NOT_TRIED, NOT_CLAIMED = "passed", "wrong", "not tried", "not claimed"
CERTIFICATE, TO_FIX, INCOMPLETE = "certificate", "to fix", "incomplete"


class Measure(NamedTuple):
    """One number, with the limits of the page; a limit of None is none."""

    name: str
    value: float
    unit: str = "ms"
    least: float | None = None
    most: float | None = None

    @property
    def is_within(self) -> bool:
        """Return whether it lies between its limits."""
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    @property
    def words(self) -> str:
        """Return the number with its limits."""
        limits = (("at least", self.least), ("at most", self.most))
        said = ", ".join(f"{how} {limit:g}" for how, limit in limits if limit is not None)
        return f"{self.name} {self.value:g} {self.unit}" + (f" ({said})" if said else "")


@dataclass
class CheckResult:
    """What came of one check."""

    name: str
    title: str
    section: str
    outcome: str
    words: str = ""
    seconds: float = 0.0
    measures: list[Measure] = field(default_factory=list)
    wire: list[str] = field(default_factory=list)


@dataclass
class Record:
    """The record of one run."""

    convention: str
    page: str
    port: str
    date: str
    device: dict[str, str] = field(default_factory=dict)
    conditions: dict[str, str] = field(default_factory=dict)
    results: list[CheckResult] = field(default_factory=list)

    def of(self, outcome: str) -> list[CheckResult]:
        """Return the checks with this outcome."""
        return [each for each in self.results if each.outcome == outcome]

    @property
    def verdict(self) -> str:
        """Return the verdict: a certificate only if nothing is wrong and nothing was left out."""
        if self.of(WRONG):
            return TO_FIX
        return INCOMPLETE if self.of(NOT_TRIED) or not self.of(PASSED) else CERTIFICATE

    @property
    def digest(self) -> str:
        """Return SHA-256 over all the facts."""
        return digest_of(self._facts())

    def as_json(self) -> str:
        """Return the record for a file."""
        return json.dumps({**self._facts(), "digest": self.digest}, indent=1) + "\n"

    def _facts(self) -> dict[str, Any]:
        results = [asdict(each) | {"measures": list(_measures(each.measures))} for each in self.results]
        return asdict(self) | {"results": results, "verdict": self.verdict}


def digest_of(facts: dict[str, Any]) -> str:
    """Return the digest of a record's facts, leaving out ``digest`` itself."""
    rest = {name: value for name, value in facts.items() if name != "digest"}
    return hashlib.sha256(json.dumps(rest, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _measures(measures: Iterable[Measure]) -> Iterable[dict[str, Any]]:
    for each in measures:
        yield {**each._asdict(), "is_within": each.is_within}
