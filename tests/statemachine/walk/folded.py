"""A state without what does not decide anything: two states that fold alike have the same future.

Folded away are the clock (but for which decks are due), round numbers, amounts on meters, the figures of the
day, notes and names of people and lots. What is left is exact: the folded state is itself a state that the
table goes on from, and the walk does so.
"""

from __future__ import annotations

import io
import pickle
from dataclasses import fields
from typing import TYPE_CHECKING

from sabot.rules.round import Line
from sabot.statemachine.state.phases import ENDING, Phase
from sabot.statemachine.state.snapshot import Day, State

if TYPE_CHECKING:
    from sabot.rules.plan import Placement
    from sabot.statemachine.state.snapshot import Deck, Pending, RoundState
    from sabot.statemachine.table import Table

LONG_AGO, BEFORE_THE_FAULT, AT_THE_FAULT, SINCE_THE_FAULT = -1e9, -2.0, -1.0, -0.5


def fold(table: Table, balances: dict[str, int], *, undo: bool = False) -> bytes:
    """Fold the state in place, and write it so that equal ones are written alike.

    Unless ``undo`` is walked too, what BACK could take back besides answers counts as confirmed.
    """
    state = table.state
    if not undo:
        _confirm(state)
    _fold_holds(table)
    for deck in state.stock.decks.values():
        _fold_deck(table, deck)
    _fold_table(state, balances)
    if state.play.round is not None:
        _fold_round(state, state.play.round)
        is_confirmed = state.play.undo is None and not state.play.round.last_entry
        if state.play.phase not in WITH_CARDS and is_confirmed:
            _fold_dealt(state, state.play.round)
        if state.play.round.by_hand:
            _fold_by_hand(table, state.play.round)
        elif state.play.phase in ENDING and is_confirmed:
            _fold_finished(state.play.round)
            if state.play.phase is Phase.RETURNING:
                state.entry.pending.choice = 0  # where in the list of payments the dealer is
    _fold_undo(state)
    return write(state)


def _confirm(state: State) -> None:
    state.play.undo = None
    if state.play.round is not None:
        state.play.round.last_entry = ""


def _fold_undo(state: State) -> None:
    """What would stand again, folded like what stands."""
    undo = state.play.undo
    if undo is None:
        return
    undo.contributions = []
    undo.boxes = {seat: player for seat, player in undo.boxes.items() if player != f"seat{seat}"}
    if undo.round is not None:
        _fold_round(state, undo.round)


def write(state: State) -> bytes:
    """A state as bytes; without a memo, so that what is one object and what is equal look the same."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer)
    pickler.fast = True
    pickler.dump(state)
    return buffer.getvalue()


def unfold(table: Table, written: bytes) -> None:
    """Put the table back into a state that was written, with the plan of its deal.

    The rooms hold the parts of the state that they were made with: each part takes over what was written.
    """
    state: State = pickle.loads(written)
    for part in fields(State):
        own, was = getattr(table.state, part.name), getattr(state, part.name)
        for each in fields(own):
            setattr(own, each.name, getattr(was, each.name))
    restore_plan(table)
    table.rooms.deck_room.forget_deadlines()
    table.rooms.looked.away()  # nobody has followed how these wagers came to lie there
    table.rooms.safe_lane.arm()


_PLANS: dict[object, list[Placement]] = {}


def restore_plan(table: Table) -> None:
    """A plan follows from the wagers and the cards that lay face up: it is made again, once for each."""
    state = table.state
    if state.play.undo is not None and state.play.undo.round is not None:
        now, state.play.round = state.play.round, state.play.undo.round
        _plan_again(table, state.play.undo.phase)
        state.play.round = now
    _plan_again(table, state.play.phase)


def _plan_again(table: Table, phase: Phase) -> None:
    round_ = table.state.play.round
    if round_ is None or phase not in PLANNED + DECLARABLE:
        return
    wagers = tuple((seat, *bets) for seat, bets in round_.bets.items())
    key = table.law.chapter.id, round_.method, wagers, tuple(round_.face_up)
    if key not in _PLANS:
        table.rooms.dealing.make_plan()
        _PLANS[key] = round_.plan
    round_.plan = _PLANS[key]
    if phase in DECLARABLE and not round_.drawn:  # folded away: all were dealt, and none was read
        round_.drawn = len(round_.plan)
        round_.seen = [None] * round_.drawn


# From the decisions to the last payment a hand may have to be declared: its cards lie somewhere.
DECLARABLE = (Phase.DECIDING, Phase.TURNING, Phase.DECLARING, Phase.SETTLING, Phase.VALIDATING)
PLANNED = (Phase.DEALING, Phase.STUB, Phase.STUB_WRONG)
WITH_CARDS = (Phase.COUNTING_CHIPS, Phase.CHIP_MISMATCH, *PLANNED, Phase.LAST_COUNT, Phase.LAST_WRONG)


def _fold_holds(table: Table) -> None:
    state = table.state
    for held in state.trouble.holds:
        held.retested = held.retested or table.rooms.cures.is_gone(held)
    for deck in state.stock.decks.values():
        newer = all(
            deck.opened_at > held.since for held in state.trouble.holds if held.device == f"deck {deck.name}"
        )
        deck.rounds = 1 if newer else 0
    for held in state.trouble.holds:
        held.since = AT_THE_FAULT
    state.stock.retired = []


def _fold_deck(table: Table, deck: Deck) -> None:
    if table.rooms.deck_room.is_due(deck):
        deck.opened_at = LONG_AGO
    else:
        deck.opened_at = SINCE_THE_FAULT if deck.rounds else BEFORE_THE_FAULT
    deck.rounds = deck.since_count = 0
    deck.age_unknown = False
    deck.lot = deck.color
    deck.opened_by = deck.verified_by = deck.retired = deck.proof = ""
    deck.methods, deck.unproven = [], []


def _fold_table(state: State, balances: dict[str, int]) -> None:
    state.clock.now = state.clock.clock_offset = 0.0
    state.books.rounds = state.stock.since_count = 0
    state.crew.dealer = "dealer" if state.crew.dealer else ""
    state.crew.floor = ""
    state.stock.spread_up = False
    state.stock.dealt_last = state.stock.dealt_last if state.devices.deck_count > 1 else ""
    state.crew.unlocked = dict.fromkeys(sorted(state.crew.unlocked), "somebody")
    state.crew.checklist = state.crew.checklist[:1]
    state.layout.boxes = {
        seat: player for seat, player in state.layout.boxes.items() if player != f"seat{seat}"
    }
    state.trouble.holds.sort(key=lambda held: (held.kind, held.device))
    for names in (state.devices.out_of_order, state.devices.covered, state.devices.sorting):
        names.sort()
    state.layout.late, state.books.notes = [], []
    state.layout.bets = {seat: dict(sorted(bets.items())) for seat, bets in sorted(state.layout.bets.items())}
    state.stock.decks = dict(sorted(state.stock.decks.items()))
    if state.devices.deck_count == 1:  # with one deck on the table no color can meet its like
        for each in (*state.stock.decks.values(), *state.stock.lots):
            setattr(each, "color", "red")  # noqa: B010 (decks and lots are of two types)
    for lot in state.stock.lots:
        lot.lot = lot.color
    state.books.ledger.balances = dict(balances)
    state.books.ledger.moved = {}
    state.books.day = Day()


def _fold_dealt(state: State, round_: RoundState) -> None:
    """Once the stub lies in the rack it does not matter any more which of the unread cards went where."""
    round_.drawn = round_.ordered = 0
    round_.lap_from = round_.stub = None
    round_.seen, round_.face_up = [], []
    round_.count_wanted = False
    if round_.deck in state.stock.decks:
        state.stock.decks[round_.deck].counted = False


def _fold_by_hand(table: Table, round_: RoundState) -> None:
    """Of a round taken over it matters which stakes have no line yet, and which hits may have been paid."""
    still = table.rooms.by_hand.open_stakes()
    if round_.gave_back:
        _fold_finished(round_)
        round_.bets = {seat: {wager: None} for seat, wager in still}
    else:
        won = {(line.seat, line.wager): line.result == "win" for line in round_.lines}
        round_.lines = [
            Line(seat, wager, None, "win" if won[seat, wager] else "lose", None, None, None, "")
            for seat, wager in sorted(won)
        ]


def _fold_finished(round_: RoundState) -> None:
    """What is left of a round is to give back the wagers and to clear the table."""
    round_.turned = round_.street = round_.settled = round_.carried = round_.chips = 0
    round_.asking = round_.last_asked = 0
    for name in ("folded", "left", "kept_for", "collected", "order", "lines", "hits", "frozen", "take_back"):
        setattr(round_, name, [])
    for name in ("bets", "players", "raises", "declared"):
        setattr(round_, name, {})
    round_.last_said = round_.irregularity = round_.when = ""


def _fold_answer(pending: Pending, ante: int) -> None:
    """One size stands for all; only whether the chips are what was keyed makes a difference."""
    differs = bool(pending.felt) and pending.number != pending.felt
    pending.felt = ante if pending.felt else pending.felt
    pending.number = ante * (1 + differs) if pending.number else pending.number


def _fold_round(state: State, round_: RoundState) -> None:
    deck = state.stock.decks.get(round_.deck)
    if deck is not None and not deck.reshuffle:
        deck.ready = True  # it is shuffled after the round, whatever it was
    round_.raises = {
        seat: [cents and round_.bets[seat]["ante"] for cents in raises]  # one size stands for all
        for seat, raises in sorted(round_.raises.items())
        if raises
    }
    if state.play.phase is Phase.DECIDING:
        _fold_answer(state.entry.pending, round_.bets[round_.asking]["ante"] or 0)
    round_.number = 0
    round_.started_at = 0.0
    round_.dealer = "dealer"
    round_.notes = []
    round_.meters_before = round_.meters_after = {}
    round_.plan = []
    round_.bets = {seat: dict(sorted(bets.items())) for seat, bets in sorted(round_.bets.items())}
    round_.hands = {}
    round_.folded.sort()
    round_.left.sort()
    round_.kept_for.sort()
    for hit in round_.hits:
        hit.validated_by = "floor"
