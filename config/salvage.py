"""The usable part of a table file that is wrong, so that the table can say so.

A table that stays closed shows why on its display, locks its pads and answers its console. For that a port
and a state directory are enough: each part of the file is read by itself, and what cannot be is left out.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import field
from pathlib import Path

from sabot.config.includes import read_merged
from sabot.config.reader import Section, Toml, read_toml
from sabot.config.table_file import Device, SchemaOf, SlipLimit, Storage, name_of, read_device, read_storage
from sabot.rules.errors import SabotError
from sabot.rules.frozen import frozen

RETENTION_DAYS = 400


@frozen
class Salvaged:
    """A table that cannot open, with what is wrong with its file."""

    file: str
    wrong: SabotError
    name: str
    is_simulated: bool
    devices: tuple[Device, ...]
    storage: Storage
    slips: SlipLimit = field(default_factory=SlipLimit)


def salvage(
    path: Path,
    wrong: SabotError,
    schema_of: SchemaOf,
    verify: Callable[[str, Device], None],
    state: Path | None = None,
) -> Salvaged:
    """Return what can be read of a broken table file; raise its error where the state directory is unknown.

    ``verify`` raises where the options of a device mean nothing; ``state`` is the directory that the service
    was started with, for a file that does not name one.
    """
    root = Section(str(path), "", _content(path))
    return Salvaged(
        file=str(path),
        wrong=wrong,
        name=_name(root, path.stem),
        is_simulated=root.data.get("simulated") is True,
        devices=tuple(_devices(root, schema_of, verify)),
        storage=_storage(root, state, wrong),
    )


def _content(path: Path) -> Toml:
    """Return all that can be read: the file with its parts, else the file alone."""
    with suppress(SabotError):
        return read_merged(path).data
    with suppress(SabotError):
        return read_toml(path)
    return {}


def _name(root: Section, other: str) -> str:
    try:
        return name_of(root)
    except SabotError:
        return other


def _storage(root: Section, state: Path | None, wrong: SabotError) -> Storage:
    with suppress(SabotError):
        return read_storage(root.section("storage"))
    if state is None:
        raise wrong
    return Storage(state, None, RETENTION_DAYS)


def _devices(root: Section, schema_of: SchemaOf, verify: Callable[[str, Device], None]) -> Iterator[Device]:
    """Yield the devices that can be put to work; of two with one port the first."""
    found = root.data.get("device")
    taken = set[object]()
    for name in found if isinstance(found, dict) else ():
        with suppress(SabotError):
            part = root.section("device").section(name)
            device = read_device(name, part, schema_of)
            # First: a device that cannot work must not keep another from its port.
            verify(part.place, device)
            # Two drivers at one port would take each other's answers.
            if (port := device.options.get("port") or name) not in taken:
                taken.add(port)
                yield device
