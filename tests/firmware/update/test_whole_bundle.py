"""The real thing from end to end: bundles of this tree as `make bundle` builds them, installed, run, updated.

Slow (two wheels are built, their dependencies fetched, four environments made), so it runs where it is asked
for: ``make install-test``.
"""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from plain_table import plain_table
from sabot import __version__
from sabot.firmware.credentials.board import FLOOR, Rooms, prepare
from sabot.firmware.credentials.people import People, Person
from sabot.firmware.credentials.pins import Cost
from sabot.statemachine.vocabulary.events import Role

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_S = 300
NEWER = "99.1.0"

pytestmark = pytest.mark.skipif(not os.environ.get("SABOT_BUNDLE"), reason="slow: make install-test")


def run(*words: str | Path, code: int = 0, stdin: str = "") -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        list(map(str, words)), input=stdin, capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two signed bundles, and a board on which the first of them is installed."""
    folder = tmp_path_factory.mktemp("bench")
    tool = (sys.executable, "-I", ROOT / "tools/make_bundle.py")
    run(*tool, "--new-key", folder / "release.key")
    for version in ((), ("--as-version", NEWER)):
        run(*tool, "--key", folder / "release.key", "--out", folder / "dist", *version)
    first = (sys.executable, "-Im", "sabot.firmware.update.first_install")
    where = ("--prefix", folder / "opt/sabot", "--sysconfdir", folder / "etc", "--bindir", folder / "bin")
    run(*first, bundle(folder, __version__), *where, "--release-key", folder / "release.pub")
    state = folder / "state"
    (folder / "etc/sabot/table.toml").write_text(plain_table(state), encoding="utf-8")
    prepare(Rooms(state), FLOOR)
    people = People(Rooms(state).people, time.monotonic, Cost(2, 1, 1))
    asyncio.run(people.enrol(Person("11", "Ann", Role.FLOOR), "31415"))
    asyncio.run(people.enrol(Person("42", "Bo", Role.TECHNICIAN), "16180"))
    return folder


def bundle(folder: Path, version: str) -> Path:
    return next((folder / "dist").glob(f"sabot-{version}-*.bundle"))


def sabot(
    folder: Path, *words: str | Path, code: int = 0, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    return run(folder / "bin/sabot", *words, code=code, stdin=stdin)


def work(folder: Path) -> None:
    """The program of the table, from its start until it was ready, and stopped as the service stops it."""
    address = str(folder / "notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(address)
        manager.settimeout(30)
        words = [str(folder / "bin/sabot"), "run", str(folder / "etc/sabot/table.toml")]
        runtime = folder / "run"
        runtime.mkdir(exist_ok=True)
        environment = {**os.environ, "NOTIFY_SOCKET": address, "RUNTIME_DIRECTORY": str(runtime)}
        with subprocess.Popen(
            words, env=environment, stdout=subprocess.PIPE, text=True, cwd=runtime
        ) as program:
            said = manager.recv(4096).decode()
            program.send_signal(signal.SIGTERM)
            out, _ = program.communicate(timeout=30)
        Path(address).unlink()
    assert "READY=1" in said
    assert "out of service" not in said
    assert program.returncode == 0, out


def test_the_wheel_for_a_floor_has_no_rig_in_it(bench: Path) -> None:
    site = next((bench / "opt/sabot/current/venv/lib").glob("python*")) / "site-packages"

    assert (site / "sabot/firmware").is_dir()
    assert not (site / "sabot/hil").exists()
    assert not list(site.glob("pip*"))
    run(bench / "opt/sabot/current/venv/bin/python", "-I", "-c", "import sabot.hil", code=1)
    manifest = json.loads(
        next((bench / "opt/sabot/current").rglob("manifest.json")).read_text(encoding="utf-8")
    )
    assert "stumble" not in manifest["drivers"]


def test_a_release_has_uplink_and_floor_with_their_units(bench: Path) -> None:
    """Each starts as its unit starts it, and says what it misses: there are no settings yet."""
    release = bench / "opt/sabot/current"
    for unit, settings in (
        ("sabot-uplink", "/etc/sabot/uplink.toml"),
        ("sabot-floor", "/etc/sabot-floor/floor.toml"),
    ):
        text = (release / f"systemd/{unit}.service").read_text(encoding="utf-8")
        start = next(line for line in text.splitlines() if line.startswith("ExecStart=")).split()
        _, _, *words = start
        done = run(release / "venv/bin/python", "-I", *words, code=2)
        assert f"{settings}" in done.stderr
        assert f"ConditionPathExists={settings}" in text
    run(release / "venv/bin/python", "-I", "-c", "import sabot.firmware.run.floor_link, paho.mqtt.client")


def test_a_release_runs_verifies_and_is_the_same_from_outside(bench: Path) -> None:
    challenge = "00112233445566778899aabbccddeeff"
    work(bench)
    report = sabot(bench, "selftest", bench / "etc/sabot/table.toml").stdout
    told = sabot(bench, "verify", "--json", "--challenge", challenge).stdout
    (bench / "board.json").write_text(told, encoding="utf-8")

    tool = (
        sys.executable,
        "-I",
        ROOT / "tools/digest_medium.py",
        "/",
        "--release",
        bench / "opt/sabot/current",
    )
    found = json.loads(run(*tool, "--names", bench / "board.json", "--challenge", challenge, "--json").stdout)

    assert "journal      good" in report
    assert "closed with a signed head" in report
    for name in ("groups", "sha256", "hmac"):
        assert found[name] == json.loads(told)[name]
    assert json.loads(told)["troubles"] == []
    assert not json.loads(told)["development"]
    sabot(bench, "verify", "--recompile")


def test_a_board_is_updated_brought_back_and_repaired(bench: Path) -> None:
    work(bench)
    words = ("update", bundle(bench, NEWER), "--no-service")
    assert f"Sabot {NEWER} runs." in sabot(bench, *words).stdout
    work(bench)
    assert sabot(bench, "--version").stdout == f"sabot {NEWER}\n"

    older = ("update", bundle(bench, __version__), "--no-service")
    assert "E-UPDATE-004" in sabot(bench, *older, code=2).stderr
    agreed = (*older, "--roles", "11,42", "--because", "a try")
    assert "E-UPDATE-010" in sabot(bench, *agreed, code=2, stdin="31415\n99999\n").stderr
    sabot(bench, *agreed, stdin="31415\n16180\n")
    work(bench)
    assert sabot(bench, "--version").stdout == f"sabot {__version__}\n"

    cards = (
        next((bench / "opt/sabot/current/venv/lib").glob("python*")) / "site-packages/sabot/rules/cards.py"
    )
    cards.write_text(cards.read_text(encoding="utf-8") + "# evil\n", encoding="utf-8")
    assert "sabot/rules/cards.py was changed" in sabot(bench, "verify", code=1).stderr
    table = bench / "etc/sabot/table.toml"
    assert "E-VERIFY-005" in sabot(bench, "selftest", table, code=1).stdout
    sabot(bench, *older, "--again")
    sabot(bench, "verify")
    sabot(bench, "selftest", table)
