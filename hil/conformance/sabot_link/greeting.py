"""The greeting of a device, and its proof: from the silent line to the first STATE."""

# In the order in which a session is made: what cannot even greet is asked nothing further. Three checks are
# gates for that (`is_gate`): who it is, its proof, and its first STATE, without which all others would fail
# for one and the same reason.

from sabot.hil.conformance.hands import NotTriedError
from sabot.hil.conformance.kit import NotClaimedError
from sabot.hil.conformance.proving import fingerprint
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.talk import GREETING_S, QUIET_S, SILENCE_S
from sabot.hil.simulators.sabot_link.wire import WireHeard, frame_of, head_of

TEXTS = ("maker", "model", "serial", "firmware")
TEXT_MOST = 20
FORGED_MOST = 3
SHUFFLES, DISPENSES, COUNTS, READS, READS_STACKS, EJECTS = 1, 2, 4, 8, 16, 128
IDENTITY_PAGE = "sabot-link.md#0x02-identity-device--host"
AUTHENTICATION = "sabot-link.md#authentication"


def speaks_only_when_spoken_to(kit: LinkKit) -> None:
    """Check that nothing comes on a line that nobody has spoken on."""
    # Somebody else's session may still be open; it ends in two seconds of silence.
    kit.wait(SILENCE_S + QUIET_S)
    kit.ear.clear()
    kit.ear.defects.clear()
    kit.log.clear()
    kit.wait(QUIET_S)
    kit.demand(not kit.log, "bytes came before any HELLO")


def says_who_it_is(kit: LinkKit) -> None:
    """Judge IDENTITY, field by field."""
    at = kit.line.now()
    kit.hello()
    came = kit.expect("IDENTITY", SILENCE_S)
    kit.measure("IDENTITY after HELLO", came.at - at, most_s=GREETING_S)
    kit.identity = who = came.message
    kit.device = {name: who[name] for name in TEXTS}
    kit.device |= {"kind": kit.kinds.get(who["kind"], "unknown"), "capabilities": str(who["capabilities"])}
    kit.device["fingerprint"] = fingerprint(who["public"])
    _judge_identity(kit, who)


def _judge_identity(kit: LinkKit, who: WireHeard) -> None:
    kit.demand(who["version"] == 1, f"version {who['version']} was chosen of those from 1 to 1")
    known = f"{min(kit.kinds)} to {max(kit.kinds)}"
    kit.demand(who["kind"] in kit.kinds, f"kind {who['kind']}, where {known} are known")
    kit.demand(who["boot"], "boot is 0")
    kit.judge_kind(who)
    kit.demand(not who.sequence and not who.ack, "sequence and ack of IDENTITY are not 0")
    for name in TEXTS:
        text = who[name]
        is_text = len(text) <= TEXT_MOST and all(" " <= char <= "~" for char in text)
        kit.demand(is_text, f"{name} {text!r} is not up to 20 characters of ASCII")


def answers_the_same_hello_the_same(kit: LinkKit) -> None:
    """Check that the same HELLO gets the same bytes, and another HELLO others."""
    head, _ = kit.hello()
    first = kit.expect("IDENTITY", GREETING_S)
    kit.send(frame_of(head))
    again = kit.expect("IDENTITY", GREETING_S)
    kit.demand(first.body == again.body, "the same HELLO got another IDENTITY")
    kit.hello()
    other = kit.expect("IDENTITY", GREETING_S).message
    for name in ("nonce", "key"):
        kit.demand(other[name] != first.message[name], f"a new session has the {name} of the one before")
    for name in ("public", "boot", "serial"):
        kit.demand(other[name] == first.message[name], f"{name} changed from one HELLO to the next")


def refuses_other_versions(kit: LinkKit) -> None:
    """Check that a host that speaks only newer versions is told 0."""
    kit.hello(lowest=2, highest=9)
    chosen = kit.expect("IDENTITY", GREETING_S).message["version"]
    kit.demand(chosen == 0, f"version {chosen} was chosen of those from 2 to 9")


def proves_its_key(kit: LinkKit) -> None:
    """Check the signature over both greetings, and that each PROVE gets the same one."""
    _need_authentication(kit)
    at = kit.line.now()
    kit.greet()
    kit.measure("greeting and proof", kit.line.now() - at, most_s=2 * GREETING_S)
    # A PROVE has no code, also where a session has keys by now.
    code, kit.key_out = kit.key_out, b""
    kit.say("PROVE")
    kit.key_out = code
    kit.expect("PROOF", GREETING_S)


def has_the_enrolled_key(kit: LinkKit) -> None:
    """Check that the key is the one that two people have compared with the label."""
    _need_authentication(kit)
    kit.hello()
    public = kit.expect("IDENTITY", GREETING_S).message["public"]
    if kit.setting.key is None:
        raise NotTriedError(f"say --key; the device shows {public.hex()}, fingerprint {fingerprint(public)}")
    kit.demand(public == kit.setting.key, f"another key than the enrolled one: {fingerprint(public)}")


def opens_a_session(kit: LinkKit) -> None:
    """Check that STATE is the first reliable message, and that the cards are held."""
    kit.greet()
    at = kit.line.now()
    kit.order("QUERY")
    came = kit.expect(kit.state_name, SILENCE_S)
    kit.measure(f"{kit.state_name} after QUERY", came.at - at, most_s=SILENCE_S)
    kit.demand(came.message.sequence == 1, f"{kit.state_name} has sequence {came.message.sequence}, not 1")
    kit.demand(came.message["command"] == 1, f"{kit.state_name} does not name the QUERY that it answers")
    kit.demand(kit.is_held(came.message), f"a new session does not begin with {kit.held}")
    kit.must(kit.free, 0, "at rest")
    state = kit.open()
    kit.demand(kit.is_held(state), f"a new session after {kit.free} does not begin with {kit.held}")


def works_without_proof_where_none_is_wanted(kit: LinkKit) -> None:
    """Check that ``wants`` decides, not the device."""
    setting, kit.setting = kit.setting, kit.setting._replace(is_authenticated=False)
    try:
        kit.open()
        kit.demand(kit.is_alive(), "a session without authentication gets no PONG")
    finally:
        kit.setting = setting


def refuses_what_has_no_code(kit: LinkKit) -> None:
    """Check that an order of somebody who has no key changes nothing."""
    _need_authentication(kit)
    kit.open()
    head = head_of(kit.free, kit.number, kit.sent + 1, kit.taken, {}, maced=False)
    kit.silence_after(frame_of(head), f"{kit.free} without a MAC")
    head = head_of(kit.free, kit.number, kit.sent + 1, kit.taken, {}, maced=True)
    kit.silence_after(frame_of(head + bytes(16)), f"{kit.free} with a wrong MAC")
    kit.demand(kit.is_held(kit.query()), f"a forged {kit.free} {kit.freed}")


def parts_with_a_stranger(kit: LinkKit) -> None:
    """Check that the third frame without a right MAC ends the session and puts nothing out of order."""
    _need_authentication(kit)
    kit.open()
    kit.must(kit.free, 0, "at rest")
    for _ in range(FORGED_MOST):
        kit.send(
            frame_of(
                head_of("PING", kit.number, 0, kit.taken, {"token": kit.token + 9}, maced=True) + bytes(16)
            )
        )
    came = kit.until(lambda: kit.find("PARTING"), QUIET_S)
    kit.demand(came, f"no PARTING at the {FORGED_MOST}rd frame of a stranger")
    kit.demand(not kit.is_alive(), f"the session lives on after {FORGED_MOST} frames of a stranger")
    state = kit.open()
    kit.demand(not state["fault"], f"frames of a stranger latched the fault {state['fault']}")
    kit.demand(kit.is_held(state), f"after a stranger it is not with {kit.held}")


def refuses_what_was_recorded(kit: LinkKit) -> None:
    """Check that frames of one session mean nothing in the next, nor again in their own."""
    _need_authentication(kit)
    kit.open()
    recorded = kit.body(kit.free, kit.sent + 1)
    kit.must(kit.free, 0, "in a session of its own")
    kit.open()
    kit.silence_after(frame_of(recorded), f"{kit.free} as recorded in an earlier session")
    moved = recorded[:4] + kit.number.to_bytes(4, "big") + recorded[8:]
    kit.silence_after(frame_of(moved), f"{kit.free} as recorded, under the new session's number")
    kit.demand(kit.is_held(kit.query()), f"a recorded {kit.free} {kit.freed}")


def _need_authentication(kit: LinkKit) -> None:
    if not kit.setting.is_authenticated:
        raise NotClaimedError("the run was without authentication (--no-authentication)")


CHECKS = (
    ConformanceCheck(
        "link.silent", "says nothing before HELLO", "sabot-link.md#the-line", speaks_only_when_spoken_to
    ),
    ConformanceCheck(
        "link.identity", "answers HELLO with who it is", IDENTITY_PAGE, says_who_it_is, is_gate=True
    ),
    ConformanceCheck(
        "link.same-hello", "same HELLO, same IDENTITY", IDENTITY_PAGE, answers_the_same_hello_the_same
    ),
    ConformanceCheck(
        "link.version", "chooses no version that it lacks", "sabot-link.md#versions", refuses_other_versions
    ),
    ConformanceCheck("link.enrolled", "has the key that was enrolled", AUTHENTICATION, has_the_enrolled_key),
    ConformanceCheck(
        "link.proof", "proves that key, fresh each time", AUTHENTICATION, proves_its_key, is_gate=True
    ),
    ConformanceCheck(
        "link.state",
        "opens a session with STATE, cards held",
        "sabot-link.md#a-session-step-by-step",
        opens_a_session,
        is_gate=True,
    ),
    ConformanceCheck(
        "link.plain",
        "needs no proof where none is wanted",
        AUTHENTICATION,
        works_without_proof_where_none_is_wanted,
    ),
    ConformanceCheck("link.forged", "obeys nobody without the key", AUTHENTICATION, refuses_what_has_no_code),
    ConformanceCheck("link.stranger", "parts with a stranger", AUTHENTICATION, parts_with_a_stranger),
    ConformanceCheck("link.replay", "obeys no recorded frame", AUTHENTICATION, refuses_what_was_recorded),
)
