"""What the kit hears and says, against the known answers of the pages; and what no noise may do to it."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.hil.conformance import proving
from sabot.hil.conformance.alpha.host import SignKit
from sabot.hil.conformance.angel_eye import frame_reader as shoe
from sabot.hil.conformance.angel_eye.host import ShoeKit
from sabot.hil.conformance.hands import NoHands
from sabot.hil.conformance.kit import Setting
from sabot.hil.conformance.sabot_link import frame_reader as link
from sabot.hil.conformance.sabot_pads import frame_reader as pads

from .test_the_kit import Silent
from .virtual import Clock

ROOT = Path(__file__).resolve().parents[3]
LINK = json.loads((ROOT / "docs/sabot-link-vectors.json").read_text())
PADS = json.loads((ROOT / "docs/sabot-pads-vectors.json").read_text())
SHOE = json.loads((ROOT / "tests/drivers/vectors/angel-eye.json").read_text())
SIGN = json.loads((ROOT / "tests/drivers/vectors/alpha.json").read_text())
LINK_FRAMES = [line for each in LINK["exchanges"] for line in each["lines"]] + LINK["frames"]
PAD_FRAMES = PADS["plain"] + PADS["authenticated"]


def said(way: str, frames: list[dict[str, Any]]) -> list[dict[str, Any]]:
    found = [each for each in frames if each["from"] == way]
    assert found
    return found


@pytest.mark.parametrize("known", said("device", LINK_FRAMES), ids=lambda each: each["message"])
def test_a_known_frame_of_a_device_is_heard_as_it_is(known: dict[str, Any]) -> None:
    ear = link.LinkFrameReader()

    (came,) = ear.hear(bytes.fromhex(known["wire"]), 1.5)

    assert ear.defects == []
    assert came.at == 1.5
    message = came.message
    assert (message.name, message.session, message.sequence, message.ack) == tuple(
        known[name] for name in ("message", "session", "sequence", "ack")
    )
    assert message.mac.hex() == known["mac"]
    heard = {name: value.hex() if isinstance(value, bytes) else value for name, value in message.items()}
    assert heard.items() >= {k: v for k, v in known["fields"].items() if not isinstance(v, list)}.items()


@pytest.mark.parametrize("known", said("host", LINK_FRAMES), ids=lambda each: each["message"])
def test_what_only_a_host_sends_is_a_defect_of_a_device(known: dict[str, Any]) -> None:
    ear = link.LinkFrameReader()
    is_both = known["message"] in ("ACK", "PARTING")

    assert bool(ear.hear(bytes.fromhex(known["wire"]), 0.0)) == is_both
    assert bool(ear.defects) != is_both


@pytest.mark.parametrize("known", LINK["bad"], ids=lambda each: each["name"])
def test_a_known_bad_frame_is_no_frame_and_a_defect(known: dict[str, Any]) -> None:
    ear = link.LinkFrameReader()

    assert ear.hear(bytes.fromhex(known["wire"]), 0.0) == []
    assert ear.defects


@pytest.mark.parametrize(
    ("vectors", "page", "out", "back"),
    [(LINK, b"sabot-link/1", "device", "host"), (PADS, b"sabot-pads/1", "pad", "host")],
)
def test_the_known_proof_is_right_and_gives_the_known_keys(
    vectors: dict[str, Any], page: bytes, out: str, back: str
) -> None:
    known = {
        name: bytes.fromhex(value) for name, value in vectors["authentication"].items() if name != "spots"
    }
    public = known.get("device_ed25519_public") or known["pad_ed25519_public"]

    assert proving.is_right(public, known["signature"], known["transcript"], page)
    assert not proving.is_right(public, known["signature"], known["transcript"][::-1], page)
    assert not proving.is_right(public[::-1], known["signature"], known["transcript"], page)
    keys = proving.session_keys(known["shared_secret"], known["transcript"], page)
    assert keys == (known[f"key_to_{out}"], known[f"key_to_{back}"])
    assert proving.fingerprint(public) == vectors["authentication"]["fingerprint"]


@pytest.mark.parametrize("known", said("P", PAD_FRAMES), ids=lambda each: each["message"])
def test_a_known_frame_of_pads_is_heard_as_it_is(known: dict[str, Any]) -> None:
    ear = pads.PadFrameReader()

    (came,) = ear.hear(bytes.fromhex(known["frame"]), 0.0)

    assert ear.defects == []
    assert pads.NAMES[came.kind] == known["message"]
    heard = {name: value.hex() if isinstance(value, bytes) else value for name, value in came.fields.items()}
    same = {name for name, value in known["fields"].items() if name in heard and heard[name] == value}
    if known["message"] == "IDENTITY":
        assert same >= {"spots", "capabilities", "boot", "nonce", "key", "public", "maker", "serial"}
    if known["message"] == "STATE":
        spots = [
            tuple(each) if isinstance(each, list) else tuple(each.values())
            for each in known["fields"]["spots"]
        ]
        assert len(spots) == len(came.fields["spots"])
        assert same >= {"selflocks"}


@pytest.mark.parametrize("known", SHOE["reports"], ids=lambda each: each["name"])
def test_a_known_report_of_a_shoe_is_heard_as_it_is(known: dict[str, Any]) -> None:
    ear = shoe.ShoeFrameReader()

    (came,) = ear.hear(bytes.fromhex(known["bytes"]), 0.0)

    assert isinstance(came, shoe.ShoeReport)
    assert (came.sequence, came.letter) == (known["sequence"], known["kind"])
    assert came.data == bytes.fromhex(known["data"])
    assert ear.defects == []


@pytest.mark.parametrize("known", SHOE["damaged"], ids=lambda each: each["name"])
def test_a_damaged_report_of_a_shoe_is_no_report(known: dict[str, Any]) -> None:
    ear = shoe.ShoeFrameReader()
    good = bytes.fromhex(SHOE["reports"][0]["bytes"])

    came = ear.hear(bytes.fromhex(known["bytes"]) + good + good, 0.0)

    assert ear.defects
    assert {each.letter for each in came if isinstance(each, shoe.ShoeReport)} <= {"S"}


@pytest.mark.parametrize("known", SHOE["commands"], ids=lambda each: each["name"])
def test_a_command_to_a_shoe_is_the_known_one(known: dict[str, Any]) -> None:
    options = {"bcc_with_stx": "without STX" not in known["name"]}
    kit = ShoeKit(Silent(Clock()), NoHands(), Setting(options=options))

    assert kit.frame(known["kind"], known["argument"]) == bytes.fromhex(known["bytes"])


@pytest.mark.parametrize("known", SIGN["packets"], ids=lambda each: each["name"])
def test_a_transmission_to_a_sign_is_the_known_one(known: dict[str, Any]) -> None:
    kit = SignKit(Silent(Clock()), NoHands(), Setting())

    assert kit.frame(known["command"], bytes.fromhex(known["data"])) == bytes.fromhex(known["bytes"])


class Saying(Silent):
    """A wire on which this comes once."""

    def __init__(self, data: bytes) -> None:
        super().__init__(Clock())
        self.data = data

    def read(self, until: float) -> bytes:
        data, self.data = self.data, b""
        return data or super().read(until)


def heard_by_a_sign_kit(data: bytes) -> SignKit:
    kit = SignKit(Saying(data), NoHands(), Setting())
    kit.wait(0.5)
    return kit


@pytest.mark.parametrize("known", SIGN["answers"], ids=lambda each: each["name"])
def test_a_known_answer_of_a_sign_is_heard_as_it_is(known: dict[str, Any]) -> None:
    kit = heard_by_a_sign_kit(bytes.fromhex(known["bytes"]))

    assert kit.answers == [known["command"].encode() + bytes.fromhex(known["data"])]
    assert kit.defects == []


@given(st.lists(st.binary(max_size=400), max_size=8))
def test_no_noise_stops_an_ear_or_makes_it_keep_more_than_one_frame(pieces: list[bytes]) -> None:
    ears = link.LinkFrameReader(), pads.PadFrameReader(), shoe.ShoeFrameReader()
    for ear in ears:
        for piece in pieces:
            ear.hear(piece, 0.0)
        assert len(ear._held) <= 700
    heard_by_a_sign_kit(b"".join(pieces))


@given(st.binary(max_size=300))
def test_behind_noise_the_next_good_frame_is_heard(noise: bytes) -> None:
    known = said("device", LINK_FRAMES)[0]
    ear = link.LinkFrameReader()

    came = ear.hear(noise + b"\0" + bytes.fromhex(known["wire"]), 0.0)

    assert came[-1].message.name == known["message"]


@given(st.integers(0, 10_000))
def test_one_bent_bit_is_a_defect_of_any_convention(place: int) -> None:
    link_wire, pad_wire = (
        bytes.fromhex(said("device", LINK_FRAMES)[0]["wire"]),
        bytes.fromhex(said("P", PAD_FRAMES)[1]["frame"]),
    )
    shoe_wire = bytes.fromhex(SHOE["reports"][3]["bytes"])
    for ear, wire in (
        (link.LinkFrameReader(), link_wire),
        (pads.PadFrameReader(), pad_wire),
        (shoe.ShoeFrameReader(), shoe_wire),
    ):
        bit = place % (8 * (len(wire) - 1))
        bent = wire[: bit // 8] + bytes([wire[bit // 8] ^ 1 << bit % 8]) + wire[bit // 8 + 1 :]
        good = [
            each
            for each in ear.hear(bent + b"\0", 0.0)
            if isinstance(each, (link.Came, pads.PadsCame, shoe.ShoeReport))
        ]
        assert good == []


def test_a_refusal_has_as_many_bytes_as_the_profile_says() -> None:
    ear = shoe.ShoeFrameReader(refusal_bytes=2)
    assert [each.code for each in ear.hear(b"\x1508\x06", 1.0) if isinstance(each, shoe.ShoeAnswer)] == [
        8,
        None,
    ]
    assert ear.defects == []
    ear.hear(b"\x15zz", 2.0)
    assert ear.defects
