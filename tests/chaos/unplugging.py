"""Every device is pulled out in every phase of a round, one after the other, and put back.

A row of `STOPS` is where the table stands, by its display. At each of them devices are pulled: the faults are
on console and display, the table is held where the rules say so, every spot is locked, the keys of the dealer
move nothing. Put back they are heard again, which releases nothing; a floorperson does, and the table stands
where it stood, with the same cards and the same money.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from tests.chaos.people import release_everything
from tests.chaos.stage import AGAIN
from tests.chaos.truth import truth_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from tests.chaos.stage import Stage

DEVICES = ("pads", "display", "shuffler", "shoe", "sign", "lines")
BEFORE = {
    "closed": r"OK=DEALER SIGN ON",
    "registering": r"REGISTER DECK",
    "receiving": r"OK=RECEIVE CARDS",
    "inspecting": r"^INSPECT (CARDS|DECK A)",
    "checking": r"FLOOR: CHECK DEVICES",
    "verifying": r"FLOOR: VERIFY CARDS",
    "spread": r"^SPREAD (A )?IN",
    "washing": r"^WASH (A )?AND",
    "shuffling": r"^SHUFFLING DECK",
    "bets open": r"^BETS OPEN",
}
WITHIN = {
    "first card": r"^CARD 1 TO\nSEAT 1",
    "between cards": r"^CARD 3 TO\nDEALER",
    "stub": r"^STUB TO RACK",
    "deciding": r"^SEAT 1: PLAY",
    "turning": r"^REVEAL DEALER",
    "settling": r"^(PAY|SEAT 1\n(TAKE|PAY))",
    "clearing": r"^(?:FAULT: )?CARDS TO RACK",
}
STOPS = BEFORE | WITHIN
# What may change while a table is held: the shuffle under way goes on, or is stopped, and says so later.
MOVES = {"shuffling"}
# The cards of a round that is over go to the rack whatever holds the table.
GOES_ON = {"clearing"}
HELD, SILENT = "HELD: DEVICE SILENT", "lost_link"
# The corrections that a key may still make end with any release; notes are what was said, not what is.
PASSING = ("notes", "ordered", "last_entry")


def tour(stage: Stage, devices: tuple[str, ...], stops: Collection[str] = tuple(STOPS)) -> list[str]:
    """A whole shift of one round, with these devices pulled at every one of these stops; where it was."""
    done = [name for name in BEFORE if name in stops and _stop_at(stage, name, devices)]
    stage.to_bets()
    stage.crew.bet(0, 2500)
    stage.crew.hands.wait_display("1 SEATS")
    stage.crew.hands.press("LOCK")
    done += [name for name in WITHIN if name in stops and _stop_at(stage, name, devices)]
    stage.crew.follow_to("BETS OPEN")
    return done


def _stop_at(stage: Stage, name: str, devices: tuple[str, ...]) -> bool:
    stage.crew.follow(lambda lines: bool(re.search(STOPS[name], "\n".join(lines))))
    pull(stage, devices, name)
    return True


def pull(stage: Stage, devices: tuple[str, ...], where: str) -> None:
    """These devices, here: out, looked at, in again, released."""
    hands = stage.crew.hands
    stood = hands.lines
    before = facts(stage, with_cards=where not in MOVES)
    if "lines" in devices:
        _lose_lines(stage)
    else:
        for device in devices:
            hands.do(device, "unplug")
        _look(stage, devices, where)
        for device in devices:
            hands.do(device, "plug")
    _bring_back(stage, devices, where)
    changed = _differences(before, facts(stage, with_cards=where not in MOVES))
    assert not changed, f"{devices} at {where}: {changed}"
    if where not in MOVES:
        hands.wait("the display as before", lambda: hands.lines == stood, 20.0)


# ---------------------------------------------------------------- what must not change


def facts(stage: Stage, *, with_cards: bool = True) -> dict[str, Any]:
    """Money, and cards, as the journal has them now."""
    state = truth_of(stage.root).state
    found = {name: state[name] for name in ("ledger", "bets", "boxes", "rounds")}
    if with_cards:
        found |= {name: state[name] for name in ("phase", "in_play", "in_shuffler")}
        found |= {"round": {**(state["round"] or {}), **dict.fromkeys(PASSING)}}
        found |= {"decks": {name: _deck(state, name) for name in state["decks"]}}
    return found


def _deck(state: dict[str, Any], name: str) -> dict[str, Any]:
    """What is known of a deck; one that is not in play may be shuffled meanwhile."""
    deck: dict[str, Any] = state["decks"][name]
    return deck if name == state["in_play"] else {each: deck[each] for each in ("lot", "color", "rounds")}


def _differences(before: Any, after: Any, place: str = "") -> list[str]:
    """Where two facts are not the same."""
    if isinstance(before, dict) and isinstance(after, dict):
        return [
            words
            for name in sorted(before.keys() | after.keys())
            for words in _differences(before.get(name), after.get(name), f"{place}.{name}")
        ]
    return [] if before == after else [f"{place}: {before} -> {after}"]


# ---------------------------------------------------------------- what is seen


def _look(stage: Stage, devices: tuple[str, ...], where: str) -> None:
    """What everybody sees while devices are out."""
    hands = stage.crew.hands
    if is_shown(devices, where):
        hands.wait_display(HELD, patience_s=20.0)
    for device in devices:
        stage.wait(f"{device} lost", lambda device=device: _hold_of(stage, device) is not None)  # type: ignore[misc]
    if not holds_table(devices, where):
        return
    hands.wait("the lock", lambda: hands.see("lines")["lock_open"] == 0, 20.0)
    hands.wait("every spot locked", lambda: _is_all_locked(stage), 20.0)
    if is_shown(devices, where):
        hands.press("OK", "LOCK")
        assert hands.lines[0] == HELD


def _hold_of(stage: Stage, device: str) -> dict[str, Any] | None:
    found = (each for each in stage.holds() if (each["fault"], each["device"]) == (SILENT, device))
    return next(found, None)


def holds_table(devices: tuple[str, ...], where: str) -> bool:
    """The shuffler has no part in the round on the felt (reading V15); everything else has."""
    return not (set(devices) == {"shuffler"} and where in WITHIN)


def is_shown(devices: tuple[str, ...], where: str) -> bool:
    """Whether the display can say that the table is held, and does."""
    return holds_table(devices, where) and "display" not in devices and where not in GOES_ON


def _is_all_locked(stage: Stage) -> bool:
    """Pads that hear no host for a second lock by themselves."""
    pads = stage.crew.hands.see("pads")
    every = (1 << len(pads["covers"])) - 1
    return bool(pads["locked"] & every == every)


# ---------------------------------------------------------------- the way back


def _lose_lines(stage: Stage) -> None:
    """Only a new process can have its lines back: the program ends, and the service starts it again."""
    stage.crew.hands.do("lines", "vanish")
    stage.wait("the program ended", lambda: not stage.is_running)
    assert stage.program is not None
    assert stage.program.returncode == AGAIN
    stage.rough("lines", "back")
    stage.revive()


def _bring_back(stage: Stage, devices: tuple[str, ...], where: str) -> None:
    """Heard again is not released; the right role releases."""
    hands = stage.crew.hands
    for device in devices:
        stage.wait(
            f"{device} heard",
            lambda device=device: bool((_hold_of(stage, device) or {}).get("may_be_lifted")),  # type: ignore[misc]
        )
    if is_shown(devices, where):
        hands.wait_display("HELD:", patience_s=20.0)
        hands.press("OK")
        assert all(_hold_of(stage, device) for device in devices)
    release_everything(stage)
