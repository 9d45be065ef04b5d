"""A round as a table would tell it to its end: at LOCK, for a void, at a seat's turn, afterwards.

A linked meter is one of the table's meters: its wagers contribute to the link instead of to a meter of the
table's own. What is accepted is told at LOCK and never before (x.7(c)).
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sabot.floor import messages
from sabot.uplink.table_end import Say

Accepted = Mapping[int, Mapping[str, int]]  # cents by seat and wager


class LinkedMeter(NamedTuple):
    """A link of this table, and the wagers of the chapter that feed it."""

    link: str
    wagers: frozenset[str]


def at_lock(meter: LinkedMeter, number: int, config: int, accepted: Accepted, journal: str) -> list[Say]:
    """Return what a round contributes; nothing where nobody wagered on the meter."""
    spots = [
        [seat, wager, cents]
        for seat, wagers in sorted(accepted.items())
        for wager, cents in sorted(wagers.items())
        if wager in meter.wagers and cents
    ]
    values = {"journal": journal, "link": meter.link, "round": number, "config": config, "spots": spots}
    return [Say(messages.CONTRIBUTION, values)] if spots else []


def taken_back(meter: LinkedMeter, number: int, cause: str, accepted: Accepted, journal: str) -> list[Say]:
    """Return what goes back of a round: all of it where it is void, or the wagers that were not there."""
    spots = [
        [seat, wager]
        for seat, wagers in sorted(accepted.items())
        for wager in sorted(wagers)
        if wager in meter.wagers and wagers[wager]
    ]
    values = {"journal": journal, "link": meter.link, "round": number, "cause": cause, "spots": spots}
    return [Say(messages.REVERSAL, values)] if spots else []


def at_turn(meter: LinkedMeter, number: int, wager: str, row: str, seats: Sequence[int], journal: str) -> Say:
    """Return the claim of a seat at its turn to be paid, of several where they share (641a.12(g)(2))."""
    values = {"journal": journal, "link": meter.link, "round": number, "wager": wager, "row": row}
    return Say(messages.CLAIM, {**values, "seats": list(seats)})


def validated(grant: int, by: str, journal: str) -> Say:
    """Return that the floorperson has validated a hit (641a.11(c)(5)(iii))."""
    return Say(messages.VALIDATED, {"journal": journal, "grant": grant, "by": by})


def withdrawn(grant: int, by: str, cause: str, journal: str) -> Say:
    """Return that a hit was none, or that its round is void."""
    return Say(messages.WITHDRAWN, {"journal": journal, "grant": grant, "by": by, "cause": cause})
