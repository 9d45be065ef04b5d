"""A real Firefox, spoken to as it speaks by itself: WebDriver BiDi, with no driver between.

Playwright wants a Firefox of its own make; this one is Debian's.
"""

import base64
import json
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
INSTALL = "sudo apt-get install firefox-esr"
LISTENING = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
PATIENCE_S = 120.0
# No page but the one that is tested: neither updates nor telemetry nor a first-run page.
PREFERENCES = {
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}


class Firefox:
    """One page of it."""

    def __init__(self, address: str) -> None:
        self._socket: ClientConnection = connect(
            f"{address}/session", max_size=None, origin=None, legacy=True
        )
        self._count = 0
        self.errors: list[str] = []
        self._ask("session.new", capabilities={})
        self._ask("session.subscribe", events=["log.entryAdded"])
        self._page = self._ask("browsingContext.create", type="tab")["context"]

    def _ask(self, method: str, **params: object) -> dict[str, Any]:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            said = json.loads(self._socket.recv(timeout=PATIENCE_S))
            if said.get("method") == "log.entryAdded":
                self._log(said["params"])
            elif said.get("id") == self._count:
                if said["type"] == "error":
                    raise AssertionError(f"{method}: {said['message']}")
                return dict(said["result"])

    def _log(self, entry: dict[str, Any]) -> None:
        if entry["level"] == "error":
            self.errors.append(str(entry["text"]))

    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        """Go to a page and wait until it has loaded."""
        size = {"width": width, "height": height}
        self._ask("browsingContext.setViewport", context=self._page, viewport=size)
        self._ask("browsingContext.navigate", context=self._page, url=address, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression: a text, a number or a truth."""
        answer = self._ask(
            "script.evaluate", expression=expression, target={"context": self._page}, awaitPromise=True
        )
        assert answer["type"] == "success", answer
        return answer["result"].get("value")

    def wait(self, expression: str) -> None:
        """Until an expression is true."""
        end = time.monotonic() + PATIENCE_S
        while not self.evaluate(expression):
            assert time.monotonic() < end, f"not so: {expression}"
            time.sleep(0.05)

    def click(self, selector: str, dx: int = 0, dy: int = 0) -> None:
        """Press the button of a mouse on an element, or so far from its middle."""
        found = self.evaluate(
            f"""(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round).join(" "); }})()"""
        )
        x, y = map(int, found.split())
        moves = [
            {"type": "pointerMove", "x": x + dx, "y": y + dy},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": moves}
        self._ask("input.performActions", context=self._page, actions=[mouse])

    def picture(self, file: Path) -> None:
        """Take a picture of the page."""
        answer = self._ask("browsingContext.captureScreenshot", context=self._page)
        file.write_bytes(base64.b64decode(answer["data"]))

    def close(self) -> None:
        """Close the browser."""
        self._ask("browser.close")
        self._socket.close()


@contextmanager
def firefox(folder: Path) -> Iterator[Firefox]:
    """A browser with a profile of its own, and nothing open in it."""
    assert FIREFOX is not None
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
    (folder / "user.js").write_text("\n".join(lines), encoding="utf-8")
    command = [FIREFOX, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    try:
        browser = Firefox(_address(process))
        yield browser
        browser.close()
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)


def _address(process: "subprocess.Popen[str]") -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := LISTENING.search(line):
            return found[1]
    raise AssertionError("Firefox ended before it listened")
