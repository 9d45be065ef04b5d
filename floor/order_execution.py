"""Orders carried out: enrolments, configurations, start and stop, rulings, what is finished by hand.

A configuration is refused while its link runs or a hit of it is open (PROG-6). It is in force when its
moment has come and the link is started; a link does not start before the moment of its newest configuration.
A level that is new gets its base from the house; what stands on the others stays.
"""

# Theory of operation. Each kind of order has two functions. The first looks, changes nothing, and returns the
# people whose signatures count; it raises where the order cannot be. The second carries out what was verified
# and cannot fail any more. Between the two ``FloorCore`` verifies the signatures, so an order that lacks one
# has changed nothing. The first function alone also answers whether an order would be taken at this moment
# (``configs.why_not_now``). Three refusals are told apart for whoever has to act: not now (E-FLOOR-003, wait
# or stop the link), not there (E-FLOOR-004, draw another order), not by you (E-FLOOR-002, in ``orders``).

from collections.abc import Callable, Mapping
from typing import NoReturn

from sabot.floor import link_law, messages, orders
from sabot.floor.books import ADJUSTMENT, BASE, BELIEVED, BY_HAND, HOUSE, NOT_BELIEVED, PLAYERS
from sabot.floor.claims import GONE, OPEN, draw_of, grant_turn, paid_by, take_back
from sabot.floor.errors import FloorError
from sabot.floor.link_file import is_table, read_terms
from sabot.floor.link_plan import LinkLevel, LinkTerms, Plan, accounts_of, plan_of
from sabot.floor.money import words
from sabot.floor.state import FloorHouse, FloorPerson, Held, LinkState, TableState
from sabot.floor.work import OrderRefused, Work

People = Mapping[str, FloorPerson]
Verify = Callable[[Work], People]
CarryOut = Callable[[Work], None]
LEAST_DEPARTMENTS = 2


def _not_now(work: Work, what: str) -> NoReturn:
    raise FloorError("E-FLOOR-003", f"order {work.message['order']}", what=what)


def _not_there(work: Work, what: str) -> NoReturn:
    raise FloorError("E-FLOOR-004", f"order {work.message['order']}", what=what)


def _link(work: Work) -> LinkState:
    found = work.state.links.get(work.message["link"])
    return found or _not_there(work, f"there is no link {work.message['link']}")


# ---------------------------------------------------------------- people and tables


def _verify_founded(work: Work) -> People:
    if work.state.house.key:
        _not_there(work, "the floor is founded")
    return _first_people(work)


def _first_people(work: Work) -> People:
    people = {number: FloorPerson(name, part, key) for number, name, part, key in work.message["people"]}
    departments = {each.department for each in people.values()}
    keys = {each.key for each in people.values()}
    # Two numbers with one key would be one person who signs for both departments.
    if not len(people) == len(keys) == len(work.message["people"]) or len(departments) < LEAST_DEPARTMENTS:
        raise FloorError(
            "E-FLOOR-017", "order 1", what="the first people are not of two departments, or one is twice"
        )
    return people


def _found(work: Work) -> None:
    message, state = work.message, work.state
    state.house = FloorHouse(message["facility"], message["key"], message["starts"], message["zone"])
    state.people.update(_first_people(work))
    for number in state.people:
        state.touch("person", number)


def _verify_person(work: Work) -> People:
    number, _, _, key = work.message["person"]
    if number in work.state.people or any(key == each.key for each in work.state.people.values()):
        _not_there(work, f"person {number} or that key is enrolled already")
    return work.state.people


def _person(work: Work) -> None:
    number, name, department, key = work.message["person"]
    work.state.people[number] = FloorPerson(name, department, key)
    work.state.touch("person", number)


def _verify_person_gone(work: Work) -> People:
    people, number = work.state.people, work.message["person"]
    if number not in people:
        _not_there(work, f"person {number} is not enrolled")
    if len({each.department for other, each in people.items() if other != number}) < LEAST_DEPARTMENTS:
        _not_now(work, f"without person {number} nobody could sign for a second department")
    return people


def _person_gone(work: Work) -> None:
    del work.state.people[work.message["person"]]
    work.state.touch("person", work.message["person"])


def _verify_table(work: Work) -> People:
    if not is_table(work.message["table"]):
        _not_there(work, f"{work.message['table']!r} is no name of a table")
    if any(each.key == work.message["key"] for each in work.state.tables.values()):
        _not_there(work, "a table with that key is enrolled already")
    return work.state.people


def _table(work: Work) -> None:
    """Enrol a table, or its spare board: the numbers go on with another key, but its rounds begin anew."""
    name = work.message["table"]
    known = work.state.tables.setdefault(name, TableState(""))
    if known.key not in ("", work.message["key"]):
        # The turn of its round 1 must be another than that of round 1 of the board before.
        known.since, known.rounds = work.entry, {}
    known.key, known.retired = work.message["key"], False
    work.state.touch("table", name)


def _verify_table_retired(work: Work) -> People:
    table = work.state.tables.get(work.message["table"])
    if table is None or table.retired:
        _not_there(work, f"there is no table {work.message['table']}")
    return work.state.people


def _table_retired(work: Work) -> None:
    work.state.tables[work.message["table"]].retired = True
    work.state.touch("table", work.message["table"])


# ---------------------------------------------------------------- configurations


def _verify_configuration(work: Work) -> People:
    terms = _terms(work)
    link_law.verify(terms, work.state.laws.chapter(terms))
    if terms.begins < _second(work):
        _not_now(work, f"its moment, {terms.begins}, is past")
    for table in terms.tables:
        _verify_member(work, terms, table)
    if link := work.state.links.get(terms.link):
        _verify_change(work, terms, link)
    return work.state.people


def _second(work: Work) -> str:
    return f"{work.at[:19]}Z"


def _terms(work: Work) -> LinkTerms:
    return read_terms(work.message["file"], "configuration")


def _verify_member(work: Work, terms: LinkTerms, table: str) -> None:
    """Raise FloorError unless a table is enrolled and its meter is not linked by another link."""
    if table not in work.state.tables:
        _not_there(work, f"table {table} is not enrolled")
    for name, link in work.state.links.items():
        other = work.state.plan(name, len(link.configs)).terms
        if (
            name != terms.link
            and (other.chapter, other.meter) == (terms.chapter, terms.meter)
            and table in other.tables
        ):
            _not_there(work, f"the meter {terms.meter} of table {table} is linked by {name}")


def _verify_change(work: Work, terms: LinkTerms, link: LinkState) -> None:
    if link.running:
        _not_now(work, f"{terms.link} runs")
    _verify_no_open_hit(work, terms.link)
    if not link.in_force:
        return
    present = work.state.in_force(terms.link)
    if present.terms.chapter != terms.chapter:
        _not_there(work, f"{terms.link} is a link of {present.terms.chapter}")
    # A level that is left out has nobody to claim from it any more: its money would stand there for ever.
    for name in present.levels.keys() - terms.levels.keys():
        if left := [each for each in accounts_of(terms.link, name) if work.books.balance(each)]:
            _not_now(work, f"{left[0]} is not empty, and the configuration leaves {name} out")
    plan = plan_of(terms, work.state.laws.chapter(terms))
    for name, level in plan.levels.items():
        _verify_limit(work, f"{terms.link}.{name}", level)


def _verify_limit(work: Work, meter: str, level: LinkLevel) -> None:
    stands = work.books.balance(meter)
    if level.limit is not None and stands > level.limit:
        _not_now(
            work,
            f"{meter} stands at {words(stands)}, over the limit: a meter does not fall by a configuration",
        )


def _verify_no_open_hit(work: Work, name: str) -> None:
    for grant in work.state.grants.values():
        if grant.link == name and grant.state == OPEN:
            _not_now(work, f"the hit of entry {grant.entry} is open")


def _configuration(work: Work) -> None:
    terms = _terms(work)
    work.state.links.setdefault(terms.link, LinkState()).configs.append(work.message["file"])
    work.state.touch("link", terms.link)
    work.more["link"] = terms.link


def _verify_start(work: Work) -> People:
    link = _link(work)
    if link.running:
        _not_now(work, f"{work.message['link']} runs")
    begins = work.state.plan(work.message["link"], len(link.configs)).terms.begins
    if begins > _second(work):
        _not_now(work, f"its newest configuration is in force from {begins}")
    # Only with new terms: a link that was stopped may start again while a hit of it waits (PROG-6).
    if link.in_force != len(link.configs):
        _verify_no_open_hit(work, work.message["link"])
    return work.state.people


def _start(work: Work) -> None:
    name = work.message["link"]
    link = work.state.links[name]
    known = work.state.in_force(name).levels.keys() if link.in_force else frozenset[str]()
    link.in_force, link.running = len(link.configs), True
    for level, amounts in work.state.in_force(name).levels.items():
        accounts = accounts_of(name, level)
        # A level that was there before keeps what stands on it, whatever base the new terms name.
        if level not in known:
            work.books.move(HOUSE, accounts.meter, amounts.base, BASE)
        work.books.level_out(accounts, amounts.limit)
    work.state.touch("link", name)


def _verify_stop(work: Work) -> People:
    if not _link(work).running:
        _not_now(work, f"{work.message['link']} does not run")
    return work.state.people


def _stop(work: Work) -> None:
    work.state.links[work.message["link"]].running = False
    work.state.touch("link", work.message["link"])


# ---------------------------------------------------------------- money


def _plan(work: Work) -> Plan:
    if not _link(work).in_force:
        _not_there(work, f"{work.message['link']} was never in force")
    return work.state.in_force(work.message["link"])


def _verify_adjustment(work: Work) -> People:
    level, units = work.message["level"], work.message["units"]
    # An account that never moved has no balance: so this is also whether there is such a level.
    meter = accounts_of(_plan(work).terms.link, level).meter
    # Not only the levels in force: a grant that was taken back may have put money on an old one.
    if meter not in work.books.balances or not units:
        _not_there(work, f"{work.message['link']} has no level {level}, or nothing is moved")
    if work.books.balance(meter) + units < 0:
        _not_now(work, "there is less than that on the meter")
    return work.state.people


def _adjust(work: Work) -> None:
    message = work.message
    accounts, units = accounts_of(message["link"], message["level"]), message["units"]
    source, target = (HOUSE, accounts.meter) if units > 0 else (accounts.meter, HOUSE)
    work.books.move(source, target, abs(units), ADJUSTMENT)
    if level := _plan(work).levels.get(message["level"]):
        work.books.level_out(accounts, level.limit)


def _verify_ruling(work: Work) -> People:
    if work.message["held"] not in work.state.held:
        _not_there(work, f"entry {work.message['held']} holds nothing")
    return work.state.people


def _rule(work: Work) -> None:
    """Put held contributions on the meters, or give them back to the players."""
    held = work.state.held.pop(work.message["held"])
    work.state.touch("held", held.entry)
    plan = work.state.plan(held.link, held.config)
    for name, (primary, reserve) in held.shares.items():
        accounts, amounts = work.level(held.link, name, plan)
        if work.message["believed"]:
            work.books.move(accounts.held, accounts.meter, primary, BELIEVED)
            work.books.move(accounts.held, accounts.reserve, reserve, BELIEVED)
            work.books.level_out(accounts, amounts.limit)
        else:
            work.books.move(accounts.held, PLAYERS, primary + reserve, NOT_BELIEVED)
    _settle_round(work, held)


def _settle_round(work: Work, held: Held) -> None:
    """Bring a round that can still be taken back in line with a ruling: its wagers count, or never were."""
    table = work.state.tables[held.table]
    placed = table.placed(held.link, held.round)
    ours = {spot for spot, each in placed.items() if each.held == held.entry}
    if not ours:
        return
    believed = {spot: each._replace(held=0) if spot in ours else each for spot, each in placed.items()}
    rest = {spot: each for spot, each in placed.items() if spot not in ours}
    table.keep(held.link, held.round, believed if work.message["believed"] else rest)
    work.state.touch("table", held.table)


def _verify_by_hand(work: Work) -> People:
    plan = _plan(work)
    if work.message["table"] not in plan.terms.tables:
        _not_there(work, f"{work.message['table']} is no table of {work.message['link']}")
    try:
        draw_of(plan, work.message)
    except OrderRefused as refused:
        _not_there(work, str(refused))
    if len(set(work.message["seats"])) < len(work.message["seats"]):
        _not_there(work, "a seat is named twice")
    if paid := paid_by(work):
        _not_now(work, f"this turn was paid by entry {paid}")
    return work.state.people


def _finish_by_hand(work: Work) -> None:
    grant_turn(work, work.state.links[work.message["link"]].in_force, 0, BY_HAND)


def _verify_take_back(work: Work) -> People:
    grant = work.state.grants.get(work.message["grant"])
    if grant is None or grant.state == GONE:
        _not_there(work, f"entry {work.message['grant']} is no grant that stands")
    return work.state.people


def _take_back(work: Work) -> None:
    grant = work.state.grants[work.message["grant"]]
    take_back(work, grant)
    # As much as the message to the table holds (docs/link.md); the order has the whole.
    cause = work.message["cause"][:80]
    work.say(messages.TAKEN_BACK, grant.table, grant.claim, grant=grant.entry, cause=cause)


ORDERS: dict[str, tuple[Verify, CarryOut]] = {
    orders.FOUNDED: (_verify_founded, _found),
    orders.PERSON: (_verify_person, _person),
    orders.PERSON_GONE: (_verify_person_gone, _person_gone),
    orders.TABLE: (_verify_table, _table),
    orders.TABLE_RETIRED: (_verify_table_retired, _table_retired),
    orders.CONFIGURATION: (_verify_configuration, _configuration),
    orders.START: (_verify_start, _start),
    orders.STOP: (_verify_stop, _stop),
    orders.ADJUSTMENT: (_verify_adjustment, _adjust),
    orders.RULING: (_verify_ruling, _rule),
    orders.BY_HAND: (_verify_by_hand, _finish_by_hand),
    orders.TAKE_BACK: (_verify_take_back, _take_back),
}
