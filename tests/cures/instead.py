"""What people may do instead of a cure, carried out as it is printed: its line is there, is taken, and holds no more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.statemachine import cures
from sabot.statemachine.vocabulary.events import Key, Role

from .trial import bases, bring, cases

if TYPE_CHECKING:
    from tests.statemachine.shift import Shift
    from tests.statemachine.walk.setups import Way

    from .trial import Base, Case

LONGEST_LIST = 60
GIVEN_UP = ("DEVICE COVERED", "RELEASE", "RELEASE")


def tried(way: Way, every: int) -> tuple[int, list[str]]:
    """How many lines were carried out at a table of this way, one fault in so many, and what was wrong."""
    count, number, wrong = 0, 0, []
    for base in bases(way):
        for case in cases(base):
            number += 1
            if number % every:
                continue
            for place in range(len(_printed(base, case))):
                count += 1
                if why := _try(base, case, place):
                    wrong.append(f"{way} {base.phase.value} {case.kind} of {case.device}: {why}")
    return count, wrong


def _printed(base: Base, case: Case) -> list[cures.CureStep]:
    shift = base.fresh()
    bring(shift, case)
    holds = shift.table.state.trouble.holds
    return shift.table.rooms.cures.instead(holds[0]) if holds else []


def _try(base: Base, case: Case, place: int) -> str:
    shift = base.fresh()
    bring(shift, case)
    table = shift.table
    held = table.state.trouble.holds[0]
    step = table.rooms.cures.instead(held)[place]
    title = step.words.partition(",")[0]
    if why := _take(shift, title, step.value, by_dealer=step.do is cures.Do.MENU):
        return why
    if title != "OUT OF ORDER":
        return ""
    for line in GIVEN_UP:
        if table.rooms.faults.held is None:
            break
        if why := _take(shift, line, ""):
            return why
    return (
        f"{table.rooms.faults.held.kind} still holds"
        if table.rooms.faults.held and table.rooms.faults.held.device == held.device
        else ""
    )


def _take(shift: Shift, title: str, value: str, *, by_dealer: bool = False) -> str:
    if not by_dealer:
        shift.unlock(Role.FLOOR)
    shift.press(Key.MENU if by_dealer else Key.FLOOR)
    if not _walk(shift, title):
        return f"{title} is in no list"
    shift.press(Key.OK)
    if shift.prompt[0] == title:
        if value and not _walk(shift, value.upper()):
            return f"{value} is not to be chosen"
        shift.press(Key.OK)
    return f"{title} is refused: {shift.why}" if shift.why else ""


def _walk(shift: Shift, wanted: str) -> bool:
    for _ in range(LONGEST_LIST):
        if wanted in shift.prompt[1]:
            return True
        shift.press(Key.RIGHT)
    return False
