# ruff: noqa: INP001 - a script for another interpreter, beside the environments that it reads
"""labgrid's side of the bench, run by labgrid's own interpreter: ``python labgrid_side.py ENVIRONMENT.yaml``.

It imports nothing of Sabot, and Sabot nothing of it: labgrid brings a pyserial of its own, and the two must
not meet. One line of JSON asks, one answers. What the controller is (a power switch, a console on a serial
port) stands in labgrid's environment file; the strategy below brings it from one state to the next.
"""

import enum
import json
import sys
import time
from importlib.metadata import version

import attr
from labgrid import Environment, target_factory
from labgrid.strategy import Strategy, StrategyError
from pexpect import TIMEOUT

# What the console on the serial port says when nobody has unlocked it.
PROMPT = "locked> "
READY_S, LOOK_S = 60.0, 1.0


class ControllerStatus(enum.Enum):
    """The states that a controller can be in."""

    unknown = "unknown"
    off = "off"
    on = "on"
    ready = "ready"


@target_factory.reg_driver
@attr.s(eq=False)
class SabotStrategy(Strategy):
    """Power off, power on, and a console that answers on its serial port."""

    bindings = {"power": "PowerProtocol", "console": "ConsoleProtocol"}  # noqa: RUF012 - labgrid's own way
    status: ControllerStatus = attr.ib(default=ControllerStatus.unknown)

    def transition(self, status: str) -> None:
        """Go to a state, by way of those before it."""
        wanted = ControllerStatus(status)
        if wanted is ControllerStatus.off:
            self._off()
        elif wanted is ControllerStatus.on:
            self._on()
        elif wanted is ControllerStatus.ready:
            self._on()
            self.say("")
        else:
            message = f"no way to {status}"
            raise StrategyError(message)
        self.status = wanted

    def _off(self) -> None:
        self.target.deactivate(self.console)
        self.target.activate(self.power)
        self.power.off()

    def _on(self) -> None:
        if self.status in (ControllerStatus.on, ControllerStatus.ready):
            return
        self.target.activate(self.power)
        self.power.on()

    def say(self, words: str) -> str:
        """Give a command at the console, and return what stands between it and the next prompt."""
        self.target.activate(self.console)
        end = time.monotonic() + READY_S
        while True:
            # Again until it answers: what is typed before a console is up is lost.
            self.console.sendline(words)
            try:
                _, before, _, _ = self.console.expect(PROMPT, timeout=LOOK_S)
            except TIMEOUT as late:
                if time.monotonic() < end:
                    continue
                message = f"nothing answers {words!r} on the serial port of the console within {READY_S:g} s"
                raise StrategyError(message) from late
            return str(before, "utf-8", "replace")


def answer(strategy: SabotStrategy, asked: dict[str, str]) -> dict[str, str]:
    """Do what was asked; what went wrong is an answer too."""
    try:
        if "to" in asked:
            strategy.transition(asked["to"])
            return {"status": strategy.status.value}
        if "about" in asked:
            return {"about": f"labgrid {version('labgrid')}"}
        return {"said": strategy.say(asked["say"])}
    except Exception as error:  # drivers of labgrid raise what they like
        return {"error": f"{type(error).__name__}: {error}"}


def main() -> None:
    """Answer every line until there are no more."""
    target = Environment(sys.argv[1]).get_target()
    strategy = target.get_driver("Strategy", activate=False)
    for line in sys.stdin:
        print(json.dumps(answer(strategy, json.loads(line))), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main()
