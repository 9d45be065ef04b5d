"""A shoe that somebody else built, the real driver on a real pseudo-terminal, and a real table: what people see."""

from __future__ import annotations

from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest

from sabot.drivers.angel_eye import KIND
from sabot.rules.cards import NAMES
from sabot.statemachine.state.phases import Phase
from sabot.statemachine.state.setup import Knowledge
from sabot.statemachine.vocabulary.effects import RetestDevice
from sabot.statemachine.vocabulary.events import DeviceFaulted, DeviceRetested, Role, TimeReached
from tests.drivers.waiting import until
from tests.drivers.wired_host import NoKeys, run
from tests.statemachine.shift import Shift

from .foreign_shoe import ForeignShoe, OnPty

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from sabot.drivers.device import Driver
    from sabot.statemachine.vocabulary.effects import Effect
    from sabot.statemachine.vocabulary.events import Event

# A Four Card Poker with a bonus card of the dealer's, and a Cajun Stud with community cards.
CHAPTERS = pytest.mark.parametrize("chapter", ["pa641a", "pa683a"])
CARDS = [rank + suit for suit in "sh" for rank in "23456789TJQK"]


class Table(Shift):
    """A table whose shoe is a driver's."""

    driver: Driver | None = None

    def handle(self, event: Event) -> list[Effect]:
        done = super().handle(event)
        for effect in done if self.driver is not None else ():
            assert self.driver is not None
            if isinstance(effect, RetestDevice):
                self.driver.retest(effect.fault)
            else:
                self.driver.perform(effect)
        return done

    @property
    def is_dealing(self) -> bool:
        return self.phase is Phase.DEALING

    @property
    def cards(self) -> list[str]:
        """What is entered in this round, in its order."""
        return [NAMES[each.card] if each is not None else "?" for each in self.table.state.play.current.seen]


class World:
    """The host of the driver: what it posts the table hears; the table's time is its own."""

    def __init__(self, shift: Table) -> None:
        self.shift, self.keyring = shift, NoKeys()

    def now(self) -> float:
        return self.shift.now

    def post(self, event: Event) -> None:
        self.shift.handle(event)

    def overhear(self, _device: str, _direction: str, _data: bytes) -> None:
        return None


@asynccontextmanager
async def dealing(chapter: str, folder: Path, digits: int = 1) -> AsyncIterator[tuple[Table, ForeignShoe]]:
    """Two seats have wagered, nothing is dealt yet."""
    shift = Table(chapter, method="manual_shoe", knowledge=Knowledge.EACH_CARD)
    shoe = ForeignShoe()
    line = OnPty(shoe, folder / "shoe")
    options: dict[str, Any] = {"port": str(line.path), "deadline_s": 0.15, "poll_s": 0.2, "tries": 2}
    options["refusal_bytes"] = shoe.digits = digits
    driver = KIND.make("shoe", options, World(shift))  # type: ignore[arg-type]
    await driver.start()
    try:
        await until(lambda: driver.status().is_up)
        shift.driver = driver
        shift.open_table()
        for seat in (1, 2):
            shift.bet(seat, ante=1000)
        shift.lock()
        await until(lambda: not shoe.is_locked)
        yield shift, shoe
    finally:
        shift.driver = None
        await driver.stop()
        line.close()


def _is_beyond(shift: Table, drawn: int) -> bool:
    return shift.table.state.play.current.drawn > drawn


async def draws(shift: Table, shoe: ForeignShoe, *names: str) -> None:
    for name in names:
        drawn = shift.table.state.play.current.drawn
        shoe.draw(name)
        await until(partial(_is_beyond, shift, drawn))


def held(shift: Table) -> list[str]:
    return [each.kind for each in shift.table.state.trouble.holds]


async def well_again(shift: Table, kind: str) -> None:
    """Whoever the display calls does what it asks for: RETEST where a test is due, then RELEASE."""
    (one,) = [each for each in shift.table.state.trouble.holds if each.kind == kind]
    who = shift.technician if one.role is Role.TECHNICIAN else shift.floor
    if one.needs_retest and not one.retested:
        who("RETEST", f"{kind} {one.device}")
        await until(lambda: one.retested)
    release = next(
        f"{at} {kind}" for at, each in enumerate(shift.table.state.trouble.holds, 1) if each is one
    )
    who("RELEASE", f"{release} {one.device}")


async def rest(shift: Table, shoe: ForeignShoe, names: list[str]) -> None:
    """All other cards of the deal; the last of them begins what comes after it."""
    while shift.is_dealing and not held(shift):
        await draws(shift, shoe, names.pop(0))


@CHAPTERS
def test_a_whole_deal_of_a_foreign_shoe_lies_where_the_plan_has_it(chapter: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with dealing(chapter, tmp_path) as (shift, shoe):
            await rest(shift, shoe, CARDS[:])
            assert shift.cards == CARDS[: len(shift.table.rooms.contest.laid.order)]
            assert (held(shift), shift.phase) == ([], Phase.STUB)

    run(work)


@CHAPTERS
def test_policy_a_start_in_the_deal_is_the_floors_and_a_card_after_it_is_the_next_one(
    chapter: str, tmp_path: Path
) -> None:
    async def work() -> None:
        async with dealing(chapter, tmp_path) as (shift, shoe):
            await draws(shift, shoe, "2s", "3s")
            place = shift.prompt
            shoe.start()
            shoe.draw("4s")  # before anybody could lock it again
            await until(lambda: held(shift) == ["contradiction", "card_out_of_turn"] and shoe.is_locked)
            assert shift.prompt == ("HELD: CONTRADICTION", "FLOOR: LOOK, RETEST")
            assert shift.cards == ["2s", "3s", "4s"]
            await well_again(shift, "contradiction")
            assert shift.prompt == ("HELD: STRAY CARD", "FLOOR: IS NEXT CARD")
            await well_again(shift, "card_out_of_turn")
            await until(lambda: not shoe.is_locked)
            assert shift.prompt != place
            await rest(shift, shoe, CARDS[3:])
            assert shift.cards == CARDS[: len(shift.table.rooms.contest.laid.order)]

    run(work)


@CHAPTERS
def test_policy_a_mute_shoe_holds_the_table_and_what_it_could_not_say_is_missed(
    chapter: str, tmp_path: Path
) -> None:
    async def work() -> None:
        async with dealing(chapter, tmp_path) as (shift, shoe):
            await draws(shift, shoe, "2s")
            shoe.is_mute = True
            await until(lambda: held(shift) == ["lost_link"])
            assert shift.prompt == ("HELD: DEVICE SILENT", "FLOOR: PLUG IT IN")
            shoe.draw("3s")
            shoe.is_mute = False
            await until(lambda: shoe.is_locked)  # the last order first, then it counts as back
            await until(lambda: shift.table.state.trouble.holds[0].retested)
            await until(lambda: "missed_card" in held(shift))
            await well_again(shift, "lost_link")
            assert shift.prompt[0] == "HELD: CARD NOT READ"
            await well_again(shift, "missed_card")
            await until(lambda: not shoe.is_locked)
            await rest(shift, shoe, CARDS[2:])
            assert shift.cards == ["2s", "?", *CARDS[2 : len(shift.table.rooms.contest.laid.order)]]

    run(work)


@pytest.mark.parametrize(("chapter", "digits"), [("pa641a", 1), ("pa683a", 2)])
def test_x_13b_a_shoe_that_is_busy_to_a_halt_is_locked_in_the_end_and_its_card_is_the_next(
    chapter: str, digits: int, tmp_path: Path
) -> None:
    async def work() -> None:
        async with dealing(chapter, tmp_path, digits) as (shift, shoe):
            await draws(shift, shoe, "2s")
            shoe.busy_for = 5
            shift.send(DeviceFaulted, device="pads", fault="device")
            await until(lambda: shoe.busy_for < 5)
            shoe.draw("3s")
            await until(lambda: shoe.is_locked)
            assert shift.cards == ["2s", "3s"]
            # That it refused is a fault of its own, latched until somebody has looked.
            assert [(each.kind, each.device) for each in shift.table.state.trouble.holds] == [
                ("device", "pads"),
                ("card_out_of_turn", "shoe"),
                ("device", "shoe"),
            ]
            shift.send(DeviceRetested, device="pads", fault="all", good=True)
            shift.technician("RELEASE", "1 device pads")
            await well_again(shift, "card_out_of_turn")
            await well_again(shift, "device")
            await until(lambda: not shoe.is_locked)
            await rest(shift, shoe, CARDS[2:])
            assert shift.cards == CARDS[: len(shift.table.rooms.contest.laid.order)]

    run(work)


@CHAPTERS
def test_x_13b_a_card_at_the_stub_goes_to_the_stub(chapter: str, tmp_path: Path) -> None:
    async def work() -> None:
        async with dealing(chapter, tmp_path) as (shift, shoe):
            await rest(shift, shoe, CARDS[:])
            before = shift.cards
            shoe.draw("Kh")
            await until(lambda: held(shift))
            assert held(shift) == ["card_out_of_turn"]
            assert shift.prompt == ("HELD: STRAY CARD", "FLOOR: TO THE STUB")
            await until(lambda: shoe.is_locked)
            await well_again(shift, "card_out_of_turn")
            assert shift.cards == before
            shift.rack_stub()
            assert shift.is_in(Phase.DECIDING)

    run(work)


@CHAPTERS
def test_x_13a_a_boxed_card_is_set_aside_and_the_next_one_takes_its_place(
    chapter: str, tmp_path: Path
) -> None:
    async def work() -> None:
        async with dealing(chapter, tmp_path) as (shift, shoe):
            await draws(shift, shoe, "2s", "3s")
            shift.menu("CARD FACE UP")
            assert shift.prompt[0] == "FACE-UP CARD TO RACK"
            shift.ok()
            await until(lambda: not shoe.is_locked)
            await rest(shift, shoe, CARDS[2:])
            assert shift.cards == CARDS[: len(shift.table.rooms.contest.laid.order)]
            (away,) = shift.table.state.play.current.face_up
            places = {each.position: each.place for each in shift.table.rooms.contest.laid.plan}
            assert (shift.cards[away - 1], places[away]) == ("3s", "discard")
            assert held(shift) == []

    run(work)


@CHAPTERS
def test_policy_no_card_for_a_minute_holds_nothing_and_the_shoe_is_cleared_of_it(
    chapter: str, tmp_path: Path
) -> None:
    async def work() -> None:
        async with dealing(chapter, tmp_path) as (shift, shoe):
            await draws(shift, shoe, "2s")
            asked = shift.prompt
            shift.now += 60
            shift.send(TimeReached)
            shoe.fail(7, stays=True)
            await until(lambda: "EC07" in shoe.commands)
            assert (held(shift), shift.prompt, shoe.is_locked) == ([], asked, False)
            shoe.fail(7)
            await rest(shift, shoe, CARDS[1:])
            assert shift.cards == CARDS[: len(shift.table.rooms.contest.laid.order)]

    run(work)
