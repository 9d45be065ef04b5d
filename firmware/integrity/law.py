"""A folder of chapters held against its signature: an amendment is as much the program as a file of it.

Whoever may sign a release may sign a folder, with the same key and with words of its own before what is
signed, so that neither signature can pass for the other. The manifest names every file by its digest; what is
held against it are the bytes that were read, so that nobody can put others in their place meanwhile.
"""

import json
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from sabot.config.loader import MANIFEST, SIGNATURE, ChapterLaw
from sabot.firmware.examine import Check
from sabot.firmware.integrity import signature
from sabot.firmware.integrity.errors import VerifyError
from sabot.firmware.integrity.installation import Installation
from sabot.rules.json_fields import RoundError, fields, required, texts, whole

PURPOSE = b"sabot law folder 1\n"
FORMAT, KEYS = 1, frozenset({"format", "files"})


def law_checks(law: ChapterLaw, where: Installation, *, is_simulated: bool) -> tuple[Check, ...]:
    """Return the check of a folder of chapters; nobody signs for what is not played by."""
    if law.folder is None or is_simulated:
        return ()
    return (Check("law", partial(verify_law, law, where)),)


def verify_law(law: ChapterLaw, where: Installation) -> None:
    """Raise where a folder of chapters is not the one that the pinned key has signed."""
    assert law.folder is not None  # the program's own chapters are files of the release
    try:
        content, made = (law.folder / MANIFEST).read_bytes(), (law.folder / SIGNATURE).read_bytes()
    except OSError as error:
        raise VerifyError("E-VERIFY-014", str(law.folder), why=error.strerror) from error
    verify_signature(content, made, signature.read_public_key(where.release_key), str(law.folder))
    differences = list(_differences(law.files, _listed(content, str(law.folder / MANIFEST))))
    if differences:
        raise VerifyError("E-VERIFY-016", str(law.folder), what=", ".join(differences))


def verify_signature(content: bytes, made: bytes, key: Ed25519PublicKey, place: str) -> None:
    """Raise where this key did not sign this manifest of a folder."""
    try:
        signature.verify(content, made, key, place, purpose=PURPOSE)
    except VerifyError as error:
        raise VerifyError("E-VERIFY-015", place, why=error.facts["why"]) from error


def sign_law(law: ChapterLaw, key: Ed25519PrivateKey) -> tuple[bytes, bytes]:
    """Return the manifest of a folder and its signature."""
    listed = {name: sha256(content).hexdigest() for name, content in law.files.items()}
    manifest = json.dumps({"format": FORMAT, "files": listed}, indent=1, sort_keys=True).encode() + b"\n"
    return manifest, signature.sign(manifest, key, purpose=PURPOSE)


def _listed(content: bytes, place: str) -> Mapping[str, str]:
    try:
        found = fields(json.loads(content), "manifest", KEYS)
        whole(required(found, "format", ""), "format", f"{FORMAT}", FORMAT, FORMAT)
        return texts(required(found, "files", ""), "files")
    except (ValueError, RecursionError, RoundError) as error:
        raise VerifyError("E-VERIFY-015", place, why="its manifest cannot be read") from error


def _differences(files: Mapping[str, bytes], listed: Mapping[str, str]) -> Iterator[str]:
    for name in sorted(files.keys() | listed.keys()):
        if name not in files:
            yield f"{name} is missing"
        elif name not in listed:
            yield f"{name} was added"
        elif sha256(files[name]).hexdigest() != listed[name]:
            yield f"{name} was changed"
