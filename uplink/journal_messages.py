"""The messages that a table's journal makes for the floor: effects in, messages out, nothing else.

The journal has them as JSON and it alone is asked, so an entry makes the same messages after any start.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from sabot.floor import messages
from sabot.uplink.table_end import Say

Effect = Mapping[str, Any]
NOBODY = "the table"
MOST_CAUSE, MOST_NAME = 80, 40


def says(effects: Iterable[Effect], journal: str) -> list[Say]:
    """Return the messages that the effects of an entry make; ``journal`` is the link of that entry."""
    made = ((effect, MESSAGES.get(effect["effect"])) for effect in effects)
    return [
        Say(kind, {"journal": journal, **values(effect)})
        for effect, found in made
        if found is not None
        for kind, values in [found]
    ]


def may_say(body: str) -> bool:
    """Return whether the text of an entry names any such effect: a quick look before it is read."""
    return any(mark in body for mark in _MARKS)


def _round(effect: Effect) -> dict[str, object]:
    return {"link": effect["link"], "round": effect["number"]}


def _contribution(effect: Effect) -> dict[str, object]:
    return {**_round(effect), "config": effect["config"], "spots": effect["spots"]}


# Words for people are cut to what a message holds (docs/link.md); the journal has the whole. Cutting is the
# same at each start, so an entry makes the same bytes.


def _reversal(effect: Effect) -> dict[str, object]:
    return {**_round(effect), "cause": effect["cause"][:MOST_CAUSE], "spots": effect["spots"]}


def _claim(effect: Effect) -> dict[str, object]:
    return {**_round(effect), **{name: effect[name] for name in ("wager", "row", "seats")}}


def _validated(effect: Effect) -> dict[str, object]:
    return {"grant": effect["grant"], "by": effect["by"][:MOST_NAME] or NOBODY}


def _withdrawn(effect: Effect) -> dict[str, object]:
    return {**_validated(effect), "cause": effect["cause"][:MOST_CAUSE]}


MESSAGES: Mapping[str, tuple[str, Callable[[Effect], dict[str, object]]]] = {
    "ContributeToLink": (messages.CONTRIBUTION, _contribution),
    "ReverseFromLink": (messages.REVERSAL, _reversal),
    "ClaimHit": (messages.CLAIM, _claim),
    "ConfirmGrant": (messages.VALIDATED, _validated),
    "WithdrawGrant": (messages.WITHDRAWN, _withdrawn),
}
# As the journal writes an effect: without blanks.
_MARKS = tuple(f'"effect":"{name}"' for name in MESSAGES)
