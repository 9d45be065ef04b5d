"""The greeting of pads, and their proof: from the descriptors to the first STATE."""

from typing import Any

from sabot.hil.conformance.hands import NotTriedError
from sabot.hil.conformance.kit import NotClaimedError
from sabot.hil.conformance.proving import fingerprint
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_pads.frame_reader import IDENTITY, PROOF, TEXTS
from sabot.hil.conformance.sabot_pads.host import PadKit
from sabot.hil.conformance.sabot_pads.talk import EVERY, GREETING_S, PATIENCE_S, QUIET_S
from sabot.hil.simulators.pads_wire import ORDER, PROVE, put_together

DEVICE, SESSION = "sabot-pads.md#the-device", "sabot-pads.md#a-session-step-by-step"
IDENTITY_PAGE = "sabot-pads.md#0x02-identity-pad--host"
AUTHENTICATION = "sabot-pads.md#authentication"
ENDPOINTS = [(0x02, 2, 64), (0x81, 3, 64)]
TEXT_MOST, SPOTS_MOST, FORGED_AHEAD = 20, 64, 1000
LET_LOOSE: dict[str, Any] = {"locked": 0, "seats": [1] * 8}


def has_the_descriptors(kit: PadKit) -> None:
    """Check for one interface of the class, with two endpoints."""
    facts = kit.line.facts()
    kit.demand(facts["interface"] == (0xFF, 0x53, 0x01), f"interface class {facts['interface']}")
    kit.demand(facts["device_class"] == 0, f"device class {facts['device_class']}, not 0")
    kit.demand(facts["configurations"] == 1, f"{facts['configurations']} configurations")
    found = [tuple(each[:3]) for each in facts["endpoints"]]
    kit.demand(found == ENDPOINTS, f"endpoints {found}, not {ENDPOINTS}")


def says_who_it_is(kit: PadKit) -> None:
    """Judge IDENTITY, field by field; its serial number must be that of the descriptor."""
    at = kit.line.now()
    kit.hello()
    came = kit.expect(IDENTITY, "IDENTITY", PATIENCE_S)
    kit.measure("IDENTITY after HELLO", came.at - at, most_s=GREETING_S)
    kit.identity = who = came.fields
    kit.device = {name: who[name] for name in TEXTS}
    kit.device |= {"spots": str(who["spots"]), "capabilities": str(who["capabilities"])}
    kit.device["fingerprint"] = fingerprint(who["public"])
    _judge_identity(kit, who)


def _judge_identity(kit: PadKit, who: dict[str, Any]) -> None:
    kit.demand(who["version"] == 1, f"version {who['version']} was chosen of those from 1 to 1")
    kit.demand(1 <= who["spots"] <= SPOTS_MOST, f"{who['spots']} spots")
    kit.demand(who["boot"], "boot is 0")
    for name in TEXTS:
        text = who[name]
        is_text = len(text) <= TEXT_MOST and all(" " <= char <= "~" for char in text)
        kit.demand(is_text, f"{name} {text!r} is not up to 20 characters of ASCII")
    serial = kit.line.facts()["serial"]
    kit.demand(who["serial"] == serial, f"serial {who['serial']!r} in IDENTITY, {serial!r} in the descriptor")


def answers_the_same_hello_the_same(kit: PadKit) -> None:
    """Check that the same HELLO gets the same fields, and another HELLO others."""
    frame, _ = kit.hello()
    first = kit.expect(IDENTITY, "IDENTITY").fields
    kit.send(frame)
    kit.demand(kit.expect(IDENTITY, "IDENTITY").fields == first, "the same HELLO got another IDENTITY")
    kit.hello()
    other = kit.expect(IDENTITY, "IDENTITY").fields
    for name in ("nonce", "key"):
        kit.demand(other[name] != first[name], f"a new session has the {name} of the one before")
    for name in ("public", "boot", "serial"):
        kit.demand(other[name] == first[name], f"{name} changed from one HELLO to the next")


def refuses_other_versions(kit: PadKit) -> None:
    """Check that a host that speaks only newer versions is told 0."""
    kit.hello(lowest=2, highest=9)
    chosen = kit.expect(IDENTITY, "IDENTITY").fields["version"]
    kit.demand(chosen == 0, f"version {chosen} was chosen of those from 2 to 9")


def has_the_enrolled_key(kit: PadKit) -> None:
    """Check that the key is the one that two people have compared with the label."""
    _need_authentication(kit)
    public = kit.identity["public"]
    if kit.setting.key is None:
        raise NotTriedError(f"say --key; the pads show {public.hex()}, fingerprint {fingerprint(public)}")
    kit.demand(public == kit.setting.key, f"another key than the enrolled one: {fingerprint(public)}")


def proves_its_key(kit: PadKit) -> None:
    """Check the signature over both greetings, and that a second PROVE is answered."""
    _need_authentication(kit)
    at = kit.line.now()
    kit.greet()
    kit.measure("greeting and proof", kit.line.now() - at, most_s=2 * GREETING_S)
    kit.send(kit.frame(PROVE, b""))
    kit.expect(PROOF, "second PROOF")


def opens_a_session(kit: PadKit) -> None:
    """Check that no STATE comes before the first ORDER, and then STATE 1 with everything locked."""
    kit.greet()
    kit.wait(QUIET_S)
    kit.demand(not kit.states, "a STATE came before the first ORDER")
    told = kit.acknowledged(kit.order(seen=0))
    mask = (1 << kit.identity["spots"]) - 1
    kit.demand(kit.states[0].sequence == 1, f"the first STATE has sequence {kit.states[0].sequence}")
    kit.demand(told["locked"] & mask == mask, "a session does not begin with every spot locked")
    kit.demand(not told["lit"] and not any(told["seats"]), "a session does not begin with all lamps out")


def works_without_proof_where_none_is_wanted(kit: PadKit) -> None:
    """Check that ``wants`` decides, not the pads."""
    setting, kit.setting = kit.setting, kit.setting._replace(is_authenticated=False)
    try:
        kit.open()
    finally:
        kit.setting = setting


def refuses_what_has_no_code(kit: PadKit) -> None:
    """Check that an ORDER of somebody who has no key changes nothing."""
    _need_authentication(kit)
    kit.open()
    for key, words in ((b"", "an ORDER without a MAC"), (bytes(32), "an ORDER with a wrong MAC")):
        payload = kit.order_payload(**LET_LOOSE)
        sequence = kit.sent + FORGED_AHEAD
        kit.silence_after(put_together(ORDER, payload, session=kit.number, sequence=sequence, key=key), words)


def refuses_what_was_recorded(kit: PadKit) -> None:
    """Check that an ORDER counts once, in its own session."""
    kit.open()
    recorded = kit.frame(ORDER, kit.order_payload(**LET_LOOSE), kit.sent + 1)
    kit.sent += 1
    kit.send(recorded)
    kit.acknowledged(kit.sent)
    kit.want(locked=EVERY)
    kit.silence_after(recorded, "an ORDER for the second time")
    kit.open()
    kit.silence_after(recorded, "an ORDER of an earlier session")


def _need_authentication(kit: PadKit) -> None:
    if not kit.setting.is_authenticated:
        raise NotClaimedError("the run was without authentication (--no-authentication)")


CHECKS = (
    ConformanceCheck(
        "pads.descriptors", "is found by class and has two endpoints", DEVICE, has_the_descriptors
    ),
    ConformanceCheck(
        "pads.identity", "answers HELLO with who it is", IDENTITY_PAGE, says_who_it_is, is_gate=True
    ),
    ConformanceCheck(
        "pads.same-hello",
        "same HELLO, same IDENTITY",
        "sabot-pads.md#0x01-hello-host--pad",
        answers_the_same_hello_the_same,
    ),
    ConformanceCheck(
        "pads.version", "chooses no version that it lacks", "sabot-pads.md#versions", refuses_other_versions
    ),
    ConformanceCheck("pads.enrolled", "has the key that was enrolled", AUTHENTICATION, has_the_enrolled_key),
    ConformanceCheck(
        "pads.proof", "proves that key, fresh each time", AUTHENTICATION, proves_its_key, is_gate=True
    ),
    ConformanceCheck(
        "pads.session", "opens a session locked and dark", SESSION, opens_a_session, is_gate=True
    ),
    ConformanceCheck(
        "pads.plain",
        "needs no proof where none is wanted",
        AUTHENTICATION,
        works_without_proof_where_none_is_wanted,
    ),
    ConformanceCheck("pads.forged", "obeys nobody without the key", AUTHENTICATION, refuses_what_has_no_code),
    ConformanceCheck(
        "pads.replay", "obeys no ORDER twice", "sabot-pads.md#0x10-order-host--pad", refuses_what_was_recorded
    ),
)
