"""What the service manager hears, of the real program and of a loop that hangs."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot.firmware.run.service_manager import Notifier
from sabot.hil.table.crew import Crew

PATIENCE_S = 60.0


class Manager:
    """The service manager's end of the socket, always listening."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.heard: list[str] = []
        self._wire = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._wire.bind(str(path))
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while (message := self._wire.recv(4096)) != b"":
            self.heard.append(message.decode())

    def close(self) -> None:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as last:
            last.sendto(b"", str(self.path))
        self._thread.join(PATIENCE_S)
        self._wire.close()

    def hear(self, words: str) -> str:
        """The first message with these words that came since the one heard last; none before it count."""
        end = time.monotonic() + PATIENCE_S
        while True:
            for place, message in enumerate(self.heard):
                if words in message:
                    del self.heard[: place + 1]
                    return message
            assert time.monotonic() < end, self.heard
            time.sleep(0.01)


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    found = Manager(tmp_path / "notify.sock")
    yield found
    found.close()


def test_the_program_says_when_it_is_ready_how_it_is_and_that_its_loop_turns(
    tmp_path: Path, manager: Manager
) -> None:
    root = tmp_path / "state"
    environment = os.environ | {"NOTIFY_SOCKET": str(manager.path), "WATCHDOG_USEC": "400000"}
    order = [sys.executable, "-m", "sabot", "run", "--sim", "pa679a", "--state", str(root)]
    with (tmp_path / "log").open("wb") as log:
        running = subprocess.Popen(order, env=environment, stdout=log, stderr=log)
    try:
        assert manager.hear("READY=1") == "READY=1\nSTATUS=closed"
        manager.hear("WATCHDOG=1")
        manager.hear("WATCHDOG=1")
        crew = Crew(root)
        crew.follow_to("BETS OPEN")
        manager.hear("STATUS=bets open")
        crew.close()
    finally:
        running.send_signal(signal.SIGTERM)
        assert running.wait(60) == 0
    manager.hear("STOPPING=1")


def test_a_loop_that_hangs_feeds_no_watchdog(manager: Manager, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(manager.path))
    monkeypatch.setenv("WATCHDOG_USEC", "40000")

    async def hang() -> int:
        notifier = Notifier()
        notifier.feed()
        await asyncio.sleep(0.2)
        before = len(manager.heard)
        time.sleep(0.5)  # noqa: ASYNC251 - the loop hangs
        late = len(manager.heard) - before
        await asyncio.sleep(0.2)
        notifier.stop()
        return late

    # What was on its way when the loop began to hang may still come.
    assert asyncio.run(hang()) <= 1
    assert manager.heard.count("WATCHDOG=1") > 2
    manager.hear("STOPPING=1")


def test_without_a_service_manager_nothing_is_said(monkeypatch: pytest.MonkeyPatch, manager: Manager) -> None:
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    assert Notifier().tell(READY="1")
    monkeypatch.setenv("NOTIFY_SOCKET", f"{manager.path}.gone")

    assert not Notifier().tell(READY="1")

    assert manager.heard == []
