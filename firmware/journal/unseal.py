"""Opening what was sealed: the cards of a closed round that never became public.

Two people of different roles and a named cause; that it was done is an entry on the medium before anybody
sees a card.
"""

import sqlite3
from typing import NamedTuple

from sabot.firmware.credentials.board import Seal
from sabot.firmware.journal import store
from sabot.firmware.journal.appending import Keeper
from sabot.firmware.journal.authority import Authority
from sabot.firmware.journal.content import EVENT, UNSEALED, compact, event_of
from sabot.firmware.journal.entry import Draft, Stamp
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.statemachine.vocabulary import codec


class UnsealedRound(NamedTuple):
    """An event with its cards."""

    number: int
    utc: str
    event: dict[str, object]


def verify_closed(db: sqlite3.Connection, number: int) -> tuple[int, int]:
    """Return the first and last entry of a closed round; raise where it is none."""
    found = store.entries_of_round(db, number)
    if found is None:
        raise JournalError(ERRORS["E-JRNL-012"], "unseal", round=number)
    return found


async def unseal(
    appender: Keeper, db: sqlite3.Connection, seal: Seal, number: int, authority: Authority, stamp: Stamp
) -> list[UnsealedRound]:
    """Return the events of a closed round that brought cards, with them."""
    first, last = verify_closed(db, number)
    body = compact({"round": number, "first": first, "last": last, **authority.as_json()}).decode()
    # On the medium before a card is seen: nobody looks without a trace.
    await appender.keep(lambda _number, _before: Draft(UNSEALED, stamp, body))
    sealed = (each for each in store.entries(db, first, last) if each.kind == EVENT and each.sealed)
    return [
        UnsealedRound(each.number, each.stamp.utc, codec.event_json(event_of(each, seal), with_secrets=True))
        for each in sealed
    ]
