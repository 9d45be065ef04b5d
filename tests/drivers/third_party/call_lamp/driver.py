"""A lamp with a button: the button calls the floor, the lamp burns while the floor is wanted."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from call_lamp.codec import LampCodec, Line
from sabot.drivers.convention import LineSettings
from sabot.drivers.device import PINS, DeviceStatus, Host, Identity, not_as_pinned
from sabot.drivers.errors import ERRORS, LinkError
from sabot.drivers.options import Option, Schema, Value, defaults
from sabot.drivers.wired import Say, WiredDriver
from sabot.statemachine.vocabulary.effects import Effect, EndCall, RequireRole
from sabot.statemachine.vocabulary.events import Key, KeyPressed

SCHEMA: Schema = (
    Option("port", None, "the serial port, best by its stable name", kind=str),
    Option("poll_s", 2.0, "seconds between two questions", low=0.1, high=60.0),
    Option("deadline_s", 0.5, "seconds to wait for an answer", low=0.05, high=10.0),
    *PINS,
)
LINE = LineSettings(baud=9600)
TRIES = 3


class CallLampDriver(WiredDriver[Line]):
    """One lamp on one line."""

    kind = "call-lamp"

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        super().__init__(name, defaults(SCHEMA) | dict(options), host, LINE)
        self.told, self.burns = Identity(), False

    def make_codec(self) -> LampCodec:
        """A fresh codec."""
        return LampCodec()

    def capabilities(self) -> tuple[str, ...]:
        """What it can do, in words."""
        return ("calls the floor", "cannot authenticate")

    def state(self) -> dict[str, Value]:
        """What its lamp should show."""
        return {"burns": self.burns}

    async def greet(self) -> None:
        """Ask who it is, whether it is the one that is pinned, and let its lamp show what is wanted."""
        answer = await self._ask("WHO", "I AM ")
        maker, model, serial, firmware = (answer.words.removeprefix("I AM ") + ";;;").split(";")[:4]
        self.told = Identity(self.kind, maker, model, serial, firmware)
        wrong = not_as_pinned(self.told, self.options)
        if wrong:
            raise LinkError(ERRORS["E-LINK-006"], self.name, why=wrong)
        await self._light()

    async def work(self) -> None:
        """Ask now and then: a lamp that does not answer is lost."""
        while True:
            await asyncio.sleep(float(self.options["poll_s"]))
            await self._light()

    def heard(self, message: Line, at: float) -> None:
        """An answer goes to its question; the button is an event with the time of its reading."""
        if not self.exchanges.offer(message) and message.words == "CALL":
            self.host.post(KeyPressed(at=at, source=self.name, key=Key.FLOOR))

    def perform(self, effect: Effect) -> None:
        """Burn while the floor is wanted."""
        if isinstance(effect, (RequireRole, EndCall)):
            self.burns = isinstance(effect, RequireRole)
            if self.is_up:
                self.spawn(self._shine())

    async def _shine(self) -> None:
        try:
            await self._light()
        except LinkError as error:
            self.link.restart(error.what)

    async def _light(self) -> None:
        words = f"LAMP {'on' if self.burns else 'off'}"
        await self._ask(words, words)

    async def _ask(self, question: str, answer: str) -> Line:
        return await self.exchanges.ask(
            self.codec.encode(Line(question)),
            lambda line: line.words.startswith(answer),
            deadline_s=float(self.options["deadline_s"]),
            tries=TRIES,
        )

    async def run_retest(self, fault: str) -> bool:  # noqa: ARG002 - it has but one way to be tested
        """It answers, so it is there."""
        await self._light()
        return True

    async def test(self, say: Say) -> bool:
        """Let the lamp burn and go out."""
        before = self.burns
        for self.burns in (True, False, before):
            say(f"the lamp is {'on' if self.burns else 'off'} now")
            await self._light()
        return True

    async def leave(self) -> None:
        """Nobody is called by a lamp without a program."""
        self.burns = False
        await self._light()

    def status(self) -> DeviceStatus:
        """With what the lamp said of itself."""
        usual = super().status()
        return replace(usual, identity=replace(self.told, capabilities=usual.identity.capabilities))
