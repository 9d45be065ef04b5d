"""Sabot pads for people who listen: a frame in words, and a technician's words as a frame.

What is composed here has no MAC: an authenticated pad throws it away, as it should.
"""

from sabot.drivers.convention import Convention, LineSettings
from sabot.drivers.pads.codec import PadCodec, frame_of
from sabot.drivers.pads.messages import (
    DARK,
    SEATS,
    Cover,
    Lamp,
    Message,
    PadFrame,
    PadHello,
    PadOrder,
    PadProve,
    PadSpot,
    PadState,
)

_NUMBERS = ("session", "sequence", "locked", "expected", "lit", "seen")


def describe(frame: PadFrame, _show_cards: bool) -> str:  # noqa: FBT001 - the interface of a convention
    """Return a frame in one line; pads know no cards."""
    place = f" #{frame.sequence}" if frame.sequence else ""
    sealed = " sealed" if frame.mac else ""
    message = frame.message
    words = _state_words(message) if isinstance(message, PadState) else _plain(message._asdict())
    name = type(message).__name__.removeprefix("Pad")  # the page's name, without that of the room
    return f"{frame.session:08x}{place} ack {frame.ack}{sealed} {name} {words}".rstrip()


def _plain(fields: dict[str, object]) -> str:
    return " ".join(f"{name}={_value(name, value)}" for name, value in fields.items())


def _value(name: str, value: object) -> str:
    if name in ("locked", "expected", "lit"):
        return f"{value:#x}"
    if name == "seats":
        return "".join(str(int(lamp)) for lamp in value)  # type: ignore[attr-defined]
    return value.hex() if isinstance(value, bytes) else str(value)


def _state_words(state: PadState) -> str:
    head = _plain({name: value for name, value in state._asdict().items() if name not in ("spots", "flags")})
    return " ".join(
        [head, f"flags={int(state.flags)}", *map(_spot_words, range(len(state.spots)), state.spots)]
    )


def _spot_words(number: int, spot: PadSpot) -> str:
    if spot.cover is Cover.EMPTY:
        return f"{number}:empty"
    value = "" if spot.cents is None else f"={spot.cents}"
    return f"{number}:{spot.cover.name.lower()}{value}"


def compose(text: str) -> bytes:
    """Return the frame that a technician names: `order session=7 sequence=3 locked=0xff seats=01000000`."""
    name, *given = text.split() or [""]
    values = dict(word.partition("=")[::2] for word in given)
    seats = values.pop("seats", "0" * SEATS)
    unknown = values.keys() - set(_NUMBERS)
    if unknown or name not in ("hello", "prove", "order"):
        wanted = "hello, prove or order, with session, sequence, locked, expected, lit, seats, seen"
        raise ValueError(f"{' '.join(sorted(unknown)) or name!r} is not known: {wanted}")
    numbers = {each: int(values.get(each, "0"), 0) for each in _NUMBERS}
    lamps = tuple(map(Lamp, map(int, seats)))
    if len(lamps) != len(DARK):
        raise ValueError(f"{SEATS} digits for the seats, each 0 to 3")
    order = PadOrder(numbers["locked"], numbers["expected"], numbers["lit"], lamps, numbers["seen"])
    known: dict[str, Message] = {
        "hello": PadHello(1, 1, 0, bytes(32), bytes(32)),
        "prove": PadProve(),
        "order": order,
    }
    return PadCodec().encode(frame_of(known[name], numbers["session"], numbers["sequence"]))


CONVENTION = Convention(
    "sabot-pads", "bet pads (Sabot pads)", LineSettings(), lambda _options: PadCodec(), describe, compose
)
