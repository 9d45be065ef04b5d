"""Settings from a card that anybody may have written: few names, bounded text, checked before they replace anything."""

import os
from pathlib import Path

import pytest

from sabot.firmware.slots import prepare_start, settings
from sabot.firmware.slots.prepare_start import Entrance
from sabot.firmware.update.ask_release import ReleaseAnswer
from sabot.firmware.update.errors import UpdateError

GOOD = {"table.toml": b'table = "1"\n', "submissions/one.toml": b"a = 1\n"}


def card(folder: Path, files: dict[str, bytes]) -> Path:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def test_what_a_card_has_is_read_by_its_names(tmp_path: Path) -> None:
    left = {
        "README.TXT": b"x",
        ".Trashes": b"",
        "System Volume Information/x": b"",
        "submissions/._one.toml": b"",
    }
    assert settings.read(card(tmp_path, GOOD | left)) == GOOD


@pytest.mark.parametrize(
    "name",
    [
        "run.sh",
        "table.toml.bak",
        "release.pub",
        "law.d/x.toml",
        "a/b c.toml",
        "-x.toml",
        "x" * 70 + ".toml",
        "table.py",
    ],
)
def test_a_name_that_no_settings_have_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UpdateError, match="E-UPDATE-016"):
        settings.read(card(tmp_path, GOOD | {name: b""}))


def test_a_folder_in_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="no settings are named"):
        settings.read(card(tmp_path, GOOD | {"law/deeper/x.toml": b""}))


@pytest.mark.parametrize("data", [b"a = ", b"\xff\xfe", b"[" * 5000, b"x = 1\0"])
def test_what_is_no_toml_is_refused(tmp_path: Path, data: bytes) -> None:
    with pytest.raises(UpdateError, match="is no TOML"):
        settings.read(card(tmp_path, GOOD | {"law/x.toml": data}))


def test_too_long_or_too_many_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UpdateError, match="at most"):
        settings.read(card(tmp_path / "long", GOOD | {"x.toml": b"#" * (settings.MOST_BYTES + 1)}))
    with pytest.raises(UpdateError, match="more than 64"):
        settings.read(card(tmp_path / "many", {f"n{number}.toml": b"" for number in range(65)}))


def test_a_link_or_a_pipe_is_followed_by_nobody(tmp_path: Path) -> None:
    card(tmp_path, GOOD)
    (tmp_path / "x.toml").symlink_to("/etc/passwd")
    with pytest.raises(UpdateError, match=r"x\.toml is no file"):
        settings.read(tmp_path)
    (tmp_path / "x.toml").unlink()
    os.mkfifo(tmp_path / "y.toml")
    with pytest.raises(UpdateError, match=r"y\.toml is no file"):
        settings.read(tmp_path)


def test_what_the_card_no_longer_has_goes_and_the_key_stays(tmp_path: Path) -> None:
    settings.lay({**GOOD, "old/gone.toml": b""}, tmp_path)
    (tmp_path / "release.pub").write_bytes(b"key")
    settings.clear(tmp_path, GOOD)
    assert settings.now(tmp_path) == GOOD
    assert (tmp_path / "release.pub").read_bytes() == b"key"
    assert not (tmp_path / "old").exists()


class Release:
    """What a release answers to `sabot check`."""

    def __init__(self, code: int = 0) -> None:
        self.code = code
        self.asked: list[tuple[str, ...]] = []

    def __call__(self, _release: Path, _owner: object, *words: str) -> ReleaseAnswer:
        self.asked.append(words)
        if words[0] == "check":
            assert Path(words[1]).parent.joinpath("submissions/one.toml").exists()
        return ReleaseAnswer(self.code, "", "E-CONF-001 table.toml: no")


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Release:
    made = Release()
    monkeypatch.setattr(prepare_start, "ask", made)
    return made


def entrance(said: list[str]) -> Entrance:
    return Entrance(Path("/nowhere"), None, said.append)


def test_settings_that_pass_their_check_are_taken_once(tmp_path: Path, release: Release) -> None:
    said: list[str] = []
    from_card, board = card(tmp_path / "card", GOOD), tmp_path / "board"
    board.mkdir()
    assert entrance(said).take_settings(from_card, board)
    assert settings.now(board) == GOOD
    assert not entrance(said).take_settings(from_card, board)
    assert [words[0] for words in release.asked] == ["check"]


def test_settings_that_fail_their_check_leave_what_was_there(tmp_path: Path, release: Release) -> None:
    release.code = 2
    board = card(tmp_path / "board", {"table.toml": b"old = 1\n"})
    with pytest.raises(UpdateError, match="E-CONF-001"):
        entrance([]).take_settings(card(tmp_path / "card", GOOD), board)
    assert settings.now(board) == {"table.toml": b"old = 1\n"}


def test_an_empty_card_takes_nothing_away(tmp_path: Path, release: Release) -> None:
    said: list[str] = []
    board = card(tmp_path / "board", GOOD)
    (tmp_path / "card").mkdir()
    assert not entrance(said).take_settings(tmp_path / "card", board)
    assert settings.now(board) == GOOD
    assert release.asked == []
    assert "no table file" in said[0]
