"""Run a simulator by itself: it lives until it is told to end, and does what is typed or scripted.

On a socket a program does what a technician would type. One JSON object a line asks, one answers, in the
words of a simulated table's control socket. The device has no name among others here, so any name will do.
"""

import asyncio
import json
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from sabot.hil.simulators.device_kinds import Action, Chosen, RunningSimulator, SimKind
from sabot.hil.table import own_time


async def serve_hands(running: RunningSimulator, path: Path) -> asyncio.Server:
    """Do and show what is asked for, until the server is closed."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, asyncio.CancelledError):
            while line := await reader.readline():
                writer.write(json.dumps(_answer(running, line)).encode() + b"\n")
                await writer.drain()
        writer.close()

    return await asyncio.start_unix_server(talk, path)


def _answer(running: RunningSimulator, line: bytes) -> dict[str, object]:
    try:
        asked = json.loads(line)
        if "do" not in asked:
            return {"shows": _shows(running)}
        name, _, words = str(asked["do"]).partition(" ")
        actions = running.actions()
        if name not in actions:
            return {"error": f"there is no {name!r}; there are {' '.join(actions)}"}
        actions[name][1](words)
    except (ValueError, IndexError, KeyError, TypeError) as error:
        return {"error": f"not done: {error}"}
    return {"done": True}


def _shows(running: RunningSimulator) -> dict[str, object]:
    """Return the words on a device that shows any; nothing for the others."""
    shows = getattr(getattr(running, "device", None), "shows", dict)
    found: dict[str, object] = shows()
    return found


BANNER = "NOT FOR PLAY: a simulated device"


class Prompt:
    """A prompt at which one line typed is one thing done."""

    def __init__(
        self, running: RunningSimulator, say: Callable[[str], None], end: Callable[[], None]
    ) -> None:
        self._running, self._say, self._end = running, say, end

    def actions(self) -> Mapping[str, Action]:
        """Return the actions that can be typed."""
        return {
            **self._running.actions(),
            "help": ("help: this list", self._help),
            "quit": ("quit: end", lambda _: self._end()),
        }

    def _help(self, _words: str) -> None:
        for words, _ in self.actions().values():
            self._say(f"  {words}")

    async def wait(self, words: str) -> bool:
        """Let that many seconds pass; return whether it was a number of them."""
        try:
            await asyncio.sleep(float(words))
        except ValueError:
            self._say(f"not done: {words!r} is no number of seconds\n  wait SECONDS")
            return False
        return True

    def do(self, line: str) -> bool:
        """Do one line, and return whether it could be done; end when nobody reads the answers any more."""
        try:
            return self._do(line)
        except BrokenPipeError:
            self._end()
            return False

    def _do(self, line: str) -> bool:
        name, _, rest = line.strip().partition(" ")
        if not name or name.startswith("#"):
            return True
        if name not in self.actions():
            self._say(f"there is no {name!r}; type help")
            return False
        words, act = self.actions()[name]
        try:
            act(rest)
        except (ValueError, IndexError, KeyError, TypeError) as error:
            self._say(f"not done: {error}\n  {words}")
            return False
        return True


def live(
    kind: SimKind,
    path: Path | None,
    seed: int,
    chosen: Chosen,
    script: Iterable[str],
    *,
    reads_keys: bool,
    hands: Path | None = None,
) -> int:
    """Run until ``quit``, Ctrl-C or the end of what is typed; return 1 if a line of the script failed.

    With hands it has a time of its own, which waits for the kit that puts it to the test, and the kit for it.
    """
    file = own_time.beside(hands) if hands else None
    if file:
        own_time.make(file)
        own_time.keep(file)
    try:
        return asyncio.run(_live(kind, path, seed, chosen, script, reads_keys=reads_keys, hands=hands))
    finally:
        if file:
            file.unlink(missing_ok=True)


async def _live(
    kind: SimKind,
    path: Path | None,
    seed: int,
    chosen: Chosen,
    script: Iterable[str],
    *,
    reads_keys: bool,
    hands: Path | None = None,
) -> int:
    loop, over = asyncio.get_running_loop(), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    running = kind.start(path, seed, chosen)
    prompt = Prompt(running, _say, over.set)
    _say(f"{BANNER}, {kind.title}, at {running.where}, seed {seed}")
    if running.key:
        _say(f"key {running.key}")
    _say(f"try: {kind.call.format(where=running.where, key=running.key)}")
    server = await serve_hands(running, hands) if hands else None
    failed = not await _script(prompt, script, over)
    if reads_keys:
        _listen(loop, prompt, over)
    await over.wait()
    if server is not None:
        server.close()
    running.close()
    return int(failed)


async def _script(prompt: Prompt, lines: Iterable[str], over: asyncio.Event) -> bool:
    """Do each line in its turn, and return whether all could be done; ``wait SECONDS`` waits."""
    good = True
    for line in lines:
        if over.is_set():
            break
        word, _, rest = line.strip().partition(" ")
        if word == "wait":
            good = await prompt.wait(rest) and good
        else:
            good = prompt.do(line) and good
            # What the line caused is done before the next one.
            await asyncio.sleep(0)
    return good


def _listen(loop: asyncio.AbstractEventLoop, prompt: Prompt, over: asyncio.Event) -> None:
    """Read what is typed in a thread; at a terminal its end is the end."""

    # Standard input may be a file, which no loop can wait for.
    def read() -> None:
        for line in sys.stdin:
            loop.call_soon_threadsafe(prompt.do, line)
        if sys.stdin.isatty():
            loop.call_soon_threadsafe(over.set)

    threading.Thread(target=read, name="keys", daemon=True).start()


def _say(words: str) -> None:
    print(words, flush=True)  # noqa: T201 - a person sits there
