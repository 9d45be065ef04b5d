"""One reliable frame at a time, both ways; signs of life; and nothing lost while the link was down."""

# Theory of operation. Left to itself the kit is the host that the page wants: it acknowledges, pings and
# keeps its place in both rows of numbers. Most checks take one of these duties away and look at what the
# device makes of it. With `is_acking` off a frame stays under way, with `is_pinging` off the host falls
# silent, and `send` puts on the line what `order` never would. A device that rightly does nothing says
# nothing either, which one that obeys in silence could do as well: so STATE is asked for afterwards.

from itertools import pairwise

from sabot.hil.conformance.hands import NotTriedError
from sabot.hil.conformance.kit import middle
from sabot.hil.conformance.run import ConformanceCheck
from sabot.hil.conformance.sabot_link.frame_reader import Came
from sabot.hil.conformance.sabot_link.host import LinkKit
from sabot.hil.conformance.sabot_link.talk import ACK_S, ANSWER_S, QUIET_S, SILENCE_S
from sabot.hil.simulators.sabot_link.wire import frame_of

DELIVERY, TIMING = "sabot-link.md#sequence-acknowledgement-retry", "sabot-link.md#timing"
SESSION = "sabot-link.md#a-session-step-by-step"
RETRY_S, SENDINGS, RETEST_S = 0.15, 10, 30.0
TIMES = 20
CLOCK_S, SLOWEST_CLOCK, FASTEST_CLOCK = 1.0, 0.9, 1.1


def acknowledges_in_time(kit: LinkKit) -> None:
    """Send commands that change nothing, one after the other, and measure."""
    kit.open()
    kit.ack_times.clear()
    for _ in range(TIMES):
        kit.must(kit.hold, 0, "at rest")
    kit.measure(f"acknowledgement, median of {TIMES}", middle(kit.ack_times), most_s=ACK_S)
    kit.measure("acknowledgement, longest", max(kit.ack_times))


def takes_a_command_once(kit: LinkKit) -> None:
    """Check that the same frame again is acknowledged and not obeyed again."""
    kit.open()
    kit.order("QUERY")
    again = frame_of(kit.body("QUERY", kit.sent))
    kit.expect(kit.state_name, ANSWER_S)
    kit.send(again)
    kit.wait(QUIET_S)
    kit.demand(kit.find("ACK", lambda m: m.ack == kit.sent), "a duplicate was not acknowledged again")
    kit.demand(not kit.find(kit.state_name), "a duplicate of QUERY was answered again")


def takes_no_command_ahead(kit: LinkKit) -> None:
    """Check that a sequence beyond the next one is thrown away."""
    kit.open()
    kit.silence_after(frame_of(kit.body(kit.free, kit.sent + 2)), f"{kit.free} with a sequence left out")
    kit.demand(kit.is_held(kit.query()), "a command ahead of its turn was obeyed")


def begins_with_query(kit: LinkKit) -> None:
    """Check that another command under sequence 1 is thrown away, and QUERY under 1 taken after it."""
    kit.greet()
    kit.silence_after(frame_of(kit.body(kit.free, 1)), f"{kit.free} before the first QUERY")
    kit.demand(kit.is_held(kit.query()), f"{kit.free} before the first QUERY {kit.freed}")


def sends_again(kit: LinkKit) -> None:
    """Check that a message without acknowledgement comes again, and no other one."""
    sendings = _unacknowledged(kit, 4 * RETRY_S + QUIET_S)
    kit.demand(len(sendings) > 1, f"{kit.state_name} was not acknowledged and did not come again")
    gaps = [late.at - early.at for early, late in pairwise(sendings)]
    kit.measure("sent again after", middle(gaps), least_s=RETRY_S / 2, most_s=2 * RETRY_S)
    first = sendings[0]
    same = all(
        (each.message.sequence, each.payload) == (first.message.sequence, first.payload) for each in sendings
    )
    kit.demand(same, "what came again was not the frame that was not acknowledged")
    # From here on the host has it: what comes again now would be wrong.
    kit.is_acking, kit.taken = True, first.message.sequence
    kit.say("ACK")
    kit.wait(QUIET_S)
    kit.repeats.clear()
    kit.wait(2 * RETRY_S)
    kit.demand(not kit.repeats, "what was acknowledged came again")


def _unacknowledged(kit: LinkKit, for_s: float) -> list[Came]:
    """Leave a STATE unacknowledged for that long, and return every sending of it."""
    kit.open()
    kit.is_acking = False
    kit.order("QUERY")
    kit.wait(for_s)
    return [each for each in kit.repeats if each.message.name == kit.state_name]


def gives_up(kit: LinkKit) -> None:
    """Check that ten sendings in vain end the link, although the host still pings."""
    sendings = _unacknowledged(kit, SENDINGS * RETRY_S * 2)
    kit.count("sendings", len(sendings))
    if len(sendings) == 1:
        raise NotTriedError("it does not send again at all (link.again)")
    kit.demand(len(sendings) == SENDINGS, f"{len(sendings)} sendings in vain, not {SENDINGS}")
    kit.is_acking = True
    kit.demand(not kit.is_alive(), "the session lives on after ten sendings in vain")


def answers_pings(kit: LinkKit) -> None:
    """Check that pings are answered at once, and each token once."""
    kit.open()
    kit.is_pinging = False
    times = []
    for _ in range(TIMES):
        at = kit.line.now()
        kit.demand(kit.is_alive(), "no PONG")
        times.append(kit.line.now() - at)
    kit.measure(f"PONG, median of {TIMES}", middle(times), most_s=ACK_S)
    kit.silence_after(frame_of(kit.body("PING", token=kit.token)), "a PING with an old token")


def dies_of_silence(kit: LinkKit) -> None:
    """Check that two seconds without a host end the session, no earlier and no later."""
    kit.open()
    kit.must(kit.free, 0, "at rest")
    kit.is_pinging = False
    kit.wait(SILENCE_S / 2)
    kit.demand(kit.is_alive(), "the session was dead after 1 s of silence")
    kit.wait(SILENCE_S + QUIET_S)
    kit.demand(not kit.is_alive(), f"the session lives on after {SILENCE_S:g} s without a host")
    kit.demand(kit.is_held(kit.open()), f"after a silence it is not with {kit.held}")


def ends_with_parting(kit: LinkKit) -> None:
    """Check that PARTING ends the session, and that a HELLO with another number does."""
    kit.open()
    kit.say("PARTING", reason=1)
    kit.demand(not kit.is_alive(), "the session lives on after PARTING")
    kit.open()
    old = frame_of(kit.body("PING", token=kit.token + 100))
    kit.open()
    kit.silence_after(old, "a PING of the session before")


def opens_no_session_again(kit: LinkKit) -> None:
    """Check that the HELLO of a session that has ended opens nothing: a recording fits no session."""
    head, _ = kit.greet_kept()
    kit.query()
    kit.say("PARTING", reason=1)
    kit.wait(QUIET_S)
    if kit.is_alive():
        raise NotTriedError("the session did not end (link.parting)")
    kit.silence_after(frame_of(head), "the HELLO of a session that has ended")
    kit.open()


def keeps_time(kit: LinkKit) -> None:
    """Check that its clock runs, forward, and as fast as others."""
    first, at = kit.open()["time"], kit.line.now()
    kit.wait(CLOCK_S)
    passed, told = kit.line.now() - at, (kit.query()["time"] - first) % 2**32 / 1000
    kit.measure("its clock over a second", told / passed, least_s=SLOWEST_CLOCK, most_s=FASTEST_CLOCK)


def keeps_events(kit: LinkKit) -> None:
    """Check that events while nobody listens are told in the next session, under the next number."""
    kit.open()
    last = kit.told[-1].number if kit.told else 0
    # A device whose RESULT is not acknowledged sends nothing more, however quick its test is.
    kit.is_acking = False
    kit.order("RETEST", fault=0)
    kit.say("PARTING", reason=1)
    kit.wait(ANSWER_S)
    kept = kit.until(lambda: kit.open()["kept"], RETEST_S)
    kit.demand(kept, "RETESTED of a time without link was not kept")
    came = sum("event" in each.message for each in kit.inbox)
    kit.demand(came == kept, f"{kit.state_name} said that {kept} events were kept, and {came} followed")
    kit.demand(kit.find("RETESTED"), f"what was kept did not follow {kit.state_name}")
    kit.demand(kit.told[-1].number > last, "what was kept has no new number")


def forgets_what_the_host_has(kit: LinkKit) -> None:
    """Check that ``event`` of HELLO drops what the host has, and that the rest comes again."""
    kit.open()
    kit.must("RETEST", 0, "of all faults", fault=0)
    kit.is_acking = False
    event = _unheard(kit).message["event"]
    boot = kit.identity["boot"]
    kit.demand(kit.open(boot=boot, event=event - 1)["kept"], "an event without acknowledgement was not kept")
    again = kit.find("RETESTED")
    kit.demand(again and again.message["event"] == event, "an event came again under another number")
    kit.open()
    kit.must("RETEST", 0, "of all faults", fault=0)
    kit.is_acking = False
    kit.note_event(_unheard(kit))
    state = kit.open()
    kit.demand(not state["kept"], "what the host said it has was kept nevertheless")


def _unheard(kit: LinkKit) -> Came:
    """Return the event that nobody acknowledged; a copy of an answer may have come before it."""
    came = kit.until(lambda: [each for each in kit.repeats if "event" in each.message], RETEST_S)
    kit.demand(came, f"no RETESTED within {RETEST_S:g} s")
    return came[0]  # type: ignore[no-any-return]


CHECKS = (
    ConformanceCheck("link.ack", "acknowledges a command in time", TIMING, acknowledges_in_time),
    ConformanceCheck("link.duplicate", "takes a repeated command once", DELIVERY, takes_a_command_once),
    ConformanceCheck("link.ahead", "takes no command ahead of its turn", DELIVERY, takes_no_command_ahead),
    ConformanceCheck("link.query", "begins a session with QUERY alone", DELIVERY, begins_with_query),
    ConformanceCheck("link.again", "sends again what was not acknowledged", DELIVERY, sends_again),
    ConformanceCheck("link.gives-up", "gives up after ten sendings", DELIVERY, gives_up),
    ConformanceCheck(
        "link.ping", "answers each PING once, at once", "sabot-link.md#0x08-pong-device--host", answers_pings
    ),
    ConformanceCheck("link.silence", "ends a session without a host", TIMING, dies_of_silence),
    ConformanceCheck(
        "link.parting", "ends a session when told", "sabot-link.md#0x05-parting-both", ends_with_parting
    ),
    ConformanceCheck("link.ended", "opens no session again", SESSION, opens_no_session_again),
    ConformanceCheck(
        "link.time", "has a clock that runs", "sabot-link.md#0x31-state-device--host", keeps_time
    ),
    ConformanceCheck("link.kept", "keeps events while the link is down", SESSION, keeps_events),
    ConformanceCheck("link.had", "drops kept events that the host has", SESSION, forgets_what_the_host_has),
)
