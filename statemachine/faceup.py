"""A card that lies face up in the deck, or was drawn in error (x.13(a)-(b)).

One face-up card goes to the rack and the next takes its place: a new plan, in which every later card moves by
one. A second one voids the round. The dealer says so, for no device can tell; a shoe that could not read the
card has held the table before.
"""

from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.dealing import TO_RACK, is_reported, left_to_deal, make_plan
from sabot.statemachine.events import Role
from sabot.statemachine.labels import place_words
from sabot.statemachine.phases import Phase
from sabot.statemachine.setup import Knowledge
from sabot.statemachine.undo import remember

if TYPE_CHECKING:
    from sabot.rules.plan import Placement
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
    found = int(value.partition(" ")[0]) if value else round_.drawn
    if found > round_.drawn:
        round_.seen += [None] * (found - round_.drawn)
        round_.drawn = found
    round_.face_up.append(found)
    round_.lap_from, round_.to_do = None, TO_RACK
    make_plan(table)
    table.irregular(ONE_FACE_UP)
    if table.phases.state is Phase.STUB:
        table.phases.not_dealt()
        table.clear_pending()


def face_up_positions(table: "Table") -> list[str]:
    """Which card it may be, the likeliest first; a card that a device reported singly is the last one.

    By hand it is one of the way around that is being dealt, else of the one dealt before. Out of a stack it
    is any of the last stack, but for one that is in the rack already.
    """
    dealt = sorted(each for each in table.round.plan if each.position <= table.round.drawn)
    going = [] if is_reported(table) else _way_around(left_to_deal(table))
    last = _last_dealt(table, dealt[-1]) if dealt else []
    return [f"{each.position} {place_words(each.place)}" for each in [*going, *last]]


def _way_around(left: "list[Placement]") -> "list[Placement]":
    return [each for each in left if each.lap == left[0].lap]


def _last_dealt(table: "Table", last: "Placement") -> "list[Placement]":
    """The cards of the last stack or way around, the last one first where they were dealt by key."""
    round_ = table.round
    if round_.knowledge == Knowledge.EACH_CARD:
        return []
    is_stack = bool(last.stack) and round_.method.startswith("auto_shoe")
    found = [
        each
        for each in sorted(round_.plan)
        if each.position <= round_.drawn
        and each.position not in round_.face_up
        and (each.stack == last.stack if is_stack else each.lap == last.lap)
    ]
    return found if is_stack else found[::-1]


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
        when=lambda table: not table.round.miscounted,
    ),
    Action("drawn_in_error", "DRAWN IN ERROR", Role.DEALER, phases(Phase.DEALING), "13(b)", drawn_in_error),
)
