"""The agreement of two people at the console: which bundle, by whom, and why.

The program proves people and may write no slot; root writes slots and asks nobody. Between them lies this
note in the state directory, which the program alone may write. It names the bundle by its digest, so that
nothing else can be put in its place meanwhile; what the bundle is worth its signature says.
"""

import hashlib
import json
from pathlib import Path

from sabot.firmware.credentials.atomic_files import write_whole

NOTE = "update-agreed.json"
# Left by the initramfs of a board that starts from an image.
SLOT_FILE = Path("/run/sabot-slot/slot.conf")
INCOMING = Path("/var/lib/sabot-update/incoming.bundle")


def digest_of(bundle: Path) -> str:
    """Return the SHA-256 digest of a bundle."""
    with bundle.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def note(state: Path, bundle: Path, by: str, because: str) -> None:
    """Write down who agreed to this bundle."""
    found = {"bundle": digest_of(bundle), "by": by, "because": because}
    write_whole(state / NOTE, json.dumps(found).encode(), 0o600)


def read(state: Path, bundle: Path) -> str:
    """Return who agreed to this bundle, and why; ValueError where nobody did."""
    try:
        found = json.loads((state / NOTE).read_bytes())
        agreed, by, because = (str(found[name]) for name in ("bundle", "by", "because"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"nobody has agreed at the console ({error})"
        raise ValueError(message) from error
    # Two people have agreed to these bytes, and to no other bundle in their place.
    if agreed != digest_of(bundle):
        message = "two people agreed to another bundle"
        raise ValueError(message)
    return f"{by}: {because}"
