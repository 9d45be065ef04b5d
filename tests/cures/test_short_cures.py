"""A short form of ``make cures``; and that it finds a cure whose step is damaged."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sabot.statemachine import cures
from tests.statemachine.walk.setups import WAYS

from .instead import tried
from .run import CONTROLS, Count, cure, main

if TYPE_CHECKING:
    from pathlib import Path

    from tests.statemachine.walk.setups import Way

SOME = WAYS[::13]


@pytest.mark.parametrize("way", SOME, ids=str)
def test_policy_the_printed_steps_end_each_hold(way: Way) -> None:
    found = cure(way, every=23)

    assert found.told == []
    assert found.cured > 20


@pytest.mark.parametrize("way", SOME, ids=str)
def test_policy_what_may_be_done_instead_can_be_done(way: Way) -> None:
    count, wrong = tried(way, every=61)

    assert wrong == []
    assert count > 5


def test_a_line_instead_that_nobody_has_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tuple(row._replace(words=row.words.replace("TAKE OVER", "TAKE AWAY")) for row in cures.INSTEAD)
    monkeypatch.setattr(cures, "INSTEAD", rows)

    assert any("TAKE AWAY is in no list" in why for why in tried(SOME[0], every=61)[1])


@pytest.mark.parametrize("control", [name for name in CONTROLS if name])
def test_a_cure_whose_step_is_damaged_is_found(control: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cures, "CURES", cures.CURES)
    CONTROLS[control]()

    assert cure(WAYS[0], every=17).wrong


def test_a_run_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = tmp_path / "cures.json"
    done = {str(way): {"phases": 1, "cured": 2, "objections": {}, "told": []} for way in WAYS}
    state.write_text(json.dumps(done), "utf-8")

    assert main(["--state", str(state)]) == 0
    assert capsys.readouterr().out.startswith(f"{2 * len(WAYS)} faults cured in {len(WAYS)} phases")


def test_an_unknown_way_is_said() -> None:
    assert main(["--way", "nonsense"]) == 2
    assert Count().report(0).startswith("0 faults")
