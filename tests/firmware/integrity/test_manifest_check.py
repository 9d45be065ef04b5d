import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from sabot.config.loader import PRINTED
from sabot.firmware.examine import examine
from sabot.firmware.integrity import check
from sabot.firmware.integrity.check import checks, verify_program
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import (
    SETTINGS,
    SETTINGS_LINK,
    Installation,
    settings_of,
    signed_manifest,
)
from sabot.firmware.integrity.manifest import (
    MANIFEST,
    SIGNATURE,
    Manifest,
    from_bytes,
    to_bytes,
)
from sabot.firmware.integrity.signature import read_private_key, sign
from small_medium import KEY, board, public_pem


@pytest.fixture
def where(tmp_path: Path) -> Installation:
    return board(tmp_path)


def release_of(where: Installation) -> Path:
    assert where.release is not None
    return where.release


def refusal(where: Installation) -> VerifyError:
    with pytest.raises(VerifyError) as caught:
        verify_program(where)
    return caught.value


def test_settings_lie_beside_all_releases_and_no_release_brings_its_own(tmp_path: Path) -> None:
    release, ours = tmp_path / "releases" / "1.0", tmp_path / "etc"
    release.mkdir(parents=True)
    ours.mkdir()
    assert settings_of(release) == SETTINGS
    (tmp_path / SETTINGS_LINK).symlink_to(ours)
    assert settings_of(release) == ours.resolve()


def test_a_release_as_it_was_signed_is_good(where: Installation) -> None:
    verify_program(where)


def change(site: Path) -> None:
    (site / "sabot/rules/cards.py").write_text("def parse(text):\n    return {text, 'K'}\n", encoding="utf-8")


def shorten(site: Path) -> None:
    (site / "sabot/config/chapters/pa641a.toml").write_bytes(b"")


def remove(site: Path) -> None:
    (site / "structlog/__init__.py").unlink()


def add(site: Path) -> None:
    (site / "sitecustomize.py").write_text("import socket\n", encoding="utf-8")


def add_path_file(site: Path) -> None:
    (site / "zz.pth").write_text("import os\n", encoding="utf-8")


def change_compiled(site: Path) -> None:
    compiled = next((site / "sabot/rules/__pycache__").glob("cards*.pyc"))
    content = compiled.read_bytes()
    compiled.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


def add_compiled(site: Path) -> None:
    shutil.copyfile(
        next((site / "sabot/rules/__pycache__").glob("cards*.pyc")), site / "sabot/rules/ranks.pyc"
    )


def rename_a_pip_note(site: Path) -> None:
    (site / "sabot" / "RECORD").write_text("not in a dist-info folder", encoding="utf-8")


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (change, "sabot/rules/cards.py was changed"),
        (shorten, "sabot/config/chapters/pa641a.toml was changed"),
        (remove, "structlog/__init__.py is missing"),
        (add, "sitecustomize.py was added"),
        (add_path_file, "zz.pth was added"),
        (change_compiled, "cards.cpython-311.pyc was changed"),
        (add_compiled, "sabot/rules/ranks.pyc was added"),
        (rename_a_pip_note, "sabot/RECORD was added"),
    ],
)
def test_each_tampered_file_is_named(where: Installation, tamper: Callable[[Path], None], said: str) -> None:
    tamper(where.site)

    error = refusal(where)

    assert error.kind.code == "E-VERIFY-005"
    assert said.replace("cpython-311", sys.implementation.cache_tag or "") in str(error)


def test_many_differences_are_counted(where: Installation) -> None:
    for number in range(9):
        (where.site / f"more{number}.py").write_text("", encoding="utf-8")

    assert "and 4 more" in str(refusal(where))


def test_a_lost_record_of_compiled_files_makes_each_of_them_one_too_many(where: Installation) -> None:
    (release_of(where) / "compiled.json").unlink()

    assert ".pyc was added" in str(refusal(where))


def test_a_manifest_that_follows_the_tampering_needs_the_release_key(where: Installation) -> None:
    change(where.site)
    path = release_of(where) / MANIFEST
    path.write_bytes(path.read_bytes().replace(b'"1.2.0"', b'"1.2.1"'))

    assert refusal(where).kind.code == "E-VERIFY-003"


def test_a_manifest_signed_by_another_key_is_refused(where: Installation) -> None:
    path = release_of(where) / MANIFEST
    (release_of(where) / SIGNATURE).write_bytes(sign(path.read_bytes(), Ed25519PrivateKey.generate()))

    error = refusal(where)

    assert error.kind.code == "E-VERIFY-003"
    assert "the pinned key did not make it" in str(error)


def test_a_signature_of_something_else_by_the_same_key_is_refused(where: Installation) -> None:
    content = (release_of(where) / MANIFEST).read_bytes()
    (release_of(where) / SIGNATURE).write_bytes(KEY.sign(content).hex().encode())

    assert refusal(where).kind.code == "E-VERIFY-003"


@pytest.mark.parametrize("made", [b"", b"zz", b"00" * 63, b"\xff\xfe"])
def test_what_is_no_signature_is_refused(where: Installation, made: bytes) -> None:
    (release_of(where) / SIGNATURE).write_bytes(made)

    assert refusal(where).kind.code == "E-VERIFY-003"


def test_without_a_pinned_key_nothing_is_believed(where: Installation) -> None:
    where.release_key.unlink()

    assert refusal(where).kind.code == "E-VERIFY-004"


def test_a_pinned_key_of_another_kind_is_refused(where: Installation) -> None:
    where.release_key.write_text(
        "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", encoding="ascii"
    )

    assert refusal(where).kind.code == "E-VERIFY-004"


def test_an_older_release_put_in_the_place_of_a_newer_one_is_found(
    where: Installation, tmp_path: Path
) -> None:
    older = board(tmp_path / "other", "1.1.0")
    for name in (MANIFEST, SIGNATURE):
        shutil.copyfile(release_of(older) / name, release_of(where) / name)

    assert "this is 1.1.0" in str(refusal(where))


def test_without_a_signature_it_is_a_development_installation(where: Installation) -> None:
    (release_of(where) / SIGNATURE).unlink()

    assert where.is_development
    assert refusal(where).kind.code == "E-VERIFY-001"


@pytest.mark.parametrize(("is_simulated", "keeps_closed"), [(True, False), (False, True)])
def test_a_development_installation_opens_simulated_tables_alone(
    is_simulated: bool, keeps_closed: bool
) -> None:
    [finding] = examine(checks(["alpha"], PRINTED, is_simulated=is_simulated))

    assert finding.fault is not None
    assert "development installation, not for a floor" in str(finding.fault)
    assert finding.keeps_closed is keeps_closed


def test_at_a_start_program_and_drivers_are_checked(
    where: Installation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "here", lambda: where)

    good, stranger = (
        checks(["alpha"], PRINTED, is_simulated=True),
        checks(["alpha", "crystal-ball"], PRINTED, is_simulated=True),
    )

    found = [each.fault and each.fault.kind.code for each in examine(good)]
    assert found == [None, None, None, "E-VERIFY-012"]  # the medium has a drop-in, which is said
    assert [each.keeps_closed for each in good] == [True, True, True, False]
    fault = examine(stranger)[1].fault
    assert fault is not None
    assert fault.kind.code == "E-VERIFY-006"
    assert [each.keeps_closed for each in stranger] == [True, True, True, False]


def test_a_manifest_reads_back_as_it_was_written(where: Installation) -> None:
    manifest = signed_manifest(where)

    assert from_bytes(to_bytes(manifest)) == manifest


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"format": 2}',
        b'{"format": 1}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_manifest_is_refused(data: bytes) -> None:
    with pytest.raises(VerifyError, match="E-VERIFY-002"):
        from_bytes(data)


@pytest.mark.parametrize("path", ["../etc/passwd", "/etc/passwd", "a/../../b", "", "a//b", "./a"])
def test_a_manifest_names_no_file_outside_of_its_release(where: Installation, path: str) -> None:
    data = to_bytes(signed_manifest(where)).replace(b'"structlog/__init__.py"', f'"{path}"'.encode())

    with pytest.raises(VerifyError, match="E-VERIFY-002"):
        from_bytes(data)


def test_a_manifest_with_an_unknown_key_is_refused(where: Installation) -> None:
    data = to_bytes(signed_manifest(where)).replace(b'"format": 1', b'"format": 1, "trust": 1')

    with pytest.raises(VerifyError, match="unknown field 'trust'"):
        from_bytes(data)


def test_the_pinned_key_is_read_as_openssl_writes_it(where: Installation) -> None:
    where.release_key.write_bytes(public_pem(KEY))

    verify_program(where)


def test_a_manifest_is_the_same_bytes_whatever_the_order_of_its_drivers() -> None:
    made = [
        to_bytes(Manifest("1.2.0", "3.11", "linux_x86_64", 1, drivers, (), ()))
        for drivers in ({"alpha": "a:K", "escpos": "e:K"}, {"escpos": "e:K", "alpha": "a:K"})
    ]

    assert made[0] == made[1]
    assert made[0].startswith(b'{\n "bundle": []')


def test_a_release_key_is_an_ed25519_key_in_a_file_of_its_own(tmp_path: Path) -> None:
    def written(key: Ed25519PrivateKey | X25519PrivateKey) -> Path:
        path = tmp_path / "release.key"
        path.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
        return path

    assert read_private_key(written(KEY)).public_key() == KEY.public_key()
    with pytest.raises(VerifyError, match=r"E-VERIFY-013 .*it is no Ed25519 key"):
        read_private_key(written(X25519PrivateKey.generate()))
    (tmp_path / "release.key").write_bytes(b"no key")
    with pytest.raises(VerifyError, match=r"E-VERIFY-013 .*it is no key in PEM form"):
        read_private_key(tmp_path / "release.key")
    with pytest.raises(VerifyError, match=r"E-VERIFY-013 .*No such file"):
        read_private_key(tmp_path / "none")
