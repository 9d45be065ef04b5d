"""A plan of the deal made easy to look up.

What leaves the deck when, what lies where, which stack is which.
"""

from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter

from sabot.rules.plan import DISCARD, Placement


@dataclass(frozen=True)
class Laid:
    """A plan, its cards in the order in which they leave the deck, the positions of each place, the stacks.

    A plan places every card from the first on, none twice: how many have left the deck says which is next.
    """

    plan: list[Placement]
    order: list[Placement]
    positions: dict[str, list[int]]
    stacks: dict[int, list[Placement]]

    @cached_property
    def placed(self) -> frozenset[int]:
        """The positions of the cards that are dealt to a place."""
        return frozenset(each.position for each in self.plan if each.place != DISCARD)

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The plan as the record keeps it."""
        return tuple(map(str, self.plan))


def lay_out(cards: list[Placement]) -> Laid:
    """Return a plan made easy to look up; places and stacks stay in the plan's order."""
    positions: dict[str, list[int]] = {each.place: [] for each in cards}
    stacks: dict[int, list[Placement]] = {each.stack: [] for each in cards}
    for each in sorted(cards, key=attrgetter("nth")):
        positions[each.place].append(each.position)
    for each in cards:
        stacks[each.stack].append(each)
    return Laid(cards, sorted(cards), positions, stacks)
