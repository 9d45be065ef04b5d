"""A day by the words of the operator's page alone: whoever follows them opens the table, changes a deck and closes it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.statemachine.life import at
from tests.statemachine.shift import Shift

from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Shuffler
from sabot.statemachine.vocabulary.events import DIGITS, Key, Role, RoleLocked

PAGE = (Path(__file__).parents[2] / "docs" / "operator.md").read_text(encoding="utf-8")
DAY = PAGE.partition("### A day by the list")[2].partition("\n### ")[0]
STORIES = dict(re.findall(r"^\d\. \*\*(.+?)\*\*(.+?)(?=^\d\. |\Z)", DAY, re.MULTILINE | re.DOTALL))
LINE = re.compile(r"FLOOR: ([A-Z ]+[A-Z])")
KEYS = {digit: key for key, digit in DIGITS.items()}
MOST = 30


def as_the_display_says(shift: Shift) -> None:
    """The dealer does what is asked, as long as OK is what it asks for."""
    for _ in range(MOST):
        if not re.search(r"\bOK\b", shift.prompt[1]):
            return
        shift.ok()


def take(shift: Shift, title: str) -> None:
    """Turn the key, walk the list to a line, and take it with the first that it offers."""
    shift.unlock()
    shift.press(Key.FLOOR)
    if title == "CHOOSE LOT" and title not in shift.titles():
        shift.press(Key.BACK)
        return
    for _ in range(MOST):
        if shift.prompt[1] == title:
            break
        shift.press(Key.RIGHT)
    assert shift.prompt[1] == title, shift.titles()
    shift.press(Key.OK)
    if shift.prompt[0] == title:
        shift.press(Key.OK)
    if shift.prompt[0].startswith("LOT OF"):
        shift.press(*(KEYS[digit] for digit in str(len(shift.events))), Key.OK)
    assert not shift.why
    shift.send(RoleLocked, role=Role.FLOOR)


def follow(shift: Shift, story: str) -> None:
    """Carry out the lines that a story names, in its order, and what the display asks for between them."""
    for title in LINE.findall(STORIES[story]):
        as_the_display_says(shift)
        take(shift, title)
        while title == "REGISTER DECK" and shift.prompt[1] == "FLOOR: REGISTER DECK":
            take(shift, title)
    as_the_display_says(shift)


@pytest.mark.parametrize(
    ("chapter", "method", "shuffler"),
    [
        ("pa641a", "hand", Shuffler.COUNTING),
        ("pa641a", "manual_shoe", Shuffler.COUNTING),
        ("md4cp", "manual_shoe", Shuffler.HAND),
    ],
)
def test_a_day_goes_by_the_words_of_the_page(chapter: str, method: str, shuffler: Shuffler) -> None:
    shift = at(Phase.CLOSED, chapter, method=method, shuffler=shuffler)
    shift.sign_on()
    follow(shift, "The day opens.")
    opened = {deck.lot for deck in shift.table.state.stock.decks.values()}
    assert shift.table.state.stock.decks
    shift.get_ready()
    assert shift.is_in(Phase.BETS_OPEN)

    follow(shift, "A deck is changed")
    assert {deck.lot for deck in shift.table.state.stock.decks.values()} - opened
    assert [deck.retired for deck in shift.table.state.stock.retired] == ["deck changed"]
    shift.get_ready()
    assert shift.is_in(Phase.BETS_OPEN)

    follow(shift, "The table closes")
    assert shift.prompt[0] == "CLOSED"
    assert not shift.table.state.stock.decks
