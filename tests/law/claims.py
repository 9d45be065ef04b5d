"""Whether what the ledger names is in the repository: keys, functions and tests.

A name in a ledger is worth nothing when it can go stale. Chapter files are asked for the key, and
modules are parsed, not imported, so that a test is found by its name and not by a pattern.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]

TABLE_PATH = re.compile(r"(\S+\.toml):\[([\w.-]+)\]")
PYTHON_PATH = re.compile(r"(\S+\.py):([\w.]+)")


def not_there(where: str) -> str | None:
    """Return what is wrong with a `held` path, None when the thing exists in the repository."""
    if found := TABLE_PATH.fullmatch(where):
        return _absent(found[1], found[2], _has_key)
    if found := PYTHON_PATH.fullmatch(where):
        return _absent(found[1], found[2], _has_name)
    return f"{where}: neither path.toml:[key] nor path.py:name"


def no_test(test: str) -> str | None:
    """Return what is wrong with the name of a test, None when the function exists."""
    path, _, name = test.partition("::")
    dotted = name.partition("[")[0].replace("::", ".")
    if not dotted.rpartition(".")[2].startswith("test"):
        return f"{test}: names no test function"
    return _absent(path, dotted, _has_name)


def _absent(path: str, name: str, has: Callable[[Path, str], bool]) -> str | None:
    file = ROOT / path
    if not file.is_file():
        return f"{path}: no such file"
    return None if has(file, name) else f"{path}: has no {name}"


def _has_name(path: Path, dotted: str) -> bool:
    """Tell whether a module defines a function, class, method or constant."""
    return dotted in _names(path)


def _has_key(path: Path, dotted: str) -> bool:
    """Tell whether a TOML file has a key; in an array of tables any table will do."""
    found: list[Any] = [_toml(path)]
    for key in dotted.split("."):
        tables = [t for f in found for t in (f if isinstance(f, list) else [f])]
        found = [t[key] for t in tables if isinstance(t, dict) and key in t]
    return bool(found)


@cache
def _toml(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@cache
def _names(path: Path) -> frozenset[str]:
    """Return the functions, classes, methods and constants which a module defines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return frozenset(_defined(tree.body, ""))


def _defined(body: list[ast.stmt], prefix: str) -> Iterator[str]:
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield prefix + node.name
        if isinstance(node, ast.ClassDef):
            yield from _defined(node.body, f"{prefix}{node.name}.")
        if isinstance(node, ast.Assign):
            yield from (prefix + t.id for t in node.targets if isinstance(t, ast.Name))
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield prefix + node.target.id
