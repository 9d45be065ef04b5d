"""The record of every random round, settled again by the naive model: line by line the same.

The model shares no code with ``sabot.rules`` and none with the table. Whatever the table did on its way (a
card set aside, an irregularity, a player who left, a decision taken back), its lines must be the model's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from sabot.statemachine.setup import Knowledge
from tests.model.naive import settle as model_settle

from .amounts import ROUNDS, SEEDS
from .people import WHIMS
from .random_shift import RandomShift
from .rounds_of_record import round_json
from .setups import KNOWN_WAYS, Way

if TYPE_CHECKING:
    from sabot.rules.round import Line
    from sabot.statemachine.record import RoundRecord

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


def compare(record: RoundRecord, shift: RandomShift, out: list[int]) -> None:
    """One round against the model."""
    round_ = round_json(record, shift.setup.options, out)
    said = model_settle(round_)
    any_order = bool(record.irregularity) or bool(record.left)
    ours = in_order([our_row(line) for line in record.lines], any_order=any_order)
    theirs = in_order([model_row(line) for line in said["lines"]], any_order=any_order)
    assert ours == theirs, (shift, record.number, round_)
    assert [line.cite for line in record.lines if line.result == "returned"] == [
        line["cite"] for line in said["lines"] if line["result"] == "returned"
    ]
    if not record.void:
        assert record.meters == said["meters"], (shift, record.number, round_)


def was_read(record: RoundRecord) -> bool:
    """Settled by the cards that a device read, not by what people declared or did by hand."""
    is_known = record.knowledge in (Knowledge.EACH_CARD, Knowledge.STACK)
    return is_known and not record.declared and not record.by_hand


@pytest.mark.parametrize("way", KNOWN_WAYS, ids=str)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_the_record_of_every_round_is_settled_alike_by_the_model(way: Way, seed: int) -> None:
    shift = RandomShift(seed, way, noise=0.01, whims=0.04, hot=0.6)
    shift.people.wishes = tuple(name for name in WHIMS if name != "out_of_order")
    compared = 0
    last = None
    out: list[int] = []
    for _ in shift.rounds(ROUNDS):
        round_ = shift.table.state.round
        if round_ is not None:
            out = [card.card for card in round_.seen if card is not None] if None not in round_.seen else []
            continue
        record = shift.table.last_record
        if record is not None and record is not last and out and was_read(record):
            compare(record, shift, out)
            compared += 1
        last = record
    assert compared > ROUNDS // 8, shift
