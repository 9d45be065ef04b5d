"""How each fault is cured: steps as rows, and which of them are left to do now, at this table.

A cure is what people can carry out to the letter: look, touch a device, give an order at the console, take a
line of MENU or FLOOR. A row says who does it and when it is due; ``steps`` goes through the rows of a fault
and leaves out what is done or cannot be. Display, console and pages all print these rows, and a list opens at
the line that comes next. What people may do instead, where the usual way does not lead on, is rows too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

from sabot.statemachine.action import Actions
from sabot.statemachine.labels import first_that_fits
from sabot.statemachine.state.parts import Devices, HeldFault, Trouble
from sabot.statemachine.state.phases import ENDING, IN_ROUND, Phase
from sabot.statemachine.state.round import Play
from sabot.statemachine.state.stock import Stock
from sabot.statemachine.vocabulary.events import Role

RELEASE, RETEST = "release", "retest"
LOOK = "LOOK"
# What tests itself: it reports by itself that it is well again.
SELF_TESTED = frozenset({"journal", "second medium", "controller", "table"})
PEOPLE = {Role.FLOOR: "a floorperson", Role.TECHNICIAN: "a technician", Role.DEALER: "the dealer"}
CALLED = {Role.FLOOR: "FLOOR", Role.TECHNICIAN: "TECH", Role.DEALER: "DEALER"}


class Do(StrEnum):
    """The way a person does a step."""

    LOOK = "look"
    TOUCH = "touch"
    CONSOLE = "console"
    FLOOR = "FLOOR"
    MENU = "MENU"


When = Callable[[Any, HeldFault], bool]
Value = Callable[[Any, HeldFault], str]


class CureRow(NamedTuple):
    """One step of a cure: how, in words with ``{device}`` and ``{deck}``, short for the display, when."""

    do: Do
    words: str
    short: str
    when: When
    action: str = ""
    value: Value | None = None
    by: Role | None = None


class CureStep(NamedTuple):
    """A step that is left to do: who does what, and of a list which line and which value."""

    do: Do
    by: Role
    words: str
    short: str
    action: str = ""
    value: str = ""

    @property
    def text(self) -> str:
        """The step as a sentence of a list."""
        who = "" if self.do in (Do.LOOK, Do.TOUCH) else f", by {PEOPLE[self.by]}"
        where = {Do.CONSOLE: "console: ", Do.FLOOR: "FLOOR: ", Do.MENU: "MENU: "}.get(self.do, "")
        return f"{where}{self.words}{who}"


def _deck_of(held: "HeldFault") -> str:
    """Return the deck that a fault is about, empty where it is about a device."""
    return held.device.removeprefix("deck ") if held.device.startswith("deck ") else ""


def is_testable(held: "HeldFault") -> bool:
    """Return whether a device can be told to test the cause again."""
    is_device = held.device not in SELF_TESTED and not _deck_of(held)
    return held.needs_retest and is_device and not held.unaccounted


def call_words(todo: list[CureStep]) -> str:
    """Return the display's second line: who is wanted and what for, and what comes after a look."""
    first = todo[0]
    act = next((each.short for each in todo if each.do not in (Do.LOOK, Do.TOUCH)), "")
    line = f"{CALLED[first.by]}: {first.short}"
    if first.do not in (Do.LOOK, Do.TOUCH) or first.by is Role.DEALER:
        return line
    # Behind a look or a touch the act that follows is named too, if the line has room for it.
    alone = f"{CALLED[first.by]}: {act}" if first.short == LOOK else line
    return first_that_fits(f"{line}, {act}", alone)


def in_words(kind: str, role: Role) -> list[str]:
    """Return all sentences of a cure, for a page; a table prints those that are due."""
    return [
        CureStep(row.do, _by(row, role), row.words.format(device="device", deck="A or B"), row.short).text
        for row in CURES[kind]
    ]


def _by(row: CureRow, role: Role) -> Role:
    return row.by or (role if row.action in ("", RELEASE, RETEST) else Role.FLOOR)


def in_short(kind: str) -> str:
    """Return a cure in a few words, whatever the table: for pictures and pages."""
    return ", ".join(row.short.lower() for row in CURES[kind])


@dataclass(slots=True, eq=False, repr=False)
class Cures:
    """Tell which steps of a cure are left to do."""

    actions: Actions
    stock: Stock
    devices: Devices
    trouble: Trouble
    play: Play

    # ---------------------------------------------------------------- when a step is due

    def always(self, _held: "HeldFault") -> bool:
        """Return true: the step is due whatever was done."""
        return True

    def wants_a_look(self, held: "HeldFault") -> bool:
        """Return whether people look before anything else; what tests itself cannot know which is right."""
        return not held.may_be_lifted or held.device in SELF_TESTED

    def is_gone(self, held: "HeldFault") -> bool:
        """Return whether the deck of a fault has left the table: it need not be tested again."""
        name = _deck_of(held)
        # By time, not by name alone: the deck that came in its place has the same name.
        left = {deck.name for deck in self.stock.retired if deck.opened_at <= held.since}
        there = self.stock.decks.get(name)
        return bool(name) and name in left and (there is None or there.opened_at > held.since)

    def is_untested(self, held: "HeldFault") -> bool:
        """Return whether the cause was not tested again."""
        return not held.may_be_lifted

    def is_to_test(self, held: "HeldFault") -> bool:
        """Return whether a device can test the cause again, and did not."""
        return not held.may_be_lifted and is_testable(held)

    def is_medium(self, held: "HeldFault") -> bool:
        """Return whether the fault is of what tests itself."""
        return not held.may_be_lifted and held.device in SELF_TESTED

    def _is_offered(self, name: str) -> bool:
        """Return whether the line is in the list of those who may take it now."""
        action = self.actions.named(name)
        is_there = self.play.phase in action.phases and (action.when is None or action.when())
        return is_there and (action.values is None or bool(action.values()))

    def lacks_deck(self) -> bool:
        """Return whether a deck is missing that the table plays with."""
        # A closed table has no deck and lacks none.
        return len(self.stock.decks) < self.devices.deck_count and self.play.phase is not Phase.CLOSED

    def wants_deck(self, held: "HeldFault") -> bool:
        """Return whether another deck is to come, for one missing or a bad one that no void takes away."""
        if held.kind == "deck_removed":
            return self.lacks_deck()
        # VOID ROUND takes a bad deck away with the round: then it is not changed besides.
        return bool(_deck_of(held)) and not self.is_gone(held) and not self.may_void(held)

    def may_void(self, held: "HeldFault") -> bool:
        """Return whether the deck is bad, and the round may be voided."""
        is_bad = bool(_deck_of(held)) and not self.is_gone(held)
        return is_bad and self.play.round is not None and self._is_offered("void_round")

    def ends_first(self, held: "HeldFault") -> bool:
        """Return whether the round is ended before another deck comes."""
        # CHANGE DECK is offered between rounds only.
        return self.wants_deck(held) and self.play.phase in (*IN_ROUND, *ENDING)

    def fitting_lots(self, name: str) -> list[str]:
        """Return the registered lots that may come for a deck: of another color than the deck that stays."""
        stays = {deck.color for other, deck in self.stock.decks.items() if other != name}
        return [lot.lot for lot in self.stock.lots if lot.color not in stays]

    def lacks_lot(self, held: "HeldFault") -> bool:
        """Return whether no registered lot fits."""
        return self.wants_deck(held) and not self.fitting_lots(_deck_of(held))

    def lot_is_behind(self, held: "HeldFault") -> bool:
        """Return whether a lot that fits is not the first in line."""
        fitting = self.fitting_lots(_deck_of(held))
        # CHANGE DECK takes the lot that is first in line. One that
        # fits and stands behind has to be chosen before.
        return self.wants_deck(held) and bool(fitting) and self.stock.lots[0].lot not in fitting

    def is_uncovered(self, held: "HeldFault") -> bool:
        """Return whether the device was not seen covered or signed."""
        return held.device in self.devices.uncovered()

    def is_in_round(self, _held: "HeldFault") -> bool:
        """Return whether a round is under way."""
        return self.play.round is not None

    def may_be_released(self, held: "HeldFault") -> bool:
        """Return whether RELEASE has a line for it."""
        # A round that was interrupted is confirmed or taken over: RELEASE does not offer it.
        return held.kind != "restarted" or self.play.round is None

    def release_value(self, held: "HeldFault") -> str:
        """Return the line of RELEASE that a fault has."""
        return f"{self.trouble.holds.index(held) + 1} {held.kind} {held.device}"

    def retest_value(self, held: "HeldFault") -> str:
        """Return the line of RETEST that a fault has."""
        return f"{held.kind} {held.device}"

    def deck_value(self, held: "HeldFault") -> str:
        """Return the deck that is to be changed."""
        return _deck_of(held)

    def has_gap(self, held: "HeldFault") -> bool:
        """Return whether the floor may say that no card was missed."""
        return held.kind == "missed_card" and self._is_offered("no_card_missed")

    def voids(self, held: "HeldFault") -> bool:
        """Return whether the floor may void the round instead."""
        return not self.may_void(held) and self.is_in_round(held) and self._is_offered("void_round")

    def may_take_over(self, _held: "HeldFault") -> bool:
        """Return whether the floor may take the round over."""
        return self.play.round is not None and self._is_offered("take_over")

    def may_give_up(self, held: "HeldFault") -> bool:
        """Return whether the dealer can say of the device that it is not used any more."""
        values = self.actions.named("out_of_order").values
        return values is not None and held.device in values() and held.device not in self.devices.out_of_order

    # ---------------------------------------------------------------- what is left to do

    def steps(self, held: "HeldFault") -> list[CureStep]:
        """Return the steps that are left to do until a fault is gone, in their order."""
        # Asked anew each time, never kept: people may do the steps in another order, or somewhere else.
        return [self._step(held, row) for row in CURES[held.kind] if row.when(self, held)]

    def instead(self, held: "HeldFault") -> list[CureStep]:
        """Return the steps that people may take where the cure does not lead on."""
        return [self._step(held, row) for row in INSTEAD if row.when(self, held)]

    def _step(self, held: "HeldFault", row: CureRow) -> CureStep:
        words = row.words.format(device=held.device, deck=_deck_of(held))
        value = row.value(self, held) if row.value is not None else ""
        return CureStep(row.do, _by(row, held.role), words, row.short, row.action, value)

    def asked(self, held: "HeldFault") -> tuple[str, str]:
        """Return the line of a list that comes next, and its value (both empty: none does)."""
        return next(((each.action, each.value) for each in self.steps(held) if each.action), ("", ""))


# ---------------------------------------------------------------- the rows


def _touch(words: str, short: str, when: When = Cures.is_untested) -> CureRow:
    return CureRow(Do.TOUCH, words, short, when)


def _look(words: str, short: str = LOOK, when: When = Cures.always) -> CureRow:
    return CureRow(Do.LOOK, words, short, when)


TEST = CureRow(Do.FLOOR, "RETEST", "RETEST", Cures.is_to_test, RETEST, Cures.retest_value)

LIFT = CureRow(Do.FLOOR, "RELEASE", "RELEASE", Cures.may_be_released, RELEASE, Cures.release_value)

VOID = CureRow(Do.FLOOR, "VOID ROUND", "VOID ROUND", Cures.may_void, "void_round")

ANOTHER_DECK = (
    CureRow(Do.TOUCH, "end the round as the display says", "END ROUND", Cures.ends_first, by=Role.DEALER),
    CureRow(Do.FLOOR, "REGISTER DECK", "REGISTER DECK", Cures.lacks_lot, "register_deck"),
    CureRow(
        Do.FLOOR,
        "CHOOSE LOT",
        "CHOOSE LOT",
        Cures.lot_is_behind,
        "choose_lot",
        lambda room, held: room.fitting_lots(_deck_of(held))[0],
    ),
    CureRow(
        Do.FLOOR, "CHANGE DECK, DECK {deck}", "CHANGE DECK", Cures.wants_deck, "change_deck", Cures.deck_value
    ),
)

# VOID first: it takes the deck away with the round, and a deck that is gone need not be tested.
BAD_DECK = (
    VOID,
    *ANOTHER_DECK,
    _look("look at what the {device} reports", when=Cures.is_to_test),
    TEST,
    LIFT,
)

# In the order in which people do them: the first row that is due is what the display says.
CURES: Mapping[str, tuple[CureRow, ...]] = {
    "shuffler_jam": (_touch("take the cards out of the {device} and clear it", "CLEAR"), TEST, LIFT),
    "deck_removed": (*ANOTHER_DECK, LIFT),
    "out_of_order": (
        CureRow(
            Do.FLOOR,
            "DEVICE COVERED, once it is covered or signed",
            "COVER OR SIGN",
            Cures.is_uncovered,
            "covered",
            lambda _table, held: held.device,
        ),
        LIFT,
    ),
    "unreadable_card": (_look("look at the card that was dealt last: nobody read it"), LIFT),
    "missed_card": (_look("look whether a card lies at the place that the display names"), LIFT),
    "composition": BAD_DECK,
    "deck_color": BAD_DECK,
    "short_stack": (_touch("count the stack, and put it right", "COUNT"), TEST, LIFT),
    "sort_mode": (_touch("set the {device} to play mode", "SET TO PLAY"), TEST, LIFT),
    "not_emptied": (_touch("empty the {device}: as many cards out as in", "EMPTY"), TEST, LIFT),
    "lost_link": (_touch("plug the {device} in and switch it on", "PLUG IT IN"), TEST, LIFT),
    "contradiction": (_look("look which is right, and put it right", when=Cures.wants_a_look), TEST, LIFT),
    "card_out_of_turn": (_touch("lay the card where the display says", "IS NEXT CARD", Cures.always), LIFT),
    "exit_sensor": (_touch("take what lies in the exit of the {device}", "EMPTY EXIT", Cures.always), LIFT),
    "exposed_other": (_look("decide: no rule names this card", "DECIDE"), LIFT),
    "hit_paid": (_touch("take the hit back that was paid", "TAKE IT BACK", Cures.always), LIFT),
    "paid_first": (_look("decide whether the round goes on", "VOID OR GO ON"), LIFT),
    "void_late": (_touch("give stakes back and take payments back", "RETURN ALL", Cures.always), LIFT),
    "paid_other": (_touch("put right what the settled seat was paid", "PUT IT RIGHT", Cures.always), LIFT),
    "device": (
        _touch(
            "make room on the {device}, or exchange it: it reports by itself",
            "MEDIUM",
            Cures.is_medium,
        ),
        _look("see what `devices` says of the {device}, and put it right", when=Cures.is_to_test),
        TEST,
        LIFT,
    ),
    "service": (
        CureRow(Do.CONSOLE, "service off", "SERVICE OFF", Cures.is_untested, by=Role.TECHNICIAN),
        _look("look at the table"),
        LIFT,
    ),
    "restarted": (
        _look("compare wagers, cards and whose turn it is", when=Cures.is_in_round),
        CureRow(Do.FLOOR, "CONFIRM ROUND", "CONFIRM ROUND", Cures.is_in_round, "confirm_round"),
        LIFT,
    ),
    "slip": (_look("look at the table"), LIFT),
}


# No steps of a cure: what people may decide where it does not lead on.
INSTEAD = (
    CureRow(Do.FLOOR, "NO CARD WAS MISSED, where none lies there", "", Cures.has_gap, "no_card_missed"),
    CureRow(Do.FLOOR, "VOID ROUND", "", Cures.voids, "void_round"),
    CureRow(Do.FLOOR, "TAKE OVER, and finish the round by hand", "", Cures.may_take_over, "take_over"),
    CureRow(
        Do.MENU,
        "OUT OF ORDER, then FLOOR: DEVICE COVERED, RELEASE, CHOOSE METHOD",
        "",
        Cures.may_give_up,
        "out_of_order",
        lambda _table, held: held.device,
        Role.DEALER,
    ),
)
