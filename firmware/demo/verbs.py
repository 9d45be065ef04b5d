"""The verbs of the script, each a handful of events as the people or devices would bring them."""

import random
from collections.abc import Callable, Mapping

from sabot.firmware.demo import mishaps
from sabot.firmware.demo.book import Book
from sabot.firmware.demo.crew import Crew
from sabot.firmware.demo.natural import go_on, until
from sabot.firmware.demo.stage import Stage
from sabot.rules.cards import parse
from sabot.statemachine import events as ev
from sabot.statemachine.events import Key, Role
from sabot.statemachine.phases import Phase

CENTS = 100
P = Phase


def _say(crew: Crew, *words: str) -> None:
    crew.stage.show(crew.felt, [crew.felt.say(" ".join(words))])


def _hurry(crew: Crew) -> None:
    crew.felt.hurry = True


def _steady(crew: Crew) -> None:
    crew.felt.hurry = False


def _irregular(crew: Crew, kind: str) -> None:
    crew.expected = kind


# ---------------------------------------------------------------- a round


def _bet(crew: Crew, seat: str, *wagers: str) -> None:
    """Chips on the spots of a seat, in dollars: ``bet 2 ante=10``."""
    for wager in wagers:
        name, _, amount = wager.partition("=")
        cents = int(amount) * CENTS
        crew.send(ev.WagerSensed(at=crew.at(3), source="pad", seat=int(seat), wager=name, cents=cents))


def _hand(crew: Crew, place: str, *cards: str) -> None:
    crew.hands[place if not place.isdigit() else f"seat{place}"] = [parse(card) for card in cards]


def _answer(crew: Crew, seat: str, *answers: str) -> None:
    crew.answers[int(seat)] = list(answers)


def _declare(crew: Crew, *rows: str) -> None:
    crew.declared |= dict(row.split("=") for row in rows)


def _lock(crew: Crew) -> None:
    """No more bets, and not a step further."""
    go_on(crew)


def _deal(crew: Crew, count: str) -> None:
    for _ in range(int(count)):
        crew.deal_once()


def _until(crew: Crew, phase: str) -> None:
    until(crew, P(phase))


def _play(crew: Crew) -> None:
    """A round, or what is left of it, and on to the next wagers."""
    if crew.phase is P.BETS_OPEN and crew.felt.bets:
        go_on(crew)
    until(crew, P.BETS_OPEN, P.CLOSED)


def _chips(crew: Crew, count: str) -> None:
    """The dealer counts so many progressive chips, right or wrong."""
    for _ in range(int(count)):
        crew.key(Key.PLUS)
    crew.key(Key.OK)


def _stub(crew: Crew, missing: str) -> None:
    """The dealer counts the stub and finds it so many cards short."""
    for _ in range(int(missing)):
        crew.key(Key.MINUS)
    crew.key(Key.OK)


# ---------------------------------------------------------------- keys and lists


def _key(crew: Crew, *names: str) -> None:
    for name in names:
        crew.key(Key(name))


def _menu(crew: Crew, name: str, value: str = "") -> None:
    crew.choose(Key.MENU, name, value)


def _floor(crew: Crew, name: str, value: str = "") -> None:
    crew.with_key_switch(Role.FLOOR, name, value)


def _technician(crew: Crew, name: str, value: str = "") -> None:
    crew.with_key_switch(Role.TECHNICIAN, name, value)


Verb = Callable[..., None]
VERBS: Mapping[str, Verb] = {
    "say": _say,
    "!": _irregular,
    "hurry": _hurry,
    "steady": _steady,
    "bet": _bet,
    "hand": _hand,
    "answer": _answer,
    "declare": _declare,
    "lock": _lock,
    "deal": _deal,
    "until": _until,
    "play": _play,
    "chips": _chips,
    "stub": _stub,
    "key": _key,
    "menu": _menu,
    "floor": _floor,
    "technician": _technician,
    "face_up": mishaps.face_up,
    "unreadable": mishaps.unreadable,
    "count": mishaps.count,
    "shuffler_stops": mishaps.shuffler_stops,
    "shoe_jams": mishaps.shoe_jams,
    "link_lost": mishaps.link_lost,
    "link_back": mishaps.link_back,
    "retest": mishaps.retest,
    "lot": mishaps.lot,
    "dealer": mishaps.dealer,
    "restart": mishaps.restart,
    "wait": mishaps.wait,
}


def crew_of(book: Book, chapter: str, stage: Stage, seed: int) -> Crew:
    """The crew of a chapter's shift, with cards of its own."""
    dice = random.Random(f"{seed} {chapter}")  # noqa: S311 (a demo's cards)
    return Crew(book.shifts[chapter], book, stage, dice)


def play_shift(crew: Crew) -> None:
    """The whole script, line by line."""
    for step in crew.felt.shift.steps:
        VERBS[step.verb](crew, *step.words)
