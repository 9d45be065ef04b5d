"""One frame waits for its acknowledgement at a time, and the next one goes when the other side has taken it."""

from sabot.drivers.sabot_link import messages as m
from sabot.drivers.sabot_link.reliable import ACK_DEADLINE_S, Reliable


def test_a_second_frame_waits_until_the_first_was_taken() -> None:
    sent = Reliable()
    sent.submit(m.HoldCards())
    sent.submit(m.FreeCards())
    first = sent.next_due(0.0)
    assert first is not None
    assert (first.sequence, type(first.message)) == (1, m.HoldCards)
    assert sent.next_due(ACK_DEADLINE_S / 2) is None

    again = sent.next_due(ACK_DEADLINE_S)
    assert again is first
    assert again.sendings == 2

    sent.acknowledge(1)
    second = sent.next_due(ACK_DEADLINE_S)
    assert second is not None
    assert (second.sequence, type(second.message)) == (2, m.FreeCards)


def test_an_acknowledgement_of_another_frame_means_nothing() -> None:
    sent = Reliable()
    sent.submit(m.HoldCards())
    first = sent.next_due(0.0)
    sent.acknowledge(2)
    assert sent.current is first
