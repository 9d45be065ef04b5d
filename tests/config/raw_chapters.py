"""Chapters as they lie in their files, to be changed and read."""

import copy
from typing import Any

import pytest

from sabot.config.chapter_file import read_chapter
from sabot.config.errors import ConfigError
from sabot.config.feasibility import verify_possible
from sabot.config.loader import HERE
from sabot.config.reader import read_toml

Raw = dict[str, Any]


def raw(chapter: str) -> Raw:
    return copy.deepcopy(read_toml(HERE / "chapters" / f"{chapter}.toml"))


def read(data: Raw) -> None:
    verify_possible(read_chapter("ours/x.toml", data), "ours/x.toml")


def refused(data: Raw, code: str) -> str:
    with pytest.raises(ConfigError) as caught:
        read(data)
    assert caught.value.kind.code == code, str(caught.value)
    return str(caught.value)


def put(data: Raw, path: tuple[Any, ...], value: object) -> Raw:
    part: Any = data
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return data
