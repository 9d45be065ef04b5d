"""phevaluator: ``evaluate_cards`` on card numbers, and the pure function inside where there is one."""

from importlib import import_module

from timed import digest, hands_of, nanoseconds, report

# Imported by name: the package's lazy attributes call themselves without end on `from phevaluator import`.
evaluator = import_module("phevaluator.evaluator")
card = import_module("phevaluator.card").Card
hands = [tuple(card.to_id(name) for name in hand) for hand in hands_of(5)]


def evaluate(cards: tuple[int, ...]) -> int:
    """The documented call."""
    return int(evaluator.evaluate_cards(*cards))


def evaluate_inside(cards: tuple[int, ...]) -> int:
    """The call inside it, which spares the conversion of cards."""
    return int(evaluator._evaluate_cards(*cards))  # noqa: SLF001


times = {"evaluate_cards()": nanoseconds(evaluate, hands)}
if hasattr(evaluator, "_evaluate_cards"):
    times["inner function"] = nanoseconds(evaluate_inside, hands)
report(times=times, order=digest([-evaluate(hand) for hand in hands]))
