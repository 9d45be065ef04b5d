"""What a bundle for a floor is made of: nothing of the rig, in no file and under no name."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from make_bundle import (
    ALWAYS,
    DESK,
    ON_A_FLOOR,
    RIG,
    MissingError,
    copy_tree,
    download,
    main,
    wanted,
    why_not,
)
from sabot.firmware.commands import COMMANDS

EXAMPLE = Path(__file__).parents[2] / "config" / "tables" / "pa679a-hand.toml"


def offered(folder: Path) -> dict[str, str]:
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: dict[str, str] = project["entry-points"]["sabot.drivers"]
    return found


def test_a_bundle_for_a_floor_has_no_input_for_a_slip(tmp_path: Path) -> None:
    copy_tree(tmp_path, ON_A_FLOOR)

    assert "stumble" not in offered(tmp_path)
    assert offered(tmp_path).keys() >= {"lines", "sabot-link", "sabot-pads"}
    assert not list(tmp_path.rglob("stumble*"))
    assert not (tmp_path / "src" / "sabot" / RIG).exists()


def test_a_bundle_with_the_rig_has_it(tmp_path: Path) -> None:
    copy_tree(tmp_path, (*ON_A_FLOOR, RIG))

    assert offered(tmp_path)["stumble"] == "sabot.hil.stumble:KIND"
    assert (tmp_path / "src" / "sabot" / "hil" / "stumble.py").is_file()


def asked(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Call ``sabot`` of a folder that was laid out, with nothing of the checkout in its way."""
    program = "from sabot.cli import main; sys.exit(main())"
    place = f"import sys; sys.path[:0] = [{str(folder / 'src')!r}, {sysconfig.get_path('purelib')!r}]; "
    order = [sys.executable, "-ISc", place + program, *words]
    return subprocess.run(order, capture_output=True, text=True, check=False)


def test_a_bundle_without_the_desk_has_the_commands_of_the_board_and_no_others(tmp_path: Path) -> None:
    copy_tree(tmp_path, [name for name in ON_A_FLOOR if name != DESK])

    offered = asked(tmp_path, "--help").stdout
    assert "    selftest " in offered
    assert " settle " not in offered
    for name in COMMANDS:
        assert f"usage: sabot {name}" in asked(tmp_path, name, "--help").stdout, name
    refused = asked(tmp_path, "settle")
    assert (refused.returncode, "E-CLI-015 sabot: there is no COMMAND 'settle'" in refused.stderr) == (
        2,
        True,
    )
    assert asked(tmp_path, "check", str(EXAMPLE)).returncode == 0


def test_the_rig_is_not_carried_without_the_desk(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--with-rig", "--without-desk"])
    assert "the rig's commands are those of the desk" in capsys.readouterr().err


def test_a_bundle_has_the_link_to_the_floor_whole(tmp_path: Path) -> None:
    """Whatever a linked table, its uplink and the floor's service import is in the tree, and what they speak with."""
    copy_tree(tmp_path, ON_A_FLOOR)
    modules = (
        "firmware.run.floor_link",
        "desk.commands.floor",
        "uplink.carrier",
        "floor.program",
        "floor.postgres_store",
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path / 'src')!r}); " + "; ".join(
        f"import sabot.{each} as m; assert m.__file__.startswith({str(tmp_path)!r})" for each in modules
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path
    )

    assert done.stderr == ""
    assert {path.name for path in (tmp_path / "src/sabot/floor/page").iterdir()} >= {
        "pit.html",
        "pit.js",
        "pit.css",
    }
    assert any(each.startswith("paho-mqtt") for each in wanted(ALWAYS))


# ---------------------------------------------------------------- what is missing is said


def test_what_has_no_wheel_is_named_with_the_way_to_build_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(MissingError) as missing:
        download(tmp_path, ["lgpio>=0.2.2.0"], (), "3.13")
    assert str(missing.value).startswith(
        "there is no wheel of lgpio>=0.2.2.0 for Python 3.13 on that machine"
    )
    assert "PYPI=1 pip wheel --no-deps 'lgpio==0.2.2.0' --wheel-dir wheels" in str(missing.value)
    assert str(missing.value).endswith("--wheels wheels")


def test_a_wheel_that_was_built_for_the_board_is_carried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    (tmp_path / "wheels").mkdir()
    name = "lgpio-0.2.2.0-cp313-cp313-linux_aarch64.whl"
    with zipfile.ZipFile(tmp_path / "wheels" / name, "w") as wheel:
        info = "lgpio-0.2.2.0.dist-info"
        wheel.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: lgpio\nVersion: 0.2.2.0\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nTag: cp313-cp313-linux_aarch64\n")
        wheel.writestr(f"{info}/RECORD", "")
    platforms = ("manylinux_2_34_aarch64", "linux_aarch64")
    download(tmp_path / "into", ["lgpio>=0.2.2.0"], platforms, "3.13", tmp_path / "wheels")
    assert [path.name for path in (tmp_path / "into").iterdir()] == [name]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--extra", "gpi"], "there is no extra 'gpi'; there are dev, floor, gpio, practice, sign, uplink"),
        (["--wheels", "."], "no wheel lies in ."),
        (["--key", "no.key"], "E-VERIFY-013 no.key: this is no release key that signs (No such file"),
        (
            ["--new-key", "no/x.key"],
            "no/x.key cannot be written (No such file or directory): the folder is missing",
        ),
        (["--new-key", "old.key"], "old.key is there already: a release key is made once"),
    ],
)
def test_what_is_missing_is_a_line_and_no_traceback(
    words: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old.key").touch()
    assert main(words) == 2
    assert said in capsys.readouterr().err


def test_whatever_else_pip_says_is_handed_on() -> None:
    assert why_not("ERROR: a\nERROR: no room\n", "3.11") == "pip could not fetch what Sabot needs: no room"
    assert why_not("", "3.11").endswith("it said nothing")
