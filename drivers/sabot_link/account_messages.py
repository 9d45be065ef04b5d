"""The messages of an electronic wagering system (`docs/sabot-accounts.md`), on the frames of Sabot Link.

Stations place wagers on game accounts; the table answers each, takes in those that stand at the lock, has
sealed draws opened when they are due, and tells what is credited. An account is a number that means nothing
here. The value of a draw is masked in ``repr``: it may be logged only when the table has it.
"""

from typing import Annotated

from sabot.drivers.sabot_link.fields import PRINTABLE, U8, U16, U32, U64, Counted, Raw
from sabot.drivers.sabot_link.message_base import Bit, Bytes32, Happened, Message, one
from sabot.rules.frozen import frozen

STAKE, STANDING_STAKE, SPOT = 6, 10, 2
BYTE = range(256)
Reason = Annotated[str, Counted(40, PRINTABLE, is_text=True)]
Paragraph = Annotated[str, Counted(60, PRINTABLE, is_text=True)]
# As many whole rows as 180 bytes hold: a payload has 200, and the other fields need room beside them.
Stakes = Annotated[bytes, Counted(30 * STAKE, BYTE, is_text=False)]
StandingStakes = Annotated[bytes, Counted(18 * STANDING_STAKE, BYTE, is_text=False)]
Spots = Annotated[bytes, Counted(90 * SPOT, BYTE, is_text=False)]
WINNINGS, STAKE_BACK = 1, 2
MAGIC_CARD, LUCKY = 1, 2


# ---------------------------------------------------------------- commands


@frozen
class OpenBets(Message):
    """Stations may place wagers."""

    code = 0x18


@frozen
class CloseBets(Message):
    """No station may place, change or withdraw a wager."""

    code = 0x19


@frozen
class TakeStakesMessage(Message):
    """These wagers, and no other, are in the round."""

    code = 0x1A
    name = "TakeStakes"
    round: U32
    stakes: Stakes


@frozen
class AnswerWager(Message):
    """The table takes a wager or not; without a ticket, the one that stands has fallen."""

    code = 0x1B
    ticket: U32
    seat: U8
    wager: U8
    cents: U32
    accepted: Bit
    why: Reason


@frozen
class Credit(Message):
    """Credit the account behind a stake of a round."""

    code = 0x1C
    number: U32
    round: U32
    seat: U8
    wager: U8
    kind: Annotated[int, one((WINNINGS, STAKE_BACK))]
    cents: U32
    cite: Paragraph


@frozen
class OpenSeal(Message):
    """A draw is due."""

    code = 0x1D
    draw: U32


@frozen
class DarkenStations(Message):
    """Accepted wagers that the lock would refuse now: all of them, each time."""

    code = 0x1E
    spots: Spots


@frozen
class CountStakes(Message):
    """The host asks for every wager that stands."""

    code = 0x1F


# ---------------------------------------------------------------- answers


@frozen
class Standing(Message):
    """The state of the system."""

    code = 0x32
    command: U32
    phase: Annotated[int, one((0, 1, 2))]
    round: U32
    stations: U8
    wagers: U8
    placed: U8
    cents: U32
    credits: U32
    total: U64
    draw: U32
    fault: U8
    kept: U16
    time: U32


@frozen
class StakesTold(Message):
    """Every wager that stands, with its account."""

    code = 0x33
    command: U32
    round: U32
    stakes: StandingStakes


# ---------------------------------------------------------------- events of the system


@frozen
class WagerAsked(Happened):
    """A station asks for a wager, for another value, or (0) to withdraw it."""

    code = 0x50
    ticket: U32
    seat: U8
    wager: U8
    cents: U32
    account: U32


@frozen
class StakesTaken(Happened):
    """The stakes of the round are in play, and so many draws are sealed for it."""

    code = 0x51
    round: U32
    count: U8
    cents: U32
    draws: U8


@frozen
class DrawSealedMessage(Happened):
    """The system drew, and told nobody; the seal holds it to what it drew."""

    code = 0x52
    name = "DrawSealed"
    draw: U32
    round: U32
    seal: Bytes32


@frozen
class DrawOpened(Happened):
    """A draw that was opened."""

    code = 0x53
    draw: U32
    round: U32
    kind: Annotated[int, one((MAGIC_CARD, LUCKY))]
    value: U8
    salt: Annotated[bytes, Raw(16)]

    def __repr__(self) -> str:
        return f"DrawOpened(event={self.event}, draw={self.draw}, round={self.round}, value=**)"


@frozen
class Credited(Happened):
    """An account was credited; ``again`` says that it was so already, and nothing was added now."""

    code = 0x54
    number: U32
    round: U32
    cents: U32
    account: U32
    total: U64
    again: Bit


COMMANDS = (
    OpenBets,
    CloseBets,
    TakeStakesMessage,
    AnswerWager,
    Credit,
    OpenSeal,
    DarkenStations,
    CountStakes,
)
EVENTS = (WagerAsked, StakesTaken, DrawSealedMessage, DrawOpened, Credited)
MESSAGES = (*COMMANDS, Standing, StakesTold, *EVENTS)
