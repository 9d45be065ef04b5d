"""The dealer's display at work: two lines, of which only what changed is sent.

The display never answers. It counts as there when its port is open and, where the cable carries it, its modem
line is up; and since a byte that the line bent would stand there for ever, everything is sent again now and
then.
"""

# Theory of operation. ``_lines`` is what should stand on the glass, ``_shown`` what the display was sent. A
# prompt changes only ``_lines``; ``_draw`` sends the difference, which at 9600 baud is the difference between
# 7 ms and 45 ms for a word. Nothing confirms what was sent, so ``_shown`` is only a belief: it is thrown away
# whenever the line comes up, and every ``refresh_s`` all cells are sent again over whatever stands there.

import asyncio
from collections.abc import Mapping

from sabot.drivers.beat_grid import next_beat
from sabot.drivers.convention import LineSettings
from sabot.drivers.device import Host
from sabot.drivers.errors import ERRORS, LinkError
from sabot.drivers.escpos.codec import HEIGHT, WIDTH, Brightness, Cursor, EscposCodec, Message, Plain
from sabot.drivers.escpos.profile import SCHEMA
from sabot.drivers.escpos.screen import BLANK, HOME, Cell, Lines, Marquee, changes, codes_of
from sabot.drivers.options import Value, defaults
from sabot.drivers.wired import Say, WiredDriver
from sabot.statemachine.vocabulary.effects import OUT_OF_SERVICE, Effect, ShowPrompt

# No cell is like this: everything differs from it.
NOTHING: Lines = (b"\x00" * WIDTH,) * HEIGHT
PATTERNS = (
    ("0123456789ABCDEFGHIJ", "KLMNOPQRSTUVWXYZ.:/-"),
    ("abcdefghijklmnopqrst", "uvwxyz()=?!$%&*+,;<>"),
)
PATTERN_S = 1.0
# The clear is one byte, and takes a millisecond at 9600 baud.
LEAVING_S = 0.05


class EscposDriver(WiredDriver[Message]):
    """One display on one line."""

    kind = "escpos"
    codec: EscposCodec

    def __init__(self, name: str, options: Mapping[str, Value], host: Host) -> None:
        said = defaults(SCHEMA) | dict(options)
        super().__init__(name, said, host, LineSettings(baud=int(said["baud"])))
        self.is_mute = True
        self._lines, self._is_out_of_service = [Marquee(), Marquee()], False
        self._shown: Lines = NOTHING
        self._cursor: Cell | None = None
        self._step: asyncio.TimerHandle | None = None

    def make_codec(self) -> EscposCodec:
        """Return a fresh codec."""
        return EscposCodec()

    def capabilities(self) -> tuple[str, ...]:
        """Return that it shows text, and neither answers nor proves anything."""
        return ("2 x 20 characters", "never answers", "cannot authenticate")

    def state(self) -> dict[str, Value]:
        """Return the lines that it should show, and how its presence is known."""
        first, second = (marquee.line.decode("cp437") for marquee in self._lines)
        return {"first": first, "second": second, "presence": self.options["presence"]}

    # ---------------------------------------------------------------- orders

    def perform(self, effect: Effect) -> None:
        """Show the dealer's two lines."""
        if isinstance(effect, ShowPrompt):
            self.show(effect.first, effect.second)

    def show(self, first: str, second: str) -> None:
        """Show these lines from now on, each run through where it does not fit."""
        self._is_out_of_service = first == OUT_OF_SERVICE
        tested = str(self.options["high_codes"])
        self._lines = [Marquee(codes_of(text, tested)) for text in (first, second)]
        self._draw()
        self._run()

    def _draw(self) -> None:
        """Send what differs from what is shown."""
        # Kept, not sent: ``greet`` makes the display ready and draws what is wanted by then.
        if not self.is_ready:
            return
        wanted = tuple(marquee.shown() for marquee in self._lines)
        messages, cursor = changes(self._shown, wanted, self._cursor)
        # Bytes that did not go out are not on the glass: then all of it differs still.
        if not messages or self._send(*messages):
            self._shown, self._cursor = wanted, cursor

    @property
    def is_ready(self) -> bool:
        """Return whether the display has been made ready since its line came up."""
        return self.link.is_up and self._shown is not NOTHING

    def _send(self, *messages: Message) -> bool:
        return self.write(b"".join(self.codec.encode(message) for message in messages))

    # ---------------------------------------------------------------- lines that run

    def _run(self) -> None:
        self._rest()
        if any(not marquee.fits for marquee in self._lines):
            step_s = float(self.options["scroll_s"])
            self._step = asyncio.get_running_loop().call_later(step_s, self._advance)

    def _rest(self) -> None:
        if self._step is not None:
            self._step.cancel()
            self._step = None

    def _advance(self) -> None:
        for marquee in self._lines:
            if not marquee.fits:
                marquee.advance()
        self._draw()
        self._run()

    # ---------------------------------------------------------------- the work of a line

    async def greet(self) -> None:
        """Initialise the display and show its lines; raise LinkError where its modem line is down."""
        self._shown = NOTHING
        self._must_be_there()
        brightness, cursor = self._light()
        self._send(Plain("initialise"), Plain("clear"), Plain("home"), cursor, brightness)
        # After a clear the picture is known, so only what is not blank has to be sent.
        self._shown, self._cursor = BLANK, HOME
        self._draw()

    async def work(self) -> None:
        """Check that it is there, and now and then send everything again."""
        presence_s, refresh_s = float(self.options["presence_s"]), float(self.options["refresh_s"])
        loop = asyncio.get_running_loop()
        due = loop.time() + refresh_s
        while True:
            await asyncio.sleep(next_beat(loop.time(), presence_s) - loop.time())
            self._must_be_there()
            if loop.time() >= due:
                due = loop.time() + refresh_s
                self._refresh()

    def _light(self) -> tuple[Message, Message]:
        return Brightness(int(self.options["brightness"])), Cursor(on=False)

    def _refresh(self) -> None:
        """Send everything again, without clearing; it may have been without power, and cannot say so.

        Half a command that the display still holds takes the first bytes as its arguments, so the brightness
        goes first: it is missed least, and the cursor and every cell come behind it.
        """
        self._send(*self._light())
        # No cell is like this one, so each is sent; unlike NOTHING it means that the display is ready.
        self._shown = tuple(bytes(WIDTH) for _ in range(HEIGHT))
        self._cursor = None
        self._draw()

    def _must_be_there(self) -> None:
        line = str(self.options["presence"])
        if line == "none":
            return
        lines = self.link.modem_lines()
        why = "the port has no modem lines" if lines is None else f"{line.upper()} is down: no display"
        # The only sign of life there is: the display itself says nothing.
        if lines is None or not getattr(lines, line):
            raise LinkError(ERRORS["E-LINK-006"], self.name, why=why)

    def link_down(self, reason: str) -> None:
        """Forget what was shown: the port is gone."""
        self._shown = NOTHING
        super().link_down(reason)

    def heard(self, _message: Message, _at: float) -> None:
        """Count a message as noise: the display never answers."""
        self.statistics.refused += 1

    # ---------------------------------------------------------------- people

    async def run_retest(self, fault: str) -> bool:
        """Test that it is there, which is all that can be tested; raise LinkError where it is not."""
        self.log.info("retest", fault=fault)
        self._must_be_there()
        return True

    async def test(self, say: Say) -> bool:
        """Show patterns of every character, for a person to judge; return whether the line is still up."""
        if not self.is_up:
            say(f"not there: {self._why}")
            return False
        before = self._lines
        for first, second in PATTERNS:
            self.show(first, second)
            say(f"shows {first} / {second}")
            await asyncio.sleep(PATTERN_S)
        self._lines = before
        self._draw()
        self._run()
        say("back to the prompt; only the eye can tell whether it was right")
        return self.link.is_up

    async def leave(self) -> None:
        """Clear the display: no prompt without a controller.

        Words that say that nothing goes on stay: without a controller they are as true as before. A port that
        is closed throws away what waits to be written, so the clear gets its time on the wire.
        """
        if not self._is_out_of_service:
            self._send(Plain("clear"))
        await asyncio.sleep(LEAVING_S)

    async def stop(self) -> None:
        """Clear it and let go of the line."""
        self._rest()
        await super().stop()
