"""The devices on the wrong ports, from what was heard there: swapped, or on the port of another.

A device that answers on its own port is in its place. Where another convention answers instead, the device of
that kind which is missed is the one that is there. One that never answers is judged by the other of the two:
where its port answers as a device whose own port is the only silent one, each of them has the other's port.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sabot.drivers.errors import ERRORS, LinkError


class PlaceSeen(NamedTuple):
    """One device of the table file, and what was heard at its port.

    ``answers_as`` is the kind that answers there and is not its own; ``proves`` the device of its own kind
    whose enrolled key was shown there.
    """

    name: str
    kind: str
    port: str
    is_heard: bool = False
    is_mute: bool = False
    answers_as: str = ""
    proves: str = ""


def judge(devices: Sequence[PlaceSeen]) -> dict[str, LinkError]:
    """Return the devices that are not in their place, each with what is to be said of it."""
    guests = _guests(devices)
    silent = [
        each.name for each in devices if each.name not in guests and not (each.is_heard or each.is_mute)
    ]
    judged = {name: _judged(pair, guests, silent) for name, pair in _pairs(devices, guests).items()}
    for owner, guest in guests.items():
        judged.setdefault(guest, judged[owner])
    return judged


def _guests(devices: Sequence[PlaceSeen]) -> dict[str, str]:
    """Return who is there instead, by the name of whose port it is; nobody is at two ports."""
    guests = {each.name: guest for each in devices if not each.is_heard and (guest := _guest(each, devices))}
    times = Counter(guests.values())
    # A device cannot answer at two ports: then neither is believed.
    return {owner: guest for owner, guest in guests.items() if times[guest] == 1}


def _guest(owner: PlaceSeen, devices: Sequence[PlaceSeen]) -> str:
    """Return the one device that can be meant; empty where there is none, or more than one."""
    missed = [each.name for each in devices if each.name != owner.name and not each.is_heard]
    if owner.proves in missed:
        return owner.proves
    meant = [each.name for each in devices if each.name in missed and each.kind == owner.answers_as]
    # Of two devices of one kind that are missed, nobody knows which one this is.
    return meant[0] if len(meant) == 1 else ""


def _pairs(devices: Sequence[PlaceSeen], guests: Mapping[str, str]) -> dict[str, tuple[PlaceSeen, PlaceSeen]]:
    """Return each port's owner with its guest, in the order of the table file."""
    by_name = {each.name: each for each in devices}
    return {each.name: (each, by_name[guests[each.name]]) for each in devices if each.name in guests}


def _judged(pair: tuple[PlaceSeen, PlaceSeen], guests: Mapping[str, str], silent: Sequence[str]) -> LinkError:
    owner, guest = pair
    one, other = sorted(pair, key=lambda each: each.name)
    if guests.get(guest.name) == owner.name:
        said = f"{_said(one, other)}, {_said(other, one)}"
    # Only where no other device is missing: else the silent one may be anywhere.
    elif owner.is_mute and silent == [guest.name]:
        said = f"{_said(owner, guest)}, and {owner.name} never answers"
    else:
        where = {"guest": guest.name, "owner": owner.name, "said": _said(owner, guest)}
        return LinkError(ERRORS["E-LINK-010"], guest.name, **where)
    return LinkError(ERRORS["E-LINK-009"], one.name, one=one.name, other=other.name, said=said)


def _said(owner: PlaceSeen, guest: PlaceSeen) -> str:
    """Return in words what was heard at a port."""
    who = f"with the key of {guest.name}" if owner.proves == guest.name else f"as {guest.kind}"
    return f"{owner.port} answers {who}"
