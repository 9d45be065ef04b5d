"""The verbs of the language: one row a verb, as in ``verbs``; a test holds the two together."""

from collections.abc import Mapping

from sabot.hil.scenarios import action_verbs, observation_verbs
from sabot.hil.scenarios.floor import Act, ScenarioFloor
from sabot.hil.scenarios.language import ScenarioStep

STEPS: Mapping[str, Act] = {
    "people": action_verbs.people,
    "key": lambda floor, step: floor.crew.press_each(*step.words.split()),
    "menu": action_verbs.of_list("menu"),
    "floor": action_verbs.of_list("floor"),
    "technician": action_verbs.of_list("technician"),
    "no menu": action_verbs.not_listed("menu"),
    "no floor": action_verbs.not_listed("floor"),
    "no technician": action_verbs.not_listed("technician"),
    "chips": action_verbs.chips,
    "chips late": action_verbs.chips_late,
    "lift": action_verbs.lift,
    "player": action_verbs.player,
    "cards": action_verbs.cards,
    "hand": action_verbs.hand,
    "draw": action_verbs.draw,
    "stub": lambda floor, step: floor.crew.count_stub(int(step.words)),
    "follow to": action_verbs.follow,
    "pull cable": lambda floor, step: floor.crew.hands.do(step.words, "unplug"),
    "plug in": lambda floor, step: floor.crew.hands.do(step.words, "plug"),
    "swap cables": lambda floor, step: floor.crew.hands.swap(*step.words.split()),
    "power": action_verbs.power,
    "console": action_verbs.console(""),
    "console floor": action_verbs.console("floor"),
    "console technician": action_verbs.console("technician"),
    "see display": observation_verbs.see_display,
    "see line": observation_verbs.see_line,
    "see pads": observation_verbs.see_pads,
    "see sign": observation_verbs.see_sign,
    "see console": observation_verbs.see_console,
    "see journal": observation_verbs.see_journal,
    "see shoe": observation_verbs.see_device("shoe"),
    "see accounts": observation_verbs.see_device("accounts"),
    "see shuffler": observation_verbs.see_device("shuffler"),
    "never display": observation_verbs.never_display,
    "never line": observation_verbs.never_line,
    "never journal": observation_verbs.never_journal,
    "link": action_verbs.link,
    "see link": observation_verbs.see_link,
    "measure": observation_verbs.measure,
    **{
        name: action_verbs.device(name)
        for name in ("shoe", "shuffler", "pads", "sign", "display", "lines", "accounts")
    },
}


def take(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Take one step; raise NotSeenError if what it expects does not come."""
    STEPS[step.verb](floor, step)
