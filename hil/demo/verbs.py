"""The verbs of the script, each what people or devices do at the table.

``play`` plays a shift from its first line to its last, and says why where it cannot go on.
"""

import json
from collections.abc import Callable, Mapping

from sabot.desk.demo.show import Show
from sabot.hil.demo import mishaps
from sabot.hil.demo.players import CENTS, Players
from sabot.hil.table.crew import FLOOR, TECHNICIAN
from sabot.hil.table.dealer_eyes import PACK, HandLooked
from sabot.hil.table.hands import NotSeenError

READY, RACK = ("BETS OPEN",), "CARDS TO RACK"
SEAT = "SEAT "


def _say(players: Players, *words: str) -> None:
    players.show.say(" ".join(words))


def _hurry(players: Players) -> None:
    players.show.felt.hurry = True


def _steady(players: Players) -> None:
    players.show.felt.hurry = False


def _irregular(players: Players, kind: str) -> None:
    players.show.expect(kind)


# ---------------------------------------------------------------- a round


def _bet(players: Players, seat: str, *wagers: str) -> None:
    """Lay chips on the spots of a seat, in dollars: ``bet 2 ante=10``."""
    players.follow_to("BETS OPEN")
    for wager in wagers:
        name, _, amount = wager.partition("=")
        players.lay(int(seat), name, int(amount) * CENTS)
        players.see_chips(int(seat), name)


def _hand(players: Players, place: str, *cards: str) -> None:
    """Plan the cards of a place, by a seat's number or in the words of the display."""
    players.plan(f"{SEAT}{place}" if place.isdigit() else place, cards)


def _answer(players: Players, seat: str, *answers: str) -> None:
    players.replies[int(seat)] = list(answers)


def _lock(players: Players) -> None:
    """Press LOCK, and go not a step further."""
    players.wait_for_machine()
    players.hands.press("LOCK")
    players.hands.wait_picture("the lock", lambda lines: lines[0] != "BETS OPEN")


def _deal(players: Players, count: str) -> None:
    for _ in range(int(count)):
        players.step()


def _step(players: Players) -> None:
    """Do what the display says, once."""
    players.step()


def _until(players: Players, first: str) -> None:
    players.follow_to(first)


def _play(players: Players) -> None:
    """Play a round, or what is left of it, up to the next wagers."""
    if players.hands.lines[0] == "BETS OPEN":
        _lock(players)
    players.follow_to("CARDS TO RACK")
    players.rack()
    players.follow_to("BETS OPEN")


def _chips(players: Players, count: str) -> None:
    """Count that many progressive chips, right or wrong."""
    players.press_each(*("PLUS",) * int(count), "OK")


def _stub(players: Players, missing: str) -> None:
    """Count the stub, and find it that many cards short."""
    players.count_stub(len(PACK) - players.out - int(missing))


def _key(players: Players, *names: str) -> None:
    players.press_each(*names)


# ---------------------------------------------------------------- lists


def _menu(players: Players, title: str, value: str = "") -> None:
    players.menu(title, value)


def _floor(players: Players, title: str, value: str = "") -> None:
    players.floor(title, value, FLOOR)


def _technician(players: Players, title: str, value: str = "") -> None:
    players.floor(title, value, TECHNICIAN)


Verb = Callable[..., None]
VERBS: Mapping[str, Verb] = {
    "say": _say,
    "!": _irregular,
    "hurry": _hurry,
    "steady": _steady,
    "bet": _bet,
    "hand": _hand,
    "answer": _answer,
    "lock": _lock,
    "deal": _deal,
    "step": _step,
    "until": _until,
    "play": _play,
    "chips": _chips,
    "stub": _stub,
    "key": _key,
    "menu": _menu,
    "floor": _floor,
    "technician": _technician,
    **mishaps.VERBS,
}


def play(show: Show, seed: int) -> list[HandLooked]:
    """Play the whole script with cards of its own; return what people looked at and declared."""
    try:
        return _play_steps(show, seed)
    except NotSeenError as error:
        show.look()  # a program that is gone is the better reason
        raise show.program.failed(str(error)) from error
    # The connection to the devices broke. They end with the program, so ask which of the two ended first.
    except (OSError, json.JSONDecodeError) as error:
        is_alone = show.program.process.poll() is None
        why = "the simulated devices ended" if is_alone else show.program.how_it_ended
        raise show.program.failed(why) from error


def _play_steps(show: Show, seed: int) -> list[HandLooked]:
    players = Players(show, seed)
    try:
        for step in show.felt.shift.steps:
            VERBS[step.verb](players, *step.words)
        show.wait("the table closed", lambda: show.felt.seen["phase"] == "closed")
        show.settle()
        return players.eyes.looked
    finally:
        players.close()
