import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.unit_service import Systemd, Unmanaged

from .own_systemd import TREE, run_alone

SYSTEMCTL = shutil.which("systemctl")


def knows_sabot() -> bool:
    """A board: nobody stops its program for a test."""
    assert SYSTEMCTL is not None
    done = subprocess.run([SYSTEMCTL, "cat", "sabot.service"], capture_output=True, check=False, timeout=30)
    return done.returncode == 0


@pytest.fixture
def systemd() -> Systemd:
    if SYSTEMCTL != "/usr/bin/systemctl":
        pytest.skip("systemctl is not installed here")
    if knows_sabot():
        pytest.skip("Sabot is installed as a service here")
    return Systemd()


def test_a_service_that_cannot_be_stopped_stops_the_update(systemd: Systemd) -> None:
    with pytest.raises(UpdateError, match="E-UPDATE-008 systemctl stop") as caught:
        systemd.stop()

    assert "exit code" not in str(caught.value), "its own last words say more"


def test_a_service_that_does_not_start_is_an_objection_and_no_error(systemd: Systemd) -> None:
    assert systemd.start().startswith("the release cannot be installed")


RELOAD = "from sabot.firmware.update.unit_service import Systemd; Systemd().reload()"
LOOK = "getent passwd sabot-new; stat --format %%U /run/sabot-new; ls -d /run/new; echo looked"


def in_the_sandbox(command: str) -> str:
    """The unit of an update, with another command; the Python of the tests may lie in a home."""
    lines = (TREE / "systemd/sabot-update.service").read_text(encoding="utf-8").splitlines()
    kept = [
        line for line in lines[lines.index("[Service]") :] if not line.startswith(("Exec", "ProtectHome"))
    ]
    return "\n".join([*kept, f"ExecStart={command}", f"ExecStopPost=+/bin/sh -c '{LOOK}'", ""])


USER, FOLDER = "u sabot-new -\n", "d /run/sabot-new 0750 sabot-new - -\n"


def reloaded(folder: Path, **files: str) -> str:
    """What a machine with these files says after a reload out of an update's sandbox."""
    # The folders are there on every machine, and an update may write into them.
    etc = {"sysusers.d/x": "", "tmpfiles.d/new.conf": "d /run/new\n", "udev/rules.d/x": ""}
    etc |= {f"{kind}.d/sabot-new.conf": text for kind, text in files.items()}
    said = run_alone(folder, in_the_sandbox(f'{sys.executable} -c "{RELOAD}"'), etc)
    if said is None:
        pytest.skip("no systemd of our own can be started here")
    assert "looked" in said
    return said


def test_users_and_folders_of_a_release_are_there_before_it_starts(tmp_path: Path) -> None:
    said = reloaded(tmp_path, sysusers=USER, tmpfiles=FOLDER)

    assert "Traceback" not in said
    assert "sabot-new:x:" in said
    assert "\nsabot-new\n" in said
    assert "cannot access '/run/new'" in said, "what is not ours is left alone"


def test_a_release_without_users_and_folders_wants_none(tmp_path: Path) -> None:
    assert "Traceback" not in reloaded(tmp_path)


def test_a_user_that_cannot_be_made_is_an_error(tmp_path: Path) -> None:
    said = reloaded(tmp_path, sysusers="u sabot/new -\n", tmpfiles=FOLDER)

    assert "E-UPDATE-008 systemd-run systemd-sysusers" in said


def test_without_a_service_manager_there_is_nothing_to_object() -> None:
    nobody = Unmanaged()
    nobody.stop()
    nobody.reload()

    assert nobody.start() == ""
