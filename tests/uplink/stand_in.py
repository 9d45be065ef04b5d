"""A small stand-in for a table's program: a journal of lines, the real end, the real line to the uplink.

    python -m tests.uplink.stand_in FOLDER TABLE LINK FLOOR_KEY

Its clock is wrong by hours, and otherwise after each start. It plays rounds while the link is up, until the file ``stop`` is in its folder; then it waits until everything is
acknowledged and ends. What it did is its journal: a line each, on the medium before anything of it is said. It may be
killed at any instant.
"""

import hashlib
import json
import os
import random
import select
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sabot.floor.errors import FloorError
from sabot.uplink.durable_end import KeptEnd
from sabot.uplink.packets import TableLine
from sabot.uplink.table_end import Say
from tests.floor.making import key
from tests.uplink import rounds
from tests.uplink.rounds import LinkedMeter

ROUND_S = 0.05
TICK_S = 0.02
ROWS = ("royal_flush", "straight_flush")


class Journal:
    """Lines that are on the medium when ``add`` returns; one that was cut is none."""

    def __init__(self, file: Path) -> None:
        text = file.read_bytes() if file.exists() else b""
        whole = text[: text.rfind(b"\n") + 1]
        file.write_bytes(whole)
        self.lines: list[dict[str, Any]] = [json.loads(line) for line in whole.splitlines()]
        self._fd = os.open(file, os.O_WRONLY | os.O_APPEND)

    def add(self, entry: dict[str, Any]) -> None:
        entry["when"] = time.monotonic()
        os.write(self._fd, json.dumps(entry).encode() + b"\n")
        os.fsync(self._fd)
        self.lines.append(entry)


def says(meter: LinkedMeter, entry: dict[str, Any]) -> list[Say]:
    """What an entry of this journal makes for the floor: pure, so that it is the same after every start."""
    digest = hashlib.sha256(json.dumps(entry).encode()).hexdigest()
    accepted = {int(seat): wagers for seat, wagers in entry.get("accepted", {}).items()}
    match entry["what"]:
        case "lock":
            return rounds.at_lock(meter, entry["round"], entry["config"], accepted, digest)
        case "void":
            return rounds.taken_back(meter, entry["round"], "641a.13(a)", accepted, digest)
        case "hit":
            return [rounds.at_turn(meter, entry["round"], "prog5", entry["row"], [entry["seat"]], digest)]
        case "granted":
            return [rounds.validated(entry["grant"], "12 Ben", digest)] if entry["grant"] else []
    raise ValueError(entry)


class Table:
    """The stand-in."""

    def __init__(self, folder: Path, name: str, link: str, floor_key: str) -> None:
        self.folder, self.meter = folder, LinkedMeter(link, frozenset({"prog5"}))
        self.kept = KeptEnd(folder / "link.db", name, key(name), floor_key)
        self.journal = Journal(folder / "journal")
        self.line = TableLine(folder / "link")
        self.line.want([link])
        self.chance = random.Random(f"{name} {len(self.journal.lines)}")
        self.played = time.monotonic()
        self.apart = timedelta(hours=self.chance.uniform(-12, 12))

    def clock(self) -> str:
        """The table's clock."""
        return (datetime.now(UTC) + self.apart).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def run(self) -> None:
        """Play until told to stop, then until everything is acknowledged."""
        self._enter_what_was_heard()
        self._feed()
        while True:
            now = time.monotonic()
            self._listen(now)
            self._feed()
            for raw in self.kept.end.due(now, self.clock()) if self.line.line else ():
                self.line.say(raw)
            if (self.folder / "stop").exists():
                if (
                    self.kept.end.memory.begun
                    and not self.kept.end.memory.waiting
                    and not self._hit_under_way()
                ):
                    return
            elif now - self.played >= ROUND_S and not self.kept.end.why_closed(self.meter.link, now):
                self.played = now
                self._play()

    def _listen(self, now: float) -> None:
        sockets = [each for each in (self.line.listening, self.line.line) if each is not None]
        ready, _, _ = select.select(sockets, [], [], TICK_S)
        if self.line.listening in ready:
            self.line.accept()
        for raw in self.line.hear():
            message = self._hear(raw, now)
            if message is not None and "number" in message:
                self._enter(message)

    def _hear(self, raw: bytes, now: float) -> dict[str, Any] | None:
        """Hear, and write down how far the floor has acknowledged: for the checker, no medium is waited for."""
        before = self.kept.end.memory.applied
        try:
            message = self.kept.hear(raw, now)
        except FloorError:  # its medium stands still: it is said again
            return None
        if self.kept.end.memory.applied > before:
            with (self.folder / "acknowledged").open("a") as file:
                file.write(f"{self.kept.end.memory.applied} {now}\n")
        return message

    def _enter_what_was_heard(self) -> None:
        """What is on the end's medium and was cut before it was in the journal."""
        entered = max((each["number"] for each in self.journal.lines if each["what"] == "granted"), default=0)
        for raw in self.kept.kept(entered):
            self._enter(json.loads(raw[64:]))

    def _enter(self, message: dict[str, Any]) -> None:
        grant = message["entry"] if message["kind"] == "granted" else 0
        self.journal.add(
            {
                "what": "granted",
                "number": message["number"],
                "grant": grant,
                "claim": message["claim"],
                "cents": message.get("cents", 0),
            }
        )

    def _feed(self) -> None:
        if self.kept.end.memory.begun:
            for number, entry in enumerate(self.journal.lines[self.kept.fed :], self.kept.fed + 1):
                try:
                    self.kept.feed(number, says(self.meter, entry), time.monotonic(), self.clock)
                except FloorError:  # its medium stands still: it is fed again
                    return

    def _hit_under_way(self) -> bool:
        whats = [each["what"] for each in self.journal.lines]
        return whats.count("hit") > whats.count("granted")

    def _play(self) -> None:
        """A round, or what happens in it: contributions, sometimes a void, sometimes a hit."""
        if self._hit_under_way():
            return
        number = sum(each["what"] == "lock" for each in self.journal.lines) + 1
        seats = self.chance.sample(range(1, 8), self.chance.randint(1, 7))
        accepted = {str(seat): {"prog5": 100, "ante": 500} for seat in sorted(seats)}
        config = self.kept.end.config(self.meter.link)
        self.journal.add({"what": "lock", "round": number, "config": config, "accepted": accepted})
        chance = self.chance.random()
        if chance < 0.15:
            self.journal.add({"what": "void", "round": number, "accepted": accepted})
        elif chance < 0.3:
            row = self.chance.choice(ROWS)
            self.journal.add({"what": "hit", "round": number, "row": row, "seat": seats[0]})


if __name__ == "__main__":
    Table(Path(sys.argv[1]), *sys.argv[2:]).run()
