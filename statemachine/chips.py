"""Chips of progressive wagers, counted before any card leaves (x.8(b)).

A wager feeds the meters at the lock. The dealer counts the chips; a difference to the accepted wagers is the
floor's to resolve, seat by seat, up or down.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sabot.statemachine import linked
from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.dealing import begin_dealing
from sabot.statemachine.effects import RefuseWager, ReturnWager
from sabot.statemachine.events import Role
from sabot.statemachine.labels import wager_words
from sabot.statemachine.ledger import (
    CONTRIBUTION,
    CORRECTION,
    PLAYERS,
    RESERVE,
    Cause,
    Entry,
    account,
    reserve,
)
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Setup

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

Feeds = Mapping[str, tuple[tuple[str, int, int, str], ...]]
FELT, PROGRESSIVE, ACCOUNT = "felt", "progressive", "account"


UP, DOWN, BACK = "up", "down", "back"
# The last entry of a round, where BACK has a way of its own.
CHIPS = "chips"


def give_back(table: "Table", seat: int, wager: str, cents: int | None, cite: str) -> None:
    """A stake goes back to where it came from: over the layout, or to the game account."""
    account = table.chapter.wagers[wager].device == ACCOUNT
    table.emit(ReturnWager(seat=seat, wager=wager, cents=cents, account=account, cite=cite))
    if account:
        table.owe(seat, wager, cents or 0, cite, is_stake=True)


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


def contribute(table: "Table", seat: int, wager: str, cents: int | None) -> None:
    """A wager feeds the meters it has a share in."""
    table.state.ledger.take_in(shares(table, {seat: {wager: cents}}))


def shares(table: "Table", placed: Mapping[int, Mapping[str, int | None]]) -> list[Entry]:
    """What wagers feed the meters and their reserves, seat by seat; no share has a fraction (the set-up)."""
    unit, number, feeds_of = table.setup.options.progressive_unit, table.state.rounds, table.feeds
    entries: list[Entry] = []
    for seat, bets in placed.items():
        causes = {CONTRIBUTION: Cause(CONTRIBUTION, number, seat), RESERVE: Cause(RESERVE, number, seat)}
        entries += [
            Entry(PLAYERS, target, (unit if cents is None else cents) * percent // over, causes[what])
            for wager, cents in bets.items()
            for target, percent, over, what in feeds_of[wager]
        ]
    return entries


def wagers_on(setup: Setup, device: str) -> frozenset[str]:
    """The wagers that a device takes: those whose chips the dealer counts, and those on game accounts."""
    return frozenset(name for name, wager in setup.chapter.wagers.items() if wager.device == device)


def accepted(table: "Table") -> int:
    """How many progressive wagers the system accepted."""
    return sum(len(table.counted_wagers & bets.keys()) for bets in table.round.bets.values())


def verify_count(table: "Table", _value: str) -> None:
    """Something is counted; the display does not say how many are expected."""
    if table.state.pending.number is None:
        raise Refused("count the chips first")


def count_chips(table: "Table", _value: str) -> None:
    """The dealer's count against the accepted wagers."""
    round_ = table.round
    round_.chips = table.state.pending.number or 0
    table.clear_pending()
    if round_.chips == accepted(table):
        table.phases.chips_equal()
        round_.last_entry = CHIPS
        begin_dealing(table)
    else:
        round_.note(table.now, f"{round_.chips} chips for {accepted(table)} wagers", table.cite("8(b)"))
        table.phases.chips_differ()


def recount_chips(table: "Table", _value: str) -> None:
    """Count the chips again, from nothing."""
    table.phases.recount_chips()
    table.clear_pending()


def take_back_count(table: "Table") -> None:
    """BACK: before the first card leaves the chips may be counted once more."""
    round_ = table.round
    round_.note(table.now, f"{round_.chips} chips taken back", table.cite("8(b)"), round_.dealer)
    round_.last_entry = ""
    recount_chips(table, "")


def chip_fixes(table: "Table") -> list[str]:
    """Which seat, up or down: what the floor may say."""
    wagers = [
        name
        for name in table.chapter.order
        if table.chapter.wagers[name].device == PROGRESSIVE and name in table.setup.offers
    ]
    more = table.round.chips > accepted(table)
    return [
        f"{seat} {wager} {way}"
        for seat, bets in sorted(table.round.bets.items())
        for wager in wagers
        for way in ((DOWN,) if wager in bets else (UP, BACK) if more else (UP,))
    ]


def _fix_words(table: "Table", value: str) -> str:
    seat, wager, way = value.split()
    return f"S{seat} {wager_words(wager, table.chapter)} {way.upper()}"


def resolve_chips(table: "Table", value: str) -> None:
    """The floor says whose wager was or was not made; the deal begins when the count is right.

    A wager that is struck has no chip to give back; a chip that was no wager goes back and is not counted.
    """
    seat_text, wager, way = value.split()
    seat, round_ = int(seat_text), table.round
    by = table.person(Role.FLOOR)
    if way == UP:
        round_.bets[seat][wager] = table.setup.options.progressive_unit
        contribute(table, seat, wager, None)
        linked.contribute(table, {seat: {wager: None}})
    elif way == DOWN:
        del round_.bets[seat][wager]
        _withdraw(table, seat, wager)
        linked.take_back(table, table.cite("8(b)"), {(seat, wager)})
    else:
        round_.chips -= 1
    if way != UP:
        why = "no chip for it" if way == DOWN else "no wager"
        table.emit(RefuseWager(seat=seat, wager=wager, why=why, cite=table.cite("8(b)")))
    round_.note(table.now, f"seat {seat} {wager} {way} by the floor", table.cite("8(b)"), by)
    if round_.chips == accepted(table):
        table.phases.mismatch_resolved()
        begin_dealing(table)


def _withdraw(table: "Table", seat: int, wager: str) -> None:
    """Take back one wager's contributions, by name."""
    ledger = table.state.ledger
    meters = {meter.name for meter in table.chapter.meters.values() if wager in meter.wagers}
    for entry in list(ledger.contributions):
        if entry.cause.seat == seat and entry.target.partition(".")[0] in meters:
            ledger.contributions.remove(entry)
            ledger.post(entry.target, entry.source, entry.units, Cause(CORRECTION, table.round.number, seat))


ACTIONS = (
    Action(
        "count_chips",
        "CHIPS COUNTED",
        Role.DEALER,
        phases(Phase.COUNTING_CHIPS),
        "8(b)",
        count_chips,
        verify_count,
    ),
    Action("recount_chips", "COUNT AGAIN", Role.DEALER, phases(Phase.CHIP_MISMATCH), "8(b)", recount_chips),
    Action(
        "resolve_chips",
        "CHIP MISMATCH",
        Role.FLOOR,
        phases(Phase.CHIP_MISMATCH),
        "8(b)",
        resolve_chips,
        values=chip_fixes,
        say=_fix_words,
    ),
)
