"""Two cables in each other's ports with devices that are none of ours: a shuffler in C, a shoe, a sign, a display."""

from __future__ import annotations

import json
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from sabot.drivers import alpha, angel_eye, escpos, sabot_link
from sabot.firmware.credentials.devices import EnrolledDevices
from sabot.firmware.credentials.errors import KeepError
from sabot.statemachine.vocabulary.events import LinkLost
from tests.drivers.angel_eye.foreign_shoe import ForeignShoe
from tests.drivers.foreign_ends import Cable, ForeignDisplay, ForeignSign
from tests.drivers.port_table import PATIENCE_S, QUICK, Row, run, table
from tests.drivers.waiting import until
from tests.statemachine.shift import Shift

from .building import COMMON, LINE, Running, compiled, needs_compiler

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SWAPPED = "{} and {} are swapped: "
KINDS = ("display", "shoe", "shuffler", "sign")
PAIRS = list(combinations(KINDS, 2))


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    parts = (*COMMON, "link.c", "works.c", "port.c", "link_posix.c")
    return compiled(tmp_path_factory.mktemp("reference"), *parts)


@pytest.fixture
def shuffler(program: Path, tmp_path: Path) -> Iterator[Cable]:
    home = tmp_path / "c"
    home.mkdir()
    device = Running(program, home, *LINE)
    cable = Cable(device.port)
    yield cable
    cable.close()
    device.close()


def rows(pair: tuple[str, str], shuffler: Any) -> dict[str, Row]:
    """The drivers of two kinds, each with a device of somebody else's at the end of its cable."""
    ends: dict[str, Row] = {
        "shuffler": (sabot_link.KIND, {"authenticated": False}, lambda: shuffler),
        "shoe": (angel_eye.KIND, {**QUICK, "poll_s": 0.2}, ForeignShoe),
        "sign": (alpha.KIND, {**QUICK, "meters": "prog5.mega=MEGA", "settle_s": 0.0}, ForeignSign),
        "display": (escpos.KIND, {"refresh_s": 600.0}, ForeignDisplay),
    }
    return {name: ends[name] for name in pair}


@needs_compiler
@pytest.mark.parametrize("pair", PAIRS, ids=["-".join(pair) for pair in PAIRS])
def test_two_swapped_ports_of_foreign_devices_are_said_and_come_back(
    tmp_path: Path, shuffler: Cable, pair: tuple[str, str]
) -> None:
    one, other = pair

    async def work() -> None:
        async with table(tmp_path, rows(pair, shuffler), {one: other, other: one}) as at:
            await until(lambda: at.are_swapped(one, other), PATIENCE_S)
            for name in pair:
                assert SWAPPED.format(one, other) in at.status(name).why
            await until(lambda: all(at.around.lost(name)[-1:] == [at.status(name).why] for name in pair))
            at.exchange(one, other)
            await until(lambda: all(at.status(name).is_up for name in pair), PATIENCE_S)

    run(work)


@pytest.fixture
def twins(program: Path, tmp_path: Path) -> Iterator[tuple[list[Cable], bytes]]:
    """Two units to which a maker gave the same key."""
    homes = [tmp_path / "one", tmp_path / "two"]
    for home in homes:
        home.mkdir()
    devices = [Running(program, home, *LINE, "--key-file", str(tmp_path / "key")) for home in homes]
    cables = [Cable(device.port) for device in devices]
    assert devices[0].key == devices[1].key
    yield cables, devices[0].key
    for cable, device in zip(cables, devices, strict=True):
        cable.close()
        device.close()


@needs_compiler
@pytest.mark.parametrize(
    "names", [("shoe",), ("shoe", "shuffler")], ids=["enrolled once", "a file of before"]
)
def test_of_two_devices_that_prove_the_same_key_at_once_one_is_taken_and_the_table_is_held(
    tmp_path: Path, twins: tuple[list[Cable], bytes], names: tuple[str, ...]
) -> None:
    (first, second), key = twins
    keys = tmp_path / "devices.json"
    keys.write_text(json.dumps({"format": 1, "devices": dict.fromkeys(names, key.hex())}))
    machines: dict[str, Row] = {
        "shoe": (sabot_link.KIND, {}, lambda: first),
        "shuffler": (sabot_link.KIND, {}, lambda: second),
    }

    async def work() -> None:
        enrolled = EnrolledDevices(keys)
        async with table(tmp_path, machines, keys=enrolled) as at:  # type: ignore[arg-type]
            await until(lambda: at.status("shoe").is_up, PATIENCE_S)
            await until(lambda: at.status("shuffler").state.get("offered_key") == key.hex(), PATIENCE_S)
            await until(lambda: at.around.lost("shuffler"), PATIENCE_S)
            assert "enrolled" in at.status("shuffler").why
            assert not at.are_swapped("shoe")
            with pytest.raises(KeepError, match="E-KEEP-012"):
                await enrolled.enrol("shuffler", key)
            assert (at.status("shoe").is_up, at.status("shuffler").is_up) == (True, False)
            shift = Shift("pa641a")
            shift.open_table()
            shift.send(LinkLost, device="shuffler", reason=at.around.lost("shuffler")[-1])
            assert shift.prompt[0] == "HELD: DEVICE SILENT"

    run(work)
