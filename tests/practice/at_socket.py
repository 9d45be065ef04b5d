"""A practice table in a process of its own, and somebody at it with no browser: what a page would send and get."""

import json
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from sabot.hil.table.crew import FLOOR, CrewMember
from sabot.hil.table.game import Game, read_game
from sabot.hil.table.hands import Hands, NotSeenError
from sabot.practice.players import PracticePlayers

PATIENCE_S = 120.0
UNCHANGED_S = 1.0


class Served(NamedTuple):
    """A practice table: where its page is, and where it keeps what is its own."""

    address: str
    root: Path


@contextmanager
def serving(*words: str) -> Iterator[Served]:
    """`sabot practice` in a process of its own."""
    with tempfile.TemporaryDirectory(prefix="page-", dir="/tmp") as folder:
        root = Path(folder) / "t"
        with _serving(root, *words) as address:
            yield Served(address, root)


@contextmanager
def _serving(root: Path, *words: str) -> Iterator[str]:
    command = [
        sys.executable,
        "-Im",
        "sabot",
        "practice",
        "--no-open",
        "--keep",
        str(root),
        "--progress",
        str(root.parent / "progress"),
        *words,
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        said = [process.stdout.readline(), process.stdout.readline().strip()]
        assert said[1].startswith("http"), process.stderr.read() if process.stderr else ""
        yield said[1]
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0


class Onlooker:
    """Another page that only looks."""

    def __init__(self, address: str) -> None:
        url = urlsplit(address)
        here = f"http://{url.netloc}"
        self._socket = connect(
            f"ws://{url.netloc}/table?{url.query}", origin=Origin(here), max_size=None, legacy=True
        )
        self.seen: dict[str, Any] = {"shows": {}, "refused": []}
        self.news, self._is_over = 0, False
        self._thread = threading.Thread(target=self._hear, daemon=True)
        self._thread.start()
        self.wait(lambda: "layout" in self.seen)

    def _hear(self) -> None:
        while not self._is_over:
            try:
                part = json.loads(self._socket.recv())
            except ConnectionClosed:
                return
            self.seen["shows"].update(part.pop("shows", {}))
            self.seen.update(part)
            self.news += "cards" in part

    @property
    def folder(self) -> Path:
        """Where the table of now has what is its own."""
        return Path(self.seen["power"]["folder"])

    def do(self, **asked: object) -> None:
        """Do something as another page could."""
        self._socket.send(json.dumps(asked))

    def wait(self, is_so: Callable[[], bool], patience_s: float = PATIENCE_S) -> None:
        """Until it is so."""
        end = time.monotonic() + patience_s
        while not is_so():
            if time.monotonic() > end:
                raise NotSeenError(f"it did not come to be so; {self.seen['shows'].get('display')}")
            time.sleep(0.005)

    def close(self) -> None:
        """Look away."""
        self._is_over = True
        self._socket.close()
        self._thread.join()


class SocketHands(Hands):
    """The eyes of a crew, and fingers that go over the socket of a page."""

    def __init__(self, root: Path, onlooker: Onlooker) -> None:
        super().__init__(root, PATIENCE_S)
        self._onlooker = onlooker

    def do(self, device: str, action: str) -> None:
        raise AssertionError(f"nobody does {action} to {device} but as a page would")

    def press(self, *names: str) -> None:
        for name in names:
            self.listen(0.0)
            self.did = len(self.rows)
            self._onlooker.do(do="key", name=name, down=True)
            self._onlooker.do(do="key", name=name, down=False)


class SocketCrew(PracticePlayers):
    """A crew whose every move is one that a page sends."""

    def __init__(self, root: Path, onlooker: Onlooker) -> None:
        self.onlooker = onlooker
        super().__init__(root)
        self.hands.close()
        self.hands = SocketHands(root, onlooker)
        self._spots = [spot["wager"] for spot in onlooker.seen["layout"]["spots"]]

    @property
    def game(self) -> Game:
        return read_game(str(self.onlooker.seen["layout"]["chapter"]))

    @property
    def sizes(self) -> Mapping[str, int]:
        return dict(self.onlooker.seen["layout"]["places"])

    def felt(self) -> Mapping[str, Any]:
        return dict(self.onlooker.seen["cards"])

    def act(self, name: str, **words: Any) -> None:
        before, news, sent = self.felt(), self.onlooker.news, time.monotonic()
        self.hands.mark()
        self.onlooker.do(do=name, **words)

        def has_come() -> bool:
            # News may be of the move before; some moves, as turning what is open, change nothing.
            has_news = self.onlooker.news > news and time.monotonic() - sent > UNCHANGED_S
            return self.felt() != before or has_news

        if name != "chips":
            self.onlooker.wait(has_come)

    def turn_key(self, person: CrewMember) -> None:
        self.hands.mark()
        self.onlooker.do(do="person", number=person.number)
        self.hands.wait_display("PERSON+PIN")
        self.hands.wait_picture(
            "the end of the PIN", lambda lines: not any(word in lines[0] for word in ("PERSON", "CHECKING"))
        )

    def turn_back(self) -> None:
        self.onlooker.do(do="turn_key", turned=False)
        self.onlooker.wait(lambda: self.hands.see("lines")["key_switch"] == 1)

    def register(self, color: str) -> str:
        self._lots += 1
        self.turn_key(FLOOR)
        self.choose("FLOOR", "REGISTER DECK", color.upper())
        self.hands.wait_display("LOT OF")
        self.press_each("ONE" if color == "red" else "TWO", "OK")
        self.turn_back()
        return str(self._lots)
