"""Chapters as they lie in their files, to be changed and read."""

import copy
from pathlib import Path
from typing import Any

import pytest

from sabot.config.chapter_file import read_chapter
from sabot.config.errors import ConfigError
from sabot.config.feasibility import verify_possible
from sabot.config.loader import HERE, ChapterLaw
from sabot.config.reader import read_toml

Raw = dict[str, Any]
FILE = "chapter.toml"


def raw(chapter: str) -> Raw:
    return copy.deepcopy(read_toml(HERE / "chapters" / f"{chapter}.toml"))


def read(data: Raw) -> None:
    verify_possible(read_chapter(FILE, data), FILE)


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


def refused_with(folder: Path, name: str, instead: str) -> str:
    """What is said of a chapter of one's own in which a name was written otherwise, without its file."""
    text = (Path(__file__).parent / "ours/chapters/tcp.toml").read_text(encoding="utf-8")
    (folder / "chapters").mkdir()
    file = folder / "chapters/tcp.toml"
    file.write_text(text.replace(name, instead))

    with pytest.raises(ConfigError) as caught:
        ChapterLaw(folder).chapter("tcp")
    assert str(file) in str(caught.value)
    return str(caught.value).replace(str(file), "FILE")
