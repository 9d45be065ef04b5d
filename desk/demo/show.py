"""The pictures of a running program while people play at its table.

Theory of operation. Players wait for the display all the time, and each time they wait the show looks: what
the console has told meanwhile goes to the felt, one event after the other, and from there to the stage. On a
terminal the stage takes its time for each; players wait as long, so nobody is ever more than one move ahead
of the picture. Time that was spent showing is no time in which the program was slow.
"""

import time
from collections.abc import Callable
from contextlib import suppress
from queue import Empty
from subprocess import TimeoutExpired

from sabot.desk.demo.felt import DemoFelt
from sabot.desk.demo.follower import DemoFollower, ToldEvent, law_of
from sabot.desk.demo.narration import DemoNews
from sabot.desk.demo.program import RunningDemo
from sabot.desk.demo.stage import DemoStage
from sabot.firmware.console.errors import ConsoleError
from sabot.firmware.errors import CommandError
from sabot.firmware.simulated import PEOPLE
from sabot.statemachine.vocabulary.events import Role

# The console hears of an event no later than a person reads it on the display; this is for the threads.
GRACE_S, CONNECT_S, PATIENCE_S, LOOK_S, REST_S = 0.03, 60.0, 60.0, 0.01, 1.0
NUMBER, PIN = next((number, pin) for number, _name, role, pin in PEOPLE if role is Role.FLOOR)


class Show:
    """One program, its felt and its stage."""

    def __init__(self, program: RunningDemo, felt: DemoFelt, stage: DemoStage) -> None:
        self.program, self.felt, self.stage = program, felt, stage
        # The players bring the clock by which they wait.
        self.clock: Callable[[], float] = time.monotonic
        self._shown_s = 0.0
        self._expected = ""
        self._follower: DemoFollower | None = None

    def begin(self) -> None:
        """Start the program, sit down at its console, and show the table as it is."""
        self.felt.take(self._start())

    def _start(self) -> ToldEvent:
        """Start the program, and return its table's first state."""
        self.program.start()
        self._follower = self._sit_down()
        self.felt.notice = self._follower.notice
        try:
            return self._follower.first()
        except Empty as error:
            raise self._gone() from error

    def _sit_down(self) -> DemoFollower:
        """Return a listener at the console, as soon as the console answers."""
        end = time.monotonic() + CONNECT_S
        while True:
            try:
                return DemoFollower(self.program.console, NUMBER, PIN)
            # A socket is there a moment before somebody answers at it.
            except ConsoleError as error:
                if time.monotonic() > end:
                    raise self.program.failed(error.what) from error
                time.sleep(LOOK_S)

    def end(self) -> None:
        """Stop the program, and hang up."""
        self.program.stop()
        if self._follower is not None:
            self._follower.close()
            self._follower = None

    def power_cut(self) -> None:
        """Cut the power, and bring the program back."""
        self.settle()
        self.program.cut()
        if self._follower is not None:
            self._follower.close()
        self._take(self._start())

    # ------------------------------------------------------------ while players wait

    def now(self) -> float:
        """Return the time of players: it stands still while something is shown."""
        return self.clock() - self._shown_s

    def rest(self, seconds: float) -> None:
        """Show what has happened, or wait for something to happen, for a player who pauses."""
        if not self.look() and self._follower is not None:
            self._follower.wait(seconds)

    def look(self) -> bool:
        """Show what was told since the last look, and return whether there was anything."""
        assert self._follower is not None  # nobody plays before the beginning
        # Whether it is over is read first: what came in between is then shown, and
        # the end seen at the next look.
        is_over, news = self._follower.why_over, list(self._follower.take())
        for told in news:
            self._take(told)
        if is_over and not news:
            raise self._gone()
        return bool(news)

    def _gone(self) -> CommandError:
        """Return the error that nothing more can be heard, after a moment for a dying process to be dead."""
        with suppress(TimeoutExpired):
            self.program.process.wait(1.0)
        return self.program.failed(self.program.how_it_ended)

    def _take(self, told: ToldEvent) -> None:
        news = self.felt.take(told)
        cite = law_of(told) if self._expected else ""
        if cite:
            news.insert(0, self.felt.announce(self._expected, cite))
            self._expected = ""
        self._show(news)

    def _show(self, news: list[DemoNews]) -> None:
        began = self.clock()
        self.stage.show(self.felt, news)
        self._shown_s += self.clock() - began

    def settle(self) -> None:
        """Show things until nothing more is told of what was done so far."""
        quiet_since = time.monotonic()
        while time.monotonic() < quiet_since + GRACE_S:
            if self.look():
                quiet_since = time.monotonic()
            else:
                time.sleep(LOOK_S)

    def wait(self, what: str, is_so: Callable[[], bool]) -> None:
        """Wait until the console has told what is waited for; raise CommandError if it never does."""
        end = self.now() + PATIENCE_S
        while not is_so():
            if self.now() > end:
                raise self.program.failed(f"the console never told of this: {what}")
            self.rest(REST_S)

    # ------------------------------------------------------------ what the script says

    def say(self, words: str) -> None:
        """Show a line of the script beside the felt."""
        # What was done before belongs to the line before.
        self.settle()
        self._show([self.felt.say(words)])

    def expect(self, kind: str) -> None:
        """Take the next thing that is told for an irregularity of this kind."""
        self.settle()
        self._expected = kind
