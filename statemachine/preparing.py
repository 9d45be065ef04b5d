"""Work done while nobody waits: what the next events will ask is found when the table rests.

Theory of operation. People take seconds for what the table answers in microseconds, and a round has one event
that decides everything, the reveal. So the runner asks the table to prepare whenever everything it had said
is on the medium and nothing waits, one piece at a time, so that an event which comes meanwhile waits for one
piece at most. A piece keeps what it found beside what it followed from. The event that asks for it looks
whether it still follows, and finds it itself where it does not: because somebody left, a hit was paid, or
nobody ever rested. So to prepare changes no answer, nobody need do it, and no snapshot has any of it.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sabot.statemachine.clearing import RoundRecorder
from sabot.statemachine.faults import FaultLatch
from sabot.statemachine.keys import ActionLists
from sabot.statemachine.lockout import Lockout
from sabot.statemachine.outcome import Settlements
from sabot.statemachine.prompts.after_deal import SettlingWords
from sabot.statemachine.settling import Settling
from sabot.statemachine.state.books import LastRecord
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.round import Play


@dataclass(slots=True, eq=False, repr=False)
class Preparing:
    """Find ahead what the next events will ask."""

    play: Play
    faults: FaultLatch
    recorded: LastRecord
    settlements: Settlements
    settling: Settling
    settling_words: SettlingWords
    recording: RoundRecorder
    lockout: Lockout
    lists: ActionLists

    def pieces(self) -> Iterator[None]:
        """Do one piece of what the phase has to prepare at each step, until nothing is left."""
        # Held, also by a restart, it is people's turn: what could break here must not bar their way out.
        if self.faults.held is not None:
            return
        for piece in AHEAD[self.play.phase]:
            piece(self)
            yield

    def settle(self) -> None:
        """Settle the round by its cards before they are turned."""
        if self.settlements.may_prepare():
            self.settlements.prepare()

    def find_due(self) -> None:
        """Find what will be due at each seat, of the outcome that stands or of the one to come."""
        self.settling.prepare(*self.settlements.lines_and_order())

    def word_due(self) -> None:
        """Word what will be due."""
        self.settling_words.prepare()


P = Phase
# In this order: each piece stands on those before it.
AHEAD: Mapping[Phase, tuple[Callable[[Preparing], None], ...]] = {
    P.TURNING: (Preparing.settle, Preparing.find_due, Preparing.word_due),
    P.SETTLING: (
        Preparing.find_due,
        Preparing.word_due,
        lambda each: each.recording.prepare(),
        lambda each: each.lockout.prepare(),
        lambda each: each.lists.prepare(),
        lambda each: each.recorded.let_go(),
    ),
}
