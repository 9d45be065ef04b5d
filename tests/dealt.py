"""Cards as a test writes them."""

from sabot.rules.cards import Card, parse


def parse_all(text: str) -> tuple[Card, ...]:
    """The cards of a text such as ``As Kd 10h``."""
    return tuple(parse(word) for word in text.split())
