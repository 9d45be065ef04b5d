"""The hands of the page: each thing that a person can do at the table, by name.

Every deed ends at a contact, a pad, a card, a cable or a switch. One that no hand could do is refused with
the reason, and nothing was moved then.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from sabot.firmware.simulated import PEOPLE
from sabot.hil.table.crew import Crew, CrewMember
from sabot.practice.cards import CardsError
from sabot.practice.stacking import plain_cards, stacked
from sabot.practice.table_session import TableSession

Asked = Mapping[str, Any]
Deed = Callable[[TableSession, Asked], Awaitable[None]]
MOST_CENTS, MOST_HOURS = 100_000_000, 72.0
# What a technician's fingers can do to a device, by the words of `sabot sim`; the rest is no matter of hands.
FINGERS = {
    "door": "a lid or door is opened or closed",
    "mode": "the key of the machine is turned",
    "jam": "a card is jammed",
    "jam-stack": "the next stack jams",
    "short": "the next stack is short",
    "remain": "the cause of a fault stays or goes",
    "error": "the shoe is in error",
    "start": "the shoe is switched off and on",
    "again": "a report comes again",
    "blind": "a sensor is covered",
    "see": "a sensor sees again",
    "restart": "the pads lose their power for a moment",
    "wipe": "the memory of the sign is lost",
    "off": "the display loses its power",
    "on": "the display has it back",
}


# ---------------------------------------------------------------- contacts


async def key(sitting: TableSession, asked: Asked) -> None:
    """Press a key down, or let it up."""
    await contact(sitting, f"key_{str(asked['name']).lower()}", is_down=bool(asked["down"]))


async def contact(sitting: TableSession, name: str, *, is_down: bool) -> None:
    """Move a contact; return only when a running program has read it."""
    if name not in sitting.shows["lines"]:
        raise ValueError(f"there is no contact {name!r}")
    asking = sitting.contacts.ask(device="lines", do=f"{'hold' if is_down else 'let'} {name}")
    if sitting.board.is_on:
        await asking
    else:  # nobody reads it, so nobody can be waited for
        sitting.leave(asking)


async def turn_key(sitting: TableSession, asked: Asked) -> None:
    """Turn the floor's key switch, or turn it back."""
    await contact(sitting, "key_switch", is_down=bool(asked["turned"]))


async def cabinet(sitting: TableSession, asked: Asked) -> None:
    """Open or close the service door; put the cover of a device on or take it off."""
    if asked["what"] not in ("door", "cover"):
        raise ValueError("a door or a cover")
    await contact(sitting, str(asked["what"]), is_down=bool(asked["moved"]))


async def person(sitting: TableSession, asked: Asked) -> None:
    """Turn the key and give number and PIN, as a person does who watches the stars on the display."""
    known = {number: CrewMember(number, pin) for number, _name, _role, pin in PEOPLE}
    if asked["number"] not in known:
        raise ValueError("nobody has this number")
    if not sitting.board.is_on:
        raise ValueError("the display is dark")
    # A key that is just turned back has been felt before it is turned again.
    await sitting.contacts.ask(device="lines")
    await asyncio.to_thread(
        _give_pin, sitting, known[asked["number"]], is_turned_back=bool(asked.get("back"))
    )


def _give_pin(sitting: TableSession, who: CrewMember, *, is_turned_back: bool) -> None:
    # A crew reads the display and waits for it, so it works in a thread, with a connection of its own.
    crew = Crew(sitting.root)
    try:
        crew.turn_key(who)
        if is_turned_back:
            crew.turn_back()
    finally:
        crew.close()


# ---------------------------------------------------------------- chips


async def chips(sitting: TableSession, asked: Asked) -> None:
    """Lay that much on a spot, instead of what lies there."""
    seat, cents = int(asked["seat"]), int(asked["cents"])
    wagers = [spot["wager"] for spot in sitting.layout["spots"]]
    if not 1 <= seat <= sitting.layout["seats"] or asked["wager"] not in wagers:
        raise ValueError("there is no such spot")
    if not 0 <= cents <= MOST_CENTS:
        raise ValueError("so many chips are not here")
    # Pads know spots by number: seat by seat, each with its wagers in the layout's order.
    number = (seat - 1) * len(wagers) + wagers.index(asked["wager"])
    await sitting.hands.ask(device="pads", do=f"chips {number} {cents}")


# ---------------------------------------------------------------- cards


async def draw(sitting: TableSession, _asked: Asked) -> None:
    """Draw the next card off the pack, and past the reader of a shoe that has one."""
    if sitting.is_machine:
        await take_exit(sitting, {})
        return
    reads = "shoe" in sitting.shows
    if reads and sitting.shows["shoe"]["locked"]:
        raise CardsError("the shoe is locked: no card comes out")
    card = sitting.cards.draw()
    if reads:
        words = "faceup" if card.is_boxed else "unread" if card.is_soiled else f"draw {card.name}"
        await sitting.hands.ask(device="shoe", do=words)


async def take_exit(sitting: TableSession, _asked: Asked) -> None:
    """Take what lies in the machine's exit into the hand."""
    sitting.cards.take_exit()
    await sitting.hands.ask(device=sitting.shuffler, do="lift")


async def lay(sitting: TableSession, asked: Asked) -> None:
    """Lay a card at a place; draw one first if the hand is empty, and lay a stack whole."""
    place = str(asked["place"])
    if place not in sitting.layout["places"]:
        raise CardsError(f"no card belongs at {place}")
    is_whole = bool(asked.get("whole"))
    if not sitting.cards.hand:
        await draw(sitting, asked)
        is_whole = is_whole or sitting.is_machine
    sitting.cards.lay(place, whole=is_whole, from_bottom=bool(asked.get("bottom")))


async def turn(sitting: TableSession, asked: Asked) -> None:
    """Turn a card over, or all of a place."""
    if asked.get("nth") is None:
        sitting.cards.turn_all(str(asked["place"]))
    else:
        sitting.cards.turn(str(asked["place"]), int(asked["nth"]))


async def pick_up(sitting: TableSession, asked: Asked) -> None:
    """Take the cards of a place into the hand."""
    sitting.cards.pick_up(str(asked["place"]))


async def to_rack(sitting: TableSession, asked: Asked) -> None:
    """Put the next card of the hand into the rack, or all of them."""
    sitting.cards.to_rack(whole=bool(asked.get("whole", True)))


async def clear(sitting: TableSession, _asked: Asked) -> None:
    """Put all cards into the rack."""
    if sitting.cards.exit:
        await take_exit(sitting, {})
    sitting.cards.clear()
    sitting.gifts = {}


async def load(sitting: TableSession, asked: Asked) -> None:
    """Lay a deck into the machine that shuffles."""
    color = _color(sitting, asked)
    if sitting.shows[sitting.shuffler]["intake"]:
        raise CardsError("cards lie in the intake already")
    words = sitting.cards.load(color, taken_out=bool(asked.get("out")))
    await sitting.hands.ask(device=sitting.shuffler, do=f"load {words}")
    sitting.machine.loaded(color)


async def empty(sitting: TableSession, _asked: Asked) -> None:
    """Take all cards out of the machine."""
    await sitting.hands.ask(device=sitting.shuffler, do="empty")
    sitting.cards.empty_machine()
    sitting.machine.emptied()


async def take_tray(sitting: TableSession, _asked: Asked) -> None:
    """Take the shuffled deck from the shuffler's tray to where it is dealt from."""
    sitting.cards.take_tray()


async def by_hand(sitting: TableSession, asked: Asked) -> None:
    """Shuffle a deck by hand."""
    sitting.cards.shuffle_by_hand(_color(sitting, asked))


def _color(sitting: TableSession, asked: Asked) -> str:
    color = str(asked["color"])
    if color not in sitting.cards.boxes:
        raise CardsError(f"there is no {color} deck at this table")
    return color


# ---------------------------------------------------------------- the world


async def stack(sitting: TableSession, asked: Asked) -> None:
    """Let these cards come next, in this order."""
    await _stack(sitting, plain_cards(asked["cards"]))


async def give(sitting: TableSession, asked: Asked) -> None:
    """Let these cards come to a place in the next deal; gifts to other places stay theirs."""
    place, names = str(asked["place"]), plain_cards(asked["cards"])
    if place not in sitting.layout["places"]:
        raise CardsError(f"no card belongs at {place}")
    others = {each: cards for each, cards in sitting.gifts.items() if each != place}
    gifts = others | ({place: names} if names else {})
    law = sitting.law.chapter(sitting.chapter)
    bonus_card = str(sitting.layout["bonus_card"])
    # All gifts are stacked anew together: they share one deck, and a card promised twice is refused.
    order = stacked(law, sitting.method, _wagers(sitting), bonus_card, gifts, sitting.cards.chance)
    await _stack(sitting, order)
    sitting.gifts = gifts


def _wagers(sitting: TableSession) -> dict[int, list[str]]:
    """Return the wagers that lie on the spots of each seat that plays."""
    names = [spot["wager"] for spot in sitting.layout["spots"]]
    found: dict[int, list[str]] = {}
    for number, cents in enumerate(sitting.shows["pads"]["cents"][: len(names) * sitting.layout["seats"]]):
        if cents:
            found.setdefault(number // len(names) + 1, []).append(names[number % len(names)])
    return found


async def _stack(sitting: TableSession, names: list[str]) -> None:
    if sitting.is_machine:
        await sitting.hands.ask(device=sitting.shuffler, do=f"stack {' '.join(names)}")
    else:
        sitting.cards.stack(names)


async def spoil(sitting: TableSession, asked: Asked) -> None:
    """Spoil a card: the next of the pack, or any of a deck in its box; or make all as they should be."""
    ways: Mapping[str, Callable[[], None]] = {
        "next face up": sitting.cards.box_next,
        "next unreadable": sitting.cards.soil_next,
        "boxed": lambda: sitting.cards.box_in(_color(sitting, asked)),
        "missing": lambda: sitting.cards.pocket_one(_color(sitting, asked)),
        "as it should be": sitting.cards.give_back,
    }
    if asked["how"] not in ways:
        raise ValueError(f"there is no {asked['how']!r}; there are {', '.join(ways)}")
    ways[asked["how"]]()


async def cable(sitting: TableSession, asked: Asked) -> None:
    """Pull a cable out, or plug it in again."""
    name, is_in = str(asked["device"]), bool(asked["in"])
    if name not in sitting.cables:
        raise ValueError(f"no cable has the name {name!r}")
    if is_in is (name not in sitting.pulled):
        return
    await sitting.hands.ask(device=name, do="plug" if is_in else "unplug")
    (sitting.pulled.discard if is_in else sitting.pulled.add)(name)
    sitting.tell_power()


async def power(sitting: TableSession, asked: Asked) -> None:
    """Switch the controller's power: on, cut, an orderly stop, or hours that pass."""
    word = asked["word"]
    await sitting.note("power", str(word))
    if word == "on":
        await sitting.board.on()
    elif word in ("cut", "stop"):
        await sitting.switch_off(str(word))
    elif word == "hours" and 0 < float(asked["hours"]) <= MOST_HOURS:
        await sitting.switch_off("stop")
        await sitting.board.pass_hours(float(asked["hours"]))
    else:
        raise ValueError(f"on, cut, stop, or hours up to {MOST_HOURS:g}")


async def device(sitting: TableSession, asked: Asked) -> None:
    """Lay fingers on a device: its lids, its key, a jam."""
    word = str(asked["words"]).partition(" ")[0]
    if word not in FINGERS:
        raise ValueError(f"hands can do to a device: {', '.join(FINGERS)}")
    await sitting.hands.ask(device=str(asked["device"]), do=str(asked["words"]))


async def watch(sitting: TableSession, asked: Asked) -> None:
    """Choose the roles that are played by themselves, their pace, and whether they rest."""
    assert sitting.watch is not None  # there is one wherever a page is served
    sitting.watch.choose(list(asked["roles"]), float(asked["pace_s"]), is_paused=bool(asked["paused"]))


async def wires(sitting: TableSession, asked: Asked) -> None:
    """Begin or stop to tell what goes over the wires."""
    await sitting.look_at_wires(is_wanted=bool(asked["on"]))


DEEDS: Mapping[str, Deed] = {
    "key": key,
    "turn_key": turn_key,
    "cabinet": cabinet,
    "person": person,
    "chips": chips,
    "draw": draw,
    "take_exit": take_exit,
    "lay": lay,
    "turn": turn,
    "pick_up": pick_up,
    "to_rack": to_rack,
    "clear": clear,
    "load": load,
    "empty": empty,
    "take_tray": take_tray,
    "by_hand": by_hand,
    "stack": stack,
    "give": give,
    "spoil": spoil,
    "cable": cable,
    "power": power,
    "device": device,
    "watch": watch,
    "wires": wires,
}
# What moves cards, and so waits its turn: everything else may happen in the middle of it, as at a table.
OF_CARDS = frozenset(DEEDS) - {
    "key",
    "turn_key",
    "cabinet",
    "person",
    "chips",
    "cable",
    "power",
    "device",
    "watch",
    "wires",
}


async def do(sitting: TableSession, asked: Asked) -> str:
    """Do a deed; return why it could not be done, or an empty string."""
    deed = DEEDS.get(str(asked.get("do")))
    if deed is None:
        return f"nobody knows how to do {asked.get('do')!r}"
    try:
        if asked["do"] in OF_CARDS:
            await _with_cards(sitting, deed, asked)
        else:
            await deed(sitting, asked)
    except (ValueError, KeyError, TypeError, AssertionError, OSError) as error:
        return str(error) or type(error).__name__
    return ""


async def _with_cards(sitting: TableSession, deed: Deed, asked: Asked) -> None:
    """Do deeds with cards one after the other: a hand that still holds a card cannot draw the next."""
    async with sitting.turn:
        try:
            await deed(sitting, asked)
        finally:
            # Also when it was refused half way: pages show what lies there, not what was asked for.
            sitting.tell_cards()
