"""Words that fit a dealer's display: twenty plain characters a line, understood at a glance.

Names in a chapter file are made for files and signs; here are the few that are too long, in the short form
that a dealer would use. Everything else is its name in capitals. A test holds that nothing is ever cut.
"""

from typing import TYPE_CHECKING

from sabot.rules.chapter import Chapter
from sabot.rules.settlement.declared import BONUS_CARD, MAGIC_CARD, YES
from sabot.statemachine.declaring import DEALER, HAND, NO_ROW, WINS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

WIDTH = 20
ROWS = {
    "six_card_royal_diamonds": "6-CARD ROYAL DIAMOND",
    "six_card_royal_other": "6-CARD ROYAL OTHER",
    "same_color_player_dealer": "SAME COLOR, DEALER",
}
WAGERS = {
    "prog4": "4-CARD PROG",
    "prog5": "5-CARD PROG",
    "hand_bonus_player": "PLAYER HAND",
    "hand_bonus_dealer": "DEALER HAND",
    "envy4": "4-CARD ENVY",
    "envy5": "5-CARD ENVY",
    "main": "HAND PAYS",
}
QUESTIONS = {WINS: "PLAYER WINS?", HAND: "HAND", DEALER: "DEALER'S HAND"}
EXTRAS = {BONUS_CARD: "BONUS CARD A 2?", MAGIC_CARD: "MAGIC IN {hand}?"}


# What a held table says in two lines: the first behind "HELD: ", the second behind who is wanted.
HELD_LINES: "Mapping[str, tuple[str, str]]" = {
    "shuffler_jam": ("SHUFFLER STOP", "CLEAR, RETEST"),
    "deck_removed": ("DECK REMOVED", "CHANGE DECK"),
    "out_of_order": ("OUT OF ORDER", "COVER OR SIGN"),
    "unreadable_card": ("CARD NOT READ", "LOOK AT IT"),
    "composition": ("WRONG CARD", "VOID OR TEST"),
    "deck_color": ("OTHER COLOR", "VOID OR TEST"),
    "short_stack": ("WRONG STACK", "COUNT, RETEST"),
    "sort_mode": ("NOT PLAY MODE", "SET TO PLAY"),
    "not_emptied": ("CARDS LEFT IN", "EMPTY IT"),
    "lost_link": ("DEVICE SILENT", "PLUG IT IN"),
    "contradiction": ("CONTRADICTION", "LOOK, RETEST"),
    "card_out_of_turn": ("STRAY CARD", "PUT IT BACK"),
    "exposed_other": ("CARD EXPOSED", "DECIDE"),
    "hit_paid": ("HIT WAS PAID", "TAKE IT BACK"),
    "paid_first": ("PAID ALREADY", "VOID OR GO ON"),
    "paid_other": ("PAID ELSEWHERE", "PUT IT RIGHT"),
    "device": ("DEVICE FAULT", "SEE CONSOLE"),
    "service": ("SERVICE MODE", "LOOK, RELEASE"),
    "restarted": ("RESTARTED", "CONFIRM ROUND"),
}


def plain(name: str) -> str:
    """A name in capitals."""
    return name.replace("_", " ").upper()


def fit(text: str) -> str:
    """Plain characters that a display has, at most twenty of them."""
    return (text if text.isascii() else text.encode("ascii", "replace").decode("ascii"))[:WIDTH]


def row_words(row: str, rows: "Sequence[str]") -> str:
    """A row to choose; the last of a question is no row at all."""
    if row == NO_ROW:
        return "NO" if YES in rows else "NONE OF THESE"
    return ROWS.get(row, plain(row))


def wager_words(name: str, chapter: Chapter) -> str:
    """A wager, or the paytable that a question is about."""
    if name in WAGERS or name not in chapter.wagers:
        return WAGERS.get(name, plain(name))
    return chapter.wagers[name].title.upper()


def question_words(key: str, seat: int, chapter: Chapter) -> str:
    """What is asked of which hand."""
    name, _, extra = key.partition(":")
    hand = name.rpartition("_")[2].upper()
    words = EXTRAS[extra].format(hand=hand) if extra else QUESTIONS.get(name) or wager_words(name, chapter)
    return f"S{seat} {words}" if seat else words


def seat_words(_table: object, value: str) -> str:
    """A seat to choose, or the dealer."""
    return f"SEAT {value}" if value.isdigit() else value.upper()


def place_words(place: str) -> str:
    """A place on the layout, with room for ``FACE UP`` behind it."""
    return plain(place.replace("seat", "seat ").replace(":", " "))
