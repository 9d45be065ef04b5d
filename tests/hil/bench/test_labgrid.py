"""labgrid's side of the bench: the network serial port, the switch, and, where labgrid is, a scenario."""

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from sabot.hil.bench.serial_server import SerialServer
from sabot.hil.bench.switch import GROUP, SERIAL, off
from sabot.hil.scenarios.rig import names, read_rig
from tests.terminals import open_terminals

LABGRID = os.environ.get("LABGRID_PYTHON", "")


def test_bytes_go_both_ways_between_line_and_network(tmp_path: Path) -> None:
    async def talk() -> tuple[bytes, bytes]:
        before = open_terminals()
        line = SerialServer(tmp_path / SERIAL)
        server = await line.serve(0)
        board = os.open(tmp_path / SERIAL, os.O_RDWR | os.O_NOCTTY)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        writer.write(b"status\r")
        await writer.drain()
        heard = await asyncio.wait_for(asyncio.to_thread(os.read, board, 100), 20)
        os.write(board, b"locked> ")
        said = await asyncio.wait_for(reader.readexactly(8), 20)
        writer.close()
        server.close()
        os.close(board)
        line.close()
        assert open_terminals() == before
        return heard, said

    heard, said = asyncio.run(talk())
    assert heard == b"status\r"
    assert said == b"locked> "
    assert not (tmp_path / SERIAL).is_symlink()


def test_the_switch_takes_everything_away_that_has_its_power(tmp_path: Path) -> None:
    board = subprocess.Popen(["/bin/sh", "-c", "sleep 100 & sleep 100"], start_new_session=True)
    (tmp_path / GROUP).write_text(str(board.pid))
    (tmp_path / "console.sock").touch()
    off(tmp_path)
    assert board.wait(20) == -9
    assert not (tmp_path / "console.sock").exists()


def test_a_switch_that_is_off_can_be_switched_off(tmp_path: Path) -> None:
    off(tmp_path)


@pytest.mark.parametrize("name", [name for name in names() if name.startswith("bench")])
def test_every_file_that_a_bench_names_is_there(name: str) -> None:
    rig = read_rig(name)
    folder = Path(sys.modules["sabot.hil.scenarios.rig"].RIGS)
    for file in (rig.own["labgrid"]["environment"], rig.own["board"].get("plan", "sim.toml")):
        assert (folder / file).exists()


def test_without_labgrid_the_rig_says_what_is_missing() -> None:
    words = ["hil", "run", "--target", "bench-process", "--scenario", "pa679a.11 a round, hand"]
    done = subprocess.run(
        [sys.executable, "-m", "sabot", *words],
        capture_output=True,
        text=True,
        env={**os.environ, "LABGRID_PYTHON": "/nowhere/python"},
        timeout=120,
        check=False,
    )
    assert done.returncode != 0
    assert "Traceback" not in done.stdout + done.stderr
    assert "/nowhere/python" in done.stdout + done.stderr


@pytest.mark.skipif(
    not LABGRID, reason="LABGRID_PYTHON names no interpreter with labgrid (make hil-bench has one)"
)
def test_a_power_cut_by_labgrid(tmp_path: Path) -> None:
    words = ["hil", "run", "--target", "bench-process", "--scenario", "power cut in a round, hand"]
    record = tmp_path / "record.json"
    done = subprocess.run(
        [sys.executable, "-m", "sabot", *words, "--json", str(record)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    read = json.loads(record.read_text())
    assert read["environment"]["labgrid"].startswith("labgrid ")
