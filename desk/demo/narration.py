"""Events and effects in plain words, one line each, with the paragraph that the table gave.

What is not here is shown elsewhere: the prompt on the display, the lamp at its seat. No line can name a card,
for the console masks those of an event, and no effect has one.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, Protocol

from sabot.rules.payouts import dollars, dollars_or
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary import events as ev
from sabot.statemachine.vocabulary.effects import Effect
from sabot.statemachine.vocabulary.events import Event

Labels = Mapping[str, str]
Words = Callable[[Any, Labels], str]


class NewsSpot(Protocol):
    """A wager of a seat."""

    @property
    def seat(self) -> int:
        """Return the seat."""

    @property
    def wager(self) -> str:
        """Return the wager's id."""


class NewsKind(StrEnum):
    """What a line is about."""

    TITLE = "title"
    SAY = "say"
    ALARM = "alarm"
    EVENT = "event"
    EFFECT = "effect"
    MONEY = "money"
    CARD = "card"
    PROMPT = "prompt"


class DemoNews(NamedTuple):
    """One line."""

    kind: NewsKind
    text: str
    cite: str = ""


def label(wager: str, labels: Labels) -> str:
    """Return a wager's short name; ``envy:seat3`` is an Envy Bonus for seat 3's hand."""
    base, _, rest = wager.partition(":")
    name = labels.get(base, base.replace("_", " "))
    return f"{name} ({rest.replace('seat', 'seat ').replace('_', ' ')})" if rest else name


def money(cents: int | None) -> str:
    """Return an amount, or words for one that no pad can feel."""
    return dollars_or(cents, "its value")


def _spot(each: NewsSpot, labels: Labels) -> str:
    return f"seat {each.seat} {label(each.wager, labels)}"


def _sensed(event: ev.WagerSensed, labels: Labels) -> str:
    return f"{_spot(event, labels)}: {'chips lifted' if event.cents == 0 else money(event.cents)}"


def _shuffled(event: ev.ShuffleCompleted, _labels: Labels) -> str:
    counted = "not counted" if event.count is None else f"{event.count} cards counted"
    return f"shuffler: deck {event.deck} shuffled, {counted}"


def _spots(each: ef.LockWagers | ef.OpenSpots, _labels: Labels) -> str:
    verb = "locked" if isinstance(each, ef.LockWagers) else "open"
    count = len(each.spots)
    return f"{count} betting spot{'s' * (count > 1)} {verb}" if count else "every betting spot locked"


def _paid(each: ef.PayWager, labels: Labels) -> str:
    won = dollars(each.paid) if each.paid is not None else each.odds
    source = "" if each.from_tray else ", not from the tray"
    return f"{_spot(each, labels)} is paid {won}{source}"


EVENT_WORDS: Mapping[type[Event], Words] = {
    ev.StackDispensed: lambda e, _: f"shoe: a stack of {e.count} comes out",
    ev.StackDelayed: lambda e, _: (
        f"{e.device}: its order waits, it is busy{e.deck and f' with deck {e.deck}'}"
    ),
    ev.StubEjected: lambda e, _: f"{e.device}: {e.count} cards of deck {e.deck or 'any'} come out, the stub",
    ev.ShuffleBlocked: lambda e, _: (
        f"{e.device}: {'waits for' if e.is_empty else 'cards lie in the way of'} deck {e.deck}"
    ),
    ev.ShuffleCompleted: _shuffled,
    ev.ShufflerStopped: lambda e, _: f"shuffler: {e.cause}",
    ev.DeviceJammed: lambda e, _: f"{e.device}: {e.cause}",
    ev.DeviceRetested: lambda e, _: f"{e.device}: tested again, {'good' if e.good else 'not good'}",
    ev.LinkLost: lambda e, _: f"{e.device}: {e.reason}",
    ev.LinkRestored: lambda e, _: f"{e.device}: heard again",
    ev.WagerSensed: _sensed,
    ev.RoleUnlocked: lambda e, _: f"{e.person} ({e.role}) turns the key switch and enters a PIN",
    ev.RoleLocked: lambda _e, _l: "key switch turned back",
    ev.DealerSignedOn: lambda e, _: f"{e.person} deals",
    ev.LotRegistered: lambda e, _: f"deck {e.lot}, {e.color} backs, registered",
    ev.Resumed: lambda e, _: f"controller: started again after {e.down_s:.0f} s",
}
MONEY_WORDS: Mapping[type[Effect], Words] = {
    ef.ReturnWager: lambda e, names: f"{_spot(e, names)} goes back, {money(e.cents)}",
    ef.CollectWager: lambda e, names: f"{_spot(e, names)} loses {money(e.cents)}",
    ef.PayWager: _paid,
    ef.CreditAccount: lambda e, names: f"{_spot(e, names)} pays {dollars(e.cents)} to the account",
    ef.TakeBackPayment: lambda e, names: f"{_spot(e, names)}: {money(e.cents)} to be taken back",
    ef.DropHit: lambda e, _: f"NO HIT: seat {e.seat}",
    ef.RestoreRound: lambda e, _: f"THE ROUND STANDS: {e.why}",
    ef.FreezeHit: lambda e, _: f"HIT: seat {e.seat}, {e.row.replace('_', ' ')}, {dollars(e.cents)}",
}
EFFECT_WORDS: Mapping[type[Effect], Words] = {
    ef.LockWagers: _spots,
    ef.OpenSpots: _spots,
    ef.HaltShoe: lambda _e, _l: "shoe halted",
    ef.RefuseWager: lambda e, names: f"{_spot(e, names)} refused: {e.why}",
    ef.AcceptWager: lambda e, names: f"{_spot(e, names)} accepted, {money(e.cents)}",
    ef.VoidRound: lambda e, _: f"the round is void: {e.why}",
    ef.SetMeter: lambda e, _: f"{e.level} meter {dollars(e.cents)}",
    ef.Dispense: lambda e, _: f"shoe: put out {e.count}",
    ef.EjectStub: lambda e, _: f"shoe: put out what is left{e.deck and f' of deck {e.deck}'}",
    ef.StartShuffle: lambda e, _: f"shuffler: shuffle deck {e.deck}",
    ef.RemoveDeck: lambda e, _: f"deck {e.deck} leaves: {e.why}",
    ef.RequireRole: lambda e, _: f"calls the {e.role}: {e.why}",
    ef.RefuseInput: lambda e, _: f"refused: {e.why}",
    ef.EndCall: lambda e, _: f"the {e.role} has come",
    ef.RetestDevice: lambda e, _: f"lets the {e.device} test {e.fault} again",
    ef.RaiseFault: lambda e, _: f"fault latched: {e.why}",
    ef.ClearFault: lambda e, _: f"fault cleared by {e.by}: {e.fault.replace('_', ' ')}, {e.device}",
    ef.RecordRound: lambda e, _: f"round {e.number} is on record",
    ef.ReportDay: lambda e, _: f"day's report: {e.lines[0]}",
}


def event_news(event: Event, labels: Labels) -> list[DemoNews]:
    """Return the line for an event of a device or a person, if it is worth one."""
    words = EVENT_WORDS.get(type(event))
    return [DemoNews(NewsKind.EVENT, words(event, labels))] if words else []


def effect_news(effect: Effect, labels: Labels) -> list[DemoNews]:
    """Return the line for an order of the table, if it is worth one."""
    for kind, table in ((NewsKind.MONEY, MONEY_WORDS), (NewsKind.EFFECT, EFFECT_WORDS)):
        words = table.get(type(effect))
        if words:
            return [DemoNews(kind, words(effect, labels), effect.cite)]
    return []
