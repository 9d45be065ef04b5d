"""Each auditor objects when it is lied to: what never fails proves nothing.

The lie is told in a shift that the auditor passes when nobody lies (``test_shifts``); it must object in the
first shift that has what the lie is about.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest

from sabot.statemachine.state.ledger import UNITS
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary import events as ev
from tests.statemachine.life import at

from .audit_cards import CardAuditor
from .audit_faults import FaultAuditor
from .audit_meters import MeterAuditor
from .audit_procedure import ProcedureAuditor
from .audit_settlement import SettlementAuditor
from .audit_stakes import StakeAuditor
from .audit_telling import RefusalAuditor, TellingAuditor
from .audit_waiting import WaitingAuditor
from .auditor import BrokenError, is_refused, of_kind
from .invariants import AUDITORS
from .random_shift import RandomShift, Step
from .setups import WAYS
from .tampering import (
    Lie,
    added,
    another_event,
    at_the_lock,
    forged,
    in_a_void,
    last_first,
    left_out,
    of_money,
    otherwise,
    told,
    twice,
    while_held,
)

if TYPE_CHECKING:
    from sabot.statemachine.table import Table
    from tests.statemachine.shift import Shift

    from .auditor import Auditor

PAID = ef.PayWager(seat=1, wager="ante", paid=100, back=100)
SEEDS = range(3)


def is_dealt(table: Table, step: Step) -> bool:
    """A card that was read has found its place."""
    return bool(table.state.play.round and table.state.play.round.seen and not is_refused(step.effects))


def is_read(table: Table, step: Step) -> bool:
    return is_dealt(table, step) and isinstance(step.event, ev.CardDrawn) and step.event.card is not None


def is_stake(_table: Table, step: Step) -> bool:
    event = step.event
    return (
        isinstance(event, ev.WagerSensed)
        and event.wager == "ante"
        and event.cents == 1_000
        and not step.effects
    )


def is_counted(table: Table, step: Step) -> bool:
    """A shuffler that was told to shuffle has counted the whole deck."""
    event, told = step.event, of_kind(step.effects, ef.OpenSpots)
    return (
        isinstance(event, ev.ShuffleCompleted)
        and event.count == 52
        and bool(told)
        and not table.rooms.faults.held
    )


def has_round(table: Table, _step: Step) -> bool:
    return table.state.play.round is not None


def has_fault(table: Table, step: Step) -> bool:
    return bool(table.state.trouble.holds) and not is_refused(step.effects)


def refused(_table: Table, step: Step) -> bool:
    return is_refused(step.effects)


def waits_for_a_card(_table: Table, step: Step) -> bool:
    return any(told.first.startswith("CARD 1 ") for told in of_kind(step.effects, ef.ShowPrompt))


def another_card(event: ev.CardDrawn) -> dict[str, object]:
    assert event.card is not None
    return {"card": ev.Secret((event.card.card + 1) % 52)}


def is_stack(table: Table, step: Step) -> bool:
    """A stack whose cards the table was told, and keeps."""
    is_one = isinstance(step.event, ev.StackDispensed) and len(step.event.cards) > 1
    return is_one and is_dealt(table, step) and table.state.play.current.seen[-1] is not None


def the_first_card_again(event: ev.StackDispensed) -> dict[str, object]:
    return {"cards": (event.cards[0],) * len(event.cards)}


def loses_a_link(_table: Table, step: Step) -> bool:
    return isinstance(step.event, ev.LinkLost) and not is_refused(step.effects)


def forget_a_card(table: Table) -> None:
    table.state.play.current.drawn -= 1


def forget_the_faults(table: Table) -> None:
    table.state.trouble.holds = []


def count_another_round(table: Table) -> None:
    table.state.books.rounds += 1


def rob_a_meter(table: Table) -> None:
    """A cent goes from a meter to another account: the sum is zero still."""
    balances = table.state.books.ledger.balances
    meter = next(name for name in balances if tuple(name.split(".")) in _signs(table))
    other = next(name for name in balances if name != meter)
    balances[meter] -= UNITS
    balances[other] += UNITS


def lose_a_cent(table: Table) -> None:
    balances = table.state.books.ledger.balances
    balances[next(iter(balances))] -= UNITS


def _signs(table: Table) -> set[tuple[str, str]]:
    return {(meter, level) for meter, levels in table.law.setup.meters.items() for level in levels}


def has_meter(table: Table, _step: Step) -> bool:
    return bool(table.law.setup.meters)


LIES: list[tuple[type[Auditor], str, Lie]] = [
    (StakeAuditor, "a spot opens unsaid", left_out(ef.OpenSpots)),
    (StakeAuditor, "a late wager is not refused", left_out(ef.RefuseWager)),
    (StakeAuditor, "a spot stays dark after the lock", left_out(ef.DarkenSpots, at_the_lock)),
    (StakeAuditor, "the lock comes last", last_first),
    (StakeAuditor, "another amount goes back at the lock", otherwise(ef.ReturnWager, at_the_lock, cents=1)),
    (StakeAuditor, "what nobody wagered goes back", otherwise(ef.ReturnWager, at_the_lock, seat=1)),
    (
        StakeAuditor,
        "another amount was sensed",
        another_event(ev.WagerSensed, lambda _: {"cents": 77}, is_stake),
    ),
    (SettlementAuditor, "a cent too much is paid", otherwise(ef.PayWager, of_money, paid=1)),
    (SettlementAuditor, "a stake is not collected", left_out(ef.CollectWager)),
    (SettlementAuditor, "a stake is collected twice", twice(ef.CollectWager)),
    (SettlementAuditor, "a win is not paid", left_out(ef.PayWager)),
    (SettlementAuditor, "a win is paid twice", twice(ef.PayWager, of_money)),
    (SettlementAuditor, "an account gets a cent too much", otherwise(ef.CreditAccount, cents=1)),
    (SettlementAuditor, "a void keeps a stake", left_out(ef.ReturnWager, in_a_void)),
    (SettlementAuditor, "a void gives a stake back twice", twice(ef.ReturnWager, in_a_void)),
    (SettlementAuditor, "a payment stays in a void", left_out(ef.TakeBackPayment, in_a_void)),
    (MeterAuditor, "a sign is not set", left_out(ef.SetMeter)),
    (MeterAuditor, "a sign shows a cent less", otherwise(ef.SetMeter, cents=-1)),
    (MeterAuditor, "a cent leaves a meter", forged(rob_a_meter, has_meter)),
    (MeterAuditor, "a cent leaves the books", forged(lose_a_cent, has_meter)),
    (CardAuditor, "another card was drawn", another_event(ev.CardDrawn, another_card, is_read)),
    (CardAuditor, "a stack is of one card", another_event(ev.StackDispensed, the_first_card_again, is_stack)),
    (CardAuditor, "a card is forgotten", forged(forget_a_card, is_dealt)),
    (FaultAuditor, "a fault is not told", left_out(ef.RaiseFault)),
    (FaultAuditor, "a clearing is not told", left_out(ef.ClearFault)),
    (
        FaultAuditor,
        "a fault is cleared that was none",
        added(ef.ClearFault(fault="device", device="pad", by="floor")),
    ),
    (FaultAuditor, "a lost link is forgotten at once", forged(forget_the_faults, loses_a_link)),
    (FaultAuditor, "the faults are forgotten", forged(forget_the_faults, has_fault)),
    (FaultAuditor, "money moves while a fault holds", added(PAID, while_held)),
    (ProcedureAuditor, "a prompt names a card", otherwise(ef.ShowPrompt, second="IT IS As")),
    (
        ProcedureAuditor,
        "a fault is cleared that was none",
        added(ef.ClearFault(fault="lost_link", device="nothing", by="nobody")),
    ),
    (
        ProcedureAuditor,
        "a deck of 51 stays",
        another_event(ev.ShuffleCompleted, lambda _: {"count": 51}, is_counted),
    ),
    (TellingAuditor, "a line is too long", otherwise(ef.ShowPrompt, first="THIS LINE IS FAR TOO LONG")),
    (TellingAuditor, "a line is not plain", otherwise(ef.ShowPrompt, second="CAF\u00c9")),
    (TellingAuditor, "a prompt has no words", otherwise(ef.ShowPrompt, first="")),
    (TellingAuditor, "a prompt has no paragraph", otherwise(ef.ShowPrompt, cite="")),
    (TellingAuditor, "a prompt is told twice", twice(ef.ShowPrompt)),
    (TellingAuditor, "a lamp is where no seat is", otherwise(ef.LightSeat, seat=99)),
    (WaitingAuditor, "a shoe is halted unsaid", added(ef.HaltShoe(), waits_for_a_card)),
    (WaitingAuditor, "a stack is not ordered", left_out(ef.Dispense)),
    (WaitingAuditor, "a shuffle is not ordered", left_out(ef.StartShuffle)),
    (WaitingAuditor, "a draw is not ordered", left_out(ef.OpenDraws)),
    (RefusalAuditor, "a refusal pays", added(PAID, refused)),
    (RefusalAuditor, "a refusal counts a round", forged(count_another_round, refused)),
]


@pytest.mark.parametrize(
    ("auditor", "what", "lie"), LIES, ids=[f"{each[0].__name__}-{each[1]}" for each in LIES]
)
def test_an_auditor_objects_to_a_lie(auditor: type[Auditor], what: str, lie: Lie) -> None:
    for seed, way in product(SEEDS, WAYS):
        try:
            has_lied = told(auditor, lie, way, seed)
        except BrokenError:
            return
        assert not has_lied, f"{auditor.__name__} of {way}, seed {seed}, did not see it: {what}"
    raise AssertionError(f"no shift has what this lie is about: {what}")


def test_the_card_auditor_objects_to_a_card_that_comes_twice() -> None:
    """Were table and device of one mind about it, it is one card too many still."""
    way = next(way for way in WAYS if way.knowledge is Knowledge.EACH_CARD)
    shift = RandomShift(0, way, noise=0.0, whims=0.0)
    looks = CardAuditor(shift.table)
    for step in shift.steps():
        looks.see(*step)
        if len(looks.out) > 1:
            break
    seen = shift.table.state.play.current.seen
    seen[1], looks.out[1] = seen[0], looks.out[0]
    with pytest.raises(BrokenError, match="a card left twice"):
        looks.see(ev.TimeReached(at=shift.now), [])


@pytest.mark.parametrize("auditor", AUDITORS)
def test_an_auditor_has_nothing_against_the_truth(auditor: type[Auditor]) -> None:
    first = AUDITORS.index(auditor)  # other ways for each: all of them see all ways in test_shifts
    for way in WAYS[first :: 2 * len(AUDITORS)]:
        assert not told(auditor, lambda _table, _step: None, way, seed=0)


def test_every_auditor_was_lied_to() -> None:
    assert {auditor for auditor, *_ in LIES} == set(AUDITORS)


def taken_over_with_a_chip_that_was_lifted() -> tuple[Shift, StakeAuditor]:
    """A round finished by hand; before that somebody lifted the Ante of seat 2."""
    shift = at(Phase.DECIDING)
    auditor = StakeAuditor(shift.table)
    shift.send(ev.WagerSensed, seat=2, wager="ante", cents=0)
    shift.send(ev.Resumed, down_s=5.0)
    auditor.open, auditor.wanted = set(), {(2, "ante")}
    shift.floor("TAKE OVER", "kept")
    assert shift.is_in(Phase.CLEARING)
    return shift, auditor


def put_on(shift: Shift, auditor: StakeAuditor, seat: int, cents: int, *, unsaid: bool = False) -> None:
    said = shift.send(ev.WagerSensed, seat=seat, wager="ante", cents=cents)
    effects = [effect for effect in said if not (unsaid and isinstance(effect, ef.RefuseWager))]
    auditor.see(shift.events[-1], effects)


def test_x_7c_a_chip_that_is_put_back_after_the_round_was_taken_over_is_no_late_wager() -> None:
    shift, auditor = taken_over_with_a_chip_that_was_lifted()
    put_on(shift, auditor, 2, 1000)
    assert not shift.last
    assert shift.table.state.layout.late[-1].words == "seat 2 ante put right"


@pytest.mark.parametrize(("seat", "cents"), [(2, 1500), (5, 1000)])
def test_x_7c_any_other_chip_is_a_late_wager_then(seat: int, cents: int) -> None:
    shift, auditor = taken_over_with_a_chip_that_was_lifted()
    put_on(shift, auditor, seat, cents)
    shift, auditor = taken_over_with_a_chip_that_was_lifted()
    with pytest.raises(BrokenError, match="locked"):
        put_on(shift, auditor, seat, cents, unsaid=True)
