"""Words that fit a dealer's display: twenty plain characters a line, understood at a glance.

Names in a chapter file are made for files and signs; here are the few that are too long, in the short form
that a dealer would use. Everything else is its name in capitals. A test holds that nothing is ever cut.
"""

from functools import lru_cache
from textwrap import wrap
from typing import TYPE_CHECKING

from sabot.rules import display
from sabot.rules.chapter import Chapter
from sabot.rules.payouts import dollars
from sabot.rules.settlement.declared import BONUS_CARD, MAGIC_CARD
from sabot.statemachine.contest import DEALER
from sabot.statemachine.reveal_questions import HAND, NO_ROW, QUALIFIES, WINS

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH, LINES = display.WIDTH, display.LINES
# What stands on the dealer's display: two lines, and the paragraph behind them.
Lines = tuple[str, str, str]
ON_CONSOLE = "SEE CONSOLE"
ROWS = {
    "six_card_royal_diamonds": "6-CARD ROYAL DIAMOND",
    "six_card_royal_other": "6-CARD ROYAL OTHER",
    "same_color_player_dealer": "SAME COLOR, DEALER",
}
QUESTIONS = {WINS: "SAME: HIGHER?", HAND: "HAND", DEALER: "DEALER'S HAND"}
# The answers of such a question, where they are not the name of a hand.
ANSWERS = {
    DEALER: {NO_ROW: "NO PAIR OR BETTER", QUALIFIES: "QUALIFIES, NO PAIR"},
    HAND: {NO_ROW: "NO PAIR OR BETTER"},
    WINS: {"yes": "PLAYER", "ties": "TIE", NO_ROW: "DEALER"},
}
EXTRAS = {BONUS_CARD: "BONUS CARD A 2?", MAGIC_CARD: "MAGIC IN {hand}?"}


# What a held table says, behind "HELD: ".
HELD_LINES: "Mapping[str, str]" = {
    "shuffler_jam": "SHUFFLER STOP",
    "deck_removed": "DECK REMOVED",
    "out_of_order": "OUT OF ORDER",
    "unreadable_card": "CARD NOT READ",
    "missed_card": "CARD NOT READ",
    "composition": "WRONG CARD",
    "deck_color": "OTHER COLOR",
    "short_stack": "WRONG STACK",
    "sort_mode": "NOT PLAY MODE",
    "not_emptied": "CARDS LEFT IN",
    "lost_link": "DEVICE SILENT",
    "contradiction": "CONTRADICTION",
    "card_out_of_turn": "STRAY CARD",
    "exit_sensor": "EXIT OCCUPIED",
    "exposed_other": "CARD EXPOSED",
    "hit_paid": "HIT WAS PAID",
    "paid_first": "PAID ALREADY",
    "void_late": "ROUND WAS VOID",
    "paid_other": "PAID ELSEWHERE",
    "device": "DEVICE FAULT",
    "service": "SERVICE MODE",
    "restarted": "RESTARTED",
    "slip": "PROGRAM SLIP",
}


def plain(name: str) -> str:
    """Return a name in capitals."""
    return name.replace("_", " ").upper()


@lru_cache(maxsize=256)  # the same few lines come round after round
def fit(text: str) -> str:
    """Return a text in plain characters that a display has, at most twenty of them."""
    return fit_all(text)[:WIDTH]


def fit_all(text: str) -> str:
    """Return a text in plain characters that a display has."""
    return text if text.isascii() else text.encode("ascii", "replace").decode("ascii")


def first_that_fits(*ways: str) -> str:
    """Return the first of these that a line has room for; the last always fits, and no sum is cut."""
    return next(words for words in ways if len(words) <= WIDTH)


@lru_cache(maxsize=256)
def sum_words(verb: str, cents: int) -> str:
    """Return a verb with its sum; one that no line has room for stands on the console."""
    sum_ = dollars(cents)
    words = f"{verb} {sum_}".strip()
    if len(words) <= WIDTH:
        return words
    # A sum that lost a digit would be another sum.
    ways = sum_.replace(",", ""), ON_CONSOLE
    return first_that_fits(*(f"{verb} {way}".strip() for way in ways))


def row_words(key: str, row: str) -> str:
    """Return the words for a row to choose; none of the rows is an answer too."""
    if row in ANSWERS.get(key, {}):
        return ANSWERS[key][row]
    if row == NO_ROW:
        return "NO" if ":" in key else "NONE OF THESE"
    return ROWS.get(row, plain(row))


def wager_words(name: str, chapter: Chapter) -> str:
    """Return the words for a wager, or for the paytable that a question is about."""
    if name in chapter.labels:
        return chapter.labels[name]
    return chapter.wagers[name].title.upper() if name in chapter.wagers else plain(name)


def question_words(key: str, seat: int, chapter: Chapter) -> str:
    """Return the words of a question about a hand."""
    name, _, extra = key.partition(":")
    hand = name.rpartition("_")[2].upper()
    words = EXTRAS[extra].format(hand=hand) if extra else QUESTIONS.get(name) or wager_words(name, chapter)
    return f"S{seat} {words}" if seat else words


def seat_words(value: str) -> str:
    """Return the words for a seat to choose, or for the dealer."""
    return f"SEAT {value}" if value.isdigit() else value.upper()


@lru_cache(maxsize=64)
def place_words(place: str) -> str:
    """Return the words for a place on the layout, with room for ``FACE UP`` behind them."""
    return plain(place.replace("seat", "seat ").replace(":", " "))


def refusal_lines(why: str) -> tuple[str, str]:
    """Return in two lines why a key was refused, without its paragraph and in whole words."""
    lines = wrap(fit_all(why.partition(" (")[0]).upper(), WIDTH)
    # The first line and where the rest stands: words cut in the middle may say the opposite.
    if len(lines) > LINES:
        return lines[0], ON_CONSOLE
    return lines[0], lines[1] if len(lines) == LINES else ""
