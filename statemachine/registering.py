"""A deck registered at the keys: its color out of a list, the number of its lot digit by digit.

The console takes any name of a lot; at the table it is the number that stands on the box. So a deck can be
brought by the floor alone, without anybody at the console inside the cabinet.
"""

from dataclasses import dataclass

from sabot.statemachine.action import BETWEEN_ROUNDS, Action, Refused
from sabot.statemachine.events import DIGITS, Key, Role
from sabot.statemachine.labels import WIDTH, first_that_fits
from sabot.statemachine.law import Law
from sabot.statemachine.opening import Opening
from sabot.statemachine.outbox import Outbox
from sabot.statemachine.people import EntryState, TableCrew
from sabot.statemachine.round import Play
from sabot.statemachine.stock import Stock

COLORS = ("red", "blue", "green", "brown", "black", "purple")
PRESHUFFLED = "preshuffled"


@dataclass(slots=True, eq=False, repr=False)
class Registering:
    """Register a deck at the keys."""

    law: Law
    out: Outbox
    crew: TableCrew
    entry: EntryState
    stock: Stock
    play: Play
    opening: Opening

    def colors(self) -> list[str]:
        """The backs to choose from, those that neither lie at the table nor wait first.

        Each preshuffled too.
        """
        used = {deck.color for deck in self.stock.decks.values()} | {lot.color for lot in self.stock.lots}
        in_turn = sorted(COLORS, key=lambda color: color in used)
        return in_turn + [f"{color} {PRESHUFFLED}" for color in in_turn]

    def begin(self, value: str) -> None:
        """The color is said; the keys are the digits of its lot now."""
        self.entry.clear_pending()
        self.entry.pending.lot = value

    def takes_digits(self) -> bool:
        """Return whether the keys are the digits of a lot.

        A color was chosen, and whoever chose it is there.
        """
        if not self.entry.pending.lot or self.play.round is not None:
            return False
        return Role.FLOOR.value in self.crew.unlocked

    def digit_key(self, key: Key) -> None:
        """A digit; OK registers the lot, BACK takes the last digit off, or leaves where there is none."""
        pending = self.entry.pending
        if key is Key.OK:
            self._register()
        elif key is Key.BACK and not pending.digits:
            self.entry.clear_pending()
        elif key is Key.BACK:
            pending.digits = pending.digits[:-1]
        elif len(pending.digits) >= WIDTH:
            raise Refused("no lot has more digits")
        else:
            pending.digits += DIGITS[key]

    def _register(self) -> None:
        pending = self.entry.pending
        if not pending.digits:
            raise Refused("the number of the lot?")
        color, _, rest = pending.lot.partition(" ")
        self.opening.register(pending.digits, color, preshuffled=rest == PRESHUFFLED)
        self.out.note(f"lot {pending.digits}, {pending.lot}, registered", "", self.crew.person(Role.FLOOR))
        self.entry.clear_pending()

    def lines(self) -> tuple[str, str, str]:
        """Return the lines of what is being entered."""
        pending = self.entry.pending
        color = pending.lot.partition(" ")[0].upper()
        return (
            f"LOT OF {color} DECK",
            first_that_fits(f"{pending.digits or 'DIGITS'}, OK", pending.digits),
            (self.law.cite("4(a)")),
        )


ACTIONS = (
    Action(
        "register_deck",
        "REGISTER DECK",
        Role.FLOOR,
        BETWEEN_ROUNDS,
        "4(a)",
        Registering.begin,
        values=Registering.colors,
        while_held=True,
    ),
)
