"""The law of one table: its chapter and its set-up, and what follows from both once and for all.

That is what it offers and what may stand at "no more bets". A citation follows from them too, but for the way
of dealing: what 641a.8 says of a manual shoe, 641a.9 says of the hand and 641a.10 of an automated shoe. Which
paragraph that is the chapter's file says.
"""

from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING

from sabot.rules.plan import kept_plans
from sabot.rules.settlement import Settlement
from sabot.rules.settlement.house import House, chosen_readings
from sabot.statemachine.state.ledger import CONTRIBUTION, RESERVE, Fed, account, reserve
from sabot.statemachine.state.parts import Devices
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.setup import Policies, Setup, verify_money
from sabot.statemachine.vocabulary.fault_kinds import POLICY

if TYPE_CHECKING:
    from sabot.rules.chapter import Chapter


# ------------------------------------------------------------ what a set-up offers

Feeds = Mapping[str, tuple[tuple[str, int, int, str], ...]]
Signs = Mapping[str, tuple[str, str]]
Spot = tuple[int, str]
FELT, PROGRESSIVE, ACCOUNT = "felt", "progressive", "account"


def offered_spots(setup: Setup) -> frozenset[Spot]:
    """Return the spots for chips that are placed before the lock."""
    names = [
        name
        for name, wager in setup.chapter.wagers.items()
        # Play and Raise are made after the deal, and an account wager lies on no spot.
        if not wager.after_deal and wager.device != ACCOUNT and (not wager.optional or name in setup.offers)
    ]
    return frozenset((seat, name) for seat in range(1, setup.seat_count + 1) for name in names)


def wagers_on(setup: Setup, device: str) -> frozenset[str]:
    """Return the wagers that a device takes: the felt, progressive spots, or game accounts."""
    return frozenset(name for name, wager in setup.chapter.wagers.items() if wager.device == device)


def feeds(setup: Setup) -> Feeds:
    """Return the accounts that each wager feeds: meters and reserves, each with its share and cause."""
    return {
        wager: tuple(
            # Numerator and denominator apart: at LOCK a share is
            # one product and one quotient of whole numbers.
            (target, percent.numerator, percent.denominator, what)
            for meter in setup.chapter.meters.values()
            if wager in meter.wagers
            for level, terms in setup.meters.get(meter.name, {}).items()
            for target, percent, what in (
                (account(meter.name, level), terms.primary_percent, CONTRIBUTION),
                (reserve(meter.name, level), terms.reserve_percent, RESERVE),
            )
            if percent
        )
        for wager in setup.chapter.wagers
    }


def links_of(setup: Setup) -> dict[str, str]:
    """Return the link of each wager that feeds a linked meter."""
    meters = setup.chapter.meters.values()
    return {
        wager: setup.links[meter.name]
        for meter in meters
        if meter.name in setup.links
        for wager in meter.wagers
    }


def signs(setup: Setup) -> Signs:
    """Return the meters that are shown, by the account that each of them shows."""
    return {
        account(meter, level): (meter, level) for meter, levels in setup.meters.items() for level in levels
    }


def settled_by(setup: Setup) -> dict[str, tuple[str, ...]]:
    """Return the wagers that are settled by the cards of each place, in the chapter's order."""
    found: dict[str, tuple[str, ...]] = {}
    for name, wager in setup.chapter.wagers.items():
        for place in wager.settles.cards if wager.settles else ():
            found[place] = (*found.get(place, ()), name)
    return found


# ------------------------------------------------------------ what may stand (x.7)

# A bound, for each new amount on the felt is a new answer.
MOST_KEPT = 64
SeatBets = tuple[tuple[str, int | None], ...]


def why_not_standing(setup: Setup, wager: str, bets: dict[str, int | None]) -> str:
    """Return why a wager may not stand in the round, empty when it may."""
    spec, cents = setup.chapter.wagers[wager], bets[wager]
    for group in spec.requires:
        if bets.keys().isdisjoint(group):
            return f"needs {' or '.join(group)} ({spec.cite})"
    # A pad that senses presence alone leaves no amount to hold against a limit.
    if cents is None:
        return ""
    # A progressive wager is of one unit, neither less nor more:
    # there are envy amounts for no other (reading E4).
    if spec.envy:
        unit = setup.options.progressive_unit
        return "" if cents == unit else f"not the unit of {unit} cents"
    least, most = setup.limits_of(wager)
    if cents < least:
        return f"under the minimum of {least} cents"
    if most and cents > most:
        return f"over the maximum of {most} cents"
    return ""


class SeatWagers:
    """The sum of a seat's wagers: whether they all stand, and what they give to meters and reserves.

    Players bet alike, so the last few are kept, and seats that bet alike share one.
    """

    def __init__(self, setup: Setup, feeds_of: Feeds, placed: SeatBets) -> None:
        self._setup, self._feeds_of, self._placed = setup, feeds_of, placed
        bets = dict(placed)
        self.all_stand = not any(why_not_standing(setup, wager, bets) for wager in bets)

    @cached_property
    def fed(self) -> Fed:
        """The amounts that go to meters and reserves; none has a fraction, the set-up sees to that."""
        # Worked out when it is asked for, at the lock: most of what a seat has before never stands at one.
        unit = self._setup.options.progressive_unit
        # Where a pad senses presence alone a progressive wager is of the one unit that is offered.
        entries = [
            (target, (unit if cents is None else cents) * percent // over, what)
            for wager, cents in self._placed
            for target, percent, over, what in self._feeds_of[wager]
        ]
        sums: dict[tuple[str, str], int] = {}
        for target, units, what in entries:
            sums[target, what] = sums.get((target, what), 0) + units
        return Fed(tuple(entries), tuple((*share, units) for share, units in sums.items()))


def kept_wagers(setup: Setup) -> Callable[[SeatBets], SeatWagers]:
    """Return a function that sums up a seat's wagers and keeps the last few answers."""
    return lru_cache(maxsize=MOST_KEPT)(partial(SeatWagers, setup, feeds(setup)))


class Law:
    """The law of a table, which does not change while it is open."""

    __slots__ = (
        *("setup", "chapter", "policies", "readings", "settlement", "house", "planned", "wagers_of"),
        *("offered_spots", "counted_wagers", "felt_wagers", "account_wagers"),
        *("from_stations", "signs", "settled_by"),
        *("links", "lives_s", "pack", "_devices", "_play", "_cites"),
    )

    def __init__(self, setup: Setup, devices: Devices, play: Play) -> None:
        # First: what follows is built of a chapter and a method that fit each other.
        setup.verify()
        self.setup = setup
        self.chapter: Chapter = setup.chapter
        self.policies: Policies = setup.policies
        self.readings = chosen_readings(setup.chapter, setup.options.readings)
        self.settlement = Settlement(setup.chapter, setup.options)
        verify_money(setup, self.settlement)
        self.house: House = self.settlement.house
        self.planned = kept_plans(setup.chapter, self.readings)
        self.wagers_of: Callable[..., SeatWagers] = kept_wagers(setup)
        self.offered_spots = offered_spots(setup)
        self.felt_wagers = wagers_on(setup, FELT)
        self.counted_wagers = wagers_on(setup, PROGRESSIVE)
        self.account_wagers = wagers_on(setup, ACCOUNT)
        self.from_stations = tuple(sorted(self.account_wagers & setup.offers))
        self.signs = signs(setup)
        self.settled_by = settled_by(setup)
        self.links = links_of(setup)
        self.lives_s = {method: setup.life_s(method) for method in setup.chapter.plans}
        self.pack = frozenset(range(setup.chapter.deck.pack))
        self._devices, self._play = devices, play
        self._cites: dict[tuple[str, str], str] = {}

    def cite(self, section: str) -> str:
        """Return the citation of a procedure, named by its number in 641a (``-``: our own policy)."""
        if section == "-":
            return POLICY
        # A round keeps the method it began with: a method that is chosen in the middle is for the next one.
        asked = section, (self._play.round or self._devices).method
        try:
            return self._cites[asked]
        except KeyError:
            # Kept: each prompt, spot and lock carries a citation, and there are few.
            self._cites[asked] = cite = self.chapter.section(section, asked[1].partition("_")[0])
            return cite

    @property
    def stub_cite(self) -> str:
        """The rule of the stub count."""
        return self.cite("8(f)")
