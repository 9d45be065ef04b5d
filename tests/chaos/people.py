"""People who bring a table home that was attacked: each fault tested again, then released by its own role."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from sabot.hil.table.crew import DEALER, FLOOR, TECHNICIAN, CrewMember
from sabot.hil.table.hands import NotSeenError
from tests.chaos.truth import truth_of

if TYPE_CHECKING:
    from tests.chaos.stage import Stage

BY_ROLE: dict[str, CrewMember] = {"dealer": DEALER, "floor": FLOOR, "technician": TECHNICIAN}
RESTARTED = "restarted"
MOST_TURNS, MOST_STEPS = 12, 80
AGAIN_S = 0.5


def release_everything(stage: Stage, patience_s: float = 60.0) -> list[str]:
    """Until nothing holds the table; what was released, in order."""
    done: list[str] = []
    for _ in range(MOST_TURNS):
        holds = stage.holds()
        if not holds:
            if done:
                stage.wait(
                    "the display", lambda: not stage.crew.hands.lines[0].startswith("HELD"), patience_s
                )
            return done
        for held in holds:
            release(stage, held, patience_s)
            done.append(f"{held['fault']} {held['device']}")
    message = f"still held after {done}: {stage.holds()}"
    raise AssertionError(message)


def release(stage: Stage, held: dict[str, Any], patience_s: float = 60.0) -> None:
    """One fault: tested again and cleared; a round that was interrupted is confirmed at the table."""
    what, person = f"{held['fault']} {held['device']}", BY_ROLE[held["releases"]]
    if not held["may_be_lifted"]:
        _test_again(stage, held, patience_s)
    answer = stage.ordered(person, f"clear {what}", why="put right")
    if held["device"] == "shuffler" and stage.crew.loaded:
        lay_anew(stage)
    if answer.end == "refused" and held["fault"] == RESTARTED:
        stage.crew.floor("CONFIRM ROUND")


def _test_again(stage: Stage, held: dict[str, Any], patience_s: float) -> None:
    """What was put right a moment ago may fail its first test."""
    if held["device"] == "pads" and truth_of(stage.root).state["round"] is None:
        lift_chips(stage)
    end = time.monotonic() + patience_s
    while not _may_be_lifted(stage, held):
        assert time.monotonic() < end, f"{held['fault']} {held['device']} does not pass its test"
        stage.ordered(FLOOR, f"retest {held['device']} {held['fault']}")
        time.sleep(AGAIN_S)


def lift_chips(stage: Stage) -> None:
    """Between rounds players take their chips back: one that came after a lock is a contradiction while it lies."""
    for spot, cents in enumerate(stage.crew.hands.see("pads")["cents"]):
        if cents:
            stage.crew.hands.do("pads", f"chips {spot} 0")


def lay_anew(stage: Stage) -> None:
    """A deck whose shuffle came to nothing is taken out of its shuffler and, when it is wanted, laid in again."""
    shuffler = "shuffler" if "shuffler" in stage.crew.hands.see_all() else "shoe"
    if not stage.crew.hands.see(shuffler)["cycle"]:
        stage.crew.hands.do(shuffler, "empty")
        stage.crew.loaded.clear()


def reshuffle_if_wanted(stage: Stage) -> None:
    """The deck in play is not proved any more: the floor orders it shuffled, and the dealer lays it in."""
    if stage.crew.hands.lines[1].endswith("RESHUFFLE"):
        lay_anew(stage)
        stage.crew.floor("RESHUFFLE")


def _may_be_lifted(stage: Stage, held: dict[str, Any]) -> bool:
    """Whether it was tested and found good, or is gone."""
    now = [each for each in stage.holds() if _same(each, held)]
    return all(each["may_be_lifted"] for each in now)


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return (one["fault"], one["device"]) == (other["fault"], other["device"])


def bring_home(stage: Stage, first: str = "BETS OPEN") -> list[str]:
    """To where the display begins so, whatever holds the table on the way; what was released, in order."""
    stage.wait("every device heard", lambda: all(stage.devices().values()))
    done = release_everything(stage)
    for _ in range(MOST_TURNS):
        try:
            stage.crew.follow(lambda lines: lines[0].startswith(first), MOST_STEPS)
        except NotSeenError:
            done += release_everything(stage)
        else:
            return done
    message = f"still at {stage.crew.hands.lines} after {done}"
    raise AssertionError(message)
