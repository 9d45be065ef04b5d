"""pokerkit: the entry of its standard lookup, for cards already parsed."""

from pokerkit import Card, StandardLookup
from timed import digest, hands_of, nanoseconds, report

lookup = StandardLookup()
hands = [tuple(Card.parse("".join(hand))) for hand in hands_of(5)]
report(
    times={"get_entry()": nanoseconds(lookup.get_entry, hands)},
    order=digest([lookup.get_entry(hand).index for hand in hands]),
)
