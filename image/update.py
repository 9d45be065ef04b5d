"""The bundle of an update: the two files of a slot, signed as RAUC wants it.

Its signature is one of ECDSA, which draws a number: the bundle of the same slot has other bytes each time.
The slot in it has the same.
"""

import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from sabot.image import certificate
from sabot.image.recipe import COMPATIBLE
from sabot.image.run import run

MANIFEST = """\
[update]
compatible={compatible}
version={version}

[bundle]
format=verity

[image.boot]
filename=boot.img

[image.rootfs]
filename=rootfs.img
"""
FILES = {"boot": "boot.img", "root": "rootfs.img"}


def write(slot: Mapping[str, Path], version: str, key: Ed25519PrivateKey, epoch: int, to: Path) -> Path:
    """Write and return the bundle of a slot that ``ImageBuild.slot`` has made."""
    to.unlink(missing_ok=True)
    signer = certificate.signer(key, epoch)
    with tempfile.TemporaryDirectory(dir=to.parent) as folder:
        inside = Path(folder, "content")
        inside.mkdir()
        for name, file in FILES.items():
            shutil.copyfile(slot[name], inside / file)
        text = MANIFEST.format(compatible=COMPATIBLE, version=version)
        (inside / "manifest.raucm").write_text(text, encoding="ascii")
        places = {"cert": signer.certificate, "key": signer.key, "pinned": certificate.make(key, epoch)}
        for name, data in places.items():
            Path(folder, name).write_bytes(data)
            # The key among them: nobody else reads it, for as long as it lies there.
            Path(folder, name).chmod(0o600)
        # With the certificate that boards pin, rauc verifies its own bundle before it is done.
        names = (f"--{name}={folder}/{name}" for name in ("cert", "key"))
        run("rauc", "bundle", *names, f"--keyring={folder}/pinned", inside, to)
    return to
