"""What is thrown at each codec, and what must hold whatever is thrown.

The codecs are found through their conventions, so that one which is added is fuzzed from that day. Three things
must hold: no bytes make a codec raise, however they are cut; what it keeps stays within bounds; and after any
bytes at all it understands good frames again.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from sabot.drivers import registry

HERE = Path(__file__).parent
VECTORS = HERE.parent / "drivers" / "vectors"
CORPUS = HERE / "corpus"
PADS = "sabot-pads"
KEPT_MOST = 8192
ROUNDS = 3
_HEX = re.compile(r"(?:[0-9a-fA-F]{2} ?)+")


class BrokenCodecError(AssertionError):
    """A codec does not do what all must."""


class Target(NamedTuple):
    """One codec under fire."""

    name: str
    make: Callable[[], Any]
    describe: Callable[[Any, bool], str]
    frames: tuple[bytes, ...]


def kept(name: str) -> list[bytes]:
    """What was once found for this codec: one input a line, in hexadecimal."""
    path = CORPUS / f"{name}.hex"
    return [bytes.fromhex(line) for line in path.read_text().splitlines()] if path.exists() else []


def names() -> list[str]:
    """Every convention that is installed, and the pads."""
    return list(dict.fromkeys([*registry.installed(registry.CONVENTIONS), PADS]))


@cache
def target(name: str) -> Target:
    """The codec of this name, with the good frames of its known answers."""
    if name not in registry.installed(registry.CONVENTIONS):
        # Imported as late as the others are, so that whoever leads by coverage sees it too.
        pads = import_module("sabot.drivers.pads.codec").PadCodec
        return Target(name, pads, _as_repr, _good_frames(name, pads))
    convention = registry.load_convention(name)

    def codec() -> Any:
        return convention.codec({})

    return Target(name, codec, convention.describe, _good_frames(name, codec))


def _as_repr(message: object, _show_cards: bool) -> str:
    return repr(message)


def _good_frames(name: str, make: Callable[[], Any]) -> tuple[bytes, ...]:
    """What of the known answers a fresh codec understands by itself, with nothing left over."""
    told = json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))
    every = [bytes.fromhex(text) for text in dict.fromkeys(_hex_texts(told))]
    return tuple(data for data in every if _is_one_frame(make(), data))


def _is_one_frame(codec: Any, data: bytes) -> bool:
    early = codec.receive(data[:-1])
    return not early and len(codec.receive(data[-1:])) == 1


def _hex_texts(value: object) -> Iterator[str]:
    if isinstance(value, str) and _HEX.fullmatch(value):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _hex_texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _hex_texts(each)


# ---------------------------------------------------------------- what must hold


def check(name: str, data: bytes) -> None:
    """Throw this at the codec; the first byte says how it is cut."""
    aim = target(name)
    codec = aim.make()
    step = data[0] if data and data[0] else max(1, len(data))
    for place in range(0, len(data), step):
        for message in codec.receive(data[place : place + step]):
            aim.describe(message, True)
            aim.describe(message, False)
    _check_bounds(codec)
    _check_resync(aim, codec)


def _check_bounds(codec: Any) -> None:
    kept = {where: size for where, size in _sizes(codec, "codec") if size > KEPT_MOST}
    if kept or codec.statistics.buffer_high_water > KEPT_MOST:
        raise BrokenCodecError(f"it keeps {kept or codec.statistics.buffer_high_water}")


def _sizes(thing: object, where: str, depth: int = 4) -> Iterator[tuple[str, int]]:
    """How long everything is that a codec holds."""
    if hasattr(thing, "__len__"):
        yield where, len(thing)
    for name in _attributes(thing) if depth else ():
        yield from _sizes(getattr(thing, name, None), f"{where}.{name}", depth - 1)


def _attributes(thing: object) -> list[str]:
    if isinstance(thing, (str, bytes, bytearray, int, float, type)) or callable(thing):
        return []
    return [*getattr(thing, "__dict__", {}), *getattr(thing, "__slots__", ())]


def _check_resync(aim: Target, codec: Any) -> None:
    """Good frames over and over: soon it must say what a codec says that has heard nothing else."""
    whole = b"".join(aim.frames)
    fresh = aim.make()
    for _ in range(ROUNDS):
        expected, heard = fresh.receive(whole), codec.receive(whole)
    if heard != expected:
        raise BrokenCodecError(f"after it {len(heard)} of {len(expected)} good messages were understood")
