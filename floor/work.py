"""One piece of work at the desk: what came in, the state it meets, and what it leaves for the entry."""

from dataclasses import dataclass, field
from typing import Any

from sabot.floor import messages
from sabot.floor.books import FloorBooks
from sabot.floor.link_plan import Accounts, LinkLevel, Plan, accounts_of
from sabot.floor.state import FloorState, Grant, TableState


class OrderRefused(Exception):  # noqa: N818 - it is a decision, as in the state machine, and no error of anybody
    """A message that is in its turn and cannot be."""


@dataclass(slots=True)
class Work:
    """A message or an order in hand."""

    state: FloorState
    message: dict[str, Any]
    entry: int
    at: str
    more: dict[str, object] = field(default_factory=dict)
    said: list[tuple[str, str, dict[str, object]]] = field(default_factory=list)
    handled: list[tuple[str, str, int, int]] = field(default_factory=list)

    @property
    def books(self) -> FloorBooks:
        """The books of the state."""
        return self.state.books

    @property
    def table(self) -> TableState:
        """The table that speaks."""
        return self.state.tables[self.message["table"]]

    def plan(self, config: int) -> Plan:
        """Return a configuration of the link that is spoken of; refuse one that was never in force."""
        link = self.state.links.get(self.message["link"])
        if link is None:
            raise OrderRefused(f"there is no link {self.message['link']}")
        # A configuration that was ordered is none until it was started.
        if not 0 < config <= link.in_force:
            raise OrderRefused(f"configuration {config} of {self.message['link']} was never in force")
        return self.state.plan(self.message["link"], config)

    def level(self, link: str, name: str, fallback: Plan) -> tuple[Accounts, LinkLevel]:
        """Return the accounts of a level and its amounts, as in force where the link still has the level."""
        plan = self.state.in_force(link)
        # A wager of before a change may feed a level that the newest configuration has no more.
        found = plan.levels.get(name) or fallback.levels[name]
        return accounts_of(link, name), found

    def refuse(self, why: str) -> None:
        """Enter a message as refused, and tell its table."""
        self.more = {"refused": why}
        # Filled before the slip was found. No money was moved by then: a handler looks at everything first.
        self.handled.clear()
        self.say(messages.REFUSED, self.message["table"], self.message["number"], why=why)

    def say(self, kind: str, table: str, claim: int, **values: object) -> None:
        """Tell a table something that it must keep; ``claim`` is the number of its message, 0 for none."""
        self.said.append((table, kind, {"entry": self.entry, "at": self.at, "claim": claim, **values}))

    def say_grant(self, grant: Grant, claim: int) -> None:
        """Tell a table what was granted, now or again: the entry is the grant's own."""
        named = (
            "link",
            "level",
            "round",
            "wager",
            "row",
            "seats",
            "cents",
            "each",
            "before",
            "after",
            "by_hand",
        )
        values = {name: getattr(grant, name) for name in named}
        self.say(messages.GRANTED, grant.table, claim, **values)
        self.said[-1][2]["entry"] = grant.entry
