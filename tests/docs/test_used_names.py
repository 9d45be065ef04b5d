"""No name of the product is there for the tests alone: what only they use stands with them, or is gone.

A name counts as used where the product reads it, or names it in a text that is no docstring (``module:function``
of a rig's file, a row of a table). What a library calls by its own names, and what a convention's page lists, is
in the table below.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from test_glossary import trees

ROOT = Path(__file__).resolve().parents[2]
MOST_TEXT = 200
OTHER_FILES = ("hil/rigs/*.toml", "pyproject.toml", "systemd/*", "tools/*.py", "src/sabot/*.py")
# Files whose names are somebody else's: RPi.GPIO's, pyusb's, the server's of the standard library, the triggers
# that the rows of the machine declare, the bodies of commands that a table of names calls.
NOT_OURS = {
    "hil/simulators/gpio/__init__.py",
    "hil/simulators/usb_backend.py",
    "floor/web.py",
    "statemachine/state/phases.py",
    "hil/simulators/sabot_link/machine.py",
}
# Numbers of a page or of a standard, listed whole though not each is needed.
LISTED = {"WRONG_DEVICE", "_SUBMIT"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text) if len(text) < MOST_TEXT and "\n" not in text else []


def uses(tree: ast.Module) -> Counter[str]:
    """Count what a module reads, by name."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found[node.id] += 1
        elif isinstance(node, ast.Attribute):
            found[node.attr] += 1
        elif isinstance(node, ast.keyword) and node.arg:
            found[node.arg] += 1
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.update(words(node.value))
        if isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.Module)):
            found.subtract(words(ast.get_docstring(node, clean=False) or ""))
    return found


def names(tree: ast.Module) -> Iterator[str]:
    """Yield the names that a module gives: functions, classes with their methods, values."""
    for node in tree.body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node.name
        targets = node.targets if isinstance(node, ast.Assign) else []
        yield from (each.id for at in targets for each in ast.walk(at) if isinstance(each, ast.Name))
        if isinstance(node, ast.ClassDef):
            yield from (each.name for each in node.body if isinstance(each, FUNCTIONS))


def test_no_name_of_the_product_is_there_for_the_tests_alone() -> None:
    used: Counter[str] = Counter()
    for tree in trees().values():
        used.update(uses(tree))
    for pattern in OTHER_FILES:
        for path in filter(Path.is_file, ROOT.glob(pattern)):
            used.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    alone = {
        f"{path}: {name}"
        for path, tree in trees().items()
        if path not in NOT_OURS
        for name in names(tree)
        if used[name] <= 0 and not name.startswith("__") and name not in LISTED
    }

    assert not alone
