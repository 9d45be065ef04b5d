"""From an ``Outcome`` to the JSON of the contract."""

from sabot.rules.round import Line, Outcome


def outcome_json(outcome: Outcome) -> dict[str, object]:
    """The outcome as other programs read it; fields beyond the contract are added, none is renamed."""
    return {
        "settle_order": list(outcome.settle_order),
        "void": outcome.void,
        "lines": [line_json(line) for line in outcome.lines],
        "meters": outcome.meters,
        "hands": dict(outcome.hands),
        "readings": dict(outcome.readings),
    }


def line_json(line: Line) -> dict[str, object]:
    """One line; a stake of unknown value has its odds instead of sums."""
    fields: dict[str, object] = {
        "seat": line.seat,
        "wager": line.wager,
        "stake": line.stake,
        "result": line.result,
        "paid": line.paid,
        "back": line.back,
        "net": line.net,
        "row": line.row,
        "cite": line.cite,
    }
    # Fields that say nothing are left out, so that a consumer of before sees the lines that it knows.
    if line.stake is None:
        fields["odds"] = line.odds
    if line.uncut is not None:
        fields["before_limit"] = line.uncut
    if line.text:
        fields["says"] = line.text
    return fields
