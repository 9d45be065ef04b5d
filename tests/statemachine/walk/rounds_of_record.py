"""From the record of a round and the order in which cards left, to the JSON that other programs settle.

The record says what everybody saw; the cards that stayed hidden are put in from the world that dealt them,
by the places of the record's plan. Nothing of the table is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sabot.rules.cards import NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sabot.rules.round import Options
    from sabot.statemachine.state.books import RoundRecord

Json = dict[str, Any]
SECOND = {"md4cp": "play", "pa641a": "play", "pa679a": "play", "pa682a": "play"}


def round_json(record: RoundRecord, options: Options, out: Sequence[int]) -> Json:
    """The round as JSON, with every card that was dealt."""
    places = dealt_places(record, out)
    seats = [_seat(record, seat, places) for seat in record.bets]
    shared = {
        place: cards[0] if len(cards) == 1 else cards
        for place, cards in places.items()
        if not place.startswith("seat") and place != "discard"
    }
    json: Json = {"chapter": record.chapter, "options": _options(options), "seats": seats, **shared}
    json["meters"] = record.meters_before
    if record.magic_card is not None or record.lucky is not None:
        json["draws"] = _draws(record)
    if record.irregularity:
        json["irregularity"] = {"kind": record.irregularity, "when": record.when}
    return json


def dealt_places(record: RoundRecord, out: Sequence[int]) -> dict[str, list[str]]:
    """The cards that lay at each place, in the order in which the plan gave them."""
    places: dict[str, list[str]] = {}
    for text in record.plan:
        place, _, position = text.partition("@")
        if int(position) <= len(out):
            places.setdefault(place.rstrip("^"), []).append(NAMES[out[int(position) - 1]])
    return places


def _seat(record: RoundRecord, seat: int, places: dict[str, list[str]]) -> Json:
    json: Json = {"seat": seat, "player": record.players[seat], "wagers": record.bets[seat]}
    json["cards"] = places.get(f"seat{seat}", [])
    if f"seat{seat}:fourth" in places:
        json["fourth"] = places[f"seat{seat}:fourth"][0]
    if seat in record.left:
        json["abandoned"] = True
    decision = _decision(record, seat)
    return json | ({"decision": decision} if decision else {})


def _decision(record: RoundRecord, seat: int) -> Json:
    raises = record.raises.get(seat, [])
    decision: Json = {"fold": True} if seat in record.folded else {}
    if record.chapter == "pa683a":
        return decision | {"raises": raises} if decision or raises else {}
    return decision | ({SECOND[record.chapter]: raises[0]} if raises else {})


def _draws(record: RoundRecord) -> Json:
    draws: Json = {}
    if record.magic_card is not None:
        draws["magic_card"] = NAMES[record.magic_card]
    if record.lucky is not None:
        draws["lucky"] = record.lucky
    return draws


def _options(options: Options) -> Json:
    json: Json = {
        "paytables": dict(options.paytables),
        "progressive_unit": options.progressive_unit,
        "meter_reset": dict(options.meter_reset),
        "pair_bonus_card": options.pair_bonus_card,
        "readings": dict(options.readings),
    }
    return json | ({} if options.payout_limit is None else {"payout_limit": options.payout_limit})
