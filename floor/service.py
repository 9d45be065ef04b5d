"""The service of a floor: between the broker, the committer and the signs.

Whatever a table says goes to the committer as it came, and the answers go out when its commit is made. Only
who leads listens to tables; any number of services may stand by. The signs are told what the last commit left
on the meters, a few times a second where it changed and each second where it did not.

Nothing here waits for anything. Where more has arrived than can be committed it is let go: the tables say it
again. Where a commit hangs no answer goes out, not even to a heartbeat, and the tables know the link as down.

Each table says with its state which end of the ledger it was told of last. A store that lacks that end is
older than its tables, a backup that nobody brought forward: then nothing is applied and the links stand
still, for whatever were entered now would make another ledger than the one that was acknowledged.
"""

import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor import broker, messages, pit, signs
from sabot.floor.committer import CommitAnswer, Committer
from sabot.floor.entry import Last
from sabot.floor.errors import FloorError
from sabot.floor.state import FloorState
from sabot.floor.store import StoreSeen, ToldDay

if TYPE_CHECKING:
    from concurrent.futures import Future

# A quarter of a second is also the most that a sign may lag behind a commit (docs/link.md).
TICK_S = 0.25
AHEAD_S, AHEAD = 5.0, "ahead"
KEEP_S = 30.0  # a table says its whole day each second, so what was not kept yet is said again
EACH_S = 1.0  # a sign that was told nothing for longer does not know whether its amount is the newest
# Some seconds' worth of commits. What tables say beyond it is let go, and said again.
MOST_WAITING = 20_000

Said = Callable[[str], None]


class Wire(Protocol):
    """The connection to the broker."""

    def say(self, topic: str, payload: bytes, *, kept: bool = False) -> None:
        """Send a payload, where there is a connection."""

    def listen(self, topics: frozenset[str]) -> None:
        """Listen to these topics and no others."""


class Service:
    """One of the services over a store."""

    def __init__(
        self, committer: Committer, key: Ed25519PrivateKey, clock: Callable[[], str], said: Said
    ) -> None:
        self._committer, self._key, self._clock, self._said = committer, key, clock, said
        self._wire: Wire | None = None
        self._asked: Future[list[signs.Value]] | None = None
        self._shown: dict[str, tuple[signs.Value, float]] = {}
        self._known = ""
        self._told: dict[str, tuple[bytes, ...]] = {}
        self.heard: dict[str, float] = {}
        self.pit = pit.Pit()
        self._facts_at: float | None = None
        self._kept_at = time.monotonic()
        self._ahead: dict[str, int] = {}
        self._ahead_at = 0.0
        self.let_go = 0
        self.failed: BaseException | None = None

    def use(self, wire: Wire) -> None:
        """Speak through this connection."""
        self._wire = wire

    # ------------------------------------------------------------ tables

    def hear(self, topic: str, payload: bytes) -> None:
        """Take what came for the floor; its signature says whose it is, and not the topic."""
        if topic.startswith(broker.STATE_FROM_ALL[:-1]):
            state = self.pit.hear(payload, time.monotonic())
            # Only who leads knows the ledger that it must be held against.
            if state is not None and self._committer.is_leading:
                self._hold_against(
                    state["table"], Last(state["ledger"][0], bytes.fromhex(state["ledger"][1]))
                )
            return
        if self._committer.waiting >= MOST_WAITING:
            self.let_go += 1
            return
        self._committer.take(payload).add_done_callback(self._answer)

    def _answer(self, future: "Future[Any]") -> None:
        answer = self._result(future)
        if not isinstance(answer, CommitAnswer) or not answer.payloads or self._wire is None:
            return
        self.heard[answer.table] = time.monotonic()
        # By identity: the committer hands the same tuple to every message of one window.
        if self._told.get(answer.table) is answer.payloads:
            return  # all that a table said in one window of the committer has one answer
        self._told[answer.table] = answer.payloads
        for payload in answer.payloads:
            self._wire.say(broker.down(answer.table), payload)

    def _result(self, future: "Future[Any]") -> object:
        """Return the result of a future; None where the store did not take it, for then it is said again."""
        error = future.exception()
        if error is None:
            return future.result()
        if not isinstance(error, FloorError):
            self.failed = error
        return None

    # ------------------------------------------------------------ a store that is older than its tables

    def _hold_against(self, table: str, known: Last) -> None:
        """Ask whether the ledger has the end that a table knows."""
        if self._committer.waiting < MOST_WAITING:
            asked = self._committer.holds(known)
            asked.add_done_callback(lambda future: self._is_held(table, known, self._result(future)))

    def _is_held(self, table: str, known: Last, held: object) -> None:
        if held is False:
            self._ahead[table] = known.number
        elif held is True:
            self._ahead.pop(table, None)

    def _stand(self, *, leads: bool) -> None:
        """Stand still while the ledger lacks what an enrolled table knows; each such time is kept."""
        known = self.pit.enrolled
        # A table that two people have retired holds nothing up any more. A copy: another thread changes it.
        self._ahead = {name: entry for name, entry in self._ahead.copy().items() if leads and name in known}
        self._committer.stands_still = bool(self._ahead)
        self.pit.ahead = sorted(self._ahead)
        if self._ahead and time.monotonic() - self._ahead_at >= AHEAD_S:
            self._ahead_at = time.monotonic()
            self._committer.keep((), [StoreSeen(name, AHEAD) for name in sorted(self._ahead)])

    def _why_still(self) -> str:
        names, entry = ", ".join(sorted(self._ahead)), max(self._ahead.values())
        what = f"{names} was told of entry {entry}, here it is missing or another"
        return f"stands still: {FloorError('E-FLOOR-014', 'store', what=what)}"

    # ------------------------------------------------------------ by the clock

    def tick(self) -> None:
        """Do what is due: listen where this one leads, say how it is, tell page and signs, keep days."""
        assert self._wire is not None
        leads = self._committer.is_leading
        self._wire.listen(frozenset({broker.STATE_FROM_ALL, *((broker.UP_FROM_ALL,) if leads else ())}))
        self._stand(leads=leads)
        self._say_how_it_is(leads=leads)
        self._tell_page(leads=leads)
        self._keep_days(leads=leads)
        # One question at a time: where a commit hangs they must not pile up.
        if leads and (self._asked is None or self._asked.done()):
            self._asked = self._committer.ask(_values)
            self._asked.add_done_callback(self._show)

    def _tell_page(self, *, leads: bool) -> None:
        """Tell the page of the pit each second what the ledger says."""
        if not leads:
            self.pit.know(None)
        elif self._facts_at is None or time.monotonic() - self._facts_at >= EACH_S:
            self._facts_at = time.monotonic()
            self._committer.ask(pit.facts).add_done_callback(self._know)

    def _know(self, future: "Future[pit.Facts]") -> None:
        found = self._result(future)
        if isinstance(found, pit.Facts):
            self.pit.know(found)

    def _keep_days(self, *, leads: bool) -> None:
        """Keep how the gaming days of tables went, a few times a minute."""
        if leads and time.monotonic() - self._kept_at >= KEEP_S:
            self._kept_at = time.monotonic()
            self.keep_days()

    def keep_days(self) -> None:
        """Keep how the gaming days of tables went; what was not committed is kept the next time."""
        if days := self.pit.days():
            self._committer.keep(days).add_done_callback(lambda future: self._are_kept(days, future))

    def _are_kept(self, days: list[ToldDay], future: "Future[None]") -> None:
        self._result(future)
        if future.exception() is None:
            self.pit.are_kept(days)

    def _say_how_it_is(self, *, leads: bool) -> None:
        trouble, unwritten = self._committer.trouble, self._committer.unwritten
        now = "leads" if leads else f"stands by: {trouble}" if trouble else "stands by"
        self.pit.unwritten = unwritten.what if unwritten else ""
        if unwritten and not trouble:
            now = f"enters nothing: {unwritten}"
        elif self._ahead:
            now = self._why_still()
        if now != self._known:
            self._known = now
            self._said(now)

    def _show(self, future: "Future[list[signs.Value]]") -> None:
        found = self._result(future)
        if isinstance(found, list) and self._wire is not None:
            stands_still = {"running": False} if self._committer.stands_still else {}
            for each in self._due([value | stands_still for value in found], time.monotonic()):
                payload = messages.down(self._key, messages.VALUE, {**each, "at": self._clock()})
                self._wire.say(broker.value(each["link"]), payload, kept=True)

    def _due(self, found: list[signs.Value], now: float) -> Iterator[signs.Value]:
        """Yield the values that differ from what the signs were told, or were told a second ago."""
        for each in found:
            shown, since = self._shown.get(each["link"], (None, 0.0))
            if shown is None or _amounts(shown) != _amounts(each) or now - since >= EACH_S:
                self._shown[each["link"]] = (each, now)
                yield each


def _values(state: FloorState, last: Last) -> list[signs.Value]:
    return list(signs.values(state, last))


def _amounts(value: Mapping[str, Any]) -> dict[str, Any]:
    """Return a value without the entry: what other links do changes nothing on these signs."""
    return {name: each for name, each in value.items() if name != "entry"}
