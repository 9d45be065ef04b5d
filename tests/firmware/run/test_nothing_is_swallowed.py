"""The code is read for exceptions that vanish: whoever catches everything raises it again or hands it on."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = ("rules", "statemachine", "config", "drivers", "firmware", "floor")
EVERYTHING = {"Exception", "BaseException"}
# To hand an exception on is to call one of these with it.
HEARERS = {"broke", "slipped", "_slipped", "_stop_over", "_end_reading", "_tell", "_alone", "set_exception"}
# The last steps of a program that stops already: what breaks in one is logged, and costs no other.
LAST_STEPS = {
    ("firmware/run/safe_stop.py", "_attempt"): "a step of the stop itself",
    ("firmware/run/driver_guard.py", "_lock_once_more"): "a driver that broke already is asked once more",
    ("firmware/run/driver_guard.py", "_leave"): "a driver that broke already is let go of",
}
# Who may begin tasks and threads: the supervisor tasks, and the two media's writers a thread each.
BEGINNERS = {
    "firmware/run/supervisor.py": {"create_task"},
    "firmware/journal/writer.py": {"Thread"},
    "firmware/journal/mirror.py": {"Thread"},
    # At a desk, beside no running program.
    "firmware/devices/line_actions.py": {"ensure_future"},
    "desk/demo/follower.py": {"Thread"},
    "firmware/console/client.py": {"Thread"},
}


class Place(NamedTuple):
    """A piece of code, and the function that it stands in."""

    file: str
    function: str
    node: ast.AST

    def __str__(self) -> str:
        return f"{self.file}:{getattr(self.node, 'lineno', 0)} {self.function}"


def nodes(kind: type[ast.AST]) -> Iterator[Place]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield from nodes_of(path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8"), kind)


def nodes_of(file: str, text: str, kind: type[ast.AST]) -> Iterator[Place]:
    tree = ast.parse(text)
    yield from _within(file, "", tree, kind)


def _within(file: str, function: str, node: ast.AST, kind: type[ast.AST]) -> Iterator[Place]:
    for child in ast.iter_child_nodes(node):
        name = child.name if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)) else function
        if isinstance(child, kind):
            yield Place(file, name, child)
        yield from _within(file, name, child, kind)


def catches_everything(type_: ast.expr | None) -> bool:
    """Return whether a handler names nothing that it expects; a name of a value may be anything."""
    if type_ is None:
        return True
    if isinstance(type_, ast.Tuple):
        return any(catches_everything(each) for each in type_.elts)
    name = type_.attr if isinstance(type_, ast.Attribute) else getattr(type_, "id", "")
    return name in EVERYTHING or (name.lstrip("_").islower() and name != "error")  # termios.error is a class


def hands_on(handler: ast.ExceptHandler) -> bool:
    inside = [node for statement in handler.body for node in ast.walk(statement)]
    if any(isinstance(node, ast.Raise) for node in inside):
        return True
    calls = (node for node in inside if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute))
    return any(
        call.func.attr in HEARERS and any(getattr(each, "id", "") == handler.name for each in call.args)
        for call in calls
        if isinstance(call.func, ast.Attribute)
    )


def swallowed(places: Iterator[Place]) -> list[str]:
    return [
        str(place)
        for place in places
        if isinstance(place.node, ast.ExceptHandler)
        and catches_everything(place.node.type)
        and not hands_on(place.node)
        and place[:2] not in LAST_STEPS
    ]


def test_whoever_catches_everything_raises_it_again_or_hands_it_on() -> None:
    assert swallowed(nodes(ast.ExceptHandler)) == []


def test_nothing_is_suppressed_without_a_name() -> None:
    for place in nodes(ast.Call):
        call = place.node
        assert isinstance(call, ast.Call)
        function = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if function == "suppress":
            assert not any(catches_everything(each) for each in call.args), str(place)


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n try: g()\n except Exception: pass",
        "def f():\n try: g()\n except: log.error('x')",
        "def f():\n try: g()\n except (ValueError, BaseException) as error: log.error(error)",
        "def f():\n try: g()\n except self._caught as error: return",
        "def f():\n try: g()\n except Exception as error: self.broke()",
    ],
)
def test_what_swallows_is_found(text: str) -> None:
    assert swallowed(nodes_of("x.py", text, ast.ExceptHandler)) == ["x.py:3 f"]


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n try: g()\n except OSError: pass",
        "def f():\n try: g()\n except Exception as error: raise Ours from error",
        "def f():\n try: g()\n except Exception as error: self.broke(error)",
    ],
)
def test_what_names_or_hands_on_is_not(text: str) -> None:
    assert swallowed(nodes_of("x.py", text, ast.ExceptHandler)) == []


def test_every_last_step_is_one() -> None:
    found = {place[:2] for place in nodes(ast.ExceptHandler)}

    assert LAST_STEPS.keys() <= found


def beginnings() -> Iterator[tuple[Place, str]]:
    for place in nodes(ast.Call):
        function = getattr(place.node, "func", None)
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name in ("create_task", "ensure_future", "Thread", "start_new_thread"):
            yield place, name


def test_one_supervisor_owns_all_tasks_of_the_program() -> None:
    for place, name in beginnings():
        if place.file.startswith("firmware"):
            assert name in BEGINNERS.get(place.file, ()), str(place)


def test_a_drivers_task_tells_whoever_watches_over_the_loop() -> None:
    """Its threads end in an event, and what they do not expect goes through their door (drivers/threads.py)."""
    sources = {place.file: (ROOT / place.file).read_text(encoding="utf-8") for place, _ in beginnings()}
    for place, name in beginnings():
        if place.file.startswith("drivers") and name != "Thread":
            function = next(
                each.node
                for each in nodes_of(place.file, sources[place.file], ast.FunctionDef)
                if each.function == place.function
            )
            assert "add_done_callback(complain)" in ast.unparse(function), str(place)
        elif place.file.startswith("drivers"):
            assert "self._door.broke(error)" in sources[place.file], str(place)
