import compileall
import importlib.util
import json
import py_compile
from pathlib import Path

import pytest

from sabot.firmware.integrity.compiled import not_of_their_source, recorded

UNCHECKED = py_compile.PycInvalidationMode.UNCHECKED_HASH
SOURCE = '''
"""A module with everything that a code object can hold."""
from functools import lru_cache
SETS = {"a" in {"a", "b", "c"}, 1.5, -0.0, None, ...}
class Thing:
    x: int = 1
    def method(self, *a, y=(1, 2, ("z", frozenset())), **k):
        return [each for each in a if each in {1, 2, 3}]
async def wait(x):
    async for each in x:
        yield each
@lru_cache
def match(value):
    match value:
        case {"a": [1, *rest]}:
            return rest
    try:
        return lambda: b"bytes"
    finally:
        pass
'''


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.py").write_text(SOURCE, encoding="utf-8")
    (tmp_path / "two.py").write_text("def f():\n    return 2\n", encoding="utf-8")
    for level in (0, 2):
        compileall.compile_dir(tmp_path, quiet=2, invalidation_mode=UNCHECKED, optimize=level)
    return tmp_path


def cache(folder: Path, name: str) -> Path:
    return Path(importlib.util.cache_from_source(str(folder / name)))


def test_what_was_compiled_from_its_source_is_good(folder: Path) -> None:
    assert list(folder.rglob("*.opt-2*.pyc"))
    assert list(not_of_their_source(folder)) == []


def test_a_file_compiled_from_something_else_is_found(folder: Path) -> None:
    evil = folder / "evil.py"
    evil.write_text("def f():\n    return 3\n", encoding="utf-8")
    head = cache(folder, "two.py").read_bytes()[:16]
    py_compile.compile(str(evil), invalidation_mode=UNCHECKED)
    cache(folder, "two.py").write_bytes(head + cache(folder, "evil.py").read_bytes()[16:])

    assert list(not_of_their_source(folder)) == [cache(folder, "two.py")]


def test_a_source_that_was_changed_under_its_compiled_file_is_found(folder: Path) -> None:
    (folder / "two.py").write_text("def f():\n    return 4\n", encoding="utf-8")

    assert cache(folder, "two.py") in list(not_of_their_source(folder))


def test_a_file_that_python_passes_over_is_passed_over(folder: Path) -> None:
    py_compile.compile(str(folder / "two.py"), invalidation_mode=py_compile.PycInvalidationMode.TIMESTAMP)
    (folder / "two.py").write_text("def f():\n    return 4444\n", encoding="utf-8")

    assert cache(folder, "two.py") not in list(not_of_their_source(folder))


def test_a_compiled_file_without_a_source_is_found(folder: Path) -> None:
    (folder / "three.pyc").write_bytes(cache(folder, "two.py").read_bytes())

    assert list(not_of_their_source(folder)) == [folder / "three.pyc"]


@pytest.mark.parametrize("content", [b"", b"short", bytes(16), bytes(16) + b"\xffjunk"])
def test_noise_is_found_and_harms_nobody(folder: Path, content: bytes) -> None:
    good = cache(folder, "two.py").read_bytes()[:16]
    cache(folder, "two.py").write_bytes(content if len(content) < 16 else good + content[16:])

    assert list(not_of_their_source(folder)) == [cache(folder, "two.py")]


@pytest.mark.parametrize("text", ["", "[]", "{", '{"a": 1}', '{"a": ["x", 1]}'])
def test_a_record_that_makes_no_sense_is_an_empty_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "compiled.json").write_text(text, encoding="utf-8")

    assert recorded(tmp_path) == {}


def test_a_record_is_read_as_it_was_kept(tmp_path: Path) -> None:
    (tmp_path / "compiled.json").write_text(json.dumps({"a.pyc": [3, "ff"]}), encoding="utf-8")

    assert recorded(tmp_path) == {"a.pyc": (3, "ff")}
