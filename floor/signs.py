"""What the signs of each link show: pure, from the state as the last commit left it."""

from collections.abc import Iterator
from typing import Any

from sabot.floor.entry import Last
from sabot.floor.link_plan import accounts_of
from sabot.floor.money import UNITS
from sabot.floor.state import FloorState, Grant

Value = dict[str, Any]
TAKEN_BACK = "taken back"


def values(state: FloorState, last: Last) -> Iterator[Value]:
    """Yield the value of each link that was ever in force, without its moment."""
    newest = _newest_hits(state)
    for name in sorted(state.links):
        link = state.links[name]
        if not link.in_force:
            continue
        yield {
            "link": name,
            "entry": last.number,
            "config": link.in_force,
            "running": link.running,
            "levels": [
                [level, state.books.balance(accounts_of(name, level).meter) // UNITS]
                for level in state.in_force(name).levels
            ],
            "hit": [_hit(newest[name])] if name in newest else [],
        }


def _newest_hits(state: FloorState) -> dict[str, Grant]:
    """Return the newest hit of each link, of those that stand."""
    return {
        grant.link: grant
        for grant in sorted(state.grants.values(), key=lambda each: each.entry)
        if grant.state != TAKEN_BACK
    }


def _hit(grant: Grant) -> list[Any]:
    return [grant.level, grant.table, grant.seats, grant.cents, grant.at]
