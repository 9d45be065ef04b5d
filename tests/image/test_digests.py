"""The signed list of digests: a changed file, list or signature is an objection."""

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.image import digests
from sabot.image.errors import ImageError
from tests.image import tiny


@pytest.fixture
def listed(tmp_path: Path) -> Path:
    files = [tmp_path / name for name in ("a.img", "a.spdx.json")]
    for file in files:
        file.write_bytes(file.name.encode() * 100)
    digests.write(files, tiny.key(), tmp_path / "a.sha256")
    return tmp_path / "a.sha256"


def test_what_was_signed_is_held(listed: Path) -> None:
    digests.verify(listed, tiny.key().public_key())
    assert [row.split("  ")[1] for row in listed.read_text().splitlines()] == ["a.img", "a.spdx.json"]


@pytest.mark.parametrize("name", ["a.img", "a.spdx.json"])
def test_a_changed_file_is_named(listed: Path, name: str) -> None:
    file = listed.with_name(name)
    file.write_bytes(file.read_bytes()[:-1] + b"x")
    with pytest.raises(ImageError, match=f"^{name} is not the file that was signed"):
        digests.verify(listed, tiny.key().public_key())


def test_a_changed_list_is_not_signed(listed: Path) -> None:
    listed.write_text(listed.read_text().replace("a.img", "b.img"))
    with pytest.raises(ImageError, match="not signed"):
        digests.verify(listed, tiny.key().public_key())


def test_another_key_has_not_signed(listed: Path) -> None:
    with pytest.raises(ImageError, match="not signed"):
        digests.verify(listed, Ed25519PrivateKey.from_private_bytes(bytes(32)).public_key())


def test_a_signature_that_is_none_is_an_objection(listed: Path) -> None:
    digests.signature_of(listed).write_text("no hexadecimal")
    with pytest.raises(ImageError, match="not signed"):
        digests.verify(listed, tiny.key().public_key())
