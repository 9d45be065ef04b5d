"""The session and its sequence alone: the corners that no device of ours would show."""

import random

import pytest

from sabot.drivers import enrolment
from sabot.drivers.convention import Statistics
from sabot.drivers.sabot_link.codec import Frame, SabotLinkCodec
from sabot.drivers.sabot_link.messages import (
    Ack,
    FreeCards,
    HoldCards,
    IdentityTold,
    Message,
    ModeChanged,
    Parting,
    Ping,
    Pong,
    Proof,
    Query,
    Result,
    Unknown,
)
from sabot.drivers.sabot_link.reliable import SENDINGS, FrameTaken, Reliable
from sabot.drivers.sabot_link.session import (
    LEAVING,
    SILENCE_S,
    Session,
    SessionOutcome,
    SessionStage,
    SessionTerms,
)

TOLD = IdentityTold(
    1, 1, 1, 7, bytes(32), enrolment.public_of(bytes([9]) * 32), bytes(32), "a", "b", "c", "d"
)


def opened() -> Session:
    session = Session(SessionTerms(authenticated=False), random.Random(1).randbytes, Statistics())
    session.tick(0.0)
    heard(session, TOLD)
    assert session.stage is SessionStage.OPEN
    return session


def heard(
    session: Session, message: Message, sequence: int = 0, ack: int = 0, now: float = 0.01
) -> SessionOutcome:
    return session.handle(Frame(message, session.number, sequence, ack), now)


def said(outcome: SessionOutcome) -> list[Message]:
    return [frame.message for frame in SabotLinkCodec().receive(b"".join(outcome.wires))]


# ---------------------------------------------------------------- one frame at a time


def test_a_frame_is_sent_again_until_it_is_acknowledged_and_not_for_ever() -> None:
    reliable = Reliable()
    assert (reliable.next_due(0.0), reliable.deadline, reliable.is_exhausted) == (None, None, False)
    reliable.submit(Query())
    for at in range(SENDINGS):
        out = reliable.next_due(at * 0.2)
        assert out is not None
        assert (out.sequence, out.sendings, reliable.is_exhausted) == (1, at + 1, False)
        assert reliable.next_due(at * 0.2 + 0.01) is None
    assert reliable.next_due(99.0)
    assert reliable.is_exhausted


def test_only_the_sequence_that_is_waited_for_acknowledges() -> None:
    reliable = Reliable()
    reliable.acknowledge(1)
    reliable.submit(Query())
    reliable.next_due(0.0)
    reliable.acknowledge(0)
    reliable.acknowledge(2)
    assert reliable.current is not None
    reliable.acknowledge(1)
    assert reliable.current is None


def test_urgent_goes_first_and_a_kind_can_be_withdrawn() -> None:
    reliable = Reliable()
    for message in (Query(), FreeCards(), Query()):
        reliable.submit(message)
    reliable.submit(HoldCards(), is_urgent=True)
    reliable.withdraw(Query)
    first = reliable.next_due(0.0)
    reliable.acknowledge(1)
    second = reliable.next_due(0.0)
    assert first is not None
    assert second is not None
    assert [type(first.message), type(second.message)] == [HoldCards, FreeCards]


def test_what_comes_is_taken_once_and_in_order() -> None:
    reliable = Reliable()
    assert [reliable.take(n) for n in (2, 1, 1, 2, 1, 3)] == [
        FrameTaken.AHEAD, FrameTaken.NEW, FrameTaken.DUPLICATE, FrameTaken.NEW, FrameTaken.DUPLICATE, FrameTaken.NEW,
    ]  # fmt: skip


# ---------------------------------------------------------------- a session


def test_hello_is_asked_again_only_when_its_time_is_over() -> None:
    session = Session(SessionTerms(), random.Random(1).randbytes, Statistics())
    assert len(session.tick(0.0).wires) == 1
    assert session.tick(0.1).wires == []
    assert session.deadline == pytest.approx(0.3)
    assert len(session.tick(0.3).wires) == 1
    assert session.statistics.retries == 1


def test_answers_to_nothing_are_late() -> None:
    session = Session(SessionTerms(), random.Random(1).randbytes, Statistics())
    session.tick(0.0)
    heard(session, Proof(bytes(64)))
    assert (session.statistics.late_answers, session.stage) == (1, SessionStage.GREETING)
    session = opened()
    heard(session, TOLD)
    heard(session, Result(77, 0), 1)
    assert session.statistics.late_answers == 2


def test_only_a_proof_is_taken_for_one() -> None:
    session = Session(SessionTerms(), random.Random(1).randbytes, Statistics())
    session.tick(0.0)
    heard(session, TOLD)
    heard(session, TOLD)
    assert (session.statistics.late_answers, session.stage) == (1, SessionStage.PROVING)


def test_a_signature_that_proves_nothing() -> None:
    session = Session(SessionTerms(), random.Random(1).randbytes, Statistics())
    session.tick(0.0)
    heard(session, TOLD)
    assert session.stage is SessionStage.PROVING
    (news,) = heard(session, Proof(bytes(64))).news
    assert (news.kind, session.stage, session.deadline) == ("refused", SessionStage.OVER, None)
    assert (session.tick(9.0), session.end(LEAVING)) == (SessionOutcome(), SessionOutcome())


def test_frames_of_another_session_are_refused() -> None:
    session = opened()
    session.handle(Frame(Pong(1), session.number ^ 1), 0.0)
    assert session.statistics.refused == 1


def test_a_session_that_is_over_hears_nothing_and_sends_nothing() -> None:
    session = opened()
    assert [type(each) for each in said(session.end(LEAVING))] == [Parting]
    assert heard(session, Pong(1)) == SessionOutcome()
    assert session.send(Query(), 0.0) == SessionOutcome()


def test_a_duplicate_is_acknowledged_again_and_one_ahead_is_not() -> None:
    session = opened()
    mode = ModeChanged(1, 1, 2)
    first, again, ahead = (heard(session, mode, sequence, 1) for sequence in (1, 1, 9))
    assert (len(first.news), again.news, ahead.news) == (1, [], [])
    assert [[type(each) for each in said(outcome)] for outcome in (first, again, ahead)] == [[Ack], [Ack], []]
    assert session.statistics.duplicates == 1


def test_an_unknown_message_is_acknowledged_and_passed_on() -> None:
    (news,) = heard(opened(), Unknown(0x7F, b""), 1).news
    assert news.kind == "arrived"


def test_a_pong_counts_only_for_the_latest_ping() -> None:
    session = opened()
    heard(session, Query(), 1, 1, 0.02)
    for at in (0.3, 0.6, 0.9):
        assert Ping in [type(each) for each in said(session.tick(at))]
    for token in (1, 2, 5):
        heard(session, Pong(token), now=1.9)
    assert [each.kind for each in session.tick(2.1).news] == ["lost"]


def test_a_pong_keeps_it_alive() -> None:
    session = opened()
    heard(session, Ack(), 0, 1)
    session.tick(0.3)
    heard(session, Pong(2), now=1.9)
    assert session.tick(2.1).news == [] or session.stage is SessionStage.OPEN


def test_a_frame_that_is_never_acknowledged_ends_the_session() -> None:
    session = opened()
    at, words = 0.0, []
    for _ in range(40):
        at += 0.16
        words += [news.words for news in session.tick(at).news]
        if session.stage is SessionStage.OVER:
            break
        pings = session._token
        words += [news.words for news in heard(session, Pong(pings), now=at).news]
    assert words == ["a frame was not acknowledged, sent 10 times"]


def test_a_host_frame_in_a_sealed_session_is_signed() -> None:
    session = opened()
    session._keys = enrolment.SessionKeys(b"a" * 32, b"b" * 32)
    (frame,) = SabotLinkCodec().receive(session.end(LEAVING).wires[0])
    assert frame.mac == enrolment.mac(b"a" * 32, frame.signed)


def test_a_device_whose_reports_come_is_not_silent() -> None:
    session = opened()
    late = SILENCE_S - 0.1
    heard(session, Unknown(0x2F, b"x"), sequence=1, now=late)

    stages = []
    for now in (SILENCE_S + 0.1, late + SILENCE_S):
        session.tick(now)
        stages.append(session.stage)
    assert stages == [SessionStage.OPEN, SessionStage.OVER]
