"""The units, by systemd's own tools on an installed tree; skipped where a machine has no systemd."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from sabot.cli import all_commands
from sabot.firmware.update import units
from sabot.firmware.update.layout import InstallationLayout
from small_medium import KEY, public_pem

ROOT = Path(__file__).resolve().parents[2]
UNITS = ROOT / "systemd"
ANALYZE = shutil.which("systemd-analyze")
needs_systemd = pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed here")
MOST_EXPOSED = {
    "sabot.service": 1.5,
    "sabot-console@.service": 1.5,
    "sabot-update.service": 2.5,
    "sabot-uplink.service": 1.5,
    "sabot-floor.service": 1.5,
}


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> InstallationLayout:
    """What `make install DESTDIR=...` lays out, on a system with systemd's own units and the programs named."""
    if ANALYZE is None:
        pytest.skip("systemd-analyze is not installed here")
    root = tmp_path_factory.mktemp("destdir")
    layout = InstallationLayout(root=root)
    release = layout.releases / "1.0.0"
    shutil.copytree(UNITS, release / "systemd")
    layout.settings.mkdir(parents=True)
    layout.release_key.write_bytes(public_pem(KEY))
    layout.prepare()
    layout.switch(release)
    units.install(layout, release)
    shutil.copytree("/usr/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True)
    for name in ("opt/sabot/releases/1.0.0/venv/bin/python", "bin/stty", "bin/rm"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n", encoding="ascii")
        path.chmod(0o755)
    return layout


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    assert ANALYZE is not None
    return subprocess.run([ANALYZE, *words], capture_output=True, text=True, check=False, timeout=60)


def service_of(name: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in (UNITS / name).read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            found.setdefault(key, []).append(value)
    return found


@needs_systemd
@pytest.mark.parametrize("name", [name.replace("@", "@ttyUSB0") for name in MOST_EXPOSED])
def test_systemd_has_nothing_to_say_about_the_installed_tree(tree: InstallationLayout, name: str) -> None:
    done = analyze("verify", "--man=no", f"--root={tree.root}", name)

    assert done.stdout + done.stderr == ""
    assert done.returncode == 0


@needs_systemd
def test_systemd_would_have_said_something_about_a_slip(tree: InstallationLayout) -> None:
    unit = tree.root / "etc/systemd/system/sabot-slip.service"
    unit.write_text("[Service]\nTyppe=notify\nExecStart=/bin/rm\n", encoding="utf-8")
    try:
        assert "Unknown key 'Typpe'" in analyze("verify", "--man=no", f"--root={tree.root}", unit.name).stderr
    finally:
        unit.unlink()


@needs_systemd
@pytest.mark.parametrize("name", list(MOST_EXPOSED))
def test_the_sandbox_leaves_little_exposed(tree: InstallationLayout, name: str) -> None:
    path = tree.root / "etc/systemd/system" / name
    done = analyze(
        "security", "--offline=true", f"--threshold={int(MOST_EXPOSED[name] * 10)}", "--no-pager", str(path)
    )

    exposure = re.search(r"exposure level for .*: ([0-9.]+)", done.stdout)
    assert exposure
    assert float(exposure[1]) <= MOST_EXPOSED[name]
    assert done.returncode == 0


@needs_systemd
def test_users_and_folders_are_those_that_the_units_name(tree: InstallationLayout, tmp_path: Path) -> None:
    shutil.copytree(tree.root / "etc", tmp_path / "etc", symlinks=True)
    for tool, folder in (("systemd-sysusers", "sysusers.d"), ("systemd-tmpfiles", "tmpfiles.d")):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed here")
        words = [tool, f"--root={tmp_path}", *(["--create"] if folder == "tmpfiles.d" else [])]
        done = subprocess.run([*words, "sabot.conf"], capture_output=True, text=True, check=False, timeout=60)
        said = [line for line in done.stderr.splitlines() if not line.startswith("Creating ")]
        assert (done.returncode, said) == (0, [])
    users = (tmp_path / "etc/passwd").read_text(encoding="utf-8")
    groups = (tmp_path / "etc/group").read_text(encoding="utf-8")
    for name in ("sabot.service", "sabot-console@.service", "sabot-uplink.service", "sabot-floor.service"):
        service = service_of(name)
        assert f"{service['User'][0]}:" in users
        for group in " ".join(service.get("SupplementaryGroups", [])).split():
            assert f"{group}:" in groups or group == "tty"
    assert (tmp_path / "var/lib/sabot").is_dir()
    assert (tmp_path / "var/lib/sabot-update").stat().st_mode & 0o777 == 0o770


def test_the_program_is_watched_and_left_safe() -> None:
    service = service_of("sabot.service")

    assert service["Type"] == ["notify"]
    assert float(service["WatchdogSec"][0]) <= 10
    assert service["RestartPreventExitStatus"] == ["2"]
    assert "-m sabot safe-outputs" in service["ExecStopPost"][0]


@pytest.mark.parametrize("name", list(MOST_EXPOSED))
def test_policy_no_secret_of_a_unit_reaches_a_medium_and_none_takes_the_board(name: str) -> None:
    service = service_of(name)

    assert service["MemorySwapMax"] == ["0"]
    assert service["LimitCORE"] == ["0"]
    assert int(service["MemoryMax"][0].removesuffix("M")) <= 512
    assert int(service["TasksMax"][0]) <= 64
    assert service["UMask"] in (["0077"], ["0022"])


def test_605a_8_the_uplink_has_the_network_and_nothing_of_the_table() -> None:
    service = service_of("sabot-uplink.service")

    assert service["RestrictAddressFamilies"] == ["AF_UNIX AF_INET AF_INET6"]
    assert "-/var/lib/sabot" in service["InaccessiblePaths"][0].split()
    assert "SupplementaryGroups" not in service
    assert service["PrivateDevices"] == ["yes"]


def test_605a_8_the_floor_keeps_its_own_and_the_table_may_reach_its_uplink() -> None:
    service = service_of("sabot-floor.service")

    assert service["StateDirectory"] == ["sabot-floor"]
    assert "-/var/lib/sabot" in service["InaccessiblePaths"][0].split()
    assert service["PrivateDevices"] == ["yes"]
    assert "-/run/sabot-link" in " ".join(service_of("sabot.service")["ReadWritePaths"]).split()


def test_what_hardware_needs_stays_open() -> None:
    service = service_of("sabot.service")

    assert "AF_NETLINK" in service["RestrictAddressFamilies"][0].split()
    assert "PrivateNetwork" not in service
    assert "PrivateDevices" not in service
    assert service["WorkingDirectory"] == [f"/run/{service['RuntimeDirectory'][0]}"]
    assert {"char-gpiochip rw", "char-usb_device rw", "char-ttyUSB rw", "char-ttyACM rw"} <= set(
        service["DeviceAllow"]
    )


def test_the_console_takes_the_port_from_a_login() -> None:
    unit = service_of("sabot-console@.service")

    assert unit["Conflicts"] == ["serial-getty@%i.service"]
    assert unit["StandardInput"] == ["tty"]
    assert unit["TTYPath"] == ["/dev/%I"]
    # Questions for a PIN and refusals are written there too: in the journal nobody at the port would see them.
    assert (unit["StandardOutput"], unit["StandardError"]) == (["tty"], ["tty"])


def test_every_command_of_a_unit_is_a_command_of_sabot() -> None:
    lines = "\n".join(path.read_text(encoding="utf-8") for path in UNITS.glob("*.service"))
    named = re.findall(r"^Exec\w+=.* -m sabot (\S+)", lines, re.MULTILINE)

    assert set(named) == {"run", "safe-outputs", "console", "update", "floor"}
    assert set(named) <= set(all_commands())


def test_device_rules_are_whole_lines_with_a_way_to_every_label() -> None:
    lines = (UNITS / "udev/70-sabot.rules").read_text(encoding="utf-8").splitlines()
    rules = [line for line in lines if line and not line.startswith("#")]
    labels = {found for line in rules for found in re.findall(r'LABEL="(\w+)"', line)}

    assert {found for line in rules for found in re.findall(r'GOTO="(\w+)"', line)} <= labels
    for rule in rules:
        for part in rule.split(", "):
            assert re.fullmatch(r'[A-Z_]+(\{[\w/]+\})?(==|!=|=|\+=)"[^"]*"', part), part


@pytest.mark.skipif(shutil.which("udevadm") is None, reason="udevadm is not installed here")
def test_udev_reads_the_rules() -> None:
    if (
        "verify"
        not in subprocess.run(["udevadm", "--help"], capture_output=True, text=True, check=False).stdout
    ):
        pytest.skip("this udevadm cannot verify rules (systemd 254 can)")
    done = subprocess.run(
        ["udevadm", "verify", str(UNITS / "udev/70-sabot.rules")], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_unit_is_left_behind_by_the_tables_of_the_installer() -> None:
    shipped = {path for path in UNITS.rglob("*") if path.is_file()}
    placed = {path for pattern in units.PLACES for path in UNITS.glob(pattern)}

    assert placed == shipped
    assert json.dumps(sorted(path.name for path in shipped)).count("sabot") == len(shipped)
