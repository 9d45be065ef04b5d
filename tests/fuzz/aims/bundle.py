"""The bundle of an update: a tar of manifest, signature and members, from anywhere.

The first byte says how it is given: ``-`` to a board without a key, ``*`` as a manifest that the release key
did sign around members that are good, anything else as it stands to a board that has pinned the key. The
checksums of tar headers are set right, or no bent header would ever be read.
"""

import hashlib
import io
import re
import shutil
import tarfile
import tempfile
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE, Listed, Manifest, to_bytes
from sabot.firmware.integrity.signature import sign
from sabot.firmware.update.bundle import Bundle, unpack
from sabot.firmware.update.errors import UpdateError
from tests.quick_medium import quick_medium

BLOCK, SUM = 512, slice(148, 156)
MEMBERS = {"wheels/sabot-1.0.0-py3-none-any.whl": b"a wheel " * 90, "systemd/sabot.service": b"[Service]\n"}
KEY = Ed25519PrivateKey.from_private_bytes(hashlib.sha256(b"a release of the fuzzer").digest())


class OutsideError(AssertionError):
    """Something was written where nothing may be, or something was taken that nobody signed."""


class Aim:
    """Unpacking, into a folder of its own each time."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="fuzz-bundle-", dir=quick_medium())
        self._root = Path(self._folder.name)
        self._file, self._into = self._root / "update.sabot", self._root / "in" / "into"
        self._manifest = to_bytes(_manifest())
        good = packed(self._manifest, MEMBERS)
        self.seeds = (good, b"-" + good, b"*" + self._manifest)
        self.words = (
            *dict.fromkeys(re.findall(rb'"\w+": ?[^\n]*', self._manifest)),
            b"../../outside\0",
            b"/tmp/outside\0",
            b"ustar\x0000",
            *(bytes((kind,)) for kind in b"0125xgKLSV"),
        )

    def check(self, data: bytes) -> None:
        """Unpacked or refused, and nothing beside the folder."""
        key: Ed25519PublicKey | None = KEY.public_key()
        tar = data
        if data[:1] == b"-":
            key, tar = None, data[1:]
        elif data[:1] == b"*":
            tar = packed(data[1:], MEMBERS)
        shutil.rmtree(self._into.parent, ignore_errors=True)
        self._into.mkdir(parents=True)
        self._file.write_bytes(tar if data[:1] == b"*" else _summed(tar))
        try:
            found = unpack(self._file, key, self._into)
        except UpdateError:
            found = None
        self._verify_inside(found, is_pinned=key is not None and data[:1] != b"*")

    def _verify_inside(self, found: Bundle | None, *, is_pinned: bool) -> None:
        beside = [path for path in self._into.parent.iterdir() if path != self._into]
        if beside or {path.name for path in self._root.iterdir()} != {"in", self._file.name}:
            raise OutsideError(f"written beside the folder: {beside}")
        if found is not None and is_pinned:
            files = {name: (self._into / name).read_bytes() for name in (MANIFEST, *MEMBERS)}
            if files != {MANIFEST: self._manifest, **MEMBERS}:
                raise OutsideError("taken, and not what was signed")


def _manifest() -> Manifest:
    listed = [Listed(name, len(data), hashlib.sha256(data).hexdigest()) for name, data in MEMBERS.items()]
    return Manifest(
        "1.0.0", "3.11", "x86_64", 1, {"alpha": "sabot.drivers.alpha:KIND"}, (), tuple(sorted(listed))
    )


def packed(manifest: bytes, members: dict[str, bytes]) -> bytes:
    """A bundle as a release makes it, with this manifest signed."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:", format=tarfile.PAX_FORMAT) as tar:
        for name, data in {MANIFEST: manifest, SIGNATURE: sign(manifest, KEY), **members}.items():
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(data), 0o644
            tar.addfile(member, io.BytesIO(data))
    return out.getvalue()


def _summed(tar: bytes) -> bytes:
    """Every block that says it is a header has the checksum of one."""
    out = bytearray(tar)
    for start in range(0, len(out) - BLOCK + 1, BLOCK):
        if out[start + 257 : start + 262] == b"ustar":
            block = out[start : start + BLOCK]
            block[SUM] = b" " * 8
            out[start + 148 : start + 156] = b"%06o\0 " % sum(block)
    return bytes(out)
