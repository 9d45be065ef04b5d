"""The codec: round trips of anything, noise of any kind, and no corrupted report taken for another."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers.pads import messages as m
from sabot.drivers.pads.codec import LONGEST, PadCodec, frame_of, sealed, signed_bytes
from sabot.drivers.pads.payloads import read_payload, write_payload

from .campaign import corrupt, report, run_campaign

u8, u16, u32, u64 = (st.integers(0, 2**bits - 1) for bits in (8, 16, 32, 64))
texts = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=20)
blobs = st.binary(min_size=32, max_size=32)
lamps = st.tuples(*[st.sampled_from(m.Lamp)] * 8)
spots = st.builds(
    m.PadSpot, st.sampled_from(m.Cover), u8, st.none() | st.integers(0, 254), st.none() | st.integers(0, 0xFFFE), st.none() | st.integers(0, 0xFFFFFFFE)
)  # fmt: skip
messages = st.one_of(
    st.builds(m.PadHello, u8, u8, u8, blobs, blobs),
    st.builds(
        m.IdentityMessage,
        u8,
        st.integers(1, 64),
        st.integers(0, 31).map(m.Can),
        u32,
        blobs,
        blobs,
        blobs,
        texts,
        texts,
        texts,
        texts,
    ),
    st.just(m.PadProve()),
    st.builds(m.PadProof, st.binary(min_size=64, max_size=64)),
    st.builds(m.PadOrder, u64, u64, u64, lamps, u16),
    st.builds(
        m.PadState,
        u64,
        u64,
        u64,
        lamps,
        u16,
        st.integers(0, 7).map(m.Flag),
        st.lists(spots, min_size=1, max_size=64).map(tuple),
    ),
)
frames = st.builds(
    m.PadFrame,
    messages,
    st.integers(1, 2**32 - 1),
    u32,
    u32,
    u32,
    st.sampled_from([b"", bytes(range(16))]),
    st.just(b""),
)


@given(st.lists(frames, min_size=1, max_size=4), st.integers(1, 97))
def test_any_frame_comes_back_however_the_bytes_are_cut(sent: list[m.PadFrame], step: int) -> None:
    codec = PadCodec()
    data = b"".join(codec.encode(each) for each in sent)

    got = [frame for at in range(0, len(data), step) for frame in codec.receive(data[at : at + step])]

    assert [each._replace(signed=b"") for each in got] == sent
    assert codec.statistics.crc_errors == codec.statistics.resyncs == 0


@given(st.binary(max_size=3000))
def test_noise_is_no_frame_and_no_error_and_is_not_kept(noise: bytes) -> None:
    codec = PadCodec()

    assert codec.receive(noise) == []
    assert codec.statistics.buffer_high_water <= 2 * LONGEST


@given(st.binary(max_size=600), frames)
def test_the_first_good_frame_after_garbage_is_read(noise: bytes, frame: m.PadFrame) -> None:
    codec = PadCodec()

    got = codec.receive(noise + codec.encode(frame) + bytes(LONGEST))

    assert frame in [each._replace(signed=b"") for each in got]


def test_a_frame_inside_a_broken_one_is_found() -> None:
    codec = PadCodec()
    inner = codec.encode(frame_of(m.PadOrder(5), 9, 1))
    outer = bytearray(codec.encode(report(sequence=2)))
    outer[40 : 40 + len(inner)] = inner

    (found,) = codec.receive(bytes(outer))

    assert found.message == m.PadOrder(5)
    assert codec.statistics.crc_errors == 1


def test_half_a_frame_waits_and_is_forgotten_with_its_port() -> None:
    codec = PadCodec()
    data = codec.encode(report(sequence=1))

    assert codec.receive(data[:50]) == []
    codec.forget()
    assert codec.receive(data[50:]) == []
    assert len(codec.receive(data)) == 1


def test_the_first_half_of_a_magic_is_kept() -> None:
    codec = PadCodec()
    data = codec.encode(report(sequence=1))

    assert codec.receive(b"xx" + data[:1]) == []
    assert len(codec.receive(data[1:])) == 1
    assert codec.receive(b"yyy") == []


@pytest.mark.parametrize("at", [2, 4, 5, 6])
def test_a_header_that_cannot_be_is_passed_over_at_once(at: int) -> None:
    codec = PadCodec()
    data = bytearray(codec.encode(report(sequence=1)))
    data[at] = 0xEE

    assert len(codec.receive(bytes(data) + codec.encode(report(sequence=2)))) == 1


def _resealed(number: int, payload: bytes, session: int = 9) -> bytes:
    signed = bytearray(signed_bytes(frame_of(m.PadProve(), session), with_mac=False))
    signed[3] = number
    signed[6:8] = len(payload).to_bytes(2, "big")
    return sealed(bytes(signed) + payload, b"")


_STATE = write_payload(report(sequence=1).message)[1]
_WHO = write_payload(
    m.IdentityMessage(1, 3, m.Can(31), 1, bytes(32), bytes(32), bytes(32), "a", "b", "c", "d")
)[1]
BAD = {
    "unknown type": (0x77, b""),
    "hello too short": (0x01, bytes(66)),
    "prove with a payload": (0x03, b"x"),
    "proof too long": (0x04, bytes(65)),
    "order too short": (0x10, bytes(33)),
    "lamp that cannot be": (0x10, bytes(24) + b"\x04" + bytes(9)),
    "state cut short": (0x20, _STATE[:-1]),
    "state without spots": (0x20, _STATE[:35] + b"\x00"),
    "state with more spots than told": (0x20, _STATE[:35] + b"\x16" + _STATE[36:]),
    "state of a spot that cannot be": (0x20, _STATE[:36] + b"\x06" + _STATE[37:]),
    "identity cut short": (0x02, _WHO[:-2]),
    "identity with a tail": (0x02, _WHO + b"x"),
    "identity without spots": (0x02, _WHO[:1] + b"\x00" + _WHO[2:]),
    "text too long": (0x02, _WHO[:104] + b"\x15" + b"a" * 21 + b"\x00" * 3),
    "text that is not plain": (0x02, _WHO[:104] + b"\x01\x07" + b"\x00" * 3),
    "nothing": (0x02, b""),
}


@pytest.mark.parametrize("name", BAD)
def test_what_the_page_does_not_know_is_passed_over_and_counted(name: str) -> None:
    codec = PadCodec()

    assert codec.receive(_resealed(*BAD[name])) == []
    assert codec.statistics.refused == 1
    assert read_payload(*BAD[name]) is None


def test_a_text_may_be_as_long_as_the_page_says() -> None:
    longest = _WHO[:104] + b"\x14" + b"a" * 20 + b"\x00" * 3

    told = read_payload(0x02, longest)

    assert isinstance(told, m.IdentityMessage)
    assert (told.maker, told.model) == ("a" * 20, "")
    for spots, is_good in ((1, True), (m.SPOTS, True), (m.SPOTS + 1, False)):
        found = read_payload(0x02, _WHO[:1] + bytes([spots]) + _WHO[2:])
        assert isinstance(found, m.IdentityMessage) is is_good


def test_a_frame_behind_one_that_is_passed_over_arrives_with_it() -> None:
    codec = PadCodec()
    whole = codec.encode(frame_of(read_payload(0x02, _WHO), 7))  # type: ignore[arg-type]

    heard = codec.receive(_resealed(*BAD["nothing"]) + whole)
    assert [each.session for each in heard] == [7]


def test_a_frame_without_a_session_is_passed_over() -> None:
    codec = PadCodec()

    assert codec.receive(_resealed(0x03, b"", session=0)) == []
    assert codec.statistics.refused == 1


def test_no_wrong_wager_in_many_corrupted_reports() -> None:
    counts = run_campaign(3_000, seed=20)

    assert counts["corrupted"] == 3_000
    assert counts["wrong"] == 0
    assert counts["lost"] == 0
    assert counts["crc errors"] > 1_000


@given(st.integers(0, 10_000))
def test_every_corruption_changes_something(seed: int) -> None:
    data = PadCodec().encode(report(sequence=1))

    assert corrupt(data, random.Random(seed)) != data
