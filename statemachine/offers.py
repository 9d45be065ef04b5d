"""What a set-up offers: spots for chips, wagers by their device, the shares of meters, links and signs."""

from collections.abc import Mapping

from sabot.statemachine.ledger import CONTRIBUTION, RESERVE, account, reserve
from sabot.statemachine.setup import Setup

Feeds = Mapping[str, tuple[tuple[str, int, int, str], ...]]
Signs = Mapping[str, tuple[str, str]]
Spot = tuple[int, str]
FELT, PROGRESSIVE, ACCOUNT = "felt", "progressive", "account"


def offered_spots(setup: Setup) -> frozenset[Spot]:
    """The spots for chips that are placed before the lock."""
    names = [
        name
        for name, wager in setup.chapter.wagers.items()
        if not wager.after_deal and wager.device != ACCOUNT and (not wager.optional or name in setup.offers)
    ]
    return frozenset((seat, name) for seat in range(1, setup.seat_count + 1) for name in names)


def wagers_on(setup: Setup, device: str) -> frozenset[str]:
    """The wagers that a device takes: those whose chips the dealer counts, and those on game accounts."""
    return frozenset(name for name, wager in setup.chapter.wagers.items() if wager.device == device)


def feeds(setup: Setup) -> Feeds:
    """The accounts that each wager has a share in: meters and their reserves, percentage (over) and cause."""
    return {
        wager: tuple(
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
    """The link of each wager that feeds a linked meter."""
    meters = setup.chapter.meters.values()
    return {
        wager: setup.links[meter.name]
        for meter in meters
        if meter.name in setup.links
        for wager in meter.wagers
    }


def signs(setup: Setup) -> Signs:
    """The meters that are shown, by the account that each of them shows."""
    return {
        account(meter, level): (meter, level) for meter, levels in setup.meters.items() for level in levels
    }
