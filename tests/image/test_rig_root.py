"""The kernel's rig in an image's root: what is unpacked, what is loaded, and what is refused."""

import subprocess
import sys
from pathlib import Path

import pytest

from sabot.hil.kernel import initramfs
from sabot.hil.kernel.prepare import PATH_FILE, PLACE
from sabot.image import rig_root
from sabot.image.emulator import CardImage
from sabot.image.errors import ImageError
from tests.image import tiny
from tests.image.test_tiny_image import GONE

needs_tools = pytest.mark.skipif(bool(GONE), reason=f"these programs are not installed: {' '.join(GONE)}")
# As Debian's kernel for arm64 has them, as far as the order hangs on it.
DEPENDS = {
    "9p": "9pnet", "9pnet": "", "9pnet_virtio": "9pnet", "overlay": "", "ext4": "", "crc32c_generic": "", "virtio_blk": "",
    "configfs": "", "vhci_hcd": "usbip_core", "usbip_core": "", "dummy_hcd": "udc_core", "udc_core": "",
    "libcomposite": "configfs,udc_core", "usb_f_acm": "u_serial,libcomposite", "u_serial": "", "cdc_acm": "", "i6300esb": "",
}  # fmt: skip


def test_the_boards_modules_are_loaded_after_what_they_stand_on_and_the_chip_of_lines_at_the_end() -> None:
    *order, chip = rig_root.loaded(tiny.modules(DEPENDS), b"LINES")

    assert (chip.name, chip.content) == ("gpio-sim", b"LINES")
    names = [each.name for each in order]
    assert set(names) == set(DEPENDS)
    for name, needs in DEPENDS.items():
        assert {each for each in needs.split(",") if each} <= set(names[: names.index(name)])
    assert {each.name: each.told for each in order if each.told} == {
        "dummy_hcd": initramfs.MODULES["dummy_hcd"]
    }


@needs_tools
def test_the_root_of_a_card_is_unpacked_where_its_kernel_is_the_one_of_the_modules(tmp_path: Path) -> None:
    place = f"usr/lib/modules/{tiny.KERNEL}"
    found = CardImage(tiny.image(tmp_path, f"{place}/modules.dep"), tmp_path)

    root = rig_root.unpack(found, tiny.KERNEL, tmp_path / "root")

    assert (root / "usr/lib/systemd/systemd").read_bytes() == tiny.root().read("usr/lib/systemd/systemd")
    assert (root / place / "modules.dep").read_bytes() == b"x"


@needs_tools
def test_a_card_of_another_kernel_is_refused(tmp_path: Path) -> None:
    found = CardImage(tiny.image(tmp_path), tmp_path)

    with pytest.raises(ImageError, match=r"not made of these packages.*6\.99"):
        rig_root.unpack(found, "6.99", tmp_path / "root")


def test_the_program_of_the_tree_comes_before_that_of_the_release(tmp_path: Path) -> None:
    (tmp_path / PATH_FILE).write_text(rig_root.PATH_LINE, encoding="ascii")
    asked = f"import site, sys; site.addsitedir({str(tmp_path)!r}); print(sys.path[0])"

    done = subprocess.run([sys.executable, "-I", "-c", asked], capture_output=True, text=True, check=True)

    assert done.stdout == f"{PLACE}\n"
