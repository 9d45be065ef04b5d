"""Two cables in each other's ports, byte by byte: real drivers, simulated devices, and a program around them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from tests.drivers.port_table import PATIENCE_S, QUICK, Keys, Row, run, table
from tests.drivers.waiting import until

from sabot.drivers import alpha, angel_eye, escpos, sabot_accounts, sabot_link
from sabot.firmware.run import port_watch
from sabot.firmware.run.port_watch import PortWatch
from sabot.hil.simulators.alpha import AlphaSign
from sabot.hil.simulators.angel_eye import AngelEyeShoe
from sabot.hil.simulators.escpos import EscposDisplay
from sabot.hil.simulators.sabot_accounts import AccountsDevice
from sabot.hil.simulators.sabot_link import SabotLinkDevice, Who
from sabot.hil.simulators.sabot_link.on_port import DeviceOnPort
from sabot.statemachine.vocabulary.effects import ShowPrompt
from sabot.statemachine.vocabulary.events import DeviceRetested

ROWS: dict[str, Row] = {
    "shuffler": (sabot_link.KIND, {"authenticated": False}, lambda: DeviceOnPort(SabotLinkDevice())),
    "shoe": (angel_eye.KIND, {**QUICK, "poll_s": 0.2}, AngelEyeShoe),
    "sign": (alpha.KIND, {**QUICK, "meters": "prog5.mega=MEGA", "settle_s": 0.0}, AlphaSign),
    "display": (escpos.KIND, {"refresh_s": 600.0}, EscposDisplay),
    "accounts": (
        sabot_accounts.KIND,
        {"authenticated": False, "wagers": "hand_bonus_player"},
        lambda: DeviceOnPort(AccountsDevice()),
    ),
}
PAIRS = list(combinations(ROWS, 2))


@pytest.mark.parametrize("pair", PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_two_swapped_ports_are_said_and_come_back_by_themselves(
    tmp_path: Path, pair: tuple[str, str]
) -> None:
    one, other = pair

    async def work() -> None:
        rows = {name: ROWS[name] for name in pair}
        async with table(tmp_path, rows, {one: other, other: one}) as at:
            await until(lambda: at.are_swapped(*pair), PATIENCE_S)
            first, second = sorted(pair)
            for name in pair:
                status = at.status(name)
                assert not status.is_up
                assert f"{first} and {second} are swapped: " in status.why
                assert "Exchange the two plugs" in status.why
            await until(lambda: all(at.around.lost(name)[-1:] == [at.status(name).why] for name in pair))
            restored = {name: at.around.restored(name) for name in pair}
            at.exchange(one, other)
            await until(lambda: all(at.status(name).is_up for name in pair), PATIENCE_S)
            await until(lambda: all(at.around.restored(name) > restored[name] for name in pair), PATIENCE_S)
            if "display" in pair:
                at.drivers["display"].perform(ShowPrompt(first="HELLO", second="DEALER", cite="-"))
                await until(lambda: "".join(at.device("display").cells[0]).rstrip() == "HELLO")

    run(work)


def test_plugs_that_are_exchanged_behind_the_adapters_need_no_port_to_go(tmp_path: Path) -> None:
    async def work() -> None:
        rows = {name: ROWS[name] for name in ("shoe", "display")}
        async with table(tmp_path, rows, {"shoe": "display", "display": "shoe"}) as at:
            await until(lambda: at.are_swapped("shoe", "display"), PATIENCE_S)
            # The ports stay, and only the devices behind them change places.
            ports = at.cables["shoe"], at.cables["display"]
            devices = [port.device for port in ports]
            for port, device in zip(ports, reversed(devices), strict=True):
                port.device = device
                port._to_device._deliver = device.received
                device.attached(port._to_program.send)
            at.cables["shoe"], at.cables["display"] = reversed(ports)
            await until(lambda: at.status("shoe").is_up and at.status("display").is_up, PATIENCE_S)
            await until(lambda: at.around.restored("display") > 1)
            at.drivers["display"].perform(ShowPrompt(first="HELLO", second="DEALER", cite="-"))
            await until(lambda: "".join(at.device("display").cells[0]).rstrip() == "HELLO")

    run(work)


def test_a_display_is_known_to_be_elsewhere_by_a_card_that_came_at_its_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Nothing is asked here: what the shoe says by itself is enough.
    monkeypatch.setattr(PortWatch, "_questions", lambda *_: [])

    async def work() -> None:
        rows = {name: ROWS[name] for name in ("shoe", "display")}
        async with table(tmp_path, rows, {"shoe": "display", "display": "shoe"}) as at:
            await until(lambda: at.drivers["display"].status().is_up)
            at.device("shoe").draw("Ah")
            await until(lambda: at.are_swapped("shoe", "display"), PATIENCE_S)
            why = at.status("shoe").why
            assert "answers as angel-eye, and display never answers" in why
            assert "Ah" not in why

    run(work)


def test_a_device_that_answers_is_never_asked_for_another(tmp_path: Path) -> None:
    async def work() -> None:
        rows = {name: row for name, row in ROWS.items() if name != "accounts"}
        async with table(tmp_path, rows) as at:
            at.device("shoe").is_mute = True
            await until(lambda: all(at.status(name).is_up for name in rows if name != "shoe"), PATIENCE_S)
            shuffler, sign = at.device("shuffler").device, at.device("sign")
            session, dropped = shuffler.link.session, sign.dropped
            shuffled_at, shoe_at, sign_at, display_at = at.around.watch.places
            # Of those that are missed only the shoe is left, and only a display might sit on its cable.
            await until(lambda: display_at.asked == {"shoe"}, PATIENCE_S)
            assert shuffled_at.asked == shoe_at.asked == sign_at.asked == set()
            assert (shuffler.link.session, sign.dropped) == (session, dropped)
            # The display was asked once, says nothing of it, and is as it was.
            at.drivers["display"].perform(ShowPrompt(first="HELLO", second="DEALER", cite="-"))
            await until(lambda: "".join(at.device("display").cells[0]).rstrip() == "HELLO")
            assert at.around.lost("display") == []
            assert at.around.restored("display") == 1
            assert not any(driver.misplaced for driver in at.drivers.values())
            at.device("shoe").is_mute = False
            await until(lambda: at.status("shoe").is_up, PATIENCE_S)

    run(work)


def test_cables_that_are_exchanged_while_the_program_runs_are_found_out_too(tmp_path: Path) -> None:
    async def work() -> None:
        rows = {name: ROWS[name] for name in ("shoe", "sign")}
        async with table(tmp_path, rows) as at:
            await until(lambda: all(at.status(name).is_up for name in rows), PATIENCE_S)
            await until(lambda: at.around.host.ears == [])
            at.exchange("shoe", "sign")
            await until(lambda: at.are_swapped("shoe", "sign"), PATIENCE_S)
            at.exchange("shoe", "sign")
            await until(lambda: all(at.status(name).is_up for name in rows), PATIENCE_S)
            await until(lambda: at.around.host.ears == [])

    run(work)


def test_a_retest_has_a_mute_device_s_port_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(port_watch, "PAUSE_S", 0.2)

    async def work() -> None:
        rows = {name: ROWS[name] for name in ("shoe", "display")}
        async with table(tmp_path, rows, {"shoe": "display", "display": "shoe"}) as at:
            at.device("shoe").is_mute = True
            await until(lambda: at.around.watch.places[1].asked == {"shoe"}, PATIENCE_S)
            at.device("shoe").is_mute = False
            at.drivers["shoe"].retest("lost_link")
            await until(lambda: any(isinstance(each, DeviceRetested) for each in at.around.events))
            await until(lambda: at.are_swapped("shoe", "display"), PATIENCE_S)

    run(work)


def test_two_machines_of_one_kind_are_known_by_their_enrolled_keys(tmp_path: Path) -> None:
    devices = {
        name: SabotLinkDevice(Who(serial=name, secret=bytes([number]) * 32))
        for number, name in enumerate(("shoe", "shuffler"), 1)
    }
    rows: dict[str, Row] = {
        name: (sabot_link.KIND, {"serial": ""}, _on_port(device)) for name, device in devices.items()
    }

    async def work() -> None:
        keys = Keys()
        async with table(tmp_path, rows, {"shoe": "shuffler", "shuffler": "shoe"}, keys) as at:
            await until(lambda: all(at.status(name).state.get("offered_key") for name in rows), PATIENCE_S)
            offered = {name: bytes.fromhex(str(at.status(name).state["offered_key"])) for name in rows}
            keys |= {"shoe": offered["shuffler"], "shuffler": offered["shoe"]}
            await until(lambda: at.are_swapped("shoe", "shuffler"), PATIENCE_S)
            assert "answers with the key of shuffler" in at.status("shoe").why

    run(work)


def _on_port(device: SabotLinkDevice) -> Callable[[], Any]:
    return lambda: DeviceOnPort(device)
