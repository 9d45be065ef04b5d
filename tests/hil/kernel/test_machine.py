"""The machine from outside: its words, its console, its retries; a script stands where the emulator would."""

import os
import re
import time
from pathlib import Path

import pytest

from sabot.hil.kernel.machine import (
    ATTEMPTS,
    MachineConsoleError,
    MachineHost,
    MachineKind,
    VirtualMachine,
    WantedMachine,
    boot,
    can_accelerate,
    command,
)
from sabot.hil.kernel.results import CannotRunError

UP = "echo 'RIG 3.1 userland 7.2'"
LIMIT_S = 60.0


@pytest.fixture
def host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MachineHost:
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    return MachineHost(
        tmp_path / "vmlinuz", tmp_path / "i.gz", tmp_path / "tree", tmp_path / "venv", Path("/usr")
    )


def emulate(tmp_path: Path, script: str) -> None:
    """Whoever switches a machine on gets this script; each start leaves a line."""
    path = tmp_path / "qemu-system-x86_64"
    path.write_text(f"#!/bin/sh\necho started >> {tmp_path}/starts\n{script}\n", encoding="utf-8")
    path.chmod(0o755)


def starts(tmp_path: Path) -> int:
    return len((tmp_path / "starts").read_text(encoding="utf-8").splitlines())


def test_the_words_name_kernel_share_and_what_runs(host: MachineHost) -> None:
    words = command(
        host, WantedMachine("sabot.x", ("a", "b"), hardware=("-device", "i6300esb"), kernel_words="k=1")
    )

    assert words[0] == "qemu-system-x86_64"
    assert "-no-reboot" in words
    assert words[-2:] == ["-device", "i6300esb"]
    (line,) = (word for word in words if "rig.run=" in word)
    run = re.search(r"rig\.run=(\S+)", line)
    assert run is not None
    assert run[1].split(",")[2:] == [
        str(host.tree),
        str(host.venv),
        "/usr",
        "plain",
        "sabot.x",
        "a",
        "b",
    ]
    assert line.endswith(" k=1")
    assert "-no-reboot" not in command(host, WantedMachine("sabot.x", stays_after_reset=True))


def test_another_kind_of_machine_is_shown_its_own_root_and_finds_everything_in_it(tmp_path: Path) -> None:
    root = tmp_path / "root"
    kind = MachineKind(("qemu-of-arm", "-machine", "virt"), "ttyAMA0", "word=1")
    host = MachineHost(
        *(tmp_path / "Image.gz", tmp_path / "i.gz", root / "opt/tree", root / "opt/venv", root / "usr"),
        *(("-accel", "slow"), kind, root),
    )

    words = command(host, WantedMachine("sabot.x"))

    assert words[:5] == ["qemu-of-arm", "-machine", "virt", "-accel", "slow"]
    assert words[words.index("-virtfs") + 1].startswith(f"local,path={root},")
    (line,) = (word for word in words if "rig.run=" in word)
    assert line.startswith("console=ttyAMA0 ")
    assert "word=1" in line.split()
    places = ["/opt/tree/hil/kernel/guest/start.sh", "/opt/tree", "/opt/venv", "/usr", "plain", "sabot.x"]
    assert line.endswith(f"rig.run=/bin/sh,{','.join(places)}")


def test_a_machine_without_kvm_counts_its_instructions_for_a_clock(host: MachineHost) -> None:
    words = command(host, WantedMachine("sabot.x"))

    assert words[words.index("-accel") + 1] == "tcg,thread=single"
    assert "-icount" in words


def test_a_console_is_followed_to_its_end(tmp_path: Path, host: MachineHost) -> None:
    emulate(tmp_path, f"{UP}; echo one; printf 'two\\r\\n'; printf '\\377three'")

    with boot(host, WantedMachine("x")) as machine:
        assert list(machine.follow(LIMIT_S)) == ["one", "two", "�three"]
    assert starts(tmp_path) == 1


def test_a_line_that_does_not_come_is_an_error_with_the_last_lines(tmp_path: Path, host: MachineHost) -> None:
    emulate(tmp_path, f"{UP}; echo last words; exec sleep 600")

    with boot(host, WantedMachine("x")) as machine, pytest.raises(MachineConsoleError, match="last words"):
        machine.wait_for(re.compile("never"), 0.5)
    assert machine not in VirtualMachine.alive


def test_a_machine_that_goes_off_too_soon_is_an_error(tmp_path: Path, host: MachineHost) -> None:
    emulate(tmp_path, UP)

    with (
        boot(host, WantedMachine("x")) as machine,
        pytest.raises(MachineConsoleError, match="went off before 'never'"),
    ):
        machine.wait_for(re.compile("never"), LIMIT_S)


def test_a_machine_that_never_ran_a_program_is_started_again_and_then_given_up(
    tmp_path: Path, host: MachineHost
) -> None:
    emulate(tmp_path, "echo 'Oops: int3'")

    with pytest.raises(CannotRunError, match="Oops"):
        boot(host, WantedMachine("x"))
    assert starts(tmp_path) == ATTEMPTS


def test_a_second_start_that_comes_up_is_good(tmp_path: Path, host: MachineHost) -> None:
    emulate(tmp_path, f"[ $(wc -l < {tmp_path}/starts) -gt 1 ] && {UP}")

    boot(host, WantedMachine("x")).cut()
    assert starts(tmp_path) == 2


def test_what_a_program_did_is_never_tried_again(tmp_path: Path, host: MachineHost) -> None:
    emulate(tmp_path, f"{UP}; echo 'Kernel panic'")

    with boot(host, WantedMachine("x")) as machine:
        assert list(machine.follow(LIMIT_S)) == ["Kernel panic"]
    assert starts(tmp_path) == 1


def test_a_cut_machine_is_dead_at_once_and_its_last_lines_can_be_read(
    tmp_path: Path, host: MachineHost
) -> None:
    emulate(tmp_path, f"{UP}; echo PLAYING; echo ENTRY 5; exec sleep 600")
    machine = boot(host, WantedMachine("x"))
    machine.wait_for(re.compile("PLAYING"), LIMIT_S)
    time.sleep(0.2)  # what it says meanwhile is not lost; when it says it does not matter

    machine.cut()

    assert set(machine.rest()) <= {"ENTRY 5"}


def test_only_a_boot_proves_an_accelerator(tmp_path: Path, host: MachineHost) -> None:
    emulate(tmp_path, "exit 1")

    assert not can_accelerate(host)
