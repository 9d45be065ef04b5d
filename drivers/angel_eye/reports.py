"""The meaning of a shoe's report at the table: a card, a fault, or only a note.

The shoe deals baccarat by itself, so much of what it says of its own game means nothing here: more cards than
its game wants, the result of its game, a draw that took long. None of that may stop a table, and no card that
left the shoe may be lost, in whatever mode the shoe was.
"""

from typing import TYPE_CHECKING, Protocol

from sabot.drivers.angel_eye.codec import AngelEyeCodec
from sabot.drivers.angel_eye.messages import (
    BACK_AT_EXIT,
    BACK_MIDWAY,
    CANNOT_READ,
    CARD_CODE,
    DRAW_TIMEOUT,
    ERRORS,
    OVERDRAW,
    Report,
)
from sabot.drivers.angel_eye.profile import ShoeGame
from sabot.drivers.device import Host
from sabot.statemachine.vocabulary.events import CardDrawn, CardsMissed, Secret

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

NO_ORDER = "the numbers of the shoe's reports do not follow one another"
UNREAD = frozenset({CANNOT_READ, CARD_CODE})
FAULTS = dict.fromkeys((BACK_AT_EXIT, BACK_MIDWAY), "contradiction")


class Shoe(Protocol):
    """The operations of a driver that reports may use."""

    name: str
    host: Host
    codec: AngelEyeCodec
    locked: bool | None
    is_up: bool

    def fault(self, kind: str, detail: str, at: float | None = None) -> None:
        """Report a fault to the table."""

    def note(self, words: str) -> None:
        """Log something worth knowing, and show it in the status."""

    def lost_its_order(self) -> None:
        """Order the lock again."""

    def lock_denied(self, value: int, at: float) -> None:
        """Judge a report of the lock that contradicts what the shoe had acknowledged."""

    def look_again(self) -> None:
        """Wake the driver's work."""


class ShoeReports:
    """The reports of one shoe, told as events."""

    def __init__(self, shoe: Shoe) -> None:
        self.shoe = shoe
        self.error = 0
        self.is_harmless = False
        self.cards = self.cut_cards = self.lock_changes = 0
        self._last_card = b""
        self._missing = 0
        self._tell: Mapping[str, Callable[[Report, float], None]] = {
            "S": self._started,
            "P": self._standby,
            "D": self._drawn,
            "d": self._drawn_outside,
            "R": self._sent_again,
            "G": self._own_result,
            "C": self._cut_card,
            "E": self._erred,
            "e": self._cleared,
            "L": self._lock_changed,
            "M": self._setting_changed,
        }

    def counts(self) -> dict[str, int]:
        """Return the counts of everything seen since the start."""
        return {"cards": self.cards, "cut_cards": self.cut_cards}

    def tell(self, report: Report, at: float) -> None:
        """Tell one report, and before it what is missing."""
        self._missing = 0
        # Before the report itself: its card is the one behind the gap.
        if report.missing:
            self._miss(report.missing, at)
        self._tell[report.kind](report, at)
        # A card has taken the gap along. Of another report the gap is told by itself.
        if self._missing:
            self._post_missed(at)

    def _miss(self, count: int, at: float) -> None:
        """Note that so many reports never came; behind too long a gap the numbers say nothing any more."""
        profile = self.shoe.codec.profile
        is_believable = count <= profile.believable_gap
        words = f"{count} report(s) of the shoe are missing" if is_believable else NO_ORDER
        if not profile.gap_is_fault:
            self.shoe.note(words)
        elif is_believable:
            self._missing = count
        else:
            self.shoe.fault("contradiction", words, at)

    def _post_missed(self, at: float) -> None:
        """Post missing reports as possible cards, where the report behind the gap is none itself."""
        count, self._missing = self._missing, 0
        event = CardsMissed(at=at, source=self.shoe.name, device=self.shoe.name, count=count)
        self.shoe.host.post(event)

    @property
    def _has_game(self) -> bool:
        return self.shoe.codec.profile.shoe_game is not ShoeGame.NONE

    # ---------------------------------------------------------------- cards

    def _drawn(self, report: Report, at: float) -> None:
        # Told, and dealt all the same: a card that left a locked shoe lies on the felt.
        if self.shoe.locked:
            self.shoe.fault("contradiction", "a card was dealt by a shoe that had said it was locked", at)
            self.shoe.lost_its_order()
        self._card(report, at)

    def _drawn_outside(self, report: Report, at: float) -> None:
        """Post a card that left the shoe out of play; a fault too, where it deals no game of its own."""
        if not self._has_game:
            self.shoe.fault("card_out_of_turn", "a card left the shoe while it was out of play", at)
        self._card(report, at)

    def _sent_again(self, report: Report, at: float) -> None:
        """Post a card that the shoe sends again, unless it was the last one told."""
        # One public implementation takes R for "redeal"; it is the same card, sent once more.
        if report.data[1:] == self._last_card:
            self.shoe.codec.statistics.duplicates += 1
        else:
            self._card(report, at)

    def _card(self, report: Report | None, at: float) -> None:
        """Post a card (None: nobody could read it), with how many before it were perhaps not told."""
        code = None if report is None else report.card
        self._last_card = b"" if report is None else report.data[1:]
        card = None if code is None else Secret(code)
        self.cards += 1
        missed, self._missing = self._missing, 0
        self.shoe.host.post(CardDrawn(at=at, source=self.shoe.name, card=card, missed=missed))

    # ---------------------------------------------------------------- errors

    def _erred(self, report: Report, at: float) -> None:
        """Take an error: a fault or an unread card, or only a note (a slow dealer, the shoe's own game)."""
        error = report.error
        words = ERRORS.get(error, f"an error that is not known ({error})")
        self.error = error if report.is_in_error_mode else 0
        # A slow dealer, or too many cards for baccarat: neither is anything at this table.
        self.is_harmless = error == DRAW_TIMEOUT or (error == OVERDRAW and self._has_game)
        if self.is_harmless:
            self.shoe.note(words)
            self.shoe.look_again()
        # The card has left the shoe, so its place is taken, whoever it is.
        elif error in UNREAD and self.shoe.codec.profile.cannot_read_is_card:
            self.shoe.note(words)
            self._card(None, at)
        elif error in UNREAD:
            self.shoe.fault("unreadable_card", words, at)
        else:
            self.shoe.fault(FAULTS.get(error, "device"), words, at)

    def _cleared(self, _report: Report, _at: float) -> None:
        self.error = 0
        self.shoe.note("its error was cleared")

    # ---------------------------------------------------------------- the shoe itself

    def _started(self, _report: Report, at: float) -> None:
        """Take a start of the shoe: the lock is lost, and so may be a card."""
        self.error, self._last_card = 0, b""
        if self.shoe.is_up:
            self.shoe.fault(
                "contradiction", "the shoe started anew: what it dealt meanwhile is not known", at
            )
        self.shoe.lost_its_order()

    def _lock_changed(self, report: Report, at: float) -> None:
        """Take the shoe's own word on its lock, which counts only against an order that it had taken."""
        told, before = self.shoe.codec.profile.lock_values.get(report.lock_value), self.shoe.locked
        self.lock_changes += 1
        if told is None:
            self.shoe.note(f"the lock changed in a way that is not known ({report.lock_value})")
        elif before is not None and told is not before:
            self.shoe.lock_denied(report.lock_value, at)

    def _setting_changed(self, _report: Report, at: float) -> None:
        if self.shoe.is_up:
            self.shoe.fault("contradiction", "a setting of the shoe was changed", at)

    def _own_result(self, _report: Report, at: float) -> None:
        if self._has_game:
            self.shoe.note("it told the result of a game of its own")
        else:
            self.shoe.fault("device", "the shoe deals a game of its own", at)

    def _cut_card(self, _report: Report, _at: float) -> None:
        self.cut_cards += 1
        self.shoe.note("the cut card was seen")

    def _standby(self, _report: Report, _at: float) -> None:
        self.shoe.note("it stands by")
