"""Decks: when they are due, in and out, and what a bad one touched (x.3)."""

from typing import TYPE_CHECKING

from sabot.statemachine.calling import call
from sabot.statemachine.effects import RemoveDeck
from sabot.statemachine.events import Role
from sabot.statemachine.state import Deck, PlayedRound

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def deadline(table: "Table", deck: Deck) -> float:
    """When a deck must be changed: the shortest life of the ways it was dealt and is to be dealt (x.3(c))."""
    if deck.age_unknown:
        return float("-inf")
    lives, method = table.lives_s, table.state.method
    life = lives[method]
    for way in deck.methods:
        if way != method:
            life = min(life, lives[way])
    return deck.opened_at + life


def is_due(table: "Table", deck: Deck) -> bool:
    """Whether a deck may not begin another round (x.3(c))."""
    return table.state.now >= deadline(table, deck)


def due_decks(table: "Table") -> list[str]:
    """The decks whose time is over."""
    return [name for name, deck in table.state.decks.items() if is_due(table, deck)]


def retire(table: "Table", name: str, why: str, cite: str) -> None:
    """A deck leaves the table; its lineage stays for the report of the day."""
    state = table.state
    deck = state.decks.pop(name)
    deck.retired = why
    state.retired.append(deck)
    state.opening = [each for each in state.opening if each != name]
    state.in_shuffler = "" if state.in_shuffler == name else state.in_shuffler
    table.emit(RemoveDeck(deck=name, why=f"{why}; {blast_radius(deck)}", cite=cite))


def give_notice(table: "Table") -> None:
    """A floorperson is called once for a deck that will be due soon."""
    for deck in table.state.decks.values():
        left = deadline(table, deck) - table.now
        if left <= table.setup.change_notice_s and not deck.noticed:
            deck.noticed = True
            cite = table.chapter.deck.rules["change"].cite
            why = f"deck {deck.name} is due in {int(max(left, 0.0) // 60)} min"
            table.note(why, cite)
            call(table, Role.FLOOR, why, cite)


def remove_deck(table: "Table", name: str, why: str, cite: str) -> None:
    """A bad deck leaves the table for good; the table waits for another."""
    retire(table, name, why, cite)
    table.hold("deck_removed", f"deck {name}", why, cite)


def touched(table: "Table", name: str) -> list[PlayedRound]:
    """The rounds that a deck dealt since it was last proven good, the one on the felt among them."""
    known = {deck.name: deck for deck in [*table.state.retired, *table.state.decks.values()]}
    if name not in known:
        return []
    round_ = table.state.round
    now = [PlayedRound(round_.number, round_.bets)] if round_ and round_.deck == name else []
    return [*known[name].unproven, *now]


def blast_radius(deck: Deck) -> str:
    """The rounds that a bad deck touched since it was last proven good."""
    numbers = [played.number for played in deck.unproven]
    if not numbers:
        return "no round since it was proven"
    return f"{len(numbers)} round(s) since it was proven: {numbers[0]} to {numbers[-1]}"
