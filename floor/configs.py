"""Configurations of links: one that somebody wants, held against its chapter, and all that ever were.

The state has the text of each configuration and which is in force; who signed it, when and why, and how long
it was in force, follows from the orders in the ledger, which are read here in their turn.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from sabot.floor import link_law, orders
from sabot.floor.entry import FloorEntry, read_signatures
from sabot.floor.errors import FloorError
from sabot.floor.law_folders import PRINTED_ALONE, Laws
from sabot.floor.link_file import read_terms
from sabot.floor.link_plan import LinkTerms
from sabot.floor.order_execution import ORDERS
from sabot.floor.state import FloorState
from sabot.floor.store import Store
from sabot.floor.work import Work

Json = dict[str, Any]


def problems(terms: LinkTerms, laws: Laws = PRINTED_ALONE) -> list[FloorError]:
    """Return everything that the chapter has against the terms."""
    return link_law.problems(terms, laws.chapter(terms))


def why_not_now(state: FloorState, text: str, at: str) -> str:
    """Return why an order of this configuration would be refused at this moment, or nothing."""
    fields = {"kind": orders.CONFIGURATION, "order": state.house.orders + 1, "file": text}
    # Only asked, never carried out: signatures are no matter here, and the state stays as it is.
    verify, _ = ORDERS[orders.CONFIGURATION]
    try:
        verify(Work(state, fields, 0, at))
    except FloorError as error:
        return error.what
    return ""


@dataclass(slots=True)
class KeptConfig:
    """A configuration that was ordered: who signed it, and from when to when it was in force."""

    link: str
    number: int
    entry: int
    at: str
    cause: str
    signed: list[str]
    begins: str
    tables: list[str]
    file: str
    in_force: list[str] = field(default_factory=list)
    until: str = ""
    runs: bool = False

    def facts(self) -> Json:
        """Return it as plain values, for programs."""
        return asdict(self)


def kept(store: Store) -> list[KeptConfig]:
    """Return every configuration, by link and number; none is ever thrown away."""
    history = _History()
    for entry in store.ordered(orders.CONFIGURATION, orders.START, orders.STOP):
        history.follow(entry)
    return [each for link in sorted(history.links) for each in history.links[link]]


class _History:
    """The orders about links, followed in their turn."""

    def __init__(self) -> None:
        self.links: dict[str, list[KeptConfig]] = {}
        self.in_force: dict[str, KeptConfig] = {}

    def follow(self, entry: FloorEntry) -> None:
        """Take one order into account."""
        fields = orders.read(entry.content.encode())
        if entry.kind == orders.CONFIGURATION:
            self._ordered(entry, fields)
        elif entry.kind == orders.START:
            self._started(fields["link"], entry.at)
        else:
            self.in_force[fields["link"]].runs = False

    def _ordered(self, entry: FloorEntry, fields: Json) -> None:
        terms = read_terms(fields["file"], "configuration")
        known = self.links.setdefault(terms.link, [])
        known.append(
            KeptConfig(
                link=terms.link,
                number=len(known) + 1,
                entry=entry.number,
                at=entry.at,
                cause=fields["cause"],
                signed=[each.person for each in read_signatures(entry.signatures)],
                begins=terms.begins,
                tables=list(terms.tables),
                file=fields["file"],
            )
        )

    def _started(self, link: str, at: str) -> None:
        # A link starts with its newest configuration; one that was ordered and replaced before never was in
        # force.
        newest, before = self.links[link][-1], self.in_force.get(link)
        if before is not None and before is not newest:
            before.until = at
        newest.in_force.append(at)
        newest.runs = True
        self.in_force[link] = newest


# ---------------------------------------------------------------- for people


def checked(terms: LinkTerms, found: list[FloorError], now: str, laws: Laws = PRINTED_ALONE) -> Json:
    """Return a configuration that was held against its chapter as plain values, for programs."""
    levels = {
        name: {
            "base_cents": each.base,
            "reset_cents": each.reset,
            "rate_percent": float(each.rate),
            "reserve_percent": float(each.reserve_rate),
            "limit_cents": each.limit,
            "threshold_cents": each.threshold,
        }
        for name, each in terms.levels.items()
    }
    meter = laws.chapter(terms).meters.get(terms.meter)
    return {
        "link": terms.link,
        "chapter": terms.chapter,
        "law": terms.law,
        "meter": terms.meter,
        "cite": meter.cite if meter else "",
        "paytable": terms.paytable,
        "wagers_cents": list(terms.wagers),
        "tables": list(terms.tables),
        "begins": terms.begins,
        "levels": levels,
        "readings": dict(terms.readings),
        "problems": [str(each) for each in found],
        "now": now,
    }


def states(found: KeptConfig) -> Iterator[str]:
    """Yield in words whether a configuration is in force."""
    if not found.in_force:
        yield f"never in force yet; begins {found.begins}"
    elif found.until:
        yield f"in force from {found.in_force[0]} until {found.until}"
    else:
        yield f"IN FORCE since {found.in_force[0]}" + ("" if found.runs else ", stands still")
