"""A card that lies face up in the deck, or was drawn in error (x.13(a)-(b)).

One face-up card goes to the rack and the next takes its place: a new plan, in which every later card moves by
one. A second one voids the round. The dealer says so, for no device can tell; a shoe that could not read the
card has held the table before.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.dealing import (
    is_automated,
    is_reported,
    left_to_deal,
    make_plan,
    order_stack,
)
from sabot.statemachine.events import Role
from sabot.statemachine.labels import place_words
from sabot.statemachine.phases import Phase
from sabot.statemachine.undo import remember

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

ONE_FACE_UP, SEVERAL_FACE_UP = "one_face_up", "several_face_up"


def verify_face_up(table: "Table", value: str) -> None:
    """A card has left the shoe where a shoe reports them."""
    if not value and table.phases.state is Phase.DEALING and is_reported(table) and not table.round.drawn:
        raise Refused("no card has left the shoe yet")


def face_up(table: "Table", value: str) -> None:
    """To the rack with it, the next one takes its place; a second one voids (x.13(a))."""
    remember(table, "card face up")
    round_ = table.round
    if round_.face_up:
        table.irregular(SEVERAL_FACE_UP)
        return
    round_.face_up.append(int(value.partition(" ")[0]) if value else _found_at(table))
    round_.lap_from = None
    make_plan(table)
    table.irregular(ONE_FACE_UP)
    if table.phases.state is Phase.STUB:
        table.phases.not_dealt()
        table.clear_pending()
    order_stack(table)


def _found_at(table: "Table") -> int:
    """Where it lay: the card drawn last, or the next one of the way around that is being dealt by hand."""
    round_ = table.round
    if table.phases.state is Phase.DEALING and not is_reported(table):
        round_.drawn += 1
        round_.seen.append(None)
    return round_.drawn


def face_up_positions(table: "Table") -> list[str]:
    """Which card of the last stack it was, but for one in the rack; dealt singly it is the last card."""
    round_ = table.round
    dealt = sorted(each for each in round_.plan if each.position <= round_.drawn)
    if not dealt or not dealt[-1].stack or not round_.method.startswith("auto_shoe"):
        return []
    if left_to_deal(table) and not is_automated(table) and round_.lap_from is not None:
        return []
    last = [each for each in dealt if each.stack == dealt[-1].stack and each.position not in round_.face_up]
    return [f"{each.position} {place_words(each.place)}" for each in last]


def drawn_in_error(table: "Table", _value: str) -> None:
    """A card drawn in error, its face not seen, is the next card (x.13(b))."""
    remember(table, "drawn in error")
    table.irregular("drawn_in_error")


ACTIONS = (
    Action(
        "face_up",
        "CARD FACE UP",
        Role.DEALER,
        phases(Phase.DEALING, Phase.STUB),
        "13(a)",
        face_up,
        verify_face_up,
        face_up_positions,
        while_held=True,
        value_may_lack=True,
    ),
    Action("drawn_in_error", "DRAWN IN ERROR", Role.DEALER, phases(Phase.DEALING), "13(b)", drawn_in_error),
)
