"""A whole wagering system on a line: the works and the link, and what a person or a script does to it."""

import os
import sys
from collections.abc import Callable, Mapping

from sabot.hil.simulators.sabot_accounts.draws import LUCKY, MAGIC
from sabot.hil.simulators.sabot_accounts.system import System, SystemLies
from sabot.hil.simulators.sabot_link.inside import RANKS, SUITS
from sabot.hil.simulators.sabot_link.link import DeviceLink, Who
from sabot.hil.simulators.sabot_link.on_line import Action, OnLine

KIND, RICH = 4, 1_000_000


def who(serial: str = "SIM-ACC-1") -> Who:
    """Return the identity of a simulated system, with a key of its own."""
    secret = bytes([0x44]) * 32
    return Who(kind=KIND, capabilities=0, model="Simulated Stations", serial=serial, secret=secret)


class AccountsDevice(OnLine[System]):
    """Stations and accounts, on a line."""

    def __init__(
        self,
        person: Who | None = None,
        system: System | None = None,
        draw: Callable[[int], bytes] = os.urandom,
    ) -> None:
        known = person or who()
        self.system = system or System(draw)
        super().__init__(known, self.system, DeviceLink(known, self.system, draw))
        self.system.link = self.link

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on the system: name, help, function of the rest of the line."""
        system = self.system
        return {
            "sit": ("sit SEAT [CENTS]: a player opens an account at a station", self._sit),
            "place": ("place SEAT WAGER CENTS: place, or change to so much", self._place),
            "touch": ("touch SEAT WAGER CENTS: a hand on a station, whatever comes of it", self._touch),
            "withdraw": ("withdraw SEAT WAGER: take the wager back", self._withdraw),
            "leave": (
                "leave SEAT: withdraw everything and go",
                lambda text: system.leave(int(text), self.now),
            ),
            "draws": (
                "draws [magic[=CARD]] [lucky[=SEAT|dealer]]: what is drawn for each round from now on",
                self._draws,
            ),
            "fault": ("fault N: latch a fault", lambda text: system.latch(self.now, int(text))),
            "remain": ("remain 0|1: whether the cause of a fault stays", self._remain),
            **self.line_actions(),
            "lie": ("lie late|twice|told-twice|seal|skip|short|other-account|… or off: it lies", self._lie),
            "state": ("state: print how the system is", self._show),
        }

    def _show(self, _text: str) -> None:
        facts = {**self.system.state(self.now), "session": self.link.is_open, "kept": len(self.link.kept)}
        facts |= {f"station {seat}.{wager}": words for (seat, wager), words in self.system.shown.items()}
        sys.stdout.write(" ".join(f"{name}={value}" for name, value in facts.items()) + "\n")

    def _sit(self, text: str) -> None:
        seat, *cents = text.split()
        self.system.sit(int(seat), int(cents[0]) if cents else RICH)

    def _place(self, text: str) -> None:
        seat, wager, cents = (int(word) for word in text.split())
        why = self.system.place(seat, wager, cents, self.now)
        if why:
            raise ValueError(why)

    def _touch(self, text: str) -> None:
        seat, wager, cents = (int(word) for word in text.split())
        self.system.place(seat, wager, cents, self.now)

    def _withdraw(self, text: str) -> None:
        seat, wager = text.split()
        self._place(f"{seat} {wager} 0")

    def _draws(self, text: str) -> None:
        wanted: list[tuple[int, int | None]] = []
        for word in text.split():
            name, _, value = word.partition("=")
            kind = {"magic": MAGIC, "lucky": LUCKY}[name]
            wanted.append((kind, _value(kind, value) if value else None))
        self.system.source.wanted = wanted

    def _remain(self, text: str) -> None:
        self.system.cause_remains = text.strip() != "0"

    def _lie(self, text: str) -> None:
        name = text.strip().replace("-", "_")
        if name == "off":
            self.system.lies = SystemLies()
        elif name == "skip":
            self.system.source.skips = 1
        elif name in SystemLies.__dataclass_fields__:
            setattr(self.system.lies, name, True)
        else:
            message = f"there is no lie {text!r}"
            raise ValueError(message)


def _value(kind: int, text: str) -> int:
    if kind == LUCKY:
        return 0 if text == "dealer" else int(text)
    return (RANKS.index(text[0]) - 2) * 4 + SUITS.index(text[1])
