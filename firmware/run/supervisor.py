"""One place that hears of every exception nobody expected: tasks, callbacks of the loop, threads, timers.

Nothing is swallowed. What a driver's own code raises costs that device; everything else is a slip of the
program, which stops it. Whose code ran is known from the context that each callback and task carries with it:
a driver is started, and called, in a context that names its device (``of_device``).
"""

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Coroutine, Mapping
from contextvars import ContextVar
from functools import partial
from typing import Any, Protocol

FUTURES = logging.getLogger("concurrent.futures")
DEVICE: ContextVar[str] = ContextVar("device", default="")


class Overseer(Protocol):
    """Decides what becomes of an exception; called on the loop, and must not raise."""

    def slipped(self, error: BaseException, over: str) -> None:
        """Stop the program, which slipped over this."""

    def device_broke(self, device: str, error: BaseException) -> None:
        """Lose the device whose driver raised."""


class FutureEar(logging.Handler):
    """Hears what Python's futures only log: what a callback raised that a future called, in any thread."""

    def __init__(self, tell: Callable[[BaseException, str], None]) -> None:
        super().__init__()
        self._tell = tell

    def emit(self, record: logging.LogRecord) -> None:
        """Pass on what was raised."""
        error = record.exc_info[1] if record.exc_info else None
        self._tell(error or RuntimeError(record.getMessage()), "a future's callback")


class Supervisor:
    """The owner of all tasks of the program, and the ear for those that have no owner."""

    def __init__(self, overseer: Overseer) -> None:
        self._overseer = overseer
        # Held here: the loop itself has only a weak reference to a task, which may vanish half done.
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._hooks = sys.unraisablehook, threading.excepthook
        self._ear = FutureEar(self._from_elsewhere)

    def watch(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hear of everything from now on."""
        self._loop = loop
        loop.set_exception_handler(self._in_loop)
        threading.excepthook = self._in_thread
        sys.unraisablehook = self._nowhere
        FUTURES.addHandler(self._ear)

    def unwatch(self) -> None:
        """Give the hooks back."""
        sys.unraisablehook, threading.excepthook = self._hooks
        FUTURES.removeHandler(self._ear)
        if self._loop is not None:
            self._loop.set_exception_handler(None)

    def spawn(
        self, work: Coroutine[Any, Any, Any], name: str, *expects: type[Exception]
    ) -> asyncio.Task[Any]:
        """Begin a task of the program; what it raises, but for what a caller ``expects``, is a slip."""
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(partial(self._ended, expects))
        return task

    def _ended(self, expects: tuple[type[Exception], ...], task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if error is not None and not isinstance(error, expects):
            self._overseer.slipped(error, f"the task {task.get_name()}")

    # ------------------------------------------------------------ without an owner

    def _in_loop(self, _loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        error = context.get("exception")
        words = str(context.get("message", "a callback of the loop"))
        if error is None:
            error = RuntimeError(words)
        elif isinstance(error, OSError) and ("transport" in context or "socket" in context):
            return  # a console's connection that the kernel gave up: its own reader hears of it
        device = _device_of(context)
        if device:
            self._overseer.device_broke(device, error)
        else:
            self._overseer.slipped(error, words)

    def _in_thread(self, found: threading.ExceptHookArgs) -> None:
        name = found.thread.name if found.thread is not None else "?"
        self._from_elsewhere(found.exc_value or RuntimeError("a thread"), f"the thread {name}")

    # A generator that is closed by the interpreter, a ``__del__``: what they raise has no caller to hear it.
    def _nowhere(self, found: "sys.UnraisableHookArgs") -> None:
        self._from_elsewhere(found.exc_value or RuntimeError("unraisable"), "the end of an object")

    def _from_elsewhere(self, error: BaseException, over: str) -> None:
        """Tell the loop, from any thread; one that is closed has nothing left to stop."""
        loop = self._loop
        if loop is not None and not loop.is_closed():
            # In the loop's own turn: the stop touches devices, and only the loop may.
            loop.call_soon_threadsafe(partial(self._overseer.slipped, error, over))


def _device_of(context: Mapping[str, Any]) -> str:
    """Return the device whose code ran: the handler is outside a callback's context, but has its handle."""
    inside = getattr(context.get("handle"), "_context", None)
    return (inside.get(DEVICE) if inside is not None else None) or DEVICE.get()


def of_device(device: str, call: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401 (its own)
    """Call a driver in a context that names its device; what it leaves to the loop is known as its own."""
    before = DEVICE.set(device)
    try:
        return call(*arguments)
    finally:
        DEVICE.reset(before)
