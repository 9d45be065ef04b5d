"""A file system in memory: what goes in comes out, the same bytes each time."""

import io
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from sabot.image.errors import ImageError
from sabot.image.tree import LINK, Tree, TreeNode


def sample() -> Tree:
    tree = Tree()
    tree.write("usr/bin/b", b"two", 0o100755)
    tree.write("etc/a", "one")
    tree.link("bin", "usr/bin")
    tree.put("etc/own", TreeNode(0o100640, b"x", 7, 8))
    return tree


def test_a_tar_of_a_tree_is_the_tree_again(tmp_path: Path) -> None:
    file = tmp_path / "x.tar"
    file.write_bytes(sample().to_tar(5))
    again = Tree.from_tar(file)
    assert [(path, again[path]) for path in again] == [(path, sample()[path]) for path in sample()]


def test_the_order_of_making_is_not_in_the_bytes() -> None:
    other = Tree()
    for path in reversed(list(sample())):
        other.put(path, sample()[path])
    assert other.to_tar(5) == sample().to_tar(5)
    assert other.to_cpio(5) == sample().to_cpio(5)


def test_every_member_has_the_one_time() -> None:
    with tarfile.open(fileobj=io.BytesIO(sample().to_tar(77))) as tar:
        assert {member.mtime for member in tar} == {77}


def test_devices_of_a_tar_stay_behind(tmp_path: Path) -> None:
    file = tmp_path / "x.tar"
    with tarfile.open(file, "w") as tar:
        device = tarfile.TarInfo("./dev/null")
        device.type = tarfile.CHRTYPE
        tar.addfile(device)
        one = tarfile.TarInfo("./etc/one")
        one.size = 1
        tar.addfile(one, io.BytesIO(b"1"))
        twin = tarfile.TarInfo("./etc/two")
        twin.type, twin.linkname = tarfile.LNKTYPE, "./etc/one"
        tar.addfile(twin)
    tree = Tree.from_tar(file)
    assert set(tree) == {"etc", "etc/one", "etc/two"}
    assert tree.read("etc/two") == b"1"


def test_a_link_is_followed_inside_the_tree_and_never_out_of_it() -> None:
    tree = sample()
    tree.link("lib/x", "../../../../etc/a")
    tree.link("abs", "/etc/a")
    assert tree.read("bin/b") == b"two"
    assert tree.read("lib/x") == b"one"
    assert tree.read("abs") == b"one"


def test_a_circle_of_links_is_refused() -> None:
    tree = Tree()
    tree.link("a", "b")
    tree.link("b", "a")
    with pytest.raises(ImageError, match="circle"):
        tree.read("a")


def test_what_is_dropped_goes_with_everything_below() -> None:
    tree = sample()
    assert tree.drop(["usr/*", "nothing"]) == 2
    assert set(tree) == {"bin", "etc", "etc/a", "etc/own", "usr"}


def test_a_kernel_could_unpack_it(tmp_path: Path) -> None:
    if shutil.which("cpio") is None:
        pytest.skip("cpio is not installed")
    words = ["cpio", "-i", "-d", "--no-preserve-owner"]
    subprocess.run(words, input=sample().to_cpio(5), cwd=tmp_path, check=True, capture_output=True)
    assert (tmp_path / "bin/b").read_bytes() == b"two"
    assert (tmp_path / "bin").is_symlink()


def test_the_kind_of_a_node_is_that_of_its_mode() -> None:
    assert TreeNode(LINK).kind == 0o120000
