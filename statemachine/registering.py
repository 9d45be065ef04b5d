"""A deck registered at the keys: its color out of a list, the number of its lot digit by digit.

The console takes any name of a lot; at the table it is the number that stands on the box. So a deck can be
brought by the floor alone, without anybody at the console inside the cabinet.
"""

from typing import TYPE_CHECKING

from sabot.statemachine import opening
from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused
from sabot.statemachine.events import DIGITS, Key, Role
from sabot.statemachine.labels import WIDTH, first_that_fits

if TYPE_CHECKING:
    from sabot.statemachine.table import Table

COLORS = ("red", "blue", "green", "brown", "black", "purple")
PRESHUFFLED = "preshuffled"


def colors(table: "Table") -> list[str]:
    """The backs to choose from, those that neither lie at the table nor wait first; each preshuffled too."""
    state = table.state
    used = {deck.color for deck in state.decks.values()} | {lot.color for lot in state.lots}
    in_turn = sorted(COLORS, key=lambda color: color in used)
    return in_turn + [f"{color} {PRESHUFFLED}" for color in in_turn]


def begin(table: "Table", value: str) -> None:
    """The color is said; the keys are the digits of its lot now."""
    table.clear_pending()
    table.state.pending.lot = value


def takes_digits(table: "Table") -> bool:
    """Whether the keys are the digits of a lot: a color was chosen, and whoever chose it is there."""
    if not table.state.pending.lot or table.state.round is not None:
        return False
    return Role.FLOOR.value in table.state.unlocked


def digit_key(table: "Table", key: Key) -> None:
    """A digit; OK registers the lot, BACK takes the last digit off, or leaves where there is none."""
    pending = table.state.pending
    if key is Key.OK:
        _register(table)
    elif key is Key.BACK and not pending.digits:
        table.clear_pending()
    elif key is Key.BACK:
        pending.digits = pending.digits[:-1]
    elif len(pending.digits) >= WIDTH:
        raise Refused("no lot has more digits")
    else:
        pending.digits += DIGITS[key]


def _register(table: "Table") -> None:
    pending = table.state.pending
    if not pending.digits:
        raise Refused("the number of the lot?")
    color, _, rest = pending.lot.partition(" ")
    opening.register(table, pending.digits, color, preshuffled=rest == PRESHUFFLED)
    table.note(f"lot {pending.digits}, {pending.lot}, registered", "", table.person(Role.FLOOR))
    table.clear_pending()


def lines(table: "Table") -> tuple[str, str, str]:
    """What is being entered."""
    pending = table.state.pending
    color = pending.lot.partition(" ")[0].upper()
    return (
        f"LOT OF {color} DECK",
        first_that_fits(f"{pending.digits or 'DIGITS'}, OK", pending.digits),
        (table.cite("4(a)")),
    )


ACTIONS = (
    Action(
        "register_deck",
        "REGISTER DECK",
        Role.FLOOR,
        BETWEEN_ROUNDS,
        "4(a)",
        begin,
        values=colors,
        while_held=True,
    ),
)
