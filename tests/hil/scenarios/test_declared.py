"""Scenarios in which no device reads the cards: people look, and declare what lies there and nothing else."""

from pathlib import Path

import pytest

from calling import sabot

from .witness import main

PATIENCE_S = 500.0
DECLARING = (
    "pa641a.11(c)(5) the dealer declares a hit where nobody reads the cards",
    "pa682a our policy: a card that was not read and did not lie face up",
    "pa683a.11 a round, auto_shoe_reshuffle",
)


def test_x_11c_in_each_scenario_people_declare_what_they_see(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One where nothing is read, some where a part is; a run of them all is judged by the same witness."""
    record = tmp_path / "record.json"
    words = ["hil", "run", "--jobs", "2", "--json", str(record)]
    answer = sabot(*words, *(w for name in DECLARING for w in ("--scenario", name)), patience_s=PATIENCE_S)
    assert answer.code == 0, answer.out + answer.err
    assert main(record) == 0
    told = capsys.readouterr().out
    assert f"{len(DECLARING)} scenarios, {len(DECLARING)} declared" in told
