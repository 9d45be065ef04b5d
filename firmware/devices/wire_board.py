"""The walk along a board that has a driver of its own: which key the driver says, and the lamps.

Such a board (a keyboard on USB, a panel on a serial line) maps its keys by itself, so there is no pin to
write and no file to change: what is found here is a key that is mute, or one that says another's name.
"""

import asyncio

from sabot.drivers.device import Driver
from sabot.firmware.devices.lone import LoneHost
from sabot.firmware.devices.wire_lines import LOOK_S, SKIP, STOP
from sabot.firmware.devices.wire_person import Gone, WiringPerson
from sabot.statemachine.events import Key, KeyPressed


async def walk_keys(driver: Driver, host: LoneHost, person: WiringPerson) -> int:
    """Ask for each key, then let the driver show its lamps; 1 where a key or the test is not good."""
    status = driver.status()
    if not status.is_up:
        person.tell(f"{driver.name} is not there: {status.why}", good=False)
        return 1
    person.tell(f"{driver.name} names its keys by itself: nothing is written, each key is only proved")
    said = dict[str, str]()
    try:
        for number, key in enumerate(Key, 1):
            seen = len(host.events)
            person.tell(f"{number}/{len(Key)}  press {key} (s: it has none, q: stop)", key=key)
            said[key] = await _pressed(host, person, seen)
            _judge(person, key, said[key])
        person.tell("now its lamps; look at each")
        good = await driver.test(lambda words: person.tell(f"  {words}"))
    except Gone:
        person.tell("stopped; nothing was changed", keys=said)
        return 1
    mute = [key for key, heard in said.items() if not heard]
    wrong = [key for key, heard in said.items() if heard not in ("", key)]
    words = f"without: {', '.join(mute) or 'none'}; wrong: {', '.join(wrong) or 'none'}"
    person.tell(words, keys=said, good=good and not wrong)
    return 0 if good and not wrong else 1


def _judge(person: WiringPerson, key: Key, heard: str) -> None:
    if not heard:
        person.tell(f"  {key}: none here", key=key, heard="")
    elif heard == key:
        person.tell(f"  {key} works", key=key, heard=heard)
    else:
        person.tell(
            f"  it says {heard}: the label, or the board's own key map, is wrong", key=key, heard=heard
        )


async def _pressed(host: LoneHost, person: WiringPerson, seen: int) -> str:
    """The key that the driver says was pressed next, empty where there is none."""
    while True:
        pressed = [event.key for event in host.events[seen:] if isinstance(event, KeyPressed)]
        if pressed:
            return pressed[0]
        typed = person.typed()
        if typed == STOP:
            raise Gone
        if typed == SKIP:
            return ""
        await asyncio.sleep(LOOK_S)
