"""Packages of a board that was never made: small files in the places where Debian has them, for the build as it is."""

import lzma
import struct
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from sabot.image import build
from sabot.image.build import ImageBuild, Order
from sabot.image.device_tree import BOARDS
from sabot.image.modules import Modules
from sabot.image.tree import Tree

KERNEL = "6.12.0-tiny"
TREE = """
/dts-v1/;
/ {
  aliases { serial0 = "/soc/serial@7e215040"; };
  chosen { };
  soc {
    gpio@7e200000 { uart0-gpio14 { phandle = <0x11>; }; };
    serial@7e201000 { pinctrl-0 = <0x12>; uart-has-rtscts; bluetooth { }; };
    serial@7e215040 { status = "okay"; };
    mmc@7e300000 { status = "okay"; };
  };
};
"""


def key() -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(bytes(range(32)))


def order(folder: Path) -> Order:
    file = folder / "release.key"
    file.write_bytes(key().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return Order(folder / "no.bundle", file, folder / "work", folder / "out")


def boot_packages(device_tree: bytes) -> Tree:
    tree = Tree()
    tree.write(f"boot/vmlinuz-{KERNEL}", b"kernel" * 1000)
    for name in build.FIRMWARE:
        tree.write(f"usr/lib/raspi-firmware/{name}", name.encode())
    for path in build.UBOOTS.values():
        tree.write(path, path.encode())
    for source in BOARDS.values():
        tree.write(f"usr/lib/linux-image-{KERNEL}/broadcom/{source}", device_tree)
    return tree


def modules(depends: Mapping[str, str]) -> Modules:
    """Return the modules of a kernel, each with the ones that it says it stands on."""
    tree = Tree()
    tree.write("m/modules.builtin", "")
    for name, needs in depends.items():
        tree.write(f"m/kernel/{name}.ko.xz", lzma.compress(f"\0depends={needs}\0name={name}\0".encode()))
    return Modules(tree, "m")


def root(extra: str = "") -> Tree:
    tree = Tree()
    tree.write("usr/lib/systemd/systemd", b"\x7fELF" + bytes(5000), 0o100755)
    tree.folder("var")
    if extra:
        tree.write(extra, b"x")
    return tree


def image(folder: Path, extra: str = "") -> Path:
    """Return an image of the tiny board, made by the steps of the real one."""
    wanted = order(folder)
    made = ImageBuild(wanted)
    compiled = subprocess.run(
        ["/usr/bin/dtc", "-I", "dts", "-O", "dtb"], input=TREE.encode(), capture_output=True, check=True
    )
    (wanted.work / "boot.tar").write_bytes(boot_packages(compiled.stdout).to_tar(1))
    early = Tree()
    early.write("init", "#!/bin/sh\n", 0o100755)
    return made.image(made.slot(root(extra), early, "1.2.3"), wanted.out / "tiny.img")


def elf(needed: list[str], loader: str = "") -> bytes:
    """Return the headers of a program that asks for these libraries."""
    strings = b"\0" + b"".join(name.encode() + b"\0" for name in needed)
    text = loader.encode() + b"\0"
    at = 64 + 56 * 3
    places = [1 + sum(len(each) + 1 for each in needed[:count]) for count in range(len(needed))]
    dynamic = b"".join(struct.pack("<qQ", 1, place) for place in places)
    dynamic += struct.pack("<qQqQ", 5, at + len(text), 0, 0)
    body = text + strings + dynamic
    whole = at + len(body)
    rows = [(1, 0, whole), (2, at + len(text) + len(strings), len(dynamic)), (3, at, len(text))]
    rows = [row for row in rows if loader or row[0] != 3]
    head = struct.pack(
        "<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", 3, 183, 1, 0, 64, 0, 0, 64, 56, len(rows), 0, 0, 0
    )
    table = b"".join(
        struct.pack("<IIQQQQQQ", kind, 4, place, place, place, size, size, 8) for kind, place, size in rows
    )
    return (head + table).ljust(at, b"\0") + body


def packages(work: Path, wheels: Path) -> None:
    """Write what a list of packages is made of: two unpacked trees with their archives, and a wheel."""
    unpacked = Tree()
    for name, text in COPYRIGHTS.items():
        unpacked.write(f"usr/share/doc/{name}/copyright", text)
    unpacked.link("usr/share/doc/tool-bin", "tool")
    (work / "root.tar").write_bytes(unpacked.to_tar(1))
    for tree, versions in ARCHIVES.items():
        for name, version in versions.items():
            _archive(work / f"{tree}.debs", name, version)
    wheels.mkdir(parents=True)
    with zipfile.ZipFile(wheels / "Some_Wheel-1.0+x-py3-none-any.whl", "w") as archive:
        archive.writestr("some_wheel-1.0.dist-info/METADATA", WHEEL)


COPYRIGHTS = {
    "tool": "Format: x\nLicense: LGPL-3+ or GPL-2+\n\nLicense: GPL-2+ or AFL-2.1, and Expat and Tcl-BSDish\n",
    "library": "Format: x\nLicense: bsd-3-clause\n\nLicense: OpenLDAP-2.8 and UMich\n text\n",
    "old": "This is free software.",
}
ARCHIVES = {
    "root.tar": {"tool": "1:1.2-3+b1", "tool-bin": "1.2~rc1", "library": "2", "old": "3"},
    "boot.tar": {"linux-image-6.12.0-tiny": "6.12", "linux-image-arm64": "6.12"},
}
WHEEL = "Metadata-Version: 2.1\nName: Some_Wheel\nVersion: 1.0+x\nClassifier: License :: OSI Approved :: MIT License\n"


def _archive(folder: Path, name: str, version: str) -> None:
    inside = folder / f"{name}.d" / "DEBIAN"
    inside.mkdir(parents=True)
    fields = {
        "Package": name,
        "Version": version,
        "Architecture": "arm64",
        "Maintainer": "nobody",
        "Description": "tiny",
    }
    inside.joinpath("control").write_text("".join(f"{field}: {words}\n" for field, words in fields.items()))
    subprocess.run(["dpkg-deb", "--root-owner-group", "--build", inside.parent, folder / f"{name}.deb"],
                   check=True, capture_output=True)  # fmt: skip
