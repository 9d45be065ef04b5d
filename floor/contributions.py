"""Contributions and what of them goes back (641a.12(d)(3), (e)(3), (g)(4); 641a.13; MD 12.D(3), 13).

At LOCK the accepted wagers contribute; a void takes them back by a movement of its own, seat by seat. Only
the newest round of a table can be taken back: what came after it has made it final. The threshold of a level
is the most that one table may add to it within a minute of its own clock (PROG-9), so that an hour that
waited for the link is no haste: a message that goes beyond is held beside the meters until two people rule.
"""

from collections.abc import Callable, Iterable

from sabot.floor import messages
from sabot.floor.books import CONTRIBUTION, HELD, PLAYERS, RESERVE, REVERSAL
from sabot.floor.link_plan import Plan, Share, accounts_of
from sabot.floor.state import Held, PlacedTable
from sabot.floor.work import OrderRefused, Work

Spot = tuple[int, str, int]


def contribute(work: Work) -> None:
    """Take in what the wagers of a round contribute."""
    message = work.message
    plan = work.plan(message["config"])
    placed = _open_round(work, plan)
    # All are looked at before any money moves, as in ``reverse``.
    for seat, wager, cents in message["spots"]:
        _verify_spot(plan, placed, (seat, wager, cents))
        placed[f"{seat}/{wager}"] = PlacedTable(cents, message["config"])
        work.handled.append((message["link"], wager, 1, cents))
    if _is_unreasonable(work, plan):
        placed = _hold(work, plan, placed)
    else:
        feed(work, plan, message["spots"])
    work.table.keep(message["link"], message["round"], placed)


def _open_round(work: Work, plan: Plan) -> dict[str, PlacedTable]:
    """Return the wagers of the round so far, none where it is new; refuse a round that is over."""
    message = work.message
    if message["table"] not in plan.terms.tables:
        raise OrderRefused(f"{message['table']} is no table of {message['link']}")
    newest = work.table.rounds.get(message["link"])
    # A later round has made it final: it takes no more wagers either.
    if newest is not None and newest[0] > message["round"]:
        raise OrderRefused(f"round {message['round']} is over, round {newest[0]} has contributed")
    return work.table.placed(message["link"], message["round"])


def _verify_spot(plan: Plan, placed: dict[str, PlacedTable], spot: Spot) -> None:
    seat, wager, cents = spot
    if wager not in plan.wagers:
        raise OrderRefused(f"{wager} does not feed {plan.terms.link}")
    if cents not in plan.shares:
        raise OrderRefused(f"a wager of {cents} cents is none of {plan.terms.link}")
    if seat > plan.seats:
        raise OrderRefused(f"there is no seat {seat}")
    if f"{seat}/{wager}" in placed:
        raise OrderRefused(f"seat {seat} has contributed its {wager} in this round")


def feed(work: Work, plan: Plan, spots: Iterable[Spot]) -> None:
    """Share wagers out to meters and reserves."""
    link, books = plan.terms.link, work.books
    limits = {name: work.level(link, name, plan) for name in plan.levels}
    for seat, _, cents in spots:
        for name, primary, reserve in plan.shares[cents]:
            accounts, amounts = limits[name]
            books.feed(accounts, primary, amounts.limit, CONTRIBUTION, seat)
            books.move(PLAYERS, accounts.reserve, reserve, RESERVE, seat)


# ---------------------------------------------------------------- not believed


def _is_unreasonable(work: Work, plan: Plan) -> bool:
    """Return whether the table adds more in a minute than anybody believes; held amounts do not count."""
    added = work.table.minute(plan.terms.link, work.message["at"])
    # In a copy: a message that goes beyond is held whole, and must leave the minute as it was.
    sums = {name: added.get(name, 0) for name in plan.levels}
    for _, _, cents in work.message["spots"]:
        for each in plan.shares[cents]:
            sums[each.level] += each.primary
    if any(units > plan.levels[name].threshold for name, units in sums.items()):
        return True
    added.update(sums)
    return False


def _hold(work: Work, plan: Plan, placed: dict[str, PlacedTable]) -> dict[str, PlacedTable]:
    message, link = work.message, plan.terms.link
    spots = message["spots"]
    shares = {name: [0, 0] for name in plan.levels}
    for seat, _, cents in spots:
        for each in plan.shares[cents]:
            _hold_share(work, link, each, seat)
            shares[each.level][0] += each.primary
            shares[each.level][1] += each.reserve
    total = sum(cents for _, _, cents in spots)
    held = Held(work.entry, message["table"], link, message["round"], message["config"], total, shares)
    work.state.held[work.entry] = held
    work.state.touch("held", work.entry)
    work.more["held"] = True
    now = {f"{seat}/{wager}" for seat, wager, _ in spots}
    return {spot: each._replace(held=work.entry) if spot in now else each for spot, each in placed.items()}


def _hold_share(work: Work, link: str, share: Share, seat: int) -> None:
    work.books.move(PLAYERS, accounts_of(link, share.level).held, share.primary + share.reserve, HELD, seat)


# ---------------------------------------------------------------- taken back


def reverse(work: Work) -> None:
    """Take back what wagers of the newest round contributed."""
    message = work.message
    placed = work.table.placed(message["link"], message["round"])
    for seat, wager in message["spots"]:
        each = placed.pop(f"{seat}/{wager}", None)
        if each is None:
            raise OrderRefused(f"seat {seat} has no {wager} in round {message['round']} to take back")
        work.handled.append((message["link"], wager, -1, -each.cents))
    # All spots were looked at first: a message that is refused must move no money.
    whole = work.table.placed(message["link"], message["round"])
    for seat, wager in message["spots"]:
        _take_back(work, whole[f"{seat}/{wager}"], seat)
    work.table.keep(message["link"], message["round"], placed)


def _take_back(work: Work, placed: PlacedTable, seat: int) -> None:
    link, plan = work.message["link"], work.plan(placed.config)
    held = work.state.held.get(placed.held)
    for share in plan.shares[placed.cents]:
        accounts = accounts_of(link, share.level)
        # Its wagers may be of different states: one that was ruled as believed has its money on the meters.
        if held is None:
            _, amounts = work.level(link, share.level, plan)
            work.books.give_back(accounts, share.primary, amounts.reset, seat)
            work.books.move(accounts.reserve, PLAYERS, share.reserve, REVERSAL, seat)
        else:
            work.books.move(accounts.held, PLAYERS, share.primary + share.reserve, REVERSAL, seat)
            held.shares[share.level][0] -= share.primary
            held.shares[share.level][1] -= share.reserve
    if held is not None:
        held.cents -= placed.cents
        work.state.touch("held", held.entry)


CONTRIBUTIONS: dict[str, Callable[[Work], None]] = {
    messages.CONTRIBUTION: contribute,
    messages.REVERSAL: reverse,
}
