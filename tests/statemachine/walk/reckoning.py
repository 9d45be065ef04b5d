"""One record of the table, settled again by the naive model: line by line the same, or it says so.

Who leaves while hands are settled changes what is due, and what was carried out stays as it was: such a record is settled
once for each time that somebody left or came back, and of each settlement only what was carried out under it is
wanted. Where that is not what was paid the table must have been held over it (PAID ELSEWHERE), and nowhere else.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sabot.statemachine.contest import begun, carried_spots
from sabot.statemachine.state.setup import Knowledge
from tests.model.naive import settle as model_settle

from .rounds_of_record import round_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabot.rules.round import Line, Options
    from sabot.statemachine.state.books import RoundRecord
    from sabot.statemachine.state.round import RoundState
    from sabot.statemachine.table import Table

Row = tuple[object, ...]
Said = dict[str, Any]
HELD = "paid_other "


class Moment(NamedTuple):
    """From here on these players are gone; the spots that were carried out before, and the seats that were closed."""

    left: tuple[int, ...]
    carried: frozenset[tuple[int, str]] = frozenset()
    closed: frozenset[int] = frozenset()


def moment_of(round_: RoundState) -> Moment:
    """How the round stands now."""
    closed = round_.order[: round_.settled]
    return Moment(tuple(round_.left), frozenset(carried_spots(round_)), frozenset(closed))


def our_row(line: Line) -> Row:
    """A line without what the model does not say."""
    return (line.seat, line.wager, line.stake, line.result, line.paid, line.back, line.row, line.odds)


def model_row(line: Said) -> Row:
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


def _spot(line: Said) -> tuple[int, str]:
    return line["seat"], line["wager"]


def from_here(stood: list[Said], said: list[Said], moment: Moment) -> tuple[list[Said], bool]:
    """The lines from a moment on, and whether what was carried out before is not what is said now."""
    kept = [line for line in stood if _spot(line) in moment.carried]
    again = [line for line in said if _spot(line) in moment.carried]
    rest = [line for line in said if _spot(line) not in moment.carried]
    open_ = [line for line in rest if line["seat"] not in moment.closed]
    return kept + open_, kept != again or open_ != rest


def compare(record: RoundRecord, moments: Sequence[Moment], options: Options, out: list[int]) -> None:
    """One round against the model."""
    lines: list[Said] = []
    is_held = False
    for moment in moments:
        round_ = round_json(replace(record, left=moment.left), options, out)
        said = model_settle(round_)
        lines, differs = from_here(lines, said["lines"], moment)
        is_held = is_held or differs
    any_order = bool(record.irregularity) or bool(record.left)
    ours = in_order([our_row(line) for line in record.lines], any_order=any_order)
    theirs = in_order([model_row(line) for line in lines], any_order=any_order)
    assert ours == theirs, (record.number, round_)
    assert [line.cite for line in record.lines if line.result == "returned"] == [
        line["cite"] for line in lines if line["result"] == "returned"
    ]
    if not record.void:
        assert record.meters == said["meters"] or (is_held and paid_as_listed(record)), (
            record.number,
            round_,
        )
        assert is_held == any(note.words.startswith(HELD) for note in record.notes), (record.number, moments)


def paid_as_listed(record: RoundRecord) -> bool:
    """The meters have lost what the record's hits came to; a share that was paid before may have been another one."""
    before, after = (
        sum(cents for levels in meters.values() for cents in levels.values())
        for meters in (record.meters_before, record.meters)
    )
    return before - after == sum(hit.cents for hit in record.hits if hit.needs_documents)


def was_read(record: RoundRecord) -> bool:
    """Settled by the cards that a device read, not by what people declared or did by hand."""
    is_known = record.knowledge in (Knowledge.EACH_CARD, Knowledge.STACK)
    return is_known and not record.declared and not record.by_hand


class Reckoning:
    """Settles each record of a table that was made from cards a device read."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.compared = 0
        self.spliced = 0
        self._last: RoundRecord | None = None
        self.out: list[int] = []
        self.moments: list[Moment] = []

    def see(self) -> None:
        """Look after each event; a record that is new is settled again."""
        round_ = self.table.state.play.round
        if round_ is not None:
            seen = [card.card for card in round_.seen if card is not None]
            self.out = seen if len(seen) == len(round_.seen) else []
            self._watch(round_)
            return
        record = self.table.rooms.recorded.last
        if record is not None and record is not self._last and self.out and was_read(record):
            # A void round has its lines of the void alone.
            moments = [Moment(record.left)] if record.void else self.moments
            compare(record, moments, self.table.law.setup.options, self.out)
            self.compared += 1
            self.spliced += len(moments) > 1
        self._last = record

    def _watch(self, round_: RoundState) -> None:
        """Until the first line is carried out there is one settlement, then one for each time that somebody leaves."""
        if not begun(round_):
            self.moments = [Moment(tuple(round_.left))]
        elif tuple(round_.left) != self.moments[-1].left:
            self.moments.append(moment_of(round_))
