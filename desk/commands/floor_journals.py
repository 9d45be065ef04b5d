"""``sabot floor verify --journals``, ``sabot journal verify --floor``: floor and tables against each other.

Both ends are proved first, each by its own chain and signatures; then every message of a journal must be in
the ledger, every answer of the ledger in the journal, and the money of both the same
(sabot.uplink.reconciliation).
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sabot.firmware.journal.content import EVENT
from sabot.firmware.journal.entry import Entry as JournalEntry
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.firmware.progress_bar import ProgressBar
from sabot.rules.payouts import dollars

if TYPE_CHECKING:
    from sabot.floor.entry import FloorEntry
    from sabot.floor.verify import FloorProof
    from sabot.uplink.reconciliation import BoardJournal, BoardLedger, Reconciliation

Json = dict[str, Any]
Board = tuple[str, str]  # a table and the key of one of its boards
# Message numbers that a line lists before it says "...".
MOST_NUMBERS = 5


@dataclass(slots=True)
class Ledgers:
    """The ledger, board by board, kept while it is being proved, for whoever asks for it."""

    is_wanted: bool = True
    boards: dict[Board, "BoardLedger"] = field(default_factory=dict)

    def take(self, entry: "FloorEntry", key: str) -> None:
        """Take an entry of a table, and the key that signed it."""
        # A whole ledger in memory, for nothing, where no journal is held against it.
        if not self.is_wanted:
            return
        from sabot.uplink.reconciliation import Applied, BoardLedger  # noqa: PLC0415 - with the floor's extra alone

        board = (entry.table, key)
        message, outcome = json.loads(entry.content), json.loads(entry.outcome)
        applied = Applied(entry.number, message, outcome.get("refused", ""), _gave(outcome["moved"]))
        self.boards.setdefault(board, BoardLedger(*board)).applied.append(applied)


def _gave(moved: Iterable[Sequence[Any]]) -> int:
    """Return what the movements took from the players: negative if they got it back."""
    return sum(units * ((source == "players") - (target == "players")) for source, target, units, *_ in moved)


class Agreed(NamedTuple):
    """All journals that were given, against one ledger."""

    found: Sequence["Reconciliation"]
    missing: dict[Board, list[int]]
    strangers: Sequence[str]

    @property
    def is_good(self) -> bool:
        """Return whether nothing differs."""
        return not self.strangers and not any(each.differences for each in self.found)

    def facts(self) -> Json:
        """Return the comparison for programs."""
        missing = [{"table": table, "board": key, "messages": n} for (table, key), n in self.missing.items()]
        return {
            "journals": [each.facts() for each in self.found],
            "not_in_journals": missing,
            "strangers": list(self.strangers),
        }

    def lines(self) -> Iterator[str]:
        """Yield the comparison for people."""
        yield "TABLES AND FLOOR " + ("AGREE" if self.is_good else "DIFFER")
        for each in self.found:
            yield from _lines(each)
        for (table, key), numbers in self.missing.items():
            some = ", ".join(map(str, numbers[:MOST_NUMBERS])) + (", ..." if numbers[MOST_NUMBERS:] else "")
            yield f"  {table}: {len(numbers)} messages of board {key[:8]} are in no journal given ({some})"
        yield from (f"  {each}" for each in self.strangers)


def _lines(found: "Reconciliation") -> Iterator[str]:
    entries = f"entries {found.first} to {found.last} of {found.journal}"
    yield f"  {found.table}, board {found.board[:8]}, {entries}"
    wagers = f"{found.wagers} wagers of {dollars(found.cents)} that stand gave {found.units} ten-thousandths"
    yield f"    {found.same} messages alike, {found.refused} of them refused; {wagers}"
    yield f"    {found.answers} answers of the floor alike"
    for count, words in (
        (found.older, "older than the journal"),
        (found.waiting, "not in the ledger yet"),
        (found.beyond, "after the journal's end"),
    ):
        if count:
            yield f"    {count} messages {words}"
    yield from (f"    DIFFERENT: {each}" for each in found.differences)


def agreements(files: Sequence[Path], ledgers: Ledgers, proof: "FloorProof") -> Agreed | None:
    """Return how each journal agrees with a proved ledger; None if no journal was given."""
    return held_against([_exported(each) for each in files], ledgers, proof) if files else None


def held_against(journals: Iterable["BoardJournal"], ledgers: Ledgers, proof: "FloorProof") -> Agreed:
    """Return how journals agree with a proved ledger."""
    from sabot.uplink import reconciliation  # noqa: PLC0415 - with the floor's extra alone

    found: list[Reconciliation] = []
    strangers: list[str] = []
    said = _said(proof)
    for journal in journals:
        of_board = [each for each in ledgers.boards.values() if each.board == journal.board]
        tables = [name for name, table in proof.desk.state.tables.items() if table.key == journal.board]
        if not of_board and not tables:
            strangers.append(f"{journal.name} is of board {journal.board[:8]}, which no table here has had")
        # A board of which the ledger has no message: its journal is compared with nothing, not left out, so
        # that what it says it sent is missed.
        silent = [reconciliation.BoardLedger(name, journal.board) for name in tables]
        found += [
            reconciliation.compare(journal, each, said.get(each.table, {}), _terms(proof))
            for each in of_board or silent
        ]
    missing = {board: reconciliation.uncovered(each, found) for board, each in ledgers.boards.items()}
    return Agreed(found, {board: numbers for board, numbers in missing.items() if numbers}, strangers)


def _said(proof: "FloorProof") -> dict[str, dict[int, Json]]:
    """Return what the floor says to each table, as the ledger has it."""
    found: dict[str, dict[int, Json]] = {}
    for (table, number), body in proof.said.items():
        found.setdefault(table, {})[number] = json.loads(body)
    return found


def _terms(proof: "FloorProof") -> Any:  # noqa: ANN401 - a TermsOf, of a package that is imported late
    state = proof.desk.state

    def rates(link: str, config: int) -> Fraction:
        levels = state.plan(link, config).terms.levels.values()
        return sum((each.rate + each.reserve_rate for each in levels), Fraction(0))

    return rates


# ---------------------------------------------------------------- journals


def _exported(file: Path) -> "BoardJournal":
    """Return what an export says of linked meters; it is proved while it is read."""
    tick = ProgressBar().stage(file.name, max(1, file.stat().st_size if file.exists() else 1))
    export = ImportedExport(file)
    entries = export.entries()
    found = taken(str(file), (_ticked(each, tick) for each in entries))
    # Known only now: an export names its board while it is read.
    found.board = export.key.hex()
    return found


def _ticked(entry: JournalEntry, tick: Any) -> JournalEntry:  # noqa: ANN401 - a progress bar's
    tick(len(entry.body))
    return entry


def taken(name: str, entries: Iterable[JournalEntry], board: str = "") -> "BoardJournal":
    """Return what the entries of a journal say of linked meters."""
    from sabot.uplink.reconciliation import BoardJournal  # noqa: PLC0415 - with the floor's extra alone

    found = BoardJournal(board, name)
    for entry in entries:
        found.take(entry.number, entry.body if entry.kind == EVENT else "", entry.link.hex())
    return found
