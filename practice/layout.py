"""The layout of a table's felt, as its chapter and its Rules Submission have it: seats, spots, places.

The page draws what stands here and knows no game. Places are those of the dealing plan when every wager is on
the felt, named as the dealer's display names them.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sabot.config import PRINTED, ChapterLaw
from sabot.config.submission import Submission, WagerTerms, load_submission
from sabot.desk.demo.script import read_book
from sabot.drivers.lines.plan import make_plan
from sabot.firmware.simulated import PEOPLE, spots, stations
from sabot.rules.chapter import Chapter
from sabot.rules.plan import COMMUNITY, DISCARD, OWN, bets_of, plan
from sabot.statemachine.labels import place_words

TIMES, LESS = "\u00d7", "\u2212"
# The keys as a dealer reads them, with what is typed for each on a keyboard.
KEYS = (
    ("LOCK", "LOCK", "L"),
    ("OK", "OK", "O"),
    ("BACK", "BACK", "B"),
    ("LEFT", "SEAT ◂", "ArrowLeft"),
    ("RIGHT", "SEAT ▸", "ArrowRight"),
    ("ONE", f"1{TIMES}", "1"),
    ("TWO", f"2{TIMES}", "2"),
    ("THREE", f"3{TIMES}", "3"),
    ("FOLD", "FOLD", "F"),
    ("PLUS", "COUNT +", "+"),
    ("MINUS", f"COUNT {LESS}", "-"),
    ("MENU", "MENU", "M"),
    ("FLOOR", "FLOOR", "C"),
)


def layout(root: Path, chapter_id: str, method: str, in_force: ChapterLaw = PRINTED) -> Mapping[str, Any]:
    """Return everything that stays the same from the first moment to the last."""
    law = in_force.chapter(chapter_id)
    submission = load_submission(root / "submission.toml", in_force)
    pins = make_plan({}, "lines")
    return {
        "chapter": chapter_id,
        "game": law.game,
        "document": law.document,
        "method": method,
        "seats": submission.seats,
        "spots": [_spot(law, submission, name) for name in spots(law, submission)],
        "stations": [_spot(law, submission, name) for name in stations(law, submission)],
        "places": places(law, method, submission.seats),
        "decks": submission.decks,
        "bonus_card": submission.pair_bonus_card or OWN,
        "keys": [{"name": name, "legend": legend, "typed": typed} for name, legend, typed in KEYS],
        "people": [{"number": number, "name": name, "role": role.value} for number, name, role, _ in PEOPLE],
        "outputs": [line.name for line in pins.outputs],
    }


def _spot(law: Chapter, submission: Submission, name: str) -> Mapping[str, Any]:
    terms = submission.wagers.get(name, WagerTerms(None, None))
    unit = submission.progressive_unit if terms.least is None else None
    return {
        "wager": name,
        "title": law.wagers[name].title,
        "short": read_book().labels.get(name, law.wagers[name].title),
        "least": terms.least or unit,
        "most": terms.most,
        "follows": name in law.contest.wagers[1:],
    }


def places(law: Chapter, method: str, seats: int) -> dict[str, int]:
    """Return the places where cards may lie, and how many at most."""
    found: dict[str, int] = {}
    everybody = tuple(range(1, seats + 1))
    for whose in (OWN, COMMUNITY):
        bets = bets_of(law, dict.fromkeys(everybody, law.wagers), whose)
        for card in plan(law, method, everybody, bets):
            if card.place != DISCARD:
                found[place_words(card.place)] = max(card.nth, found.get(place_words(card.place), 0))
    return found
