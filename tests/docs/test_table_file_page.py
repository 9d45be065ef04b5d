"""docs/table-file.md holds every key of the reader with its bound and default, and every option of a driver."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from sabot.config.errors import ConfigError
from sabot.config.reader import Section
from sabot.config.table_file import POLICIES, TableFile, read_table_file
from sabot.drivers.registry import load
from table_file_page import PAGE, page

ROOT = Path(__file__).resolve().parents[2]
FILE = str(ROOT / "config" / "tables" / "pa641a-auto_shoe.toml")
ROW = re.compile(r"^\| `([a-z_.]+|device\.NAME\.driver)` \| .+ \| (.+) \| (.+) \|$", re.MULTILINE)
NEEDED = "needed"


class Row(NamedTuple):
    bound: str
    default: str


def rows() -> dict[str, Row]:
    """The rows of the first table of the page."""
    text = PAGE.read_text(encoding="utf-8")
    part = text[text.index("## The keys") : text.index("## What is known")]
    return {key: Row(bound, default.strip("`")) for key, bound, default in ROW.findall(part)}


KEYS = rows()
VALUES: dict[str, Callable[[TableFile], object]] = {
    "simulated": lambda file: file.is_simulated,
    "law": lambda file: file.law.folder,
    "smallest_chip_cents": lambda file: file.smallest_chip_cents,
    "idle_after_min": lambda file: file.idle_after_min,
    "cards.declared_floor_cents": lambda file: file.declared_floor_cents,
    "cards.one_machine": lambda file: file.one_machine,
    "storage.second": lambda file: file.storage.second,
    "storage.retention_days": lambda file: file.storage.retention_days,
    "day.starts": lambda file: "{:02}:{:02}".format(*divmod(file.day.starts_min, 60)),
    "day.zone": lambda file: file.day.zone,
    "floor.socket": lambda file: file.floor and file.floor.socket,
    "slips.most": lambda file: file.slips.most,
    "slips.within_min": lambda file: file.slips.within_s // 60,
    **{f"policies.{name}": lambda file, name=name: file.policies[name] for name in POLICIES},  # type: ignore[misc]
}


def data() -> dict[str, Any]:
    """A table file in which every part stands."""
    content = tomllib.loads(Path(FILE).read_text(encoding="utf-8"))
    content["policies"] = dict.fromkeys(POLICIES, False)
    content["slips"] = {"most": 2, "within_min": 5}
    content["floor"] = {"key": "ab" * 32, "socket": "/run/x", "links": {"prog5": "pit"}}
    content["device"] = {"NAME": {"driver": "escpos", "port": "/dev/x"}} | {
        "lines": content["device"]["lines"]
    }
    content["device"]["name"] = content["device"].pop("NAME")
    return content


def put(content: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    """The content with another value at a key, or without the key (None)."""
    *above, last = key.replace("NAME", "name").split(".")
    part = content
    for name in above:
        part = part[name]
    part.pop(last, None)
    if value is not None:
        part[last] = value
    return content


def read(content: dict[str, Any]) -> TableFile:
    return read_table_file(FILE, content, lambda driver, place: load(driver, place).schema)


def test_the_options_of_every_driver_are_as_its_schema_has_them() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
    for name in ("alpha", "angel-eye", "escpos", "lines", "sabot-link", "sabot-pads"):
        for option in load(name).schema:
            assert f"| `{option.name}` | " in page()


def test_the_page_has_every_key_that_the_reader_asks_for_and_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: set[str] = set()
    contains = Section.__contains__

    def noted(self: Section, key: str) -> bool:
        if self.file == FILE and not isinstance(self.data.get(key), dict):
            asked.add(f"{self.path}.{key}" if self.path else key)
        return contains(self, key)

    monkeypatch.setattr(Section, "__contains__", noted)
    read(data())
    named = ("device.", "floor.links.")  # by the name of a device or a meter
    keys = {key for key in asked if not key.startswith(named)} | {"device.NAME.driver"}

    assert "device.name.driver" in asked
    assert set(KEYS) == keys


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_needed_or_has_the_default_that_the_page_names(key: str) -> None:
    content = put(data(), key, None)
    if KEYS[key].default == NEEDED:
        with pytest.raises(ConfigError, match=f"E-CONF-003 .*'{key.rpartition('.')[2]}' is missing"):
            read(content)
    else:
        assert str(VALUES[key](read(content))).lower() == KEYS[key].default.lower()


@pytest.mark.parametrize("part", ["policies", "day", "slips"])
def test_a_part_that_is_left_out_is_as_if_each_of_its_keys_were(part: str) -> None:
    content = data()
    del content[part]
    file = read(content)

    for key in KEYS:
        if key.startswith(f"{part}."):
            assert str(VALUES[key](file)).lower() == KEYS[key].default.lower()


@pytest.mark.parametrize("key", KEYS)
def test_a_value_out_of_its_bound_is_refused_in_the_words_of_the_page(key: str) -> None:
    bound = KEYS[key].bound
    wrong: object = "\0 no such thing at all" if key != "device.NAME.driver" else ""

    with pytest.raises(ConfigError) as refused:
        read(put(data(), key, wrong))

    assert refused.value.kind.code in {"E-CONF-004", "E-CONF-014"}
    assert bound in str(refused.value)
    assert key.rpartition(".")[2] in str(refused.value)


@pytest.mark.parametrize("key", [key for key in KEYS if "whole number" in KEYS[key].bound])
def test_a_number_is_taken_at_its_bounds_and_refused_beyond_them(key: str) -> None:
    low, high = map(int, re.findall(r"[0-9]+", KEYS[key].bound))

    for value in (low, high):
        assert VALUES[key](read(put(data(), key, value))) == value
    for value in (low - 1, high + 1):
        with pytest.raises(ConfigError, match="E-CONF-004"):
            read(put(data(), key, value))
