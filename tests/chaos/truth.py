"""What is true of a table: its journal handled again by a table that nobody attacked, and what must follow.

The journal's chain is proved first; then every entry goes from the first one on, without the program's
snapshots, through a table made new from the table file. Effects and money are compared entry by entry on the
way (whoever differs raises); what the table is at the end is compared with what the program kept when it
stopped.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

from sabot.desk.procedure.check import Checker
from sabot.desk.procedure.reading import entry as entry_of
from sabot.firmware.credentials.board import SIMULATED, Rooms, load
from sabot.firmware.journal import money, store, verify
from sabot.firmware.journal.content import EVENT, event_of
from sabot.firmware.journal.recover import Replay, snapshot_place
from sabot.firmware.run.table_check import read
from sabot.rules.cards import NAMES
from sabot.statemachine.table import Table
from sabot.statemachine.vocabulary.events import CardDrawn, DeviceFaulted, DeviceJammed, LinkLost
from sabot.statemachine.vocabulary.fault_kinds import FAULT_ROWS, OURS
from tests.statemachine.walk.audit_waiting import WaitingAuditor

if TYPE_CHECKING:
    from pathlib import Path

    from sabot.firmware.journal.entry import Entry
    from sabot.statemachine.state.setup import Setup
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event


class Watched(Table):
    """A table at which somebody sees to it that nobody waits for ever, through every restart."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self._waiting = WaitingAuditor(self)

    def handle(self, event: Event) -> list[Effect]:
        """Handle it, with the auditor looking on."""
        effects = super().handle(event)
        self._waiting.see(event, effects)
        return effects


class Told(NamedTuple):
    """One journalled event, with what followed."""

    entry: Entry
    event: Event
    effects: list[dict[str, Any]]


class Truth(NamedTuple):
    """A table out of nothing but its journal."""

    table: Table
    told: list[Told]
    entries: list[Entry]

    @property
    def state(self) -> dict[str, Any]:
        """What it knows, as plain values."""
        found: dict[str, Any] = self.table.snapshot()["state"]  # type: ignore[assignment]
        return found

    @property
    def records(self) -> list[dict[str, Any]]:
        """The rounds that are closed."""
        bodies = (json.loads(each.entry.body) for each in self.told)
        return [body["record"] for body in bodies if "record" in body]


def truth_of(root: Path) -> Truth:
    """The chain proved, and every entry handled again; the journal may be at work."""
    _file, setup = read(root / "table.toml")
    board = load(Rooms(root), SIMULATED)
    replay, told = Replay(Watched(setup), board.seal, {}), []
    with closing(store.open_for_reading(Rooms(root).journal)) as db:
        verify.verify_journal(db, board.public_key, lambda _more: None)
        entries = list(store.entries(db))
        for entry in entries:
            replay.take(entry)
            if entry.kind == EVENT:
                told.append(Told(entry, event_of(entry, board.seal), json.loads(entry.body)["effects"]))
    return Truth(replay.table, told, entries)


def kept_by_the_program(root: Path) -> tuple[int, dict[str, Any]]:
    """The newest snapshot: after which entry, and the state that the program had in memory then."""
    board = load(Rooms(root), SIMULATED)
    with closing(store.open_for_reading(Rooms(root).journal)) as db:
        found = store.newest_snapshot(db)
    assert found is not None, "the program kept no snapshot"
    number, _link, sealed = found
    state: dict[str, Any] = json.loads(board.seal.open(sealed, snapshot_place(number)))
    return number, state


def verify_stopped(root: Path) -> Truth:
    """All that must hold of a program that was stopped in order."""
    truth = truth_of(root)
    number, state = kept_by_the_program(root)
    assert number == truth.entries[-1].number, "the snapshot is not of the journal's end"
    assert state == json.loads(json.dumps(truth.table.snapshot())), (
        "the program was not what its journal says"
    )
    verify_money(root, truth)
    verify_cards(truth)
    verify_faults(truth)
    verify_procedure(truth)
    return truth


def verify_money(root: Path, truth: Truth) -> None:
    """Every cent explained from the journal; all accounts together are nothing; records agree with meters."""
    board = load(Rooms(root), SIMULATED)
    with closing(store.open_for_reading(Rooms(root).journal)) as db:
        explained = money.explain(db, board.public_key, lambda _more: None)
    explained.verify(truth.table.state.books.ledger.balances)
    assert not sum(truth.table.state.books.ledger.balances.values()), "the ledger does not sum to nothing"


def verify_cards(truth: Truth) -> None:
    """No closed round that counts has turned a card twice."""
    for record in truth.records:
        cards = [card for cards in record["public"].values() for card in cards]
        twice = [card for card, count in Counter(cards).items() if count > 1]
        assert not twice or record["void"], f"round {record['number']}: {twice} twice"


def verify_faults(truth: Truth) -> None:
    """Whatever a device reported was latched; whatever was latched was released by somebody, or stands."""
    latched: set[tuple[str, str]] = set()
    for each in truth.told:
        for effect in each.effects:
            pair = (effect.get("fault", ""), effect.get("device", ""))
            if effect["effect"] == "RaiseFault":
                latched.add(pair)
            elif effect["effect"] == "ClearFault":
                assert effect["by"], f"entry {each.entry.number}: {pair} was released by nobody"
                assert pair in latched, f"entry {each.entry.number}: {pair} was never latched"
                latched.discard(pair)
        wanted = reported(each.event)
        assert wanted is None or wanted in latched, f"entry {each.entry.number}: {wanted} was not latched"
    standing = {(held.kind, held.device) for held in truth.table.state.trouble.holds}
    assert latched == standing, f"lost: {latched - standing}; from nowhere: {standing - latched}"


def verify_procedure(truth: Truth) -> None:
    """The second opinion, on the journal as an auditor has it, has nothing to object to."""
    checker = Checker()
    for each in truth.entries:
        checker.check(entry_of(each.kind, each.number, each.body))
    objections = [str(each) for each in checker.objections]
    assert not objections, "; ".join(objections)


def reported(event: Event) -> tuple[str, str] | None:
    """The fault that a device's word must latch."""
    if isinstance(event, LinkLost):
        return "lost_link", event.device
    if isinstance(event, DeviceJammed):
        return ("shuffler_jam" if event.device == "shuffler" else "device"), event.device
    if isinstance(event, DeviceFaulted):
        is_known = event.fault in FAULT_ROWS and event.fault not in OURS
        return event.fault if is_known else "device", event.device
    return None


def drawn(truth: Truth) -> list[str]:
    """The cards that a reading shoe was seen to give, in order."""
    secrets = [each.event.card for each in truth.told if isinstance(each.event, CardDrawn)]
    return [NAMES[secret.card] for secret in secrets if secret is not None]
