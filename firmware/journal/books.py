"""The movements of an event on the ledger, so that the journal itself explains every cent.

The table's ledger knows sums by account and cause. Between two events the difference of these sums is what
the event moved; it stands in the event's entry, both sides of it, and adds up to nothing. Whoever has the
journal can so add up any meter from its seed to its value without the program that ran the table.
"""

from collections.abc import Mapping

from sabot.statemachine.state.ledger import Ledger

Moves = dict[str, dict[str, int]]


class Books:
    """The sums as they were after the last event."""

    def __init__(self, ledger: Ledger) -> None:
        self._keep(ledger)

    def _keep(self, ledger: Ledger) -> None:
        # A copy: the ledger goes on in the same dictionaries.
        self._moved: Moves = {account: dict(causes) for account, causes in ledger.moved.items()}
        self._balances = dict(ledger.balances)

    def since(self, ledger: Ledger) -> Moves:
        """Return the moves since the last call by account and cause, in hundredths of a cent."""
        # By far the most events move nothing.
        if ledger.moved == self._moved:
            return {}
        found = _more(ledger.moved, self._moved)
        if balances_of(found) != difference(ledger.balances, self._balances):
            found = _more(ledger.moved, {})  # a new day: its sums began anew with this event
        self._keep(ledger)
        return found


def _more(now: Mapping[str, Mapping[str, int]], before: Mapping[str, Mapping[str, int]]) -> Moves:
    found: Moves = {}
    for account, causes in now.items():
        known = before.get(account, {})
        changed = {what: units - known.get(what, 0) for what, units in causes.items()}
        if any(changed.values()):
            found[account] = {what: units for what, units in changed.items() if units}
    return found


def balances_of(moves: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Return the sums of moves by account; accounts that end as they were are left out."""
    sums = {account: sum(causes.values()) for account, causes in moves.items()}
    return {account: units for account, units in sums.items() if units}


def difference(now: Mapping[str, int], before: Mapping[str, int]) -> dict[str, int]:
    """Return by how much each account changed."""
    changed = {account: now.get(account, 0) - before.get(account, 0) for account in now.keys() | before}
    return {account: units for account, units in changed.items() if units}


def add(total: Moves, more: Mapping[str, Mapping[str, int]]) -> None:
    """Add moves to a total."""
    for account, causes in more.items():
        known = total.setdefault(account, {})
        for what, units in causes.items():
            known[what] = known.get(what, 0) + units


def by_one_cause(balances: Mapping[str, int], what: str) -> Moves:
    """Return balances as moves by one cause."""
    return {account: {what: units} for account, units in balances.items() if units}
