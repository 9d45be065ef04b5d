"""Every codec under fire for a moment: what once broke one, what hypothesis finds, and bent frames."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .mutate import mutated
from .targets import BrokenCodecError, Target, _check_bounds, _check_resync, check, kept, names, target

INPUTS = 150


@pytest.fixture(params=names())
def aim(request: pytest.FixtureRequest) -> Target:
    return target(request.param)


def test_known_answers_give_good_frames_to_start_from(aim: Target) -> None:
    assert len(aim.frames) >= 4
    assert len(aim.make().receive(b"".join(aim.frames))) >= 3


def test_what_was_once_found_breaks_nothing(aim: Target) -> None:
    assert len(kept(aim.name)) >= 10
    for data in kept(aim.name):
        check(aim.name, data)


def test_bent_frames_break_nothing(aim: Target) -> None:
    draws = Random(f"unit/{aim.name}")
    for _ in range(INPUTS):
        check(aim.name, mutated(draws, aim.frames, ()))


@pytest.mark.parametrize("name", names())
def test_no_bytes_break_anything(name: str) -> None:
    pieces = st.one_of(st.binary(max_size=60), st.sampled_from(target(name).frames))

    @settings(max_examples=60)
    @given(st.lists(pieces, max_size=8).map(b"".join))
    def throw(data: bytes) -> None:
        check(name, data)

    throw()


def test_a_long_line_of_one_byte_is_forgotten(aim: Target) -> None:
    for byte in range(256):
        check(aim.name, bytes((255, *[byte] * 3000)))


class Deaf:
    """A codec that breaks every rule."""

    def __init__(self, statistics: object) -> None:
        self.statistics = statistics
        self.kept = bytearray()

    def receive(self, data: bytes) -> list[object]:
        self.kept += data
        return []


def test_a_codec_that_keeps_all_and_understands_nothing_would_be_found_out(aim: Target) -> None:
    deaf = Deaf(aim.make().statistics)
    with pytest.raises(BrokenCodecError, match="of"):
        _check_resync(aim, deaf)
    deaf.receive(bytes(10_000))
    with pytest.raises(BrokenCodecError, match="keeps"):
        _check_bounds(deaf)
