"""Commands about money and cards: meters and their ledger, decks and what each touched, registered lots."""

import re

from sabot.firmware.console.call import SOURCE, Call
from sabot.firmware.console.command import DECIDERS, FLOOR, Argument, Command, one_of, plain_word
from sabot.firmware.console.commands.state import pair
from sabot.firmware.console.program import ConsoleProgram
from sabot.rules.payouts import dollars
from sabot.statemachine.state.ledger import money
from sabot.statemachine.state.snapshot import Deck, PlayedRound
from sabot.statemachine.vocabulary.events import LotRegistered, MeterAdjusted, Role

_AMOUNT = re.compile(r"[+-]?\d{1,9}\.\d{2}")
PRESHUFFLED = "preshuffled"


async def meters(call: Call) -> None:
    """Show every meter, and every account of the ledger with what moved it this day."""
    table = call.table
    for meter, levels in table.rooms.shares.meters().items():
        for level, cents in levels.items():
            await call.say(pair(f"{meter} {level}", dollars(cents)), meter=meter, level=level, cents=cents)
    ledger = table.state.books.ledger
    for name in sorted(ledger.balances):
        causes = ledger.moved.get(name, {})
        moves = ", ".join(f"{what} {money(units)}" for what, units in causes.items())
        words = moves or "nothing moved it today"
        balance = ledger.balances[name]
        await call.say(
            f"  {name:<26} {money(balance):>18}  {words}", account=name, units=balance, moved=causes
        )
    words = "all accounts sum to zero" if ledger.is_balanced() else "THE ACCOUNTS DO NOT SUM TO ZERO"
    await call.say(words, balanced=ledger.is_balanced())


def amount(text: str) -> str:
    """Return dollars and cents with a sign as cents, in digits."""
    if not _AMOUNT.fullmatch(text):
        message = "an amount such as -12.50 or +100.00"
        raise ValueError(message)
    return str(int(text.replace(".", "")))


def _adjustment(call: Call, by: tuple[str, ...]) -> MeterAdjusted:
    return MeterAdjusted(
        at=call.now,
        source=SOURCE,
        meter=call.get("meter"),
        level=call.get("level"),
        cents=int(call.get("amount")),
        cause=call.request.why or "-",
        by=by,
    )


def verify_adjust(call: Call) -> None:
    """Raise the table's own reasons against the adjustment; the second person comes later."""
    # The second person is not known yet: a name stands in.
    call.table.rooms.orders.verify_adjustment(_adjustment(call, (call.by, "somebody else")))


async def adjust(call: Call) -> None:
    """Put a meter right by an amount, for two people."""
    await call.order(_adjustment(call, (call.by, str(call.second))))
    meter, level = call.get("meter"), call.get("level")
    cents = call.table.rooms.shares.meters()[meter][level]
    await call.say(f"{meter} {level} is {dollars(cents)} now", meter=meter, level=level, cents=cents)


def _meters(program: ConsoleProgram) -> list[str]:
    return sorted(program.runner.table.law.setup.meters) if program.runner else []


def _levels(program: ConsoleProgram) -> list[str]:
    setup = program.runner.table.law.setup.meters if program.runner else {}
    return sorted({level for levels in setup.values() for level in levels})


# ---------------------------------------------------------------- decks


async def decks(call: Call) -> None:
    """Show every deck of the day: its origin, and the rounds with their wagers that it dealt unproven."""
    state = call.table.state
    for deck in [*state.stock.decks.values(), *state.stock.retired]:
        touched = call.table.rooms.deck_room.touched(deck.name) if not deck.retired else deck.unproven
        await call.say(_lineage(deck), deck=deck.name, lot=deck.lot, color=deck.color, retired=deck.retired)
        await call.say(pair("  proof", deck.proof or "none yet"), proof=deck.proof)
        for played in touched:
            await call.say(pair("  unproven round", _played(played)), round=played.number, bets=played.bets)
    for lot in state.stock.lots:
        await call.say(pair("registered", f"lot {lot.lot}, {lot.color}"), lot=lot.lot, color=lot.color)
    if not (state.stock.decks or state.stock.retired or state.stock.lots):
        await call.say("no deck is at the table, and none is registered")


def _lineage(deck: Deck) -> str:
    verified = f", verified by {deck.verified_by}" if deck.verified_by else ""
    gone = f"; {deck.retired}" if deck.retired else ""
    return f"deck {deck.name}: lot {deck.lot}, {deck.color}, {deck.rounds} rounds{verified}{gone}"


def _played(played: PlayedRound) -> str:
    seats = (f"seat {seat} {' '.join(bets)}" for seat, bets in played.bets.items())
    return f"{played.number}: {', '.join(seats) or 'no wagers'}"


async def register_lot(call: Call) -> None:
    """Register a deck for the table; the floor chooses it there."""
    lot, color = call.get("lot"), call.get("color")
    is_preshuffled = bool(call.get(PRESHUFFLED))
    await call.order(
        LotRegistered(at=call.now, source=SOURCE, lot=lot, color=color, preshuffled=is_preshuffled)
    )
    await call.say(f"lot {lot}, {color}, is registered", lot=lot, color=color, preshuffled=is_preshuffled)


COMMANDS = (
    Command("meters", "every meter and the ledger behind it, cause by cause", meters, needs_table=True),
    Command(
        "meters adjust",
        "put a meter right by an amount such as -12.50; two people, between rounds",
        adjust,
        DECIDERS,
        (Argument("meter", offer=_meters), Argument("level", offer=_levels), Argument("amount", amount)),
        second=frozenset({Role.FLOOR, Role.TECHNICIAN, Role.AUDITOR}),
        needs_why=True,
        needs_table=True,
        orders=True,
        verify=verify_adjust,
    ),
    Command("decks", "every deck, its lineage, and the rounds it dealt unproven", decks, needs_table=True),
    Command(
        "register lot",
        "register a deck for the table: its lot or batch, its color",
        register_lot,
        FLOOR,
        (
            Argument("lot", plain_word),
            Argument("color", plain_word),
            Argument(PRESHUFFLED, one_of(PRESHUFFLED), lambda _program: (PRESHUFFLED,), may_lack=True),
        ),
        needs_table=True,
        orders=True,
    ),
)
