"""Somebody who learns at the practice table, over the socket of a page or by clicks in a browser."""

import http.client
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from sabot.hil.scenarios.floor import PEOPLE
from sabot.hil.scenarios.language import ScenarioStep
from sabot.practice.lesson import shelf
from sabot.practice.players import PracticePlayers
from sabot.practice.teacher import make_judge
from tests.practice.at_socket import Onlooker, Served, SocketCrew

MakeCrew = Callable[[Path, Onlooker], PracticePlayers]


class Learner:
    """Somebody who takes each step of a lesson as it is asked."""

    def __init__(self, served: Served, make: MakeCrew = SocketCrew) -> None:
        self.served, self._make = served, make
        self.onlooker = Onlooker(served.address)

    def close(self) -> None:
        """Look away."""
        self.onlooker.close()

    def order(self, word: str, **more: object) -> None:
        self.onlooker.seen["lesson"] = {}
        self.onlooker.do(do="lesson", word=word, **more)

    @property
    def now(self) -> dict[str, Any]:
        return dict(self.onlooker.seen.get("lesson") or {})

    def wait_for_step(self, after: int = -1) -> int:
        """Until a step is the learner's, or the lesson is over."""
        self.onlooker.wait(lambda: self._is_asked(after))
        return int(self.now["at"])

    def _is_asked(self, after: int) -> bool:
        now = self.now
        return bool(now and (now["done"] or now["why"] or (now["hint"] and now["at"] > after)))

    def crew(self) -> PracticePlayers:
        """Hands at the table of now."""
        return self._make(self.onlooker.folder, self.onlooker)

    def play(self) -> None:
        """Every step that is the learner's, as somebody who knows."""
        crew, at = self.crew(), -1
        tasks = shelf().lessons[str(self.now["name"])].tasks
        try:
            while True:
                at = self.wait_for_step(at)
                if self.now["done"] or self.now["why"]:
                    return
                take(crew, tasks[at].step)
        finally:
            crew.close()

    def get(self, path: str) -> str:
        """A file of the page."""
        url = urlsplit(self.served.address)
        connection = http.client.HTTPConnection(url.netloc, timeout=60)
        connection.request("GET", f"/{path}?{url.query}")
        text = connection.getresponse().read().decode()
        connection.close()
        return text


def take(crew: PracticePlayers, step: ScenarioStep) -> None:
    """A step, as the display and the words of the lesson have it."""
    title, _, value = step.words.partition(" > ")
    if step.verb == "key":
        crew.press_each(*step.words.split())
    elif step.verb == "stub":
        crew.count_stub(int(step.words))
    elif step.verb == "menu":
        crew.menu(title, value)
    elif step.verb in ("floor", "technician"):
        crew.floor(title, value, PEOPLE[step.verb])
    else:
        crew.follow(make_judge(step, {}).is_done)
