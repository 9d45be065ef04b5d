"""Compiled files do not depend on what else the compiling process holds."""

import marshal
import sys

import pytest

from sabot.image.pyc import compiled

# Names and constants that nothing else in this process has, in every place of a code.
SOURCE = b'''
def first_unheard_of(argument_unheard_of, *, other_unheard_of="constant unheard of"):
    """Say something."""
    inner_unheard_of = argument_unheard_of.attribute_unheard_of
    if argument_unheard_of in {"one_unheard_of", "two_unheard_of", ("three_unheard_of", 4.5)}:
        return lambda: (inner_unheard_of, global_unheard_of)
    class Local_Unheard_Of:
        pass
    return other_unheard_of
'''
NAMES = ("first", "argument", "other", "inner", "attribute", "one", "two", "three", "global")


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_somebody_else_holds_too_changes_no_byte(name: str) -> None:
    bare = marshal.dumps(compile(SOURCE, "/x.py", "exec"))
    alone = compiled(SOURCE, "/x.py")
    held = sys.intern(f"{name}_unheard_of")
    assert compiled(SOURCE, "/x.py") == alone, held
    if name == "attribute":
        assert marshal.dumps(compile(SOURCE, "/x.py", "exec")) != bare, "the test would not see a difference"


def test_a_class_whose_name_another_module_has_changes_no_byte() -> None:
    alone = compiled(SOURCE, "/x.py")
    held = sys.intern("first_unheard_of.<locals>." + "Local_Unheard_Of")
    assert compiled(SOURCE, "/x.py") == alone, held


def test_a_compiled_file_runs_and_names_its_source() -> None:
    data = compiled(b"VALUE = {'a': (1, 2)}\n", "/usr/lib/x.py")
    code = marshal.loads(data[16:])
    found: dict[str, object] = {}
    exec(code, found)
    assert found["VALUE"] == {"a": (1, 2)}
    assert code.co_filename == "/usr/lib/x.py"
    # Flags: by a hash of the source, which nobody compares.
    assert data[4:8] == b"\1\0\0\0"
