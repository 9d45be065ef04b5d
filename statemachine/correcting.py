"""Correcting what was entered: BACK until the next step is confirmed, the floor after that.

A correction erases nothing: what was said first stands in the record as taken back, with the name of whoever
took it back. What has moved money or cards cannot be corrected here; that is an irregularity or a hold.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sabot.statemachine import chips, deciding, stub
from sabot.statemachine.action import Action, Actions, Refused, phases
from sabot.statemachine.chips import Answering, ChipCount
from sabot.statemachine.dealing import Dealing
from sabot.statemachine.deciding import Deciding
from sabot.statemachine.declaring import Declaring
from sabot.statemachine.labels import seat_words
from sabot.statemachine.state.parts import EntryState, TableCrew
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Play
from sabot.statemachine.stub import Stub
from sabot.statemachine.vocabulary.events import Role
from sabot.statemachine.voiding import TakingBack

P = Phase
BEFORE_REVEAL = phases(P.DEALING, P.STUB, P.STUB_WRONG, P.DECIDING, P.TURNING)
SAYING = phases(P.DECLARING, P.SETTLING, P.VALIDATING)


@dataclass(slots=True, eq=False, repr=False)
class Correcting:
    """Correct what was entered."""

    actions: Actions
    crew: TableCrew
    entry: EntryState
    play: Play
    answering: Answering
    chip_count: ChipCount
    dealing: Dealing
    deciding: Deciding
    declaring: Declaring
    stub: Stub
    undo: TakingBack

    def back(self) -> None:
        """Clear what is being entered, else take back the last entry, as BACK does."""
        # The open entry is cleared first: BACK goes one step, and that is the last one.
        is_entering = self.answering.is_keyed() or self.play.phase is P.STUB_WRONG
        if self.undo.may_take_back() and not is_entering:
            self.undo.take_back()
            return
        take_back = _TAKE_BACK.get(self.play.phase)
        if take_back is None:
            raise Refused("BACK: only the floor can correct what was confirmed")
        take_back(self)

    def clear_count(self) -> None:
        """Clear the count that is being entered."""
        if self.entry.pending.number is None:
            raise Refused("BACK: nothing is counted yet")
        self.entry.clear_pending()

    def undeal(self) -> None:
        """Take back the count of the chips until a card is dealt, then the last way around."""
        if self.play.current.last_entry == chips.CHIPS:
            self.chip_count.take_back_count()
        else:
            self.dealing.take_back_lap()

    def undecide(self) -> None:
        """Undo what is being entered, the stub that was just laid down, or else the last answer."""
        if self.play.current.last_entry == stub.STUB and not self.answering.is_keyed():
            self.stub.rack_again()
        else:
            self.deciding.take_back()

    def recount(self) -> None:
        """Have the stub counted again, whatever was declared meanwhile."""
        # COUNT AGAIN is an action, and an action confirms what was declared before it: here it must not.
        declared = self.play.undo
        self.actions.do("recount")
        self.play.remember(declared)

    def answers(self) -> list[str]:
        """Return the entries that the floor may have made again: answers, declarations, who left."""
        # Before the reveal answers are given, after it hands are declared: each has its own way back.
        if self.play.phase in SAYING:
            return self.declaring.may_reopen() + self.deciding.may_come_back()
        given = self.deciding.may_reopen() if self.play.phase in (P.DECIDING, P.TURNING) else []
        return given + self.deciding.may_come_back()

    def correct(self, value: str) -> None:
        """Have an answer given, or a hand declared, once more by order of the floor."""
        by = self.crew.person(Role.FLOOR)
        if self.play.phase in SAYING and not value.endswith(deciding.HERE):
            self.declaring.reopen(value, by)
        elif value.endswith(deciding.HERE):
            self.deciding.come_back(value.partition(" ")[0], by)
        else:
            self.deciding.reopen(int(value), by)

    def words(self, value: str) -> str:
        """Return the words for a seat, the dealer, or a seat that did not leave."""
        boxes, _, here = value.partition(" ")
        return f"{self.deciding.boxes_words(boxes)} {here}".upper() if here else seat_words(value)


# What BACK takes back in each phase; in one that is not here nothing is left to take back, or not by BACK.
_TAKE_BACK: Mapping[Phase, Callable[[Any], None]] = {
    P.COUNTING_CHIPS: Correcting.clear_count,
    P.CHIP_MISMATCH: lambda room: room.actions.do("recount_chips"),
    P.DEALING: Correcting.undeal,
    P.STUB: lambda room: room.stub.take_back(),
    P.STUB_WRONG: Correcting.recount,
    P.LAST_COUNT: Correcting.clear_count,
    P.LAST_WRONG: lambda room: room.actions.do("count_last_again"),
    P.DECIDING: Correcting.undecide,
    P.TURNING: Correcting.undecide,
    P.DECLARING: lambda room: room.declaring.take_back(),
    P.SETTLING: lambda room: room.declaring.take_back(),
    P.VALIDATING: lambda room: room.declaring.take_back(),
}


ACTIONS = (
    Action(
        "correct",
        "CORRECT ENTRY",
        Role.FLOOR,
        BEFORE_REVEAL | SAYING,
        "11(b)",
        Correcting.correct,
        values=Correcting.answers,
        say=Correcting.words,
    ),
)
