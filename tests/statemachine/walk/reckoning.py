"""One record of the table, settled again by the naive model: line by line the same, or it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sabot.statemachine.setup import Knowledge
from tests.model.naive import settle as model_settle

from .rounds_of_record import round_json

if TYPE_CHECKING:
    from sabot.rules.round import Line, Options
    from sabot.statemachine.record import RoundRecord
    from sabot.statemachine.table import Table

Row = tuple[object, ...]


def our_row(line: Line) -> Row:
    """A line without what the model does not say."""
    return (line.seat, line.wager, line.stake, line.result, line.paid, line.back, line.row, line.odds)


def model_row(line: dict[str, Any]) -> Row:
    odds = line.get("odds")
    return (
        line["seat"],
        line["wager"],
        line["stake"],
        line["result"],
        line["paid"],
        line["back"],
        line["row"],
        odds,
    )


def in_order(rows: list[Row], *, any_order: bool) -> list[Row]:
    """Where wagers are only returned or collected the order among them is not significant."""
    return sorted(rows, key=repr) if any_order else rows


def compare(record: RoundRecord, options: Options, out: list[int]) -> None:
    """One round against the model."""
    round_ = round_json(record, options, out)
    said = model_settle(round_)
    any_order = bool(record.irregularity) or bool(record.left)
    ours = in_order([our_row(line) for line in record.lines], any_order=any_order)
    theirs = in_order([model_row(line) for line in said["lines"]], any_order=any_order)
    assert ours == theirs, (record.number, round_)
    assert [line.cite for line in record.lines if line.result == "returned"] == [
        line["cite"] for line in said["lines"] if line["result"] == "returned"
    ]
    if not record.void:
        assert record.meters == said["meters"], (record.number, round_)


def was_read(record: RoundRecord) -> bool:
    """Settled by the cards that a device read, not by what people declared or did by hand.

    Nor where a player left after another seat had its share of the same hit: the record has what was paid, the
    table was held over it, and people put it right.
    """
    is_known = record.knowledge in (Knowledge.EACH_CARD, Knowledge.STACK)
    was_held = any(note.words.startswith("paid_other ") for note in record.notes)
    return is_known and not record.declared and not record.by_hand and not was_held


class Reckoning:
    """Settles each record of a table that was made from cards a device read."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.compared = 0
        self._last: RoundRecord | None = None
        self._out: list[int] = []

    def see(self) -> None:
        """Look after each event; a record that is new is settled again."""
        round_ = self.table.state.play.round
        if round_ is not None:
            seen = [card.card for card in round_.seen if card is not None]
            self._out = seen if len(seen) == len(round_.seen) else []
            return
        record = self.table.rooms.recorded.last
        if record is not None and record is not self._last and self._out and was_read(record):
            compare(record, self.table.setup.options, self._out)
            self.compared += 1
        self._last = record
