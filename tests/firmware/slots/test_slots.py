"""A board that starts from an image: the slot that runs, judged; RAUC, asked under the conditions of an update."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from sabot.firmware.slots.judge import Judge
from sabot.firmware.slots.rauc_update import HandOver
from sabot.firmware.slots.slot import MOST_REMEMBERED, Slot, SlotMemory, running
from sabot.firmware.update import version
from sabot.firmware.update.ask_release import ReleaseAnswer
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.install_log import InstallLog

SLOT = Slot("B", "1.3.0", "ab" * 32)


class Machine:
    """A board as the judge sees it; ``ready_after`` looks until the program is ready."""

    def __init__(
        self, *, table: bool = True, ready_after: int = 0, selftest: ReleaseAnswer | None = None
    ) -> None:
        self.table, self.left = table, ready_after
        self.answer = selftest or ReleaseAnswer(0, "{}", "")
        self.done: list[str] = []

    def has_table(self) -> bool:
        return self.table

    def status(self) -> str:
        self.left -= 1
        return "active" if self.left < 0 else "activating"

    def selftest(self) -> ReleaseAnswer:
        self.done.append("selftest")
        return self.answer

    def mark_good(self) -> str:
        self.done.append("good")
        return ""

    def restart(self) -> None:
        self.done.append("restart")


def judge(machine: Machine, memory: SlotMemory, patience_s: float = 60) -> tuple[bool, list[str]]:
    said: list[str] = []
    return Judge(SLOT, memory, machine, said.append).run(lambda _: None, patience_s), said


@pytest.fixture
def memory(tmp_path: Path) -> SlotMemory:
    return SlotMemory(tmp_path / "slots.json")


def test_a_new_slot_is_good_when_the_table_is_ready_and_has_answered(memory: SlotMemory) -> None:
    machine = Machine(ready_after=3)
    assert judge(machine, memory)[0]
    assert machine.done == ["selftest", "good"]
    assert memory.good() == [SLOT.root_hash]


def test_a_new_slot_that_never_becomes_ready_starts_the_board_anew(memory: SlotMemory) -> None:
    machine = Machine(ready_after=1_000_000)
    is_good, said = judge(machine, memory)
    assert not is_good
    assert machine.done == ["restart"]
    assert memory.good() == []
    assert "not ready after 60 s (activating)" in said[0]


def test_a_new_slot_whose_selftest_objects_starts_the_board_anew(memory: SlotMemory) -> None:
    answer = json.dumps(
        {"checks": [{"fault": "E-JRNL-003 x", "keeps_closed": True}, {"fault": "a", "keeps_closed": False}]}
    )
    machine = Machine(selftest=ReleaseAnswer(1, answer, "last"))
    is_good, said = judge(machine, memory)
    assert not is_good
    assert machine.done == ["selftest", "restart"]
    assert said == ["slot B, version 1.3.0: NOT GOOD: the self-test said: E-JRNL-003 x. Starting anew."]


def test_a_slot_that_once_was_good_is_not_given_up_for_a_table_file(memory: SlotMemory) -> None:
    memory.add(SLOT.root_hash)
    machine = Machine(ready_after=1_000_000)
    assert judge(machine, memory)[0]
    assert machine.done == ["good"]


def test_without_a_table_file_there_is_nothing_to_hold_it_against(memory: SlotMemory) -> None:
    machine = Machine(table=False, ready_after=1_000_000)
    assert judge(machine, memory)[0]
    assert machine.done == ["good"]
    assert memory.good() == []


def test_a_board_remembers_the_last_roots_and_a_torn_memory_is_none(
    memory: SlotMemory, tmp_path: Path
) -> None:
    for number in range(MOST_REMEMBERED + 3):
        memory.add(f"{number}")
    memory.add("9")
    assert memory.good() == ["3", "4", "5", "6", "7", "8", "10", "9"]
    (tmp_path / "slots.json").write_bytes(b'{"good": [1,')
    assert memory.good() == []


def test_the_slot_that_runs_is_read_from_what_the_initramfs_left(tmp_path: Path) -> None:
    assert running(tmp_path) is None
    (tmp_path / "slot.conf").write_text("purpose=sabot slot 1\nversion=1.3.0\nroot_hash=" + "ab" * 32 + "\n")
    (tmp_path / "slot").write_text("B\n")
    assert running(tmp_path) == SLOT


# ------------------------------------------------------------ an update by slots


class Rauc:
    """RAUC, as far as it is asked."""

    def __init__(self, version: str) -> None:
        self._version = version
        self.installed: list[str] = []

    def version(self, bundle: Path) -> str:
        if not self._version:
            raise UpdateError("E-UPDATE-002", str(bundle), why="signature verification failed")
        return self._version

    def install(self, bundle: Path) -> None:
        self.installed.append(bundle.name)


@pytest.fixture
def diary(tmp_path: Path) -> InstallLog:
    return InstallLog(tmp_path / "updates.jsonl", lambda _: None)


def refuse(code: str) -> Callable[[], str]:
    def raising() -> str:
        raise UpdateError(code, "x", phase="betting", why="none")

    return raising


def hand_over(
    rauc: Rauc,
    diary: InstallLog,
    closed: Callable[[], object],
    agree: Callable[[], str],
    *,
    again: bool = False,
) -> str:
    def verify() -> None:
        closed()

    return HandOver(SLOT, rauc, diary, verify).run(Path("new.raucb"), agree, "why", again=again)


def test_a_newer_bundle_is_installed_when_two_people_agree(diary: InstallLog, tmp_path: Path) -> None:
    rauc = Rauc("1.4.0")
    assert hand_over(rauc, diary, str, lambda: "11 and 42") == "1.4.0"
    assert rauc.installed == ["new.raucb"]
    steps = [json.loads(row)["step"] for row in (tmp_path / "updates.jsonl").read_text().splitlines()]
    assert steps == ["signature good", "agreed", "installed in the other slot"]


@pytest.mark.parametrize(
    ("version", "closed", "agree", "code"),
    [
        ("", str, str, "E-UPDATE-002"),
        ("1.2.9", str, str, "E-UPDATE-017"),
        ("1.3", str, str, "E-UPDATE-005"),
        ("1.4.0", refuse("E-UPDATE-006"), str, "E-UPDATE-006"),
        ("1.4.0", str, refuse("E-UPDATE-010"), "E-UPDATE-010"),
    ],
    ids=["not signed", "older", "the same", "table open", "one person"],
)
def test_nothing_is_written_where_a_condition_fails(
    diary: InstallLog,
    tmp_path: Path,
    version: str,
    closed: Callable[[], str],
    agree: Callable[[], str],
    code: str,
) -> None:
    rauc = Rauc(version)
    with pytest.raises(UpdateError) as caught:
        hand_over(rauc, diary, closed, agree)
    assert caught.value.kind.code == code
    assert rauc.installed == []
    last = json.loads((tmp_path / "updates.jsonl").read_text().splitlines()[-1])
    assert (last["step"], last["code"]) == ("refused", code)


def test_the_same_version_again_repairs_the_other_slot(diary: InstallLog) -> None:
    rauc = Rauc("1.3.0")
    hand_over(rauc, diary, str, str, again=True)
    assert rauc.installed == ["new.raucb"]


@pytest.mark.parametrize(("found", "code"), [("1.2.9", 1), ("1.3.0", 0), ("1.3.1", 0), ("", 1), ("x", 1)])
def test_rauc_itself_is_told_no_for_an_older_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: str, code: int
) -> None:
    (tmp_path / "manifest.raucm").write_text(f"[update]\ncompatible=x\nversion={found}\n")
    monkeypatch.setattr("sys.argv", ["before", "1.3.0", str(tmp_path)])
    assert version.main() == code
