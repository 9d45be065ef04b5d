"""A shift from its first line to its last, and what is said where it cannot go on."""

import json

from sabot.desk.demo.show import Show
from sabot.hil.demo.players import Players
from sabot.hil.demo.verbs import VERBS
from sabot.hil.table.hands import NotSeenError
from sabot.hil.table.looking import HandLooked


def play(show: Show, seed: int) -> list[HandLooked]:
    """Play the whole script with cards of its own; return what people looked at and declared."""
    try:
        return _play(show, seed)
    except NotSeenError as error:
        show.look()  # a program that is gone is the better reason
        raise show.program.failed(str(error)) from error
    except (OSError, json.JSONDecodeError) as error:
        is_alone = show.program.process.poll() is None
        why = "the simulated devices ended" if is_alone else show.program.how_it_ended
        raise show.program.failed(why) from error


def _play(show: Show, seed: int) -> list[HandLooked]:
    players = Players(show, seed)
    try:
        for step in show.felt.shift.steps:
            VERBS[step.verb](players, *step.words)
        show.wait("the table closed", lambda: show.felt.seen["phase"] == "closed")
        show.settle()
        return players.eyes.looked
    finally:
        players.close()
