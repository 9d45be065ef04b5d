"""What a table is told once: the chapter, the operator's choices, and what is known of the cards.

``Knowledge`` says what the devices can see: each card, each stack, a count, or nothing. ``Policies`` are
our own rules beyond the text, each switchable and marked as such wherever it decides.
"""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from fractions import Fraction
from typing import NoReturn

from sabot.rules.chapter import RESHUFFLES, Chapter, Meter
from sabot.rules.errors import SabotError, table
from sabot.rules.frozen import frozen
from sabot.rules.round import Options, Round, Seat
from sabot.rules.settlement import Settlement


class Knowledge(StrEnum):
    """The knowledge of the cards as they leave the deck."""

    EACH_CARD = "each_card"
    STACK = "stack"
    COUNT_ONLY = "count_only"
    NONE = "none"


# Asked of each card, as the names of the phases are.
EACH_CARD, NO_CARD = Knowledge.EACH_CARD, Knowledge.NONE


class Shuffler(StrEnum):
    """The means of shuffling."""

    HAND = "hand"
    PLAIN = "plain"
    COUNTING = "counting"
    RESHUFFLER = "reshuffler"


ENVY_OF_FOLDS = "envy_folded_holder"
# A shoe from which the dealer draws never gives a stack, an automated one never a single card: so a method
# and a way of knowing that no device can join are refused here and not at the first card.
KNOWABLE: Mapping[str, frozenset[Knowledge]] = {
    "manual_shoe": frozenset({Knowledge.EACH_CARD, Knowledge.NONE}),
    "hand": frozenset({Knowledge.NONE}),
    "auto_shoe": frozenset({Knowledge.STACK, Knowledge.COUNT_ONLY, Knowledge.NONE}),
    RESHUFFLES: frozenset({Knowledge.STACK, Knowledge.COUNT_ONLY, Knowledge.NONE}),
}

# The methods of an automated shoe, which may shuffle too: the names of both begin so.
AUTOMATED = "auto_shoe"
MACHINE = (AUTOMATED, RESHUFFLES)

ERRORS = table(
    (
        "E-TABLE-001",
        "{what}",
        "The law or the devices do not allow this combination ({cite}).",
        "Change the table's set-up.",
    ),
)


class SetupError(SabotError):
    """A table that cannot be set up so."""


@frozen
class Policies:
    """Our own rules beyond the text, each of which a site may switch off."""

    composition: bool = True
    deck_color: bool = True
    unreadable_card: bool = True
    short_stack: bool = True
    sort_mode: bool = True
    not_emptied: bool = True
    lost_link: bool = True
    contradiction: bool = True


Percent = int | Fraction


@frozen
class MeterSetup:
    """The terms of one meter level as offered at this table (Maryland: the operator's own)."""

    seed_cents: int
    primary_percent: Percent
    reserve_percent: Percent


@frozen
class Setup:
    """A table as it is set up."""

    chapter: Chapter
    options: Options = field(default_factory=Options)
    offers: frozenset[str] = frozenset()
    method: str = "manual_shoe"
    knowledge: Knowledge = Knowledge.EACH_CARD
    shuffler: Shuffler = Shuffler.COUNTING
    decks: int = 1
    one_machine: bool = False
    seats: int = 0
    minimum_cents: int = 0
    maximum_cents: int = 0
    limits: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    smallest_chip_cents: int = 100
    adjacent_boxes: int = 1
    meters: Mapping[str, Mapping[str, MeterSetup]] = field(default_factory=dict)
    # The link of each meter that the floor owns; such a meter has no terms here.
    links: Mapping[str, str] = field(default_factory=dict)
    policies: Policies = field(default_factory=Policies)
    change_notice_s: float = 600.0
    # x.5(f) names no time (reading D19); 0: nobody watches.
    idle_after_s: float = 0.0
    # The least payment that waits for the floor of a hand that people declared and no device read; 0: from
    # 100 to 1 on.
    declared_floor_cents: int = 0

    @property
    def seat_count(self) -> int:
        """Return how many positions this table has."""
        return self.seats or self.chapter.seats

    def limits_of(self, wager: str) -> tuple[int, int]:
        """Return the least and the most of a wager (0: no most), its own or those of the table."""
        return self.limits.get(wager, (self.minimum_cents, self.maximum_cents))

    def verify(self) -> None:
        """Raise where the law or the devices do not allow this set-up."""
        chapter = self.chapter
        if self.method not in chapter.plans:
            _refuse(f"{chapter.id} does not know the method {self.method}", chapter.cite)
        verify_method(self, self.method, self.knowledge, self.shuffler)
        if self.decks > 1 and self.shuffler is Shuffler.HAND:
            _refuse("two decks without an automated shuffler", chapter.deck.rules["two_decks"].cite)
        if self.decks < chapter.deck.decks:
            _refuse(f"{self.decks} decks", chapter.deck.rules["cards"].cite)
        if self.decks > chapter.deck.decks_with_shuffler:
            _refuse(f"{self.decks} decks", chapter.deck.rules["two_decks"].cite)
        if not 0 < self.seat_count <= chapter.seats:
            _refuse(f"{self.seat_count} seats", chapter.seats_cite)
        unknown = self.offers - set(chapter.wagers)
        if unknown:
            _refuse(f"the wager {min(unknown)} is not in the chapter", chapter.cite)

    def life_s(self, method: str) -> float:
        """Return how long a deck may be used when dealt by this method (x.3(c); 683a: reading D18)."""
        hours = self.chapter.deck.change_hours
        # 683a.10(c) deals its last cards by hand out of an automated shoe. Whether the shorter life of a deck
        # that is dealt from the hand counts then is a reading (D18).
        mixed = method.startswith(AUTOMATED) and self.reading("deck_life_683") == "4h"
        return hours["hand" if method == "hand" or mixed else "shoe"] * 3600.0

    def reading(self, name: str) -> str:
        """Return the answer chosen for one reading, empty where the chapter does not ask."""
        asked = self.chapter.readings.get(name)
        return self.options.readings.get(name, asked.default if asked else "")


def meters_offered(chapter: Chapter, offers: frozenset[str]) -> list[Meter]:
    """Return the meters that a wager on offer feeds."""
    return [meter for meter in chapter.meters.values() if not offers.isdisjoint(meter.wagers)]


def meter_terms(
    chapter: Chapter, options: Options, offers: frozenset[str]
) -> dict[str, dict[str, MeterSetup]]:
    """Return the terms of every meter that a wager on offer feeds, where the chapter itself has them."""
    terms: dict[str, dict[str, MeterSetup]] = {}
    for meter in meters_offered(chapter, offers):
        letter = options.paytables.get(meter.paytable, "only")
        levels = meter.levels.get(letter, {})
        found = {
            name: MeterSetup(
                level.seed_for_1 * options.progressive_unit,
                level.primary_percent or 0,
                level.reserve_percent or 0,
            )
            for name, level in levels.items()
            if level.seed_for_1 is not None
        }
        if found:
            terms[meter.name] = found
    return terms


def verify_method(setup: Setup, method: str, knowledge: Knowledge, shuffler: Shuffler) -> None:
    """Raise when cards cannot be dealt by this method with these devices."""
    plan = setup.chapter.plans[method]
    if knowledge not in KNOWABLE[method]:
        what = f"{method} cannot know the cards as {knowledge}"
        _refuse(what, plan.cite)
    if plan.needs_shuffler and shuffler is Shuffler.HAND:
        what = f"{method} without an automated shuffler"
        _refuse(what, plan.needs_shuffler)
    if method == RESHUFFLES and shuffler is not Shuffler.RESHUFFLER:
        what = f"{method} with a shuffler that does not ({shuffler})"
        _refuse(what, setup.chapter.deck.rules["reshuffler_exempt"].cite)
    _verify_envy(setup, knowledge)


def _verify_envy(setup: Setup, knowledge: Knowledge) -> None:
    """Raise where a fold that nobody turns up would have to be known (reading E1)."""
    # A fold is never turned, so its hand cannot be declared: only a reader could know that it was enviable.
    is_read = knowledge in (Knowledge.EACH_CARD, Knowledge.STACK)
    may_envy = any(setup.chapter.wagers[name].envy for name in setup.offers & set(setup.chapter.wagers))
    if may_envy and not is_read and setup.reading(ENVY_OF_FOLDS) == "always":
        cite = setup.chapter.readings[ENVY_OF_FOLDS].cite
        _refuse(f"{ENVY_OF_FOLDS}=always: a folded hand that no device reads is envied by nobody", cite)


def verify_money(setup: Setup, settlement: Settlement) -> None:
    """Raise where a wager that is offered could not be settled: no paytable, no terms of a meter."""
    chapter, house = setup.chapter, settlement.house
    offered = [wager for wager in chapter.wagers.values() if not wager.optional or wager.name in setup.offers]
    # A round of nothing, settled by nobody: a paytable that was
    # never chosen is refused now and not at a reveal.
    stakes = {wager.name: 0 for wager in offered}
    settlement.verify(Round(chapter.id, setup.options, (Seat(1, "", stakes, cards=()),)))
    for wager in offered:
        if wager.envy:
            tables = chapter.envy[wager.envy.paytable].by_unit
            unit = setup.options.progressive_unit
            if unit not in tables:
                _refuse(f"no envy amounts for a {wager.title} of {unit} cents", wager.envy.cite)
            house.letter(tables[unit])
    meters = meters_offered(chapter, setup.offers)
    for meter in meters:
        # A linked meter has its terms at the floor, which owns it.
        if meter.name not in setup.links:
            _verify_meter(setup, meter, house.letter(chapter.paytables[meter.paytable]))
    idle = (setup.meters.keys() | setup.links.keys()) - {meter.name for meter in meters}
    if idle:
        _refuse(f"the meter {min(idle)} belongs to no wager on offer", chapter.cite)


def least_stake(chapter: Chapter, meter: Meter, options: Options) -> int:
    """Return a stake in cents of which all that feed a meter are multiples; a progressive is of one unit."""
    is_of_unit = all(chapter.wagers[wager].envy for wager in meter.wagers)
    return options.progressive_unit if is_of_unit else 1


def is_held_exactly(percent: Percent, stake_cents: int) -> bool:
    """Return whether the share of such a stake is whole hundredths of a cent, as the ledger keeps money."""
    return (percent * stake_cents).denominator == 1


def _verify_meter(setup: Setup, meter: Meter, letter: str) -> None:
    for level, terms in meter.levels[letter].items():
        given = setup.meters.get(meter.name, {}).get(level)
        if given is None:
            _refuse(f"the meter {meter.name} has no terms for its level {level}", meter.cite)
        stake = least_stake(setup.chapter, meter, setup.options)
        # The ledger has no fraction to put away: a share it would have to cut is refused before anybody bets.
        for percent in (given.primary_percent, given.reserve_percent):
            if not is_held_exactly(percent, stake):
                words = f"{percent_words(percent)}% of {stake} cents"
                _refuse(f"{words} is no whole number of hundredths of a cent", meter.cite)
        # Maryland's chapter names no reset amount: it is the operator's own (reading T2).
        if terms.reseed_for_1 is None and level not in setup.options.meter_reset:
            _refuse(f"the meter {meter.name} has no reset amount for its level {level}", meter.cite)


def percent_words(percent: Percent) -> str:
    """Return a rate as it is written, such as 1.5."""
    return f"{float(percent):g}"


def _refuse(what: str, cite: str) -> NoReturn:
    raise SetupError(ERRORS["E-TABLE-001"], "setup", what=what, cite=cite)
