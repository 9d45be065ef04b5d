"""One device's part of a table file written anew, every other line of the file left as somebody wrote it.

The text is edited and not the data, so that comments stay; the result is parsed and held against what was
meant, and where it is anything else nothing is written.
"""

import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from sabot.config.errors import ConfigError
from sabot.config.reader import read_toml, text_of
from sabot.drivers.options import Value
from sabot.firmware.credentials.atomic_files import write_whole
from sabot.firmware.errors import CommandError

_KEY = re.compile(r"\s*([A-Za-z0-9_-]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^#\s]+)(\s*(?:#.*)?)$")
_READABLE = 0o644


def section_text(name: str, driver: str, values: Mapping[str, Value]) -> str:
    """Return a part as it stands in a file."""
    lines = [f"[device.{name}]", f"driver = {_written(driver)}"]
    return "\n".join([*lines, *(f"{key} = {_written(value)}" for key, value in values.items())]) + "\n"


def _written(value: Value) -> str:
    # JSON and TOML write these values alike: numbers, true and false, strings in double quotes.
    return json.dumps(value)


def write_section(path: Path, name: str, driver: str, values: Mapping[str, Value]) -> None:
    """Replace these options of a device in a table file, whole or not at all."""
    is_there = path.exists()
    text = text_of(path) if is_there else ""
    data = read_toml(path) if is_there else {}
    changed = with_section(text, name, driver, values)
    if _parsed(changed) != _meant(data, name, driver, values):
        why = f"the part [device.{name}] is written in a way that is not changed by hand of a program"
        raise CommandError("E-CLI-013", str(path), why=why)
    try:
        write_whole(path, changed.encode(), path.stat().st_mode & 0o777 if is_there else _READABLE)
    except OSError as error:
        raise CommandError("E-CLI-005", str(path), why=error.strerror or error) from error


def _meant(
    data: Mapping[str, object], name: str, driver: str, values: Mapping[str, Value]
) -> dict[str, object]:
    devices = data.get("device", {})
    if not isinstance(devices, dict):
        raise ConfigError("E-CONF-004", "[device]", key="device", value=devices, bound="a table")
    part = {"driver": driver, **devices.get(name, {}), **values}
    return {**data, "device": {**devices, name: part}}


def _parsed(text: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None


def with_section(text: str, name: str, driver: str, values: Mapping[str, Value]) -> str:
    """Return the text with these options in the part of a device, added where there is none."""
    lines = text.splitlines()
    # All that TOML allows in a head: blanks around its words, quotes around the name, a comment behind.
    head = re.compile(rf"\s*\[\s*device\s*\.\s*[\"']?{re.escape(name)}[\"']?\s*\]\s*(#.*)?$")
    start = next((number for number, line in enumerate(lines) if head.match(line)), None)
    if start is None:
        gap = "\n" if text and not text.endswith("\n\n") else ""
        return (
            f"{text.rstrip()}\n{gap}{section_text(name, driver, values)}"
            if text
            else section_text(name, driver, values)
        )
    end = next((n for n in range(start + 1, len(lines)) if lines[n].lstrip().startswith("[")), len(lines))
    # Comments and blank lines before the next head are the next part's.
    while end > start + 1 and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    part = list(_part(lines[start + 1 : end], values))
    return "\n".join([*lines[: start + 1], *part, *lines[end:]]) + "\n"


def _part(lines: list[str], values: Mapping[str, Value]) -> Iterator[str]:
    left = dict(values)
    for line in lines:
        found = _KEY.match(line)
        if found is None or found[1] not in left:
            yield line
        else:
            yield f"{found[1]} = {_written(left.pop(found[1]))}{found[3]}"
    yield from (f"{key} = {_written(value)}" for key, value in left.items())
