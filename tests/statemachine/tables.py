"""Tables as they are set up in the tests: every chapter, every method, every level of knowledge.

A set-up is whole unless a test takes something away: all optional wagers are offered, paytable A is chosen
wherever there is a choice, and every meter has its terms.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from sabot.config import load_chapter
from sabot.rules.round import Options
from sabot.rules.settlement.house import choosable
from sabot.statemachine.state.setup import KNOWABLE, Knowledge, MeterSetup, Setup, Shuffler, meter_terms

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sabot.rules.chapter import Chapter

CHAPTERS = ("pa641a", "md4cp", "pa679a", "pa682a", "pa683a")
METHODS = ("manual_shoe", "hand", "auto_shoe", "auto_shoe_reshuffle")
MD_METER = {"main": MeterSetup(500_000, 20, 0)}
MD_RESET = {"main": 500_000}
MOST_KNOWN = {
    "manual_shoe": Knowledge.EACH_CARD,
    "hand": Knowledge.NONE,
    "auto_shoe": Knowledge.STACK,
    "auto_shoe_reshuffle": Knowledge.STACK,
}


class Way(NamedTuple):
    """A chapter, a method of dealing, and what is known of the cards."""

    chapter: str
    method: str
    knowledge: Knowledge

    def __str__(self) -> str:
        return f"{self.chapter}-{self.method}-{self.knowledge}"


WAYS = [
    Way(chapter, method, knowledge)
    for chapter in CHAPTERS
    for method in METHODS
    for knowledge in sorted(KNOWABLE[method])
]


@cache
def law(chapter: str) -> Chapter:
    """A chapter, read once."""
    return load_chapter(chapter)


def options(chapter: str, letters: Mapping[str, str] | None = None, **changes: Any) -> Options:
    """Paytable A wherever there is a choice, but for the letters given."""
    chosen = {name: "A" for name in choosable(law(chapter)) if name not in law(chapter).envy} | dict(
        letters or {}
    )
    if chapter == "md4cp":
        changes.setdefault("meter_reset", MD_RESET)
    return Options(paytables=chosen, **changes)


def optional_wagers(chapter: str) -> frozenset[str]:
    """Every wager that a Rules Submission may offer."""
    return frozenset(name for name, wager in law(chapter).wagers.items() if wager.optional)


def table_setup(chapter: str, **changes: Any) -> Setup:
    """A whole table, but for the fields that a test changes (``readings`` and ``letters`` go to the options)."""
    own = {name: changes.pop(name) for name in ("letters", "readings", "payout_limit") if name in changes}
    chosen = changes.pop("options", None) or options(chapter, **own)
    method = changes.setdefault("method", "manual_shoe")
    changes.setdefault("knowledge", MOST_KNOWN.get(method, Knowledge.NONE))
    shuffler = Shuffler.RESHUFFLER if method == "auto_shoe_reshuffle" else Shuffler.COUNTING
    changes.setdefault("shuffler", shuffler)
    changes.setdefault("offers", optional_wagers(chapter))
    is_own = chapter == "md4cp" and "progressive" in changes["offers"]
    meters = {"progressive": MD_METER} if is_own else meter_terms(law(chapter), chosen, changes["offers"])
    changes.setdefault("meters", meters)
    return Setup(chapter=law(chapter), options=chosen, **changes)
