"""The verbs of the language: one row a verb, as in ``verbs``; a test holds the two together."""

from collections.abc import Mapping

from sabot.hil.scenarios import deeds, sights
from sabot.hil.scenarios.floor import Act, ScenarioFloor
from sabot.hil.scenarios.language import ScenarioStep

STEPS: Mapping[str, Act] = {
    "people": deeds.people,
    "key": lambda floor, step: floor.crew.press_each(*step.words.split()),
    "menu": deeds.of_list("menu"),
    "floor": deeds.of_list("floor"),
    "technician": deeds.of_list("technician"),
    "no menu": deeds.not_listed("menu"),
    "no floor": deeds.not_listed("floor"),
    "no technician": deeds.not_listed("technician"),
    "chips": deeds.chips,
    "chips late": deeds.chips_late,
    "lift": deeds.lift,
    "player": deeds.player,
    "cards": deeds.cards,
    "hand": deeds.hand,
    "draw": deeds.draw,
    "stub": lambda floor, step: floor.crew.count_stub(int(step.words)),
    "follow to": deeds.follow,
    "pull cable": lambda floor, step: floor.crew.hands.do(step.words, "unplug"),
    "plug in": lambda floor, step: floor.crew.hands.do(step.words, "plug"),
    "swap cables": lambda floor, step: floor.crew.hands.swap(*step.words.split()),
    "power": deeds.power,
    "console": deeds.console(""),
    "console floor": deeds.console("floor"),
    "console technician": deeds.console("technician"),
    "see display": sights.see_display,
    "see line": sights.see_line,
    "see pads": sights.see_pads,
    "see sign": sights.see_sign,
    "see console": sights.see_console,
    "see journal": sights.see_journal,
    "see shoe": sights.see_device("shoe"),
    "see accounts": sights.see_device("accounts"),
    "see shuffler": sights.see_device("shuffler"),
    "never display": sights.never_display,
    "never line": sights.never_line,
    "never journal": sights.never_journal,
    "link": deeds.link,
    "see link": sights.see_link,
    "measure": sights.measure,
    **{
        name: deeds.device(name)
        for name in ("shoe", "shuffler", "pads", "sign", "display", "lines", "accounts")
    },
}


def take(floor: ScenarioFloor, step: ScenarioStep) -> None:
    """Take one step; NotSeenError where what it expects does not come."""
    STEPS[step.verb](floor, step)
