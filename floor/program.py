"""``sabot floor run``: a service with its store, committer, broker and office, until it is told to stop.

Five kinds of threads: this one, which ticks; the committer's, the only one at the state and the store; the
broker's library; the office's, one for each order that is handed in; the page's, one for each reader. An
error that nobody expected, in a commit or in the library's thread, is kept and raised by this one.
"""

import json
import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.floor.broker import Broker
from sabot.floor.clock import utc
from sabot.floor.committer import Committer
from sabot.floor.entry import Last
from sabot.floor.errors import FloorError
from sabot.floor.keys import read_key
from sabot.floor.law_folders import Laws
from sabot.floor.open_store import open_store
from sabot.floor.order_socket import OrderSocket
from sabot.floor.service import TICK_S, Service
from sabot.floor.settings import Settings
from sabot.floor.store import Store
from sabot.floor.web import PitPage
from sabot.floor.wire import hex_of

WELL = "well"

Said = Callable[[str], None]


def run(settings: Settings, said: Said, stop: threading.Event | None = None) -> None:
    """Run until SIGTERM, SIGINT or ``stop``; raise what nobody expected, for the service manager to see."""
    key = read_key(settings.key)
    # Let go of in the reverse order: the page and the broker first, so that nothing comes in any more; then
    # the days that were told are kept, what has arrived is committed, and last the store is closed.
    with ExitStack() as things:
        store = open_store(settings.store)
        things.callback(store.close)
        _verify_key(store, key)
        committer = Committer(store, key, utc, Laws(settings.law), read_known(settings.known, hex_of(key)))
        committer.start()
        things.callback(committer.stop)
        office = OrderSocket(settings.orders, committer)
        things.callback(office.close)
        service = Service(committer, key, utc, said)
        broker = Broker(settings.broker, f"floor-{socket.gethostname()}-{os.getpid()}", service.hear)
        service.use(broker)
        things.callback(service.keep_days)
        broker.begin()
        things.callback(broker.end)
        page = _page(settings, service, said)
        if page is not None:
            things.callback(page.end)
        _go_on(service, broker, said, stop or _told_to_stop(), page, _memory(settings, key, committer))


def _page(settings: Settings, service: Service, said: Said) -> PitPage | None:
    """Return the page of the pit, which serves by now; None where the settings name no place for it."""
    if settings.page is None:
        return None
    page = PitPage(settings.page, service.pit)
    page.begin()
    said(f"page: {'https' if page.is_secure else 'http'}://{settings.page.host}:{page.port}/")
    return page


def _verify_key(store: Store, key: Ed25519PrivateKey) -> None:
    """Raise FloorError unless this key founded the floor: no other one signs its heads."""
    house = store.load().state().house
    if house.key != hex_of(key):
        raise FloorError("E-FLOOR-019", house.facility, why="it is not the key of this floor")


def _told_to_stop() -> threading.Event:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    return stop


def _memory(settings: Settings, key: Ed25519PrivateKey, committer: Committer) -> Callable[[], str]:
    """Return a function that notes the end of the ledger, so that an older store is recognised by it.

    It returns why it cannot, which is no reason to end: the medium may be full, and the store on another.
    """
    written = committer.last

    def note() -> str:
        nonlocal written
        if settings.known is not None and committer.last != written:
            last = committer.last
            try:
                write_known(settings.known, hex_of(key), last)
            except FloorError as error:
                return str(error)
            written = last
        return WELL

    return note


def _go_on(
    service: Service,
    broker: Broker,
    said: Said,
    stop: threading.Event,
    page: PitPage | None,
    note: Callable[[], str],
) -> None:
    known = {"page": WELL, "known": WELL}
    while not stop.wait(TICK_S):
        service.tick()
        now = {"broker": broker.trouble or "connected", "known": note()}
        if page is not None:
            page.tick()
            now["page"] = page.trouble or WELL
        if failed := service.failed or broker.failed:
            raise failed
        for what, how in now.items():
            if known.get(what) != how:
                said(f"{what}: {how}")
        known |= now


# ------------------------------------------------------------ the end of the ledger that is known
#
# It is written some times a second and never waited for, so it may lack the newest entries; a backup lacks
# more.


def read_known(file: Path | None, key: str) -> Last:
    """Return the end that is known of the floor with this key, or an empty one; else raise FloorError.

    A file without a byte is what a cut of power may leave, and says as little as none.
    """
    if file is None or not file.exists():
        return Last()
    try:
        text = file.read_text(encoding="utf-8")
        if not text:
            return Last()
        found = json.loads(text)
        known = Last(int(found["entry"]), bytes.fromhex(found["link"]))
        # A floor that was founded anew has another key, and knows nothing of the old ledger.
        return known if found["key"] == key else Last()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise FloorError("E-FLOOR-010", str(file), why=error) from error


def write_known(file: Path, key: str, last: Last) -> None:
    """Write the end that is known, in place of the one before; raise FloorError where that fails."""
    new = file.with_name(f".{file.name}.new")
    try:
        new.write_text(
            json.dumps({"key": key, "entry": last.number, "link": last.link.hex()}), encoding="utf-8"
        )
        new.replace(file)
    except OSError as error:
        raise FloorError("E-FLOOR-010", str(file), why=error.strerror or error) from error
