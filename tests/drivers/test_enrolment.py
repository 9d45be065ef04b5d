"""The proof of a device and the keys of its session, beside what the standard's own functions give."""

import hashlib
import hmac

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from sabot.drivers import enrolment
from sabot.drivers.enrolment import EnrolledProof

OURS, OTHER = EnrolledProof("test-link/1"), EnrolledProof("other-link/1")
DEVICE = Ed25519PrivateKey.from_private_bytes(bytes([7]) * 32)
PUBLIC = DEVICE.public_key().public_bytes_raw()
SAID = OURS.transcript_of(b"hello", b"identity")


def test_the_proof_is_good_for_this_greeting_this_key_and_this_convention_only() -> None:
    signature = DEVICE.sign(b"test-link/1 proof" + SAID)
    stranger = Ed25519PrivateKey.generate().public_key().public_bytes_raw()

    assert OURS.is_proved(PUBLIC, signature, SAID)
    assert not OURS.is_proved(PUBLIC, signature, OURS.transcript_of(b"hello", b"identitx"))
    assert not OURS.is_proved(stranger, signature, SAID)
    assert not OTHER.is_proved(PUBLIC, signature, SAID)


@given(st.binary(max_size=80), st.binary(max_size=80), st.binary(max_size=40))
def test_no_bytes_make_the_check_raise(public: bytes, signature: bytes, transcript: bytes) -> None:
    assert not OURS.is_proved(public, signature, transcript)
    assert not OURS.is_proved(PUBLIC, signature, transcript)


@given(st.binary(min_size=32, max_size=32), st.binary(min_size=32, max_size=32))
def test_both_sides_come_to_the_same_keys_and_each_way_has_its_own(one: bytes, other: bytes) -> None:
    here = OURS.agree(one, enrolment.public_of(other), SAID)
    there = OURS.agree(other, enrolment.public_of(one), SAID)

    assert here is not None
    assert here == there
    assert here.to_device != here.to_host
    assert OTHER.agree(one, enrolment.public_of(other), SAID) != here
    assert OURS.agree(one, enrolment.public_of(other), bytes(32)) != here


def test_a_key_that_is_no_key_agrees_on_nothing() -> None:
    own = bytes([9]) * 32
    assert OURS.agree(own, bytes(32), SAID) is None  # a point of small order: the secret would be known
    assert OURS.agree(own, bytes(31), SAID) is None


def test_a_mac_is_of_one_key_and_of_every_bit() -> None:
    key, frame = bytes([5]) * 32, b"\x00\x01frame with its number"
    code = enrolment.mac(key, frame)

    assert code == hmac.new(key, frame, hashlib.sha256).digest()[: enrolment.MAC_BYTES]
    assert enrolment.is_of(key, frame, code)
    assert not enrolment.is_of(bytes([6]) * 32, frame, code)
    for bit in range(8 * len(frame)):
        bent = bytearray(frame)
        bent[bit // 8] ^= 1 << bit % 8
        assert not enrolment.is_of(key, bytes(bent), code)
    assert not enrolment.is_of(key, frame, code[:-1])


def test_keys_are_shown_to_nobody() -> None:
    keys = OURS.agree(bytes([9]) * 32, enrolment.public_of(bytes([8]) * 32), SAID)
    assert keys is not None
    assert repr(keys) == str(keys) == "SessionKeys(**)"
