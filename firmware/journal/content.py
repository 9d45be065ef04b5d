"""The content of an entry: the event and its effects as JSON, its cards under seal.

The open part has no card that is not public. Where an event carries cards, the whole event with its cards is
sealed beside it, for replay after a restart and for the two roles who may open it.
"""

import json
from collections.abc import Sequence
from typing import NamedTuple

from sabot.firmware.credentials.board import Seal
from sabot.firmware.journal.books import Moves
from sabot.firmware.journal.entry import Draft, Entry, Stamp
from sabot.firmware.journal.errors import ERRORS, JournalError
from sabot.statemachine.state.books import RoundRecord
from sabot.statemachine.vocabulary import codec
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import CardDrawn, Event, ShuffleCompleted, StackDispensed

EVENT, START, RESTORED, CLEARED = "event", "start", "restored", "cleared"
UNSEALED, ANCHOR = "unsealed", "anchor"
SLIP, LIFTED = "slip", "slips lifted"


class Handled(NamedTuple):
    """An event that the table has handled, with what followed."""

    event: Event
    effects: Sequence[Effect]
    record: RoundRecord | None = None
    moves: Moves | None = None


def has_cards(event: Event) -> bool:
    """Return whether an event brought cards that nobody may see yet."""
    if isinstance(event, CardDrawn):
        return event.card is not None
    cards = event.cards if isinstance(event, StackDispensed) else ()
    return bool(cards or (isinstance(event, ShuffleCompleted) and event.composition))


def draft(handled: Handled, stamp: Stamp, seal: Seal, number: int) -> Draft:
    """Return the entry of an event."""
    event, effects, record, moves = handled
    body: dict[str, object] = {
        "event": codec.event_json(event),
        "effects": [codec.effect_json(effect) for effect in effects],
    }
    if record is not None:
        body["record"] = codec.write(record)
    if moves:
        body["moves"] = moves
    sealed = b""
    if has_cards(event):
        # The event once more and not the cards alone: a replay reads one thing and puts none together.
        whole = json.dumps(codec.event_json(event, with_secrets=True)).encode()
        # Bound to the number of its entry: a seal that is moved to another entry does not open.
        sealed = seal.close(whole, place_of(number))
    return Draft(EVENT, stamp, _COMPACT.encode(body), sealed, record.number if record else 0)


# Made once: ``json.dumps`` makes an encoder at each call that asks for other separators.
_COMPACT = json.JSONEncoder(separators=(",", ":"))


def compact(value: object) -> bytes:
    """Return a value as JSON without a blank."""
    return _COMPACT.encode(value).encode()


def opened(seal: Seal, sealed: bytes, place: str) -> bytes:
    """Return content out of its seal; raise JournalError where it is not what was sealed there."""
    try:
        return seal.open(sealed, place)
    except ValueError as error:
        raise JournalError(ERRORS["E-JRNL-006"], "seal", number=place, why=error) from error


def place_of(number: int) -> str:
    """Return the place that an entry's seal belongs to."""
    return f"entry {number}"


def event_of(entry: Entry, seal: Seal) -> Event:
    """Return the event of an entry, its cards out of the seal."""
    if entry.sealed:
        return codec.read_event(json.loads(opened(seal, entry.sealed, place_of(entry.number))))
    return codec.read_event(json.loads(entry.body)["event"], f"entry {entry.number}")
