import shutil
import subprocess

import pytest

from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.unit_service import Systemd, Unmanaged

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


def test_without_a_service_manager_there_is_nothing_to_object() -> None:
    nobody = Unmanaged()
    nobody.stop()
    nobody.reload()

    assert nobody.start() == ""
