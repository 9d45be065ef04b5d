"""A card that lies face up in the deck, or was drawn in error (x.13(a)-(b)).

One face-up card goes to the rack and the next takes its place: a new plan, in which every later card moves by
one. A second one voids the round. The dealer says so, for no device can tell; a shoe that could not read the
card has held the table before.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sabot.statemachine.action import Action, Refused, phases
from sabot.statemachine.dealing import TO_RACK, Dealing
from sabot.statemachine.events import Role
from sabot.statemachine.irregular import Irregularities
from sabot.statemachine.labels import place_words
from sabot.statemachine.people import EntryState
from sabot.statemachine.phases import Phase, Phases
from sabot.statemachine.round import Play
from sabot.statemachine.setup import AUTOMATED, Knowledge
from sabot.statemachine.undo import TakingBack

if TYPE_CHECKING:
    from sabot.rules.plan import Placement

ONE_FACE_UP, SEVERAL_FACE_UP = "one_face_up", "several_face_up"


def _way_around(left: "list[Placement]") -> "list[Placement]":
    return [each for each in left if each.lap == left[0].lap]


@dataclass(slots=True, eq=False, repr=False)
class FaceUp:
    """Put a card that lies face up aside."""

    phases: Phases
    entry: EntryState
    play: Play
    dealing: Dealing
    irregularities: Irregularities
    undo: TakingBack

    def verify_face_up(self, value: str) -> None:
        """A card has left the shoe where a shoe reports them."""
        if (
            not value
            and self.play.phase is Phase.DEALING
            and self.dealing.is_reported()
            and not self.play.current.drawn
        ):
            raise Refused("no card has left the shoe yet")

    def face_up(self, value: str) -> None:
        """To the rack with it, the next one takes its place; a second one voids (x.13(a))."""
        self.undo.remember("card face up")
        round_ = self.play.current
        if round_.face_up:
            self.irregularities.irregular(SEVERAL_FACE_UP)
            return
        found = int(value.partition(" ")[0]) if value else round_.drawn
        if found > round_.drawn:
            round_.draw([None] * (found - round_.drawn))
        round_.face_up.append(found)
        round_.confirm_lap()
        round_.put_away(TO_RACK)
        self.dealing.make_plan()
        self.irregularities.irregular(ONE_FACE_UP)
        if self.play.phase is Phase.STUB:
            self.phases.not_dealt()
            self.entry.clear_pending()

    def face_up_positions(self) -> list[str]:
        """Return which card it may be, the likeliest first.

        A card that a device reported singly is the last one.

        By hand it is one of the way around that is being dealt, else of the one dealt before. Out of a
        stack it is any of the last stack, but for one that is in the rack already.
        """
        dealt = sorted(each for each in self.play.current.plan if each.position <= self.play.current.drawn)
        going = [] if self.dealing.is_reported() else _way_around(self.dealing.left_to_deal())
        last = self._last_dealt(dealt[-1]) if dealt else []
        return [f"{each.position} {place_words(each.place)}" for each in [*going, *last]]

    def _last_dealt(self, last: "Placement") -> "list[Placement]":
        """The cards of the last stack or way around, the last one first where they were dealt by key."""
        round_ = self.play.current
        if round_.knowledge == Knowledge.EACH_CARD:
            return []
        is_stack = bool(last.stack) and round_.method.startswith(AUTOMATED)
        found = [
            each
            for each in sorted(round_.plan)
            if each.position <= round_.drawn
            and each.position not in round_.face_up
            and (each.stack == last.stack if is_stack else each.lap == last.lap)
        ]
        return found if is_stack else found[::-1]

    def drawn_in_error(self, _value: str) -> None:
        """A card drawn in error, its face not seen, is the next card (x.13(b))."""
        self.undo.remember("drawn in error")
        self.irregularities.irregular("drawn_in_error")


ACTIONS = (
    Action(
        "face_up",
        "CARD FACE UP",
        Role.DEALER,
        phases(Phase.DEALING, Phase.STUB),
        "13(a)",
        FaceUp.face_up,
        FaceUp.verify_face_up,
        FaceUp.face_up_positions,
        while_held=True,
        value_may_lack=True,
        when=lambda room: not room.play.current.miscounted,
    ),
    Action(
        "drawn_in_error", "DRAWN IN ERROR", Role.DEALER, phases(Phase.DEALING), "13(b)", FaceUp.drawn_in_error
    ),
)
