"""Linked meters: what a table tells the floor of them, what it hears, and what waits while nobody is heard.

641a.2(c) lets a progressive run on several tables. The floor owns such a meter, so the table has no account
for it: at LOCK it tells what contributes, a void takes that back, and at a seat's turn to be paid it claims
(641a.12(d)(4)). The amount comes back as an event, frozen, and the floorperson validates it like any other.

Whatever is told is an effect of the event that it follows from, so the journal has it, and whoever carries
effects to the floor can do so long after, once each. What is heard is numbered, and a number counts once.
While the floor is not heard the spots stay shut, a round under way goes on, and a hit waits; the floorperson
may leave it to the floor's own console, and then it is booked when its amount is heard.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sabot.rules.chapter import Chapter
from sabot.rules.round import Line
from sabot.statemachine import hits, shares
from sabot.statemachine.action import ANY_PHASE, Action, Refused, phases
from sabot.statemachine.calling import call
from sabot.statemachine.effects import (
    ClaimHit,
    ConfirmGrant,
    ContributeToLink,
    FreezeHit,
    ReverseFromLink,
    SilenceMeter,
    WithdrawGrant,
)
from sabot.statemachine.events import GrantTakenBack, HitGranted, MeterLinkChanged, MeterLinkRefused, Role
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Setup
from sabot.statemachine.state import Contributed, Hit, HitClaim, MeterLink

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

Bets = Mapping[int, Mapping[str, int | None]]
Spot = tuple[int, str]
READING = "T11"
NOT_HEARD = "the floor was not heard yet"
# What has room on a line of the dealer's display, by the words of the table's end of the link.
SHORT = {
    "the link stands still": "LINK STOPPED",
    "its amount is old": "AMOUNT OLD",
    "the floor has no such link": "NO SUCH LINK",
}
DOWN = "LINK DOWN"
PAID, NONE = "paid", "none"


def links_of(setup: Setup) -> dict[str, str]:
    """The link of each wager that feeds a linked meter."""
    meters = setup.chapter.meters.values()
    return {
        wager: setup.links[meter.name]
        for meter in meters
        if meter.name in setup.links
        for wager in meter.wagers
    }


def unknown(setup: Setup) -> dict[str, dict[str, int]]:
    """Linked meters as settlement takes them: it says who is paid a share, the floor how much."""
    if not setup.links:
        return {}
    chapter, letters = setup.chapter, setup.options.paytables
    return {
        name: dict.fromkeys(_levels(chapter, name, letters.get(chapter.meters[name].paytable, "only")), 0)
        for name in setup.links
    }


def _levels(chapter: Chapter, meter: str, letter: str) -> list[str]:
    return list(chapter.meters[meter].levels[letter])


def _cite(table: "Table") -> str:
    return table.chapter.readings[READING].cite


# ---------------------------------------------------------------- before the lock


def why_shut(table: "Table", wager: str) -> str:
    """Why a wager on a linked meter does not count now; empty where it does, and for every other wager."""
    link = table.links.get(wager)
    if link is None:
        return ""
    known = table.state.linked.links.get(link)
    return NOT_HEARD if known is None else known.why


def still_open(table: "Table", spots: frozenset[Spot]) -> frozenset[Spot]:
    """Spots but for those of links that are shut (PROG-7)."""
    shut = {wager for wager in table.links if why_shut(table, wager)}
    return frozenset(spot for spot in spots if spot[1] not in shut) if shut else spots


def without_shut(table: "Table", placed: Bets) -> tuple[dict[int, dict[str, int | None]], dict[Spot, str]]:
    """A bet map without wagers on links that are shut, and why each of those fell."""
    if not table.links:
        return {seat: dict(bets) for seat, bets in placed.items()}, {}
    why = {(seat, wager): why_shut(table, wager) for seat, bets in placed.items() for wager in bets}
    fallen = {spot: words for spot, words in why.items() if words}
    left = {
        seat: {w: cents for w, cents in bets.items() if (seat, w) not in fallen}
        for seat, bets in placed.items()
    }
    return left, fallen


def has_shut(table: "Table", bets: Mapping[str, int | None]) -> bool:
    """Whether any wager of a seat is on a link that is shut."""
    return any(why_shut(table, wager) for wager in table.links.keys() & bets.keys())


def shut_words(table: "Table") -> str:
    """Why a link is shut, as the dealer's display has room for it; empty where all are open."""
    why = next(filter(None, (why_shut(table, wager) for wager in table.links)), "")
    return SHORT.get(why, DOWN) if why else ""


# ---------------------------------------------------------------- what contributes


def contribute(table: "Table", placed: Bets) -> None:
    """Tell each link what a round's accepted wagers contribute, at LOCK and never before (x.7(c))."""
    state, unit = table.state, table.setup.options.progressive_unit
    found = [
        Contributed(
            seat, wager, unit if cents is None else cents, state.linked.links[table.links[wager]].config
        )
        for seat, bets in sorted(placed.items())
        for wager, cents in sorted(bets.items())
        if wager in table.links
    ]
    _tell(table, found)


def begin_round(table: "Table", placed: Bets) -> None:
    """A round is locked: what the one before gave is final."""
    if not table.links:
        return
    linked = table.state.linked
    linked.placed, linked.taken_back = [], []
    contribute(table, placed)


def _tell(table: "Table", given: list[Contributed]) -> None:
    linked, number = table.state.linked, table.state.rounds
    linked.placed += given
    for link in sorted(set(table.links.values())):
        for config in sorted({each.config for each in given if table.links[each.wager] == link}):
            spots = [
                (each.seat, each.wager, each.cents)
                for each in given
                if (table.links[each.wager], each.config) == (link, config)
            ]
            table.emit(
                ContributeToLink(
                    link=link, number=number, config=config, spots=tuple(spots), cite=_cite(table)
                )
            )


def take_back(table: "Table", cause: str, spots: set[Spot] | None = None) -> None:
    """Tell that wagers contribute nothing after all: those of a void round, or the few that are named."""
    linked = table.state.linked
    gone = [each for each in linked.placed if spots is None or (each.seat, each.wager) in spots]
    linked.placed = [each for each in linked.placed if each not in gone]
    linked.taken_back = gone
    for link in sorted({table.links[each.wager] for each in gone}):
        of_link = tuple((each.seat, each.wager) for each in gone if table.links[each.wager] == link)
        table.emit(
            ReverseFromLink(link=link, number=table.state.rounds, cause=cause, spots=of_link, cite=cause)
        )


def give_again(table: "Table") -> None:
    """The void was a mistake: what it took back contributes again."""
    linked = table.state.linked
    given, linked.taken_back = linked.taken_back, []
    _tell(table, given)


# ---------------------------------------------------------------- hits


def is_share(table: "Table", line: Line) -> bool:
    """Whether a line is paid from a linked meter."""
    return line.wager in table.links and shares.share_payout(table, line) is not None


def _claims(table: "Table") -> list[HitClaim]:
    """The claims of this round that stand."""
    number = table.state.rounds
    return [each for each in table.state.linked.claims if each.round == number and not each.none]


def _claim_of(table: "Table", seat: int, wager: str) -> HitClaim | None:
    return next((each for each in _claims(table) if each.wager == wager and seat in each.seats), None)


def granted(table: "Table", seat: int, wager: str) -> int | None:
    """What a seat was granted for its hit; None where nothing was heard."""
    claim = _claim_of(table, seat, wager)
    return claim.each if claim is not None and claim.grant else None


def claim(table: "Table", line: Line) -> bool:
    """Claim a hit at its seat's turn; whether its amount has to be waited for."""
    if not is_share(table, line):
        return False
    found = _claim_of(table, line.seat, line.wager)
    if found is None:
        _say_claim(table, line.wager, line.row or "", _sharers(table, line))
        return True
    return not found.grant


def _say_claim(table: "Table", wager: str, row: str, seats: list[int]) -> HitClaim:
    """A claim is told once what stood in its place is withdrawn: a turn is granted once."""
    linked = table.state.linked
    is_free = not any(
        each.wager == wager and set(each.seats) & set(seats) and each.none and not each.grant
        for each in linked.claims
        if each.round == table.state.rounds
    )
    made = HitClaim(table.links[wager], table.state.rounds, wager, row, seats, is_said=is_free)
    linked.claims.append(made)
    if is_free:
        _emit_claim(table, made)
    return made


def _emit_claim(table: "Table", each: HitClaim) -> None:
    table.emit(
        ClaimHit(
            link=each.link,
            number=each.round,
            wager=each.wager,
            row=each.row,
            seats=tuple(each.seats),
            cite=table.cite(hits.HIT),
        )
    )


def _sharers(table: "Table", line: Line) -> list[int]:
    """The seats that divide a jackpot on the dealer's hand (641a.12(g)(2)), else the seat alone."""
    settles = table.chapter.wagers[line.wager].settles
    if settles is None or not settles.shared:
        return [line.seat]
    same = (line.wager, "win", line.row)
    return [each.seat for each in table.round.lines if (each.wager, each.result, each.row) == same]


def take_outcome(table: "Table") -> None:
    """Hold claims against an outcome: a hit that is none any more is withdrawn, others have their amount."""
    if not table.links:
        return
    round_ = table.round
    found = {(line.seat, line.wager): line.row for line in round_.lines if is_share(table, line)}
    for each in _claims(table):
        if any(found.get((seat, each.wager)) != each.row for seat in each.seats):
            withdraw(table, each, round_.void or "no hit after all")
    _put_amounts(table)


def _put_amounts(table: "Table") -> None:
    """What the floor granted into the round's lines; a share that was not granted yet has no amount."""
    table.round.lines = [
        line._replace(paid=granted(table, line.seat, line.wager)) if is_share(table, line) else line
        for line in table.round.lines
    ]


def withdraw(table: "Table", each: HitClaim, cause: str) -> None:
    """Take a claim back, now or when its grant is heard."""
    each.none = cause
    if each.grant or not each.is_said:
        _tell_withdrawn(table, each)


def _tell_withdrawn(table: "Table", each: HitClaim) -> None:
    linked = table.state.linked
    linked.claims.remove(each)
    if each.grant:
        by = each.by or table.state.floor or table.state.dealer
        table.emit(WithdrawGrant(grant=each.grant, by=by, cause=each.none, cite=table.cite(hits.HIT)))
    for waiting in linked.claims:
        if not waiting.is_said and not waiting.none:
            waiting.is_said = True
            _emit_claim(table, waiting)


def was_paid(table: "Table") -> bool:
    """Whether a hit of this round was validated or left to the floor, so that somebody may have been paid."""
    return any(each.by for each in _claims(table))


def waits(table: "Table") -> HitClaim | None:
    """The claim that the settlement waits for: neither granted nor left to the floor."""
    return next((each for each in _claims(table) if not each.grant and not each.by), None)


def verify_heard(table: "Table", _value: str) -> None:
    """Raise while an amount is waited for."""
    claim_ = waits(table)
    if claim_ is not None:
        raise Refused(claim_.refused or "the floor has not granted the amount yet")


def validated(table: "Table", line: Line, by: str) -> None:
    """Tell that a hit was validated; where it was left to the floor its grant says so when it is heard."""
    if not is_share(table, line):
        return
    found = _claim_of(table, line.seat, line.wager)
    assert found is not None  # its amount was heard, or it was left to the floor
    if not found.by:
        found.by = by
        _confirm(table, found)


def _confirm(table: "Table", each: HitClaim) -> None:
    table.emit(ConfirmGrant(grant=each.grant, by=each.by, cite=table.cite(hits.HIT)))


def close_round(table: "Table") -> None:
    """Forget the hits of a round that ends, but for those of which anything is still to be heard or said."""
    linked = table.state.linked
    linked.claims = [each for each in linked.claims if not (each.grant and each.by)]


# ---------------------------------------------------------------- what is heard


def forget(table: "Table") -> None:
    """After a start nobody knows how the links are: they are shut until the floor is heard."""
    for name in sorted(set(table.links.values())):
        known = table.state.linked.links.get(name)
        _change(table, name, MeterLink(known.config if known else 0, NOT_HEARD))


def on_changed(table: "Table", event: MeterLinkChanged) -> None:
    """A link is open, or shut, or counts under another configuration."""
    if event.link not in table.links.values():
        raise Refused(f"no meter of this table is linked to {event.link}")
    _change(table, event.link, MeterLink(event.config, event.why))


def _change(table: "Table", name: str, now: MeterLink) -> None:
    state = table.state
    before, state.linked.links[name] = state.linked.links.get(name), now
    for seat in state.bets:
        table.looked.changed(seat)
    if before is None or before.why != now.why:
        for meter, link in sorted(table.setup.links.items()):
            if link == name:
                table.emit(
                    SilenceMeter(meter=meter, why=now.why and SHORT.get(now.why, DOWN), cite=_cite(table))
                )


def _take_number(table: "Table", number: int) -> None:
    linked = table.state.linked
    if not table.links:
        raise Refused("no meter of this table is linked")
    if number <= linked.heard:
        raise Refused(f"message {number} of the floor was heard before")
    linked.heard = number


def on_granted(table: "Table", event: HitGranted) -> None:
    """The amount of a hit is heard: frozen where its seat waits, booked where its round is over."""
    _take_number(table, event.number)
    key = event.link, event.round, event.wager, event.row, set(event.seats)
    for each in table.state.linked.claims:
        if not each.grant and key == (each.link, each.round, each.wager, each.row, set(each.seats)):
            break
    else:
        each = HitClaim(event.link, event.round, event.wager, event.row, list(event.seats))
        table.state.linked.claims.append(each)
    each.grant, each.each, each.refused = event.grant, event.each, ""
    by = "by hand at the floor" if event.by_hand else "by the floor"
    seats = ", ".join(map(str, event.seats))
    whose = f"round {event.round} seat {seats} {event.wager}"
    table.note(f"{whose}: {event.each} cents granted {by}, grant {event.grant}", table.cite(hits.HIT))
    _use(table, each)


def _use(table: "Table", each: HitClaim) -> None:
    is_of_now = table.state.round is not None and each.round == table.state.rounds
    if each.none:
        _tell_withdrawn(table, each)
    elif each.by:
        _confirm(table, each)
        if is_of_now:
            _book(table, each)
        else:
            table.state.linked.claims.remove(each)
    elif not is_of_now or _claim_of(table, each.seats[0], each.wager) is not each:
        call(table, Role.FLOOR, f"hit of round {each.round}: paid?", table.cite(hits.HIT))
    else:
        _put_amounts(table)
        _freeze(table, each)


def _freeze(table: "Table", each: HitClaim) -> None:
    """Announce the hit of the seat whose turn it is; of those that share each at its own turn."""
    round_ = table.round
    if table.phases.state is not Phase.VALIDATING:
        return
    seat = round_.order[round_.settled]
    if seat in each.seats:
        round_.frozen.append(Hit(seat, each.wager, each.row, each.each, needs_documents=True))
        cite = table.cite(hits.HIT)
        table.emit(FreezeHit(seat=seat, wager=each.wager, row=each.row, cents=each.each, cite=cite))


def _book(table: "Table", each: HitClaim) -> None:
    """The amount of a hit that people have paid meanwhile, into the round that it belongs to."""
    _put_amounts(table)
    for hit in table.round.hits:
        if hit.wager == each.wager and hit.seat in each.seats:
            hit.cents = each.each


def on_refused(table: "Table", event: MeterLinkRefused) -> None:
    """The floor grants nothing, or takes a contribution not in: people look at it."""
    _take_number(table, event.number)
    words = f"the floor refuses {event.message} of round {event.round}: {event.why}"
    table.note(words, _cite(table))
    about = event.round, event.wager, list(event.seats)
    for each in table.state.linked.claims:
        if not each.grant and (each.round, each.wager, each.seats) == about:
            each.refused = f"the floor refuses: {event.why}"
    call(table, Role.FLOOR, words, _cite(table))


def on_taken_back(table: "Table", event: GrantTakenBack) -> None:
    """People have taken a grant back at the floor: a hit that waits is refused, of a paid one people know."""
    _take_number(table, event.number)
    words = f"grant {event.grant} taken back at the floor: {event.cause}"
    table.note(words, table.cite(hits.HIT))
    for each in [each for each in table.state.linked.claims if each.grant == event.grant]:
        each.grant, each.each, each.refused = 0, 0, words
        if each.none or table.state.round is None or each.round != table.state.rounds:
            table.state.linked.claims.remove(each)
    if table.state.round is not None:
        _put_amounts(table)
    call(table, Role.FLOOR, words, table.cite(hits.HIT))


# ---------------------------------------------------------------- by the floor


def leave(table: "Table", spot: Spot, row: str, by: str) -> int:
    """The floor finishes a hit by hand at its own console; what it comes to, as far as that is known."""
    found = _claim_of(table, *spot) or _say_claim(table, spot[1], row, [spot[0]])
    if found.grant and not found.by:
        found.by = by
        _confirm(table, found)
    found.by = by
    return found.each


def leave_hit(table: "Table", _value: str) -> None:
    """What waits is finished by hand at the floor's console; the table books it when it hears the amount."""
    by = table.person(Role.FLOOR)
    while (each := waits(table)) is not None:
        each.by = by
        seats = ", ".join(map(str, each.seats))
        table.note(f"seat {seats} {each.wager}: left to the floor's console", table.cite(hits.HIT), by)


def take_back_all(table: "Table", cause: str) -> None:
    """There was no wager on a linked meter after all, and no hit: the round's contributions go back."""
    for each in _claims(table):
        withdraw(table, each, cause)
    take_back(table, cause)


def waiting_lines(table: "Table", line: Line) -> tuple[str, str, str]:
    """That a hit waits, and what for."""
    claim_ = waits(table)
    if claim_ is not None and claim_.refused:
        return f"HIT SEAT {line.seat} REFUSED", "FLOOR: LEAVE HIT?", line.cite
    words = shut_words(table)
    second = f"{words}: FLOOR" if words else "FOR THE AMOUNT"
    return f"HIT SEAT {line.seat} WAITS", second, line.cite


def does_wait(table: "Table") -> bool:
    """Whether a hit waits for its amount."""
    return waits(table) is not None


def verify_wait(table: "Table", _value: str) -> None:
    """Raise where no hit waits."""
    if not does_wait(table):
        raise Refused("no hit waits for the floor's amount")


def unsettled(table: "Table") -> list[str]:
    """The grants of rounds that are over of which nobody has said whether they were paid."""
    now = table.state.rounds if table.state.round is not None else 0
    open_ = [each for each in table.state.linked.claims if each.grant and not each.by and each.round != now]
    return [f"{each.grant} {how}" for each in open_ for how in (PAID, NONE)]


def settle_grant(table: "Table", value: str) -> None:
    """The floor says of a grant that came after its round whether it was paid."""
    number, how = value.split()
    each = next(each for each in table.state.linked.claims if each.grant == int(number))
    each.by = table.person(Role.FLOOR)
    if how == NONE:
        withdraw(table, each, "not paid")
        return
    _confirm(table, each)
    table.state.linked.claims.remove(each)


def _grant_words(table: "Table", value: str) -> str:
    number, how = value.split()
    each = next(each for each in table.state.linked.claims if each.grant == int(number))
    return f"R{each.round} S{each.seats[0]} {how.upper()}"


ACTIONS = (
    Action(
        "leave_hit",
        "LEAVE HIT TO FLOOR",
        Role.FLOOR,
        phases(Phase.VALIDATING),
        "11(c)(5)(iii)",
        leave_hit,
        verify_wait,
        when=does_wait,
    ),
    Action(
        "settle_grant",
        "LATE HIT PAID?",
        Role.FLOOR,
        ANY_PHASE,
        "11(c)(5)(iii)",
        settle_grant,
        values=unsettled,
        say=_grant_words,
        when=lambda table: bool(unsettled(table)),
        while_held=True,
    ),
)
