"""The small language of the floor: one step a line, a verb, a colon, its words, and how long it may take.

``see display: CARD 1 TO / DEALER within 5 s``. Each verb is a row: how it is written, which feature of a rig
it needs, and what its words must be. A word that nobody knows is an error when the file is read, with the
nearest known word, and never something that happens to do nothing.
"""

import re
from typing import NamedTuple

from sabot.hil.scenarios.errors import unknown
from sabot.hil.scenarios.verbs import VERBS
from sabot.hil.scenarios.word_checks import Place

_WITHIN = re.compile(r"\s+within\s+(\d+(?:\.\d+)?)\s*s$")


class ScenarioStep(NamedTuple):
    """One line of a scenario."""

    verb: str
    words: str
    within_s: float | None
    line: int
    # What stands above it for the reader.
    about: str = ""

    def __str__(self) -> str:
        """Return the step as it is written."""
        within = f" within {self.within_s:g} s" if self.within_s is not None else ""
        return f"{self.verb}: {self.words}{within}"


def parse(text: str, place: Place, line: int) -> ScenarioStep:
    """Return the step of a line; raise ScenarioError with what is wrong with it."""
    within = _WITHIN.search(text)
    body = text[: within.start()] if within else text
    verb, colon, words = (part.strip() for part in body.partition(":"))
    if verb not in VERBS or not colon:
        raise unknown(place.where, "verb", verb, list(VERBS))
    VERBS[verb].check(place._replace(usage=VERBS[verb].usage), words)
    return ScenarioStep(verb, words, float(within[1]) if within else None, line)


def needs(step: ScenarioStep) -> set[str]:
    """Return the features of a rig without which a step cannot be done."""
    feature = VERBS[step.verb].needs
    if step.verb in ("pull cable", "plug in"):
        feature = "usb-unplug" if step.words == "pads" else feature
    return {feature} if feature else set()
