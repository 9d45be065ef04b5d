"""The table as its floor may know it: no card at all, and of people the numbers of those on duty.

What is here is what a floorperson sees from across the pit, and what a technician would ask first. It is made
once a second where the table is linked, from the state that stands on the medium.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot import __version__
from sabot.floor import table_state

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sabot.drivers.device import DeviceStatus
    from sabot.statemachine.table import Table

MOST_DUE_S = table_state.MOST_AGE_S


def state_of(
    table: Table, devices: Iterable[DeviceStatus], program: str, amounts: Iterable[Sequence[object]] = ()
) -> dict[str, object]:
    """Return how a table is; ``amounts`` are those of its linked meters, as its signs show them."""
    # Texts and lists are cut to what the floor takes (floor/table_state.py).
    state, round_ = table.state, table.state.play.round
    bets = round_.bets if round_ is not None else state.layout.bets
    return {
        "chapter": table.law.chapter.id,
        "version": __version__,
        "program": program,
        "phase": state.play.phase.value,
        "round": round_.number if round_ is not None else 0,
        "rounds": state.books.rounds,
        "dealer": state.crew.dealer[:20],
        "seats": table.law.setup.seat_count,
        "taken": sorted(bets),
        "held": _held(table),
        "called": [[role, _plain(why, 120)] for role, why in sorted(state.crew.calls.items())],
        "decks": _decks(table),
        "links": [[name, _plain(each.why, 80)] for name, each in sorted(state.books.linked.links.items())],
        "devices": [[each.name, each.is_up, _plain(each.why, 120)] for each in devices][
            : table_state.MOST_DEVICES
        ],
        "meters": [*_own_meters(table), *map(list, amounts)][: table_state.MOST_METERS],
        "waits": _waits(table),
        "wagers": [
            [seat, wager, cents or 0]
            for seat, placed in sorted(bets.items())
            for wager, cents in placed.items()
        ],
        "lie": _lie(table),
        "folded": sorted(round_.folded) if round_ is not None else [],
        "asking": round_.asking if round_ is not None else 0,
        "day": [
            [what, getattr(state.books.day, what)]
            for what in ("rounds", "voids", "hits", "faults", "unlocks")
        ],
    }


def _own_meters(table: Table) -> list[list[object]]:
    return [
        [meter, level, cents]
        for meter, levels in table.rooms.shares.meters().items()
        for level, cents in levels.items()
    ]


def _plain(text: str, most: int) -> str:
    # A text of a device may hold anything. A state with a field that has no form would not be said at all.
    return "".join(each if each.isprintable() else " " for each in text)[:most]


def _held(table: Table) -> list[list[object]]:
    """Return the latched faults: kind, device, why, who releases it, and for how many seconds."""
    found: list[list[object]] = []
    for each in table.state.trouble.holds[: table_state.MOST_HOLDS]:
        since_s = max(0, int(table.state.clock.now - each.since))
        found.append([each.kind, each.device[:40], _plain(each.why, 120), each.role.value, since_s])
    return found


def _decks(table: Table) -> list[list[object]]:
    """Return each deck, its lot, and in how many seconds it is due for change."""
    found: list[list[object]] = []
    for name, deck in sorted(table.state.stock.decks.items()):
        due_s = int(max(0.0, table.rooms.deck_room.deadline(deck) - table.state.clock.now))
        found.append([name.lower(), deck.lot[:20], min(MOST_DUE_S, due_s)])
    return found


def _waits(table: Table) -> list[list[object]]:
    """Return the hits on linked meters that wait for somebody: seat, wager, for what."""
    found: list[list[object]] = []
    for each in table.state.books.linked.claims:
        why = each.refused or ("to be validated" if each.grant else "for the floor's amount")
        found += [[seat, each.wager, _plain(why, 80)] for seat in each.seats if not each.grant or not each.by]
    return found


def _lie(table: Table) -> list[list[object]]:
    """Return how many cards lie at each place; which ones is no matter of a network."""
    if table.state.play.round is None:
        return []
    return [[place[:40], count] for place, count in table.rooms.views.dealt().items()]
