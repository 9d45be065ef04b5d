"""Effects on their way to the devices, and the dealer's display between the table and the key switch.

While somebody enters a PIN, or the journal cannot be written, the display shows that; what the table wants
shown meanwhile is kept and comes back. A notice, such as why a key was refused, stands for two seconds, or
until the table wants something else shown. A simulated table says on its display that it is not for play.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from sabot.firmware.run.runner import Performer
from sabot.rules.chapter import OUR_POLICY
from sabot.statemachine.vocabulary.effects import Effect, ShowNotice, ShowPrompt

BLANK = ShowPrompt(first="", second="")
CLOSED, NOT_FOR_PLAY = "CLOSED", "CLOSED NOT FOR PLAY"
BOARD_KEY = "THIS BOARD'S KEY"
NOTICE_S = 2.0


class Prompter:
    """The one performer of a runner; it passes effects on to every device."""

    def __init__(self, devices: Sequence[Performer], *, is_simulated: bool = False) -> None:
        self._devices = devices
        self._is_simulated = is_simulated
        self._wanted = BLANK
        self._is_covered = False
        self._notice: asyncio.TimerHandle | None = None

    def perform(self, effect: Effect) -> None:
        """Pass an effect on; a prompt waits while something else is shown."""
        if type(effect) is ShowNotice:
            self._notify(effect)
        if type(effect) is ShowPrompt:
            self._end_notice()
            if self._is_simulated and effect.first == CLOSED:
                effect = replace(effect, first=NOT_FOR_PLAY)
            # Kept though it is covered: it is what comes back.
            self._wanted = effect
            if self._is_covered:
                return
        for device in self._devices:
            device.perform(effect)

    def show(self, first: str, second: str) -> None:
        """Show these lines for now."""
        self._end_notice()
        self._is_covered = True
        self._show(ShowPrompt(first=first, second=second, cite=OUR_POLICY))

    def show_table(self) -> None:
        """Show again what the table wants shown."""
        if self._is_covered:
            self._is_covered = False
            self._show(self._wanted)

    def stop(self) -> None:
        """Leave the display as it is: no notice ends any more."""
        self._end_notice()

    def _notify(self, notice: ShowNotice) -> None:
        if self._is_covered:
            return
        self._end_notice()
        self._show(ShowPrompt(first=notice.first, second=notice.second, cite=notice.cite))
        self._notice = asyncio.get_running_loop().call_later(NOTICE_S, self._notice_is_over)

    def _notice_is_over(self) -> None:
        self._notice = None
        self._show(self._wanted)

    def _end_notice(self) -> None:
        if self._notice is not None:
            self._notice.cancel()
            self._notice = None

    def _show(self, lines: ShowPrompt) -> None:
        for device in self._devices:
            device.perform(lines)
