"""The service manager, as far as an update needs it: stop Sabot, read units again, start Sabot.

Where Sabot is not run by one (a bench, a tree that is being built) nobody stops it for us: it must not run.
"""

import subprocess
from pathlib import Path
from typing import Protocol

from sabot.firmware.update.errors import UpdateError

UNIT = "sabot.service"
PATIENCE_S = 120
OUT_OF_SERVICE = "out of service"
# What makes users and folders, and where their files are; users first, for folders belong to them.
MAKERS = {
    ("/usr/bin/systemd-sysusers",): "sysusers.d",
    ("/usr/bin/systemd-tmpfiles", "--create"): "tmpfiles.d",
}


class UnitService(Protocol):
    """The service that runs the program."""

    def stop(self) -> None:
        """Stop it; it closes its journal."""

    def start(self) -> str:
        """Start it; return what there is to object, nothing where it is ready and in service."""

    def reload(self) -> None:
        """Read the units again, and make the users and folders that they want."""


class Systemd:
    """Sabot as a unit of systemd."""

    def stop(self) -> None:
        """Stop the unit and wait for its end."""
        _systemctl("stop", UNIT)

    def start(self) -> str:
        """Start the unit, which waits until the program is ready; return what there is to object."""
        try:
            _systemctl("start", UNIT)
            status = _systemctl("show", UNIT, "--property=StatusText", "--value")
        except UpdateError as error:
            return error.what
        return status if status.startswith(OUT_OF_SERVICE) else ""

    def reload(self) -> None:
        """Let systemd read the units again, and make users and folders now: its next start may be far.

        Not the rules of devices: udev sees that they changed, and asks them for the next device that comes.
        """
        _systemctl("daemon-reload")
        for tool, folder in MAKERS.items():
            # Our own alone: a slip in somebody else's is no reason against a release.
            files = sorted(map(str, Path("/etc", folder).glob("sabot*.conf")))
            if files:
                _as_unit(*tool, *files)


class Unmanaged:
    """Nobody runs it but a person."""

    def stop(self) -> None:
        """Do nothing: the update verifies that no program runs."""

    def start(self) -> str:
        """Do nothing, and object to nothing."""
        return ""

    def reload(self) -> None:
        """Do nothing."""


def _systemctl(*words: str) -> str:
    return _call("systemctl", words[0], *words)


def _as_unit(*command: str) -> None:
    """Run a program to its end, as a unit of its own: an update's sandbox may not write /etc and /run."""
    _call("systemd-run", Path(command[0]).name, "--quiet", "--collect", "--service-type=oneshot", *command)


def _call(program: str, what: str, *words: str) -> str:
    try:
        done = subprocess.run(  # noqa: S603 (our own words)
            [f"/usr/bin/{program}", *words],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UpdateError("E-UPDATE-008", program, why=error) from error
    if done.returncode:
        why = done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}"
        raise UpdateError("E-UPDATE-008", f"{program} {what}", why=why)
    return done.stdout.strip()
