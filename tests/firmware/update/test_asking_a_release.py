"""A release is asked in a process of its own: a real environment with a small program, made without pip."""

import os
import venv
import zipfile
from pathlib import Path

import pytest

from sabot.firmware.update.ask_release import StateOwner, ask, owner_of, try_out, verify_closed
from sabot.firmware.update.environment import site_of
from sabot.firmware.update.errors import UpdateError

from .small_release import wheel


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("good"), "1.2.0")


def made(folder: Path, version: str) -> Path:
    wheel(folder, version)
    venv.EnvBuilder(symlinks=True).create(folder / "venv")
    [file] = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(site_of(folder))
    return folder


def table(folder: Path, text: str) -> Path:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "is_stopped", "said"),
    [
        ('phase = "bets_open"', False, "E-UPDATE-006 .*bets open"),
        ("is_running = true", True, "E-UPDATE-015"),
        ("is_closing = false", True, "E-UPDATE-007 .*after its last signed head"),
        ("no = table", False, "E-UPDATE-007 .*Invalid value"),
    ],
)
def test_a_table_that_is_not_closed_is_named(
    release: Path, tmp_path: Path, text: str, is_stopped: bool, said: str
) -> None:
    with pytest.raises(UpdateError, match=said):
        verify_closed(release, None, table(tmp_path, text), is_stopped=is_stopped)


@pytest.mark.parametrize(
    ("text", "is_stopped"),
    [("", True), ("is_running = true", False), ("is_closing = false", False)],
)
def test_a_table_that_is_closed_is_not_objected_to(
    release: Path, tmp_path: Path, text: str, is_stopped: bool
) -> None:
    verify_closed(release, None, table(tmp_path, text), is_stopped=is_stopped)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ""),
        ("check = 3", "sabot check: exit code 3"),
        ('bad_version = "1.2.0"', "sabot selftest: E-JRNL-003 it does not know the journal"),
    ],
)
def test_what_a_release_objects_to_at_this_table_is_told(
    release: Path, tmp_path: Path, text: str, said: str
) -> None:
    assert try_out(release, None, table(tmp_path, text)) == said


def test_what_a_release_finds_wrong_with_itself_is_told(tmp_path: Path) -> None:
    assert try_out(made(tmp_path, "1.3.0"), None, None) == "sabot verify: the small release is bad"


def test_a_release_that_cannot_be_asked_says_why(tmp_path: Path) -> None:
    asked = ask(tmp_path, None, "verify")

    assert asked.code == -1
    assert "No such file" in asked.last_words
    with pytest.raises(UpdateError, match=r"E-UPDATE-007 .*No such file"):
        verify_closed(tmp_path, None, tmp_path / "table.toml", is_stopped=False)


def test_only_root_asks_as_the_owner_of_the_state(tmp_path: Path) -> None:
    found = tmp_path.stat()
    is_root = os.geteuid() == 0

    assert owner_of(tmp_path) == (StateOwner(found.st_uid, found.st_gid) if is_root else None)
    assert owner_of(tmp_path / "none") is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_a_release_is_asked_as_the_owner_of_the_state(tmp_path: Path) -> None:
    (tmp_path / "venv/bin").mkdir(parents=True)
    who = tmp_path / "venv/bin/python"
    who.write_text("#!/bin/sh\nid -u; id -g\n", encoding="ascii")
    who.chmod(0o755)
    for folder in (tmp_path, *tmp_path.parents[:3]):
        folder.chmod(0o755)

    assert ask(tmp_path, StateOwner(12345, 54321), "verify").out.split() == ["12345", "54321"]
