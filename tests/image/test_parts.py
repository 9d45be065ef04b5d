"""Accounts, libraries, kernel modules and certificate."""

import ast
import lzma
from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot.image import __main__ as command
from sabot.image import certificate, initramfs, trial
from sabot.image.accounts import NUMBERS, BoardAccounts
from sabot.image.build import python_version
from sabot.image.errors import ImageError
from sabot.image.modules import Modules
from sabot.image.root import verify_nothing_forbidden
from sabot.image.run import PACKAGE_OF, missing
from sabot.image.tree import Tree
from tests.image import tiny

PASSWD, GROUP = (
    "root:*:0:0:root:/root:/bin/bash\nsync:*:4:65534:sync:/bin:/bin/sync\n",
    "root:*:0:\ntty:*:5:\n",
)

# What every Debian has.
ESSENTIAL = {"chroot", "cp", "dpkg", "mknod"}


def programs_run() -> Iterator[tuple[str, str]]:
    """Return the programs that the modules of the image run, each with its module."""
    for path in Path(command.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("run", "run_raw"):
                first = node.args[0]
                if isinstance(first, ast.Constant):
                    yield str(first.value), path.stem


def test_every_program_is_named_with_its_package_before_the_work_begins() -> None:
    found = dict(programs_run())
    assert len(found) > 15
    assert set(found) - set(PACKAGE_OF) <= ESSENTIAL
    asked = {*command.NEEDED, *trial.NEEDED, "swig", "unsquashfs", "mmd", "fdtget"}
    assert set(found) - ESSENTIAL <= asked


def test_what_is_missing_is_named_by_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabot.image.run.PLACES", "")
    assert missing(("mkfs.vfat", "mcopy", "mmd")) == ["dosfstools", "mtools"]


def test_an_unpacked_root_without_its_archives_is_said_to_be_one(tmp_path: Path) -> None:
    (tmp_path / "root.tar").write_bytes(b"")
    with pytest.raises(ImageError, match=r"root\.tar has no archives beside it: remove it"):
        python_version(tmp_path / "root.tar")


def test_numbers_are_fixed_and_nobody_can_log_in() -> None:
    accounts = BoardAccounts(PASSWD, GROUP)
    accounts.take(
        'g gpio -\nu sabot - "The table" /var/lib/sabot\nm sabot gpio\nu sync 4:65534 - /bin /bin/sync\n'
    )
    files = accounts.files()
    assert "sabot:x:201:201:The table:/var/lib/sabot:/usr/sbin/nologin\n" in files["etc/passwd"]
    assert "gpio:x:200:sabot\n" in files["etc/group"]
    assert all(row.endswith("/usr/sbin/nologin") for row in files["etc/passwd"].splitlines())
    assert all(row.split(":")[1] == "!*" for row in files["etc/shadow"].splitlines())


def test_a_name_without_a_number_stops_the_build() -> None:
    with pytest.raises(ImageError, match="newcomer has no number"):
        BoardAccounts(PASSWD, GROUP).take("u newcomer - -")


def test_a_row_that_nobody_understands_stops_the_build() -> None:
    with pytest.raises(ImageError, match="nobody understands"):
        BoardAccounts(PASSWD, GROUP).take("x something - -")


def test_no_number_is_given_twice() -> None:
    assert len(set(NUMBERS.values())) == len(NUMBERS)


def test_a_program_comes_with_its_libraries_and_theirs() -> None:
    source, into = Tree(), Tree()
    source.write("usr/bin/p", tiny.elf(["liba.so"], "/lib/ld-linux-aarch64.so.1"))
    source.write("usr/lib/ld-linux-aarch64.so.1", tiny.elf([]))
    source.link("lib", "usr/lib")
    source.write("usr/lib/aarch64-linux-gnu/liba.so", tiny.elf(["libb.so"]))
    source.write("usr/lib/aarch64-linux-gnu/libb.so", tiny.elf([]))
    initramfs.carry(source, "usr/bin/p", into, "bin/p")
    files = {path for path in into if into[path].mode & 0o100000 and not into[path].mode & 0o40000}
    assert files == {
        "bin/p", "lib/ld-linux-aarch64.so.1", "lib/aarch64-linux-gnu/liba.so", "lib/aarch64-linux-gnu/libb.so"
    }  # fmt: skip


def test_a_library_that_no_package_has_is_named() -> None:
    source = Tree()
    source.write("usr/bin/p", tiny.elf(["libgone.so"]))
    with pytest.raises(ImageError, match=r"libgone\.so"):
        initramfs.carry(source, "usr/bin/p", Tree(), "bin/p")


def modules() -> Modules:
    tree = Tree()
    tree.write("m/modules.builtin", "kernel/built-in.ko\n")
    for name, needs in (("a", "b,built-in"), ("b", ""), ("ext4", "a"), ("crc32c_generic", "")):
        data = b"\0license=GPL\0depends=" + needs.encode() + b"\0name=x\0"
        tree.write(f"m/kernel/fs/{name}.ko.xz", lzma.compress(data))
    return Modules(tree, "m")


def test_modules_come_after_what_they_stand_on() -> None:
    assert modules().closure(["ext4"]) == ["crc32c_generic", "b", "a", "ext4"]


def test_a_built_in_module_is_none_and_a_missing_one_is_named() -> None:
    assert modules().closure(["built_in"]) == []
    with pytest.raises(ImageError, match="no module brcmfmac"):
        modules().closure(["brcmfmac"])


@pytest.mark.parametrize("path", ["usr/sbin/sshd", "usr/bin/aarch64-linux-gnu-gcc-14", "usr/lib/modules/6/kernel/cfg80211.ko.xz",
                                  "opt/sabot/releases/1.0/venv/bin/pip3", "usr/bin/login"])  # fmt: skip
def test_what_no_board_may_have_stops_the_build(path: str) -> None:
    tree = Tree()
    tree.write("usr/bin/python3.13", b"")
    if "modules" not in path:
        verify_nothing_forbidden(tree)
    tree.write(path if "modules" not in path else "usr/lib/modules/6/cfg80211.ko.xz", b"")
    with pytest.raises(ImageError, match="no board may have"):
        verify_nothing_forbidden(tree)


def test_the_certificate_of_a_key_is_the_same_each_time() -> None:
    made = {certificate.make(tiny.key(), 1_750_000_000) for _ in range(2)}
    assert len(made) == 1
    assert made.pop().startswith(b"-----BEGIN CERTIFICATE-----")
