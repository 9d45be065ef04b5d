"""Simulators beside a program that has a loop of its own."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Self, TypeVar

from sabot.hil.simulators.pty_port import SimulatedPort

Result = TypeVar("Result")


class SimulatorThread:
    """A loop in a thread of its own, for simulators beside a program that has its own loop.

    ``call`` runs a function there and gives its answer: every touch of a simulator goes through it.
    """

    def __init__(self, *ports: SimulatedPort) -> None:
        self.ports = ports
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="simulators", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        for port in self.ports:
            self.call(port.plug_in)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for port in self.ports:
            self.call(port.unplug)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def call(self, function: Callable[[], Result]) -> Result:
        """Run this in the simulators' thread, and wait for its answer."""
        answer: Future[Result] = Future()
        self._loop.call_soon_threadsafe(_answer, function, answer)
        return answer.result()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()


def _answer(function: Callable[[], Result], answer: "Future[Result]") -> None:
    try:
        answer.set_result(function())
    except BaseException as error:  # it belongs to whoever asked
        answer.set_exception(error)
