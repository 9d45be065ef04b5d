"""Who a device is: wrong keys, replays, changed and reordered frames are refused, and nothing comes of them."""

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.drivers.enrolment import fingerprint
from sabot.drivers.sabot_link.session import Session
from sabot.hil.simulators.sabot_link import Who
from sabot.hil.simulators.sabot_link.wire import Receiver, frame_of, head_of
from sabot.statemachine.vocabulary.events import (
    DeviceFaulted,
    DeviceModeChanged,
    DeviceRetested,
    LinkLost,
    LinkRestored,
    ShuffleCompleted,
    ShuffleStarted,
)

from .link_pair import PUBLIC, Pair

OTHER = Who(secret=bytes([0x44]) * 32)
OTHER_PUBLIC = Ed25519PrivateKey.from_private_bytes(OTHER.secret).public_key().public_bytes_raw()


def _session(pair: Pair) -> Session:
    assert pair.host.session is not None
    return pair.host.session


def test_a_device_that_nobody_enrolled_is_a_fault_until_it_is() -> None:
    pair = Pair(enrolled=None)
    fault = pair.wait(DeviceFaulted)
    assert (fault.fault, fault.detail) == ("device", f"it is not enrolled; its key is {fingerprint(PUBLIC)}")
    assert pair.host.offered == PUBLIC
    pair.run(30)
    assert len(pair.said(DeviceFaulted)) == 1
    pair.enrolled = PUBLIC
    pair.host.retest("device", pair.now)
    pair.flush()
    pair.wait(LinkRestored)
    assert [(each.fault, each.good) for each in pair.said(DeviceRetested)] == [
        ("device", False),
        ("device", True),
    ]
    assert (pair.host.identity.authenticated, pair.host.offered) == (True, b"")


def test_another_devices_key_is_a_fault() -> None:
    pair = Pair(who=OTHER)
    assert (
        pair.wait(DeviceFaulted).detail
        == f"another device is enrolled; its key is {fingerprint(OTHER_PUBLIC)}"
    )
    assert not pair.run(20, lambda: pair.host.is_up)


def test_a_device_that_shows_a_key_that_it_does_not_hold() -> None:
    pair = Pair(who=OTHER)
    pair.tamper = lambda to, data: data if to == "device" else _with(data, "IDENTITY", public=PUBLIC)
    pair.wait(DeviceFaulted)
    assert "its proof is wrong" in pair.said(DeviceFaulted)[0].detail


def _with(data: bytes, name: str, **changed: object) -> bytes:
    """A line on which somebody rewrites one kind of message, with a right CRC."""
    out = b""
    for message in Receiver().feed(data):
        values = dict(message) | (changed if message.name == name else {})
        body = head_of(
            message.name, message.session, message.sequence, message.ack, values, maced=bool(message.mac)
        )
        out += frame_of(body + message.mac)
    return out


@pytest.mark.parametrize(
    "changed", [{"serial": "SIM-0002"}, {"firmware": "9"}, {"nonce": bytes(32)}, {"key": PUBLIC}, {"capabilities": 1}, {"key": bytes(32)}]
)  # fmt: skip
def test_nothing_of_the_greeting_can_be_changed_on_the_way(changed: dict[str, object]) -> None:
    pair = Pair()
    pair.tamper = lambda to, data: data if to == "device" else _with(data, "IDENTITY", **changed)
    assert "its proof is wrong" in pair.wait(DeviceFaulted).detail


def test_nobody_can_talk_the_two_out_of_authentication() -> None:
    pair = Pair()
    pair.tamper = lambda to, data: _with(data, "HELLO", wants=0) if to == "device" else data
    pair.host.closed("", pair.now)
    pair.host.opened(pair.now)
    pair.flush()
    assert not pair.run(30, lambda: pair.host.is_up)
    assert pair.host.why == "no answer to proving, asked 10 times"


def test_a_changed_frame_is_refused_and_the_third_ends_the_session() -> None:
    pair = Pair().up()
    pair.tamper = lambda to, data: data if to == "device" else _with(data, "MODE", mode=4)
    pair.act("mode sort")
    fault = pair.wait(DeviceFaulted)
    assert fault.detail == "frames that do not come from this device"
    assert pair.said(DeviceModeChanged) == []
    pair.tamper = lambda _to, data: data
    pair.wait(LinkRestored)
    assert [event.mode for event in pair.said(DeviceModeChanged)] == ["sort"]


def test_wrong_session_codes_are_refused() -> None:
    pair = Pair().up()
    pair.act("forge on")
    assert pair.wait(DeviceFaulted).detail == "frames that do not come from this device"
    assert pair.said(LinkLost)[0].reason == "frames that do not come from this device"


def test_a_frame_without_a_code_in_a_sealed_session() -> None:
    pair = Pair().up()
    link = pair.device.link
    body = head_of("MODE", link.session, link.last + 1, 0, {"event": 9, "time": 1, "mode": 2}, maced=False)
    pair.post("host", frame_of(body))
    pair.run(1)
    assert (pair.events, pair.host.codec.statistics.refused) == ([], 1)


def test_replays_of_the_same_session_change_nothing() -> None:
    pair = Pair().up()
    pair.shuffle()
    pair.wait(ShuffleCompleted)
    before = list(pair.events)
    pair.act("replay")
    pair.run(5)
    assert pair.events == before
    assert pair.host.is_up
    assert pair.host.codec.statistics.duplicates > 0


def test_replays_of_another_session_change_nothing() -> None:
    pair = Pair().up()
    pair.act("mode sort")
    pair.wait(DeviceModeChanged)
    old = [data for to, data in pair.tap if to == "host"]
    pair.host.closed("", pair.now)
    pair.host.opened(pair.now)
    pair.flush()
    pair.up()
    before = list(pair.events)
    for data in old:
        pair.post("host", data)
    pair.run(5)
    assert (pair.events, pair.host.is_up) == (before, True)
    assert pair.host.codec.statistics.refused >= len(old)


def test_replayed_pongs_do_not_keep_a_dead_device_alive() -> None:
    pair = Pair().up()
    pongs = [data for to, data in pair.tap if to == "host"][-4:]
    pair.device.is_on = False
    for _ in range(20):
        pair.run(0.2)
        for data in pongs:
            pair.post("host", data)
    assert pair.said(LinkLost)[0].reason == "silent for 2 s"


def test_frames_sent_back_to_the_host_are_refused() -> None:
    pair = Pair().up()
    mine = [data for to, data in pair.tap if to == "device"]
    pair.post("host", mine[-1])
    pair.run(1)
    assert (pair.events, pair.host.codec.statistics.refused) == ([], 1)


def test_frames_in_another_order_are_not_taken() -> None:
    pair = Pair().up()
    link = pair.device.link
    for ahead in (2, 3, 1):
        head = head_of(
            "MODE",
            link.session,
            _session(pair).reliable.taken + ahead,
            0,
            {"event": ahead, "time": 1, "mode": 2},
            maced=True,
        )
        pair.host.receive(frame_of(head + link._mac(link.key_out, head)), pair.now)
        assert len(pair.host.take_events()) == (ahead == 1)


@pytest.mark.parametrize(
    ("pin", "words"),
    [("maker", "its maker is Sabot, X is wanted"), ("model", "its model"), ("serial", "its serial"), ("firmware", "its firmware")],
)  # fmt: skip
def test_a_pinned_device_is_wanted_and_no_other(pin: str, words: str) -> None:
    fault = Pair(**{pin: "X"}).wait(DeviceFaulted)  # type: ignore[arg-type]
    assert fault.fault == "device"
    assert words in fault.detail


def test_a_pinned_device_that_is_the_one() -> None:
    assert Pair(serial="SIM-0001").up().host.is_up


def test_a_device_of_another_version() -> None:
    pair = Pair()
    pair.tamper = lambda to, data: data if to == "device" else _with(data, "IDENTITY", version=0)
    assert pair.wait(DeviceFaulted).detail == "it speaks no version that this program speaks"


# ---------------------------------------------------------------- authenticated = false


def test_without_authentication_it_works_and_says_so() -> None:
    pair = Pair(authenticated=False, enrolled=None).up()
    pair.shuffle()
    assert pair.wait(ShuffleCompleted).count == 52
    assert not pair.host.identity.authenticated


def test_without_authentication_a_sealed_frame_is_refused() -> None:
    pair = Pair(authenticated=False).up()
    pair.device.link.key_out = bytes(32)
    pair.act("mode sort")
    assert pair.wait(DeviceFaulted).detail == "frames that do not come from this device"


def test_no_key_and_no_card_is_in_any_repr() -> None:
    pair = Pair().up()
    pair.shuffle()
    pair.wait(ShuffleStarted)
    pair.wait(ShuffleCompleted)
    text = repr([pair.events, pair.host.reporter, pair.host.session, pair.host.identity])
    assert pair.device.link.key_out.hex() not in text
    assert "Secret(**)" in text
    assert repr(_session(pair)._keys) == "SessionKeys(**)"
