"""The floor's service holds its own program against the signed manifest before it opens anything (PROG-6)."""

from pathlib import Path

import pytest

from sabot.cli import main
from sabot.firmware.integrity import installation
from small_medium import board

SETTINGS = """\
store = "{folder}/none.db"
key = "{folder}/none.key"
[broker]
host = "localhost"
port = 1
ca = "{folder}/ca"
certificate = "{folder}/crt"
key = "{folder}/key"
"""


@pytest.fixture
def words(tmp_path: Path) -> list[str]:
    (tmp_path / "floor.toml").write_text(SETTINGS.format(folder=tmp_path))
    return ["floor", "run", str(tmp_path / "floor.toml")]


def test_prog_6_a_floor_of_a_release_that_was_changed_does_not_begin(
    tmp_path: Path, words: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = board(tmp_path / "board")
    monkeypatch.setattr(installation, "here", lambda: where)
    assert main(words) == 2
    good = capsys.readouterr()
    assert ("as it was signed" in good.out, "E-FLOOR-019" in good.err) == (
        True,
        True,
    )  # then it wants its key

    (where.site / "sabot/rules/cards.py").write_text("CHANGED = True\n")

    assert main(words) == 2
    changed = capsys.readouterr()
    assert ("E-VERIFY-005" in changed.err, "sabot/rules/cards.py was changed" in changed.err) == (True, True)
    assert changed.out == ""


def test_prog_6_a_floor_of_a_development_installation_says_so(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert "which nobody signed" in capsys.readouterr().out
