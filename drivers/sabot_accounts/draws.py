"""The draws of a round: in their order, under their seals, and opened only when they are due.

A seal holds a system to what it drew before anybody knew it.
"""

import hashlib
import struct
from dataclasses import field

from sabot.drivers.sabot_link import account_messages as a
from sabot.rules.frozen import mutable
from sabot.statemachine.vocabulary.events import DrawMade, Event

_DRAWN = struct.Struct(">IIBB")


def seal_of(draw: int, round_: int, kind: int, value: int, salt: bytes) -> bytes:
    """Return the seal that such a draw must have had."""
    return hashlib.sha256(b"sabot-accounts/1 draw" + _DRAWN.pack(draw, round_, kind, value) + salt).digest()


PACK = 52
DEALER = "dealer"


@mutable
class Draws:
    """The known draws; ``last`` is None until the system has said which its last one was.

    ``before`` is the round that the system had taken in when this program first heard it: draws of that one
    may be open that were never sealed here; the table has them on its own record.
    """

    last: int | None = None
    before: int = 0
    round: int = 0
    spent: int = 0
    seals: dict[int, bytes] = field(default_factory=dict)
    due: dict[int, str] = field(default_factory=dict)
    done: dict[int, a.DrawOpened] = field(default_factory=dict)

    @property
    def count(self) -> int:
        """Return how many were drawn for the round."""
        return len(self.seals)

    @property
    def waits(self) -> bool:
        """Return whether a draw that is due has not been opened."""
        return not self.due.keys() <= self.done.keys()

    def begun(self, last: int, taken: int) -> None:
        """Take the system's word for what was before, where nothing of it was heard yet."""
        if self.last is None:
            self.last, self.before = last, taken

    def are_all(self, told: int) -> bool:
        """Return whether as many are known as the system says were drawn for the round."""
        # Of a round that began before this program did, draws may be sealed that it never heard.
        return self.count == told or (self.count < told and self.round == self.before)

    def new_round(self, number: int) -> None:
        """Begin another round, without a draw yet."""
        # Draws are numbered on and on: what was sealed for a round before cannot be one of this.
        self.round, self.spent = number, max((*self.seals, self.spent))
        self.seals, self.due, self.done = {}, {}, {}

    def ordered(self, draws: dict[int, str]) -> None:
        """Note that these draws are due, each with the seal that the table has on record."""
        self.due |= draws
        for draw, seal in draws.items():
            self.seals.setdefault(draw, bytes.fromhex(seal))

    def sealed(self, told: a.DrawSealedMessage) -> str:
        """Take a draw in its turn, or again; return why it cannot be believed, else nothing."""
        if told.round != self.round:
            return f"draw {told.draw} is for round {told.round}, under way is {self.round}"
        known = self.seals.get(told.draw)
        if known is not None:
            return "" if known == told.seal else f"draw {told.draw} has another seal than before"
        if told.draw <= self.spent:
            return f"draw {told.draw} was of a round before"
        # Numbered without a gap and for ever: a draw that was made and thrown away is missed here.
        following = (self.last or 0) + 1
        if told.draw > following:
            return f"draw {told.draw} comes where {following} is the next"
        self.last = max(told.draw, self.last or 0)
        self.seals[told.draw] = told.seal
        return ""

    def opened(self, told: a.DrawOpened, seats: int, source: str, at: float) -> str | list[Event]:
        """Return the event of a draw that fits its seal, none where it was had, or why it is not believed."""
        had = self.done.get(told.draw)
        if had is not None:
            is_same = (had.kind, had.value, had.salt) == (told.kind, told.value, told.salt)
            return [] if is_same else f"draw {told.draw} is opened a second time, as another"
        seal = self.due.get(told.draw)
        if seal is None:
            return f"draw {told.draw} was opened and not ordered"
        # The seal is of number, round, kind, value and salt: none of them can be exchanged afterwards.
        if seal_of(told.draw, told.round, told.kind, told.value, told.salt).hex() != seal:
            return f"draw {told.draw} does not fit its seal"
        if any(each.kind == told.kind for each in self.done.values()):
            return f"draw {told.draw} is the second of its kind in the round"
        if told.value > (PACK - 1 if told.kind == a.MAGIC_CARD else seats):
            return f"draw {told.draw} has a value there is not"
        self.done[told.draw] = told
        return [_made(told, source, at)]


def _made(told: a.DrawOpened, source: str, at: float) -> Event:
    if told.kind == a.MAGIC_CARD:
        return DrawMade(at=at, source=source, draw=told.draw, magic_card=told.value)
    return DrawMade(at=at, source=source, draw=told.draw, lucky=told.value or DEALER)
