"""Which packages a kernel comes in, from what apt answers: the old way, the split one, and none."""

import os
from pathlib import Path

import pytest

from sabot.hil.kernel import packages
from sabot.hil.kernel.packages import TOOLS, Kernel, mirror_of, missing_tools, newest_image, packages_of
from sabot.hil.kernel.results import CannotRunError

META = """\
linux-image-amd64
  Depends: linux-image-7.2.12+deb13-amd64
  Recommends: firmware-linux-free
"""
SPLIT = """\
linux-image-7.2.12+deb13-amd64
  Depends: linux-binary-7.2.12+deb13-amd64
  Depends: linux-modules-7.2.12+deb13-amd64
  Depends: kmod
"""
WHOLE = """\
linux-image-6.1.0-18-amd64
  Depends: kmod
  Depends: linux-base
"""


def test_the_kernel_is_the_one_that_the_meta_package_depends_on() -> None:
    assert newest_image(META) == "linux-image-7.2.12+deb13-amd64"
    assert newest_image("linux-image-amd64\n  Depends: linux-base\n") is None
    assert newest_image("") is None


def test_a_kernel_that_is_split_is_fetched_in_its_parts_and_an_old_one_whole() -> None:
    image = "linux-image-7.2.12+deb13-amd64"
    parts = ["linux-modules-7.2.12+deb13-amd64", "linux-binary-7.2.12+deb13-amd64"]

    assert packages_of(image, SPLIT) == parts
    assert packages_of("linux-image-6.1.0-18-amd64", WHOLE) == ["linux-image-6.1.0-18-amd64"]


def test_the_mirror_is_the_first_of_debian_among_the_sources() -> None:
    targets = "http://one.example/security/\nhttp://two.example/debian/\nhttp://three.example/debian/\n"

    assert mirror_of(targets) == "http://two.example/debian/"
    assert mirror_of("http://one.example/ubuntu/\n") is None


def test_a_tool_is_missing_where_its_file_is(tmp_path: Path) -> None:
    assert missing_tools(tmp_path) == list(TOOLS)

    for shown in TOOLS.values():
        path = tmp_path / shown.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert missing_tools(tmp_path) == []
    (tmp_path / TOOLS["kmod"].lstrip("/")).unlink()
    assert missing_tools(tmp_path) == ["kmod"]


@pytest.mark.parametrize("way", ["split", "old"])
def test_a_kernel_in_the_cache_is_whole_with_its_lines_and_its_index(tmp_path: Path, way: str) -> None:
    kernel = Kernel(tmp_path)
    assert kernel.version == ""
    folder = tmp_path / "usr" / "lib" / "modules" / "7.2.12"
    folder.mkdir(parents=True)
    image = folder / "vmlinuz" if way == "split" else tmp_path / "boot" / "vmlinuz-7.2.12"
    image.parent.mkdir(exist_ok=True)
    image.touch()
    assert (kernel.version, kernel.image, kernel.is_whole) == ("7.2.12", image, False)

    (folder / "modules.dep.bin").touch()
    assert not kernel.is_whole
    (folder / "gpio-sim.ko.xz").touch()
    assert kernel.is_whole


def test_a_missing_tool_without_root_is_a_reason_and_not_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packages, "missing_tools", lambda: ["kmod"])
    monkeypatch.setattr(os, "geteuid", lambda: 1000)

    with pytest.raises(CannotRunError, match="only root can add them: kmod"):
        packages.install_tools()
