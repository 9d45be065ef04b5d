"""Effects: what the table wants done, in the imperative.

The core performs nothing. The runner performs the safe direction (``LockWagers``, ``HaltShoe``) at once and
everything else when it is durable. Every effect that decides something carries its paragraph. No effect
ever carries the identity of a card that is not public.
"""

from sabot.rules.frozen import frozen
from sabot.statemachine.vocabulary.events import Role

# The first line of a display where the program takes nothing; it stays when the program ends.
OUT_OF_SERVICE = "OUT OF SERVICE"
# The names that a table has for one machine that shuffles and deals.
ONE_MACHINE = ("shoe", "shuffler")
# A place for a wager: the seat and the name of the wager.
Spot = tuple[int, str]


@frozen(kw_only=True)
class Effect:
    """Something to be done."""

    cite: str = ""


# ---------------------------------------------------------------- the safe direction


@frozen(kw_only=True)
class LockWagers(Effect):
    """Lock these spots (all of them where none is named): nothing placed there counts any more."""

    spots: tuple[Spot, ...] = ()


@frozen(kw_only=True)
class HaltShoe(Effect):
    """Let the shoe give no more cards."""


@frozen(kw_only=True)
class FreeShoe(Effect):
    """Let the shoe give cards again; an order from before the halt is void."""


# ---------------------------------------------------------------- wagers and money


@frozen(kw_only=True)
class OpenSpots(Effect):
    """Let wagers be placed on these spots."""

    spots: tuple[Spot, ...]


@frozen(kw_only=True)
class DarkenSpots(Effect):
    """Keep these spots dark, and no others: their wagers lie there and would not stand at LOCK.

    A light acknowledges a wager (641a.2(c)(1)); one that the lock will refuse must never have had it.
    """

    spots: tuple[Spot, ...]


@frozen(kw_only=True)
class RefuseWager(Effect):
    """Refuse a wager: it does not count and goes back; ``why`` for people, ``ticket`` for a station."""

    seat: int
    wager: str
    why: str
    ticket: int = 0


@frozen(kw_only=True)
class AcceptWager(Effect):
    """Accept a wager on a game account as it was asked for, or (0) its withdrawal."""

    seat: int
    wager: str
    cents: int
    ticket: int = 0


@frozen(kw_only=True)
class TakeStakes(Effect):
    """Take these stakes on game accounts, and no others, into the round."""

    number: int
    stakes: tuple[tuple[int, str, int], ...]


@frozen(kw_only=True)
class OpenDraws(Effect):
    """Open the draws that are due, by number and seal."""

    draws: tuple[Spot, ...]


@frozen(kw_only=True)
class ReturnWager(Effect):
    """Give a stake back, to the game account where it came from one."""

    seat: int
    wager: str
    cents: int | None
    account: bool = False


@frozen(kw_only=True)
class CollectWager(Effect):
    """Take a losing stake."""

    seat: int
    wager: str
    cents: int | None


@frozen(kw_only=True)
class PayWager(Effect):
    """Pay from the tray, and give the stake back where ``back`` says so."""

    seat: int
    wager: str
    paid: int | None
    back: int | None
    odds: str = ""
    from_tray: bool = True


@frozen(kw_only=True)
class CreditAccount(Effect):
    """Pay to a player's game account."""

    seat: int
    wager: str
    cents: int


@frozen
class Owed:
    """A debt to a game account, until the wagering system has confirmed it: winnings, or a stake back."""

    number: int
    round: int
    seat: int
    wager: str
    cents: int
    is_stake: bool
    cite: str


@frozen(kw_only=True)
class OweAccounts(Effect):
    """Credit everything that game accounts are owed, each number once."""

    owed: tuple[Owed, ...]


@frozen(kw_only=True)
class TakeBackPayment(Effect):
    """Take back a payment of a round that turned out void."""

    seat: int
    wager: str
    cents: int | None


@frozen(kw_only=True)
class VoidRound(Effect):
    """Void the round."""

    why: str


@frozen(kw_only=True)
class RestoreRound(Effect):
    """Let the round stand again, for its void was a mistake: wagers that went back are placed again."""

    why: str


@frozen(kw_only=True)
class SetMeter(Effect):
    """Show a meter's value."""

    meter: str
    level: str
    cents: int


@frozen(kw_only=True)
class FreezeHit(Effect):
    """Announce a progressive hit: freeze amount and winner, and light its lamp."""

    seat: int
    wager: str
    row: str
    cents: int


@frozen(kw_only=True)
class DropHit(Effect):
    """Take back a hit that was frozen and is none after all: its light goes off."""

    seat: int
    wager: str


# ---------------------------------------------------------------- linked meters


@frozen(kw_only=True)
class ContributeToLink(Effect):
    """Tell the floor what the accepted wagers of a round contribute: seat, wager, cents."""

    link: str
    number: int
    config: int
    spots: tuple[tuple[int, str, int], ...]


@frozen(kw_only=True)
class ReverseFromLink(Effect):
    """Tell the floor which wagers of a round contribute nothing after all, and why."""

    link: str
    number: int
    cause: str
    spots: tuple[Spot, ...]


@frozen(kw_only=True)
class ClaimHit(Effect):
    """Claim the amount of a hit on a linked meter: it is the turn of these seats to be paid."""

    link: str
    number: int
    wager: str
    row: str
    seats: tuple[int, ...]


@frozen(kw_only=True)
class ConfirmGrant(Effect):
    """Tell the floor that a floorperson has validated a hit."""

    grant: int
    by: str


@frozen(kw_only=True)
class WithdrawGrant(Effect):
    """Tell the floor that a hit was none, or that its round is void."""

    grant: int
    by: str
    cause: str


@frozen(kw_only=True)
class SilenceMeter(Effect):
    """Show no amount of a linked meter, but why; nothing from the time on when amounts are heard again."""

    meter: str
    why: str


@frozen(kw_only=True)
class AnnounceHit(Effect):
    """Show who has won on a linked meter, by the number of the table (empty: nobody just now)."""

    meter: str
    table: str
    seats: tuple[int, ...] = ()
    cents: int = 0


# ---------------------------------------------------------------- cards and decks


@frozen(kw_only=True)
class Dispense(Effect):
    """Let an automated shoe put out a stack of so many cards of a deck."""

    count: int
    deck: str = ""


@frozen(kw_only=True)
class EjectStub(Effect):
    """Let an automated shoe put out what is left of a deck (empty: all that lies in it)."""

    deck: str


@frozen(kw_only=True)
class StartShuffle(Effect):
    """Let a device shuffle a deck."""

    deck: str


@frozen(kw_only=True)
class RemoveDeck(Effect):
    """Take a deck off the table for good."""

    deck: str
    why: str


# ---------------------------------------------------------------- people


@frozen(kw_only=True)
class ShowPrompt(Effect):
    """Show the dealer two lines of at most twenty plain characters each."""

    first: str
    second: str


@frozen(kw_only=True)
class LightSeat(Effect):
    """Light the lamp of one seat and no other (0: none)."""

    seat: int


@frozen(kw_only=True)
class RequireRole(Effect):
    """Call a person of this role, for this reason."""

    role: Role
    why: str


@frozen(kw_only=True)
class EndCall(Effect):
    """End a call: somebody of this role has come."""

    role: Role


@frozen(kw_only=True)
class RefuseInput(Effect):
    """Refuse an input that makes no sense now; nothing was changed."""

    why: str


@frozen(kw_only=True)
class ShowNotice(Effect):
    """Show two lines over the prompt for two seconds: why a key was refused, or that somebody was called."""

    first: str
    second: str


@frozen(kw_only=True)
class RetestDevice(Effect):
    """Let a device test the cause of its fault again; its answer is an event."""

    device: str
    fault: str


@frozen(kw_only=True)
class RaiseFault(Effect):
    """Say that a fault is latched."""

    fault: str
    device: str
    why: str


@frozen(kw_only=True)
class ClearFault(Effect):
    """Say that a fault is gone: its cause was tested again and the right role said so."""

    fault: str
    device: str
    by: str


@frozen(kw_only=True)
class Hold(Effect):
    """Say that the table waits: why, who may release it, and how."""

    why: str
    role: Role
    how: str = ""


@frozen(kw_only=True)
class RecordRound(Effect):
    """Keep the record of a finished round, which is complete under this number."""

    number: int


@frozen(kw_only=True)
class ReportDay(Effect):
    """Report the gaming day that is over: figures by meter, decks, voids, faults, unlocks."""

    lines: tuple[str, ...]


@frozen(kw_only=True)
class WakeAt(Effect):
    """Post ``TimeReached`` at this monotonic second."""

    at: float
