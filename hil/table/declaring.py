"""The declaring of a hand: people see what lies there, read every row of a question, and take the right one.

Each key has its answer before the next. A row that was stepped over would be one nobody saw, so that a flush
is called a pair; and OK on a row that is not the one that was meant declares it all the same.
"""

from collections.abc import Callable
from typing import Protocol

from sabot.hil.table.dealer_eyes import Eyes, HandLooked
from sabot.hil.table.game import Game
from sabot.hil.table.hands import Hands, NotSeenError
from sabot.hil.table.stacks import Stacks

# A question opens on it, and it is no answer.
NEUTRAL = "CHOOSE < >, THEN OK"
MOST_TRIES, MOST_STEPS = 5, 120


class Declarer(Protocol):
    """Somebody at the table who looks at hands and says what they are."""

    hands: Hands
    stacks: Stacks
    on_look: Callable[[HandLooked], None]

    @property
    def eyes(self) -> Eyes:
        """Return the cards on the felt, as somebody sees them who looks."""

    @property
    def game(self) -> Game:
        """Return the game that is played here."""

    def press(self, key: str) -> None:
        """Press a key and see its answer."""


def declare(crew: Declarer) -> None:
    """Answer the question on the display; do nothing if it has gone meanwhile."""
    question = crew.hands.lines[0]
    _see_stacks(crew)
    for _ in range(MOST_TRIES):
        rows = _rows_of(crew, question)
        if not rows:
            _stay_with(crew, question)
            return
        row = crew.eyes.answer(question, rows)
        # Walked once more, row by row: OK only where each stood at its place, and the right one stands now.
        if all(_next_row(crew) == (question, each) for each in rows[: rows.index(row) + 1]):
            crew.on_look(crew.eyes.looked[-1])
            crew.press("OK")
            return
    message = f"the rows of {question!r} did not stay where they were"
    raise NotSeenError(message)


def _stay_with(crew: Declarer, before: str) -> None:
    """Answer the question that has come meanwhile, if a key for the last one moved its cursor.

    The display answers late on a busy machine. A question whose cursor has moved says nothing of what to do.
    """
    question, row = crew.hands.lines
    if question != before and row != NEUTRAL and crew.eyes.knows(question):
        declare(crew)


def _see_stacks(crew: Declarer) -> None:
    """Look at the stacks that a machine gave, where the display said."""
    crew.stacks.hear(crew.hands.diary(crew.stacks.rows))
    for (place, nth), card in crew.stacks.lying(crew.game).items():
        crew.eyes.put(place, nth, card)


def _rows_of(crew: Declarer, question: str) -> list[str]:
    """Return every row, once around from the line that is no answer; none if the question has gone."""
    seen: list[str] = []
    for _ in range(MOST_STEPS):
        first, second = crew.hands.lines
        if first != question:
            return []
        if second == NEUTRAL and seen:
            return seen[1:]
        if second == NEUTRAL or seen:
            seen.append(second)
        _next_row(crew)
    return []


def _next_row(crew: Declarer) -> tuple[str, str]:
    """Go one row on, and return the display."""
    crew.press("RIGHT")
    return crew.hands.lines
