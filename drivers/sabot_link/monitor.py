"""Sabot Link for people who listen to a line: a frame in words, and a technician's words as a frame."""

from dataclasses import fields

from sabot.drivers.sabot_link.account_messages import DrawOpened
from sabot.drivers.sabot_link.codec import Frame, seal
from sabot.drivers.sabot_link.messages import RELIABLE_FROM, TYPES, CardRead, Message, StackOut, Unknown
from sabot.drivers.sabot_link.words import card_name, card_of

# Unknown among them: a message that this program does not know may well name a card.
SECRET = (CardRead, StackOut, Unknown, DrawOpened)
PLACE = ("session", "sequence", "ack")


def describe(frame: Frame, show_cards: bool) -> str:  # noqa: FBT001 - the interface of a convention
    """Return a frame in one line, its cards only where they may be seen."""
    message = frame.message
    place = f" #{frame.sequence}" if frame.sequence else ""
    sealed = " sealed" if frame.mac else ""
    return f"{frame.session:08x}{place} ack {frame.ack}{sealed} {_words(message, show_cards=show_cards)}"


def _words(message: Message, *, show_cards: bool) -> str:
    if show_cards and isinstance(message, DrawOpened):
        return _plain(message)
    if not show_cards or not isinstance(message, (CardRead, StackOut)):
        return repr(message) if isinstance(message, SECRET) else _plain(message)
    if isinstance(message, StackOut):
        cards = " ".join(card_name(card) for card in message.cards)
        return f"StackOut(event={message.event}, order={message.order}, size={message.size}, cards={cards})"
    card = card_of(message.rank, message.suit)
    name = "not read" if card is None else card_name(card)
    return f"CardRead(event={message.event}, index={message.index}, card={name}, {message.confidence} %)"


def _plain(message: Message) -> str:
    shown = [(each.name, getattr(message, each.name)) for each in fields(message)]
    words = [f"{name}={value.hex() if isinstance(value, bytes) else value}" for name, value in shown]
    return f"{message.word()}({', '.join(words)})"


def compose(text: str) -> bytes:
    """Return the frame that a technician names: `Ping token=1 session=7`, `Query session=7 sequence=1`."""
    name, *given = text.split()
    known = {message.word().lower(): message for message in TYPES.values()}
    if name.lower() not in known:
        raise ValueError(f"{name} is no message; there are {', '.join(sorted(known))}")
    values = dict(word.split("=", 1) for word in given)
    numbers = {key: int(values.pop(key), 0) for key in PLACE if key in values}
    kind = known[name.lower()]
    message = kind(**{each.name: _value(each.name, values) for each in fields(kind)})
    if values:
        raise ValueError(f"{name} has no {', '.join(values)}")
    sequence = numbers.get("sequence", 1 if kind.code >= RELIABLE_FROM else 0)
    return seal(Frame(message, numbers.get("session", 0), sequence, numbers.get("ack", 0)), None)


def _value(name: str, values: dict[str, str]) -> object:
    text = values.pop(name, "0")
    if name in _SIZES:
        return bytes.fromhex(text if len(text) % 2 == 0 else "").ljust(_SIZES.get(name, 0), b"\0")
    return text if name in _TEXTS else int(text, 0)


# Bytes, filled up to so many; texts; every other field is a number.
_SIZES = {"nonce": 32, "key": 32, "public": 32, "digest": 32, "signature": 64, "cards": 0}
_SIZES |= {"seal": 32, "salt": 16, "stakes": 0, "spots": 0}
_TEXTS = ("maker", "model", "serial", "firmware", "why", "cite")
