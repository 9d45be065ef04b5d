import sys
from pathlib import Path

import pytest

from sabot.config.salvage import Salvaged
from sabot.firmware.commands.run import table_of
from sabot.firmware.devices.listing import options_of
from sabot.firmware.integrity import drivers
from sabot.firmware.integrity.drivers import load, load_convention, verify_driver
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.manifest import Manifest
from small_medium import board

OWN = {"alpha": "sabot.drivers.alpha:KIND"}


def manifest() -> Manifest:
    return Manifest("1.0", "3.11", "linux_x86_64", 1, OWN, (), ())


def offer(folder: Path, text: str) -> None:
    """A package that somebody put on the board."""
    info = folder / "evil-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n", encoding="utf-8")
    (info / "entry_points.txt").write_text(f"[sabot.drivers]\n{text}\n", encoding="utf-8")


def test_a_driver_that_the_manifest_names_may_load() -> None:
    verify_driver("alpha", manifest())


def test_a_driver_that_it_does_not_name_may_not() -> None:
    with pytest.raises(VerifyError, match="E-VERIFY-006") as caught:
        verify_driver("escpos", manifest())

    assert "the release knows alpha" in str(caught.value)


def test_another_package_that_offers_the_same_name_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    offer(tmp_path, "alpha = evil.sign:KIND")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])

    with pytest.raises(VerifyError, match="E-VERIFY-007") as caught:
        verify_driver("alpha", manifest())

    assert "evil.sign:KIND" in str(caught.value)


def test_a_release_imports_nothing_of_a_driver_that_it_does_not_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = board(tmp_path / "medium")
    offer(tmp_path, "spy = spying:KIND")
    (tmp_path / "spying.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(drivers, "here", lambda: where)

    for command in (load, load_convention, options_of):
        with pytest.raises(VerifyError, match="E-VERIFY-006"):
            command("spy")
    assert load("alpha").name == load_convention("alpha").name == "alpha"


def test_a_table_that_names_such_a_driver_keeps_its_other_devices_to_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    where = board(tmp_path / "medium")
    offer(tmp_path, "spy = spying:KIND")
    (tmp_path / "spying.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(drivers, "here", lambda: where)
    example = Path(__file__).parents[3] / "config" / "tables" / "pa641a-hand.toml"
    text = example.read_text(encoding="utf-8").replace('"submissions/', f'"{example.parent}/submissions/')
    table = tmp_path / "table.toml"
    table.write_text(text.replace('driver = "escpos"', 'driver = "spy"'), encoding="utf-8")

    found = table_of(table)

    assert isinstance(found, Salvaged)
    assert found.wrong.kind.code == "E-VERIFY-006"
    assert "E-VERIFY-006" in capsys.readouterr().err
    assert {each.driver for each in found.devices} == {"alpha"}


def test_in_development_any_installed_driver_loads() -> None:
    assert load("lines").name == "lines"


def test_without_a_manifest_to_believe_only_our_own_drivers_load_to_show_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where = board(tmp_path / "medium")
    where.release_key.unlink()
    offer(tmp_path, "spy = spying:KIND")
    (tmp_path / "spying.py").write_text("raise SystemExit('imported')\n", encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    monkeypatch.setattr(drivers, "here", lambda: where)

    assert load("escpos").name == "escpos"
    with pytest.raises(VerifyError, match="E-VERIFY-004"):
        load("spy")
