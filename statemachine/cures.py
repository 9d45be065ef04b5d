"""How each fault is cured: steps as rows, and which of them are left to do now, at this table.

A cure is what people can carry out to the letter: look, touch a device, give an order at the console, take a
line of MENU or FLOOR. A row says who does it and when it is due; ``steps`` goes through the rows of a fault
and leaves out what is done or cannot be. Display, console and pages all print these rows, and a list opens at
the line that comes next. What people may do instead, where the usual way does not lead on, is rows too.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from sabot.statemachine.events import Role
from sabot.statemachine.labels import first_that_fits
from sabot.statemachine.phases import ENDING, IN_ROUND, Phase

if TYPE_CHECKING:
    from sabot.statemachine.state import Hold
    from sabot.statemachine.table import Table

RELEASE, RETEST = "release", "retest"
LOOK = "LOOK"
# What tests itself: it reports by itself that it is well again.
SELF_TESTED = frozenset({"journal", "second medium", "controller", "table"})
PEOPLE = {Role.FLOOR: "a floorperson", Role.TECHNICIAN: "a technician", Role.DEALER: "the dealer"}
CALLED = {Role.FLOOR: "FLOOR", Role.TECHNICIAN: "TECH", Role.DEALER: "DEALER"}


class Do(StrEnum):
    """How a person does a step."""

    LOOK = "look"
    TOUCH = "touch"
    CONSOLE = "console"
    FLOOR = "FLOOR"
    MENU = "MENU"


When = Callable[["Table", "Hold"], bool]
Value = Callable[["Table", "Hold"], str]


class Row(NamedTuple):
    """One step of a cure: how, in words with ``{device}`` and ``{deck}``, short for the display, when."""

    do: Do
    words: str
    short: str
    when: When
    action: str = ""
    value: Value | None = None
    by: Role | None = None


class Step(NamedTuple):
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


# ---------------------------------------------------------------- when a step is due


def _always(_table: "Table", _held: "Hold") -> bool:
    return True


def _deck_of(held: "Hold") -> str:
    """The deck that a fault is of, empty where it is of a device."""
    return held.device.removeprefix("deck ") if held.device.startswith("deck ") else ""


def is_gone(table: "Table", held: "Hold") -> bool:
    """A deck that was proven bad and has left the table need not be tested again."""
    name = _deck_of(held)
    left = {deck.name for deck in table.state.retired if deck.opened_at <= held.since}
    there = table.state.decks.get(name)
    return bool(name) and name in left and (there is None or there.opened_at > held.since)


def is_testable(held: "Hold") -> bool:
    """Whether a device can be told to test the cause again."""
    is_device = held.device not in SELF_TESTED and not _deck_of(held)
    return held.needs_retest and is_device and not held.unaccounted


def _is_untested(_table: "Table", held: "Hold") -> bool:
    return not held.may_be_lifted


def _is_to_test(_table: "Table", held: "Hold") -> bool:
    return not held.may_be_lifted and is_testable(held)


def _is_medium(_table: "Table", held: "Hold") -> bool:
    return not held.may_be_lifted and held.device in SELF_TESTED


def _is_offered(table: "Table", name: str) -> bool:
    """Whether the list of whoever may has this line now."""
    action = table.action(name)
    is_there = table.state.phase in action.phases and (action.when is None or action.when(table))
    return is_there and (action.values is None or bool(action.values(table)))


def lacks_deck(table: "Table") -> bool:
    """Whether a deck is missing that the table plays with."""
    return len(table.state.decks) < table.state.deck_count and table.state.phase is not Phase.CLOSED


def _wants_deck(table: "Table", held: "Hold") -> bool:
    """Whether another deck is to come: for one that is missing, or for a bad one that no void takes away."""
    if held.kind == "deck_removed":
        return lacks_deck(table)
    return bool(_deck_of(held)) and not is_gone(table, held) and not _may_void(table, held)


def _may_void(table: "Table", held: "Hold") -> bool:
    is_bad = bool(_deck_of(held)) and not is_gone(table, held)
    return is_bad and table.state.round is not None and _is_offered(table, "void_round")


def _ends_first(table: "Table", held: "Hold") -> bool:
    return _wants_deck(table, held) and table.state.phase in (*IN_ROUND, *ENDING)


def fitting_lots(table: "Table", name: str) -> list[str]:
    """The registered lots that may come for a deck: of another color than the deck that stays."""
    stays = {deck.color for other, deck in table.state.decks.items() if other != name}
    return [lot.lot for lot in table.state.lots if lot.color not in stays]


def _lacks_lot(table: "Table", held: "Hold") -> bool:
    return _wants_deck(table, held) and not fitting_lots(table, _deck_of(held))


def _lot_is_behind(table: "Table", held: "Hold") -> bool:
    fitting = fitting_lots(table, _deck_of(held))
    return _wants_deck(table, held) and bool(fitting) and table.state.lots[0].lot not in fitting


def _is_uncovered(table: "Table", held: "Hold") -> bool:
    return held.device in table.state.uncovered()


def _is_in_round(table: "Table", _held: "Hold") -> bool:
    return table.state.round is not None


def _may_be_released(table: "Table", held: "Hold") -> bool:
    return held.kind != "restarted" or table.state.round is None


# ---------------------------------------------------------------- the rows


def _touch(words: str, short: str, when: When = _is_untested) -> Row:
    return Row(Do.TOUCH, words, short, when)


def _look(words: str, short: str = LOOK, when: When = _always) -> Row:
    return Row(Do.LOOK, words, short, when)


def release_value(table: "Table", held: "Hold") -> str:
    """The line of RELEASE that a fault has."""
    return f"{table.state.holds.index(held) + 1} {held.kind} {held.device}"


def retest_value(_table: "Table", held: "Hold") -> str:
    """The line of RETEST that a fault has."""
    return f"{held.kind} {held.device}"


def _deck_value(_table: "Table", held: "Hold") -> str:
    return _deck_of(held)


TEST = Row(Do.FLOOR, "RETEST", "RETEST", _is_to_test, RETEST, retest_value)
LIFT = Row(Do.FLOOR, "RELEASE", "RELEASE", _may_be_released, RELEASE, release_value)
VOID = Row(Do.FLOOR, "VOID ROUND", "VOID ROUND", _may_void, "void_round")
ANOTHER_DECK = (
    Row(Do.TOUCH, "end the round as the display says", "END ROUND", _ends_first, by=Role.DEALER),
    Row(Do.FLOOR, "REGISTER DECK", "REGISTER DECK", _lacks_lot, "register_deck"),
    Row(
        Do.FLOOR,
        "CHOOSE LOT",
        "CHOOSE LOT",
        _lot_is_behind,
        "choose_lot",
        lambda table, held: fitting_lots(table, _deck_of(held))[0],
    ),
    Row(Do.FLOOR, "CHANGE DECK, DECK {deck}", "CHANGE DECK", _wants_deck, "change_deck", _deck_value),
)
BAD_DECK = (
    VOID,
    *ANOTHER_DECK,
    _look("look at what the {device} reports", when=_is_to_test),
    TEST,
    LIFT,
)
CURES: Mapping[str, tuple[Row, ...]] = {
    "shuffler_jam": (_touch("take the cards out of the {device} and clear it", "CLEAR"), TEST, LIFT),
    "deck_removed": (*ANOTHER_DECK, LIFT),
    "out_of_order": (
        Row(
            Do.FLOOR,
            "DEVICE COVERED, once it is covered or signed",
            "COVER OR SIGN",
            _is_uncovered,
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
    "contradiction": (_look("look which is right, and put it right", when=_is_untested), TEST, LIFT),
    "card_out_of_turn": (_touch("lay the card where the display says", "IS NEXT CARD", _always), LIFT),
    "exit_sensor": (_touch("take what lies in the exit of the {device}", "EMPTY EXIT", _always), LIFT),
    "exposed_other": (_look("decide: no rule names this card", "DECIDE"), LIFT),
    "hit_paid": (_touch("take the hit back that was paid", "TAKE IT BACK", _always), LIFT),
    "paid_first": (_look("decide whether the round goes on", "VOID OR GO ON"), LIFT),
    "void_late": (_touch("give stakes back and take payments back", "RETURN ALL", _always), LIFT),
    "paid_other": (_touch("put right what the settled seat was paid", "PUT IT RIGHT", _always), LIFT),
    "device": (
        _touch(
            "make room on the {device}, or exchange it: it reports by itself",
            "MEDIUM",
            _is_medium,
        ),
        _look("see what `devices` says of the {device}, and put it right", when=_is_to_test),
        TEST,
        LIFT,
    ),
    "service": (
        Row(Do.CONSOLE, "service off", "SERVICE OFF", _is_untested, by=Role.TECHNICIAN),
        _look("look at the table"),
        LIFT,
    ),
    "restarted": (
        _look("compare wagers, cards and whose turn it is", when=_is_in_round),
        Row(Do.FLOOR, "CONFIRM ROUND", "CONFIRM ROUND", _is_in_round, "confirm_round"),
        LIFT,
    ),
    "slip": (_look("look at the table"), LIFT),
}


def _has_gap(table: "Table", held: "Hold") -> bool:
    return held.kind == "missed_card" and _is_offered(table, "no_card_missed")


def _voids(table: "Table", held: "Hold") -> bool:
    return not _may_void(table, held) and _is_in_round(table, held) and _is_offered(table, "void_round")


def _may_take_over(table: "Table", _held: "Hold") -> bool:
    return table.state.round is not None and _is_offered(table, "take_over")


def _may_give_up(table: "Table", held: "Hold") -> bool:
    """Whether the dealer can say of the device that it is not used any more."""
    values = table.action("out_of_order").values
    return values is not None and held.device in values(table) and held.device not in table.state.out_of_order


INSTEAD = (
    Row(Do.FLOOR, "NO CARD WAS MISSED, where none lies there", "", _has_gap, "no_card_missed"),
    Row(Do.FLOOR, "VOID ROUND", "", _voids, "void_round"),
    Row(Do.FLOOR, "TAKE OVER, and finish the round by hand", "", _may_take_over, "take_over"),
    Row(
        Do.MENU,
        "OUT OF ORDER, then FLOOR: DEVICE COVERED, RELEASE, CHOOSE METHOD",
        "",
        _may_give_up,
        "out_of_order",
        lambda _table, held: held.device,
        Role.DEALER,
    ),
)


# ---------------------------------------------------------------- what is left to do


def steps(table: "Table", held: "Hold") -> list[Step]:
    """Return what is left to do until a fault is gone, in its order."""
    return [_step(table, held, row) for row in CURES[held.kind] if row.when(table, held)]


def instead(table: "Table", held: "Hold") -> list[Step]:
    """Return what people may do where the cure does not lead on."""
    return [_step(table, held, row) for row in INSTEAD if row.when(table, held)]


def _step(table: "Table", held: "Hold", row: Row) -> Step:
    words = row.words.format(device=held.device, deck=_deck_of(held))
    value = row.value(table, held) if row.value is not None else ""
    return Step(row.do, _by(row, held.role), words, row.short, row.action, value)


def asked(table: "Table", held: "Hold") -> tuple[str, str]:
    """Return the line of a list that comes next, and its value (both empty: none does)."""
    return next(((each.action, each.value) for each in steps(table, held) if each.action), ("", ""))


def call_words(todo: list[Step]) -> str:
    """Return the display's second line: who is wanted and what for, and what comes after a look."""
    first = todo[0]
    act = next((each.short for each in todo if each.do not in (Do.LOOK, Do.TOUCH)), "")
    line = f"{CALLED[first.by]}: {first.short}"
    if first.do not in (Do.LOOK, Do.TOUCH) or first.by is Role.DEALER:
        return line
    alone = f"{CALLED[first.by]}: {act}" if first.short == LOOK else line
    return first_that_fits(f"{line}, {act}", alone)


def in_words(kind: str, role: Role) -> list[str]:
    """Return the sentences of a cure for a page: all its rows, of which a table prints those that are due."""
    return [
        Step(row.do, _by(row, role), row.words.format(device="device", deck="A or B"), row.short).text
        for row in CURES[kind]
    ]


def _by(row: Row, role: Role) -> Role:
    return row.by or (role if row.action in ("", RELEASE, RETEST) else Role.FLOOR)


def in_short(kind: str) -> str:
    """Return a cure in a few words, whatever the table: for pictures and pages."""
    return ", ".join(row.short.lower() for row in CURES[kind])
