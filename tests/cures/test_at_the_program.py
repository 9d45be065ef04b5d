"""The same people at the running program: ``faults`` over its real socket, keys and lists, orders typed at the console."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from at_the_console import PEOPLE, Board, Console, Shoe, at_the_table, console
from sabot.statemachine.state.phases import IN_ROUND, Phase
from sabot.statemachine.vocabulary.effects import Effect, RetestDevice, ShowPrompt
from sabot.statemachine.vocabulary.events import (
    DeviceEmptied,
    DeviceFaulted,
    DeviceModeChanged,
    DeviceRetested,
    Event,
    Key,
    KeyPressed,
    LinkRestored,
    Resumed,
    Role,
    RoleLocked,
    RoleUnlocked,
    ServiceModeChanged,
    TimeReached,
)
from sabot.statemachine.vocabulary.fault_kinds import FAULTS, OURS

from .robot import Robot

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NUMBERS = {person.role: person.number for person in PEOPLE}
# Those that leave the table as it was: no deck that leaves, no round that is confirmed, no device that is given up.
ELSEWHERE = ("restarted", "deck_removed", "composition", "deck_color", "out_of_order")
AT_OPEN_BETS = 19
DEVICES = ("shoe", "shuffler", "pads")


class AtTheProgram:
    """A table under the running program, as people have it."""

    def __init__(self, board: Board, desk: Console) -> None:
        self.board, self.desk = board, desk
        self.prompt = ("", "")
        board.runner.performers.append(self)  # type: ignore[union-attr]

    def perform(self, effect: Effect) -> None:
        """Be the display, and the devices that are told to test themselves."""
        if isinstance(effect, ShowPrompt):
            self.prompt = (effect.first, effect.second)
        elif isinstance(effect, RetestDevice):
            driver = next(each for each in self.board.drivers if each.name == effect.device)
            driver.retest(effect.fault)

    def post(self, kind: Callable[..., Event], **fields: Any) -> None:
        """Let something happen at a device."""
        self.board.post(kind(at=self.board.clock.now(), **fields))

    def printed(self) -> list[str]:
        """The lines of ``faults``, over the socket."""
        assert self.desk("faults")["end"] == "done"
        return self.desk.text.splitlines()

    def press(self, *keys: Key) -> None:
        """Press keys."""
        for key in keys:
            self.post(KeyPressed, key=key)

    def unlock(self, role: Role) -> None:
        """Turn the key switch and enter the PIN."""
        self.post(RoleUnlocked, role=role, person=NUMBERS[role])

    def lock(self, role: Role) -> None:
        """Turn the key switch back."""
        self.post(RoleLocked, role=role)

    def order(self, words: str, role: Role) -> None:
        """Type an order, and what the console asks for."""
        self.desk.unlock(NUMBERS[role])
        end = self.desk(words, why="it was found")
        assert end["end"] == "done", end

    def touch(self, how: str, device: str) -> None:
        """Do something at a device."""
        kind, fields = TOUCHES[how]
        self.post(kind, device=device, **fields)

    def count_stub(self) -> None:
        """No count is wanted here."""
        raise AssertionError(self.prompt)


TOUCHES: dict[str, tuple[Callable[..., Event], dict[str, Any]]] = {
    "make room": (DeviceRetested, {"fault": "device", "good": True}),
    "plug": (LinkRestored, {}),
    "set": (DeviceModeChanged, {"mode": "play"}),
    "empty": (DeviceEmptied, {"cards_in": 52, "cards_out": 52}),
}


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AtTheProgram]:
    """One program for all, that has come to open bets; each cure leaves it as it was."""
    with at_the_table(tmp_path_factory.mktemp("board")) as board, console(board) as desk:
        assert board.runner is not None
        board.drivers[:] = [Shoe(name, board.runner.post, board.clock.now) for name in DEVICES]
        found = AtTheProgram(board, desk)
        board.play(AT_OPEN_BETS)
        board.clock.ahead_s = board.recording.events[-1].event.at
        assert board.table.state.play.phase is Phase.BETS_OPEN
        yield found


@pytest.mark.parametrize("by_console", [False, True], ids=["keys", "console"])
@pytest.mark.parametrize("kind", [row.kind for row in FAULTS if row.kind not in ELSEWHERE])
def test_policy_what_the_program_prints_of_a_fault_ends_it(
    stage: AtTheProgram, kind: str, by_console: bool
) -> None:
    before = stage.prompt
    bring(stage, kind)
    assert stage.prompt[0].startswith("HELD: ")
    assert Robot(stage).cure(by_console=by_console) is not None
    assert stage.printed() == ["nothing holds the table"]
    assert stage.prompt == before


def test_policy_what_the_program_prints_of_a_restart_in_a_round_ends_it(stage: AtTheProgram) -> None:
    """The shift goes on into a round, and stays there."""
    for recorded in stage.board.recording.events[AT_OPEN_BETS:]:
        if stage.board.table.state.play.phase in IN_ROUND:
            break
        stage.board.post(recorded.event)
    before = stage.prompt
    stage.post(Resumed, down_s=1.0)
    assert stage.prompt[0].startswith("HELD: ")
    Robot(stage).cure()
    assert stage.printed() == ["nothing holds the table"]
    assert stage.prompt == before


def test_policy_what_the_program_prints_of_a_bad_deck_in_a_round_brings_another(stage: AtTheProgram) -> None:
    """Last of all: the round is void, the deck leaves, and another one is registered at the keys."""
    stage.post(DeviceFaulted, device="deck A", fault="composition", detail="twice")
    cured = [fault.name.partition(":")[0] for _ in range(2) if (fault := Robot(stage).cure())]
    assert cured == ["composition deck A", "deck_removed deck A"]
    assert stage.printed() == ["nothing holds the table"]
    assert stage.prompt == ("INSPECT CARDS", "THEN OK")


def bring(stage: AtTheProgram, kind: str) -> None:
    """Bring a fault about, as what reports it does."""
    device = "shoe"
    if kind == "service":
        stage.post(ServiceModeChanged, on=True, person="42", why="a look")
    elif kind == "slip":
        stage.post(Resumed, down_s=1.0, slip="ValueError")
    elif kind in OURS:
        stage.board.do(hold(stage.board, kind, device))
        stage.post(TimeReached)
    else:
        stage.post(DeviceFaulted, device=device, fault=kind, detail="it was found")


async def hold(board: Board, kind: str, device: str) -> None:
    """What the table alone finds, where what finds it would change more than the hold."""
    board.table.rooms.faults.hold(kind, device, "it was found")
