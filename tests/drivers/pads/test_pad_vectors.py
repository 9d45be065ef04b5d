"""Both sides against the page's known answers, which a third hand computed."""

import json
from typing import Any

import pytest

from sabot.drivers import enrolment
from sabot.drivers.convention import Statistics
from sabot.drivers.pads import messages as m
from sabot.drivers.pads.codec import PadCodec, frame_of
from sabot.drivers.pads.session import PadLinkSession, PadPhase, PadTerms
from sabot.hil.simulators import pads_wire as wire
from sabot.hil.simulators.pads import Build, Pad

from . import make_vectors

VECTORS: dict[str, Any] = json.loads(make_vectors.JSON_FILE.read_text(encoding="utf-8"))
FRAMES = [(each, row) for each in ("plain", "authenticated") for row in VECTORS[each]]
IDS = [f"{each}-{at}-{row['message']}" for at, (each, row) in enumerate(FRAMES)]
STRANGER = m.PadOrder(0)


def test_the_page_and_its_json_are_what_the_page_says() -> None:
    for path, text in make_vectors.rendered().items():
        assert path.read_text(encoding="utf-8") == text, path.name
    assert (make_vectors.ROOT / "docs/sabot-pads-vectors.json").resolve() == make_vectors.JSON_FILE


def _message(name: str, fields: dict[str, Any]) -> m.Message:
    f: dict[str, Any] = {
        key: bytes.fromhex(value) if key in ("nonce", "key", "public", "signature") else value
        for key, value in fields.items()
    }
    if name == "HELLO":
        return m.PadHello(**f)
    if name == "IDENTITY":
        return m.IdentityMessage(**f | {"capabilities": m.Can(f["capabilities"])})
    if name in ("PROVE", "PROOF"):
        return m.PadProve() if name == "PROVE" else m.PadProof(**f)
    f["seats"] = tuple(map(m.Lamp, f["seats"]))
    if name == "ORDER":
        return m.PadOrder(**f)
    spots = [
        (m.Cover(c), n, light, None if age == 0xFFFF else age, None if cents == 0xFFFFFFFF else cents)
        for c, n, light, age, cents in f["spots"]
    ]
    return m.PadState(**f | {"flags": m.Flag(f["flags"]), "spots": tuple(m.PadSpot(*each) for each in spots)})


@pytest.mark.parametrize(("_kind", "row"), FRAMES, ids=IDS)
def test_the_driver_reads_and_writes_each_frame(_kind: str, row: dict[str, Any]) -> None:
    codec, data = PadCodec(), bytes.fromhex(row["frame"])

    (frame,) = codec.receive(data)

    assert frame.message == _message(row["message"], row["fields"])
    header = (frame.session, frame.sequence, frame.ack, frame.time_ms)
    assert header == (
        make_vectors.SESSION,
        *(row["header"].get(name, 0) for name in ("sequence", "ack", "time")),
    )
    assert codec.encode(frame) == data


@pytest.mark.parametrize(("kind", "row"), [each for each in FRAMES if each[1]["from"] == "H"])
def test_the_simulator_reads_what_the_host_says(kind: str, row: dict[str, Any]) -> None:
    (heard,) = list(wire.PadsWireEar().hear(bytes.fromhex(row["frame"])))

    assert heard["kind"] == make_vectors.TYPES[row["message"]]
    for name, value in row["fields"].items():
        assert (heard[name].hex() if isinstance(heard[name], bytes) else heard[name]) == value
    assert bool(heard["mac"]) == (kind == "authenticated" and row["message"] == "ORDER")


@pytest.mark.parametrize(("kind", "row"), [each for each in FRAMES if each[1]["from"] == "P"])
def test_the_simulator_writes_what_a_pad_says(kind: str, row: dict[str, Any]) -> None:
    fields, head = row["fields"], row["header"]
    data = {
        name: bytes.fromhex(value) if name in ("nonce", "key", "public") else value
        for name, value in fields.items()
    }
    payload = {
        "IDENTITY": lambda: wire.identity_payload(data),
        "PROOF": lambda: bytes.fromhex(fields["signature"]),
        "STATE": lambda: wire.state_payload(fields),
    }[row["message"]]()
    is_maced = kind == "authenticated" and row["message"] == "STATE"
    key = bytes.fromhex(VECTORS["authentication"]["key_to_host"]) if is_maced else b""

    frame = wire.put_together(
        make_vectors.TYPES[row["message"]], payload, session=make_vectors.SESSION, key=key,
        sequence=head.get("sequence", 0), ack=head.get("ack", 0), time_ms=head.get("time", 0),
    )  # fmt: skip

    assert frame.hex() == row["frame"]


def _draws() -> Any:
    secrets = VECTORS["authentication"]
    draws = [
        bytes.fromhex(secrets["host_x25519_private"]),
        make_vectors.SESSION.to_bytes(4, "big"),
        bytes.fromhex(secrets["host_nonce"]),
    ]
    return lambda _count: draws.pop(0)


def test_the_drivers_session_is_that_of_the_page() -> None:
    secrets = VECTORS["authentication"]
    session = PadLinkSession(
        PadTerms(True, bytes.fromhex(secrets["pad_ed25519_public"])), _draws(), Statistics()
    )
    rows, codec = VECTORS["authenticated"], PadCodec()

    said = [session.greeting().hex()]
    session.take(codec.receive(bytes.fromhex(rows[1]["frame"]))[0])
    said.append(session.greeting().hex())
    session.take(codec.receive(bytes.fromhex(rows[3]["frame"]))[0])
    said += [session.order(m.PadOrder(7)).hex()]
    told = session.take(codec.receive(bytes.fromhex(rows[5]["frame"]))[0])

    assert said == [rows[0]["frame"], rows[2]["frame"], rows[4]["frame"]]
    assert session.phase is PadPhase.UP
    assert session.identity.authenticated
    assert told is not None
    assert told.ack == 1
    assert enrolment.fingerprint(bytes.fromhex(secrets["pad_ed25519_public"])) == secrets["fingerprint"]


def _order(pad: Pad, sequence: int, *, locked: int, expected: int = 0) -> None:
    codec = PadCodec()
    order = m.PadOrder(locked, expected, seen=pad.selflocks)
    pad.write(codec.encode(frame_of(order, 9, sequence)))


@pytest.mark.parametrize("life", VECTORS["life"], ids=lambda life: life["name"])
def test_the_simulators_spot_lives_as_the_page_says(life: dict[str, Any]) -> None:
    clock = [0.0]
    pad = Pad(Build(spots=1), now=lambda: clock[0])
    pad.write(PadCodec().encode(frame_of(m.PadHello(1, 1, 0, bytes(32), bytes(32)), 9)))
    _order(pad, 1, locked=1)
    for at, (what, cover, changes) in enumerate(life["steps"], 2):
        word, _, number = what.partition(" ")
        if word in ("open", "lock", "expect"):
            _order(pad, at, locked=int(word != "open"), expected=int(word == "expect"))
        elif word == "silence":
            clock[0] += 1.5
            pad.look_at_clock()
        elif word in ("chips", "lift"):
            pad.chips(0, int(number or 0))
        else:
            getattr(pad, word)(0)

        assert (pad.spots[0].cover, pad.spots[0].changes) == (cover, changes), what
