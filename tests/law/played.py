"""Shifts that ask for all that a chapter says: the recorded ones, with their irregularities, and what they leave out."""

from __future__ import annotations

from pathlib import Path

from tests.statemachine.record_shifts import record
from tests.statemachine.shift import Shift
from tests.statemachine.tables import CHAPTERS

from sabot.config import load_chapter
from sabot.config.submission import load_submission
from sabot.config.submission_rules import problems
from sabot.statemachine.state.setup import Knowledge, Shuffler

SUBMISSIONS = Path(__file__).resolve().parents[2] / "config" / "submissions"
# Hands for which a chapter has a word of its own.
SIX_IN_A_ROW = {"seat5": "Ad Kd Qd Jd Td", "six_card": "9d"}
RARE: dict[str, list[tuple[dict[str, str], dict[str, str]]]] = {
    "pa641a": [({"six_card": "A"}, SIX_IN_A_ROW)],
    "md4cp": [({"six_card": letter}, SIX_IN_A_ROW) for letter in "AB"],
    "pa682a": [({}, {"seat5": "9s 8s 7s 6s 2h", "dealer": "9d 8d 7d 6d 2c Jd"})],
}


def play_everything() -> None:
    """Play each chapter, and hold its example of a Rules Submission against it."""
    for chapter in CHAPTERS:
        problems(load_submission(SUBMISSIONS / f"{chapter}.toml"), load_chapter(chapter))
        record(chapter)
        play_round(Shift(chapter, method="auto_shoe_reshuffle"))
        play_round(Shift(chapter, knowledge=Knowledge.NONE, shuffler=Shuffler.HAND))
        for letters, hands in RARE.get(chapter, ()):
            play_round(Shift(chapter, letters=letters), **hands)


def play_round(shift: Shift, **hands: str) -> None:
    """Play a round with every wager at three seats; one player folds, and one leaves."""
    shift.open_table()
    wagers = shift.chapter.wagers
    for seat in (1, 2, 5):
        shift.bet(seat, ante=1000)
        for name in (name for name, each in wagers.items() if name != "ante" and not each.after_deal):
            place = shift.account if wagers[name].device == "account" else shift.bet
            place(seat, **{name: 100 if wagers[name].device == "progressive" else 500})
    shift.lock()
    shift.deal(**hands)
    shift.menu("PLAYER LEFT", "1")
    shift.reveal({2: "fold"})
    shift.settle_all()
    shift.next_round()
