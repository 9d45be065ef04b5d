"""treys: ``Evaluator.evaluate`` as its readers call it, and the five-card function inside."""

from timed import digest, hands_of, nanoseconds, report
from treys import Card, Evaluator

evaluator = Evaluator()
hands = [[Card.new(card) for card in hand] for hand in hands_of(5)]


def evaluate(cards: list[int]) -> int:
    """The documented call, with all five cards on the board."""
    return int(evaluator.evaluate([], cards))


inner = evaluator.hand_size_map[5]
report(
    times={"evaluate()": nanoseconds(evaluate, hands), "inner function": nanoseconds(inner, hands)},
    order=digest([-evaluate(hand) for hand in hands]),
)
