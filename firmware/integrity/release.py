"""The manifest of the release that runs, believed only once the pinned key has checked its signature."""

from sabot.firmware.integrity import signature
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import Installation
from sabot.firmware.integrity.manifest import MANIFEST, SIGNATURE, Manifest, from_bytes


def signed_manifest(where: Installation) -> Manifest:
    """The manifest of this release; raises in development."""
    if where.is_development:
        raise VerifyError("E-VERIFY-001", str(where.release or where.program))
    assert where.release is not None  # else it were development
    path = where.release / MANIFEST
    try:
        content, made = path.read_bytes(), (where.release / SIGNATURE).read_bytes()
    except OSError as error:
        raise VerifyError("E-VERIFY-002", str(path), why=error.strerror) from error
    signature.verify(content, made, signature.read_public_key(where.release_key), str(path))
    return from_bytes(content, str(path))
