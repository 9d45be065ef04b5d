"""Hits: claimed at the seat's turn, granted in one step, open until validated.

"The amount on the meter when it is the player's turn to be paid": claims are granted in the order in which
they are entered, each from the meter as the one before left it; the entry has the meter before and after, so
that anybody can reckon it again. A full hit is followed by the reset at once (reading T1), a part of a meter
lowers it by what was paid (T8), a fraction of a cent stays on it (P13), and a jackpot that several seats
share is cut to equal cents (T7). A turn is paid once: the floor may have finished it by hand while the link
was down, and then the claim hears the amount that was paid.
"""

from collections.abc import Callable
from typing import Any

from sabot.floor import messages
from sabot.floor.books import BY_HAND, GRANT, HOUSE, PAID, RESEED, TAKEN_BACK, WINNERS
from sabot.floor.link_plan import LinkDraw, Plan, accounts_of
from sabot.floor.money import UNITS
from sabot.floor.state import Grant, as_json, turns_of
from sabot.floor.work import OrderRefused, Work

OPEN, VALIDATED, GONE = "open", "validated", "taken back"


def claim(work: Work) -> None:
    """Grant what a seat claims at its turn."""
    message = work.message
    config = _config_of_claim(work)
    paid = paid_by(work)
    if not paid:
        grant_turn(work, config, message["number"], GRANT)
    # The claim of a hit that people have finished: it is
    # answered with their grant, and nothing is paid twice.
    elif _is_of_hand(grant := work.state.grants[paid], message):
        grant.claim = message["number"]
        work.state.touch("grant", paid)
        work.more["grant"] = paid
        work.say_grant(grant, message["number"])
    else:
        raise OrderRefused(f"this turn was paid by entry {paid}")


def paid_by(work: Work) -> int:
    """Return the entry that has paid one of the turns that a message speaks of, 0 where none has."""
    message = work.message
    names = turns_of(*(message[name] for name in ("table", "link", "round", "wager", "seats")))
    paid = max(work.state.turns.get(name, 0) for name in names)
    # A spare board counts its rounds anew: what was paid before it came was another round of that number.
    return paid if paid > work.state.tables[message["table"]].since else 0


def _is_of_hand(grant: Grant, message: dict[str, Any]) -> bool:
    """Return whether a claim is the first to be heard of a turn that people have finished by hand."""
    is_same = grant.row == message["row"] and set(grant.seats) == set(message["seats"])
    return grant.by_hand and not grant.claim and is_same


def _config_of_claim(work: Work) -> int:
    """Return the newest configuration under which these seats have contributed; refuse one that has not."""
    message = work.message
    # For its refusals alone: there must be such a link, and it must have been in force.
    work.plan(1)
    placed = work.table.placed(message["link"], message["round"])
    found = [placed.get(f"{seat}/{message['wager']}") for seat in message["seats"]]
    if None in found or len(set(message["seats"])) < len(found):
        raise OrderRefused(f"not each of the seats has a {message['wager']} in round {message['round']}")
    return max(each.config for each in found if each is not None)


def draw_of(plan: Plan, message: dict[str, Any]) -> LinkDraw:
    """Return the part of a level that a claim is about."""
    draw = plan.draws.get(message["row"])
    if draw is None or message["wager"] not in plan.wagers:
        raise OrderRefused(f"{message['wager']} pays no part of a meter for {message['row']}")
    return draw


def grant_turn(work: Work, config: int, number: int, cause: str) -> None:
    """Grant the amount of a turn: from the meter to what is open, then the reset where it was won whole."""
    plan = work.state.plan(work.message["link"], config)
    message, draw = work.message, draw_of(plan, work.message)
    link, seats = plan.terms.link, message["seats"]
    accounts, amounts = work.level(link, draw.level, plan)
    before = work.books.balance(accounts.meter)
    # Whole cents first, then the part of them: what is cut off stays on the meter (P13).
    cents = before // UNITS * draw.rate.numerator // draw.rate.denominator
    each = cents // len(seats)
    work.books.move(accounts.meter, accounts.open, each * len(seats) * UNITS, cause)
    reseed = amounts.reset if draw.rate == 1 else 0
    # In the same entry, so that the next claim finds the reset
    # meter (T1); then comes what waited over the limit.
    work.books.move(HOUSE, accounts.meter, reseed, RESEED)
    work.books.level_out(accounts, amounts.limit)
    named = {name: message[name] for name in ("table", "link", "round", "wager", "row", "seats")}
    grant = Grant(
        **named,
        entry=work.entry,
        at=work.at,
        claim=number,
        level=draw.level,
        cents=each * len(seats),
        each=each,
        before=before,
        after=work.books.balance(accounts.meter),
        reseed=reseed,
        config=config,
        by_hand=cause == BY_HAND,
    )
    work.state.add_grant(grant)
    work.more["grant"] = as_json(grant)
    work.say_grant(grant, number)


# ---------------------------------------------------------------- afterwards


def _grant_of(work: Work) -> Grant:
    grant = work.state.grants.get(work.message["grant"])
    if grant is None or grant.table != work.message["table"]:
        raise OrderRefused(f"entry {work.message['grant']} granted this table nothing")
    return grant


def validated(work: Work) -> None:
    """Pay a grant: the floorperson has validated it (641a.11(c)(5)(iii))."""
    grant = _grant_of(work)
    if grant.state != OPEN:
        raise OrderRefused(f"the grant of entry {grant.entry} is {grant.state}")
    accounts = accounts_of(grant.link, grant.level)
    work.books.move(accounts.open, WINNERS, grant.cents * UNITS, PAID)
    grant.state = VALIDATED
    work.state.touch("grant", grant.entry)


def withdrawn(work: Work) -> None:
    """Take a grant back for its table: the round was void, or the hit was none."""
    grant = _grant_of(work)
    if grant.state == GONE:
        raise OrderRefused(f"the grant of entry {grant.entry} is {grant.state}")
    take_back(work, grant)


def take_back(work: Work, grant: Grant) -> None:
    """Put a grant back on its meter, and take off the reset that followed it."""
    accounts, amounts = work.level(grant.link, grant.level, work.state.plan(grant.link, grant.config))
    # Taken back also after it was validated: the money is then with the winners.
    source = accounts.open if grant.state == OPEN else WINNERS
    work.books.move(source, accounts.meter, grant.cents * UNITS, TAKEN_BACK)
    work.books.unseed(accounts, grant.reseed)
    work.books.level_out(accounts, amounts.limit)
    grant.state = GONE
    work.state.release(grant)


CLAIMS: dict[str, Callable[[Work], None]] = {
    messages.CLAIM: claim,
    messages.VALIDATED: validated,
    messages.WITHDRAWN: withdrawn,
}
