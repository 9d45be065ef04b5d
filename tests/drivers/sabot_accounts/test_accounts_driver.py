"""The driver on a real port: pyserial on a pseudo-terminal, a simulated system behind it, unplugged and back."""

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from sabot.drivers.errors import DriverError
from sabot.drivers.sabot_accounts import CONVENTION, KIND
from sabot.drivers.sabot_accounts.driver import SabotAccountsDriver
from sabot.drivers.sabot_link.codec import SabotLinkCodec
from sabot.hil.simulators.lossy import Lossy
from sabot.hil.simulators.pty_port import SimulatedPort
from sabot.hil.simulators.sabot_accounts import AccountsDevice, System
from sabot.hil.simulators.sabot_accounts.device import who
from sabot.hil.simulators.sabot_link import SabotLinkDevice
from sabot.hil.simulators.sabot_link.on_port import DeviceOnPort
from sabot.statemachine.vocabulary import effects as ef
from sabot.statemachine.vocabulary.events import (
    AccountCredited,
    AccountsRead,
    AccountWager,
    DeviceFaulted,
    DrawMade,
    DrawSealed,
    LinkLost,
    LinkRestored,
)
from tests.drivers.at_port import HearingTable, PortRig, played

from .accounts_floor import PLAYER, PUBLIC, options

SPOTS = ((2, "ante"),)
OWED = ef.Owed(1, 7, 2, PLAYER, 50_000, is_stake=False, cite="641a.11(c)(7)")


class Rig(PortRig[SabotAccountsDriver]):
    """A driver, a port, a system."""

    def __init__(self, path: Path, line: Lossy | None = None, **given: Any) -> None:
        import os  # noqa: PLC0415 - the one source of randomness of this rig

        self.table = HearingTable(given.pop("key", PUBLIC))
        self.device = given.pop("device", None) or AccountsDevice(who(), System(os.urandom))
        self.on_port = DeviceOnPort(self.device)
        self.port = SimulatedPort(self.on_port, path=path / "accounts", line=line)
        self.driver = SabotAccountsDriver("accounts", options(port=self.port.plug_in(), **given), self.table)

    @property
    def system(self) -> System:
        system = self.device.system
        assert isinstance(system, System)
        return system

    def act(self, line: str) -> None:
        name, _, rest = line.partition(" ")
        self.on_port.actions()[name][1](rest)

    async def up(self) -> None:
        await self.driver.start()
        await self.table.event(AccountsRead)
        self.driver.perform(ef.OpenSpots(spots=SPOTS))
        await self.table.until(lambda: self.system.phase == 1)


def on_rig(path: Path, play: Callable[[Rig], Coroutine[Any, Any, None]], **given: Any) -> Rig:
    return played(lambda: Rig(path, **given), play)


async def placed(rig: Rig) -> AccountWager:
    """A wager of $5 at seat 2, accepted."""
    await rig.up()
    rig.act("place 2 1 500")
    asked = await rig.table.event(AccountWager)
    assert isinstance(asked, AccountWager)
    accepted = ef.AcceptWager(seat=2, wager=PLAYER, cents=500, ticket=asked.ticket)
    rig.driver.perform(accepted)
    await rig.table.until(lambda: rig.system.is_lit((2, 1)))
    return asked


def test_a_round_from_the_station_to_the_account(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        asked = await placed(rig)
        assert (asked.seat, asked.wager, asked.cents, asked.ticket) == (2, PLAYER, 500, 1)
        assert asked.account == f"{rig.system.seated[2]:08x}"
        rig.act("draws lucky=2")
        rig.driver.perform(ef.LockWagers())
        rig.driver.perform(ef.TakeStakes(number=7, stakes=((2, PLAYER, 500),)))
        sealed = await rig.table.event(DrawSealed)
        rig.driver.perform(ef.OpenDraws(draws=((sealed.draw, sealed.seal),)))
        assert (await rig.table.event(DrawMade)).lucky == 2
        rig.driver.perform(ef.OweAccounts(owed=(OWED,)))
        rig.driver.perform(ef.OweAccounts(owed=(OWED,)))
        credited = await rig.table.event(AccountCredited)
        assert (credited.number, credited.cents, credited.account) == (1, 50_000, asked.account)
        rig.driver.perform(ef.LightSeat(seat=1))

    rig = on_rig(tmp_path, play)
    assert not [event for event in rig.table.events if isinstance(event, DeviceFaulted)]
    assert rig.system.total == 50_000
    assert rig.driver.status().statistics.crc_errors == 0


def test_a_credit_that_is_ordered_while_the_cable_is_out_is_credited_when_it_is_back(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await placed(rig)
        rig.driver.perform(ef.LockWagers())
        rig.port.unplug()
        await rig.table.event(LinkLost)
        rig.driver.perform(ef.TakeStakes(number=7, stakes=((2, PLAYER, 500),)))
        rig.driver.perform(ef.OweAccounts(owed=(OWED,)))
        rig.port.plug_in()
        await rig.table.event(AccountCredited)
        await rig.table.event(LinkRestored)

    rig = on_rig(tmp_path, play)
    assert rig.system.total == 50_000
    told = [event for event in rig.table.events if isinstance(event, AccountsRead)][-1]
    assert (told.round, told.stakes) == (7, ((2, PLAYER, 500),))


def test_over_a_bad_line_a_credit_is_credited_once(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await placed(rig)
        rig.driver.perform(ef.LockWagers())
        rig.driver.perform(ef.TakeStakes(number=7, stakes=((2, PLAYER, 500),)))
        rig.driver.perform(ef.OweAccounts(owed=(OWED,)))
        await rig.table.event(AccountCredited)

    rig = on_rig(tmp_path, play, line=Lossy(5, drop=0.05, flip=0.001))
    assert rig.system.total == 50_000


def test_a_shuffler_on_the_port_of_the_accounts_is_refused(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.driver.start()
        fault = await rig.table.event(DeviceFaulted)
        assert fault.detail == "another device: it is a shuffler and packet shoe"

    on_rig(tmp_path, play, device=SabotLinkDevice())


def test_a_system_that_is_not_enrolled_is_refused_and_shows_its_key(tmp_path: Path) -> None:
    async def play(rig: Rig) -> None:
        await rig.driver.start()
        fault = await rig.table.event(DeviceFaulted)
        assert fault.detail.startswith("it is not enrolled; its key is ")
        assert rig.driver.status().state["offered_key"] == PUBLIC.hex()

    on_rig(tmp_path, play, key=None)


def test_the_technicians_test_says_how_it_is(tmp_path: Path) -> None:
    said: list[str] = []

    async def play(rig: Rig) -> None:
        assert not await rig.driver.test(said.append)
        await placed(rig)
        assert await rig.driver.test(said.append)
        rig.act("fault 21")
        await rig.table.event(DeviceFaulted)
        assert not await rig.driver.test(said.append)

    on_rig(tmp_path, play)
    assert said[0] == "not connected: not connected yet"
    assert "electronic wagering system Sabot Simulated Stations, serial SIM-ACC-1, firmware 1.0.0" in said
    assert {"bets: open", "placed: 1", "cents: 500", "fault: the accounts are not reached"} <= set(said)


def test_what_the_options_name_of_the_table() -> None:
    spoken = KIND.speaks_of("accounts", options(seats=2))
    assert spoken.accounts == tuple((seat, wager) for seat in (1, 2) for wager in options()["wagers"].split())  # type: ignore[union-attr]
    for wagers in ("", f"{PLAYER} {PLAYER}"):
        with pytest.raises(DriverError, match="names of wagers, each once"):
            KIND.speaks_of("accounts", options(wagers=wagers))


def test_the_monitor_shows_no_draw_before_it_is_public() -> None:
    wire = CONVENTION.compose("DrawOpened event=1 draw=12 round=7 kind=1 value=31 salt=" + "40" * 16)
    (frame,) = SabotLinkCodec().receive(wire)
    assert "31" not in CONVENTION.describe(frame, False).split("value")[1]
    assert "value=31" in CONVENTION.describe(frame, True)
