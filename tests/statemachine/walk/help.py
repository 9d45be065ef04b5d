"""What people do when something holds the table: test the cause, bring a deck, cover a device, release."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.rules.cards import PACK_SIZE
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.vocabulary.events import (
    DeviceEmptied,
    DeviceModeChanged,
    DeviceRetested,
    Event,
    LotRegistered,
    Role,
)

if TYPE_CHECKING:
    from sabot.statemachine.state.snapshot import HeldFault

    from .people import Goal, People

COLORS = ("red", "blue", "green", "brown", "black")


def goal_when_held(people: People) -> Goal | None:
    """What somebody may choose of a list to lift a fault."""
    holds, unlocked = people.table.state.trouble.holds, people.table.state.crew.unlocked
    ready = [(number, held) for number, held in enumerate(holds, 1) if _may_be_lifted(people, held)]
    if not ready:
        return None
    number, held = people.rng.choice(ready)
    if held.role is not Role.FLOOR and held.role.value not in unlocked:
        return None
    in_round = held.kind == "restarted" and people.table.state.play.round is not None
    names = ("confirm_round", "take_over") if in_round else ("release",)
    name = people.rng.choice(names)
    return name, f"{number} {held.kind} {held.device}" if name == "release" else people.value_of(name)


def _may_be_lifted(people: People, held: HeldFault) -> bool:
    return not _lacks_deck(people, held) and not _is_uncovered(people, held) and held.may_be_lifted


def _lacks_deck(people: People, held: HeldFault) -> bool:
    state = people.table.state
    is_open = state.play.phase is not Phase.CLOSED
    return held.kind == "deck_removed" and is_open and len(state.stock.decks) < state.devices.deck_count


def _is_uncovered(people: People, held: HeldFault) -> bool:
    return held.kind == "out_of_order" and held.device in people.table.state.devices.uncovered()


def help_with(people: People, held: HeldFault) -> Event:
    """Do what a fault waits for."""
    if _is_uncovered(people, held):
        return people.want("covered", held.device)
    if _lacks_deck(people, held):
        missing = [name for name in ("A", "B") if name not in people.table.state.stock.decks]
        return change(people, missing[0])
    if held.kind == "sort_mode" and people.rng.random() < 0.5:
        return people.event(DeviceModeChanged, device=held.device, mode="play")
    if held.unaccounted:  # its own test accounts for no card that is missing
        return people.event(DeviceEmptied, device=held.device, cards_in=PACK_SIZE, cards_out=PACK_SIZE)
    if not held.may_be_lifted:
        return people.event(DeviceRetested, device=held.device, fault=held.kind, good=True)
    return people.unlock(held.role)


def register(people: People, color: str, *, preshuffled: bool = False) -> Event:
    """Another deck is registered on the console."""
    people.lots += 1
    lot = f"L{people.lots} {people.at:.0f}"
    return people.event(LotRegistered, lot=lot, color=color, preshuffled=preshuffled)


def change(people: People, deck: str) -> Event:
    """Another deck for one that must leave: its back differs from the one that stays."""
    table, state = people.table, people.table.state
    if state.play.phase not in table.rooms.actions.named("change_deck").phases:
        return people.ok()
    if Role.FLOOR.value not in state.crew.unlocked:
        return people.unlock(Role.FLOOR)
    if state.entry.menu is None and table.rooms.actions.can("change_deck", deck):
        return people.want("change_deck", deck)
    stays = {each.color for name, each in state.stock.decks.items() if name != deck}
    fitting = [lot.lot for lot in state.stock.lots if lot.color not in stays]
    if fitting:
        return people.want("choose_lot", people.rng.choice(fitting))
    return register(people, next(each for each in COLORS if each not in stays))
