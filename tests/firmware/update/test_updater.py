"""Whole updates of small releases in real environments; nothing stands in for pip, links, units or processes."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.firmware.integrity.check import raise_differences
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.manifest import from_bytes
from sabot.firmware.update.ask_release import ask
from sabot.firmware.update.environment import site_of
from sabot.firmware.update.errors import UpdateError
from sabot.firmware.update.first_install import install, uninstall
from sabot.firmware.update.install_log import InstallLog
from sabot.firmware.update.layout import InstallationLayout
from sabot.firmware.update.take_release import one_at_a_time
from sabot.firmware.update.unit_service import Unmanaged
from sabot.firmware.update.updater import Updater, UpdateRequest
from sabot.rules.errors import SabotError
from small_medium import public_pem

from .small_release import bundle, layout


class Recorded(Unmanaged):
    """A service whose start can go wrong; what was asked of it is kept in order."""

    def __init__(self, *starts: str) -> None:
        self.asked: list[str] = []
        self._starts = list(starts)

    def stop(self) -> None:
        self.asked.append("stop")

    def start(self) -> str:
        self.asked.append("start")
        return self._starts.pop(0) if self._starts else ""


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("bundles")
    return {version: bundle(folder, version) for version in ("1.0.0", "1.1.0", "1.2.0", "1.3.0")}


@pytest.fixture(scope="module")
def installed(bundles: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An installation of 1.1.0, to be copied by each test: nothing in it says where it is."""
    folder = tmp_path_factory.mktemp("board")
    install(layout(folder), bundles["1.1.0"], None, folder / "bin")
    return folder


@pytest.fixture
def board(installed: Path, tmp_path: Path) -> InstallationLayout:
    shutil.copytree(installed, tmp_path, symlinks=True, dirs_exist_ok=True)
    (tmp_path / "opt/sabot/settings").unlink()
    return InstallationLayout(prefix=tmp_path / "opt/sabot", system=tmp_path / "etc")


def table(board: InstallationLayout, text: str = "") -> Path:
    path = board.settings / "table.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_key_is_pinned_only_with_a_bundle_that_it_has_signed(
    board: InstallationLayout, bundles: dict[str, Path], tmp_path: Path
) -> None:
    pinned, other = board.release_key.read_bytes(), tmp_path / "other.pub"
    other.write_bytes(public_pem(Ed25519PrivateKey.generate()))

    with pytest.raises(SabotError) as refused:
        install(board, bundles["1.2.0"], other, tmp_path / "bin")
    assert refused.value.kind.code == "E-UPDATE-002"
    assert board.release_key.read_bytes() == pinned

    other.write_bytes(pinned)
    board.release_key.unlink()
    install(board, bundles["1.2.0"], other, tmp_path / "bin")
    assert board.release_key.read_bytes() == pinned


def test_a_board_that_has_a_key_pinned_is_installed_from_signed_bundles_only(
    board: InstallationLayout, tmp_path: Path
) -> None:
    with pytest.raises(SabotError) as refused:
        install(board, bundle(tmp_path, "1.2.0", None), None, tmp_path / "bin")

    assert refused.value.kind.code == "E-UPDATE-002"
    assert board.current.resolve().name == "1.1.0"


def first_install(*words: str | Path) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-Im", "sabot.firmware.update.first_install"]
    return subprocess.run([*program, *map(str, words)], capture_output=True, text=True, check=False)


def test_the_program_that_installs_says_what_it_did(tmp_path: Path) -> None:
    where = ("--destdir", tmp_path, "--bindir", "/usr/bin")
    (tmp_path / "opt/sabot/releases").mkdir(parents=True)

    for words, code, said in (
        ((tmp_path / "none.bundle",), 2, "install: E-UPDATE-001"),
        ((), 2, "name a bundle"),
        (("--uninstall",), 0, f"Sabot is gone from {tmp_path}/opt/sabot; {tmp_path}/etc/sabot and the state"),
    ):
        done = first_install(*words, *where)
        assert done.returncode == code
        assert said in done.stdout + done.stderr
    assert not (tmp_path / "opt/sabot").exists()


def update(
    board: InstallationLayout, wish: UpdateRequest | Path, service: Unmanaged | None = None, text: str = ""
) -> str:
    diary = InstallLog(board.log, lambda _words: None)
    wanted = wish if isinstance(wish, UpdateRequest) else UpdateRequest(wish, again=False, agree=None)
    return Updater(board, table(board, text), None, service or Unmanaged(), diary).run(wanted)


def steps(board: InstallationLayout) -> list[str]:
    return [json.loads(line)["step"] for line in board.log.read_text(encoding="utf-8").splitlines()]


def unit(board: InstallationLayout) -> str:
    return (board.system / "systemd/system/sabot.service").read_text(encoding="utf-8")


def refused(
    board: InstallationLayout,
    wish: UpdateRequest | Path,
    code: str,
    text: str = "",
    service: Unmanaged | None = None,
) -> UpdateError:
    before = sorted(board.releases.iterdir())
    with pytest.raises(UpdateError) as caught:
        update(board, wish, service, text)
    assert caught.value.kind.code == code
    assert board.current.resolve().name == "1.1.0"
    assert "# 1.1.0" in unit(board)
    last = json.loads(board.log.read_text(encoding="utf-8").splitlines()[-1])
    assert (last["step"], last["code"]) == ("refused", code)
    assert sorted(board.releases.iterdir()) == before, "a release that was refused is left behind"
    return caught.value


def test_policy_what_an_update_left_that_was_cut_off_goes_with_the_next_one(
    board: InstallationLayout, bundles: dict[str, Path]
) -> None:
    (board.releases / ".incoming-x1/wheels").mkdir(parents=True)
    with pytest.raises(UpdateError):
        update(board, bundles["1.0.0"])
    assert [path.name for path in board.releases.iterdir()] == ["1.1.0"]


# ------------------------------------------------------------ the first release


def test_an_installation_is_the_release_and_nothing_else(board: InstallationLayout) -> None:
    release = board.current.resolve()
    manifest = from_bytes((release / "manifest.json").read_bytes())

    raise_differences(release, site_of(release), manifest)
    assert sorted(path.name for path in site_of(release).iterdir()) == ["sabot", "sabot-1.1.0.dist-info"]
    names = {path.name for path in (release / "venv/bin").iterdir()}
    assert {name for name in names if not name.startswith("python")} == {"sabot"}
    assert ask(release, None, "verify").code == 0


def test_an_installation_does_not_say_where_it_was_made(installed: Path) -> None:
    release = (installed / "opt/sabot/current").resolve()
    text = [release / "venv/pyvenv.cfg", release / "venv/bin/sabot", release / "compiled.json"]

    assert all(str(installed) not in path.read_text(encoding="utf-8") for path in text)


def test_units_name_the_prefix_they_were_installed_under(installed: Path) -> None:
    text = (installed / "etc/systemd/system/sabot.service").read_text(encoding="utf-8")

    assert f"ExecStart={installed}/opt/sabot/current/venv/bin/python" in text
    assert f"{installed}/etc/sabot/table.toml" in text


def test_tampering_with_an_installed_file_is_found_by_name(board: InstallationLayout) -> None:
    release = board.current.resolve()
    (site_of(release) / "sabot/__main__.py").write_text("print('evil')\n", encoding="utf-8")

    with pytest.raises(VerifyError, match=r"sabot/__main__\.py was changed"):
        raise_differences(release, site_of(release), from_bytes((release / "manifest.json").read_bytes()))


def test_uninstalling_leaves_settings_and_state(board: InstallationLayout, tmp_path: Path) -> None:
    state = tmp_path / "var/lib/sabot/journal.db"
    state.parent.mkdir(parents=True)
    state.write_text("the journal", encoding="utf-8")
    table(board, "table = 1\n")
    (tmp_path / "bin/sabot").unlink()
    (tmp_path / "bin/sabot").symlink_to(board.prefix / "current/venv/bin/sabot")

    uninstall(board, tmp_path / "bin")

    assert not board.base.exists()
    assert not (tmp_path / "bin/sabot").is_symlink()
    assert not list((tmp_path / "etc/systemd/system").iterdir())
    assert (board.settings / "table.toml").read_text(encoding="utf-8") == "table = 1\n"
    assert board.release_key.exists()
    assert state.read_text(encoding="utf-8") == "the journal"


# ------------------------------------------------------------ what is refused before anything changes


def test_an_older_bundle_is_refused(board: InstallationLayout, bundles: dict[str, Path]) -> None:
    error = refused(board, bundles["1.0.0"], "E-UPDATE-004")

    assert "version 1.0.0, 1.1.0 is installed" in str(error)


def test_an_older_bundle_is_refused_where_two_people_did_not_agree(
    board: InstallationLayout, bundles: dict[str, Path]
) -> None:
    def alone() -> str:
        raise UpdateError("E-UPDATE-010", "--roles", why="both are floor")

    refused(board, UpdateRequest(bundles["1.0.0"], again=False, agree=alone), "E-UPDATE-010")


def test_the_version_that_runs_is_refused(board: InstallationLayout, bundles: dict[str, Path]) -> None:
    refused(board, bundles["1.1.0"], "E-UPDATE-005")


def test_a_table_that_is_open_is_refused(board: InstallationLayout, bundles: dict[str, Path]) -> None:
    service = Recorded()

    error = refused(board, bundles["1.2.0"], "E-UPDATE-006", 'phase = "bets_open"\n', service)

    assert "(bets open)" in str(error)
    assert service.asked == []


def test_a_bundle_for_another_board_is_refused(board: InstallationLayout, tmp_path: Path) -> None:
    other = bundle(tmp_path, "1.2.0", machine="linux_riscv64")

    assert "linux_riscv64" in str(refused(board, other, "E-UPDATE-011"))


def test_a_forged_bundle_is_refused(board: InstallationLayout, tmp_path: Path) -> None:
    refused(board, bundle(tmp_path, "1.2.0", None), "E-UPDATE-002")


def test_a_second_update_waits_for_nobody(board: InstallationLayout, bundles: dict[str, Path]) -> None:
    for _ in range(2):
        with one_at_a_time(board), pytest.raises(UpdateError, match="E-UPDATE-012"):
            update(board, bundles["1.2.0"])


def test_what_runs_already_is_not_the_one_before(board: InstallationLayout) -> None:
    (board.releases / "1.0.5").mkdir()
    board.switch(board.releases / "1.0.5")
    board.switch(board.releases / "1.0.5")

    assert board.current.readlink() == Path("releases/1.0.5")
    assert board.previous.readlink() == Path("releases/1.1.0")


# ------------------------------------------------------------ after the release is beside the other


def test_an_update_exchanges_program_and_units_and_keeps_the_one_before(
    board: InstallationLayout, bundles: dict[str, Path]
) -> None:
    service = Recorded()
    (board.releases / "1.0.5").mkdir()

    assert update(board, bundles["1.2.0"], service) == "1.2.0"

    assert board.current.readlink() == Path("releases/1.2.0")
    assert board.previous.readlink() == Path("releases/1.1.0")
    assert "# 1.2.0" in unit(board)
    assert not (board.system / "systemd/system/sabot-extra.service").exists()
    assert service.asked == ["stop", "start"]
    assert sorted(path.name for path in board.releases.iterdir()) == ["1.1.0", "1.2.0"]
    assert steps(board) == ["signature good", "installed beside", "switched", "runs", "cleared"]


def test_a_release_that_fails_its_own_test_never_runs(
    board: InstallationLayout, bundles: dict[str, Path]
) -> None:
    service = Recorded()

    error = refused(board, bundles["1.3.0"], "E-UPDATE-009", service=service)

    assert "the small release is bad" in str(error)
    assert service.asked == []


BAD_WITH_THIS_JOURNAL = 'bad_version = "1.2.0"\nformer = 1\n'


@pytest.mark.parametrize(
    ("text", "starts", "said", "asked"),
    [
        (BAD_WITH_THIS_JOURNAL, [], "it does not know the journal", ["stop", "start"]),
        (
            "former = 1\n",
            ["out of service: E-RUN-002"],
            "out of service: E-RUN-002",
            ["stop", "start", "stop", "start"],
        ),
    ],
)
def test_a_release_that_fails_here_makes_room_for_the_one_before(
    board: InstallationLayout,
    bundles: dict[str, Path],
    text: str,
    starts: list[str],
    said: str,
    asked: list[str],
) -> None:
    service = Recorded(*starts)

    error = refused(board, bundles["1.2.0"], "E-UPDATE-009", text, service)

    assert said in str(error)
    assert service.asked == asked
    assert (board.system / "systemd/system/sabot-extra.service").exists()
    journal = (board.settings / "journal-steps").read_text(encoding="utf-8").splitlines()
    assert journal == ["1.2.0 --migrate", "1.1.0 --fall-back 1"]
    assert "old release started" in steps(board)


@pytest.mark.parametrize("former", ["1.0.5", ""])
def test_an_update_that_was_taken_back_leaves_the_previous_release_as_it_was(
    board: InstallationLayout, bundles: dict[str, Path], former: str
) -> None:
    if former:
        (board.releases / former).mkdir()
        board.previous.symlink_to(f"releases/{former}")

    refused(board, bundles["1.2.0"], "E-UPDATE-009", service=Recorded("out of service: E-RUN-002"))

    assert board.previous.is_symlink() == bool(former)
    assert not former or board.previous.resolve(strict=True).name == former
    # And the next attempt has its own place, and the way back of any update.
    assert update(board, bundles["1.2.0"]) == "1.2.0"
    assert board.current.readlink() == Path("releases/1.2.0")
    assert board.previous.readlink() == Path("releases/1.1.0")


@pytest.mark.parametrize(
    ("text", "code"), [("is_running = true\n", "E-UPDATE-015"), ("is_closing = false\n", "E-UPDATE-007")]
)
def test_a_program_that_was_not_stopped_properly_is_not_exchanged(
    board: InstallationLayout, bundles: dict[str, Path], text: str, code: str
) -> None:
    with pytest.raises(UpdateError, match=code):
        update(board, bundles["1.2.0"], Recorded(), text)

    assert board.current.resolve().name == "1.1.0"


def test_two_people_bring_an_older_version_back_and_the_diary_names_them(
    board: InstallationLayout, bundles: dict[str, Path]
) -> None:
    wish = UpdateRequest(
        bundles["1.0.0"], again=False, agree=lambda: "11 Ann (floor) and 42 Bo (technician)", because="shoe"
    )

    assert update(board, wish) == "1.0.0"

    rows = [json.loads(line) for line in board.log.read_text(encoding="utf-8").splitlines()]
    [agreed] = [row for row in rows if row["step"] == "older version agreed"]
    assert agreed["by"] == "11 Ann (floor) and 42 Bo (technician)"
    assert agreed["because"] == "shoe"


def test_a_damaged_installation_is_repaired_with_its_own_version(
    board: InstallationLayout, bundles: dict[str, Path]
) -> None:
    broken = site_of(board.current.resolve()) / "sabot/extra.py"
    broken.write_text("evil", encoding="utf-8")

    update(board, UpdateRequest(bundles["1.1.0"], again=True, agree=None))

    assert board.current.readlink() == Path("releases/1.1.0~2")
    assert not (site_of(board.current.resolve()) / "sabot/extra.py").exists()
