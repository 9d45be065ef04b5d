"""eval7: ``evaluate`` on its own cards."""

import eval7
from timed import digest, hands_of, nanoseconds, report

hands = [[eval7.Card(card) for card in hand] for hand in hands_of(5)]
report(
    times={"evaluate()": nanoseconds(eval7.evaluate, hands)},
    order=digest([eval7.evaluate(hand) for hand in hands]),
)
