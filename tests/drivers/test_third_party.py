"""The package of `docs/writing-a-driver.md`: installed as a stranger's would be, and at work on a terminal."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sabot.config.driver_options import options_of_words
from sabot.config.errors import ConfigError
from sabot.drivers import registry
from sabot.statemachine.vocabulary.effects import EndCall, RequireRole
from sabot.statemachine.vocabulary.events import Key, KeyPressed, LinkLost, LinkRestored, Role

from .waiting import until
from .wired_host import at_work, run

PACKAGE = Path(__file__).parent / "third_party"
PAGE = Path(__file__).parents[2] / "docs" / "writing-a-driver.md"
FILES = ("pyproject.toml", "call_lamp/codec.py", "call_lamp/driver.py", "call_lamp/__init__.py")


@dataclass
class Lamp:
    """The device, as its maker has it on the desk."""

    serial: str = "L-1"
    is_on: bool = False
    is_deaf: bool = False
    heard: list[str] = field(default_factory=list)
    write: Callable[[bytes], None] = print
    _kept: str = ""

    def attached(self, write: Callable[[bytes], None]) -> None:
        self.write = write

    def detached(self) -> None:
        self._kept = ""

    def received(self, data: bytes) -> None:
        *whole, self._kept = (self._kept + data.decode()).split("\n")
        for line in whole if not self.is_deaf else ():
            self._obey(line)

    def _obey(self, line: str) -> None:
        self.heard.append(line)
        if line == "WHO":
            self.write(f"I AM Lamps Ltd;CL-1;{self.serial};1.0\n".encode())
        elif line.startswith("LAMP"):
            self.is_on = line == "LAMP on"
            self.write(line.encode() + b"\n")

    def press(self) -> None:
        self.write(b"CALL\n")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an installer leaves in site-packages: the package, and the metadata that its project file says."""
    site = tmp_path_factory.mktemp("site")
    shutil.copytree(PACKAGE / "call_lamp", site / "call_lamp", ignore=shutil.ignore_patterns("__pycache__"))
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    name, version = project["name"], project["version"]
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{point} = {where}\n" for point, where in points.items())
        for group, points in project["entry-points"].items()
    ]
    (info / "entry_points.txt").write_text("\n".join(groups))
    return site


@pytest.fixture
def site(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(folder))
    return folder


@pytest.mark.usefixtures("site")
def test_the_registry_finds_the_package_and_its_options_are_checked_like_ours() -> None:
    kind = registry.load("call-lamp")
    assert kind.bus == "serial"
    assert registry.load_convention("call-lamp").line.baud == 9600
    assert options_of_words(["port=x", "poll_s=1"], kind.schema, "here")["poll_s"] == 1.0
    with pytest.raises(ConfigError, match=r"E-CONF-002.*'poll_s'"):
        options_of_words(["port=x", "pol_s=1"], kind.schema, "here")


@pytest.mark.usefixtures("site")
def test_it_is_greeted_called_lit_lost_and_found(tmp_path: Path) -> None:
    async def work() -> None:
        lamp = Lamp()
        kind = registry.load("call-lamp")
        async with at_work(kind, lamp, tmp_path / "lamp", {"poll_s": 0.1}, name="lamp") as bench:
            await bench.paper.has(LinkRestored)
            assert bench.driver.status().identity.serial == "L-1"

            lamp.press()
            (pressed,) = await bench.paper.has(KeyPressed)
            assert (pressed.key, pressed.source) == (Key.FLOOR, "lamp")

            bench.driver.perform(RequireRole(role=Role.FLOOR, why="a hit"))
            await until(lambda: lamp.is_on)

            bench.port.unplug()
            await bench.paper.has(LinkLost)
            lamp.is_on = False
            bench.port.plug_in()
            await bench.paper.has(LinkRestored, 2)
            assert lamp.is_on  # what was wanted is shown again before it counts as back

            bench.driver.perform(EndCall(role=Role.FLOOR))
            await until(lambda: not lamp.is_on)
            lamp.is_deaf = True
            await bench.paper.has(LinkLost, 2)
            lamp.is_deaf = False
            await bench.paper.has(LinkRestored, 3)
            bench.driver.perform(RequireRole(role=Role.FLOOR, why="a hit"))
            await until(lambda: lamp.is_on)
        assert not lamp.is_on

    run(work)


@pytest.mark.usefixtures("site")
def test_a_lamp_that_is_not_the_pinned_one_is_never_up(tmp_path: Path) -> None:
    async def work() -> None:
        kind = registry.load("call-lamp")
        async with at_work(kind, Lamp("L-2"), tmp_path / "lamp", {"pin_serial": "L-1"}, name="lamp") as bench:
            (lost,) = await bench.paper.has(LinkLost)
            assert "its serial is 'L-2', pinned is 'L-1'" in lost.reason
            assert not bench.paper.said(LinkRestored)

    run(work)


def test_the_commands_know_it_too(folder: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "sabot", "device", "list", "--json"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
        cwd=folder,
        timeout=60,
    )
    assert {"name": "call-lamp", "from": "call_lamp:KIND"} in json.loads(done.stdout)["drivers"]


@pytest.mark.usefixtures("site")
def test_its_codec_survives_noise_and_forgets_it() -> None:
    codec = registry.load_convention("call-lamp").codec({})
    assert codec.receive(bytes(range(256)) * 40) == []
    assert codec.statistics.buffer_high_water <= 64
    assert [line.words for line in codec.receive(b"\nCALL\nLAM")] == ["CALL"]
    assert [line.words for line in codec.receive(b"P on\n")] == ["LAMP on"]


def blocks() -> dict[str, str]:
    """The files of the page: a line that names each, then its block."""
    found = re.findall(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    return dict(found)


def test_the_page_shows_the_package_as_it_is() -> None:
    assert set(blocks()) == set(FILES)
    for name, text in blocks().items():
        assert text == (PACKAGE / name).read_text(), name


def test_each_thing_that_the_page_names_is_there() -> None:
    page = PAGE.read_text()
    for module, name in re.findall(r"`(sabot\.[a-z_.]+)\.([A-Z]\w+)`", page):
        assert hasattr(__import__(module, fromlist=[name]), name), f"{module}.{name}"
    for path in re.findall(r"\]\((?:\.\./)?([\w/.-]+\.md)\)", page):
        assert (PAGE.parent / path).exists() or (PAGE.parents[1] / path).exists(), path


@pytest.mark.usefixtures("site")
def test_a_driver_with_a_slip_is_a_lost_device_and_not_one_that_seems_to_be_up(tmp_path: Path) -> None:
    async def work() -> None:
        kind = registry.load("call-lamp")
        async with at_work(kind, Lamp(), tmp_path / "lamp", {"poll_s": 0.1}, name="lamp") as bench:
            await bench.paper.has(LinkRestored)
            bench.driver.options["poll_s"] = "soon"
            (lost,) = await bench.paper.has(LinkLost)
            assert lost.reason == "the driver broke: ValueError"
            bench.driver.options["poll_s"] = 0.1
            await bench.paper.has(LinkRestored, 2)

    run(work)
