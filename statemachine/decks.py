"""Decks: when they are due, in and out, and what a bad one touched (x.3)."""

from typing import TYPE_CHECKING

from sabot.statemachine.effects import RemoveDeck
from sabot.statemachine.state import Deck

if TYPE_CHECKING:
    from sabot.statemachine.table import Table


def deadline(table: "Table", deck: Deck) -> float:
    """When a deck must be changed."""
    return deck.opened_at + table.setup.life_s(table.state.method)


def is_due(table: "Table", deck: Deck) -> bool:
    """Whether a deck may not begin another round (x.3(c))."""
    return table.now >= deadline(table, deck)


def due_decks(table: "Table") -> list[str]:
    """The decks whose time is over."""
    return [name for name, deck in table.state.decks.items() if is_due(table, deck)]


def remove_deck(table: "Table", name: str, why: str, cite: str) -> None:
    """A deck leaves the table for good; the table waits for another."""
    deck = table.state.decks.pop(name)
    table.emit(RemoveDeck(deck=name, why=f"{why}; {blast_radius(deck)}", cite=cite))
    table.hold("deck_removed", f"deck {name}", why, cite)


def blast_radius(deck: Deck) -> str:
    """The rounds that a bad deck touched since it was last proven good."""
    numbers = [played.number for played in deck.unproven]
    if not numbers:
        return "no round since it was proven"
    return f"{len(numbers)} round(s) since it was proven: {numbers[0]} to {numbers[-1]}"
