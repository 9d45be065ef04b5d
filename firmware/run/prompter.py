"""Effects on their way to the devices, and the dealer's display between the table and the key switch.

While somebody enters a PIN, or the journal cannot be written, the display shows that; what the table wants
shown meanwhile is kept and comes back. A simulated table says on its display that it is not for play.
"""

from collections.abc import Sequence
from dataclasses import replace

from sabot.firmware.run.runner import Performer
from sabot.statemachine.effects import Effect, ShowPrompt

BLANK = ShowPrompt(first="", second="")
CLOSED, NOT_FOR_PLAY = "CLOSED", "CLOSED NOT FOR PLAY"


class Prompter:
    """The one performer of a runner; it passes effects on to every device."""

    def __init__(self, devices: Sequence[Performer], *, is_simulated: bool = False) -> None:
        self._devices = devices
        self._is_simulated = is_simulated
        self._wanted = BLANK
        self._is_covered = False

    def perform(self, effect: Effect) -> None:
        """Pass an effect on; a prompt waits while something else is shown."""
        if isinstance(effect, ShowPrompt):
            if self._is_simulated and effect.first == CLOSED:
                effect = replace(effect, first=NOT_FOR_PLAY)
            self._wanted = effect
            if self._is_covered:
                return
        self._pass_on(effect)

    def show(self, first: str, second: str) -> None:
        """Show these lines for now."""
        self._is_covered = True
        self._pass_on(ShowPrompt(first=first, second=second, cite="our policy"))

    def show_table(self) -> None:
        """Show again what the table wants shown."""
        if self._is_covered:
            self._is_covered = False
            self._pass_on(self._wanted)

    def _pass_on(self, effect: Effect) -> None:
        for device in self._devices:
            device.perform(effect)
