"""A whole device: the works and the link, driven by bytes and a time from outside."""

import os
import sys
from collections.abc import Callable, Mapping

from sabot.hil.simulators.sabot_link.inside import RANKS, SUITS
from sabot.hil.simulators.sabot_link.link import DeviceLink, Who
from sabot.hil.simulators.sabot_link.machine import HOLDS_TWO, Lies, Machine, card, pack
from sabot.hil.simulators.sabot_link.on_line import Action, OnLine

FASTEST = 1000


class SabotLinkDevice(OnLine[Machine]):
    """A shuffler, a packet shoe, or both, on a line."""

    def __init__(
        self,
        who: Who | None = None,
        machine: Machine | None = None,
        draw: Callable[[int], bytes] = os.urandom,
    ) -> None:
        known = who or Who()
        self.machine = machine or Machine()
        self.machine.capabilities = known.capabilities
        self.machine.inside.holds = 2 if known.capabilities & HOLDS_TWO else 1
        super().__init__(known, self.machine, DeviceLink(known, self.machine, draw))
        self.machine.link = self.link

    def actions(self) -> Mapping[str, Action]:
        """Return the actions on the device: name, help, function of the rest of the line."""
        machine = self.machine
        return {
            "load": ("load [red|blue] [CARD…]: lay a deck, or these cards, into the intake", self._load),
            "stack": ("stack CARD…: these lie on top of the deck inside, in this order", self._stack),
            "shuffle": ("shuffle: press the key at the device", lambda _: machine.start_cycle(self.now)),
            "jam": ("jam [PLACE [CAUSE]]: something is stuck now (1 intake … 5 eject)", self._jam),
            "jam-at": ("jam-at N: jam before card N of the next intake", self._set("jam_at")),
            "jam-stack": ("jam-stack 1: the next stack jams on its way out", self._set("jams_stack")),
            "short": ("short N: the next stack lacks N cards", self._set("short_by")),
            "speed": ("speed N: from the next step on it works N times as fast as a real one", self._speed),
            "door": ("door N open|close: a lid or door moves (3 service)", self._door),
            "mode": ("mode play|sort|verify|service: turn the key", self._mode),
            "empty": ("empty [LEFT]: take the cards out, LEFT stay inside", self._empty),
            "unseen": ("unseen: its cards are taken out, and it does not notice", self._take_unseen),
            "fault": ("fault N: latch a fault", lambda text: machine.latch(self.now, int(text))),
            "lift": (
                "lift [never|soon]: take what lies in the exit; or who takes it from now on",
                self._lift,
            ),
            "remain": ("remain 0|1: whether the cause of a fault stays", self._set("cause_remains")),
            **self.line_actions(),
            "lie": ("lie count|reads|size N, lie digest, lie order, lie off: firmware that lies", self._lie),
            "state": ("state: print how the device is", self._show),
        }

    def _show(self, _text: str) -> None:
        facts = {**self.machine.state(self.now), "session": self.link.is_open, "kept": len(self.link.kept)}
        sys.stdout.write(" ".join(f"{name}={value}" for name, value in facts.items()) + "\n")

    def _load(self, text: str) -> None:
        words = text.split()
        color = 2 if words[:1] == ["blue"] else 1
        named = [word for word in words if word not in ("red", "blue")]
        self.machine.lay_in([card(word, color) for word in named] or pack(color), self.now)

    def _stack(self, text: str) -> None:
        self.machine.stack([(RANKS.index(name[0]), SUITS.index(name[1])) for name in text.split()])

    def _lift(self, text: str) -> None:
        if text:
            self.machine.lifts = text.strip() != "never"
        else:
            self.machine.lift(self.now)

    def _jam(self, text: str) -> None:
        given = [int(word) for word in text.split()]
        place, cause = (given + [4, 5][len(given) :])[:2]
        self.machine.jam(self.now, place, cause)

    def _set(self, name: str) -> Callable[[str], None]:
        return lambda text: setattr(self.machine, name, int(text or 0))

    def _speed(self, text: str) -> None:
        wanted = float(text)
        if not 0 < wanted <= FASTEST:
            message = f"{text!r} is no speed above 0 and up to {FASTEST}"
            raise ValueError(message)
        self.machine.speed = wanted

    def _door(self, text: str) -> None:
        number, _, how = text.partition(" ")
        self.machine.move_door(self.now, int(number), is_open=how.strip() != "close")

    def _mode(self, text: str) -> None:
        self.machine.change_mode(self.now, ("play", "sort", "verify", "service").index(text.strip()) + 1)

    def _empty(self, text: str) -> None:
        self.machine.empty(self.now, int(text or 0))

    def _take_unseen(self, _text: str) -> None:
        self.machine.inside.take_out(0)

    def _lie(self, text: str) -> None:
        what, _, number = text.partition(" ")
        lies = self.machine.lies
        if what == "off":
            self.machine.lies = Lies()
        elif what in ("count", "reads"):
            setattr(lies, what, int(number or 1))
        elif what == "size":
            lies.stack_size = int(number or 1)
        else:
            lies.digest, lies.leaks_order = (
                lies.digest or what == "digest",
                lies.leaks_order or what == "order",
            )
