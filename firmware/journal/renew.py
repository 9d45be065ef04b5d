"""A journal that begins anew: restored from the second medium, or cleared by two people.

What was there is set aside under a dated name, never written over. The new journal is made whole beside it
and then takes its place; a cut of power on the way leaves the mark of the old one, so that nobody starts on
nothing.
"""

from collections.abc import Mapping
from pathlib import Path

from sabot.firmware.credentials.atomic_files import PRIVATE, flush_directory, set_aside, write_whole
from sabot.firmware.credentials.board import Rooms
from sabot.firmware.journal import lock, mark, mirror_file, store
from sabot.firmware.journal.appending import direct
from sabot.firmware.journal.authority import Authority
from sabot.firmware.journal.books import by_one_cause, difference
from sabot.firmware.journal.checkpoints import Signer, head
from sabot.firmware.journal.content import CLEARED, RESTORED, compact
from sabot.firmware.journal.entry import Draft, Stamp
from sabot.firmware.journal.export import ExportWritten
from sabot.firmware.journal.export_reader import ImportedExport
from sabot.firmware.journal.mirror_file import Copy, MirrorError
from sabot.firmware.journal.money import Explained, explain_entries
from sabot.rules.frozen import frozen

NEW = "renewed.db"


@frozen
class Renewed:
    """The files that were set aside."""

    aside: list[Path]


async def renew(rooms: Rooms, board: Signer, first: Draft, why: str) -> Renewed:
    """Put a new journal that begins with this entry and its signed head in place of the old one."""
    # No program may begin on what is being exchanged.
    held = lock.WriterLock(rooms.journal)
    try:
        await _make(rooms.root / NEW, board, first)
        old = (rooms.journal, *store.logs_of(rooms.journal))
        # The order is that of a cut of power. While the old mark lies there, a start without a journal, or
        # with the new one alone, is refused; nobody begins on nothing.
        aside = set_aside(rooms.root, [each.name for each in old], why)
        (rooms.root / NEW).rename(rooms.journal)
        aside += set_aside(rooms.root, [mark.path_of(rooms.journal).name, rooms.second.name], why)
        mark.path_of(rooms.root / NEW).rename(mark.path_of(rooms.journal))
        lock.path_of(rooms.root / NEW).unlink(missing_ok=True)
        flush_directory(rooms.root)
    finally:
        held.release()
    return Renewed(aside)


async def _make(path: Path, board: Signer, first: Draft) -> None:
    # What a renewal left that was cut off before it had changed anything.
    for each in (path, *store.logs_of(path), mark.path_of(path)):
        each.unlink(missing_ok=True)
    store.create(path)
    async with direct(path) as appender:
        await appender.keep(lambda _number, _before: first)
        await appender.keep(lambda number, before: head(board, first.stamp, number, before))


# ---------------------------------------------------------------- restored


def restored(copy: Copy, authority: Authority, stamp: Stamp) -> Draft:
    """Return the entry that a restored journal begins with."""
    body = {
        **authority.as_json(),
        "from": {
            "board": copy.key.hex(),
            "table": copy.table,
            "entries": copy.entries,
            "link": copy.link.hex(),
            "made": copy.made,
        },
        "rounds": copy.rounds,
        "balances": copy.balances,
        "open_round": copy.content.get("open_round"),
        "moves": by_one_cause(copy.balances, RESTORED),
    }
    return Draft(RESTORED, stamp, compact(body).decode())


def verify_export(copy: Copy, path: Path) -> int:
    """Raise where an export does not agree with the copy; return the entry that it ends with."""
    export, explained = ImportedExport(path, copy.key), Explained()
    entries = export.entries()
    for entry in entries:
        if not explained.entries:
            explained = explain_entries((), export.carried_moves)
        explained.take(entry)
        if entry.number == copy.entries:
            _verify_same(copy, path, entry.link, explained.balances)
    assert export.verifier is not None  # every line was read
    return export.verifier.number


def _verify_same(copy: Copy, path: Path, link: bytes, balances: Mapping[str, int]) -> None:
    if link != copy.link:
        raise MirrorError(
            "E-MIRROR-005", str(path), what=f"entry {copy.entries}", found=link.hex(), copied=copy.link.hex()
        )
    for name in sorted(difference(balances, copy.balances)):
        raise MirrorError(
            "E-MIRROR-005",
            str(path),
            what=f"meter {name}",
            found=balances.get(name, 0),
            copied=copy.balances.get(name, 0),
        )


def bring_devices(rooms: Rooms, copy: Copy) -> bool:
    """Bring back the devices' keys where none are enrolled; people are enrolled anew, with new PINs."""
    devices = copy.content.get("devices")
    if rooms.devices.exists() or not isinstance(devices, dict) or not devices:
        return False
    write_whole(rooms.devices, compact({"format": 1, "devices": devices}), PRIVATE)
    return True


def set_copy_aside(folder: Path) -> list[Path]:
    """Set the copy aside, as it has served: the next start writes its own."""
    return set_aside(folder, (mirror_file.COPY, mirror_file.HEADS), "restored")


# ---------------------------------------------------------------- cleared


def cleared(
    balances: Mapping[str, int],
    last: tuple[int, bytes],
    written: ExportWritten,
    authority: Authority,
    stamp: Stamp,
) -> Draft:
    """Return the entry that a cleared journal begins with: the final meters of the old one."""
    body = {
        **authority.as_json(),
        "journal": {"entries": last[0], "link": last[1].hex()},
        "export": {"file": written.file.name, "digest": written.closing.digest},
        "final": dict(balances),
    }
    return Draft(CLEARED, stamp, compact(body).decode())
