"""Everything that people ask of a floor, as values: meters, tables, hits, a gaming day (PROG-2, PROG-10).

Plain values, so that words, JSON, CSV and a page are made of one answer and cannot differ. Whoever asks for
several of them does so within one ``moment`` of the store. Money comes from the ledger's sums; rounds and
faults are the tables' own word, and where a table has said nothing they are not known and not zero.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from sabot.floor import reported_days
from sabot.floor.books import HOUSE, PLAYERS, WINNERS
from sabot.floor.clock import day_of
from sabot.floor.link_plan import accounts_of
from sabot.floor.money import UNITS
from sabot.floor.state import FloorState, as_json
from sabot.floor.store import Moved, Store

NEWEST_HITS = 25
GONE = "taken back"
Json = dict[str, Any]


def meters(state: FloorState) -> Json:
    """Return every link with its levels: what the signs show, what stands beside it, and its terms."""
    world = {name: state.books.balance(name) for name in (PLAYERS, HOUSE, WINNERS)}
    return {
        "facility": state.house.facility,
        "links": [_link(state, name) for name in sorted(state.links)],
        "world_units": world,
        "balanced": state.books.is_balanced(),
    }


def _link(state: FloorState, name: str) -> Json:
    link = state.links[name]
    # One that was never in force is shown as its newest configuration will have it.
    plan = state.plan(name, link.in_force or len(link.configs))
    terms = plan.terms
    return {
        "link": name,
        "chapter": terms.chapter,
        "meter": terms.meter,
        "paytable": terms.paytable,
        "wagers_cents": list(terms.wagers),
        "tables": list(terms.tables),
        "running": link.running,
        "config": link.in_force,
        "begins": terms.begins,
        "levels": [_level(state, name, level) for level in terms.levels],
    }


def _level(state: FloorState, link: str, name: str) -> Json:
    plan = state.plan(link, state.links[link].in_force or len(state.links[link].configs))
    terms, accounts = plan.terms.levels[name], accounts_of(link, name)
    balances = {f"{what}_units": state.books.balance(each) for what, each in accounts._asdict().items()}
    return {
        "level": name,
        "cents": state.books.balance(accounts.meter) // UNITS,
        **balances,
        "base_cents": terms.base,
        "reset_cents": terms.reset,
        "limit_cents": terms.limit,
        "rate_percent": float(terms.rate),
        "reserve_percent": float(terms.reserve_rate),
        "hits": sum((each.link, each.level) == (link, name) for each in state.grants.values()),
        "won_cents": sum(
            each.cents
            for each in state.grants.values()
            if (each.link, each.level, each.state) == (link, name, "validated")
        ),
    }


def tables(state: FloorState, store: Store) -> list[Json]:
    """Return every table: how far it was heard, what it has not heard, its round, what was wrong."""
    unheard = [each.table for each in store.sent()]
    wrong: dict[str, Json] = {}
    for (name, verdict), (times, first, last) in store.seen().items():
        wrong.setdefault(name, {})[verdict] = {"times": times, "first": first, "last": last}
    known = [
        {
            "table": name,
            "key": table.key,
            "retired": table.retired,
            "applied": table.applied,
            "said": table.sent,
            "unheard": unheard.count(name),
            "rounds": {link: found[0] for link, found in sorted(table.rounds.items())},
            "links": [link for link in sorted(state.links) if name in _members(state, link)],
            "wrong": wrong.pop(name, {}),
        }
        for name, table in sorted(state.tables.items())
    ]
    # What is left was said in the name of a table that there is not, or of nobody.
    strangers = [{"table": name, "stranger": True, "wrong": each} for name, each in sorted(wrong.items())]
    return known + strangers


def _members(state: FloorState, link: str) -> tuple[str, ...]:
    return state.plan(link, len(state.links[link].configs)).terms.tables


def hits(state: FloorState, newest: int = NEWEST_HITS) -> list[Json]:
    """Return the newest hits, the newest first."""
    found = sorted(state.grants.values(), key=lambda each: -each.entry)
    return [as_json(each) for each in found[:newest]]


# ---------------------------------------------------------------- a gaming day


def today(state: FloorState) -> str:
    """Return the gaming day that is running."""
    return day_of(datetime.now(UTC).strftime("%Y-%m-%dT%H:%M"), state.house.starts, state.house.zone)


def report(state: FloorState, store: Store, day: str, table: str = "") -> Json:
    """Return a gaming day, of one table or of all: wagers, handle and hold, play, meters, accounts, hits."""
    handled = [
        {**key._asdict(), "wagers": wagers, "cents": cents}
        for key, (wagers, cents) in store.handled(day).items()
        if table in ("", key.table)
    ]
    accounts: dict[str, dict[str, int]] = {}
    for (_, account, cause), units in store.moved(day).items() if not table else ():
        accounts.setdefault(account, {})[cause] = units
    of_day = [
        each
        for each in hits(state, len(state.grants))
        if _day(state, each["at"]) == day and table in ("", each["table"])
    ]
    boards: dict[str, list[reported_days.BoardDay]] = {}
    for said in store.told(day):
        if table in ("", said.table):
            boards.setdefault(said.table, []).append(reported_days.played(said))
    return {
        "day": day,
        "facility": state.house.facility,
        "table": table,
        "handled": handled,
        "figures": _figures(handled, of_day),
        "play": reported_days.figures([each for found in boards.values() for each in found]),
        "tables": _by_table(handled, of_day, boards),
        "meters": [] if table else list(_meters_of(state, store.moved(), day)),
        "accounts_units": accounts,
        "hits": of_day,
    }


def _by_table(
    handled: list[Json], won: list[Json], boards: dict[str, list[reported_days.BoardDay]]
) -> list[Json]:
    """Return each table by itself; without a word of its own its play is not known."""
    names = {each["table"] for each in (*handled, *won)} | boards.keys()
    return [
        {
            "table": name,
            "figures": _figures(_of(name, handled), _of(name, won)),
            "play": reported_days.figures(boards[name]) if name in boards else None,
        }
        for name in sorted(names)
    ]


def _of(table: str, rows: list[Json]) -> list[Json]:
    return [each for each in rows if each["table"] == table]


def _meters_of(state: FloorState, moved: Mapping[Moved, int], day: str) -> Iterator[Json]:
    """Yield every meter as the gaming day found it and left it."""
    for link in sorted(state.links):
        for level in state.plan(link, len(state.links[link].configs)).terms.levels:
            meter = accounts_of(link, level).meter
            # From the sums of all days: those before this one, then those until its end. A date as text
            # sorts.
            opened, closed = (
                sum(units for key, units in moved.items() if key.account == meter and is_in(key.day))
                for is_in in (day.__gt__, day.__ge__)
            )
            yield {
                "link": link,
                "level": level,
                "opened_units": opened,
                "closed_units": closed,
                "cents": closed // UNITS,
            }


def _figures(handled: list[Json], won: list[Json]) -> list[Json]:
    """Return handle, win and hold by link and wager: of wagers that contributed, and hits that stand.

    The words are those of docs/journal.md; whatever a wager pays without a meter is the table's own.
    """
    sums: dict[tuple[str, str], list[int]] = {}
    for each in handled:
        found = sums.setdefault((each["link"], each["wager"]), [0, 0, 0])
        found[0] += each["wagers"]
        found[1] += each["cents"]
    for each in won:
        if each["state"] != GONE:
            sums.setdefault((each["link"], each["wager"]), [0, 0, 0])[2] += each["cents"]
    return [
        {
            "link": link,
            "wager": wager,
            "wagers": count,
            "handle_cents": handle,
            "from_meters_cents": paid,
            "win_cents": handle - paid,
            "hold_percent": f"{100 * (handle - paid) / handle:.2f}" if handle else None,
        }
        for (link, wager), (count, handle, paid) in sorted(sums.items())
    ]


def _day(state: FloorState, at: str) -> str:
    return day_of(at[:16], state.house.starts, state.house.zone)


def rows(found: Json) -> Iterator[tuple[object, ...]]:
    """Yield a report as rows of a table: kind, whose, of what, how many, how much, what is no sum."""
    yield "kind", "table_or_account", "link", "wager_or_cause", "count", "cents", "units", "figure"
    for each in found["handled"]:
        yield "wagers", each["table"], each["link"], each["wager"], each["wagers"], each["cents"], "", ""
    yield from _rows_of(found["table"], found["figures"], found["play"])
    for each in found["tables"] if not found["table"] else ():
        yield from _rows_of(each["table"], each["figures"], each["play"])
    for account, causes in found["accounts_units"].items():
        yield from (("moved", account, "", cause, "", "", units, "") for cause, units in causes.items())
    for each in found["meters"]:
        names = (f"{each['link']}.{each['level']}", each["link"], "")
        yield "meter_opened", *names, "", each["opened_units"] // UNITS, each["opened_units"], ""
        yield "meter_closed", *names, "", each["cents"], each["closed_units"], ""
    for each in found["hits"]:
        yield "hit", each["table"], each["link"], each["row"], "", each["cents"], "", ""


def _rows_of(table: str, figures: list[Json], play: Json | None) -> Iterator[tuple[object, ...]]:
    """Yield the figures of a table, or of all where it has no name."""
    for each in figures:
        names = (table, each["link"], each["wager"])
        for what in ("handle", "from_meters", "win"):
            yield what, *names, each["wagers"], each[f"{what}_cents"], "", ""
        yield "hold_percent", *names, "", "", "", each["hold_percent"]
    if play is not None:
        yield "rounds", table, "", "", play["rounds"], "", "", ""
        yield "rounds_an_hour", table, "", "", "", "", "", play["rounds_an_hour"]
        yield from (
            ("fault", table, "", kind, count, "", "", "") for kind, count in play["faults_by_kind"].items()
        )
