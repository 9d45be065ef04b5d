"""What counts as a mutant: a changed operator, and neither an annotation nor the star of an argument list."""

from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("cosmic_ray", reason="make mutants installs it")

MODULE = """
def area(width: int | None, *, height: int) -> dict[str, int]:
    rest = {"depth": 1}
    return {"area": width * height, **rest}
"""


def test_each_mutant_can_be_read_and_is_of_an_operator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(Path(__file__).parent)
    made = import_module("made")

    path = tmp_path / "area.py"
    path.write_text(MODULE)
    found = made.mutants(path)
    for mutant in found:
        compile(mutant.source(MODULE), "area.py", "exec")
    changed = {mutant.diff(MODULE)[1] for mutant in found}
    assert 'return {"area": width + height, **rest}' in changed
    assert {mutant.line for mutant in found} == {3, 4}
