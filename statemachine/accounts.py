"""Game accounts: what a round takes from them, what they are owed, and draws under seal (641a.11(c)(7)).

The wagering system keeps the money and the draws, the table says what becomes of them. What is owed is told
whole until the system has confirmed it, under numbers that are credited once: after a lost link or a restart
nothing is forgotten and nothing is paid twice.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Refused
from sabot.statemachine.effects import OpenDraws, OweAccounts, Owed, RefuseWager, TakeStakes
from sabot.statemachine.events import AccountCredited, AccountsRead, DrawSealed
from sabot.statemachine.faultrows import POLICY
from sabot.statemachine.phases import ENDING, Phase
from sabot.statemachine.state import Sealed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sabot.statemachine.effects import Effect
    from sabot.statemachine.table import Table

    Stakes = Mapping[int, Mapping[str, int | None]]

SETTLED = frozenset({Phase.SETTLING, Phase.VALIDATING, Phase.DOCUMENTS, *ENDING})


def stakes_of(table: "Table", bets: "Stakes") -> tuple[tuple[int, str, int], ...]:
    """Return the wagers on game accounts among these, by seat and name."""
    names = table.from_stations
    return tuple(
        [
            (seat, name, cents)
            for seat in sorted(bets)
            for name in names
            if (cents := bets[seat].get(name)) is not None
        ]
    )


# ---------------------------------------------------------------- what is told


def told(table: "Table") -> "list[tuple[str, Effect | None]]":
    """Return what the wagering system has to know, each by its place among what is told (None: nothing)."""
    return [("stakes", _stakes(table)), ("draws", _due(table)), ("owed", _owed(table))]


def _stakes(table: "Table") -> "Effect | None":
    round_, told_last = table.state.round, table.told.get("stakes")
    if round_ is None:
        return None
    if isinstance(told_last, TakeStakes) and told_last.number == round_.number:
        return told_last  # what is on accounts does not change within a round
    return TakeStakes(number=round_.number, stakes=stakes_of(table, round_.bets), cite=table.cite("8(b)"))


def _due(table: "Table") -> "Effect | None":
    """The draws are due when all have decided, before a card is turned; not while anything is in doubt."""
    is_due = table.state.phase is Phase.TURNING and table.held is None
    sealed = table.round.sealed if is_due else []
    if not sealed:
        return None
    return OpenDraws(draws=tuple((each.draw, each.seal) for each in sealed), cite=table.cite("12(g)(3)"))


def _owed(table: "Table") -> "Effect | None":
    owed, told_last = table.state.owed, table.told.get("owed")
    if not owed:
        return None
    known = told_last.owed if isinstance(told_last, OweAccounts) else ()
    # Numbers rise, and each is confirmed once: as many, from the same one to the same one, are the same.
    if len(known) == len(owed) and (known[0], known[-1]) == (owed[0], owed[-1]):
        return told_last
    return OweAccounts(owed=tuple(owed), cite=POLICY)


# ---------------------------------------------------------------- what is owed


def owe(table: "Table", seat: int, wager: str, cents: int, cite: str, *, is_stake: bool) -> None:
    """Owe the account behind a stake of the round; a stake that was never taken in is not owed."""
    state = table.state
    if state.round is None or not cents:
        return
    state.credits += 1
    name = wager.partition(":")[0]
    state.owed.append(Owed(state.credits, table.round.number, seat, name, cents, is_stake, cite))


def find_owed(table: "Table", event: AccountCredited) -> Owed | None:
    """Return what was credited as it was told, None where nothing such is owed."""
    state = table.state
    return next(
        (each for each in state.owed if (each.number, each.cents) == (event.number, event.cents)), None
    )


def on_credited(table: "Table", event: AccountCredited) -> None:
    """The account has it: once, and as it was told."""
    owed = find_owed(table, event)
    if owed is None:
        why = f"credit {event.number} of {event.cents} cents is not owed"
        table.hold("contradiction", event.device, why)
        return
    table.state.owed.remove(owed)
    what = f"credit {owed.number}: {owed.cents} cents of round {owed.round}"
    table.note(f"{what} to the account of seat {owed.seat} {event.account}".rstrip(), owed.cite)


# ---------------------------------------------------------------- draws under seal


def has_other_seal(table: "Table", event: DrawSealed) -> bool:
    """Whether a draw of the round was told before, and is another now."""
    if table.state.round is None or table.state.phase in SETTLED:
        return False
    return any(each.draw == event.draw and each.seal != event.seal for each in table.round.sealed)


def on_sealed(table: "Table", event: DrawSealed) -> None:
    """The game system drew for the round; told again it must be the same."""
    if table.state.round is None or table.state.phase in SETTLED:
        raise Refused("a draw belongs to a round that is not yet settled")
    if not table.chapter.extras:
        raise Refused(f"{table.chapter.id} has no draws")
    if not table.from_stations:  # nobody would order it open
        raise Refused("no wager on a game account is offered here")
    if has_other_seal(table, event):
        table.hold("contradiction", event.device, f"draw {event.draw} has another seal than before")
    elif all(each.draw != event.draw for each in table.round.sealed):
        table.round.sealed.append(Sealed(event.draw, event.seal))
        table.round.note(table.now, f"draw {event.draw} sealed: {event.seal}", table.cite("12(g)(3)"))


def verify_drawn(table: "Table", _value: str) -> None:
    """Raise where a draw of the round is not known yet: no hand is settled without it."""
    if table.round.sealed:
        raise Refused(f"draw {table.round.sealed[0].draw} is sealed yet")


# ---------------------------------------------------------------- what the system has


def has_other_stakes(table: "Table", event: AccountsRead) -> bool:
    """Whether the system has taken in other stakes than those of the round under way."""
    round_ = table.state.round
    if round_ is None or event.round != round_.number or _why_senseless(table, event):
        return False
    return event.stakes != stakes_of(table, round_.bets)


def _why_senseless(table: "Table", event: AccountsRead) -> str:
    offered = table.from_stations
    for seat, wager, cents in event.stakes:
        if wager not in offered or cents < 1 or not 1 <= seat <= table.setup.seat_count:
            return f"{cents} cents on {wager} at seat {seat} cannot stand"
    return ""


def on_accounts_read(table: "Table", event: AccountsRead) -> None:
    """Heard again: in a round its stakes are the round's; before the lock what it has is what stands."""
    why = _why_senseless(table, event)
    if why:
        raise Refused(why)
    if has_other_stakes(table, event):
        table.hold("contradiction", event.device, "it has other stakes than the round")
    elif table.state.round is None:
        _take_over_bets(table, {(seat, wager): cents for seat, wager, cents in event.stakes})


def _take_over_bets(table: "Table", there: "dict[tuple[int, str], int]") -> None:
    """Wagers that the system does not have any more are none; one that the table does not have has fallen."""
    bets = table.state.bets
    here = {(seat, wager): cents for seat, wager, cents in stakes_of(table, bets)}
    for spot in here.keys() | there.keys():
        if here.get(spot) == there.get(spot):
            continue
        (seat, wager), cite = spot, table.cite("7(c)")
        table.looked.changed(seat)
        table.note(f"seat {seat} {wager}: {there.get(spot, 0)} in the wagering system", cite)
        if spot not in here:
            table.emit(RefuseWager(seat=seat, wager=wager, why="the table does not have it", cite=cite))
        elif spot in there:
            bets[seat][wager] = there[spot]
        else:
            del bets[seat][wager]
    for seat in [seat for seat, placed in bets.items() if not placed]:
        del bets[seat]
