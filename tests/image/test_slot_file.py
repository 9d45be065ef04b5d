"""The slot file: what is signed is what is read, and nothing else is one."""

import shutil
import subprocess
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from sabot.image import slot_file
from sabot.image.errors import ImageError
from sabot.image.slot_file import SlotFile

KEY = Ed25519PrivateKey.from_private_bytes(bytes(32))
GOOD = SlotFile("sabot-pi-arm64", "1.2.3", "ab" * 32, 4096, "cd" * 32, "ef" * 32)


def test_a_signed_file_is_read_again() -> None:
    data = slot_file.to_bytes(GOOD)
    assert slot_file.read_signed(data, slot_file.sign(data, KEY), KEY.public_key()) == GOOD


@pytest.mark.parametrize("at", range(0, 300, 23))
def test_a_changed_byte_is_no_longer_signed(at: int) -> None:
    data = bytearray(slot_file.to_bytes(GOOD))
    signature = slot_file.sign(bytes(data), KEY)
    data[at] ^= 1
    with pytest.raises(ImageError, match="not signed"):
        slot_file.read_signed(bytes(data), signature, KEY.public_key())


def test_another_key_is_not_ours() -> None:
    data = slot_file.to_bytes(GOOD)
    other = Ed25519PrivateKey.from_private_bytes(bytes([1] * 32))
    with pytest.raises(ImageError, match="not signed"):
        slot_file.read_signed(data, slot_file.sign(data, other), KEY.public_key())


@pytest.mark.parametrize(
    "change",
    [("version=1.2.3", "version=1.2.3; reboot"), ("root_hash=ab", "root_hash=$("), ("hash_offset=4096", "hash_offset=-1"),
     ("purpose=sabot slot 1", "purpose=journal"), ("kernel=", "extra=1\nkernel="), ("version=1.2.3\n", "")],
)  # fmt: skip
def test_what_a_shell_might_misread_is_no_slot_file(change: tuple[str, str]) -> None:
    with pytest.raises(ImageError):
        slot_file.from_bytes(slot_file.to_bytes(GOOD).decode().replace(*change).encode())


def test_nothing_else_is_written() -> None:
    with pytest.raises(ImageError, match="version"):
        slot_file.to_bytes(GOOD._replace(version="1\nroot_hash=0"))


def test_openssl_of_the_initramfs_checks_it_in_the_same_way(tmp_path: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    data = slot_file.to_bytes(GOOD)
    public = KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    for name, content in (("k", public), ("d", data), ("s", slot_file.sign(data, KEY)), ("e", data + b"#")):
        (tmp_path / name).write_bytes(content)
    words = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", "k", "-rawin", "-sigfile", "s", "-in"]
    codes = [
        subprocess.run([*words, name], cwd=tmp_path, check=False, capture_output=True).returncode
        for name in "de"
    ]
    assert codes == [0, 1]
