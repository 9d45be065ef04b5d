"""Effects: what the table wants done, in the imperative.

The core performs nothing. The runner performs the safe direction (``LockWagers``, ``HaltShoe``) at once and
everything else when it is durable. Every effect that decides something carries its paragraph. No effect
ever carries the identity of a card that is not public.
"""

from dataclasses import dataclass

from sabot.statemachine.events import Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """Something to be done."""

    cite: str = ""


# ---------------------------------------------------------------- the safe direction


@dataclass(frozen=True, slots=True, kw_only=True)
class LockWagers(Effect):
    """Lock these spots (all of them where none is named): nothing placed there counts any more."""

    spots: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class HaltShoe(Effect):
    """Let the shoe give no more cards."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeShoe(Effect):
    """The shoe may give cards again; an order from before the halt is void."""


# ---------------------------------------------------------------- wagers and money


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSpots(Effect):
    """Let wagers be placed on these spots."""

    spots: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseWager(Effect):
    """A wager does not count and goes back; ``why`` for the dealer."""

    seat: int
    wager: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnWager(Effect):
    """Give a stake back, to the game account where it came from one."""

    seat: int
    wager: str
    cents: int | None
    account: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectWager(Effect):
    """Take a losing stake."""

    seat: int
    wager: str
    cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PayWager(Effect):
    """Pay from the tray, and give the stake back where ``back`` says so."""

    seat: int
    wager: str
    paid: int | None
    back: int | None
    odds: str = ""
    from_tray: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CreditAccount(Effect):
    """Pay to a player's game account."""

    seat: int
    wager: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeBackPayment(Effect):
    """A payment of a round that turned out void is to be taken back."""

    seat: int
    wager: str
    cents: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidRound(Effect):
    """The round is void."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRound(Effect):
    """The void was a mistake: the round stands again, and wagers that were handed back are placed again."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SetMeter(Effect):
    """Show a meter's value."""

    meter: str
    level: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FreezeHit(Effect):
    """A progressive hit: amount and winner are frozen and the light goes on."""

    seat: int
    wager: str
    row: str
    cents: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DropHit(Effect):
    """A hit that was frozen is none after all: the light goes off."""

    seat: int
    wager: str


# ---------------------------------------------------------------- cards and decks


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispense(Effect):
    """Let an automated shoe put out a stack of so many cards."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StartShuffle(Effect):
    """Let a device shuffle a deck."""

    deck: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveDeck(Effect):
    """A deck leaves the table for good."""

    deck: str
    why: str


# ---------------------------------------------------------------- people


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowPrompt(Effect):
    """The dealer's two lines, at most twenty plain characters each."""

    first: str
    second: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LightSeat(Effect):
    """Light the lamp of one seat and no other (0: none)."""

    seat: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RequireRole(Effect):
    """A person of this role must come, for this reason."""

    role: Role
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RefuseInput(Effect):
    """An input makes no sense now; nothing was changed."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RaiseFault(Effect):
    """A fault is latched."""

    fault: str
    device: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearFault(Effect):
    """A fault is gone: its cause was tested again and the right role said so."""

    fault: str
    device: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold(Effect):
    """The table waits: why, who may release it, and how."""

    why: str
    role: Role
    how: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRound(Effect):
    """The record of a finished round is complete under this number."""

    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDay(Effect):
    """The gaming day is over: figures by meter, decks, voids, faults, unlocks."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WakeAt(Effect):
    """Post ``TimeReached`` at this monotonic second."""

    at: float
