"""The verbs of the script, each a handful of events as the people or devices would bring them."""

from collections.abc import Callable, Mapping

from sabot.firmware.demo.crew import Crew
from sabot.firmware.demo.natural import go_on, until
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


# ---------------------------------------------------------------- cards and devices


def _face_up(crew: Crew) -> None:
    """A card comes out face up, and the dealer says so."""
    crew.send(ev.CardDrawn(at=crew.at(1), source="shoe", card=crew.pack.draw_any()))
    crew.choose(Key.MENU, "face_up")


def _unreadable(crew: Crew) -> None:
    """A card leaves the shoe for its place, and the shoe cannot say which."""
    crew.take_next()
    crew.send(ev.CardDrawn(at=crew.at(1), source="shoe", card=None))


def _count(crew: Crew, cards: str) -> None:
    """The next shuffle finds so many cards."""
    crew.shuffle_count = int(cards)
    crew.finish_shuffle()


def _shuffler_stops(crew: Crew, *cause: str) -> None:
    deck, crew.shuffling = crew.shuffling, ""
    crew.send(ev.ShufflerStopped(at=crew.at(5), source="shuffler", deck=deck, cause=" ".join(cause)))


def _shoe_jams(crew: Crew, *cause: str) -> None:
    crew.send(ev.DeviceJammed(at=crew.at(5), source="shoe", device="shoe", cause=" ".join(cause)))


def _link_lost(crew: Crew, device: str, *reason: str) -> None:
    crew.send(ev.LinkLost(at=crew.at(5), source=device, device=device, reason=" ".join(reason)))


def _link_back(crew: Crew, device: str) -> None:
    crew.send(ev.LinkRestored(at=crew.at(30), source=device, device=device))


def _retest(crew: Crew, device: str, fault: str) -> None:
    crew.send(ev.DeviceRetested(at=crew.at(30), source=device, device=device, fault=fault, good=True))


# ---------------------------------------------------------------- people and time


def _lot(crew: Crew, lot: str, color: str) -> None:
    crew.send(ev.LotRegistered(at=crew.at(), source="console", lot=lot, color=color))


def _dealer(crew: Crew, person: str) -> None:
    crew.send(ev.DealerSignedOn(at=crew.at(), person=person))


def _restart(crew: Crew, seconds: str) -> None:
    crew.send(ev.Resumed(at=crew.at(float(seconds)), source="controller", down_s=float(seconds)))


def _wait(crew: Crew) -> None:
    """Time passes until the table wants to be woken."""
    crew.now = max(crew.now, crew.wake_at)
    crew.send(ev.TimeReached(at=crew.now, source="clock"))


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
    "face_up": _face_up,
    "unreadable": _unreadable,
    "count": _count,
    "shuffler_stops": _shuffler_stops,
    "shoe_jams": _shoe_jams,
    "link_lost": _link_lost,
    "link_back": _link_back,
    "retest": _retest,
    "lot": _lot,
    "dealer": _dealer,
    "restart": _restart,
    "wait": _wait,
}


def play(crew: Crew, verb: str, words: tuple[str, ...]) -> None:
    """One line of the script."""
    VERBS[verb](crew, *words)
