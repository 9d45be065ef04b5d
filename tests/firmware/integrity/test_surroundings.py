"""What puts itself before a release without being a file of it keeps the table closed, or is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.file_walk import files_below
from sabot.firmware.integrity.installation import Installation
from sabot.firmware.integrity.surroundings import verify_no_drop_ins, verify_surroundings
from small_medium import board

CONFIGURED = "home = /usr/bin\nversion = 3.11.7\n"


@pytest.fixture
def where(tmp_path: Path) -> Installation:
    return board(tmp_path / "root")


def configure(where: Installation, text: str) -> None:
    assert where.release is not None
    (where.release / "venv/pyvenv.cfg").write_text(text, encoding="utf-8")


def test_policy_a_board_as_it_was_installed_has_nothing_before_its_release(where: Installation) -> None:
    verify_surroundings(where, {"PATH": "/usr/bin", "PYTHONDONTWRITEBYTECODE": "1"})


@pytest.mark.parametrize("name", ["LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"])
def test_policy_a_library_before_the_others_keeps_the_table_closed(where: Installation, name: str) -> None:
    with pytest.raises(VerifyError, match=rf"E-VERIFY-011 .*{name} is set"):
        verify_surroundings(where, {name: "/tmp/x.so"})


def test_policy_the_loaders_own_list_keeps_the_table_closed(where: Installation) -> None:
    (where.root / "etc/ld.so.preload").write_text("/tmp/x.so\n", encoding="ascii")

    with pytest.raises(VerifyError, match=r"E-VERIFY-011 .*ld\.so\.preload"):
        verify_surroundings(where, {})


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ("include-system-site-packages = true\n", "lets in packages"),
        ("pythonpath = /tmp\n", "says pythonpath"),
    ],
)
def test_policy_an_environment_that_takes_packages_from_elsewhere_keeps_the_table_closed(
    where: Installation, more: str, words: str
) -> None:
    configure(where, CONFIGURED + more)

    with pytest.raises(VerifyError, match=rf"E-VERIFY-011 .*{words}"):
        verify_surroundings(where, {})


@pytest.mark.parametrize(
    "path", ["etc/systemd/system/sabot.service.d/more.conf", "run/systemd/system/service.d/x.conf"]
)
def test_policy_drop_ins_of_the_units_are_said(where: Installation, path: str) -> None:
    for each in (where.root / "etc/systemd/system/sabot.service.d").iterdir():
        each.unlink()
    verify_no_drop_ins(where)
    (where.root / path).parent.mkdir(parents=True, exist_ok=True)
    (where.root / path).write_text("[Service]\nEnvironment=LD_PRELOAD=/tmp/x.so\n", encoding="ascii")

    with pytest.raises(VerifyError, match=rf"E-VERIFY-012 .*{Path(path).name}"):
        verify_no_drop_ins(replace(where))


def test_policy_a_link_back_to_its_own_folder_is_an_answer_and_no_endless_walk(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/file").touch()
    (tmp_path / "a/b/up").symlink_to(tmp_path / "a")

    with pytest.raises(VerifyError, match=r"E-VERIFY-009 .*leads back"):
        list(files_below(tmp_path))
