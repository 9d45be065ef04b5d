"""Tables by chance: a chapter, a method, what is known of the cards, and choices an operator may make.

Everything comes from the generator that is handed in, so a seed names a table.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from sabot.config import CHAPTER_IDS, load_chapter
from sabot.rules.round import Options
from sabot.statemachine.state.setup import (
    ENVY_OF_FOLDS,
    KNOWABLE,
    Knowledge,
    MeterSetup,
    Percent,
    Policies,
    Setup,
    Shuffler,
    meter_terms,
    meters_offered,
)
from tests.model.rounds import random_options

if TYPE_CHECKING:
    import random

    from sabot.rules.chapter import Chapter

METHODS = ("manual_shoe", "hand", "auto_shoe", "auto_shoe_reshuffle")


class Way(NamedTuple):
    """A chapter, a method of dealing, and what is known of the cards."""

    chapter: str
    method: str
    knowledge: Knowledge

    def __str__(self) -> str:
        return f"{self.chapter}-{self.method}-{self.knowledge}"


WAYS = tuple(
    Way(chapter, method, knowledge)
    for chapter in CHAPTER_IDS
    for method in METHODS
    for knowledge in sorted(KNOWABLE[method])
)
# Every card of these rounds is read; in 683a.10(c) only the players' stacks come out of the automated shoe.
KNOWN_WAYS = tuple(
    way
    for way in WAYS
    if way.knowledge in (Knowledge.EACH_CARD, Knowledge.STACK)
    and (way.chapter != "pa683a" or way.method == "manual_shoe")
)


@cache
def law(chapter: str) -> Chapter:
    """A chapter, read once."""
    return load_chapter(chapter)


def random_setup(rng: random.Random, way: Way, *, policies: Policies | None = None) -> Setup:
    """A table that deals this way, the rest by chance."""
    chapter = law(way.chapter)
    options = _options(rng, chapter, way)
    shuffler = _shuffler(rng, way)
    two = shuffler is not Shuffler.HAND and chapter.deck.decks_with_shuffler > 1 and rng.random() < 0.5
    offers = _offers(rng, chapter)
    return Setup(
        chapter=chapter,
        options=options,
        offers=offers,
        method=way.method,
        knowledge=way.knowledge,
        shuffler=shuffler,
        decks=2 if two else 1,
        seats=rng.randint(2, chapter.seats),
        minimum_cents=rng.choice((0, 0, 500)),
        maximum_cents=rng.choice((0, 0, 50_000)),
        smallest_chip_cents=rng.choice((50, 100, 500)),
        adjacent_boxes=rng.randint(1, 3),
        meters=_meters(rng, chapter, options, offers),
        policies=policies or Policies(),
    )


def _options(rng: random.Random, chapter: Chapter, way: Way) -> Options:
    chosen = random_options(rng, chapter.id)
    readings = dict(chosen.get("readings", {}))
    for reading in chapter.readings.values():
        if len(reading.values) > 1 and reading.name not in readings and rng.random() < 0.1:
            readings[reading.name] = rng.choice(reading.values)
    if way.knowledge not in (Knowledge.EACH_CARD, Knowledge.STACK):
        readings.pop(ENVY_OF_FOLDS, None)  # a fold that no device reads cannot be envied
    return Options(**(chosen | {"readings": readings}))


def _shuffler(rng: random.Random, way: Way) -> Shuffler:
    if way.method == "auto_shoe_reshuffle":
        return Shuffler.RESHUFFLER
    allowed = [Shuffler.PLAIN, Shuffler.COUNTING]
    if not law(way.chapter).plans[way.method].needs_shuffler:
        allowed.append(Shuffler.HAND)
    return rng.choice(allowed)


def _offers(rng: random.Random, chapter: Chapter) -> frozenset[str]:
    optional = [name for name, wager in chapter.wagers.items() if wager.optional]
    return frozenset(name for name in optional if rng.random() < 0.8)


def _meters(
    rng: random.Random, chapter: Chapter, options: Options, offers: frozenset[str]
) -> dict[str, dict[str, MeterSetup]]:
    """The chapter's own terms; where it leaves them to the operator, terms by chance."""
    terms = meter_terms(chapter, options, offers)
    for meter in meters_offered(chapter, offers):
        if meter.name not in terms:
            levels = meter.levels[options.paytables[meter.paytable]]
            terms[meter.name] = {
                level: MeterSetup(options.meter_reset[level], _rate(rng, 9), _rate(rng, 3))
                for level in levels
            }
    return terms


def _rate(rng: random.Random, most: int) -> Percent:
    """A rate of whole percents, or one to the hundredth."""
    rate = Fraction(rng.randint(0, 100 * most), 100) if rng.random() < 0.5 else Fraction(rng.randint(0, most))
    return int(rate) if rate.denominator == 1 else rate
