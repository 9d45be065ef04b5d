"""A GPIO module that is not ours, named as docs/devices.md says: by option and by environment."""

import asyncio
import re
from pathlib import Path

import pytest

from sabot.drivers.lines.driver import LinesDriver
from sabot.drivers.options import Value
from sabot.statemachine.vocabulary.events import Key, KeyPressed

from . import foreign_gpio
from .linehost import PIN, LinesHost

MODULE = "tests.drivers.lines.foreign_gpio"
PAGE = Path(__file__).parents[3] / "docs" / "devices.md"


@pytest.mark.parametrize("by", ["option", "environment"])
def test_lines_of_a_module_that_is_not_ours_are_read_driven_and_left_safe(
    by: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Value] = {"module": MODULE if by == "option" else "RPi.GPIO"}
    if by == "environment":
        monkeypatch.setenv("SABOT_GPIO_MODULE", MODULE)

    async def whole() -> None:
        host = LinesHost()
        host.driver = LinesDriver("lines", options, host)  # type: ignore[arg-type]
        await host.driver.start()
        for name in ("door", "lock_at_rest"):
            foreign_gpio.drive(PIN[name], 0)
        await host.until(lambda: host.driver.status().is_up and not host.driver.status().state["door"])
        foreign_gpio.drive(PIN["key_ok"], 0)
        assert (await host.first(KeyPressed)).key is Key.OK
        foreign_gpio.drive(PIN["key_ok"], 1)
        assert foreign_gpio.outputs.keys() == {PIN[name] for name in ("lock_open", "healthy", "hit", "call")}
        await host.driver.stop()
        assert foreign_gpio.edges == {}

    asyncio.run(asyncio.wait_for(whole(), 30))


def test_the_page_names_what_such_a_module_must_have_and_nothing_else() -> None:
    section = PAGE.read_text("utf-8").partition("## A GPIO module of your own")[2].partition("\n## ")[0]
    named = set(re.findall(r"^\| `(\w+)", section, re.MULTILINE))
    constants = {"BCM", "IN", "OUT", "BOTH", "PUD_UP", "PUD_DOWN", "PUD_OFF"}
    functions = {"setwarnings", "setmode", "setup", "add_event_detect", "input", "output", "cleanup"}
    assert named | constants == functions | constants
    assert all(f"`{each}`" in section for each in constants)
    assert all(hasattr(foreign_gpio, each) for each in functions | constants)
