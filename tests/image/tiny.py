"""Packages of a board that was never made: small files in the places where Debian has them, for the build as it is."""

import struct
import subprocess
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from sabot.image import build
from sabot.image.build import ImageBuild, Order
from sabot.image.device_tree import BOARDS
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
